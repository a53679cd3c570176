"""Numbers are read whole or refused: in figures and in words, with every separator, unit and spelling people use."""

from __future__ import annotations

import unicodedata
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.errors import FragmentError
from assent.lift import Lifted, lift
from assent.vocabulary import Entry, Vocabulary

HALL = Vocabulary(
    propositions=(Entry("door_open"), Entry("lights_on"), Entry("speed", type="number", unit="rpm"))
)


def within(said: str) -> Lifted:
    return lift(f"the door is open within {said}", "stl", HALL)


def numbers(said: str) -> list[Fraction]:
    return list(within(said).numbers.values())


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        ("1,000 seconds", [1000]),
        ("12,345,678 ms", [Fraction(12345678, 1000)]),
        ("1,000.5 seconds", [Fraction(2001, 2)]),
        (".5 seconds", [Fraction(1, 2)]),
        ("2 and a half seconds", [Fraction(5, 2)]),
        ("two and a half minutes", [150]),
        ("a minute", [60]),
        ("an hour", [3600]),
        ("a second", [1]),
        ("half an hour", [1800]),
        ("the interval [5,100]", [5, 100]),
        ("the interval [ 5,100 ]", [5, 100]),
        ("3-5 seconds", [3, 5]),
        ("2 seconds.", [2]),
        ("1 minute and 30 seconds", [90]),
        ("1 minute 30 seconds", [90]),
        ("2 hours and 5 minutes", [7500]),
        ("an hour and a half", [5400]),
        ("a minute and a half", [90]),
        ("2 hours and a quarter", [8100]),
        ("5 days", [432000]),
        ("a day", [86400]),
        ("two weeks", [1209600]),
        ("the first hour", [3600]),
        ("the next half hour", [1800]),
        ("the hour", [3600]),
        ("a quarter of an hour", [900]),
        ("three quarters of an hour", [2700]),
        ("half-hour", [1800]),
        ("two whole minutes", [120]),
        ("two more minutes", [120]),
        ("2 further minutes", [120]),
        ("a minute and the lights are on within three", [60, 180]),
        ("a minute or within 2", [60, 120]),
        ("30 s, no speed over 5, and within 10", [30, 5, 10]),
        ("the time between minute 5 and minute 10", [300, 600]),
        ("the time from second 30 to second 90", [30, 90]),
        ("5 h", [18000]),
        ("the day after", []),
        ("5 s, and one day the lights are on", [5]),
        ("one day", [86400]),
        ("the second time", []),
        *(("1/2 second", [Fraction(1, 2)]), ("\u00bd second", [Fraction(1, 2)]), ("2\u00bd minutes", [150])),
        *(("1e3 seconds", [1000]), ("1e-3 s", [Fraction(1, 1000)]), ("2.5E2 ms", [Fraction(1, 4)])),
        *(("2 thousand seconds", [2000]), ("twenty thousand seconds", [20000]), ("5 hundred seconds", [500])),
        *(("1 000 s", [1000]), ("5 000 ms", [5]), ("10\u202f000 s", [10000]), ("1'000 s", [1000])),
        *(("1\u2019000\u2019000 s", [1000000]), ("2_500 s", [2500]), ("10\u00a0000 s", [10000])),
        *(("1h30", [5400]), ("1h30m", [5400]), ("1m30s", [90]), ("2min30s", [150]), ("1h05m10s", [3910])),
        *(("250ms", [Fraction(1, 4)]), ("5min", [300]), ("0.5 h", [1800]), ("2 min", [120]), ("30s", [30])),
        *(("one point five seconds", [Fraction(3, 2)]), ("zero point two five s", [Fraction(1, 4)])),
        *(("a thousand seconds", [1000]), ("two thousand five hundred ms", [Fraction(5, 2)])),
        *(("one hundred and twenty-five seconds", [125]), ("twenty five seconds", [25])),
        *(("3\u20135 s", [3, 5]), ("3 - 5 s", [3, 5]), ("3 to 5 s", [3, 5]), ("\uff12 seconds", [2])),
        *(("an hour and twenty minutes", [4800]), ("a minute and forty", [100]), ("a dozen seconds", [12])),
        *(("5 s, lights on within another ten", [5, 10]), ("5 min, and by 10 at the latest", [300, 600])),
        *(("the hour after that", [3600]), ("5 s 24/7", [5])),
    ],
)
def test_numbers_are_read_whole(said: str, seconds: list[Fraction]) -> None:
    lifted = within(said)
    assert list(lifted.numbers.values()) == seconds
    assert lifted.unread == ()


