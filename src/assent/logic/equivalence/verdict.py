"""The questions: do two formulas mean the same, is one always or never true, does a part of it not matter?

Each answer has the method that found it and, where it says "no", a trace that was replayed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, TypeAlias

from assent.logic.ast import FALSE, TRUE, Const, Formula, Not, children, rebuild, size
from assent.logic.equivalence.budget import Budget, Exhausted
from assent.logic.equivalence.forms import FALSE as FALSE_FORM
from assent.logic.equivalence.lassos import Signatures, Word, frames_for, sampling_cost
from assent.logic.equivalence.lower import Lowered
from assent.logic.semantics import Trace, holds

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
    if f == g or premise == FALSE_FORM:
        return None, "normal form"
    only_f, only_g = forms.conj([premise, f, -g]), forms.conj([premise, -f, g])
    if only_f == only_g == FALSE_FORM:
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


_LEAST = 20_000
"""Steps that a question about one part of a formula may take at least."""


@dataclass(frozen=True, slots=True)
class SanityFinding:
    """``answer`` None means undecided within the budget; ``witness`` shows the yes or the no if a trace can."""

    answer: bool | None
    witness: Trace | None = None


@dataclass(frozen=True, slots=True)
class Idle:
    """A part that can be replaced by a constant without changing the meaning of the whole."""

    part: Formula
    constant: Const
    simpler: Formula


def satisfiable(
    formula: Formula, *, steps: int | None = None, budget: float | None = None, finite: bool = False
) -> SanityFinding:
    """Is there a trace on which the formula is true? The witness is one. Limits as for ``equivalent``."""
    return _satisfiable(formula, Budget(steps, budget), finite)


def valid(
    formula: Formula, *, steps: int | None = None, budget: float | None = None, finite: bool = False
) -> SanityFinding:
    """Is the formula true on every trace? If not, the witness is one where it is false."""
    return _valid(formula, Budget(steps, budget), finite)


def vacuous(
    formula: Formula, *, steps: int | None = None, budget: float | None = None, finite: bool = False
) -> tuple[Idle, ...]:
    """The largest parts that do not matter: replaced by true or by false, the formula means the same.

    One occurrence is replaced at a time. The parts of a part that does not matter are not listed again. All
    questions share one budget; what is not proved within it is not listed.
    """
    return _vacuous(formula, Budget(steps, budget), finite)


def warnings(
    formula: Formula, *, steps: int | None = None, budget: float | None = None, finite: bool = False
) -> Iterator[str]:
    """Plain sentences about a formula that its author hardly meant; all questions share one budget."""
    account = Budget(steps, budget)
    if _satisfiable(formula, account.part(4), finite).answer is False:
        yield "this formula is false on every trace (a contradiction)"
    elif _valid(formula, account.part(4), finite).answer:
        yield "this formula is true on every trace (a tautology)"
    else:
        for idle in _vacuous(formula, account, finite):
            yield _said(idle)


def _satisfiable(formula: Formula, budget: Budget, finite: bool) -> SanityFinding:
    found = compared(formula, FALSE, budget, finite=finite)
    if found.verdict is Verdict.UNKNOWN:
        return SanityFinding(None)
    return SanityFinding(found.verdict is Verdict.DIFFERENT, found.witness)


def _valid(formula: Formula, budget: Budget, finite: bool) -> SanityFinding:
    found = _satisfiable(Not(formula), budget, finite)
    return SanityFinding(None if found.answer is None else not found.answer, found.witness)


def _vacuous(formula: Formula, budget: Budget, finite: bool) -> tuple[Idle, ...]:
    idle: list[Idle] = []
    each = max(_LEAST, budget.left() // (4 * size(formula) + 4))
    todo: list[tuple[tuple[int, ...], Formula]] = [((), formula)]
    while todo and budget.left() > 0:
        path, part = todo.pop()
        if path and not isinstance(part, Const):
            found = _idle(formula, path, part, budget, each, finite)
            if found is not None:
                idle.append(found)
                continue
        inner = [((*path, k), child) for k, child in enumerate(children(part))]
        todo.extend(reversed(inner))
    return tuple(idle)


def _idle(
    formula: Formula, path: tuple[int, ...], part: Formula, budget: Budget, each: int, finite: bool
) -> Idle | None:
    for constant in (TRUE, FALSE):
        simpler = _replaced(formula, path, constant)
        if compared(formula, simpler, budget.part(steps=each), finite=finite).equal:
            return Idle(part, constant, simpler)
    return None


def _replaced(formula: Formula, path: tuple[int, ...], new: Formula) -> Formula:
    if not path:
        return new
    parts = list(children(formula))
    parts[path[0]] = _replaced(parts[path[0]], path[1:], new)
    return rebuild(formula, tuple(parts))


def _said(idle: Idle) -> str:
    from assent.logic.render import write

    constant = "true" if idle.constant.value else "false"
    return (
        f"the part {write(idle.part)} does not matter: with {constant} in its place the meaning is the same"
    )
