"""Numbers that must be computed: sums of mentioned numbers go there and back, and nothing else becomes sayable."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.embedded.translator import source_of
from assent.errors import FormulaError, FragmentError
from assent.lift import lift
from assent.lift.linear import delinearise
from assent.lift.sums import MOST_TERMS, bounds_of, first_terms, sum_of

NUMBERS = st.lists(st.integers(1, 60).map(Fraction), min_size=1, max_size=5, unique=True)


def value_of(tokens: tuple[str, ...], numbers: dict[str, Fraction]) -> Fraction:
    """The sum that infix tokens spell, by its definition."""
    total = Fraction(0) if tokens[0] == "0" else numbers[tokens[0]]
    for sign, term in zip(tokens[1::2], tokens[2::2], strict=True):
        total += numbers[term] if sign == "+" else -numbers[term]
    return total


def ends_of(tokens: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Where the first end stops: at the first two terms in a row."""
    cut = next(i for i in range(1, len(tokens)) if tokens[i] not in "+-" and tokens[i - 1] not in "+-")
    return tokens[:cut], tokens[cut:]


@given(NUMBERS, st.data())
def test_every_sum_of_three_mentioned_numbers_can_be_said_and_means_itself(
    values: list[Fraction], data: st.DataObject
) -> None:
    numbers = {value: f"N{i}" for i, value in enumerate(values, 1)}
    back = {token: value for value, token in numbers.items()}
    drawn = [sum(data.draw(st.lists(st.sampled_from(values), min_size=1, max_size=3)), Fraction(0))] * 2
    drawn[1] += data.draw(st.sampled_from(values)) if drawn[0] in numbers else 0
    low, high = sorted(drawn)
    assert value_of(sum_of(high, numbers), back) == high
    first, second = ends_of(bounds_of(low, high, numbers))
    assert (value_of(first, back), value_of(second, back)) == (low, high)


@given(NUMBERS, st.integers(1, 400).map(lambda n: Fraction(n, 7)))
def test_what_no_sum_gives_is_refused(values: list[Fraction], wanted: Fraction) -> None:
    numbers = {value: f"N{i}" for i, value in enumerate(values, 1)}
    if wanted.denominator == 1:  # sums of whole numbers are whole
        return
    with pytest.raises(FragmentError, match="does not mention"):
        sum_of(wanted, numbers)


@pytest.mark.parametrize(
    ("low", "high", "tokens"),
    [
        (20, 25, "N1 N1 + N2"),  # lasts 20, within 5 after that
        (20, 40, "N1 N1 + N1"),  # ... within as long again
        (50, 60, "N3 - N4 N3"),  # the last ten of sixty
        (25, 25, "N1 + N2 N1 + N2"),
        (0, 25, "0 N1 + N2"),
    ],
)
def test_ends_count_on_from_the_start(low: int, high: int, tokens: str) -> None:
    numbers = {Fraction(v): f"N{i}" for i, v in enumerate((20, 5, 60, 10), 1)}
    assert " ".join(bounds_of(Fraction(low), Fraction(high), numbers)) == tokens


def test_a_formula_with_sums_is_read_and_its_shape_too() -> None:
    lifted = lift("a holds for 20 s and then b within 5 s", "stl")
    tokens = "F[ N1 N1 + N2 P2".split()
    assert str(lifted.restore(tokens).within.high) == "25"  # type: ignore[union-attr]
    assert first_terms(tokens) == "F[ N1 N1 P2".split()
    assert lifted.tokens_of(lifted.restore(tokens)) == tuple(tokens)


@pytest.mark.parametrize("tokens", ["F[ N1 - N2 N2 P1", "F[ N1 N1 + P1", "F[ 0 N1 +" + " N1 +" * MOST_TERMS])
def test_broken_sums_are_an_error(tokens: str) -> None:
    with pytest.raises(FormulaError):
        delinearise(tokens.split(), {"P1": "a"}, {"N1": Fraction(1), "N2": Fraction(2)})


def test_counts_are_words_where_the_logic_has_no_numbers() -> None:
    assert "three steps later" in " ".join(source_of(lift("If a, then b 3 steps later.", "ltl")))
    assert "N1 steps later" in " ".join(source_of(lift("If a, then b 3 steps later.", "stl")))
