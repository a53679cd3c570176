"""A verb that no name says withholds the formula; one that only says that it is so does not."""

from __future__ import annotations

import pytest

from assent.embedded import Embedded
from assent.embedded.acts import doubts_of_acts
from assent.embedded.scope import doubts_of_scope
from assent.logic.parse import read
from assent.vocabulary import Entry, Vocabulary

NAMES = Vocabulary(
    propositions=(
        Entry("hatch_open", "hatch open"),
        Entry("pump_on", "pump running"),
        Entry("leak_detected", "leak detected"),
        Entry("red_lamp", "red lamp lit"),
        Entry("bell_rung", "bell rung"),
        Entry("docked", "rover docked"),
        Entry("pressure", "pressure", type="number", unit="bar"),
    )
)


lift = Embedded().lift


def found(text: str, logic: str = "stl") -> tuple[str, ...]:
    return tuple(doubts_of_acts(lift(text, logic, NAMES)))


@pytest.mark.parametrize(
    ("text", "verb"),
    [
        ("An operator shall confirm the leak within 10 s.", "confirm"),
        ("A leak must be reported within 10 s.", "reported"),
        ("When the pump is on, somebody must check the hatch within 30 s.", "check"),
        ("When the pump is on, the hatch has to be inspected within 30 s.", "inspected"),
        ("If there is a leak, the pump must be photographed.", "photographed"),
        ("The pump must not run until the leak has been examined.", "examined"),
        ("The leak shall eventually be reviewed by a human being.", "reviewed"),
        ("The rover may only undock if the hatch is open.", "undock"),
    ],
)
def test_an_act_that_no_name_says_is_doubted(text: str, verb: str) -> None:
    assert any(repr(verb) in doubt for doubt in found(text))


@pytest.mark.parametrize(
    "text",
    [
        "The pump shall keep running while the hatch is open.",
        "A leak shall switch the pump off within 10 s.",
        "The panel must show the red lamp until the hatch is open.",
        "The pressure shall be below 5 bar within 10 s.",
        "The hatch must be kept open.",
        "The hatch shall be opened only with the pump off.",
        "When the bell has been rung, the hatch must be open within 5 s.",
        "The leak shall be answered by the red lamp within 2 s.",
        "The rover may only dock if the hatch is open.",
    ],
)
def test_a_verb_that_says_that_it_is_so_is_not(text: str) -> None:
    assert found(text) == ()


def test_a_word_of_the_name_is_no_act_beyond_it() -> None:
    names = Vocabulary(
        propositions=(Entry("leak_reported", "leak reported"), Entry("undocking", "undocking"))
    )
    for text in (
        "A leak must be reported within 10 s.",
        "The rover may only be undocking after a leak is reported.",
    ):
        assert tuple(doubts_of_acts(lift(text, "stl", names))) == ()


def test_if_ever_is_doubted_where_it_was_read_of_the_whole_run() -> None:
    whole, each = (
        read("(F leak_detected) -> (F !pump_on)", "ltl"),
        read("G(leak_detected -> F !pump_on)", "ltl"),
    )
    lifted = lift("If a leak is ever detected, the pump must eventually stop.", "ltl", NAMES)
    assert any("whole run" in doubt for doubt in doubts_of_scope(lifted, whole))
    assert not any("whole run" in doubt for doubt in doubts_of_scope(lifted, each))
    said = lift(
        "If a leak is ever detected, the pump stops at some time, be it earlier or later.", "ltl", NAMES
    )
    assert not any("whole run" in doubt for doubt in doubts_of_scope(said, whole))
