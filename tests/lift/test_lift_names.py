"""Which words name what: states and their opposites, shared words, clauses and things outside the vocabulary."""

from __future__ import annotations

from fractions import Fraction

import pytest

from assent.embedded.embedder import Embedder, Guess
from assent.errors import FragmentError
from assent.lift import lift, linkings
from assent.lift.stems import shortens
from assent.logic.ast import Always, Compare, Constant, Signal
from assent.scoring.plain import plain_doubts
from assent.vocabulary import Entry, Vocabulary

MACHINE = Vocabulary(
    propositions=(
        Entry("link_up"),
        Entry("spraying"),
        Entry("heater_on"),
        Entry("drain_pump_on"),
        Entry("cycle_done"),
        Entry("safe_mode"),
        Entry("ticket_inserted"),
        Entry("ticket_kept"),
        Entry("out_of_order"),
        Entry("operator_ack"),
        Entry("firing"),
        Entry("leak", says="water leak"),
        Entry("water_temp", says="water temperature", type="number", unit="degrees"),
        Entry("water_level", says="water level", type="number", unit="cm"),
    ),
)
ROOM = Vocabulary(
    objects=(Entry("left_screw"), Entry("red_box"), Entry("arm")),
    regions=(Entry("conveyor"), Entry("inspection_area")),
)


def said(text: str) -> tuple[str, dict[str, str]]:
    lifted = lift(text, "stl", MACHINE)
    return " ".join(lifted.tokens), dict(lifted.names)


@pytest.mark.parametrize(
    ("text", "tokens", "names"),
    [
        ("whenever the link is lost", "whenever not P1", ["link_up"]),
        ("stop spraying within 5 s", "not P1 within N1 seconds", ["spraying"]),
        ("spraying must cease", "P1 must not", ["spraying"]),
        ("after each loss of the link", "after each not P1", ["link_up"]),
        ("it has left safe mode", "not P1", ["safe_mode"]),
        ("the heater stays cold", "P1 stays not", ["heater_on"]),
        ("the heater ends up on for good", "P1 ends up for good", ["heater_on"]),
        ("nothing leaking", "not P1", ["leak"]),
        ("the machine is out of order", "the machine is P1", ["out_of_order"]),
        ("the operator must acknowledge", "P1 must", ["operator_ack"]),
        ("from that point on the heater is on", "from that point on P1", ["heater_on"]),
        ("the heater on with the pump draining", "P1 with P2", ["heater_on", "drain_pump_on"]),
        ("in the first minute the heater is on", "in the first N1 seconds P1", ["heater_on"]),
        ("the link is up each time it goes down", "P1 each time not P1", ["link_up"]),
        ("the water reaches 60 degrees", "P1 reaches N1 degrees", ["water_temp"]),
        ("the water stays under 5 cm", "P1 stays under N1 cm", ["water_level"]),
        ("the ticket is inserted", "P1", ["ticket_inserted"]),
    ],
)
def test_states_and_their_opposites(text: str, tokens: str, names: list[str]) -> None:
    assert said(text) == (tokens, {f"P{i}": name for i, name in enumerate(names, 1)})


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("the cycle ends", ["cycle_done"]),
        ("upon a leak the drain pump runs", ["leak", "drain_pump_on"]),
        ("the heater keeps running", ["heater_on"]),
    ],
)
def test_verbs_that_say_a_state_deny_nothing(text: str, names: list[str]) -> None:
    tokens, found = said(text)
    assert list(found.values()) == names
    assert "not" not in tokens.split()


@pytest.mark.parametrize("text", ["the ticket is swallowed", "never eat the ticket", "the water is over 65"])
def test_what_two_entries_share_means_neither(text: str) -> None:
    assert any("may mean" in question for question in lift(text, "stl", MACHINE).open)


