"""A figure and its tolerance are read as their two ends, in the unit that was said, or not at all."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from assent.errors import FragmentError
from assent.lift import lift
from assent.vocabulary import Entry, Vocabulary

KILN = Vocabulary(
    propositions=(
        Entry("annealing"),
        Entry("fan_on"),
        Entry("kiln_temp", says="kiln temperature", type="number", unit="°C"),
    )
)


def read(text: str) -> tuple[str, list[Fraction]]:
    lifted = lift(text, "stl", KILN)
    return " ".join(lifted.tokens), list(lifted.numbers.values())


@pytest.mark.parametrize(
    "said",
    [
        *("515 °C ± 10 °C", "515 °C ± 10", "515 ± 10 °C", "515 °C plus or minus 10 °C", "515 °C +/- 10 °C"),
        *("515 °C, plus or minus ten", "515 °C, give or take 10", "515 °C give or take ten degrees C"),
        *("515 °C with a tolerance of 10 °C", "515 °C, with a tolerance of 10 °C either way"),
        *("515 °C, 10 °C either way", "515 °C, 10 °C on either side", "within 10 °C of 515 °C"),
    ],
)
def test_both_ends_are_told(said: str) -> None:
    text, numbers = read(f"While annealing, the kiln temperature shall be {said}.")
    assert numbers == [505, 525]
    assert "between N1 and" in text and "minus" not in text


@pytest.mark.parametrize(
    "said",
    [
        *("deviates from 515 °C by more than 10 °C", "deviates by more than 10 °C from 515 °C"),
        *(
            "is more than 10 °C away from 515 °C",
            "is more than 10 °C off 515 °C",
            "strays from 515 °C by over 10 °C",
        ),
    ],
)
def test_what_is_further_off_is_below_or_above(said: str) -> None:
    text, numbers = read(f"If the kiln temperature {said}, the fan is on within 5 s.")
    assert numbers == [505, 525, 5]
    assert "is below N1 or P1 above N2" in text


def test_what_must_not_be_further_off() -> None:
    text, numbers = read("The kiln temperature shall not deviate from 515 °C by more than 10 °C.")
    assert numbers == [505, 525] and "shall not be outside N1 to" in text


@pytest.mark.parametrize("said", ["30 s ± 5 s", "30 seconds, give or take 5", "2 min plus or minus 10 s"])
def test_a_time_and_its_tolerance_are_refused(said: str) -> None:
    with pytest.raises(FragmentError, match="give both ends"):
        read(f"The fan is on for {said}.")


def test_ends_in_two_units_are_refused() -> None:
    with pytest.raises(FragmentError, match="give both ends"):
        read("The kiln temperature shall be 515 °C ± 5 %.")


@pytest.mark.parametrize(
    "text",
    [
        "Within 10 s of annealing the fan is on.",
        "The kiln temperature is below 500 °C, within 5 s the fan is on.",
        "If the kiln temperature is over 500 °C, more than 5 s later the fan is on.",
    ],
)
def test_other_figures_stay_as_they_are(text: str) -> None:
    assert all(value in (5, 10, 500) for value in read(text)[1])


@given(st.integers(-500, 2000), st.integers(1, 400))
def test_the_ends_are_the_middle_less_and_more(middle: int, off: int) -> None:
    assume(abs(middle) != off)  # zero is a word, not a placeholder
    said = f"minus {-middle}" if middle < 0 else str(middle)
    numbers = read(f"The kiln temperature stays at {said} °C ± {off} °C.")[1]
    assert sorted(numbers) == [middle - off, middle + off]