@pytest.mark.parametrize(
    "said",
    [
        *("-5 seconds", "\u22125 seconds", "minus 5 seconds", "minus five seconds", "1.5.2 seconds"),
        *("2.5k seconds", "5k", "3x", "12:30", "1:30 min", "2,5 s", "0,5 seconds", "1,00 s", "1m30", "1h90"),
        *("5 months", "3 \u00b5s", "10\u00b3 s", "3\u00b2 seconds", "3O seconds", "1e99 s", "1e400 s"),
        *("2 hours, 5 minutes", "three", "1 minute and 30 seconds later", "an hour and 5 minutes after that"),
        *(
            "\u4e09 seconds",
            "\u0665 seconds",
            "5\u0665 seconds",
            "3 0 seconds",
            "3_0 seconds",
            "7/9 s",
            "3*4 s",
        ),
        *("5 \u00b1 1 s", "5;6 s", "5\u00b70 s", "\u2462 seconds"),
    ],
)
def test_half_a_number_is_refused(said: str) -> None:
    """What would be read as another number, or has two readings, or has no unit."""
    with pytest.raises(FragmentError, match="not understood"):
        numbers(said)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        *(("a few seconds", "few"), ("several minutes", "several"), ("T_max seconds", "T_max seconds")),
        *(("a couple of minutes", "couple"), ("dozens of seconds", "dozens"), ("seconds", "within seconds")),
        *(
            ("some minutes", "some minutes"),
            ("~5 s", "~"),
            ("roughly 5 s", "roughly"),
            ("about ten seconds", "about"),
        ),
        *(("5 s, at three quarters speed", "quarters"), ("5 s, hundreds of them", "hundreds")),
        *(("5 s in T2", "T2"), ("5 s, t\u00fcr", "t\u00fcr"), ("5 s \u95e8", "\u95e8")),
    ],
)
def test_an_amount_that_became_no_number_is_unread(said: str, words: str) -> None:
    assert words in [part.text for part in within(said).unread]


def test_values_of_signals_may_be_negative() -> None:
    assert list(lift("the speed is over minus five rpm", "stl", HALL).numbers.values()) == [-5]
    assert list(lift("the speed stays between -20 and -16 rpm", "stl", HALL).numbers.values()) == [-20, -16]
    assert list(lift("the speed stays plus or minus 5 rpm", "stl", HALL).numbers.values()) == [-5, 5]


SEPARATORS = st.sampled_from(["", " ", "\u00a0", "\u202f", "\u2009", "'", "\u2019", ",", "_"])
UNITS = st.sampled_from(
    [
        ("s", 1),
        ("ms", Fraction(1, 1000)),
        (" s", 1),
        (" seconds", 1),
        (" minutes", 60),
        (" h", 3600),
        ("min", 60),
    ]
)


def grouped(value: int, separator: str) -> str:
    text, groups = str(value), []
    while text:
        text, last = text[:-3], text[-3:]
        groups.insert(0, last)
    return separator.join(groups)


@given(st.integers(1, 10**12), st.integers(0, 999), SEPARATORS, UNITS)
def test_figures_with_any_separator_are_read_exactly(
    whole: int, part: int, separator: str, unit: tuple[str, Fraction]
) -> None:
    decimals = f".{part:03d}" if part else ""
    value = Fraction(f"{whole}{decimals}") * unit[1]
    assert numbers(f"{grouped(whole, separator)}{decimals}{unit[0]}") == [value]


ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
TENS = "- - twenty thirty forty fifty sixty seventy eighty ninety".split()


