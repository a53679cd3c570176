"""What the judge reads off formulas: agreement, vocabulary fallback."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from assent.embedded.judge import agreement, dimensions
from assent.embedded.opinions import placeholders, renumbered
from assent.embedded.tokens import SPECIAL, UNKNOWN, TokenVocabulary
from assent.errors import FragmentError
from assent.lift.linear import delinearise, linearise
from assent.logic.ast import Formula, Logic
from assent.logic.mutate import mutations
from assent.logic.parse import read
from assent.logic.testing import random_formula


def spelt(formula: Formula) -> tuple[dict[str, str], dict[Fraction, str], tuple[str, ...]]:
    names, numbers = placeholders(formula)
    try:
        return names, numbers, linearise(formula, names, numbers)
    except FragmentError:  # arithmetic, timed release: not in the models' language
        reject()


@given(seed=st.integers(0, 10_000), logic=st.sampled_from(list(Logic)))
def test_placeholders_in_formula_order_restore_the_formula(seed: int, logic: Logic) -> None:
    names, numbers, tokens = spelt(random_formula(random.Random(seed), logic, operators=5, atoms=3))
    back = delinearise(
        tokens, {p: name for name, p in names.items()}, {p: value for value, p in numbers.items()}
    )
    assert linearise(back, names, numbers) == tokens
    if logic is Logic.LTL:
        assert renumbered(tokens, ())[0] == tokens


@given(seed=st.integers(0, 3000), logic=st.sampled_from(list(Logic)))
def test_a_formula_agrees_with_itself_wholly_and_with_its_mutation_less(seed: int, logic: Logic) -> None:
    formula = random_formula(random.Random(seed), logic, operators=4, atoms=3)
    assert all(value == 1.0 for value in agreement(formula, formula, logic).values())
    for mutation in mutations(formula, seed=seed)[:4]:
        found = agreement(formula, mutation.formula, logic)
        assert set(found) == set(dimensions(logic))
        assert min(found.values()) < 1.0, (mutation.kind, found)
        assert all(0.0 <= value <= 1.0 for value in found.values())


@pytest.mark.parametrize(
    ("left", "right", "lower"),
    [
        ("G (a -> F b)", "G (a -> G b)", "temporal_operators"),
        ("G (a & b)", "G (a | b)", "logical_structure"),
        ("F[0,5] a", "F[0,6] a", "time_constraints"),
    ],
)
def test_each_change_lowers_its_own_respect_alone(left: str, right: str, lower: str) -> None:
    found = agreement(read(left, "stl"), read(right, "stl"), Logic.STL)
    for name in ("logical_structure", "temporal_operators", "time_constraints"):
        assert (found[name] < 1.0) == (name == lower), found


def test_equal_meanings_in_other_words_agree() -> None:
    found = agreement(read("G (a -> b)", "ltl"), read("! F (a & ! b)", "ltl"), Logic.LTL)
    assert set(found.values()) == {1.0}


def test_unknown_words_are_tried_without_their_endings() -> None:
    words = TokenVocabulary((*SPECIAL, "stop", "open", "battery", "close"))
    said = ["stopped", "opens", "opening", "batteries", "closing", "zebra", "xs"]
    assert [words.known(word) for word in said] == [
        "stop",
        "open",
        "open",
        "battery",
        "close",
        UNKNOWN,
        UNKNOWN,
    ]
    assert words.encode(["open"]) == [4]
    assert words.grown(["open", "new"]).tokens == (*words.tokens, "new")
