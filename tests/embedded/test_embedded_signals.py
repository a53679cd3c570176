"""Measured numbers and propositions are told apart: what is measured is compared, what is not holds or does not."""

from __future__ import annotations

import pytest

from assent.embedded.seq2seq import Hypothesis
from assent.embedded.tokens import SIGNALS, TokenVocabulary, untyped
from assent.embedded.translator import readable, source_of, uses
from assent.lift import lift
from assent.vocabulary import Entry
from assent.vocabulary import Vocabulary as Names

TRACK = Names(
    propositions=(
        Entry("train_on_crossing", "train on the crossing"),
        Entry("speed", "speed", type="number", unit="km/h"),
    )
)
TEXT = "With a train on the crossing, the speed shall not exceed 80 km/h."


def test_the_models_read_a_signal_by_a_sign_of_its_own() -> None:
    source = source_of(lift(TEXT, "stl", TRACK))
    assert "P1" in source and "S2" in source and "P2" not in source
    assert [untyped(token) for token in ("S2", "P1", "So", "O1", "S")] == ["P2", "P1", "So", "O1", "S"]


def test_older_weights_read_it_as_they_did() -> None:
    assert TokenVocabulary(("<unk>", "P2")).known("S2") == "P2"
    assert TokenVocabulary(("<unk>", *SIGNALS)).known("S2") == "S2"


@pytest.mark.parametrize(
    ("tokens", "fits"),
    [("G -> P1 <= P2 N1", True), ("G -> P2 <= P1 N1", False), ("G & P1 P2", False), ("G P1", True)],
)
def test_formulas_that_mistake_one_for_the_other_are_unreadable(tokens: str, fits: bool) -> None:
    found = readable(lift(TEXT, "stl", TRACK), Hypothesis(tuple(tokens.split()), -1.0))
    assert (found is not None) == fits


def test_names_without_a_type_may_be_either() -> None:
    plain = Names(propositions=(Entry("speed"), Entry("alarm")))
    lifted = lift("When the speed is over 5, the alarm is on.", "stl", plain)
    assert readable(lifted, Hypothesis(("G", "->", ">", "P1", "N1", "P2"), -1.0)) is not None


ROOM = Names(propositions=(Entry("heat", "temperature", type="number", unit="deg"), Entry("fan", "fan on")))


@pytest.mark.parametrize(
    ("text", "tokens", "fits"),
    [
        ("The temperature lies between 60 and 85 degrees.", "G & >= P1 N1 <= P1 N2", True),
        ("The temperature lies between 60 and 85 degrees.", "G[ N1 N2 >= P1 N2", False),
        ("Above 60 degrees the temperature must fall within 5 s.", "G -> > P1 N1 F[ 0 N2 <= P1 N1", True),
        ("Above 60 degrees the temperature must fall within 5 s.", "G -> > P1 N2 F[ 0 N1 <= P1 N1", False),
        ("Above 60 the temperature must fall within 5.", "G -> > P1 N2 F[ 0 N1 <= P1 N1", True),
        ("At 5 degrees the temperature falls for 5 s.", "G -> >= P1 N1 G[ 0 N1 < P1 N1", True),
    ],
)
def test_numbers_are_used_as_their_units_say(text: str, tokens: str, fits: bool) -> None:
    found = readable(lift(text, "stl", ROOM), Hypothesis(tuple(tokens.split()), -1.0))
    assert (found is not None) == fits


def test_uses_of_numbers_are_told_by_place() -> None:
    assert uses("G -> > P1 N1 + N2 F[ N3 N3 + N4 U[ 0 inf P2 P3".split()) == (
        {"N3", "N4", "0", "inf"},
        {"N1", "N2"},
    )


@pytest.mark.parametrize(
    ("tokens", "reads"),
    [
        ("U ! P1 P2", True),
        ("U ! P1 F P2", False),
        ("G -> P1 U P2 F P1", False),
        ("W ! P1 F P2", True),
        ("F & P1 U P1 & ! P1 U ! P1 F P1", True),  # visited twice
    ],
)
def test_an_until_that_says_nothing_of_its_first_half_is_no_reading(tokens: str, reads: bool) -> None:
    pump = Names(propositions=(Entry("pump_on", "pump on"), Entry("valve_open", "valve open")))
    lifted = lift("The pump is off until eventually the valve is open.", "ltl", pump)
    assert (readable(lifted, Hypothesis(tuple(tokens.split()), -1.0)) is not None) == reads
