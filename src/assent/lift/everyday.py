"""Figures as people say them of what is measured: "half a tank", "a metre twenty", "fifteen an hour", "5 tops".

Each is written anew as a number and its unit. What might be another number stays as it is, and is a doubt or refused
further on: a third is no percentage that anybody could write down.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction

from assent.lift.figures import Word, refuse, spoken_number
from assent.lift.measures import fits, own_unit
from assent.lift.quantities import MORE_OR_LESS, UNIT_WORDS, size_of
from assent.lift.units import is_spoken_unit, unit_at
from assent.vocabulary import Entry

_PARTS = {"quarter": 4, "fifth": 5, "eighth": 8, "tenth": 10}
_TIMES = dict(zip("a one two three four five six seven eight nine".split(), (1, *range(1, 10)), strict=True))
_COMPARES = frozenset(
    "than below above under over least most past exceed exceeds exceeding reach reaches to at between".split()
)
_WHOSE = frozenset("a the its his her their".split())
_FULL = frozenset("full left charged remaining capacity charge".split())
_ENDS = frozenset(
    ", . ; : ? ! and or but while when if until unless then for within shall must is are".split()
)
_BOUNDS_TIME = frozenset("within inside in for after by every".split())
Spelt = tuple[list[Word], int] | None
"""What stands for so many words."""


def in_figures(words: Sequence[Word], entries: Sequence[Entry]) -> list[Word]:
    """The words with figures in everyday words as numbers and units."""
    signals = [entry for entry in entries if entry.type == "number"]
    rules: list[Callable[[Sequence[Word], int, Sequence[Entry]], Spelt]] = [
        _share,
        _part_of_range,
        _metre_and,
        _measures_and_a_half,
        _one_measure,
        _an_hour,
        _tops,
        _nil,
    ]
    out: list[Word] = []
    i = 0
    while i < len(words):
        found = next((f for rule in rules if signals and (f := rule(words, i, signals)) is not None), None)
        out += found[0] if found is not None else [words[i]]
        i += found[1] if found is not None else 1
    return out


def _text(words: Sequence[Word], i: int) -> str:
    return words[i].text if 0 <= i < len(words) else ""


def _number(value: Fraction, words: Sequence[Word], i: int, used: int) -> Word:
    return Word("#", words[i].start, words[i + used - 1].end, value)


def _after(text: str, word: Word) -> Word:
    return Word(text, word.end, word.end, written=text)


def _fraction(words: Sequence[Word], i: int) -> tuple[Fraction, int] | None:
    """ "Half", "a quarter", "nine tenths"."""
    if _text(words, i) == "half":
        return Fraction(1, 2), 1
    times, part = _TIMES.get(_text(words, i)), _text(words, i + 1)
    below = _PARTS.get(part.removesuffix("s"))
    if times is None or below is None or (times > 1) != part.endswith("s") or times >= below:
        return None
    return Fraction(times, below), 2


def _share(words: Sequence[Word], i: int, signals: Sequence[Entry]) -> Spelt:
    """ "Half a tank", "three quarters full", "below a fifth" of what is measured in percent."""
    found = _fraction(words, i)
    if found is None or not any(own_unit(entry).startswith("%") for entry in signals):
        return None
    value, used = found
    after, behind = _text(words, i + used), _text(words, i + used + 1)
    whole = after in _WHOSE and value == Fraction(1, 2) and not _is_unit(words, i + used + 1)
    whole = whole or (after == "of" and behind in ("the", "its"))
    compared = _text(words, i - 1) in _COMPARES and (not after or after in _ENDS)
    if not (whole or compared or after in _FULL) or _part_of_range(words, i, signals) is not None:
        return None
    used += (after in _WHOSE) + 2 * (after == "of")
    number = _number(100 * value, words, i, used)
    return [number, _after("%", number)], used


def _is_unit(words: Sequence[Word], i: int) -> bool:
    return _text(words, i) in UNIT_WORDS or is_spoken_unit(words, i)


def _part_of_range(words: Sequence[Word], i: int, signals: Sequence[Entry]) -> Spelt:
    """ "Between a quarter and half a bar", "one and a half and three bar": the unit stands behind the other end."""
    found = _fraction(words, i) or _and_a_half(words, i)
    if found is None or _text(words, i + found[1]) not in ("and", "to"):
        return None
    value, used = found
    other = _fraction(words, i + used + 1) or spoken_number(words, i + used + 1)
    if other is None:
        return None
    end = i + used + 1 + other[1]
    end += _text(words, end) in ("a", "an")
    return ([_number(value, words, i, used)], used) if is_spoken_unit(words, end) else None


def _and_a_half(words: Sequence[Word], i: int) -> tuple[Fraction, int] | None:
    found = spoken_number(words, i)
    if found is None or [_text(words, i + found[1] + k) for k in range(3)] != ["and", "a", "half"]:
        return None
    return found[0] + Fraction(1, 2), found[1] + 3


def _metre_and(words: Sequence[Word], i: int, signals: Sequence[Entry]) -> Spelt:
    """ "A metre twenty" is 1.20 m."""
    whole = (Fraction(1), 1) if _text(words, i) == "a" else _plain(words, i)
    if whole is None or _text(words, i + whole[1]) not in ("metre", "metres", "meter", "meters"):
        return None
    at = i + whole[1] + 1
    rest = _plain(words, at)
    if rest is None or not 10 <= rest[0] < 100 or _is_unit(words, at + rest[1]):
        return None
    number = _number(whole[0] + rest[0] / 100, words, i, at + rest[1] - i)
    return [number, _after("metres", number)], at + rest[1] - i


def _plain(words: Sequence[Word], i: int) -> tuple[Fraction, int] | None:
    """A whole number in figures or words."""
    value = words[i].value if i < len(words) else None
    found = (value, 1) if value is not None else spoken_number(words, i) if i < len(words) else None
    return found if found is not None and found[0].denominator == 1 else None


def _one_measure(words: Sequence[Word], i: int, signals: Sequence[Entry]) -> Spelt:
    """ "Down to a kilo or less" is one kilo."""
    if _text(words, i) not in ("a", "an") or _text(words, i - 1) == "of" or not is_spoken_unit(words, i + 1):
        return None
    said = unit_at(words, i + 1)
    if said is None or size_of(said.unit) is None or not any(fits(said.unit, entry) for entry in signals):
        return None
    part = _and_a(words, said.end)
    if part:
        number = _number(1 + part, words, i, said.end + 3 - i)
        return [number, *words[i + 1 : said.end]], said.end + 3 - i
    or_less = _text(words, said.end) == "or" and _text(words, said.end + 1) in MORE_OR_LESS
    compared = _text(words, i - 1) in _COMPARES - {"at", "to"}
    ends = not _text(words, said.end) or _text(words, said.end) in _ENDS
    return ([_number(Fraction(1), words, i, 1)], 1) if or_less or (compared and ends) else None


def _and_a(words: Sequence[Word], i: int) -> Fraction:
    """What "and a half" adds to the measure before it; 0 for nothing."""
    said = [_text(words, i + k) for k in range(3)]
    part = {"half": Fraction(1, 2), "quarter": Fraction(1, 4)}.get(said[2], Fraction(0))
    return part if said[:2] == ["and", "a"] and not _is_unit(words, i + 3) else Fraction(0)


def _measures_and_a_half(words: Sequence[Word], i: int, signals: Sequence[Entry]) -> Spelt:
    """ "Two metres and a half"."""
    found = _plain(words, i)
    said = unit_at(words, i + found[1]) if found is not None else None
    if found is None or said is None or size_of(said.unit) is None or not (part := _and_a(words, said.end)):
        return None
    if not any(fits(said.unit, entry) for entry in signals) or _text(words, i + found[1]) in UNIT_WORDS:
        return None
    number = _number(found[0] + part, words, i, said.end + 3 - i)
    return [number, *words[i + found[1] : said.end]], said.end + 3 - i


def _an_hour(words: Sequence[Word], i: int, signals: Sequence[Entry]) -> Spelt:
    """ "Fifteen an hour" is the speed of the only signal that is measured by the hour."""
    found = _plain(words, i)
    at = i if found is None else i + found[1]
    if found is None or _text(words, at + 1) != "hour" or words[at].value != 1 or words[at].text != "#":
        return None  # durations are spelt already
    units = [own_unit(entry) for entry in signals if own_unit(entry).endswith("/h")]
    if len(units) != 1:
        refuse(f"{words[i].text} an hour", "say its unit")
    number = _number(found[0], words, i, found[1] + 2)
    above = units[0].removesuffix("/h")
    return [number, *(_after(text, number) for text in (above, "/", "h"))], found[1] + 2


def _tops(words: Sequence[Word], i: int, signals: Sequence[Entry]) -> Spelt:
    """ "5 tops" is at most 5, unless it bounds a time."""
    found = _plain(words, i)
    if found is None or _text(words, i - 1) in _BOUNDS_TIME:
        return None
    value, used = found
    unit = unit_at(words, i + used)
    end = i + used if unit is None else unit.end
    if _text(words, end) != "tops" or _text(words, end - 1) in UNIT_WORDS:
        return None
    first = words[i]
    bound = [Word(text, first.start, first.start) for text in ("at", "most")]
    return [*bound, _number(value, words, i, used), *words[i + used : end]], end + 1 - i


def _nil(words: Sequence[Word], i: int, signals: Sequence[Entry]) -> Spelt:
    """ "Until suction is nil", "the speedo says zero": a value; models know the word "zero" where it stands alone."""
    text, before, after = (_text(words, k) for k in (i, i - 1, i + 1))
    if after and after not in _ENDS:
        return None
    if text == "nil" and before in ("to", "at", "of"):
        return [replace(words[i], text="zero")], 1
    if (text in ("nil", "zero") and before in _SHOWS) or (text == "nil" and before in ("is", "are")):
        return [_number(Fraction(0), words, i, 1)], 1
    return None


_SHOWS = frozenset("says reads shows".split())
