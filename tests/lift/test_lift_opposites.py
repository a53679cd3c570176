"""Opposites that do not say the name's own word, and words that only look like a denial."""

from __future__ import annotations

import pytest

from assent.lift import lift
from assent.vocabulary import Entry, Vocabulary

NAMES = Vocabulary(
    propositions=(
        Entry("cow_in_box", "cow in the box"),
        Entry("lid_locked", "lid locked"),
        Entry("tank_empty", "tank empty"),
        Entry("cover_open", "cover open"),
        Entry("fan_on", "fan running"),
        Entry("alarm_on", "alarm sounding"),
        Entry("link_lost", "link lost"),
        Entry("car_at_exit", "car at the exit"),
    ),
    time_unit="s",
)


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("the box is empty", True),
        ("the cow has left the box", True),
        ("the lid is unlocked", True),
        ("the lid stays locked", False),
        ("the tank has been refilled", True),
        ("the cover's off", False),
        ("the fan is still running", False),
        ("the fan stands still", True),
        ("the fan comes to rest", True),
        ("hold the fan back", True),
        ("the alarm goes off", False),
        ("the alarm is off", True),
        ("the link is gone", False),
        ("the link is back", True),
        ("a car stops at the exit", False),
    ],
)
def test_a_state_in_other_words_is_denied_or_not(text: str, denied: bool) -> None:
    lifted = lift(text, "ltl", NAMES)
    assert len(lifted.names) == 1, lifted
    assert ("not" in lifted.tokens) == denied, lifted.tokens
