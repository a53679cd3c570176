"""Is a formula a tautology, a contradiction, or does a part of it not matter? Each with a trace that shows it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from assent.logic.ast import FALSE, TRUE, Const, Formula, Not, children, rebuild, size
from assent.logic.equivalence.budget import Budget
from assent.logic.equivalence.verdict import Verdict, compared
from assent.logic.trace import Trace

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
