"""What withholds a candidate whatever its score: facts about the instruction that nobody has read."""

from __future__ import annotations

import pytest

from assent.embedded.doubts import doubts
from assent.lift import lift
from assent.logic.parse import read
from assent.vocabulary import Entry, Vocabulary

NAMES = Vocabulary(
    propositions=(Entry("door_open", "door open"), Entry("alarm_on", "alarm on"), Entry("pump_on", "pump on"))
)
STRANGE = frozenset("unicorn dance laundry fold".split())


def found(text: str, formula: str, logic: str = "stl") -> tuple[str, ...]:
    return doubts(lift(text, logic, NAMES), read(formula, logic), STRANGE)


@pytest.mark.parametrize(
    ("text", "formula", "logic"),
    [
        (
            "Whenever the door is open, the alarm is on within 5 seconds.",
            "G(door_open -> F[0,5] alarm_on)",
            "stl",
        ),
        ("Always the alarm is on.", "G alarm_on", "ltl"),
        ("The pump is on until the door is open.", "pump_on U door_open", "ltl"),
    ],
)
def test_what_says_all_of_the_instruction_is_not_doubted(text: str, formula: str, logic: str) -> None:
    assert found(text, formula, logic) == ()


@pytest.mark.parametrize(
    ("text", "formula", "said"),
    [
        (
            "Whenever the door is open, the alarm is on within 5 seconds.",
            "G(door_open -> F alarm_on)",
            "number 5",
        ),
        ("Whenever the door is open, the alarm is on.", "G alarm_on", "leaves out door_open"),
        ("Always the door is open; it must dance.", "G door_open", "it must dance"),
        ("With probability the door is always open.", "G door_open", "'probability'"),
        ("Every other second the door is open.", "G door_open", "'every other'"),
        ("The door is never not open.", "G !door_open", "denied twice"),
        ("The door is open or the door is open.", "G(door_open -> door_open)", "always true"),
        ("The door is always open.", "G door_open & F !door_open", "never be true"),
    ],
)
def test_what_was_not_read_is_said(text: str, formula: str, said: str) -> None:
    assert any(said in doubt for doubt in found(text, formula)), found(text, formula)


def test_steps_of_ltl_are_counted_by_next() -> None:
    lifted = lift("In 3 steps prop_1 holds.", "ltl")
    assert not any("number" in doubt for doubt in doubts(lifted, read("X X X prop_1", "ltl"), ()))
    assert any("number" in doubt for doubt in doubts(lifted, read("F prop_1", "ltl"), ()))
