"""Denials, "only" and durations that lifting and networks were seen to take for something else are doubts."""

from __future__ import annotations

import pytest

from assent.embedded import Embedded
from assent.logic.parse import read
from assent.vocabulary import Vocabulary, sections_of

TRAIN = {
    "time_unit": "s",
    "propositions": [
        {"name": "lamp_on", "says": "lamp on"},
        {"name": "horn_on", "says": "horn on"},
        {"name": "left_door_open", "says": "left door open"},
        {"name": "right_door_open", "says": "right door open"},
        {"name": "train_moving", "says": "train moving"},
        {"name": "hatch_closed", "says": "hatch closed"},
        {"name": "shutter_open", "says": "shutter open"},
        {"name": "speed", "says": "speed", "type": "number", "unit": "m/s"},
    ],
    "objects": ["cup", "tray"],
    "regions": ["shelf"],
}
WRONG = [
    ("ltl", "No door is open while the train is moving.", "G(train_moving -> (!left_door_open | right_door_open))"),
    ("ltl", "The horn does not always sound.", "G !horn_on"),
    ("ltl", "The lamp must never stay on forever.", "G !lamp_on"),
    ("ltl", "The left door is open, then it is closed.", "G(left_door_open -> !left_door_open)"),
    ("stl", "The speed is only allowed above 2 m/s while the left door is shut.", "G(!left_door_open -> (speed > 2))"),
    ("ltl", "While the lamp is on, left door and hatch are closed.", "G(lamp_on -> (left_door_open & hatch_closed))"),
    ("ltl", "The hatch and the right door are never both open.", "G !(hatch_closed & right_door_open)"),
    ("ltl", "When the horn is on, the shutter shall be shut.", "G(horn_on -> shutter_open)"),
    ("ltl", "Left door, hatch and lamp are never all closed.", "G !(left_door_open & hatch_closed & lamp_on)"),
    ("ltl", "The hatch must not be opened until the horn is on.", "hatch_closed U horn_on"),
    ("stl", "Outside the range from 1 to 3 m/s, the horn sounds.", "G((speed >= 1 & speed <= 3) -> horn_on)"),
    ("stl", "If the speed leaves the range of 1 to 3 m/s, the lamp is on.", "G((speed >= 1 & speed <= 3) -> lamp_on)"),
    (
        "stl",
        "The speed must not be outside 1 to 2 m/s for longer than 3 s.",
        "G !(G[0,3]((speed >= 1) & (speed <= 2)))",
    ),
    ("ltl", "Switch the lamp on, then open the left door.", "G(lamp_on -> left_door_open)"),
    ("ltl", "Open the shutter and afterwards sound the horn.", "G(shutter_open -> horn_on)"),
    ("ltl", "The lamp goes on; after that the train moves.", "G(lamp_on -> train_moving)"),
    ("spatial", "The cup must not be near the tray for longer than 5 s.", "G[0,5] !closeTo(cup, tray)"),
    ("stl", "It is not the case that the lamp is on at any time during the first 20 s.", "!(G[0,20] lamp_on)"),
    ("stl", "The speed should never stay above 2 m/s for 3 s straight.", "G[0,3] (speed <= 2)"),
    ("stl", "The speed must not remain above 2 m/s for 3 s.", "G[0,3] (speed <= 2)"),
    ("ltl", "Whenever the hatch is not closed, the horn is on.", "G(hatch_closed -> horn_on)"),
    ("ltl", "If the lamp is off and the train moves, the horn is on.", "G((lamp_on & train_moving) -> horn_on)"),
    (
        "ltl",
        "Unless the lamp is on, the horn is when the train isn't moving.",
        "G((!lamp_on & train_moving) -> horn_on)",
    ),
    ("ltl", "The lamp and the horn must never be on while the train moves.", "G(train_moving -> !(lamp_on & horn_on))"),
    ("ltl", "The lamp and the horn are not allowed to be on.", "G !(lamp_on & horn_on)"),
    ("ltl", "By no means is the lamp always on.", "G !lamp_on"),
    ("ltl", "The lamp is no longer always on when the train moves.", "G(train_moving -> !lamp_on)"),
    ("ltl", "The train shall never be blocked.", "G train_moving"),
    ("ltl", "If nothing blocks the train, the horn is on.", "G(train_moving -> horn_on)"),
    ("ltl", "In the absence of lamp or horn, the shutter is open.", "G((!lamp_on | horn_on) -> shutter_open)"),
    ("ltl", "Not only if the lamp is on but also if the train moves, the horn is on.", "G(lamp_on -> horn_on)"),
    ("ltl", "Never shall the lamp and the horn be on.", "G !(lamp_on & horn_on)"),
    ("ltl", "Once either door is open, the lamp and the horn must never be on.", "G(lamp_on -> !horn_on)"),
    ("stl", "If the speed approaches 2 m/s, the horn is on.", "G((speed > 2) -> horn_on)"),
    ("stl", "If the speed subceeds 2 m/s, the horn is on.", "G((speed > 2) -> horn_on)"),
]  # fmt: skip
RIGHT = [
    ("ltl", "Whenever the hatch is not closed, the horn is on.", "G(!hatch_closed -> horn_on)"),
    ("ltl", "The lamp shall be off except when the train is not moving.", "G(train_moving -> !lamp_on)"),
    ("ltl", "Only if the train is not moving may the left door be open.", "G(left_door_open -> !train_moving)"),
    ("ltl", "The lamp and the horn must never be on together.", "G !(lamp_on & horn_on)"),
    (
        "ltl",
        "The lamp and the horn must never be on while the train moves.",
        "G(train_moving -> (!lamp_on & !horn_on))",
    ),
    ("stl", "If the speed touches 2 m/s, the horn is on.", "G((speed >= 2) -> horn_on)"),
    ("stl", "The speed should never stay above 2 m/s for 3 s straight.", "G !(G[0,3] (speed > 2))"),
    ("stl", "For the first 3 s the speed must not be above 2 m/s.", "G[0,3] (speed <= 2)"),
    ("stl", "It is not the case that the lamp is on at any time during the first 20 s.", "G[0,20] !lamp_on"),
    ("ltl", "If the lamp is on, then the left door is open.", "G(lamp_on -> left_door_open)"),
    ("ltl", "Lamp on? Then the left door is open.", "G(lamp_on -> left_door_open)"),
    ("ltl", "Switch the lamp on, then open the left door.", "F(lamp_on & F left_door_open)"),
    ("ltl", "The lamp is on and the horn is off while the train is moving.", "G(train_moving -> (lamp_on & !horn_on))"),
    ("ltl", "The lamp and the horn are off while the train is moving.", "G(train_moving -> (!lamp_on & !horn_on))"),
    ("ltl", "All doors are shut with the lamp on.", "G(lamp_on -> (!left_door_open & !right_door_open))"),
    ("ltl", "With the lamp on, hatch closed, left door open.", "G(lamp_on -> (hatch_closed & left_door_open))"),
    ("ltl", "When the horn is on, the shutter shall be closed.", "G(horn_on -> !shutter_open)"),
    ("ltl", "When the horn is on, shut the shutter.", "G(horn_on -> !shutter_open)"),
    ("ltl", "The hatch must not be opened until the horn is on.", "hatch_closed W horn_on"),
    ("ltl", "When the horn is on, close the left door.", "G(horn_on -> !left_door_open)"),
    ("stl", "The speed shall never be outside 1 to 3 m/s.", "G((speed >= 1) & (speed <= 3))"),
    (
        "stl",
        "If the speed is outside 1 to 3 m/s for 5 s, the lamp is on within 2 s.",
        "G(G[0,5] !(speed >= 1 & speed <= 3) -> F[5,7] lamp_on)",
    ),
    ("stl", "If the speed leaves the band of 1 to 3 m/s, the lamp is on.", "G(!(speed >= 1 & speed <= 3) -> lamp_on)"),
    ("ltl", "The lamp may be on only while the train is moving.", "G(lamp_on -> train_moving)"),
    ("ltl", "The left door is always closed while the train is moving.", "G(train_moving -> !left_door_open)"),
    ("stl", "The speed may only be above 2 m/s while the left door is closed.", "G((speed > 2) -> !left_door_open)"),
]  # fmt: skip


@pytest.fixture(scope="module")
def names() -> Vocabulary:
    return next(iter(sections_of({"train": TRAIN}, "train").values()))


@pytest.mark.parametrize(("logic", "text", "formula"), WRONG)
def test_what_was_accepted_wrongly_is_doubted(logic: str, text: str, formula: str, names: Vocabulary) -> None:
    models = Embedded()
    assert models.doubts(models.lift(text, logic, names), read(formula, logic))


@pytest.mark.parametrize(("logic", "text", "formula"), RIGHT)
def test_right_readings_near_by_are_not(logic: str, text: str, formula: str, names: Vocabulary) -> None:
    models = Embedded()
    assert models.doubts(models.lift(text, logic, names), read(formula, logic)) == ()
