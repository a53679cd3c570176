"""Who handles a thing is no part of the formula; who moves, stays or touches is."""

import pytest

from assent.lift import lift
from assent.vocabulary import Entry, Vocabulary


def _scene(objects: str, regions: str) -> Vocabulary:
    return Vocabulary(
        objects=tuple(Entry(name) for name in objects.split()),
        regions=tuple(Entry(name) for name in regions.split()),
    )


PICNIC = _scene("jug cup cake napkins speaker dog robot", "table bench blanket bag")
SHOP = _scene("bolt wrench gripper crate", "tray shelf dock")


def _names(text: str, scene: Vocabulary) -> set[str]:
    return set(lift(text, "spatial", scene).names.values())


@pytest.mark.parametrize(
    "text",
    [
        "The robot shall put the jug on the table.",
        "The robot must always keep the cup at least 1 m away from the dog.",
        "Once the napkins are in the bag, the robot shall never put them on the table again.",
        "If the cup touches the speaker, the robot shall move the speaker far away from it within 5 seconds.",
        "Within 20 seconds the robot has to have the cake in the bag.",
        "Have the robot place the cup beside the jug.",
        "The cup shall stay on the table and the robot shall bring the jug, the cake and the napkins to the bench.",
    ],
)
def test_the_one_who_handles_a_thing_is_no_part_of_the_formula(text: str) -> None:
    assert "robot" not in _names(text, PICNIC)
    assert "robot" in lift(text, "spatial", PICNIC).tokens


def test_a_gripper_may_handle_things_as_well() -> None:
    lifted = lift("The gripper shall move the wrench to the shelf.", "spatial", SHOP)
    assert lifted.tokens == ("the", "robot", "shall", "move", "the", "O1", "to", "the", "O2", ".")
    assert dict(lifted.names) == {"O1": "wrench", "O2": "shelf"}


@pytest.mark.parametrize(
    "text",
    [
        "The robot shall move to the bench.",
        "The robot shall stay left of the cup.",
        "The robot shall not touch the cup.",
        "The robot shall keep at least 1 m away from the dog.",
        "The robot shall hold the cup.",
        "The robot shall carry the cup until the cake is on the table.",
        "The robot shall leave the blanket within 10 seconds.",
        "The robot shall bring the cup to the bench and then move to the blanket.",
        "The robot shall bring the cup to the bench and shall never touch the dog.",
        "The robot shall put the cup on the table without touching the dog.",
        "The robot shall put the cup on the table, and it shall never touch the dog.",
        "The robot shall keep the cup on its left.",
        "The robot shall keep the cup near it.",
        "The dog beside the robot shall keep the cup on the bench.",
        "The dog and the robot shall keep the cup on the bench.",
        "Put the cup next to the robot.",
        "The cup shall never be touched by the robot.",
    ],
)
def test_of_whom_something_may_be_said_stays_a_name(text: str) -> None:
    assert "robot" in _names(text, PICNIC)


def test_who_touched_it_before_is_still_named() -> None:
    text = "If the gripper touches the bolt, the gripper shall put the bolt in the tray."
    assert _names(text, SHOP) == {"gripper", "bolt", "tray"}


def test_any_other_subject_stays_a_name() -> None:
    assert "dog" in _names("The dog shall bring the cup to the bench.", PICNIC)


@pytest.mark.parametrize(
    "text",
    [
        "The bench robot shall put the bolt on the tray.",
        "When the wrench is on the shelf, the night nurse shall place the bolt in the crate.",
        "The fitter must always keep the bolt on the tray.",
    ],
)
def test_who_handles_what_is_named_needs_no_name(text: str) -> None:
    assert lift(text, "spatial", SHOP).unnamed == ()


@pytest.mark.parametrize(
    ("text", "thing"),
    [
        ("The hammer shall be on the tray.", "hammer"),
        ("The hammer shall keep left of the bolt.", "hammer"),
        ("The hammer shall touch the bolt.", "hammer"),
        ("Put the toy robot on the tray next to the bolt.", "toy robot"),
        ("The fitter shall put the hammer on the tray.", "hammer"),
    ],
)
def test_a_thing_without_a_name_is_reported(text: str, thing: str) -> None:
    assert any(thing in part for part in lift(text, "spatial", SHOP).unnamed)
