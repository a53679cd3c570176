"""Formulas said with real names: paraphrases, groups, named pairs, ambiguous sentences."""

from __future__ import annotations

import random
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.errors import AssentError, FragmentError, UsageError
from assent.lift import lift
from assent.logic.ast import Logic
from assent.logic.equivalence import Verdict, equivalent
from assent.logic.parse import read
from assent_train.corpus.ambiguity import ambiguous
from assent_train.corpus.named import groups, named_pairs, paraphrases, say
from assent_train.corpus.names import vocabulary


def test_paraphrases_differ_and_name_everything() -> None:
    formula = read("G(door_open -> F[0,5] alarm)", "stl")
    said = paraphrases(formula, 8, seed=1)
    assert len(set(said)) == 8
    for text in said:
        assert "door_open" in text and "alarm" in text and " 5" in text
    assert said == paraphrases(formula, 8, seed=1)


def test_paraphrases_need_a_positive_number() -> None:
    with pytest.raises(UsageError, match="at least 1"):
        paraphrases(read("F p", "ltl"), 0)


@pytest.mark.parametrize("text", ["true", "F (p & true)"])
def test_constants_have_no_words(text: str) -> None:
    with pytest.raises(FragmentError, match="no words"):
        say(read(text, "ltl"), random.Random(1))


@pytest.mark.parametrize("logic", list(Logic))
def test_lifting_finds_the_names_of_named_sentences(logic: Logic) -> None:
    """What the corpus says, the lifter reads: nearly every reference can be written over the lifted text."""
    found = 0
    for pair in islice(named_pairs(4, logic=logic), 150):
        assert (
            pair.text[-1] == "." and "P1" not in pair.text and "N1" not in pair.text and "O1" not in pair.text
        )
        try:
            found += bool(lift(pair.text, logic, vocabulary(pair.domain)).tokens_of(pair.formula))
        except AssentError:
            continue
    assert found >= 0.9 * 150


@given(st.integers(0, 50))
def test_groups_hold_different_sentences(seed: int) -> None:
    for _, texts in islice(groups(seed, size=3), 2):
        assert len(set(texts)) == 3


@pytest.mark.parametrize("logic", [Logic.LTL, Logic.STL])
def test_the_two_readings_of_an_ambiguous_sentence_differ(logic: Logic) -> None:
    kinds = set()
    for item in islice(ambiguous(2, logic=logic), 40):
        assert equivalent(*item.readings).verdict is Verdict.DIFFERENT, item
        kinds.add(item.kind)
    assert len(kinds) >= 3
