"""Names that differ in an index or in who bears them: the predicate chooses, the index holds."""

from __future__ import annotations

import pytest

from assent.lift import lift
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
