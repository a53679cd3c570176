"""Bounds in another unit of time."""

from __future__ import annotations

from fractions import Fraction

from assent.logic.ast import (
    EVER,
    Always,
    Eventually,
    Formula,
    Interval,
    Next,
    Release,
    StrongRelease,
    Until,
    WeakUntil,
    children,
    rebuild,
    walk,
)


def scaled(formula: Formula, factor: Fraction) -> Formula:
    """The formula with every bound multiplied."""
    if factor == 1:
        return formula
    parts = tuple(scaled(part, factor) for part in children(formula))
    node = rebuild(formula, parts) if parts else formula
    match node:
        case Always(arg, within) | Eventually(arg, within) if within != EVER:
            return type(node)(arg, _times(within, factor))
        case Until(left, right, within) | Release(left, right, within) if within != EVER:
            return type(node)(left, right, _times(within, factor))
        case _:
            return node


def _times(within: Interval, factor: Fraction) -> Interval:
    return Interval(within.low * factor, None if within.high is None else within.high * factor)


def bounds_of(formula: Formula) -> frozenset[Fraction]:
    """Every bound of every interval but 0 and infinity."""
    found: set[Fraction] = set()
    for node in walk(formula):
        if isinstance(node, Always | Eventually | Until | Release):
            found.add(node.within.low)
            if node.within.high is not None:
                found.add(node.within.high)
    return frozenset(found - {Fraction(0)})


def reach_of(formula: Formula) -> Fraction | None:
    """How far ahead a formula looks, a next counted as 1; None if without end."""
    inner: list[Fraction] = []
    for part in children(formula):
        reach = reach_of(part)
        if reach is None:
            return None
        inner.append(reach)
    own = Fraction(0)
    match formula:
        case Always() | Eventually() | Until() | Release():
            if formula.within.high is None:
                return None
            own = formula.within.high
        case Next():
            own = Fraction(1)
        case StrongRelease() | WeakUntil():
            return None
        case _:
            pass
    return own + max(inner, default=Fraction(0))
