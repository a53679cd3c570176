"""What the data does not have: 200 random formulas with each rare feature go through everything.

Reading and writing in every spelling, English, comparing (with itself, its negation and itself in
disguise), and robustness (its sign against truth).
"""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any, get_args

import pytest

from assent.logic import Logic, Not, canonical, english, read, read_english, write
from assent.logic.ast import (
    Always,
    And,
    Arithmetic,
    Compare,
    Constant,
    Dist,
    Eventually,
    Formula,
    Negative,
    Next,
    Prop,
    Relation,
    Release,
    Signal,
    StrongRelease,
    Term,
    Until,
    WeakUntil,
    atoms,
    walk,
)
from assent.logic.equivalence import equivalent
from assent.logic.render import Spelling
from assent.logic.robustness import robustness_over_time
from assent.logic.semantics import Trace, holds, truth
from assent.logic.testing import BINARY, UNARY, random_formula

COUNT, SAMPLES = 200, 6
WITHOUT_NEXT = tuple(op for op in UNARY + BINARY if op != "next")


def _has(kind: type) -> Callable[[Formula], bool]:
    return lambda formula: any(isinstance(node, kind) for node in walk(formula))


def _has_atom(test: Callable[[Any], bool]) -> Callable[[Formula], bool]:
    return lambda formula: any(test(atom) for atom in atoms(formula))


def _decimal_bound(formula: Formula) -> bool:
    timed = (node for node in walk(formula) if isinstance(node, Always | Eventually | Until | Release))
    return any(node.within.low.denominator > 1 or (node.within.high or 0) % 1 for node in timed)


FEATURES: dict[str, tuple[Logic, dict[str, Any], Callable[[Formula], bool]]] = {
    "comparisons": (Logic.STL, {"comparisons": True}, _has(Compare)),
    "decimals": (Logic.STL, {"decimals": True, "allow": WITHOUT_NEXT}, _decimal_bound),
    "dist": (Logic.SPATIAL, {"comparisons": True}, _has(Compare)),
    "oriented": (Logic.SPATIAL, {}, _has_atom(lambda a: isinstance(a, Relation) and a.name == "oriented")),
    "next": (Logic.LTL, {}, _has(Next)),
    "weak until": (Logic.LTL, {}, _has(WeakUntil)),
    "release": (Logic.LTL, {}, _has(Release)),
    "timed release": (Logic.STL, {"timed": 1.0}, _has(Release)),
    "strong release": (Logic.LTL, {}, _has(StrongRelease)),
}


def some(feature: str) -> list[Formula]:
    logic, options, wanted = FEATURES[feature]
    rng, found = random.Random(feature), []
    while len(found) < COUNT:
        formula = random_formula(rng, logic, operators=rng.randint(1, 5), max_bound=5, **options)
        if wanted(formula):
            found.append(formula)
    return found


@pytest.mark.parametrize("feature", FEATURES)
def test_written_and_said_and_read_back(feature: str) -> None:
    logic = FEATURES[feature][0]
    for formula in some(feature):
        for spelling in get_args(Spelling):
            assert read(write(formula, spelling), logic) == formula
        assert canonical(read_english(english(formula), logic)) == canonical(formula)


@pytest.mark.parametrize("feature", FEATURES)
def test_compared(feature: str) -> None:
    for formula in some(feature):
        assert equivalent(formula, formula).equal
        assert equivalent(formula, Not(Not(And((formula, formula))))).equal
        opposite = equivalent(formula, Not(formula))
        assert opposite.verdict == "different"
        assert opposite.witness is not None
        assert holds(formula, opposite.witness) != holds(Not(formula), opposite.witness)


@pytest.mark.parametrize("feature", FEATURES)
def test_robustness_has_the_sign_of_truth(feature: str) -> None:
    rng = random.Random(1)
    step = Fraction(1, 10) if feature == "decimals" else Fraction(1)
    for formula in some(feature):
        names = {name for atom in atoms(formula) for name in mentioned(atom)}
        samples = {name: [rng.uniform(-90, 90) for _ in range(SAMPLES)] for name in names}
        states = tuple(
            frozenset(a for a in atoms(formula) if margin(a, {n: v[t] for n, v in samples.items()}) > 0)
            for t in range(SAMPLES)
        )
        values = robustness_over_time(formula, samples, step=step)
        truths = truth(formula, Trace(states, None, step))
        assert [value > 0 for value in values] == truths


def mentioned(part: Any) -> list[Any]:
    match part:
        case Prop(name) | Signal(name):
            return [name]
        case Relation() | Dist():
            return [part]
        case Compare(left, _, right) | Arithmetic(_, left, right):
            return mentioned(left) + mentioned(right)
        case Constant():
            return []
        case _:
            return mentioned(part.arg)


def margin(atom: Any, state: dict[Any, float]) -> float:
    if not isinstance(atom, Compare):
        return state[atom.name if isinstance(atom, Prop) else atom]
    gap = measured(atom.left, state) - measured(atom.right, state)
    return {">": gap, ">=": gap, "<": -gap, "<=": -gap, "==": -abs(gap), "!=": abs(gap)}[atom.op]


def measured(term: Term, state: dict[Any, float]) -> float:
    match term:
        case Signal(name):
            return state[name]
        case Dist():
            return state[term]
        case Constant(value):
            return float(value)
        case Arithmetic(op, left, right):
            x, y = measured(left, state), measured(right, state)
            return x + y if op == "+" else x - y if op == "-" else x * y
        case Negative(arg):
            return -measured(arg, state)
        case _:
            return abs(measured(term.arg, state))
