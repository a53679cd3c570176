"""The question itself: verdict, method, and a witness that was replayed."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, TypeAlias

from assent.logic.ast import Formula, size
from assent.logic.equivalence.budget import Budget, Exhausted
from assent.logic.equivalence.forms import FALSE
from assent.logic.equivalence.lassos import Signatures, Word, frames_for, sampling_cost
from assent.logic.equivalence.lower import Lowered
from assent.logic.semantics import holds
from assent.logic.trace import Trace

Level: TypeAlias = Literal["exact", "canonical"]


class Verdict(StrEnum):
    EQUAL = "equal"
    DIFFERENT = "different"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Equivalence:
    """``witness`` is a trace on which exactly one of the two holds, given with an exact ``different``."""

    verdict: Verdict
    method: str
    witness: Trace | None = None

    @property
    def equal(self) -> bool:
        """True only if proven; unknown never counts as equal."""
        return self.verdict is Verdict.EQUAL


def equivalent(
    a: Formula,
    b: Formula,
    *,
    level: Level = "exact",
    steps: int | None = None,
    budget: float | None = None,
    finite: bool = False,
    axioms: bool = False,
) -> Equivalence:
    """Compare two formulas; ``finite`` over finite words (LTLf), ``axioms`` with facts between relations.

    The answer is ``unknown`` after ``steps`` (DEFAULT_STEPS if nothing is said), on any machine the same. ``budget``
    is an additional limit in seconds of processor time; given alone, it stands for as many steps as it has time for.
    """
    if level == "canonical":
        from assent.logic.canonical import canonical

        same = canonical(a) == canonical(b)
        return Equivalence(Verdict.EQUAL if same else Verdict.DIFFERENT, "canonical form")
    return compared(a, b, Budget(steps, budget), finite=finite, axioms=axioms)


def compared(
    a: Formula, b: Formula, budget: Budget, *, finite: bool = False, axioms: bool = False
) -> Equivalence:
    """The exact comparison with what is left of a budget."""
    try:
        return _decided(a, b, budget, finite, axioms)
    except Exhausted:
        return Equivalence(Verdict.UNKNOWN, "budget exhausted")
    except RecursionError:  # the caller's own stack is nearly full
        return Equivalence(Verdict.UNKNOWN, "too little stack")


def _decided(a: Formula, b: Formula, budget: Budget, finite: bool, axioms: bool) -> Equivalence:
    lowered = Lowered([a, b], budget, finite=finite, axioms=axioms)
    if lowered.too_many_facts:
        return Equivalence(Verdict.UNKNOWN, "too many facts between relations")
    word, method = _difference(lowered, budget)
    if word is None:
        return Equivalence(Verdict.EQUAL, method)
    witness = lowered.trace(*word)
    budget.spend(len(witness) * (size(a) + size(b) + 2) // 4)
    if holds(a, witness) == holds(b, witness):
        return Equivalence(Verdict.UNKNOWN, f"{method}, but the witness does not replay")
    return Equivalence(Verdict.DIFFERENT, method, witness)


def _difference(lowered: Lowered, budget: Budget) -> tuple[Word | None, str]:
    """A word that tells the two forms apart, None if there is none, and what found it out: normal form, random
    lassos, then the provers, in this order. Exhausted if it was not found out."""
    (f, g), forms, premise = lowered.roots, lowered.forms, lowered.premise
    if f == g or premise == FALSE:
        return None, "normal form"
    only_f, only_g = forms.conj([premise, f, -g]), forms.conj([premise, -f, g])
    if only_f == only_g == FALSE:
        return None, "normal form"
    signatures: list[Signatures] = []
    word = _sampled(lowered, budget, (only_f, only_g), signatures)
    if word is not None:
        return word, "random lassos"
    from assent.logic.equivalence.proofs import Prover  # six files that most questions never need

    prover = Prover(lowered, budget, signatures)
    return prover.difference(f, g, only_f, only_g), prover.method


def _sampled(
    lowered: Lowered, budget: Budget, targets: tuple[int, ...], signatures: list[Signatures]
) -> Word | None:
    """A random lasso on which one of the targets holds; what was sampled is added to ``signatures``."""
    forms, groups = lowered.forms, lowered.groups
    for k, chosen in enumerate(frames_for(forms, *targets)):
        cost = sampling_cost(forms, chosen, lowered.letters, groups, targets)
        if cost > budget.left() // 4:
            if k == 0:
                raise Exhausted  # sweeping needs the first frame, which is small
            break
        signatures.append(Signatures(forms, chosen, lowered.letters, groups))
        for target in targets:
            word = signatures[k].witness(target)
            if word is not None:
                return word
    return None
