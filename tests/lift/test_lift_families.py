"""Names that differ in an index or in who bears them: the predicate chooses, the index holds."""

from __future__ import annotations

import pytest

from assent.lift import lift
from assent.lift.entries import known_entries
from assent.lift.groups import both_again
from assent.lift.linker import Mention
from assent.lift.words import split
from assent.vocabulary import Entry, Vocabulary


def vocabulary(entries: dict[str, str]) -> Vocabulary:
    return Vocabulary(propositions=tuple(Entry(name, phrase) for name, phrase in entries.items()))


def said(text: str, names: Vocabulary) -> str:
    """The tokens with the names in their places."""
    lifted = lift(text, "ltl", names)
    return " ".join(lifted.names.get(token, token) for token in lifted.tokens)


MUTEX = vocabulary(
    {
        "try0": "process 0 is trying",
        "try1": "process 1 is trying",
        "crit0": "process 0 is in the critical section",
        "crit1": "process 1 is in the critical section",
    }
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("processes 0 and 1 are never in the critical section", "crit0 and crit1 never"),
        ("process 0 and process 1 are in the critical section", "crit0 and crit1"),
        ("if process 1 is trying, it is in the critical section", "if try1 , it is in crit1"),
        ("process 1 is in the critical section only if process 0 is not", "crit1 only if not crit0"),
        ("process 0 tries until process 1 is in the critical section", "try0 until crit1"),
        ("process one leaves the critical section", "not crit1"),
        ("process 0 is trying and in the critical section", "try0 and in crit0"),
    ],
)
def test_the_predicate_chooses_and_the_index_holds(text: str, expected: str) -> None:
    assert said(text, MUTEX) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("neither process is trying", "neither try0 nor try1"),
        ("both processes are trying", "both try0 and try1"),
        ("no process is trying", "neither try0 nor try1"),
        ("some process is trying", "some try0 or try1"),
        ("at most one process is in the critical section", "at most one of crit0 and crit1"),
        (
            "both processes are trying and neither is in the critical section",
            "both try0 and try1 and neither crit0 nor crit1",
        ),
        (
            "if both processes are trying, one of them is in the critical section",
            "if both try0 and try1 , one of crit0 and crit1",
        ),
    ],
)
def test_all_of_a_family(text: str, expected: str) -> None:
    assert said(text, MUTEX) == expected


def test_what_is_said_likewise_of_another_is_asked_where_two_things_were_said() -> None:
    lifted = lift(
        "process 0 is not in the critical section unless it tries, and likewise process 1", "ltl", MUTEX
    )
    assert any("crit1" in question and "try1" in question for question in lifted.open)


LIFT = vocabulary(
    {
        "floor1": "lift at floor 1",
        "floor2": "lift at floor 2",
        "floor3": "lift at floor 3",
        "call1": "call button of floor 1 pressed",
        "call2": "call button of floor 2 pressed",
        "call3": "call button of floor 3 pressed",
        "door_open": "lift door open",
    }
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the lift is at the second floor", "floor2"),
        ("the lift is at the first or the second floor", "the lift is at floor1 or floor2"),
        ("the lift is at floor 1, 2 or 3", "the lift is at floor1 , floor2 or floor3"),
        ("there is a call from floor 3", "there is call3"),
        ("the call button of floor 2 is pressed", "call2"),
    ],
)
def test_places_that_are_counted(text: str, expected: str) -> None:
    assert said(text, LIFT) == expected


PUMPS = vocabulary({"pump_1_on": "pump 1 running", "pump_2_on": "pump 2 running", "valve_open": "valve open"})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("pumps 1 and 2 shall never run together", "pump_1_on and pump_2_on shall never together"),
        ("when pump 2 is off, so is pump 1", "when not pump_2_on , so is not pump_1_on"),
        ("open the valve 2 steps after pump 1 starts", "valve_open # steps after pump_1_on"),
        ("pump 1 or 2 seconds later the valve", "pump_1_on or # seconds later valve_open"),
    ],
)
def test_labels_and_numbers(text: str, expected: str) -> None:
    lifted = lift(text, "stl", PUMPS)
    tokens = (lifted.names.get(token, "#" if token in lifted.numbers else token) for token in lifted.tokens)
    assert " ".join(tokens) == expected


HOUSE = vocabulary(
    {
        "bert_talking": "Bert on the phone",
        "cleo_talking": "Cleo on the phone",
        "bert_queuing": "Bert in the queue",
        "cleo_queuing": "Cleo in the queue",
        "phone_rings": "telephone rings",
    }
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("if Bert is in the queue, he gets the phone", "if bert_queuing , he gets bert_talking"),
        ("Bert and Cleo are never both in the queue", "bert_queuing and cleo_queuing never both"),
        ("Cleo is in the queue only when Bert isn't", "cleo_queuing only when not bert_queuing"),
    ],
)
def test_bearers_with_names_of_their_own(text: str, expected: str) -> None:
    assert said(text, HOUSE) == expected


