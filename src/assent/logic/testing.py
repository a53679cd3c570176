"""Random formulas for tests: a seeded generator, and a Hypothesis strategy around the same shapes.

Both cover everything that a reader may meet: comparisons, decimals, distances, next, weak until, release.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from assent.logic.ast import (
    EVER,
    FALSE,
    TRUE,
    Abs,
    Always,
    And,
    Arithmetic,
    Atom,
    Comparator,
    Compare,
    Constant,
    Dist,
    Eventually,
    Formula,
    Iff,
    Implies,
    Interval,
    Logic,
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
from assent.logic.dialect import RELATIONS

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

UNARY = ("not", "next", "always", "eventually")
BINARY = ("and", "or", "implies", "iff", "until", "release", "weak_until", "strong_release")
_COMPARATORS: tuple[Comparator, ...] = ("<", "<=", ">", ">=", "==", "!=")


def random_formula(
    rng: random.Random,
    logic: Logic | str,
    *,
    operators: int = 8,
    atoms: int = 3,
    comparisons: bool = False,
    constants: bool = False,
    decimals: bool = False,
    max_bound: int = 60,
    timed: float = 0.7,
    unbounded: float = 0.2,
    allow: Sequence[str] = UNARY + BINARY,
) -> Formula:
    """A formula with about ``operators`` operators over at most ``atoms`` atoms.

    ``timed`` is the share of temporal operators that carry an interval (none in LTL), ``unbounded`` the
    share of those without an end, ``allow`` the operators to draw from.
    """
    logic = Logic(logic)
    leaves: list[Formula] = [
        random_atom(rng, logic, index=i, comparisons=comparisons, decimals=decimals)
        for i in range(1, atoms + 1)
    ]
    if constants:
        leaves += [TRUE, FALSE]
    unary = [op for op in UNARY if op in allow]
    binary = [op for op in BINARY if op in allow]

    def within() -> Interval:
        if logic is Logic.LTL or rng.random() >= timed:
            return EVER
        return random_interval(rng, max_bound=max_bound, unbounded=unbounded, decimals=decimals)

    def grow(budget: int) -> Formula:
        if budget <= 0:
            return rng.choice(leaves)
        if unary and (budget == 1 or not binary or rng.random() < 0.45):
            return _unary(rng.choice(unary), grow(budget - 1), within)
        if not binary:
            return rng.choice(leaves)
        op = rng.choice(binary)
        if op in ("and", "or") and budget >= 2 and rng.random() < 0.25:
            first = rng.randrange(budget - 1)
            second = rng.randrange(budget - 1 - first)
            parts = (grow(first), grow(second), grow(budget - 2 - first - second))
            return And(parts) if op == "and" else Or(parts)
        left = rng.randrange(budget)
        return _binary(op, grow(left), grow(budget - 1 - left), within)

    return grow(operators)


def _unary(op: str, arg: Formula, within: Callable[[], Interval]) -> Formula:
    match op:
        case "not":
            return Not(arg)
        case "next":
            return Next(arg)
        case "always":
            return Always(arg, within())
        case _:
            return Eventually(arg, within())


def _binary(op: str, left: Formula, right: Formula, within: Callable[[], Interval]) -> Formula:
    match op:
        case "and":
            return And((left, right))
        case "or":
            return Or((left, right))
        case "implies":
            return Implies(left, right)
        case "iff":
            return Iff(left, right)
        case "until":
            return Until(left, right, within())
        case "release":
            return Release(left, right, within())
        case "weak_until":
            return WeakUntil(left, right)
        case _:
            return StrongRelease(left, right)


def random_interval(
    rng: random.Random, *, max_bound: int = 60, unbounded: float = 0.2, decimals: bool = False
) -> Interval:
    """An interval below ``max_bound``, sometimes without an end."""
    scale = rng.choice((1, 2, 10)) if decimals else 1
    low = Fraction(rng.choice((0, 0, rng.randrange(max_bound * scale + 1))), scale)
    if rng.random() < unbounded:
        return Interval(low, None)
    return Interval(low, low + Fraction(rng.randrange(int((max_bound - low) * scale) + 1), scale))


def random_atom(
    rng: random.Random,
    logic: Logic | str,
    *,
    index: int = 1,
    comparisons: bool = False,
    decimals: bool = False,
) -> Atom:
    """An atom of the logic; ``index`` keeps propositions apart."""
    logic = Logic(logic)
    if logic is Logic.LTL or (logic is Logic.STL and not (comparisons and rng.random() < 0.7)):
        return Prop(f"prop_{index}")
    if logic is Logic.SPATIAL:
        if comparisons and rng.random() < 0.4:
            a, b = rng.sample(_OBJECTS, 2)
            return Compare(Dist(a, b), rng.choice(_COMPARATORS), Constant(_constant(rng, decimals)))
        name = rng.choice(tuple(RELATIONS))
        return Relation(name, tuple(rng.sample(_OBJECTS, RELATIONS[name].arity)))
    return Compare(
        random_term(rng, 2, decimals), rng.choice(_COMPARATORS), Constant(_constant(rng, decimals))
    )


_OBJECTS = ("cup", "plate", "robot", "red_block", "bin_a", "shelf")
_SIGNALS = ("x", "y", "speed", "height")


def random_term(rng: random.Random, depth: int = 2, decimals: bool = False) -> Term:
    """A term with at least one signal in it."""
    if depth == 0 or rng.random() < 0.4:
        return Signal(rng.choice(_SIGNALS))
    match rng.randrange(4):
        case 0:
            return Arithmetic("*", Constant(_constant(rng, decimals)), random_term(rng, depth - 1, decimals))
        case 1:
            op = rng.choice(("+", "-"))
            left, right = random_term(rng, depth - 1, decimals), random_term(rng, depth - 1, decimals)
            return Arithmetic("+", left, right) if op == "+" else Arithmetic("-", left, right)
        case 2:
            return Abs(random_term(rng, depth - 1, decimals))
        case _:
            return Negative(random_term(rng, depth - 1, decimals))


def _constant(rng: random.Random, decimals: bool) -> Fraction:
    return Fraction(rng.randrange(-100, 101), rng.choice((1, 2, 10, 100)) if decimals else 1)


def formulas(
    logic: Logic | str,
    *,
    max_operators: int = 12,
    atoms: int = 4,
    comparisons: bool = True,
    constants: bool = True,
    decimals: bool = True,
    allow: Sequence[str] = UNARY + BINARY,
) -> SearchStrategy[Formula]:
    """Hypothesis strategy for formulas of a logic (needs Hypothesis)."""
    from hypothesis import strategies as st

    def make(seed: int, operators: int) -> Formula:
        return random_formula(
            random.Random(seed),
            logic,
            operators=operators,
            atoms=atoms,
            comparisons=comparisons,
            constants=constants,
            decimals=decimals,
            allow=allow,
        )

    return st.builds(make, st.integers(0, 2**32), st.integers(0, max_operators))
