"""By how much a formula is true of sampled signals: positive is true, negative is false, 0 is the border.

A comparison is as true as its two sides are apart; *and* is the minimum, *or* the maximum, *not* the sign
changed. Discrete time: one sample a step. ``dense`` has the same for piecewise-constant signals.

Finite traces follow rtamt and ``semantics.holds``: a window is cut at the end of the trace, and over an empty
window *finally* and *until* are -inf, *globally* and *release* +inf. *Next* at the last sample is -inf.
Until: the left argument counts on [t, t'), the right one at t'.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias, assert_never

from assent.errors import FragmentError
from assent.logic.ast import (
    EVER,
    Abs,
    Always,
    And,
    Arithmetic,
    Atom,
    Comparator,
    Compare,
    Const,
    Constant,
    Dist,
    Eventually,
    Formula,
    Iff,
    Implies,
    Interval,
    Negative,
    Next,
    Not,
    Or,
    Prop,
    Relation,
    Release,
    Signal,
    StrongRelease,
    Term,
    Until,
    WeakUntil,
)

Samples: TypeAlias = Mapping[str | Relation | Dist, Sequence[float | bool]]
"""Values by name; a proposition has booleans (+1 and -1) or margins of its own. SpaTiaL: ``geometry`` gives
the values of relations and distances, which stand in the mapping themselves."""


def robustness(formula: Formula, samples: Samples, *, at: int = 0, step: Fraction = Fraction(1)) -> float:
    """The robustness at one sample (``step`` is the time between two samples)."""
    values = robustness_over_time(formula, samples, step=step)
    if not 0 <= at < len(values):
        raise FragmentError(f"the trace has {len(values)} samples and no sample {at}")
    return values[at]


def robustness_over_time(formula: Formula, samples: Samples, *, step: Fraction = Fraction(1)) -> list[float]:
    """The robustness at every sample."""
    length = _length(samples)
    memo: dict[int, list[float]] = {}

    def value(node: Formula) -> list[float]:
        if id(node) not in memo:
            memo[id(node)] = compute(node)
        return memo[id(node)]

    def compute(node: Formula) -> list[float]:
        match node:
            case Const(constant):
                return [math.inf if constant else -math.inf] * length
            case Prop() | Compare() | Relation():
                return [atom_value(node, _sample(samples, t)) for t in range(length)]
            case Not() | And() | Or() | Implies() | Iff():
                return pointwise(node, value)
            case Next(arg):
                if step != 1:
                    raise FragmentError("next has no meaning where the step between samples is not 1")
                return [*value(arg)[1:], -math.inf]
            case Eventually(arg, within):
                return _window(max, value(arg), within, step)
            case Always(arg, within):
                return _window(min, value(arg), within, step)
            case Until(left, right, within):
                return _until(value(left), value(right), within, step)
            case Release(left, right, within):
                return _minus(_until(_minus(value(left)), _minus(value(right)), within, step))
            case WeakUntil(left, right):
                lasting = _window(min, value(left), EVER, step)
                return list(map(max, _until(value(left), value(right), EVER, step), lasting))
            case StrongRelease(left, right):
                both = list(map(min, value(left), value(right)))
                return _until(value(right), both, EVER, step)
            case _:
                assert_never(node)

    return value(formula)


# ---- shared with dense time --------------------------------------------------------------------------


def pointwise(node: Not | And | Or | Implies | Iff, value: Callable[[Formula], list[float]]) -> list[float]:
    """A Boolean connective, time by time."""
    match node:
        case Not(arg):
            return _minus(value(arg))
        case And(args):
            return [min(column) for column in zip(*map(value, args), strict=True)]
        case Or(args):
            return [max(column) for column in zip(*map(value, args), strict=True)]
        case Implies(left, right):
            return list(map(max, _minus(value(left)), value(right)))
        case Iff(left, right):
            return [min(max(-x, y), max(x, -y)) for x, y in zip(value(left), value(right), strict=True)]
        case _:
            assert_never(node)


def atom_value(atom: Atom, at: Callable[[str | Relation | Dist], float | bool]) -> float:
    """The margin of an atom, ``at`` giving the values of what it mentions."""
    match atom:
        case Prop(name):
            return _margin(_look(name, at))
        case Relation():
            return _margin(_look(atom, at))
        case Compare(left, op, right):
            return _compared(_term(left, at), op, _term(right, at))
        case _:
            assert_never(atom)


def _look(name: str | Relation | Dist, at: Callable[[str | Relation | Dist], float | bool]) -> float | bool:
    try:
        found = at(name)
    except KeyError:
        raise FragmentError(f"no samples for {name}") from None
    if math.isnan(found):
        raise FragmentError(f"a sample of {name} is not a number")
    return found


def _margin(value: float | bool) -> float:
    return (1.0 if value else -1.0) if value is True or value is False else float(value)


def _compared(left: float, op: Comparator, right: float) -> float:
    match op:
        case "<" | "<=":
            return right - left
        case ">" | ">=":
            return left - right
        case "==":
            return -abs(left - right)
        case "!=":
            return abs(left - right)
        case _:
            assert_never(op)


def _term(term: Term, at: Callable[[str | Relation | Dist], float | bool]) -> float:
    match term:
        case Signal(name):
            return float(_look(name, at))
        case Dist():
            return float(_look(term, at))
        case Constant(value):
            return float(value)
        case Negative(arg):
            return -_term(arg, at)
        case Abs(arg):
            return abs(_term(arg, at))
        case Arithmetic(op, left, right):
            x, y = _term(left, at), _term(right, at)
            return x + y if op == "+" else x - y if op == "-" else x * y
        case _:
            assert_never(term)


# ---- discrete time -----------------------------------------------------------------------------------


def _length(samples: Samples) -> int:
    lengths = {len(values) for values in samples.values()}
    if len(lengths) != 1 or 0 in lengths:
        found = ", ".join(map(str, sorted(lengths))) or "none"
        raise FragmentError(f"all signals need the same number of samples, at least one; found {found}")
    return lengths.pop()


def _sample(samples: Samples, t: int) -> Callable[[str | Relation | Dist], float | bool]:
    return lambda name: samples[name][t]


def _minus(values: Iterable[float]) -> list[float]:
    return [-x for x in values]


def _steps(within: Interval, step: Fraction, length: int) -> tuple[int, int]:
    """The window in samples; past the end of the trace one more makes no difference."""
    bounds = []
    for bound in (within.low, within.high):
        steps = Fraction(length) if bound is None else bound / step
        if steps.denominator != 1:
            raise FragmentError(f"the bound {bound} is no whole number of steps of {step}")
        bounds.append(min(int(steps), length))
    return bounds[0], bounds[1]


def _window(
    best: Callable[[float, float], float], values: list[float], within: Interval, step: Fraction
) -> list[float]:
    """Minimum or maximum over [t + low, t + high], by a queue of those that may still win."""
    low, high = _steps(within, step, len(values))
    n, empty = len(values), math.inf if best(0, 1) == 0 else -math.inf
    result = [empty] * n
    queue: deque[int] = deque()
    entering = n - 1
    for t in range(n - 1, -1, -1):
        while entering >= t + low:
            while queue and best(values[queue[-1]], values[entering]) == values[entering]:
                queue.pop()
            queue.append(entering)
            entering -= 1
        while queue and queue[0] > t + high:
            queue.popleft()
        if queue:
            result[t] = values[queue[0]]
    return result


def _until(left: list[float], right: list[float], within: Interval, step: Fraction) -> list[float]:
    """p U[a,b] q is: p for a steps, and then q within b - a and p until q. True of margins as of truth,
    because the robustness exceeds a level exactly if the signals cut at that level make the formula true."""
    n = len(left)
    low, high = _steps(within, step, n)
    plain = [-math.inf] * (n + 1)
    for t in range(n - 1, -1, -1):
        plain[t] = max(right[t], min(left[t], plain[t + 1]))
    soon = _window(max, right, Interval(Fraction(0), Fraction(high - low)), Fraction(1))
    first = _window(min, left, Interval(Fraction(0), Fraction(max(low - 1, 0))), Fraction(1))
    result = []
    for t in range(n):
        if t + low >= n:
            result.append(-math.inf)
            continue
        then = min(soon[t + low], plain[t + low])
        result.append(min(first[t], then) if low else then)
    return result