@pytest.mark.parametrize(
    "text",
    [
        "if someone fiddles with it, the heater must be off",
        "the link is up until the boss shows up",
    ],
)
def test_a_condition_about_something_else_is_doubted(text: str) -> None:
    assert lift(text, "stl", MACHINE).unnamed


@pytest.mark.parametrize(
    ("text", "clause"),
    [
        ("whenever the link is up, we should be sending", "we should be sending"),
        ("the heater is on and the parrot sings", "the parrot sings"),
        ("neither may the imager be on nor may the heater be on", "neither may the imager be on"),
    ],
)
def test_a_clause_about_something_else_is_remembered(text: str, clause: str) -> None:
    assert lift(text, "stl", MACHINE).unnamed == (clause,)


@pytest.mark.parametrize(
    "text",
    [
        "the link is up until the heater is on, which must happen within 5 seconds",
        "starting now, the heater is on; in addition, the link is up for good",
        "sooner or later there must come a time at which the heater is on",
    ],
)
def test_clauses_about_time_are_neither(text: str) -> None:
    assert lift(text, "stl", MACHINE).unnamed == ()
    assert said(text)[1] in (
        {"P1": "link_up", "P2": "heater_on"},
        {"P1": "heater_on", "P2": "link_up"},
        {"P1": "heater_on"},
    )


def things(text: str) -> list[str]:
    return list(lift(text, "spatial", ROOM).names.values())


def test_a_relation_is_not_part_of_a_name() -> None:
    assert things("keep the arm left of the red box") == ["arm", "red_box"]
    assert things("the left screw is in the conveyor area") == ["left_screw", "conveyor"]
    assert things("the box is near the arm") == ["red_box", "arm"]


@pytest.mark.parametrize("text", ["keep the hammer near the arm", "keep the green box near the arm"])
def test_a_thing_outside_the_vocabulary_is_doubted(text: str) -> None:
    assert lift(text, "spatial", ROOM).unnamed


ROAD = Vocabulary(
    propositions=(
        Entry("speed", type="number", unit="m/s"),
        Entry("gap", type="number", unit="m"),
        Entry("count", type="number"),
        Entry("braking"),
    )
)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("the speed stays under 72 km/h", [20]),
        ("the speed stays under 72 kilometres per hour", [20]),
        ("the speed stays under 5 m/s for 2 minutes", [5, 120]),
        ("whenever the gap is below 30 cm, the speed drops below 3 m/s", [Fraction(3, 10), 3]),
        ("the gap is over 2 metres within 5 s", [2, 5]),
        ("the gap stays over 10 feet", [Fraction("3.048")]),
        ("the count stays over 3 volts", [3]),
        ("the gap stays over 4", [4]),
    ],
)
def test_figures_are_brought_to_the_unit_of_their_signal(text: str, values: list[Fraction]) -> None:
    assert list(lift(text, "stl", ROAD).numbers.values()) == values


BOILER = Vocabulary(
    propositions=(
        Entry("water_temperature", type="number", unit="\u00b0C"),
        Entry("pressure", type="number", unit="bar"),
    )
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("the pressure stays below 300 kPa", Fraction(3)),
        ("the pressure stays below 0.3 MPa", Fraction(3)),
        ("the pressure stays below 45 psi", Fraction("3.1026407819256")),
        ("the pressure stays below 2 atm", Fraction("2.0265")),
    ],
)
def test_a_pressure_is_said_in_many_units(text: str, value: Fraction) -> None:
    lifted = lift(text, "stl", BOILER)
    assert list(lifted.numbers.values()) == [value]
    assert not plain_doubts(text, Always(Compare(Signal("pressure"), "<", Constant(value))))


@pytest.mark.parametrize("unit", ["K", "kelvin", "\u00b0F", "psi", "ppm", "dB"])
def test_a_figure_of_another_kind_is_never_a_value_of_the_signal(unit: str) -> None:
    text = f"the water temperature stays below 300 {unit}"
    try:
        lifted = lift(text, "stl", BOILER)
    except FragmentError:
        return
    assert "water_temperature" not in lifted.names.values()


