"""Denials said once of several, opposites by other words, and what is no denial."""

from __future__ import annotations

import pytest

from assent.lift import lift
from assent.lift.entries import known_entries
from assent.lift.linker import Mention
from assent.lift.polarity import chances_of_denial
from assent.lift.reader import Told
from assent.lift.words import split
from assent.vocabulary import Entry, Vocabulary, sections_of

PLANT = {
    "propositions": [
        "heater_on",
        "chiller_on",
        "fan_on",
        "lamp_lit",
        "inlet_valve_open",
        "outlet_valve_open",
        "gate_open",
        "hatch_open",
        "rack_lowered",
        "loading",
        "service_mode",
        "snow_on_roof",
        "horn_on",
    ]
}


@pytest.fixture(scope="module")
def names() -> Vocabulary:
    return next(iter(sections_of({"plant": PLANT}, "plant").values()))


def said(text: str, names: Vocabulary) -> str:
    lifted = lift(text, "ltl", names)
    return " ".join(lifted.names.get(token, token) for token in lifted.tokens)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the heater and the chiller are off", "not heater_on and not chiller_on"),
        ("if the heater or the fan is off, the lamp is lit", "if not heater_on or not fan_on , lamp_lit"),
        (
            "the lamp, the fan and the heater shall be off",
            "not lamp_lit , not fan_on and not heater_on shall",
        ),
        ("both valves are closed", "both not inlet_valve_open and not outlet_valve_open"),
        ("the valves shall stay shut", "not inlet_valve_open and not outlet_valve_open shall stay"),
        ("close the gate and the hatch", "not gate_open and not hatch_open"),
        ("switch off the heater and the fan", "not heater_on and not fan_on"),
    ],
)
def test_what_is_said_of_several_denies_each(text: str, expected: str, names: Vocabulary) -> None:
    assert said(text, names) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the lamp is on and the fan is off", "lamp_lit and not fan_on"),
        ("the fan runs and the gate is shut", "fan_on and not gate_open"),
        ("after the horn, the fan is off", "after horn_on , not fan_on"),
    ],
)
def test_a_state_of_its_own_is_not_shared(text: str, expected: str, names: Vocabulary) -> None:
    assert said(text, names) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the fan runs until loading is over", "fan_on until not loading"),
        ("the horn sounds over and over", "horn_on over and over"),
        ("the fan takes over", "fan_on takes over"),
        ("service mode has been left", "not service_mode"),
        ("until the roof is clear, the lamp is lit", "until not snow_on_roof , lamp_lit"),
        ("you must lift the rack", "you must not rack_lowered"),
    ],
)
def test_opposites_where_they_are_said(text: str, expected: str, names: Vocabulary) -> None:
    assert said(text, names) == expected


END_UP = {"propositions": ["door_locked", "leak_alarm", "hatch_shut", "battery_low", "alert_sent"]}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the door ends up locked for good", "door_locked ends up for good"),
        ("the leak alarm ends up on for good", "leak_alarm ends up for good"),
        ("the hatch winds up shut", "hatch_shut winds up"),
        ("the battery ends up low for good", "battery_low ends up for good"),
        ("the door ends up unlocked", "door_locked ends up not"),
        ("the leak alarm ends", "not leak_alarm"),
    ],
)
def test_what_it_ends_up_as_it_becomes(text: str, expected: str) -> None:
    names = next(iter(sections_of({"house": END_UP}, "house").values()))
    assert said(text, names) == expected


SIBLINGS = {
    "propositions": [
        "red_lamp",
        "amber_lamp",
        "green_lamp",
        "motor_left",
        "motor_right",
        "low_bell",
        "high_bell",
    ]
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the red lamp and the green lamp", "red_lamp and green_lamp"),
        ("if the red lamp is lit, the green lamp is off", "if red_lamp , not green_lamp"),
        ("the green lamp until the red lamp", "green_lamp until red_lamp"),
        ("the left motor and the right motor", "motor_left and motor_right"),
        ("the low bell or the high bell", "low_bell or high_bell"),
    ],
)
def test_what_tells_two_things_apart_denies_neither(text: str, expected: str) -> None:
    """Green is the opposite of red, but not where there is a lamp of each."""
    names = next(iter(sections_of({"panel": SIBLINGS}, "panel").values()))
    assert said(text, names) == expected


def test_green_denies_red_where_only_red_is_a_name() -> None:
    names = next(iter(sections_of({"panel": {"propositions": ["signal_red", "siren_on"]}}, "panel").values()))
    assert said("the signal is green", names) == "not signal_red"


SUBMARINE = {
    "propositions": [
        {"name": "on_bottom", "says": "sub on the seabed"},
        {"name": "weights_dropped", "says": "drop weights released"},
        {"name": "thrusters_on", "says": "thrusters running"},
        {"name": "overheat_alarm", "says": "overheat alarm sounding"},
        {"name": "diver_inside", "says": "diver inside"},
    ]
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the sub rests on the seabed", "on_bottom"),
        ("the thrusters are at rest", "not thrusters_on"),
        ("let go of the drop weights", "let go of weights_dropped"),
        ("the overheat alarm trips", "overheat_alarm"),
        ("the thrusters trip", "not thrusters_on"),
        ("straight off the cradle the thrusters run", "straight off thrusters_on"),
    ],
)
def test_words_that_end_some_things_and_begin_others(text: str, expected: str) -> None:
    names = next(iter(sections_of({"sub": SUBMARINE}, "sub").values()))
    assert said(text, names) == expected


