"""Words that say what may or must be are no part of a name: a limit that loses "inadmissible" says its opposite."""

from __future__ import annotations

import pytest

from assent.embedded import Embedded
from assent.embedded.doubts import doubts
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


def tokens(text: str, vocabulary: Vocabulary = KILN) -> str:
    return " ".join(MODELS.lift(text, "stl", vocabulary).tokens)


def with_names(*names: str) -> Vocabulary:
    more = tuple(Entry(name, name.replace("_", " ")) for name in names)
    return Vocabulary(propositions=(*KILN.propositions, *more))


@pytest.mark.parametrize("word", sorted(JUDGING - {"permitted"}))
def test_a_judgement_stays_in_the_sentence(word: str) -> None:
    assert word in tokens(f"A kiln temperature above 900 °C is {word} under any circumstances.").split()
    assert word in tokens(f"Operation of the exhaust fan with the door open is {word}.").split()
    if word != "barred":  # too like the name
        assert (
            word
            in tokens(f"Running the fan while the door is open is {word}.", with_names("bar_down")).split()
        )


@pytest.mark.parametrize("phrase", ["out of the question", "out of bounds", "off limits", "ruled out"])
def test_set_phrases_stay_whole(phrase: str) -> None:
    assert phrase in tokens(f"With the door open, a kiln temperature above 900 °C is {phrase}.")
    assert phrase in tokens(f"Operation of the exhaust fan with the door open is {phrase}.")


@pytest.mark.parametrize("word", ["blocked", "inhibited", "suspended", "disabled", "banned", "barred"])
def test_what_is_prevented_is_not_the_state_that_was_said(word: str) -> None:
    assert tokens(f"Running the fan while the door is open is {word}.") == f"P1 while P2 is {word} ."


def test_a_word_of_a_name_is_its_own() -> None:
    assert tokens("Access is permitted within 5 s.") == "P1 within N1 seconds ."
    named = with_names("line_off_limits", "ball_out_of_bounds")
    assert tokens("While the line is off-limits the fan is off.", named) == "while P1 not P2 ."
    assert tokens("While the ball is out of bounds the fan is off.", named) == "while P1 not P2 ."
    assert "tolerated" in tokens("A kiln out of tolerance is not tolerated.", with_names("in_tolerance"))


@pytest.mark.parametrize(
    ("text", "lifted"),
    [
        ("The gate is barred within 5 s.", "not P1 within N1 seconds ."),
        ("If the door is open then the gate is barred.", "if P1 then not P2 ."),
        ("When the gate is open the door must be barred.", "when P1 P2 must not ."),
        ("The door is open while the gate is barred.", "P1 while not P2 ."),
        ("An open door is closed within 5 s.", "not P1 within N1 seconds ."),
        ("A running exhaust fan is disabled within 5 s.", "not P1 within N1 seconds ."),
    ],
)
def test_states_of_others_judge_nothing(text: str, lifted: str) -> None:
    assert tokens(text).replace("be not", "not") == lifted


@pytest.mark.parametrize("word", ["inadmissible", "forbidden", "banned", "out of the question", "off limits"])
def test_a_forbidden_state_is_never_read_as_a_duty(word: str) -> None:
    reading = MODELS.translate(MODELS.lift(f"A kiln temperature above 900 °C is {word}.", "stl", KILN))
    assert reading is not None
    verdict = equivalent(reading.formula, read("G !(kiln_temp > 900)", "stl")).verdict
    assert verdict is Verdict.EQUAL


@pytest.mark.parametrize("word", ["permissible", "acceptable", "allowed", "tolerated"])
def test_leave_is_no_duty(word: str) -> None:
    assert MODELS.lift(f"A kiln temperature above 900 °C is {word}.", "stl", KILN).beyond
    assert not MODELS.lift(f"A kiln temperature above 900 °C is not {word}.", "stl", KILN).beyond
    only = f"A kiln temperature above 900 °C is {word} only with the exhaust fan running."
    assert not MODELS.lift(only, "stl", KILN).beyond


def test_a_judgement_that_the_models_do_not_know_is_doubted() -> None:
    lifted = MODELS.lift("A kiln temperature above 900 °C is forbidden.", "stl", KILN)
    formula = read("G !(kiln_temp > 900)", "stl")
    assert not doubts(lifted, formula, frozenset())
    assert any("forbidden" in doubt for doubt in doubts(lifted, formula, frozenset(["forbidden"])))
