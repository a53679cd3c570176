"""The canonical form keeps the meaning, is found from every rewriting by its laws, and stops at itself."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.logic import (
    FALSE,
    TRUE,
    Always,
    And,
    Compare,
    Constant,
    Eventually,
    Formula,
    Iff,
    Implies,
    Not,
    Or,
    Relation,
    Release,
    StrongRelease,
    Until,
    WeakUntil,
    canonical,
    canonical_key,
    children,
    read,
    rebuild,
    walk,
)
from assent.logic.ast import Abs, Arithmetic, Dist, Negative, Signal, Term
from assent.logic.dialect import RELATIONS
from assent.logic.semantics import Trace, holds
from assent.logic.testing import formulas, random_formula


@pytest.mark.parametrize(
    ("logic", "left", "right"),
    [
        ("ltl", "a & b & a", "b & a"),
        ("ltl", "a & (b & c)", "(c & a) & b"),
        ("ltl", "!(a | b)", "!b & !a"),
        ("ltl", "a -> b", "b | !a"),
        ("ltl", "a <-> b", "(b -> a) & (a -> b)"),
        ("ltl", "!(a <-> b)", "!((a -> b) & (b -> a))"),
        ("ltl", "!(a U b)", "!a R !b"),
        ("ltl", "a W b", "!(!b U (!a & !b))"),
        ("ltl", "a M b", "b U (b & a)"),
        ("ltl", "!F !a", "G a"),
        ("ltl", "!X a", "X !a"),
        ("ltl", "true U a", "F a"),
        ("ltl", "a & (b | true)", "a"),
        ("ltl", "G(a | !false)", "true"),
        ("stl", "!(a U[2,5] b)", "!a R[2,5] !b"),
        ("stl", "!F[2,5] a", "G[2,5] !a"),
        ("stl", "F[0,0] a", "a"),
        ("stl", "!(x > 3)", "x <= 3"),
        ("stl", "2x > 6", "x > 3"),
        ("stl", "x > y + 1", "y - x < -1"),
        ("stl", "abs(2*x - 2*y) <= 3", "abs(y - x) <= 1.5"),
        ("stl", "x * (y + y) > 4", "y * x > 2"),
        ("stl", "3 > 2 & a", "a"),
        ("stl", "x - x == 1", "false"),
        ("stl", "3 * x != 1", "!(x == 1/3)"),
        ("spatial", "rightOf(a, b)", "leftOf(b, a)"),
        ("spatial", "above(a, b)", "below(b, a)"),
        ("spatial", "touch(b, a) & touch(a, b)", "touch(a, b)"),
        ("spatial", "between(c, b, a)", "between(c, a, b)"),
        ("spatial", "dist(b, a) >= 0.3", "!(0.30 > dist(a, b))"),
    ],
)
def test_laws(logic: str, left: str, right: str) -> None:
    assert canonical(read(left, logic)) == canonical(read(right, logic))
    assert canonical_key(read(left, logic)) == canonical_key(read(right, logic))


@pytest.mark.parametrize(
    ("logic", "left", "right"),
    [
        ("ltl", "a -> b", "b -> a"),
        ("ltl", "a U b", "b U a"),
        ("ltl", "a U b", "a W b"),
        ("ltl", "G F a", "F G a"),
        ("stl", "F[0,5] a", "F[0,6] a"),
        ("stl", "x > 3", "x >= 3"),
        ("stl", "x > 3", "x < 3"),
        ("stl", "x > 3", "-x > 3"),
        ("stl", "abs(x) > 3", "x > 3"),
        ("spatial", "leftOf(a, b)", "leftOf(b, a)"),
        ("spatial", "enclIn(a, b)", "enclIn(b, a)"),
        ("spatial", "closerTo(a, b, c)", "closerTo(a, c, b)"),
        ("spatial", "between(a, b, c)", "between(b, a, c)"),
    ],
)
def test_what_no_law_joins(logic: str, left: str, right: str) -> None:
    assert canonical(read(left, logic)) != canonical(read(right, logic))
    assert canonical_key(read(left, logic)) != canonical_key(read(right, logic))


# ---- the meaning is kept: an independent evaluator agrees on random lassos ------------------------------------


def _value(term: Term, numbers: dict[str, Fraction]) -> Fraction:
    match term:
        case Signal(name):
            return numbers[name]
        case Constant(value):
            return value
        case Arithmetic(op, left, right):
            a, b = _value(left, numbers), _value(right, numbers)
            return a + b if op == "+" else a - b if op == "-" else a * b
        case Negative(arg):
            return -_value(arg, numbers)
        case Abs(arg):
            return abs(_value(arg, numbers))
        case Dist(a, b):
            return abs(numbers[a] - numbers[b])
    raise AssertionError


def _true(atom: Formula, world: random.Random, numbers: dict[str, Fraction]) -> bool:
    """Truth of an atom in a world of numbers: objects are points on a line or a random symmetric fact."""
    if isinstance(atom, Compare):
        left, right = _value(atom.left, numbers), _value(atom.right, numbers)
        return {
            "<": left < right,
            "<=": left <= right,
            ">": left > right,
            ">=": left >= right,
            "==": left == right,
            "!=": left != right,
        }[atom.op]
    if isinstance(atom, Relation):
        places = [numbers[arg] for arg in atom.args]
        match atom.name:
            case "leftOf" | "above":
                return places[0] < places[1]
            case "rightOf" | "below":
                return places[0] > places[1]
            case "between":
                return min(places[1:]) <= places[0] <= max(places[1:])
            case "closerTo":
                return abs(places[0] - places[1]) < abs(places[0] - places[2])
            case "enclIn" | "oriented":
                return places[0] * 2 < places[1]
            case _:
                return abs(places[0] - places[1]) < len(atom.name)
    return world.random() < 0.5


_NAMES = ("x", "y", "speed", "height", "cup", "plate", "robot", "red_block", "bin_a", "shelf")


def _lasso(rng: random.Random, *formulas: Formula) -> Trace:
    found = {node: None for formula in formulas for node in walk(formula) if not children(node)}
    states = []
    for _ in range(rng.randint(1, 5)):
        numbers = {name: Fraction(rng.randint(-20, 20), rng.choice((1, 2, 10))) for name in _NAMES}
        states.append(
            frozenset(atom for atom in found if atom not in (TRUE, FALSE) and _true(atom, rng, numbers))
        )
    return Trace(tuple(states), rng.randrange(len(states)))


@pytest.mark.parametrize("logic", ["ltl", "stl", "spatial"])
@given(st.integers(0, 10**9), st.integers(0, 10))
def test_meaning_is_kept(logic: str, seed: int, operators: int) -> None:
    rng = random.Random(seed)
    formula = random_formula(rng, logic, operators=operators, comparisons=True, constants=True, max_bound=8)
    form = canonical(formula)
    for _ in range(10):
        trace = _lasso(rng, formula, form)
        assert holds(formula, trace) == holds(form, trace)


# ---- every rewriting by the laws leads to the same form ------------------------------------------------------


def _rewritten(formula: Formula, rng: random.Random) -> Formula:
    """The formula rewritten at random by laws of the canonical level, written out here once more."""
    parts = tuple(_rewritten(part, rng) for part in children(formula))
    node = rebuild(formula, parts)
    if rng.random() < 0.3:
        return node
    match node:
        case And(args) | Or(args):
            args = [*args, rng.choice(args)]
            rng.shuffle(args)
            if rng.random() < 0.5:
                dual = Or if isinstance(node, And) else And
                return Not(dual(tuple(Not(arg) for arg in args)))
            inner = type(node)(tuple(args[1:]))
            return type(node)((args[0], inner))
        case Not(arg):
            return Not(Not(Not(arg)))
        case Implies(left, right):
            return rng.choice((Or((right, Not(left))), Implies(Not(right), Not(left))))
        case Iff(left, right):
            return And((Implies(right, left), Implies(left, right)))
        case Always(arg, within):
            return rng.choice((Not(Eventually(Not(arg), within)), Release(FALSE, arg, within)))
        case Eventually(arg, within):
            return rng.choice((Not(Always(Not(arg), within)), Until(TRUE, arg, within)))
        case Until(left, right, within):
            return Not(Release(Not(left), Not(right), within))
        case Release(left, right, within):
            return Not(Until(Not(left), Not(right), within))
        case WeakUntil(left, right):
            return Release(right, Or((left, right)))
        case StrongRelease(left, right):
            return Until(right, And((left, right)))
        case Relation(name, args):
            info = RELATIONS[name]
            if info.inverse:
                return Relation(info.inverse, args[::-1])
            return Relation(name, (*args[:-2], args[-1], args[-2])) if info.symmetric else node
        case Compare(left, op, right):
            flipped = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
            twice = Arithmetic("*", Constant(Fraction(-2)), left)
            return Compare(twice, flipped[op], Arithmetic("*", right, Constant(Fraction(-2))))  # type: ignore[arg-type]
    return node


@pytest.mark.parametrize("logic", ["ltl", "stl", "spatial"])
@given(st.integers(0, 10**9), st.integers(0, 10))
def test_all_rewritings_meet(logic: str, seed: int, operators: int) -> None:
    rng = random.Random(seed)
    formula = random_formula(rng, logic, operators=operators, comparisons=True, constants=True, decimals=True)
    assert canonical(_rewritten(formula, rng)) == canonical(formula)


@given(st.sampled_from(["ltl", "stl", "spatial"]).flatmap(formulas))
def test_stops_at_itself(formula: Formula) -> None:
    form = canonical(formula)
    assert canonical(form) == form
    assert canonical_key(form) == canonical_key(formula)
    kinds = {type(node) for node in walk(form)}
    assert not kinds & {Implies, WeakUntil, StrongRelease}
    assert all(not isinstance(node.arg, Compare | Not) for node in walk(form) if isinstance(node, Not))


@given(st.lists(formulas("stl", max_operators=4, atoms=2), min_size=2, max_size=6))
def test_keys_name_forms(some: list[Formula]) -> None:
    for one in some:
        for other in some:
            assert (canonical(one) == canonical(other)) == (canonical_key(one) == canonical_key(other))


@pytest.mark.parametrize("length", range(2, 14))
def test_double_negation_never_changes_the_form(length: int) -> None:
    parts = [f"(a{i} U b)" for i in range(length)]
    plain = read(" <-> ".join(parts), "ltl")
    negated = read(" <-> ".join(f"{'!' * 20}{part}" for part in reversed(parts)), "ltl")
    assert canonical(canonical(plain)) == canonical(plain)
    assert canonical(canonical(negated)) == canonical(negated)
    left = read("!" * 40 + "(" + " <-> ".join(parts) + ")", "ltl")
    assert canonical(left) == canonical(plain)


def test_nested_iff_stays_small() -> None:
    formula = read("a <-> " * 60 + "b", "ltl")
    assert len(canonical_key(formula)) < 20_000
    mixed = read("(a <-> b) & (a <-> c) & (b <-> c)", "ltl")
    assert canonical(mixed) == canonical(read("(c <-> b) & (b <-> a) & (c <-> a)", "ltl"))