def in_words(value: int, hyphen: str, joint: str) -> str:
    """An independent speller of whole numbers."""
    if value < 20:
        return ONES[value]
    if value < 100:
        return TENS[value // 10] + (hyphen + ONES[value % 10] if value % 10 else "")
    for size, name in ((10**6, "million"), (1000, "thousand"), (100, "hundred")):
        if value >= size:
            rest = value % size
            tail = (joint if rest < 100 else " ") + in_words(rest, hyphen, joint) if rest else ""
            return f"{in_words(value // size, hyphen, joint)} {name}{tail}"
    raise AssertionError(value)


@given(st.integers(1, 999_999_999), st.sampled_from([" ", "-"]), st.sampled_from([" ", " and "]))
def test_numbers_in_words_are_read_exactly(value: int, hyphen: str, joint: str) -> None:
    assert numbers(f"{in_words(value, hyphen, joint)} seconds") == [value]


@given(st.integers(1, 99), st.integers(1, 99), st.characters(exclude_characters="-./ ,eE"))
def test_no_character_between_digits_changes_the_number_unnoticed(
    first: int, second: int, character: str
) -> None:
    """Whatever stands between two runs of digits: read as a reader sees it, or refused, or reported."""
    try:
        lifted = within(f"{first}{character}{second:02d} seconds")
    except FragmentError:
        return
    plain = unicodedata.normalize("NFKC", character)
    if unicodedata.category(character) == "Pd" or character in "\u2212\u2043":
        seen = list(dict.fromkeys([Fraction(first), Fraction(second)]))
    elif plain.isdecimal() or plain == ".":
        seen = [Fraction(f"{first}{plain}{second:02d}")]
    else:
        seen = []
    assert lifted.unread or list(lifted.numbers.values()) == seen, character


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("(prop_1) is true starting from the 40th time unit", [40]),
        ("(prop_1) happens within 293 time units, from the 40th time step on", [293, 40]),
        ("(prop_1) happens after391 timesteps", [391]),
        ("for2 to 5 time units (prop_1) holds", [2, 5]),
    ],
)
def test_ordinals_of_time_and_forgotten_spaces(text: str, read: list[int]) -> None:
    lifted = lift(text, "stl")
    assert list(lifted.numbers.values()) == read and list(lifted.names.values()) == ["prop_1"]


@pytest.mark.parametrize(
    "text", ["every 10th time step (prop_1)", "(prop_1) the 3rd time", "after the 2nd visit (prop_1)"]
)
def test_other_ordinals_count(text: str) -> None:
    assert not lift(text, "stl").numbers


@pytest.mark.parametrize(
    "said",
    ["one forty", "two fifty", "one-oh-five", "one ten", "nineteen ninety", "one twenty-five", "five-oh"],
)
@pytest.mark.parametrize(
    "frame", ["(p) is on within {} seconds", "for less than {} seconds (p) holds", "after {} seconds (p)"]
)
def test_numbers_as_prices_are_said_are_refused(said: str, frame: str) -> None:
    """ "One forty" is 140, 1.40 or twenty to two."""
    with pytest.raises(FragmentError, match="is not understood"):
        lift(frame.format(said), "stl")


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("within one hundred and five seconds (p)", [105]),
        ("(p) holds for twenty-five seconds", [25]),
        ("(p) and the other one ten seconds later", [10]),
        ("between ten and twenty seconds later (p)", [10, 20]),
    ],
)
def test_numbers_in_words_are_read_whole(text: str, read: list[int]) -> None:
    assert list(lift(text, "stl").numbers.values()) == read


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("is never outside 1 to 6 bar", "outside"),
        ("does not leave the band from 1 to 6 bar", "leave"),
        ("is inside 1 to 6 bar", "inside"),
    ],
)
def test_what_compares_a_signal_is_kept(said: str, kept: str) -> None:
    """ "Outside" taken for a part of the name would turn the range round."""
    names = Vocabulary(
        propositions=(Entry(name="pressure", type="number", unit="bar"), Entry(name="alarm_on")),
        time_unit="s",
    )
    assert kept in lift(f"If the pressure {said}, the alarm is on.", "stl", names).tokens
