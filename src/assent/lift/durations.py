"""Durations as people say them: "half an hour", "a minute and a half", "the first hour", "within three".

Each is written anew as one number and its unit, the form that ``words`` reads. What is left over, and would be read as
another number, is refused there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from assent.errors import FragmentError
from assent.lift.figures import BEFORE_A_DAY, RANGE, Word, is_one_day, is_one_unit
from assent.lift.quantities import FURTHER, LONG_UNIT_WORDS, SECONDS_IN, UNIT_WORDS, number_word_value

# What may stand between a number and its unit without changing either.
_EMPHASIS = frozenset("whole full entire solid straight consecutive".split())
# Before "hour" or "minute" alone, these say that one of it is meant.
_ONE_OF = frozenset("first next last following coming initial whole entire full every each".split())
_BEFORE_A_NUMBER_ALONE = frozenset(["within", "for", "after", "inside"])
_BEFORE_A_MARK = frozenset("between from and to through until by at before after than in".split())
_ENDS = frozenset(
    ", . ; : ? ! ) - and or but then from of straight if when whenever until unless while".split()
)
_LATER = frozenset("later after afterwards afterward from before".split())
_SINGULAR = frozenset(
    word for word in LONG_UNIT_WORDS if not word.endswith("s") and word not in ("second", "sec", "msec")
)


@dataclass(frozen=True, slots=True)
class _Duration:
    value: Fraction
    unit: str  # the word
    used: int  # words it takes
    plain: bool = False  # a figure and its unit, as they stand
    further: Word | None = None  # "more", said between them


def spell_durations(words: Sequence[Word]) -> list[Word]:
    """The same words with every duration as one number followed by its unit."""
    out: list[Word] = []
    unit: str | None = None  # of the last duration: "within a minute, or within two"
    i = 0
    while i < len(words):
        found = _marked_time(words, i) or _duration(words, i) or _elliptic(words, i, unit)
        if found is None:
            out.append(words[i])
            i += 1
            continue
        unit = found.unit
        if found.plain:
            out += words[i : i + found.used]
            i += found.used
            continue
        first, last = words[i], words[i + found.used - 1]
        out.append(Word("#", first.start, last.end, found.value))
        if found.further is not None:
            out.append(found.further)
        out.append(Word(unit, last.end, last.end))
        i += found.used
    return out


def _text(words: Sequence[Word], i: int) -> str:
    return words[i].text if 0 <= i < len(words) else ""


def _figure(words: Sequence[Word], i: int) -> tuple[Fraction, int] | None:
    """A number in figures or words."""
    if i >= len(words):
        return None
    value = words[i].value
    if value is not None:
        return value, 1
    if _text(words, i) in ("a", "an", "half", "quarter"):
        return None
    found = number_word_value([w.text for w in words[i : i + 6] if w.text != "-"])
    if found is None:
        return None
    value, used = found
    return value, used + sum(w.text == "-" for w in words[i : i + used + 1][1:-1])


def _duration(words: Sequence[Word], i: int) -> _Duration | None:
    simple = _simple(words, i)
    if simple is None:
        return None
    after = i + simple.used
    if [_text(words, after + k) for k in range(2)] == ["and", "a"] and _text(words, after + 2) in _PARTS:
        part = _PARTS[_text(words, after + 2)]
        return _Duration(simple.value + part, simple.unit, simple.used + 3)
    skip = 1 if _text(words, after) == "and" else 0
    rest = _simple(words, after + skip)
    if rest is None or (skip and any(w.text in RANGE for w in words[max(0, i - 3) : i])):
        return simple
    large, small = (SECONDS_IN[UNIT_WORDS[item.unit]] for item in (simple, rest))
    used = simple.used + skip + rest.used
    if small >= large or _text(words, i + used) in _LATER:  # "for an hour and 5 minutes later ..." are two
        return simple
    return _Duration(simple.value * large / small + rest.value, rest.unit, used)


_PARTS = {"half": Fraction(1, 2), "quarter": Fraction(1, 4)}


def _simple(words: Sequence[Word], i: int) -> _Duration | None:
    """A number and a unit, or a word that stands for both."""
    text = _text(words, i)
    if text in _SINGULAR and _text(words, i - 1) in _ONE_OF:
        return _Duration(Fraction(1), text, 1)
    if text in ("minute", "hour") and _text(words, i - 1) == "the" and _text(words, i - 2) == "within":
        return _Duration(Fraction(1), text, 1)
    if text in ("a", "an") and (
        is_one_unit(words, i)
        or (_text(words, i + 1) in ("day", "week") and _text(words, i - 1) in BEFORE_A_DAY)
    ):
        return _Duration(Fraction(1), _text(words, i + 1), 2)
    part = _part(words, i)
    if part is not None:
        return part
    found = _figure(words, i)
    if found is None or is_one_day(words, i):
        return None
    value, used = found
    at = i + used
    if [_text(words, at + k) for k in range(3)] == ["and", "a", "half"]:
        value, at = value + Fraction(1, 2), at + 3
    plain = at == i + used
    if _text(words, at) == "-":
        at += 1
    while _text(words, at) in _EMPHASIS:
        at, plain = at + 1, False
    further = words[at] if _text(words, at) in FURTHER else None
    at += further is not None
    unit = _text(words, at)
    if unit not in UNIT_WORDS or (len(unit) == 1 and words[at - 1].value is None):
        return None
    return _Duration(value, unit, at + 1 - i, plain and further is None, further)


def _part(words: Sequence[Word], i: int) -> _Duration | None:
    """ "Half an hour", "a quarter of an hour", "three quarters of an hour", "half-hour"."""
    at, times = i, Fraction(1)
    if _text(words, at) in ("a", "one", "three"):
        times = Fraction(3 if _text(words, at) == "three" else 1)
        at += 1
    part = _PARTS.get(_text(words, at).removesuffix("s"))
    if part is None or (times == 3) != _text(words, at).endswith("s"):
        return None
    at += 1
    for filler in (("of",), ("a", "an", "-")):
        if _text(words, at) in filler:
            at += 1
    unit = _text(words, at)
    if unit not in _SINGULAR and unit != "second":
        return None
    return _Duration(times * part, unit, at + 1 - i)


def _marked_time(words: Sequence[Word], i: int) -> _Duration | None:
    """ "Between minute 5 and minute 10": the unit stands before the figure."""
    unit = _text(words, i)
    if unit not in _SINGULAR and unit != "second":
        return None
    figure = words[i + 1].value if i + 1 < len(words) else None
    if figure is None or _text(words, i - 1) not in _BEFORE_A_MARK or _text(words, i + 2) in UNIT_WORDS:
        return None
    return _Duration(figure, unit, 2)


def _elliptic(words: Sequence[Word], i: int, unit: str | None) -> _Duration | None:
    """ "Within a minute, or within two": the unit is the one said before."""
    if _text(words, i - 1) not in _BEFORE_A_NUMBER_ALONE:
        return None
    found = _figure(words, i)
    if found is None or (i + found[1] < len(words) and _text(words, i + found[1]) not in _ENDS):
        return None
    follows = i + found[1] + 1
    if follows < len(words) and _text(words, follows - 1) in ("-", "and", "or") and _figure(words, follows):
        return None  # "within 5 - 12 s", "for 3 and 4 seconds": its unit follows
    if unit is not None:
        return _Duration(found[0], unit, found[1])
    if words[i].value is None:
        said = " ".join(w.text for w in words[i : i + found[1]])
        raise FragmentError(f"the number {said!r} is not understood: say its unit")
    return None
