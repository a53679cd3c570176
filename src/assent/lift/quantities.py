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
MORE_OR_LESS = frozenset(
    """
    more less fewer higher lower above below over under greater better worse colder cooler hotter warmer faster slower
    """.split()
)
"""After "5 or", these say that something is compared with it."""
# A number in words before one of these is measured in it.
MEASURES = frozenset(
    """
    degree degrees celsius percent bar millibar volt volts amp amps ampere watt watts kilowatt kilowatts metre metres
    meter meters centimetre centimetres centimeter centimeters millimetre millimetres millimeter millimeters kilometre
    kilometres kilometers litre litres liter liters kilo kilos kilogram kilograms gram grams tonne tonnes ton tons
    newton newtons rpm revolutions knots hertz decibel decibels ppm lux
    """.split()
)
_ONES = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
    sixteen seventeen eighteen nineteen
    """.split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_VALUES = {word: i for i, word in enumerate(_ONES)} | {word: 10 * i for i, word in enumerate(_TENS, 2)}
_SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9}
MAGNITUDES = frozenset(
    """
    hundred hundreds thousand thousands million millions billion billions dozen dozens score scores tenth tenths
    hundredth hundredths thousandth thousandths
    """.split()
)
NUMBER_WORDS = frozenset(_VALUES) | {"hundred", "thousand", "million", "half", "quarter", "dozen"}
SMALL_NUMBER_WORDS = tuple(_ONES)


def number_word_value(words: list[str]) -> tuple[Fraction, int] | None:
    """Value of the number that starts ``words``, and how many words it takes ('twenty five': 2)."""
    if not words:
        return None
    first = words[0]
    if first in ("half", "quarter") and words[1:2] in (["a"], ["an"]):
        return (Fraction(1, 2) if first == "half" else Fraction(1, 4)), 2
    if first == "dozen" or words[:2] == ["a", "dozen"]:
        return Fraction(12), 1 + (first == "a")
    if first in ("a", "one") and words[1:2] and words[1] in _SCALES:
        value, used = _whole(["one", *words[1:]])
        return Fraction(value), used
    if first not in _VALUES:
        return None
    value, used = _whole(words)
    if words[used : used + 1] == ["point"] and words[used + 1 : used + 2] and words[used + 1] in _ONES[:10]:
        return _with_decimals(value, words, used + 1)
    return Fraction(value), used


_PARTS = {"half": 2, "third": 3, "quarter": 4, "fifth": 5, "eighth": 8, "tenth": 10, "hundredth": 100}


def part_at(words: list[str]) -> tuple[Fraction, int] | None:
    """ "A tenth of a", "three quarters of an", "half a": part of one unit, and how many words say so."""
    at, times = 0, 1
    if words[:1] and (words[0] in ("a", "an") or words[0] in _ONES[1:10]):
        times = 1 if words[0] in ("a", "an") else _VALUES[words[0]]
        at = 1
    below = _PARTS.get(words[at].removesuffix("s")) if at < len(words) else None
    if below is None or (at == 0 and words[0] != "half") or (times > 1) != words[at].endswith("s"):
        return None
    after = words[at + 1 : at + 3]
    if after and after[0] == "of" and after[1:] and after[1] in ("a", "an"):
        return Fraction(times, below), at + 3
    if at == 0 and after and after[0] in ("a", "an"):
        return Fraction(1, 2), 2
    return None


def _with_decimals(value: int, words: list[str], at: int) -> tuple[Fraction, int]:
    """ "One point two five"."""
    digits = ""
    while at < len(words) and words[at] in _ONES[:10]:
        digits, at = digits + str(_VALUES[words[at]]), at + 1
    return Fraction(f"{value}.{digits}"), at


def _whole(words: list[str]) -> tuple[int, int]:
    """A whole number in words: "two thousand three hundred and five"."""
    total, part, used = 0, 0, 0
    limit = 10**12  # each scale must be smaller than the one before
    value, used = _below_hundred(words)
    part = value
    while used < len(words):
        word = words[used]
        if word in _SCALES and (part if word == "hundred" else total + part):
            scale = _SCALES[word]
            if scale >= limit and scale > 100:
                break
            if scale == 100:
                part *= 100
            else:
                total, part, limit = total + part * scale, 0, scale
            used += 1
            continue
        skip = 1 if word == "and" else 0
        after_scale = words[used - 1] in _SCALES
        following = words[used + skip] if used + skip < len(words) else ""
        if not after_scale or _VALUES.get(following, 0) == 0:
            break
        more, taken = _below_hundred(words[used + skip :])
        part, used = part + more, used + skip + taken
    return total + part, used


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
