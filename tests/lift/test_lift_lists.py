"""A state that is said once of several things, whose names say it or its opposite."""

from __future__ import annotations

import pytest

from assent.lift import lift
from assent.vocabulary import Entry, Vocabulary


def vocabulary(*names: str) -> Vocabulary:
    return Vocabulary(propositions=tuple(Entry(name, name.replace("_", " ")) for name in names))


def said(text: str, names: Vocabulary) -> str:
    """The tokens with the names in their places."""
    lifted = lift(text, "ltl", names)
    return " ".join(lifted.names.get(token, token) for token in lifted.tokens)


YARD = vocabulary(
    "front_gate_shut",
    "rear_gate_open",
    "vent_open",
    "hatch_closed",
    "heater_off",
    "jets_on",
    "belt_moving",
    "pump_running",
    "fan_stopped",
    "horse_in",
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the front gate and the rear gate shall be shut", "front_gate_shut and not rear_gate_open shall"),
        ("the rear gate and the front gate are both open", "rear_gate_open and not front_gate_shut"),
        ("vent and hatch are closed", "not vent_open and hatch_closed"),
        ("open the hatch and the vent", "not hatch_closed and vent_open"),
        ("either the vent or the hatch is open", "either vent_open or not hatch_closed"),
        ("the jets and the heater are off", "not jets_on and heater_off"),
        ("the heater, the jets and the belt shall be on", "not heater_off , jets_on and belt_moving shall"),
        ("the pump and the fan shall not run", "pump_running and not fan_stopped shall not"),
        ("the horse in or the hatch open", "horse_in or not hatch_closed"),
        ("at least one of the vent and the hatch is open", "at least one of vent_open and not hatch_closed"),
    ],
)
def test_each_of_a_list_has_its_own_sign(text: str, expected: str) -> None:
    assert said(text, YARD) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("neither the vent nor the hatch is open", "not vent_open and hatch_closed"),
        ("neither the vent nor the hatch is ever closed", "vent_open and not hatch_closed is always"),
        ("none of the vent and the hatch is open", "not vent_open and hatch_closed"),
        ("never leave the vent or the hatch open", "always not vent_open and hatch_closed"),
        ("neither the vent nor the rear gate is open", "neither vent_open nor rear_gate_open"),
        (  # "without" belongs to what is denied
            "neither the vent nor the hatch is open without the pump running",
            "neither vent_open nor not hatch_closed without pump_running",
        ),
    ],
)
def test_what_is_denied_of_each_turns_each_sign(text: str, expected: str) -> None:
    assert said(text, YARD) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the vent is closed, and so is the hatch", "not vent_open , and so is hatch_closed"),
        ("the hatch is closed, and so is the vent", "hatch_closed , and so is not vent_open"),
        (
            "the vent shall not be open; nor shall the hatch",
            "vent_open shall not ; nor shall not hatch_closed",
        ),
        (
            "the pump is running with the vent open; the same goes for the hatch",
            "pump_running with vent_open ; the same goes for not hatch_closed",
        ),
        ("the horse is in, and so is the vent", "horse_in , and so is vent_open"),
    ],
)
def test_a_state_is_carried_to_what_is_named_without_one(text: str, expected: str) -> None:
    assert said(text, YARD) == expected


SIDES = vocabulary("left_door_open", "right_door_shut", "left_light_red", "right_light_green")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the left door and the right door are shut", "not left_door_open and right_door_shut"),
        ("the left light and the right light are red", "left_light_red and not right_light_green"),
        ("the left and the right door are shut", "not left_door_open and right_door_shut"),
        ("both doors are shut", "both not left_door_open and right_door_shut"),
        ("neither door is open", "not left_door_open and right_door_shut"),
    ],
)
def test_what_tells_two_things_apart_is_no_state_of_theirs(text: str, expected: str) -> None:
    assert said(text, SIDES) == expected


OUTAGE = vocabulary("lights_out", "power_lost", "fault_cleared", "engine_off", "burner_on")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the lights are off", "lights_out"),
        ("the lights are on", "not lights_out"),
        ("the power is back", "not power_lost"),
        ("the power fails", "power_lost"),
        ("the fault is resolved", "fault_cleared"),
        ("the engine is running", "not engine_off"),
        ("the engine is stopped", "engine_off"),
        ("the lights and the burner are off", "lights_out and not burner_on"),
    ],
)
def test_a_name_may_say_that_its_own_thing_is_not(text: str, expected: str) -> None:
    """The opposite of lit is what lights_out says."""
    assert said(text, OUTAGE) == expected


def test_it_is_nothing_of_which_the_opposite_is_as_likely() -> None:
    """What runs may be the pump: heater_off is not denied."""
    text = "the heater is off and the pump stops; if it is running, the vent is open"
    assert said(text, YARD) == "heater_off and not pump_running ; if pump_running , vent_open"
