"""The question itself: verdict, method, and a witness that was replayed."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, TypeAlias

from assent.logic.ast import Formula, size
from assent.logic.equivalence.budget import Budget, Exhausted
from assent.logic.equivalence.decide import Decider
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
    decider = Decider(lowered, budget)
    word = decider.difference(*lowered.roots)
    if word is None:
        return Equivalence(Verdict.EQUAL, decider.method)
    witness = lowered.trace(*word)
    budget.spend(len(witness) * (size(a) + size(b) + 2) // 4)
    if holds(a, witness) == holds(b, witness):
        return Equivalence(Verdict.UNKNOWN, f"{decider.method}, but the witness does not replay")
    return Equivalence(Verdict.DIFFERENT, decider.method, witness)