ROBOTS = vocabulary(
    {
        "robot_1_driving": "robot 1 driving",
        "robot_2_driving": "robot 2 driving",
        "robot_1_brush_on": "brush of robot 1 on",
        "robot_2_brush_on": "brush of robot 2 on",
        "horn_on": "horn on",
    }
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "the second robot's brush is on only if that robot is driving",
            "robot_2_brush_on only if robot_2_driving",
        ),
        (
            "the second robot's brush is on only if the other robot is driving",
            "robot_2_brush_on only if robot_1_driving",
        ),
        (
            "if robot 1 is driving, the other one is not driving",
            "if robot_1_driving , not robot_2_driving",
        ),
        (
            "the second robot is driving while the first is not",
            "robot_2_driving while not robot_1_driving",
        ),
        # where two were named before, and of other things, nothing is told
        (
            "the first robot is driving and the other horn is on",
            "robot_1_driving and the other horn_on",
        ),
        (
            "the horn is on the first time the second robot is driving",
            "horn_on the first time robot_2_driving",
        ),
    ],
)
def test_one_that_is_told_from_another(text: str, expected: str) -> None:
    assert said(text, ROBOTS) == expected


def test_the_other_of_two_that_were_both_named_is_not_guessed() -> None:
    text = "if robot 1 and robot 2 are driving, the other one is not driving"
    assert "the other one" in said(text, ROBOTS)


THREE = vocabulary({f"pump{k}_on": f"pump {k} on" for k in (1, 2, 3)})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "the third pump is on only while the first or the second is",
            "pump3_on only while pump1_on or pump2_on",
        ),
        ("if pump 1 is on, the other one is off", "if pump1_on , the other one is off"),  # which of two?
    ],
)
def test_ordinals_without_their_noun(text: str, expected: str) -> None:
    assert said(text, THREE) == expected


FANS = vocabulary(
    {"fan_a": "fan A running", "fan_b": "fan B running", "req_a": "A requests", "req_b": "B requests"}
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("neither fan shall run", "neither fan_a nor fan_b shall"),
        ("both fans shall run", "both fan_a and fan_b shall"),
        ("at least one of the two fans is on", "at least one of the two fan_a and fan_b"),
        ("no fan is running", "neither fan_a nor fan_b"),
        ("fan A is running", "fan_a"),
        ("fan B is off", "not fan_b"),
    ],
)
def test_all_of_those_told_apart_by_letters(text: str, expected: str) -> None:
    assert said(text, FANS) == expected


def test_a_letter_that_is_said_tells_which_is_meant() -> None:
    assert "req_a and req_b" not in said("if A requests over and over, fan A is running", FANS)


DOORS = vocabulary(
    {"left_door_open": "left door open", "right_door_open": "right door open", "lamp_on": "lamp on"}
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("no door is open while the lamp is on", "neither left_door_open nor right_door_open while lamp_on"),
        ("no door is shut while the lamp is on", "left_door_open and right_door_open while lamp_on"),
        ("the left door is not open", "not left_door_open"),
    ],
)
def test_no_one_of_several_is_neither(text: str, expected: str) -> None:
    assert said(text, DOORS) == expected


def asked(text: str, names: Vocabulary) -> bool:
    """Whether it is asked for the other one of two."""
    return any("speaks of two" in question for question in lift(text, "ltl", names).open)


def test_a_verb_before_both_of_a_group() -> None:
    assert "not fan_a and not fan_b" in said("the system shall have stopped both fans by now", FANS)


MAIN = vocabulary({"backup_up": "backup machine up", "lamp_on": "lamp on", "alert": "alert"})


@pytest.mark.parametrize(
    ("text", "doubted"),
    [
        ("both machines are dead", True),
        ("neither machine is up", True),
        ("both the lamp and the machine are up", False),
        ("neither the machine nor the lamp is up", False),
        ("the lamp and the alert are both on", False),
        ("the machine is up", False),
    ],
)
def test_both_of_what_only_one_was_found_of_is_asked(text: str, doubted: bool) -> None:
    assert asked(text, MAIN) == doubted


def test_both_of_a_whole_group_is_no_question() -> None:
    assert not asked("both fans are running", FANS)
    assert not asked("neither door is open", DOORS)


AGAIN = vocabulary({"door_open": "door open", "hatch_open": "hatch open", "lamp_on": "lamp on"})


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("open the door and the hatch, then keep both open", ["door_open", "hatch_open"]),
        ("open the door and the hatch, then keep both shut", ["door_open", "hatch_open"]),
        ("open the lamp, the door and the hatch, then keep both open", []),  # which two of the three?
        ("open the door, then keep both open", []),
        ("open the door and light the lamp, then keep both open", []),  # a lamp is never open
    ],
)
def test_both_behind_two_that_were_named(text: str, names: list[str]) -> None:
    words = split(text)
    door, hatch, lamp = known_entries(AGAIN.propositions)
    said = {"door": door, "hatch": hatch, "lamp": lamp}
    mentions = [Mention(said[w.text], (i,)) for i, w in enumerate(words) if w.text in said]
    again = Mention(hatch, (len(words) - 1,))
    *_, last = both_again(words, [*mentions, again], (door, hatch, lamp))
    assert [known.entry.name for known in last.group] == names
