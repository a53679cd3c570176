"""States and doings in the words that people use for them, and what is asked where the words leave it open."""

from __future__ import annotations

import pytest

from assent.lift import lift
from assent.lift.entries import known_entries
from assent.lift.linker import Mention
from assent.lift.questions import questions
from assent.lift.words import split
from assent.vocabulary import Entry, Vocabulary

SITE = Vocabulary(
    propositions=(
        Entry("hands_in", "hands in the gloves"),
        Entry("lamp_on", "lamp on"),
        Entry("patient_inside", "patient inside"),
        Entry("nurse_inside", "nurse inside"),
        Entry("fire_alarm", "fire alarm"),
        Entry("link_lost", "radio link lost"),
        Entry("gps_ok", "GPS fix available"),
        Entry("cip_active", "cleaning cycle active"),
        Entry("cal_done", "calibration done"),
        Entry("compressing", "compression running"),
        Entry("span_locked", "span locks engaged"),
        Entry("tank_full", "tank full"),
    ),
    time_unit="s",
)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("hands out of the gloves while the lamp is on", "not P1 while P2"),
        ("hands in the gloves while the lamp is on", "P1 while P2"),
        ("the patient and the nurse are never both inside", "P1 and P2 never both"),
        ("when the fire alarm goes off with the patient inside, the lamp is on", "when P1 with P2 , P3"),
        ("if the radio link is available, the lamp is on", "if not P1 , P2"),
        ("if the radio link is not available, the lamp is on", "if P1 , P2"),
        ("the lamp stays off during cleaning", "P1 stays not during P2"),
        ("during compression the lamp is on", "during P1 P2"),
        ("the lamp starts out on", "P1 is initially"),
        ("the lamp starts out off", "P1 is initially not"),
    ],
)
def test_states_in_other_words(text: str, tokens: str) -> None:
    assert " ".join(lift(text, "ltl", SITE).tokens) == tokens


def test_out_of_is_said_of_all_in_a_list() -> None:
    tokens = lift("if the patient and the nurse are out of the chamber, the lamp is on", "ltl", SITE).tokens
    assert tokens[:5] == ("if", "not", "P1", "and", "not")


def test_neither_of_two_with_one_denied() -> None:
    text = "if neither the GPS fix nor the radio link has been available for 12 s, the lamp is on"
    assert " ".join(lift(text, "stl", SITE).tokens) == "if not P1 and P2 for N1 seconds , P3"


def test_a_full_minute_fills_no_tank() -> None:
    lifted = lift("the lamp is on for a full minute", "stl", SITE)
    assert set(lifted.names.values()) == {"lamp_on"}


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("The lamp stays off during calibration.", "which may be when it is over"),
        ("The lamp stays off during cleaning.", ""),
        ("The lamp is never on before the locks are out.", "may mean that span_locked is so"),
        ("The lamp is never on before the locks are engaged.", ""),
        ("When the fire alarm goes off, the lamp is on.", ""),
    ],
)
def test_what_stays_open_is_asked(text: str, asked: str) -> None:
    found = lift(text, "ltl", SITE).open
    assert any(asked in question for question in found) if asked else found == ()


def test_a_name_by_its_meaning_alone_is_asked_for() -> None:
    (known,) = known_entries((Entry("exposing", "camera exposing"),))
    gate, *_ = known_entries((Entry("gate_open", "gate open"),))
    words = split("when the gate is open go to a safe state", frozenset())
    found = questions(words, [Mention(gate, (2, 4)), Mention(known, (8,))], None)
    assert found == ("'safe' was taken for exposing by its meaning alone: say it by its name",)
