"""Robustness in dense time, for signals that keep each value until the next one: the second semantics.

A signal is a list of (time, value); the first time is 0, and the last value lasts until ``end``. Operators
are as in ``robustness``, with windows over real times and cut at ``end``; *next* has no meaning here.

Every sub-formula is constant on finitely many cells: the points of a grid and the open gaps between them.
The value of an operator on a cell is its definition at one time of the cell, so nothing is approximated.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TypeAlias, assert_never

from assent.errors import FragmentError
from assent.logic.ast import (
    EVER,
    Always,
    And,
    Compare,
    Const,
    Dist,
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
)
from assent.logic.robustness import atom_value, pointwise

Steps: TypeAlias = Sequence[tuple[float | Fraction, float | bool]]


@dataclass(frozen=True)
class Grid:
    """Cells in order: {times[0]}, (times[0], times[1]), {times[1]}, ...; the last point is the end."""

    times: tuple[Fraction, ...]

    def __len__(self) -> int:
        return 2 * len(self.times) - 1

    def time_in(self, cell: int) -> Fraction:
        """One time of the cell."""
        point = self.times[cell // 2]
        return point if cell % 2 == 0 else (point + self.times[cell // 2 + 1]) / 2

    def cell_of(self, time: Fraction) -> int:
        index = bisect_left(self.times, time)
        return 2 * index if index < len(self.times) and self.times[index] == time else 2 * index - 1

    def cells(self, low: Fraction, high: Fraction | None) -> range:
        """The cells that meet [low, high]."""
        end = self.times[-1]
        if low > end:
            return range(0)
        return range(self.cell_of(low), self.cell_of(end if high is None else min(high, end)) + 1)


def dense_robustness(
    formula: Formula,
    signals: Mapping[str | Relation | Dist, Steps],
    *,
    end: float | Fraction,
    at: float | Fraction = 0,
) -> float:
    """The robustness at a time of piecewise-constant signals that last until ``end``."""
    end, at = Fraction(end), Fraction(at)
    if not 0 <= at <= end:
        raise FragmentError(f"time {at} is not between 0 and the end of the signals, {end}")
    jumps = {name: _jumps(name, steps, end) for name, steps in signals.items()}
    grid, values = _evaluate(formula, jumps, end, {})
    return values[grid.cell_of(at)]


_Jumps: TypeAlias = tuple[list[Fraction], list[float | bool]]
_Valued: TypeAlias = tuple[Grid, list[float]]


def _jumps(name: object, steps: Steps, end: Fraction) -> _Jumps:
    times = [Fraction(time) for time, _ in steps]
    if not times or times[0] != 0 or any(a >= b for a, b in pairwise(times)):
        raise FragmentError(f"the times of {name} must start at 0 and grow")
    if times[-1] > end:
        raise FragmentError(f"{name} has a value at {times[-1]}, after the end ({end})")
    return times, [value for _, value in steps]


def _grid(times: Iterable[Fraction], end: Fraction) -> Grid:
    return Grid(tuple(sorted({Fraction(0), end, *(time for time in times if 0 <= time <= end)})))


def _on(grid: Grid, valued: _Valued) -> list[float]:
    """The same values on a finer grid."""
    old, values = valued
    return [values[old.cell_of(grid.time_in(cell))] for cell in range(len(grid))]


def _evaluate(
    node: Formula,
    jumps: Mapping[str | Relation | Dist, _Jumps],
    end: Fraction,
    memo: dict[int, _Valued],
) -> _Valued:
    if id(node) in memo:
        return memo[id(node)]
    parts = {id(part): _evaluate(part, jumps, end, memo) for part in children(node)}
    times: Iterable[Fraction] = [time for grid, _ in parts.values() for time in grid.times]
    match node:
        case Prop() | Compare() | Relation():
            times = [time for known, _ in jumps.values() for time in known]
        case Always() | Eventually() | Until() | Release():
            bounds = [
                bound for bound in (Fraction(0), node.within.low, node.within.high) if bound is not None
            ]
            times = [time - bound for time in times for bound in bounds]
        case _:
            pass
    inner = _grid((time for grid, _ in parts.values() for time in grid.times), end)
    outer = _grid(times, end)

    def value(part: Formula) -> list[float]:
        return _on(inner, parts[id(part)])

    values: list[float]
    match node:
        case Const(constant):
            values = [math.inf if constant else -math.inf] * len(outer)
        case Prop() | Compare() | Relation():
            values = [_atom(node, jumps, outer.time_in(cell)) for cell in range(len(outer))]
        case Not() | And() | Or() | Implies() | Iff():
            values = pointwise(node, value)
        case Next():
            raise FragmentError("next has no meaning in dense time")
        case Eventually(arg, within):
            values = _until(outer, inner, [math.inf] * len(inner), value(arg), within)
        case Always(arg, within):
            never = _until(outer, inner, [math.inf] * len(inner), [-x for x in value(arg)], within)
            values = [-x for x in never]
        case Until(left, right, within):
            values = _until(outer, inner, value(left), value(right), within)
        case Release(left, right, within):
            broken = _until(outer, inner, [-x for x in value(left)], [-x for x in value(right)], within)
            values = [-x for x in broken]
        case WeakUntil(left, right):
            neither = [min(-x, -y) for x, y in zip(value(left), value(right), strict=True)]
            values = [-x for x in _until(outer, inner, [-x for x in value(right)], neither, EVER)]
        case StrongRelease(left, right):
            both = list(map(min, value(left), value(right)))
            values = _until(outer, inner, value(right), both, EVER)
        case _:
            assert_never(node)
    memo[id(node)] = outer, values
    return memo[id(node)]


def _atom(
    atom: Prop | Compare | Relation, jumps: Mapping[str | Relation | Dist, _Jumps], time: Fraction
) -> float:
    def at(name: str | Relation | Dist) -> float | bool:
        times, values = jumps[name]
        return values[bisect_right(times, time) - 1]

    return atom_value(atom, at)


def _until(outer: Grid, inner: Grid, left: list[float], right: list[float], within: Interval) -> list[float]:
    """The best t' of the window. In a gap, [t, t') already holds part of the gap, unless t' is t itself."""
    result = []
    for cell in range(len(outer)):
        now = outer.time_in(cell)
        window = inner.cells(now + within.low, None if within.high is None else now + within.high)
        best, lasting = -math.inf, math.inf
        for k in range(inner.cell_of(now), window.stop):
            here = k == inner.cell_of(now) and within.low == 0
            if k in window:
                ends_at_once = k % 2 == 0 or here
                best = max(best, min(lasting, right[k] if ends_at_once else min(left[k], right[k])))
            lasting = min(lasting, left[k])
        result.append(best)
    return result
