"""Clauses that ask for nothing are no doubt; rivals that the sentence rules out are no question; opposites deny."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.lift import lift
from assent.lift.asides import aside
from assent.vocabulary import Entry, Vocabulary

PLANT = Vocabulary(
    propositions=(
        Entry("pump_on", "pump on"),
        Entry("lid_locked", "lid locked"),
        Entry("doors_released", "doors unlocked"),
        Entry("cow_in_box", "cow in box"),
        Entry("at_dock", "at dock"),
        Entry("chiller_on", "chiller on"),
        Entry("backup_chiller_on", "backup chiller on"),
        Entry("wax_temp", "wax temperature", type="number", unit="°C"),
        Entry("wax_level", "wax level", type="number", unit="%"),
    )
)
ROOM = Vocabulary(objects=(Entry("red_crate"), Entry("blue_crate"), Entry("pallet")))


@pytest.mark.parametrize(
    "before",
    [
        *("For the demo: ", "On this batch, ", "No excuses, ", "Pretty please, ", "House rule: "),
        *("Operators lose patience, so ", "However long the plant operates, ", "After power-up, "),
        *("It must never sulk: ", "To be demonstrated once: ", "For the whole life of the plant, "),
    ],
)
def test_what_asks_for_nothing_is_no_doubt(before: str) -> None:
    assert lift(f"{before}the pump is on.", "stl", PLANT).unnamed == ()


@pytest.mark.parametrize(
    "text",
    [
        *(
            "If nobody ever sings, the pump is on.",
            "Carnival: the pump is on.",
            "At carnival: the pump is on.",
        ),
        *("The pump is on and the parrot sings.", "When operators lose patience, the pump is on."),
        *("The parrot shall sing, so the pump is on.", "Sardines, no parrots: the pump is on."),
    ],
)
def test_what_asks_for_something_else_stays_a_doubt(text: str) -> None:
    lifted = lift(text, "stl", PLANT)
    assert lifted.unnamed or lifted.unread


def test_an_end_that_never_comes_may_be_said_after_until_alone() -> None:
    text = "The pump is on until the lid is locked, and if nobody ever bothers, it stays on."
    assert lift(text, "stl", PLANT).unnamed == ()


@given(
    st.lists(st.sampled_from("for the demo no excuses however long it takes".split()), min_size=1, max_size=6)
)
def test_a_clause_with_a_figure_is_never_an_aside(texts: list[str]) -> None:
    assert not aside([*texts, "#"], 0, len(texts) + 1)
    assert not aside([*texts, "N1"], 0, len(texts) + 1)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("The wax at 40 °C or more is fine.", "wax_temp"),
        ("Always keep the wax above 40 %.", "wax_level"),
        ("Always keep more than 40 % of wax.", "wax_level"),
        ("The chiller is running.", "chiller_on"),
        ("The backup chiller is running.", "backup_chiller_on"),
    ],
)
def test_what_the_sentence_settles_is_no_question(text: str, name: str) -> None:
    lifted = lift(text, "stl", PLANT)
    assert lifted.open == ()
    assert list(lifted.names.values()) == [name]


def test_all_of_a_kind_and_the_one_named_before_are_no_question() -> None:
    both = lift("Both crates are inside the pallet.", "spatial", ROOM)
    assert both.open == ()
    assert set(both.names.values()) == {"red_crate", "blue_crate", "pallet"}
    that = lift("If the red crate is near the pallet, that crate is inside the pallet.", "spatial", ROOM)
    assert that.open == ()
    assert set(that.names.values()) == {"red_crate", "pallet"}


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("The lid is unlocked.", True),
        ("The lid is locked.", False),
        ("The doors are locked.", True),
        ("The doors are unlocked.", False),
        ("The box is empty.", True),
        ("Keep out of the dock.", True),
        ("It is away from its dock.", True),
        ("It stays at the dock.", False),
        ("The pump is still running.", False),
        ("The pump stands still.", True),
        ("Hold the pump back.", True),
        ("The pump shall be barred.", True),
    ],
)
def test_opposites_deny(text: str, denied: bool) -> None:
    tokens = lift(text, "ltl", PLANT).tokens
    assert ("not" in tokens) == denied, tokens
