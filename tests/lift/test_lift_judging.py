"""Words that say what may or must be are no part of a name: a limit that loses "inadmissible" says its opposite."""

from __future__ import annotations

import pytest

from assent.embedded import Embedded
from assent.lift.idioms import JUDGING
from assent.logic.equivalence import Verdict, equivalent
from assent.logic.parse import read
from assent.vocabulary import Entry, Vocabulary

KILN = Vocabulary(
    propositions=(
        Entry("kiln_temp", "kiln temperature", type="number", unit="degC"),
        Entry("door_open", "door open"),
        Entry("fan_on", "exhaust fan running"),
        Entry("gate_open", "gate open"),
        Entry("access_permitted", "access permitted"),
    )
)
MODELS = Embedded()


def tokens(text: str) -> str:
    return " ".join(MODELS.lift(text, "stl", KILN).tokens)


@pytest.mark.parametrize("word", sorted(JUDGING - {"permitted", "barred"}))
def test_a_judgement_stays_in_the_sentence(word: str) -> None:
    assert word in tokens(f"A kiln temperature above 900 °C is {word} under any circumstances.").split()
    assert word in tokens(f"Operation of the exhaust fan with the door open is {word}.").split()


@pytest.mark.parametrize("phrase", ["out of the question", "out of bounds", "off limits"])
def test_set_phrases_stay_whole(phrase: str) -> None:
    assert phrase in tokens(f"With the door open, a kiln temperature above 900 °C is {phrase}.")


def test_a_word_of_a_name_is_its_own() -> None:
    assert tokens("Access is permitted within 5 s.") == "P1 within N1 seconds ."


def test_a_gate_that_is_barred_is_shut_but_a_figure_that_is_barred_is_forbidden() -> None:
    assert "barred" not in tokens("The gate is barred within 5 s.").split()
    assert "barred" in tokens("A kiln temperature above 900 °C is barred.").split()


@pytest.mark.parametrize("word", ["inadmissible", "forbidden", "out of the question", "off limits"])
def test_a_forbidden_state_is_never_read_as_a_duty(word: str) -> None:
    reading = MODELS.translate(MODELS.lift(f"A kiln temperature above 900 °C is {word}.", "stl", KILN))
    assert reading is not None
    verdict = equivalent(reading.formula, read("G !(kiln_temp > 900)", "stl")).verdict
    assert verdict is Verdict.EQUAL
