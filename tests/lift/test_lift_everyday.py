"""Figures in everyday words, and what lies outside a range."""

from __future__ import annotations

from fractions import Fraction

import pytest

from assent.errors import FragmentError
from assent.lift import Lifted, lift
from assent.vocabulary import Vocabulary, sections_of

TANKER = {
    "propositions": [
        {"name": "pump_on", "says": "pump running"},
        {"name": "valve_open", "says": "valve open"},
        {"name": "ticket_signed", "says": "ticket signed"},
        {"name": "tank_fill", "says": "tank fill level", "type": "number", "unit": "%"},
        {"name": "vacuum", "says": "vacuum, suction", "type": "number", "unit": "bar"},
        {"name": "speed", "says": "lorry speed", "type": "number", "unit": "km/h"},
        {"name": "depth", "says": "sludge depth", "type": "number", "unit": "cm"},
        {"name": "load", "says": "load weight", "type": "number", "unit": "kg"},
    ],
    "time_unit": "s",
}


@pytest.fixture(scope="module")
def names() -> Vocabulary:
    return next(iter(sections_of({"tanker": TANKER}, "tanker").values()))


def read(text: str, names: Vocabulary) -> Lifted:
    return lift(text, "stl", names)


def said(lifted: Lifted) -> str:
    return " ".join(lifted.names.get(token, token) for token in lifted.tokens)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("the tank is three quarters full", [75]),
        ("no more than half a tank", [50]),
        ("the tank has more than half its charge", [50]),
        ("the speed is below half a knot", [Fraction(463, 500)]),
        ("the tank is below a fifth", [20]),
        ("the tank is no more than nine tenths full", [90]),
        ("the tank is at least half full", [50]),
        ("the depth is over a metre twenty", [120]),
        ("the load is down to a kilo or less", [1]),
        ("the vacuum is between a quarter and half a bar", [Fraction(1, 4), Fraction(1, 2)]),
        ("the vacuum is between one and a half and three bar", [Fraction(3, 2), 3]),
        ("the speed is fifteen an hour", [15]),
        ("you have five seconds to stop the pump and eight to close the valve", [5, 8]),
        ("Ticket 4471: the pump stops within 5 s", [5]),
        ("the pump runs every minute of the day", []),
        ("the pump runs for half an hour", [1800]),
        ("the vacuum is four tenths of a bar or more", [Fraction(2, 5)]),
        ("the vacuum is over half a bar", [Fraction(1, 2)]),
    ],
)
def test_figures_in_everyday_words(text: str, values: list[Fraction], names: Vocabulary) -> None:
    lifted = read(text, names)
    assert list(lifted.numbers.values()) == values
    assert not lifted.unread


@pytest.mark.parametrize(
    ("text", "token"),
    [
        ("until the suction is nil", "0"),
        ("until the speedo says zero", "0"),
        ("until the suction drops to nil", "zero"),
    ],
)
def test_nothing_is_a_value(text: str, token: str, names: Vocabulary) -> None:
    assert token in read(text, names).tokens


def test_tops_is_an_upper_bound_unless_it_is_one_of_time(names: Vocabulary) -> None:
    assert said(read("the depth is 5 tops", names)) == "depth at most N1"
    assert "most" not in read("the pump stops within 5 s tops", names).tokens


def test_so_many_an_hour_of_nobody_knows_what_is_refused() -> None:
    entries = {"propositions": [{"name": "depth", "says": "depth", "type": "number", "unit": "cm"}]}
    names = next(iter(sections_of({"pit": entries}, "pit").values()))
    with pytest.raises(FragmentError, match="say its unit"):
        read("at most fifteen an hour", names)


def test_a_third_is_no_percentage(names: Vocabulary) -> None:
    assert read("the tank is two thirds full", names).unread


OUTSIDE = "vacuum is below N1 or vacuum above N2 bar"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the vacuum is outside 2 to 5 bar", OUTSIDE),
        ("the vacuum is below 2 or above 5 bar", OUTSIDE),
        ("the vacuum is not between 2 and 5 bar", OUTSIDE),
        ("the vacuum leaves the range from 2 to 5 bar", OUTSIDE),
        ("the vacuum is anywhere but between 2 and 5 bar", OUTSIDE),
        ("the vacuum is out of the 2 to 5 bar band", OUTSIDE),
        ("should the vacuum leave 2 to 5 bar", OUTSIDE.replace(" is", " be", 1)),
        ("the vacuum is 5 bar or above", "vacuum is N1 bar or above"),
        ("the vacuum is never outside 2 to 5 bar", "vacuum never outside N1 to N2 bar"),
        ("the pump runs outside 2 to 5 s", "pump_on outside N1 to N2 seconds"),
    ],
)
def test_outside_a_range_is_below_or_above_it(text: str, expected: str, names: Vocabulary) -> None:
    assert said(read(text, names)).endswith(expected)
