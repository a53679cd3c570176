"""Durations as people say them: "half an hour", "a minute and a half", "the first hour", "within three".

Each is written anew as one number and its unit, the form that ``words`` reads. What is left over, and would be read as
another number, is refused there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from assent.errors import FragmentError
from assent.lift.figures import BEFORE_A_DAY, RANGE, Word, is_one_day, is_one_unit, spoken_number
from assent.lift.quantities import FURTHER, LONG_UNIT_WORDS, MORE_OR_LESS, SECONDS_IN, UNIT_WORDS
from assent.lift.units import is_rate
from assent.vocabulary import Entry

# What may stand between a number and its unit without changing either.
_EMPHASIS = frozenset("whole full entire solid straight consecutive".split())
# Before "hour" or "minute" alone, these say that one of it is meant.
_ONE_OF = frozenset("first next last following coming initial whole entire full every each".split())
_BEFORE_A_NUMBER_ALONE = frozenset(
    "within for after inside in another by every before least most the and all".split()
)
# After a number whose unit was said before.
_AFTER_A_NUMBER_ALONE = frozenset(
    """
    more further following that after afterwards later ahead max maximum at tops are have has is following flat
    on in
    """.split()
)
# What follows "the hour" or "the minute" where one of it is meant.
_AFTER_THE_UNIT = frozenset("after following mark that of from thereafter before preceding".split())
_BEFORE_A_MARK = frozenset("between from and to through until by at before after than in throughout".split())
_WITHIN_A_MARK = frozenset("in during of".split())
_LATER_ORDINALS = frozenset("second third fourth fifth sixth seventh eighth ninth tenth".split())
_ENDS = frozenset(
    ", . ; : ? ! ) - and or but then from of straight if when whenever until unless while".split()
)
_LATER = frozenset("later after afterwards afterward before".split())
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
    return spoken_number(words, i)


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
    short = _figure(words, after + skip) if skip and simple.unit in ("minute", "hour") else None
    if rest is None and short is not None and i + simple.used + 1 + short[1] < len(words) + 1:
        follower = _text(words, after + skip + short[1])
        if (follower in _ENDS or follower == "") and short[0] < 60 and short[0].denominator == 1:
            below = "seconds" if simple.unit == "minute" else "minutes"  # "a minute and forty"
            return _Duration(60 * simple.value + short[0], below, simple.used + 1 + short[1])
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
    if text in _SINGULAR and _text(words, i - 1) in _ONE_OF and not _of_the_day(words, i):
        return _Duration(Fraction(1), text, 1)
    if _is_the_unit(words, i):
        return _Duration(Fraction(1), text, 1)
    if (
        text in ("a", "an")
        and not (i and is_rate(words, i))
        and (
            is_one_unit(words, i)
            or (_text(words, i + 1) in ("day", "week") and _text(words, i - 1) in BEFORE_A_DAY)
        )
    ):
        return _Duration(Fraction(1), _text(words, i + 1), 2)
    if text in ("a", "an") and i and is_rate(words, i):
        return None
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
    if _text(words, at + 1) == "/":  # "7 mS/cm" is no time
        return None
    return _Duration(value, unit, at + 1 - i, plain and further is None, further)


def _of_the_day(words: Sequence[Word], i: int) -> bool:
    """ "Every minute of the day" is always."""
    return _text(words, i - 1) in ("every", "each") and _text(words, i + 1) == "of"


def _is_the_unit(words: Sequence[Word], i: int) -> bool:
    """ "Within the minute", "the hour after that", "the opening minute and a half"."""
    if _text(words, i) not in ("minute", "hour") or words[i].value is not None:
        return False
    before, after = _text(words, i - 1), _text(words, i + 1)
    if before in ("a", "an", "of", "half", "quarter", "per", "by") or _figure(words, i - 1):
        return False
    if before == "the" and (_text(words, i - 2) == "within" or after in _AFTER_THE_UNIT):
        return True
    if _text(words, i - 2) in ("a", "an", "one") and before.isalpha() and before not in UNIT_WORDS:
        return True  # "an unbroken hour"
    half = [_text(words, i + k) for k in range(1, 4)] == ["and", "a", "half"]
    smaller = _figure(words, i + 2) if after == "and" else None
    return half or (smaller is not None and _text(words, i + 2 + smaller[1]) in UNIT_WORDS)


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
    if _text(words, i - 1) in _LATER_ORDINALS and unit in ("minute", "hour"):
        raise _which_time(words, i - 1, i + 1)
    found = _figure(words, i + 1)
    if found is None or _text(words, i + 1 + found[1]) in UNIT_WORDS:
        return None
    before = _text(words, i - 1)
    ends = before == "of" and _text(words, i - 2) == "end"
    if not ends and before in _WITHIN_A_MARK and unit != "second":
        raise _which_time(words, i, i + 1 + found[1])
    return _Duration(found[0], unit, 1 + found[1]) if ends or before in _BEFORE_A_MARK else None


def _which_time(words: Sequence[Word], start: int, end: int) -> FragmentError:
    """ "In the third minute", "at the start of minute 3": people differ in whether that is behind two or three."""
    said = " ".join(w.written or w.text for w in words[start:end])
    return FragmentError(
        f"{said!r} is not understood: say from when to when, as in 'from minute 2 to minute 3'"
    )


def _elliptic(words: Sequence[Word], i: int, unit: str | None) -> _Duration | None:
    """ "Within a minute, or within two", "in another ten": the unit is the one said before."""
    found = _figure(words, i)
    if found is None or (_text(words, i) == "one" and _text(words, i + 1) not in ("more", "further")):
        return None
    value, used = found
    before, after = _text(words, i - 1), _text(words, i + used)
    stands_alone = before in _BEFORE_A_NUMBER_ALONE and (i + used >= len(words) or after in _ENDS)
    follows = i + used + 1
    if after == "or" and _text(words, follows) in MORE_OR_LESS:
        return None
    if after in ("-", "and", "or", "to") and _figure(words, follows):
        return None  # "within 5 - 12 s", "for 3 and 4 seconds": its unit follows
    if unit is not None and words[i].text not in _ROUND_WORDS:
        goes_on = before in _BEFORE_A_NUMBER_ALONE and after in _AFTER_A_NUMBER_ALONE
        goes_on = goes_on or (before == "and" and after == "to")  # "five seconds to stop and eight to close"
        goes_on = goes_on or (after in ("more", "further") and _text(words, follows) not in _MEASURED)
        if _compares(words, i) or not (goes_on or stands_alone):
            return None
        further = words[i + used] if after in FURTHER else None
        return _Duration(value, unit, used + (further is not None), further=further)
    if words[i].value is None and stands_alone and before in ("within", "for", "after", "inside"):
        said = " ".join(w.text for w in words[i : i + used])
        raise FragmentError(f"the number {said!r} is not understood: say its unit")
    return None


_ROUND_WORDS = frozenset(["zero"])
_MEASURED = frozenset("degrees percent metres meters bar volts kilos times of".split())


def _compares(words: Sequence[Word], i: int) -> bool:
    """Whether what stands before says that something else than time is meant: "speed at least 5"."""
    before = [_text(words, k) for k in (i - 1, i - 2)]
    if before[0] in ("least", "most"):
        return not any(
            _text(words, k) in ("for", "lasts", "last", "stays", "within") for k in range(i - 5, i)
        )
    return (
        before[0] in ("than", "above", "below", "over", "under", "between")
        or (before[0] == "and" and any(w.text == "between" for w in words[max(0, i - 5) : i]))
        or (before[0] == "the" and before[1] not in ("in", "within", "for"))
    )


# Without one of these no figure is told in everyday words, and nothing lies outside a range.
_EVERYDAY = frozenset(
    """
    half quarter quarters fifth fifths eighth eighths tenth tenths metre metres meter meters a an hour tops nil zero
    """.split()
)
_OUTSIDE = frozenset("leave leaves leaving left not anywhere anything out away outside".split())


def in_figures(words: Sequence[Word], entries: Sequence[Entry]) -> list[Word]:
    """See ``everyday``, which is loaded where there may be any."""
    if not _EVERYDAY & {word.text for word in words}:
        return list(words)
    from assent.lift import everyday

    return everyday.in_figures(words, entries)


def spelled_outside(words: Sequence[Word]) -> list[Word]:
    """See ``ranges``, which is loaded where there may be any."""
    if not _OUTSIDE & {word.text for word in words}:
        return list(words)
    from assent.lift import ranges

    return ranges.spelled_outside(words)
