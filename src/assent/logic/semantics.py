"""What a formula means, computed position by position: the evaluator that every witness is replayed on.

It follows the definitions and nothing else, and shares no code with the decision procedures. Time is
discrete, one state a step. Until is strict on the right: ``left`` holds on [t, t'), ``right`` at t'.

On a finite word a next at the last state is false, an eventually must come true inside the word, and an
always only speaks of the states that exist (LTLf).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from assent.errors import FragmentError
from assent.logic.ast import (
    EVER,
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
)
from assent.logic.trace import Trace

_NEVER = 1 << 62


def holds(formula: Formula, trace: Trace, at: int = 0) -> bool:
    """Is the formula true of the trace from position ``at`` on?"""
    position = trace.fold(at)
    if position is None or at < 0:
        raise FragmentError(f"the trace has {len(trace)} states and no position {at}")
    return truth(formula, trace)[position]


def truth(formula: Formula, trace: Trace) -> list[bool]:
    """The truth value of the formula at every position of the trace."""
    memo: dict[int, list[bool]] = {}

    # Recursion depth is the depth of the formula, which the reader limits.
    def value(node: Formula) -> list[bool]:
        # Keyed by identity: the nodes live as long as the formula does, and hashing deep ones is slow.
        key = id(node)
        if key not in memo:
            memo[key] = compute(node)
        return memo[key]

    def compute(node: Formula) -> list[bool]:
        match node:
            case Const(constant):
                return [constant] * len(trace)
            case Prop() | Compare() | Relation():
                return [node in state for state in trace.states]
            case Not(arg):
                return _negated(value(arg))
            case And(args):
                return [all(column) for column in zip(*map(value, args), strict=True)]
            case Or(args):
                return [any(column) for column in zip(*map(value, args), strict=True)]
            case Implies(left, right):
                return [not x or y for x, y in zip(value(left), value(right), strict=True)]
            case Iff(left, right):
                return [x == y for x, y in zip(value(left), value(right), strict=True)]
            case _:
                return _temporal(node, value, trace)

    return value(formula)


def _temporal(
    node: Next | Eventually | Always | Until | Release | WeakUntil | StrongRelease,
    value: Callable[[Formula], list[bool]],
    trace: Trace,
) -> list[bool]:
    """The truth value of a temporal operator, from those of its operands."""
    match node:
        case Next(arg):
            return _next(value(arg), trace)
        case Eventually(arg, within):
            return _until([True] * len(trace), value(arg), within, trace)
        case Always(arg, within):
            return _negated(_until([True] * len(trace), _negated(value(arg)), within, trace))
        case Until(left, right, within):
            return _until(value(left), value(right), within, trace)
        case Release(left, right, within):
            return _negated(_until(_negated(value(left)), _negated(value(right)), within, trace))
        case WeakUntil(left, right):
            # p W q: never a first not-p that comes before every q, that is not((not q) U (not p, not q)).
            p, q = value(left), value(right)
            neither = [not x and not y for x, y in zip(p, q, strict=True)]
            return _negated(_until(_negated(q), neither, EVER, trace))
        case StrongRelease(left, right):
            p, q = value(left), value(right)
            both = [x and y for x, y in zip(p, q, strict=True)]
            return _until(q, both, EVER, trace)


def _negated(values: Sequence[bool]) -> list[bool]:
    return [not x for x in values]


def _next(values: Sequence[bool], trace: Trace) -> list[bool]:
    if trace.step != 1:
        raise FragmentError("next has no meaning on a trace whose step is not 1 (decimal bounds)")
    last = values[trace.loop] if trace.loop is not None else False
    return [*values[1:], last]


def _until(left: Sequence[bool], right: Sequence[bool], within: Interval, trace: Trace) -> list[bool]:
    """The earliest ``right`` not before t + low is the best choice, so two arrays of next times suffice."""
    low, high = _steps(within.low, trace), _NEVER if within.high is None else _steps(within.high, trace)
    goal, gap = _next_time(right, True, trace), _next_time(left, False, trace)
    result = []
    for t in range(len(trace)):
        start = trace.fold(t + low)
        if start is None:
            result.append(False)
            continue
        when = goal[start] + (t + low - start)
        result.append(when < _NEVER and when <= t + high and when <= gap[t])
    return result


def _steps(bound: Fraction, trace: Trace) -> int:
    steps = bound / trace.step
    if steps.denominator != 1:
        raise FragmentError(f"the bound {bound} is no whole number of steps of {trace.step}")
    return steps.numerator


def _next_time(values: Sequence[bool], wanted: bool, trace: Trace) -> list[int]:
    """For each position the first time at or after it with the wanted value, counted without folding."""
    n = len(trace)
    upcoming = _NEVER
    if trace.loop is not None:
        period = n - trace.loop
        upcoming = next((t + period for t in range(trace.loop, n) if values[t] == wanted), _NEVER)
    times = [_NEVER] * n
    for t in range(n - 1, -1, -1):
        if values[t] == wanted:
            upcoming = t
        times[t] = upcoming
    return times
