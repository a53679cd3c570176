"""Dense time on a grid of cells, so that what is quick in discrete time evaluates it.

Signals keep each value until the next one, and every time and bound is a whole number of ticks. Then every
sub-formula is constant on the cells {0}, (0, 1), {1}, (1, 2), ... counted in ticks, and a window [a, b] seen from any
time of cell c meets exactly the cells c + 2a to c + 2b: discrete time with bounds doubled. Only until needs care:
inside a gap the left side must hold on the part of the gap before t', so there the right side counts together with
the left one, unless t' is the very time one stands at. ``dense`` has the definition itself; a test compares the two.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import TypeVar

from assent.logic.ast import (
    And,
    Formula,
    Not,
    Or,
    Prop,
    Release,
    StrongRelease,
    Until,
    WeakUntil,
    children,
    rebuild,
)

T = TypeVar("T")

POINT = Prop("\N{MIDDLE DOT}point")
"""True on the cells that are one time, false on gaps; no formula that is read has such a name."""


def tick_of(times: Iterable[Fraction]) -> Fraction:
    """The longest time of which all of these are whole multiples; 1 if all are 0."""
    found = [time for time in times if time]
    below = lcm(*(time.denominator for time in found))
    above = gcd(*(time.numerator * (below // time.denominator) for time in found))
    return Fraction(above, below) if above else Fraction(1)


def cells(values: Sequence[T], places: Sequence[int]) -> list[T]:
    """Each value from its place (in ticks) up to the next one's; the last one on the last point."""
    filled: list[T] = []
    for k, value in enumerate(values[:-1]):
        filled += [value] * (2 * (places[k + 1] - places[k]))
    return [*filled, values[-1]]


def on_cells(formula: Formula) -> Formula:
    """What a formula without next says in dense time, its bounds in half ticks, as discrete time on cells."""
    parts = tuple(on_cells(part) for part in children(formula))
    node = rebuild(formula, parts) if parts else formula
    match node:
        case Until():
            return _until(node)
        case Release(left, right, within):
            return Not(_until(Until(Not(left), Not(right), within)))
        case WeakUntil(left, right):
            return Not(_until(Until(Not(right), And((Not(left), Not(right))))))
        case StrongRelease(left, right):
            return _until(Until(right, And((left, right))))
        case _:
            return node


def _until(node: Until) -> Formula:
    goal = And((node.right, Or((POINT, node.left))))
    later = Until(node.left, goal, node.within)
    return later if node.within.low else Or((node.right, later))
