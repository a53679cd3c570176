"""Readings that were accepted wrongly: broken words, steps as seconds, half a window, a wish that lasts for ever."""

from __future__ import annotations

import pytest

from assent.logic.parse import read
from assent.scoring.plain import plain_doubts
from assent.scoring.wordings import steps_as_time
from assent.vocabulary import Entry, Vocabulary

NAMES = Vocabulary(
    propositions=(Entry("door_open"), Entry("pump_on"), Entry("alarm_on"), Entry("valve_open")), time_unit="s"
)
RIGHT = (
    ("Whenever the door is open, the alarm is on within 5 seconds.", "G(door_open -> F[0,5] alarm_on)"),
    ("The pump is never on while the door is open.", "G(door_open -> !pump_on)"),
    ("The valve is open until the alarm is on.", "valve_open U alarm_on"),
)


@pytest.mark.parametrize(("text", "formula"), RIGHT)
def test_a_mark_inside_a_word_is_a_doubt(text: str, formula: str) -> None:
    """Wherever it stands in a word that counts, with a space behind it, around it, or none."""
    tree = read(formula, "stl")
    assert plain_doubts(text, tree, (), NAMES) == ()
    for word in (
        "door",
        "alarm",
        "pump",
        "valve",
        "Whenever",
        "never",
        "within",
        "until",
        "while",
        "seconds",
    ):
        at = text.find(word)
        for inside in range(3 if word == "seconds" else 1, len(word)) if at >= 0 else ():
            for mark in (
                ", ",
                ",",
                "; ",
                ";",
                ": ",
                ". ",
                ".",
                "(",
                " ( ",
                "/",
                '"',
                ' "',
                "! ",
                "[",
                "|",
                ",, ",
            ):
                broken = text[: at + inside] + mark + text[at + inside :]
                assert plain_doubts(broken, tree, (), NAMES), broken


@pytest.mark.parametrize(
    "text",
    [
        "The pump and/or the valve is on, open or off/on within 5 seconds, e.g. at 3 p.m.",
        "Pump on, door open; valve open: all of it within 5 s, even then.",
        'The "pump" is on (door open), valve open.',
    ],
)
def test_marks_between_words_are_no_doubt(text: str) -> None:
    doubts = plain_doubts(text, read("F[0,5](pump_on & door_open & valve_open)", "stl"), (), NAMES)
    assert not [doubt for doubt in doubts if "mark inside" in doubt]


@pytest.mark.parametrize(
    "unit",
    [
        *"cycles steps ticks scans frames rounds samples iterations turns loops instants periods".split(),
        *("control cycles", "time steps", "clock ticks", "PLC scans", "full rounds", "more steps"),
    ],
)
@pytest.mark.parametrize(
    ("said", "value"), [("5", 5), ("five", 5), ("twenty-five", 25), ("12", 12), ("the next ten", 10)]
)
def test_steps_are_no_seconds(unit: str, said: str, value: int) -> None:
    tree = read(f"F[0,{value}] alarm_on", "stl")
    (doubt,) = plain_doubts(f"The alarm is on within {said} {unit}.", tree, (), NAMES)
    assert "say how long that is" in doubt
    steps = Vocabulary(propositions=NAMES.propositions, time_unit="steps")
    assert plain_doubts(f"The alarm is on within {said} {unit}.", tree, (), steps) == ()


LOWER = ("at least", "no sooner than", "not before", "no less than", "more than", "a minimum of")
UPPER = ("at most", "no later than", "not later than", "less than", "no more than", "a maximum of")


@pytest.mark.parametrize("joint", ["and", "but", ", but", "and then"])
@pytest.mark.parametrize(("ten", "thirty"), [("ten", "thirty"), ("10", "30"), ("10 s", "30")])
def test_two_ends_of_one_time(joint: str, ten: str, thirty: str) -> None:
    """In any order: the window is right, a comparison or half of it is a doubt."""
    for low in LOWER:
        for high in UPPER:
            for first, second in (
                (f"{low} {ten}", f"{high} {thirty}"),
                (f"{high} {thirty}", f"{low} {ten.split(maxsplit=1)[0]}"),
            ):
                text = f"The valve opens after {first} {joint} {second} seconds."
                for wrong in (
                    "G((speed <= 30) -> G[0,10] valve_open)",
                    "F[0,30](speed >= 10 & valve_open)",
                    "F[0,30] valve_open",
                    "G[0,10] valve_open",
                ):
                    assert plain_doubts(text, read(wrong, "stl"), (), NAMES), (text, wrong)
                assert plain_doubts(text, read("F[10,30] valve_open", "stl"), (), NAMES) == (), text
                denied = plain_doubts(text, read("F[10,30] !valve_open", "stl"), (), NAMES)
                assert bool(denied) == ("no" in text.replace("seconds", "")), text


@pytest.mark.parametrize(
    "text",
    ["Open the door.", "Please open the door!", "Robot, open the door", "Door open.", "Get the door open."],
)
def test_what_is_asked_for_once_is_not_for_ever(text: str) -> None:
    assert "for ever" in plain_doubts(text, read("G door_open", "ltl"), (), NAMES)[0]
    assert plain_doubts(text, read("F door_open", "ltl"), (), NAMES) == ()


@pytest.mark.parametrize(
    "text",
    [
        "Keep the door open.",
        "The door is open.",
        "The door stays open.",
        "Leave the door open.",
        "Door: open.",
    ],
)
def test_what_lasts_may_be_read_so(text: str) -> None:
    assert plain_doubts(text, read("G door_open", "ltl"), (), NAMES) == ()


def test_steps_in_hundreds_are_no_seconds() -> None:
    formula = read("G(door_open -> F[0,200] alarm_on)", "stl")
    assert list(steps_as_time("the alarm rings within two hundred cycles", formula, "s"))
    assert not list(steps_as_time("the alarm rings within two hundred seconds", formula, "s"))
