"""A state that is said of somebody without a name, pauses that are none, signals at stop."""

from __future__ import annotations

import pytest

from assent.embedded import Embedded
from assent.lift import lift
from assent.vocabulary import Entry, Vocabulary

PLANT = Vocabulary(
    propositions=(
        Entry("fault", "fault active"),
        Entry("dome_open", "dome open"),
        Entry("fan_on", "exhaust fan running"),
        Entry("signal_clear", "rail signal at proceed (green)"),
    )
)


ROBOT = Vocabulary(
    propositions=(
        *PLANT.propositions,
        Entry("carrying", "carrying a tote"),
        Entry("docked", "docked"),
        Entry("charging", "charging"),
        Entry("horn_on", "horn on"),
        Entry("path_blocked", "path blocked"),
    )
)


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("When the fault is active, the robot shall stop within 2 s.", True),
        ("When a fault is active, the vehicle shall halt within 2 s.", True),
        ("When the fault is active, the dome shall be shut within 2 s.", False),
        ("When the fault is active, the exhaust fan shall stop within 2 s.", False),
        ("When the exhaust fan is running, it shall stop within 20 s.", False),
    ],
)
def test_a_state_of_somebody_without_a_name_is_asked_for(text: str, asked: bool) -> None:
    found = [
        question for question in Embedded().lift(text, "stl", ROBOT).open if "no name speaks of" in question
    ]
    assert bool(found) == asked


@pytest.mark.parametrize("pause", ["a pause", "a break", "any interruption", "stopping"])
def test_without_a_pause_is_no_denial(pause: str) -> None:
    lifted = lift(
        f"When the fault is active, the exhaust fan shall run without {pause} for 20 s.", "stl", PLANT
    )
    assert "not" not in lifted.tokens


@pytest.mark.parametrize(
    "text", ["the rail signal shall be at stop", "the rail signal shall be held at stop"]
)
def test_a_signal_at_stop_is_not_clear(text: str) -> None:
    lifted = lift(f"When the fault is active, {text}.", "ltl", PLANT)
    assert "not" in lifted.tokens
