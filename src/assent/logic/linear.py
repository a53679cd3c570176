"""Comparisons in linear normal form, in exact fractions: ``2x > 6`` and ``3 < x`` are both ``x > 3``.

A term becomes a sum of coefficients times opaque factors: signals, distances, absolute values and products
of two factors. The first factor gets the coefficient 1, the constant goes to the right.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import assert_never

from assent.logic.ast import (
    Abs,
    Arithmetic,
    Comparator,
    Compare,
    Const,
    Constant,
    Dist,
    Negative,
    Signal,
    Term,
)

MAX_FACTORS = 64
"""Comparisons with more factors than this stay as they are."""

NEGATED: dict[Comparator, Comparator] = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
FLIPPED: dict[Comparator, Comparator] = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}

_Factors = dict[str, tuple[Fraction, Term]]
"""Key of a factor to its coefficient and the factor itself."""


@lru_cache(maxsize=4096)
def normal_comparison(atom: Compare) -> Compare | Const:
    """The comparison in normal form; true or false if no factor is left."""
    left, right = _linear(atom.left), _linear(atom.right)
    factors, constant = _sum(left, right, Fraction(-1))
    if not factors:
        return Const(_decide(constant, atom.op))
    if len(factors) > MAX_FACTORS:
        return atom
    op = atom.op
    lead = factors[min(factors)][0]
    if lead < 0:
        op = FLIPPED[op]
    return Compare(_term(_scaled(factors, 1 / lead)), op, Constant(-constant / lead))


def term_key(term: Term) -> str:
    """Stable text of a term, the same for equal terms only."""
    match term:
        case Signal(name):
            return name
        case Constant(value):
            return str(value)
        case Arithmetic(op, left, right):
            return f"({term_key(left)}{op}{term_key(right)})"
        case Negative(arg):
            return f"-({term_key(arg)})"
        case Abs(arg):
            return f"|{term_key(arg)}|"
        case Dist(a, b):
            return f"dist({a},{b})"
        case _:
            assert_never(term)


def _decide(value: Fraction, op: Comparator) -> bool:
    match op:
        case "<":
            return value < 0
        case "<=":
            return value <= 0
        case ">":
            return value > 0
        case ">=":
            return value >= 0
        case "==":
            return value == 0
        case "!=":
            return value != 0
        case _:
            assert_never(op)


def _linear(term: Term) -> tuple[_Factors, Fraction]:
    match term:
        case Constant(value):
            return {}, value
        case Signal(name):
            return {name: (Fraction(1), term)}, Fraction(0)
        case Dist(a, b):
            near = Dist(min(a, b), max(a, b))
            return {term_key(near): (Fraction(1), near)}, Fraction(0)
        case Negative(arg):
            return _sum(({}, Fraction(0)), _linear(arg), Fraction(-1))
        case Arithmetic("*", left, right):
            return _product(_linear(left), _linear(right))
        case Arithmetic(op, left, right):
            return _sum(_linear(left), _linear(right), Fraction(1 if op == "+" else -1))
        case Abs(arg):
            return _absolute(*_linear(arg))
        case _:
            assert_never(term)


def _sum(
    left: tuple[_Factors, Fraction], right: tuple[_Factors, Fraction], scale: Fraction
) -> tuple[_Factors, Fraction]:
    factors = dict(left[0])
    for key, (coefficient, factor) in right[0].items():
        total = (factors[key][0] if key in factors else 0) + scale * coefficient
        factors[key] = (total, factor)
        if not total:
            del factors[key]
    return factors, left[1] + scale * right[1]


def _scaled(factors: _Factors, scale: Fraction) -> _Factors:
    return {key: (scale * coefficient, factor) for key, (coefficient, factor) in factors.items()}


def _product(left: tuple[_Factors, Fraction], right: tuple[_Factors, Fraction]) -> tuple[_Factors, Fraction]:
    for (factors, constant), (others, scale) in ((left, right), (right, left)):
        if not others:
            return (_scaled(factors, scale) if scale else {}), constant * scale
    scale_left, first = _primitive(*left)
    scale_right, second = _primitive(*right)
    if term_key(second) < term_key(first):
        first, second = second, first
    factor = Arithmetic("*", first, second)
    return {term_key(factor): (scale_left * scale_right, factor)}, Fraction(0)


def _absolute(factors: _Factors, constant: Fraction) -> tuple[_Factors, Fraction]:
    if not factors:
        return {}, abs(constant)
    scale, inner = _primitive(factors, constant)
    # A distance is signed (negative where bodies overlap), so only an absolute value is its own.
    factor = inner if isinstance(inner, Abs) else Abs(inner)
    return {term_key(factor): (abs(scale), factor)}, Fraction(0)


def _primitive(factors: _Factors, constant: Fraction) -> tuple[Fraction, Term]:
    """A scale and a term whose first coefficient is 1."""
    lead = factors[min(factors)][0]
    term = _term(_scaled(factors, 1 / lead))
    rest = constant / lead
    if rest:
        term = Arithmetic("+" if rest > 0 else "-", term, Constant(abs(rest)))
    return lead, term


def _term(factors: _Factors) -> Term:
    total: Term | None = None
    for key in sorted(factors):
        coefficient, factor = factors[key]
        size = abs(coefficient)
        part = factor if size == 1 else Arithmetic("*", Constant(size), factor)
        if total is None:
            total = part if coefficient > 0 else Negative(part)
        else:
            total = Arithmetic("+" if coefficient > 0 else "-", total, part)
    assert total is not None
    return total
