"""What a formula means, computed position by position: the evaluator that every witness is replayed on.

A trace is a sequence of states, each the set of atoms that are true there. ``loop`` is the position to which the last
state returns (an infinite, ultimately periodic word, a *lasso*); without it the word is finite. ``step`` is the time
between two states; it differs from 1 only where a formula has decimal bounds.

The evaluator follows the definitions and nothing else, and shares no code with the decision procedures. Time is
discrete, one state a step. Until is strict on the right: ``left`` holds on [t, t'), ``right`` at t'.

On a finite word a next at the last state is false, an eventually must come true inside the word, and an
always only speaks of the states that exist (LTLf).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from assent.errors import FragmentError
from assent.logic.ast import (
    EVER,
    Always,
    And,
    Atom,
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

State = frozenset[Atom]


@dataclass(frozen=True, slots=True)
class Trace:
    """States in order; ``loop`` None means that the word ends with the last state."""

    states: tuple[State, ...]
    loop: int | None = None
    step: Fraction = Fraction(1)

    def __post_init__(self) -> None:
        if not self.states:
            raise FragmentError("a trace has at least one state")
        if self.loop is not None and not 0 <= self.loop < len(self.states):
            raise FragmentError(f"a trace of {len(self.states)} states cannot return to state {self.loop}")
        if self.step <= 0:
            raise FragmentError("the time between two states is positive")

    def __len__(self) -> int:
        return len(self.states)

    def _repr_svg_(self) -> str:
        from assent.logic.draw import timing_svg

        return timing_svg(self)

    def fold(self, time: int) -> int | None:
        """The position that stands for a time, None past the end of a finite word."""
        if time < len(self.states):
            return time
        if self.loop is None:
            return None
        return self.loop + (time - self.loop) % (len(self.states) - self.loop)

    def stretches(self) -> Iterator[tuple[int, int, State]]:
        """Runs of equal states as (first position, last position, state); a run never crosses the loop."""
        first = 0
        for position in range(1, len(self.states) + 1):
            ends = position in (len(self.states), self.loop)
            if ends or self.states[position] != self.states[first]:
                yield first, position - 1, self.states[first]
                first = position


def shortened(trace: Trace) -> Trace:
    """The same infinite word with the loop as short and as early as it can be; finite words stay."""
    if trace.loop is None:
        return trace
    states, loop = list(trace.states), trace.loop
    cycle = states[loop:]
    for period in range(1, len(cycle) // 2 + 1):
        if len(cycle) % period == 0 and cycle == cycle[:period] * (len(cycle) // period):
            cycle = cycle[:period]
            break
    stem = states[:loop]
    turned = 0  # how often the last state of the cycle moves to its front
    while stem and stem[-1] == cycle[-1 - turned % len(cycle)]:
        turned += 1
        stem.pop()
    first = -turned % len(cycle)
    return Trace((*stem, *cycle[first:], *cycle[:first]), len(stem), trace.step)


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
