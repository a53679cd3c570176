"""Hostile input ends in a clear error within 100 ms; what is within the limits is read without recursion trouble."""

from __future__ import annotations

import time

import pytest

from assent.errors import FormulaError, LimitError
from assent.logic import Logic, canonical, read, write
from assent.logic.dialect import MAX_ATOMS, MAX_BOUND, MAX_DEPTH, MAX_DIGITS, MAX_LENGTH

BROKEN = {
    "empty": "",
    "blank": " \n\t ",
    "NUL": "a \0 b",
    "lone surrogate": "a & \ud800",
    "right-to-left mark": "a \u200f& b",
    "override": "G \u202ea",
    "reversed interval": "F[5,2] a",
    "negative interval": "F[-1,3] a",
    "NaN bound": "F[nan,3] a",
    "NaN end": "F[0,NaN] a",
    "unknown operator": "a %% b",
    "keyword as atom": "G until",
    "keywords only": "and or not",
    "mixed logics": "leftOf(a, b) & x > 3 & p",
    "unclosed": "(" * 90,
    "unopened": "a" + ")" * 150,
    "closed early": "(" * 5000 + "a",
}
BEYOND = {
    "a megabyte of parentheses": "(" * 1_000_000,
    "a megabyte of pairs": "(a)" * 333_333,
    "deep brackets": "(" * 4_900 + "a" + ")" * 4_900,
    "deep nesting": "!" * 9_000 + "a",
    "10,000 deep": "G " * 10_000 + "a",
    "deep right side": "a->" * 3_000 + "a",
    "deep until": "a U " * 2_000 + "a",
    "deep prefix": "&" * 5_000 + " a" * 2_000,
    "deep terms": "-" * 9_000 + "x > 0",
    "long sum": "x+" * 4_000 + "x > 0",
    "400 digits": "x > " + "9" * 400,
    "400 digits in an interval": "F[0," + "9" * 400 + "] a",
    "400 decimals": "x > 0." + "1" * 400,
    "large exponent": "F[1e999,2] a",
    "huge exponent": "x > 1e" + "9" * 3_000,
    "small exponent": "x > 1e-999",
    "large interval": f"F[0,{MAX_BOUND + 1}] a",
    "200 atoms": " & ".join(f"p{i}" for i in range(200)),
    "200 atoms in prefix": "& " * 199 + " ".join(f"p{i}" for i in range(200)),
    "many steps": "X[100000] a",
}


@pytest.mark.parametrize("logic", Logic)
@pytest.mark.parametrize("name", [*BROKEN, *BEYOND])
def test_refused_quickly(name: str, logic: Logic) -> None:
    text = BROKEN.get(name, BEYOND.get(name, ""))
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        with pytest.raises(FormulaError) as caught:
            read(text, logic)
        best = min(best, time.process_time() - start)
    assert best < 0.1
    error = caught.value
    assert 1 <= error.column <= len(text) + 1
    shown = str(error)
    assert len(shown) < 500
    shown.encode()
    assert "\0" not in shown


@pytest.mark.parametrize("name", BEYOND)
def test_beyond_a_limit_is_called_so(name: str) -> None:
    with pytest.raises(LimitError):
        read(BEYOND[name], Logic.STL)


def test_up_to_the_limits() -> None:
    deep = "!" * (MAX_DEPTH - 1) + "a"
    brackets = "(" * MAX_DEPTH + "a" + ")" * MAX_DEPTH
    many = " & ".join(f"p{i}" for i in range(MAX_ATOMS))
    long = "a " * (MAX_LENGTH // 2 - 1) + "a"
    assert write(read(deep, "ltl")).count("!") == MAX_DEPTH - 1
    assert write(read(brackets, "ltl")) == "a"
    assert write(read(many, "ltl")) == many
    assert write(read(f"F[0,{MAX_BOUND}] a", "stl")) == f"F[0,{MAX_BOUND}] a"
    assert write(read(f"x > {'9' * MAX_DIGITS}", "stl")).endswith("9" * MAX_DIGITS)
    with pytest.raises(FormulaError, match="not an operator"):
        read(long, "ltl")


@pytest.mark.parametrize(
    "text",
    [
        "!" * (MAX_DEPTH - 1) + "a",
        "a <-> " * (MAX_DEPTH - 1) + "a",
        "a U " * (MAX_DEPTH - 1) + "a",
        "(a & X " * (MAX_DEPTH // 2 - 1) + "b" + ")" * (MAX_DEPTH // 2 - 1),
    ],
)
def test_deepest_formulas_can_be_used(text: str) -> None:
    formula = read(text, "ltl")
    assert read(write(formula), "ltl") == formula
    assert hash(formula) == hash(read(text, "ltl"))
    assert canonical(canonical(formula)) == canonical(formula)


def test_short_formulas_are_quick() -> None:
    texts = ["globally ( prop_1 imply ( prop_2 until [0,5] prop_3 ) )", "& F a & F b G ! c", "G(a -> F b)"]
    best = float("inf")
    for _ in range(20):
        start = time.process_time()
        for text in texts:
            read(text, "stl")
        best = min(best, (time.process_time() - start) / len(texts))
    assert best < 0.001  # about 50 µs; the slack is for busy machines