def test_inside_an_hour_is_no_place() -> None:
    names = next(iter(sections_of({"sub": SUBMARINE}, "sub").values()))
    assert set(lift("the thrusters run inside an hour", "stl", names).names.values()) == {"thrusters_on"}
    assert "diver_inside" in lift("the diver is inside for an hour", "stl", names).names.values()


WASH = {
    "propositions": [
        {"name": "dog_in_tub", "says": "dog in the tub"},
        {"name": "shampoo_on", "says": "shampoo being dispensed"},
        {"name": "swimmers_deep", "says": "somebody in the deep end"},
        {"name": "float_stuck", "says": "float stuck"},
        {"name": "paid", "says": "wash paid for"},
        {"name": "boots_in", "says": "boots in the cabinet"},
    ]
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the tub is without a dog", "not dog_in_tub"),
        ("no shampoo comes out", "not shampoo_on"),
        ("the boots come out", "not boots_in"),
        ("with nobody in the deep end", "with not swimmers_deep"),
        ("until the float is free again", "until not float_stuck again"),
        ("payment comes first", "paid first"),
    ],
)
def test_denials_around_a_name(text: str, expected: str) -> None:
    names = next(iter(sections_of({"wash": WASH}, "wash").values()))
    assert said(text, names) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "the heater, the fan and the chiller shall all be off",
            "not heater_on , not fan_on and not chiller_on shall",
        ),
        ("the heater and the fan are both on", "heater_on and fan_on"),
        (
            "the heater and the fan are both off until the lamp is lit",
            "not heater_on and not fan_on until lamp_lit",
        ),
        ("the heater and the fan shall not both be off", "not heater_on and not fan_on shall not both be"),
        ("the heater and the fan are never both on", "heater_on and fan_on never both"),
        ("the heater and the fan are both eventually on", "heater_on and fan_on both eventually"),
        (
            "the heater, the fan and the lamp are on all at once",
            "heater_on , fan_on and lamp_lit all at once",
        ),
    ],
)
def test_all_and_both_behind_a_list_repeat_it(text: str, expected: str, names: Vocabulary) -> None:
    assert said(text, names) == expected


THERE = {
    "propositions": [
        {"name": "guest_in_room", "says": "guest in the room"},
        {"name": "door_locked", "says": "door locked"},
        {"name": "case_open", "says": "case open"},
        {"name": "backup_running", "says": "backup running"},
        {"name": "tram_moving", "says": "tram moving"},
        {"name": "alarm_on", "says": "alarm on"},
        {"name": "mains_ok", "says": "mains ok"},
        {"name": "blower_on", "says": "blower on"},
    ]
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("if no guest is left in the room, the door is locked", "if not guest_in_room , door_locked"),
        ("while a guest is left in the room, the case is open", "while guest_in_room , case_open"),
        ("it's left locked until the case is open", "door_locked until case_open"),
        ("the guest has left the room", "not guest_in_room"),
        ("the guest left the room", "not guest_in_room"),
        ("when the backup has kicked off, the door is locked", "when backup_running , door_locked"),
        ("the tram moves off", "tram_moving"),
        ("the tram is off", "not tram_moving"),
        ("the alarm is off", "not alarm_on"),
        ("keep the blower out of service until the case is open", "keep not blower_on until case_open"),
        ("the blower is out until the case is open", "not blower_on until case_open"),
        ("after an interruption of the mains the blower is on", "after not mains_ok blower_on"),
        ("the blower runs without interruption", "blower_on without interruption"),
        ("the mains are ok without interruption", "mains_ok without interruption"),
    ],
)
def test_what_is_left_and_what_sets_out(text: str, expected: str) -> None:
    assert said(text, next(iter(sections_of({"house": THERE}, "house").values()))) == expected


def test_an_alarm_that_sounds_off_is_on() -> None:
    house = next(iter(sections_of({"house": THERE}, "house").values()))
    assert "not" not in said("the alarm shall sound off", house).split()
    assert "not" in said("the alarm shall keep its sound off", house).split()


KEYS = {
    "propositions": [
        {"name": "key_pressed", "says": "key pressed"},
        {"name": "door_open", "says": "door open"},
        {"name": "pump_calibrated", "says": "pump calibrated"},
    ]
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the key is depressed", "key_pressed"),
        ("no key is depressed until the door is open", "not key_pressed until door_open"),
        ("the indoor door is open", "door_open"),
        ("the pump is decalibrated", "not pump_calibrated"),
        ("the pump is uncalibrated", "not pump_calibrated"),
    ],
)
def test_what_only_looks_like_a_denial(text: str, expected: str) -> None:
    assert said(text, next(iter(sections_of({"panel": KEYS}, "panel").values()))) == expected


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("there is no satellite fix", False),
        ("not a fix is seen", False),
        ("the fix has gone", True),
        ("the door is not open, the fix has gone", True),
    ],
)
def test_the_reader_does_not_deny_again_what_no_denies(text: str, denied: bool) -> None:
    gps = next(k for k in known_entries((Entry("gps", "satellite position"),)))
    words = split(text)
    i = next(i for i, word in enumerate(words) if word.text == "fix")
    mention = Mention(gps, (i,), told={i: Told(0.9, 0.9)}, told_of="gps")
    assert bool(chances_of_denial(words, mention)) == denied
