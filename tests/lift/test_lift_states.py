"""States said by nouns, changes of state, denials inside a mention, and lists behind a colon."""

from __future__ import annotations

import pytest

from assent.lift import lift
from assent.vocabulary import Entry, Vocabulary

PLANT = Vocabulary(
    propositions=(
        Entry("fan_on", "cooling fan running"),
        Entry("rope_off", "rope off its wheel"),
        Entry("door_locked", "door locked"),
        Entry("feeding", "feed being dispensed"),
        Entry("brigade_called", "fire brigade called"),
        Entry("bell_ringing", "bell ringing"),
        Entry("seal_broken", "seal broken"),
        Entry("parcel_inside", "parcel inside the locker"),
    )
)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("the fan goes from off to on", "P1 from not P1 to P1"),
        ("the fan has gone from running to stopped", "P1 from P1 to not P1"),
        ("the robot shall dispense no feed", "the robot shall not P1"),
        ("no call to the fire brigade shall be placed", "no P1 shall be placed"),
        ("not before the bell has begun to ring", "not before P1"),
        ("the fan has to run", "P1 has to"),
        ("release of the door", "not P1"),
        ("removal of the parcel", "not P1"),
        ("the seal is intact", "not P1"),
        ("operation of the fan is forbidden", "P1 is forbidden"),
        ("it shall do the following: lock the door and ring the bell", "it shall P1 and P2"),
    ],
)
def test_states_and_what_is_left_of_the_clause(text: str, tokens: str) -> None:
    assert " ".join(lift(text, "ltl", PLANT).tokens) == tokens


def test_a_preposition_that_opens_a_clause_denies_nothing() -> None:
    assert "not" not in lift("on detection of the rope off its wheel, the bell rings", "ltl", PLANT).tokens
