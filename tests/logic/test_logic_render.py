"""What is written is read back as the same formula, in every spelling and logic."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assent.errors import FormulaError, FragmentError
from assent.logic import (
    Always,
    And,
    Arithmetic,
    Compare,
    Constant,
    Eventually,
    Formula,
    Implies,
    Interval,
    Logic,
    Negative,
    Not,
    Or,
    Prop,
    Relation,
    Signal,
    Until,
    check,
    read,
    walk,
    write,
)
from assent.logic.render import Spelling, decimal
from assent.logic.testing import formulas, random_formula

SPELLINGS: tuple[Spelling, ...] = get_args(Spelling)


@pytest.mark.parametrize("logic", Logic)
@settings(max_examples=200)
@given(st.data())
def test_written_is_read_back(logic: Logic, data: st.DataObject) -> None:
    formula = data.draw(formulas(logic))
    check(formula, logic)
    for spelling in SPELLINGS:
        assert read(write(formula, spelling), logic) == formula


def _with_comparison(formula: Formula) -> bool:
    return any(isinstance(node, Compare) for node in walk(formula))


def _with_decimals(formula: Formula) -> bool:
    spans = [node.within for node in walk(formula) if isinstance(node, Always | Eventually | Until)]
    return any(end is not None and end.denominator > 1 for span in spans for end in (span.low, span.high))


def _named(name: str):  # type: ignore[no-untyped-def]
    return lambda formula: any(type(node).__name__ == name for node in walk(formula))


def _oriented(formula: Formula) -> bool:
    return any(isinstance(node, Relation) and node.name == "oriented" for node in walk(formula))


@pytest.mark.parametrize(
    ("logic", "has"),
    [
        ("stl", _with_comparison),
        ("stl", _with_decimals),
        ("spatial", _with_comparison),
        ("spatial", _oriented),
        ("ltl", _named("Next")),
        ("ltl", _named("WeakUntil")),
        ("ltl", _named("Release")),
        ("stl", _named("Release")),
        ("ltl", _named("StrongRelease")),
    ],
)
def test_what_the_data_lacks(logic: str, has) -> None:  # type: ignore[no-untyped-def]
    found = 0
    for seed in range(4000):
        formula = random_formula(random.Random(seed), logic, operators=6, comparisons=True, decimals=True)
        if has(formula):
            found += 1
            assert all(read(write(formula, spelling), logic) == formula for spelling in SPELLINGS)
        if found == 200:
            return
    raise AssertionError(f"only {found} of 200")


@pytest.mark.parametrize(
    "name", ["G", "U", "true", "until", "AND", "abs", "dist", "GF", "GFa", "i", "e", "infinite", "t"]
)
@pytest.mark.parametrize("spelling", SPELLINGS)
def test_awkward_names(name: str, spelling: Spelling) -> None:
    formula = Implies(Until(Prop(name), Not(Prop(name))), Compare(Signal(name), ">", Constant(Fraction(2))))
    assert read(write(formula, spelling), "stl") == formula
    objects = Relation("leftOf", (name, "above"))
    assert read(write(objects, spelling), "spatial") == objects


def test_how_it_looks() -> None:
    formula = Always(Implies(Prop("p"), Eventually(Prop("q"), Interval(Fraction(0), Fraction(5)))))
    assert write(formula) == "G(p -> (F[0,5] q))"
    assert write(formula, "words") == "globally ( p imply ( finally [0,5] q ) )"
    assert write(formula, "unicode") == "□(p → (◇[0,5] q))"
    assert write(formula, "latex") == r"\square (\mathit{p} \rightarrow (\lozenge_{[0,5]} \mathit{q}))"
    assert write(Or((And((Prop("a"), Not(Prop("b")))), Prop("c")))) == "(a & !b) | c"


def test_signs_are_kept_apart() -> None:
    three = Constant(Fraction(3))
    terms = [
        Constant(Fraction(-3)),
        Negative(three),
        Negative(Constant(Fraction(-3))),
        Negative(Negative(Signal("x"))),
        Arithmetic("-", Signal("x"), Constant(Fraction(-3))),
        Arithmetic("*", Constant(Fraction(-3)), Signal("x")),
        Arithmetic("-", Signal("x"), Arithmetic("-", Signal("y"), three)),
    ]
    for term in terms:
        for spelling in SPELLINGS:
            formula = Compare(term, "<", Constant(Fraction(1, 3)))
            assert read(write(formula, spelling), "stl") == formula


@given(st.fractions(min_value=-(10**6), max_value=10**6, max_denominator=10**6))
def test_numbers_are_exact(value: Fraction) -> None:
    text = decimal(value)
    assert Fraction(text) == value
    assert "e" not in text


@pytest.mark.parametrize(
    ("formula", "logic"),
    [
        (Prop("a b"), "ltl"),
        (Prop(""), "ltl"),
        (Prop('a"'), "ltl"),
        (Prop("a"), "spatial"),
        (Always(Prop("a"), Interval(Fraction(0), Fraction(5))), "ltl"),
        (Always(Prop("a"), Interval(Fraction(0), Fraction(10**7))), "stl"),
        (Relation("leftOf", ("a", "b")), "stl"),
        (Relation("leftOf", ("a",)), "spatial"),
        (Relation("near", ("a", "b")), "spatial"),
        (Compare(Signal("x"), ">", Constant(Fraction(1))), "ltl"),
        (Compare(Signal("x"), ">", Constant(Fraction(1))), "spatial"),
    ],
)
def test_what_a_logic_lacks_is_refused(formula: Formula, logic: str) -> None:
    with pytest.raises(FragmentError):
        check(formula, logic)


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    for logic in Logic:
        try:
            formula = read(text, logic)
        except FormulaError as error:
            assert 1 <= error.column <= len(text) + 1
        else:
            check(formula, logic)
            assert read(write(formula), logic) == formula
