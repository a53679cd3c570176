"""Longest times and other cases that were taken for something else are doubts; right readings near by are not."""

from __future__ import annotations

import pytest

from assent.embedded import Embedded
from assent.logic.parse import read
from assent.vocabulary import Entry, Vocabulary

CART = Vocabulary(
    propositions=(
        Entry("brake_on", "brake on"),
        Entry("assist_on", "motor assist on"),
        Entry("lamp_on", "lamp on"),
        Entry("horn_on", "horn on"),
        Entry("speed", "speed", type="number", unit="km/h"),
    )
)
WRONG = [
    (
        "When the brake is on, the motor assist shall be off for at most 4 s.",
        "G(brake_on -> F[0,4] !assist_on)",
    ),
    (
        "When the brake is on, the motor assist shall be off for at most 4 s.",
        "G(brake_on -> G[0,4] !assist_on)",
    ),
    ("After the brake has been on, the lamp is on for 6 minutes or less.", "G(brake_on -> G[0,360] lamp_on)"),
    (
        "When the brake is on, the horn shall not sound for no longer than 9 s.",
        "G(brake_on -> F[0,9] !horn_on)",
    ),
    ("If the brake is on, the lamp is on; otherwise the horn is on.", "G(brake_on -> (lamp_on & horn_on))"),
    ("Brake on: the lamp is on. Anything else: the horn is on.", "G(brake_on -> lamp_on)"),
    ("There shall be a lamp on, failing that a horn on.", "G(lamp_on & horn_on)"),
    (
        "While the lamp is on, the speed lies strictly between 5 and 9 km/h.",
        "G(lamp_on -> (speed >= 5 & speed <= 9))",
    ),
    (
        "The lamp must not be on all through the 30 s after the brake is on.",
        "G(brake_on -> G[0,30] !lamp_on)",
    ),
]
RIGHT = [
    (
        "When the brake is on, the motor assist shall be off for at most 4 s.",
        "G(brake_on -> F[0,4] assist_on)",
    ),
    (
        "After the brake has been on, the lamp is on for 6 minutes or less.",
        "G(brake_on -> F[0,360] !lamp_on)",
    ),
    ("The lamp must never be on for more than 6 s.", "G !(G[0,6] lamp_on)"),
    ("When the brake is on, the lamp is on within 4 s at most.", "G(brake_on -> F[0,4] lamp_on)"),
    ("When the brake is on, the lamp is on for at least 4 s.", "G(brake_on -> G[0,4] lamp_on)"),
    (
        "If the brake is on, the lamp is on; otherwise the horn is on.",
        "G((brake_on -> lamp_on) & (!brake_on -> horn_on))",
    ),
    (
        "If the speed is over 9 km/h, the lamp is on; otherwise the horn is on.",
        "G((speed > 9 -> lamp_on) & (speed <= 9 -> horn_on))",
    ),
    ("There shall be a lamp on, failing that a horn on.", "G(lamp_on | horn_on)"),
    ("While the lamp is on, the speed lies between 5 and 9 km/h.", "G(lamp_on -> (speed >= 5 & speed <= 9))"),
]


@pytest.mark.parametrize(("text", "formula"), WRONG)
def test_a_longest_time_or_another_case_is_not_lost(models: Embedded, text: str, formula: str) -> None:
    assert models.doubts(models.lift(text, "stl", CART), read(formula, "stl"))


@pytest.mark.parametrize(("text", "formula"), RIGHT)
def test_right_readings_near_by_are_not_doubted(models: Embedded, text: str, formula: str) -> None:
    assert models.doubts(models.lift(text, "stl", CART), read(formula, "stl")) == ()
