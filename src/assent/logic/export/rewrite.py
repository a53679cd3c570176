"""Rewriting a formula into the operators that a tool has. Each step keeps the meaning in discrete time."""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction

from assent.errors import FragmentError
from assent.logic.ast import (
    EVER,
    FALSE,
    TRUE,
    Always,
    And,
    Compare,
    Const,
    Eventually,
    Formula,
    Iff,
    Implies,
    Interval,
    Next,
    Not,
    Or,
    Prop,
    Relation,
    Release,
    StrongRelease,
    Until,
    WeakUntil,
    children,
    conj,
    disj,
    rebuild,
    walk,
)

MAX_UNROLLED = 5_000
"""Nodes that unrolling intervals into next may produce."""


def rewrite(formula: Formula, has: Collection[str]) -> Formula:
    """Only operators in ``has``: weak, strong, release, timed release, iff, implies, next, from ([a, inf) with
    a > 0), timed until, timed (any interval at all)."""
    parts = tuple(rewrite(part, has) for part in children(formula))
    node = rebuild(formula, parts) if parts else formula
    step = _step(node, has)
    return node if step is node else rewrite(step, has)


def _step(f: Formula, has: Collection[str]) -> Formula:
    match f:
        case WeakUntil(left, right) if "weak" not in has:
            return Or((Until(left, right), Always(left)))
        case StrongRelease(left, right) if "strong" not in has:
            return Until(right, And((left, right)))
        case Release(left, right, within) if within == EVER and "release" not in has:
            return Or((Always(right), Until(right, And((left, right)))))
        case Release(left, right, within) if within != EVER and "timed release" not in has:
            return _release(left, right, within)
        case Iff(left, right) if "iff" not in has:
            return And((Implies(left, right), Implies(right, left)))
        case Implies(left, right) if "implies" not in has:
            return Or((Not(left), right))
        case Next(arg) if "next" not in has:
            return Eventually(arg, Interval(Fraction(1), Fraction(1)))
        case Always(arg, within) if within.unbounded and within.low > 0 and "from" not in has:
            return Always(Always(arg), Interval(within.low, within.low))
        case Eventually(arg, within) if within.unbounded and within.low > 0 and "from" not in has:
            return Eventually(Eventually(arg), Interval(within.low, within.low))
        case Until(left, right, within) if within != EVER and (
            "timed until" not in has or (within.unbounded and "from" not in has)
        ):
            return _until(left, right, within)
    return f


def _until(left: Formula, right: Formula, within: Interval) -> Formula:
    """p U[a,b] q as G[0,a-1] p, then at a: F[0,b-a] q and p U q."""
    low, high = within.low, within.high
    if low > 0:
        _whole(within)
        rest: Formula = Until(left, right, Interval(Fraction(0), None if high is None else high - low))
        return conj(Always(left, Interval(Fraction(0), low - 1)), Eventually(rest, Interval(low, low)))
    return conj(Eventually(right, within), Until(left, right))


def _release(left: Formula, right: Formula, within: Interval) -> Formula:
    """Right throughout the interval, or left comes first, or both meet inside it."""
    _whole(within)
    low, high = within.low, within.high
    inner = Interval(Fraction(0), None if high is None else high - low)
    meet: Formula = Until(right, And((left, right)), inner)
    if low == 0:
        return disj(Always(right, within), meet)
    early = Eventually(left, Interval(Fraction(0), low - 1))
    return disj(Always(right, within), early, Eventually(meet, Interval(low, low)))


def _whole(within: Interval) -> None:
    if within.low.denominator != 1 or (within.high is not None and within.high.denominator != 1):
        raise FragmentError("this rewriting needs whole bounds: it is exact in discrete time only")


def unroll(formula: Formula) -> Formula:
    """Intervals as nested next: for tools that know no time."""
    budget = [MAX_UNROLLED]
    return _unroll(formula, budget)


def _unroll(f: Formula, budget: list[int]) -> Formula:
    parts = tuple(_unroll(part, budget) for part in children(f))
    node = rebuild(f, parts) if parts else f
    match node:
        case Always(arg, within) if within != EVER:
            return _steps(
                within, budget, lambda rest: arg if rest is None else And((arg, Next(rest))), Always(arg)
            )
        case Eventually(arg, within) if within != EVER:
            return _steps(
                within, budget, lambda rest: arg if rest is None else Or((arg, Next(rest))), Eventually(arg)
            )
        case Until(left, right, within) if within != EVER:
            body = _steps(
                Interval(Fraction(0), None if within.high is None else within.high - within.low),
                budget,
                lambda rest: right if rest is None else Or((right, And((left, Next(rest))))),
                Until(left, right),
            )
            for _ in range(_count(within.low, budget, left)):
                body = And((left, Next(body)))
            return body
        case Release(left, right, within) if within != EVER:
            return _unroll(Not(Until(Not(left), Not(right), within)), budget)
    return node


def _steps(within: Interval, budget: list[int], grow: object, ever: Formula) -> Formula:
    """X^low of the window's nest, or of the unbounded operator."""
    assert callable(grow)
    if within.high is None:
        body: Formula = ever
    else:
        one = grow(None)
        body = one
        for _ in range(_count(within.high - within.low, budget, one)):
            body = grow(body)
    for _ in range(_count(within.low, budget, TRUE)):
        body = Next(body)
    return body


def _count(steps: Fraction, budget: list[int], copied: Formula) -> int:
    if steps.denominator != 1:
        raise FragmentError("bounds must be whole: the target has no time, only next")
    budget[0] -= int(steps) * (1 + sum(1 for _ in walk(copied)))
    if budget[0] < 0:
        raise FragmentError(
            f"the intervals are too wide to unroll into next (more than {MAX_UNROLLED} operators)"
        )
    return int(steps)


def positive(f: Formula) -> Formula:
    """Negation pushed down to the atoms (implications and iffs unfolded), for tools without general negation."""
    return _positive(f, negated=False)


def _positive(f: Formula, *, negated: bool) -> Formula:
    def go(part: Formula) -> Formula:
        return _positive(part, negated=negated)

    match f:
        case Const(value):
            return TRUE if value != negated else FALSE
        case Prop() | Compare() | Relation():
            return Not(f) if negated else f
        case Not(arg):
            return _positive(arg, negated=not negated)
        case Implies(left, right):
            return go(Or((Not(left), right)))
        case Iff(left, right):
            return go(And((Or((Not(left), right)), Or((Not(right), left)))))
        case WeakUntil(left, right):
            return go(Release(right, Or((left, right))))
        case StrongRelease(left, right):
            return go(Until(right, And((left, right))))
        case And(args) | Or(args):
            return (And if isinstance(f, And) != negated else Or)(tuple(map(go, args)))
        case Next(arg):
            return Next(go(arg))
        case Always(arg, within):
            return (Eventually if negated else Always)(go(arg), within)
        case Eventually(arg, within):
            return (Always if negated else Eventually)(go(arg), within)
        case Until(left, right, within):
            return (Release if negated else Until)(go(left), go(right), within)
        case Release(left, right, within):
            return (Until if negated else Release)(go(left), go(right), within)


def fully_bounded(formula: Formula, tool: str) -> None:
    """Refuse operators without an end."""
    for node in walk(formula):
        open_ended = isinstance(node, Always | Eventually | Until | Release) and node.within.unbounded
        if open_ended or isinstance(node, WeakUntil | StrongRelease):
            raise FragmentError(f"{tool} needs an end for every temporal operator: give intervals [a,b]")
