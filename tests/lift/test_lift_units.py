"""A figure in a unit that nobody knows, or that no signal has, is never read without it."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from assent.errors import FragmentError
from assent.lift import lift
from assent.lift.linker import shipped_linker
from assent.vocabulary import Entry, Vocabulary

CART = Vocabulary(
    propositions=(
        Entry("speed", "speed of the cart", type="number", unit="m/s"),
        Entry("tension", "rope tension", type="number", unit="kN"),
        Entry("density", "smoke density", type="number", unit="%/m"),
        Entry("free_spaces", "free spaces", type="number", unit="spaces"),
        Entry("pump_2_on", "pump 2 running"),
        Entry("alarm_on", "alarm on"),
    ),
    time_unit="s",
)


@pytest.mark.parametrize(
    "text",
    [
        "speed stays below 3 foo",
        "the alarm is on within 3 blorps",
        "within 3 fortnights the alarm sounds",
        "the alarm is on within 2 to 3 foo",
        "the alarm is on within 3 bar",
    ],
)
def test_a_strange_unit_is_a_doubt(text: str) -> None:
    assert any("3 " in part.text and "unit" in part.why for part in lift(text, "stl", CART).unread)


@pytest.mark.parametrize(
    "text",
    [
        "speed below 3 m/s within 5 s",
        "speed below 3 kilometres an hour within 2 minutes",
        "tension under 14 kN",
        "a smoke density above 4 %/m",
        "with fewer than 3 spaces free, the alarm is on",
        "pump 2 quits within 3 s",
        "when the speed exceeds 3, the alarm is on",
    ],
)
def test_a_unit_of_a_signal_or_of_time_is_none(text: str) -> None:
    assert lift(text, "stl", CART).unread == ()


@given(st.text("bcdfglmnprstvz", min_size=4, max_size=8), st.sampled_from(["below", "above", "at most"]))
def test_whatever_letters_follow_a_figure_they_are_not_read_over(unit: str, how: str) -> None:
    assume(unit not in shipped_linker().table)
    try:
        lifted = lift(f"the alarm is on while the speed is {how} 3 {unit}", "stl", CART)
    except FragmentError:
        return
    assert lifted.unread, lifted.tokens
