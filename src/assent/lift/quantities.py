"""Numbers and durations in English: digits, number words, units, ranges."""

from __future__ import annotations

from fractions import Fraction

from assent.errors import FragmentError

SECONDS_IN = {
    "ms": Fraction(1, 1000),
    "s": Fraction(1),
    "min": Fraction(60),
    "h": Fraction(3600),
    "d": Fraction(86400),
    "w": Fraction(604800),
}
UNIT_WORDS = {
    **dict.fromkeys(("ms", "msec", "msecs", "millisecond", "milliseconds", "millis"), "ms"),
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), "s"),
    **dict.fromkeys(("min", "mins", "minute", "minutes"), "min"),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), "h"),
    **dict.fromkeys(("day", "days"), "d"),
    **dict.fromkeys(("week", "weeks"), "w"),
}
LONG_UNIT_WORDS = frozenset(word for word in UNIT_WORDS if len(word) > 2)
FURTHER = frozenset("more further additional extra".split())
"""May stand between a number and its unit, and say from when it counts."""
# Words after a number that say it is a time, without saying in which unit.
PLAIN_UNIT_WORDS = frozenset(
    """
    unit units step steps timestep timesteps tick ticks cycle cycles sample samples time moments
    instants
    """.split()
)
_ONES = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
    sixteen seventeen eighteen nineteen
    """.split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_VALUES = {word: i for i, word in enumerate(_ONES)} | {word: 10 * i for i, word in enumerate(_TENS, 2)}
NUMBER_WORDS = frozenset(_VALUES) | {"hundred", "half", "quarter", "dozen"}
SMALL_NUMBER_WORDS = tuple(_ONES)


def number_word_value(words: list[str]) -> tuple[Fraction, int] | None:
    """Value of the number that starts ``words``, and how many words it takes ('twenty five': 2)."""
    if not words:
        return None
    first = words[0]
    if first in ("half", "quarter") and words[1:2] in (["a"], ["an"]):
        return (Fraction(1, 2) if first == "half" else Fraction(1, 4)), 2
    if first == "dozen":
        return Fraction(12), 1
    if first == "a" and words[1:2] in (["hundred"], ["dozen"]):
        return Fraction(100 if words[1] == "hundred" else 12), 2
    if first not in _VALUES:
        return None
    value, used = _below_hundred(words)
    if words[used : used + 1] == ["hundred"]:
        value, used = value * 100, used + 1
        skip = 1 if words[used : used + 1] == ["and"] else 0
        rest = words[used + skip :]
        if rest and rest[0] in _VALUES and _VALUES[rest[0]] > 0:
            more, taken = _below_hundred(rest)
            value, used = value + more, used + skip + taken
    return Fraction(value), used


def _below_hundred(words: list[str]) -> tuple[int, int]:
    value = _VALUES[words[0]]
    if value >= 20 and len(words) > 1 and 1 <= _VALUES.get(words[1], 0) <= 9:
        return value + _VALUES[words[1]], 2
    return value, 1


def convert(value: Fraction, unit: str | None, to: str) -> Fraction:
    """A duration in another unit; unitless numbers stay as they are, and nothing says how long a step is."""
    if unit is None:
        return value
    if to not in SECONDS_IN:
        raise FragmentError(f"the instruction counts in {unit} and the vocabulary in {to}: say it in {to}")
    return value * SECONDS_IN[unit] / SECONDS_IN[to]