@pytest.mark.parametrize("text", ["the speed stays below 30 km/h", "the water stays below 90 \u00b0C"])
def test_a_letter_of_a_unit_is_no_name(text: str) -> None:
    assert not {"c", "h"} & set(lift(text, "stl").names.values())


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("keep the arm at least 15 cm from the red box", [Fraction(3, 20)]),
        ("keep the arm no closer than 20 mm to the red box for 10 s", [Fraction(1, 50), 10]),
        ("the arm is between 10 and 30 centimetres from the box", [Fraction(1, 10), Fraction(3, 10)]),
        ("the arm is within 0.5 m of the red box", [Fraction(1, 2)]),
        ("the arm is within 2 of the red box", [2]),
    ],
)
def test_distances_of_a_scene_are_metres(text: str, values: list[Fraction]) -> None:
    assert list(lift(text, "spatial", ROOM).numbers.values()) == values


@pytest.mark.parametrize(
    "text", ["the speed stays under 3 volts", "the gap is over 5 km/h", "the gap is 3 kg"]
)
def test_a_figure_in_a_unit_of_something_else_is_refused(text: str) -> None:
    with pytest.raises(FragmentError, match="is measured in"):
        lift(text, "stl", ROAD)


@pytest.mark.parametrize("said_as", ["diversion", "diversions"])
def test_a_noun_of_the_verb_is_a_word_of_the_name(said_as: str) -> None:
    room = Vocabulary(
        propositions=(Entry("divert", "milk diverted to the can"), Entry("rinse_on", "rinsing"))
    )
    lifted = lift(f"no {said_as} of the milk during a rinse", "ltl", room)
    assert dict(lifted.names) == {"P1": "divert", "P2": "rinse_on"}


def test_who_bears_a_name_is_no_mention_of_it() -> None:
    lawn = Vocabulary(
        propositions=(
            Entry("driving", "mower driving"),
            Entry("docked", "in the charging station"),
            Entry("rain"),
        )
    )
    ends_up = lift("whenever it rains, the mower ends up in its station", "ltl", lawn)
    assert set(ends_up.names.values()) == {"rain", "docked"}
    drives = lift("whenever it rains, the mower drives", "ltl", lawn)
    assert set(drives.names.values()) == {"rain", "driving"}


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("a holds until b holds", "P1 holds until P2 holds"),
        ("Every a is followed by a b.", "every P1 is followed by P2 ."),
        ("a becomes true after a process has ended", "P1 becomes true after a process has ended"),
        ("There is a state with b, and an a", "there is a state with P1 , and P2"),
        ("a never holds at two consecutive positions", "P1 never holds at two consecutive positions"),
    ],
)
def test_a_letter_of_the_vocabulary_is_a_name_and_a_before_a_noun_an_article(text: str, tokens: str) -> None:
    letters = Vocabulary(propositions=tuple(Entry(name) for name in "abcq"))
    for guess in (None, Guess(Embedder())):
        assert " ".join(linkings(text, "ltl", letters, guess, 1)[0].tokens) == tokens


@pytest.mark.parametrize(
    ("short", "text", "is_short"),
    [
        *((short, text, True) for short, text in (("pmp", "pump"), ("vlv", "valve"), ("clsd", "closed"))),
        *((short, text, False) for short, text in (("pmp", "pmp"), ("vlv", "vent"), ("fan", "fashion"))),
    ],
)
def test_consonants_shorten_a_word(short: str, text: str, is_short: bool) -> None:
    assert shortens(short, text) == is_short
    tags = Vocabulary(propositions=(Entry(f"{short}_on"), Entry("other_thing")))
    if is_short:
        tokens = lift(f"The {text} shall be on at all times.", "ltl", tags).tokens
        assert "P1" in tokens and text not in tokens
