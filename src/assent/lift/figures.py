"""Numbers as people write them: "1,000", ".5", "a minute"; what cannot be read whole is refused.

Half a number is another number: "1,000 seconds" read as one second would give a formula that looks fine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import NoReturn

from assent.errors import FragmentError
from assent.lift.quantities import SECONDS_IN, UNIT_WORDS


@dataclass(frozen=True, slots=True)
class Word:
    """One token and the part of the text it came from; ``value`` is set for numbers."""

    text: str
    start: int
    end: int
    value: Fraction | None = None


_MAGNITUDES = frozenset("hundred hundreds thousand thousands million millions billion billions dozen".split())
_OTHER_UNITS = frozenset(
    """
    month months year years fortnight decade ns us \u00b5 \u03bc nanosecond nanoseconds
    microsecond microseconds
    """.split()
)
RANGE = frozenset(["between", "from"])
# After "a second" these tell the duration from the ordinal ("a second visit").
_AFTER_SECOND = frozenset(
    ", . ; : ! ? ) of after from before and or if when whenever until then once at".split()
)


def written_numbers(words: Sequence[Word]) -> list[Word]:
    """Figures put together where several tokens write one number; FragmentError where they are not understood."""
    out: list[Word] = []
    depth = 0  # "[5,100]" is an interval, "5,100" a number
    for i, word in enumerate(words):
        depth += (word.text in "[(") - (word.text in "])")
        before = out[-1] if out else None
        following = words[i + 1] if i + 1 < len(words) else None
        if word.value is None:
            signed = word.text == "-" and following is not None and following.start == word.end
            if (
                signed
                and following is not None
                and following.value is not None
                and not _touches(before, word)
            ):
                _refuse(f"-{following.text}", "negative numbers are not read")
            if not word.text.isascii() and word.text.isnumeric():
                _refuse(word.text, "write it with the figures 0 to 9")
            out.append(word)
            continue
        if before is None or before.end != word.start:
            if before is not None and before.text in ("minus", "negative"):
                _refuse(f"{before.text} {word.text}", "negative numbers are not read")
            out.append(word)
            continue
        point = out[-2] if len(out) > 1 else None
        joined = point is not None and point.value is not None and _touches(point, before)
        if before.text == "." and word.value is not None:
            if joined:
                _refuse(f"{point.text}.{word.text}", "a number has one point")  # type: ignore[union-attr]
            value = (
                Fraction(f"0.{word.text}") if word.text.isdigit() else _refuse(f".{word.text}", "two points")
            )
            out[-1] = Word(f".{word.text}", before.start, word.end, value)
        elif before.text == "/" and joined:
            _refuse(f"{point.text}/{word.text}", "write a fraction as a decimal")  # type: ignore[union-attr]
        elif before.text == "," and joined and point is not None and depth == 0 and _thousands(point, word):
            text = f"{point.text}{word.text}"
            out[-2:] = [Word(text, point.start, word.end, Fraction(text))]
        else:
            out.append(word)
    _refuse_exponents(out)
    return out


def _touches(left: Word | None, right: Word) -> bool:
    return left is not None and left.end == right.start


def _thousands(left: Word, right: Word) -> bool:
    return left.text.isdigit() and len(right.text.split(".")[0]) == 3


def _refuse_exponents(words: Sequence[Word]) -> None:
    for left, right in pairwise(words):
        if (
            left.value is not None
            and left.end == right.start
            and right.text[:1] == "e"
            and right.text[1:].isdigit()
        ):
            _refuse(left.text + right.text, "write the number out")


def refuse_magnitude(words: Sequence[Word], after: int) -> None:
    """ "2 thousand seconds" is not two seconds, nor are "5 days" five."""
    following = words[after] if after < len(words) else None
    if following is not None and following.text in _MAGNITUDES:
        _refuse(f"{words[after - 1].text} {following.text}", "write the number in figures")
    if following is not None and following.text in _OTHER_UNITS:
        _refuse(f"{words[after - 1].text} {following.text}", f"use {', '.join(SECONDS_IN)}")


def refuse_compounds(words: Sequence[Word]) -> None:
    """ "1 minute and 30 seconds" is one duration, which is not read; "between 1 minute and 90 seconds" are two."""
    for i, word in enumerate(words):
        if word.value is None or i + 2 >= len(words) or words[i + 1].text not in UNIT_WORDS:
            continue
        rest = words[i + 2 :]
        joint = rest[0].text if rest[0].text in ("and", ",") else ""
        rest = rest[1:] if joint else rest
        if [w.text for w in rest[:2]] == ["a", "half"]:
            _refuse(f"{words[i + 1].text} and a half", "write the duration as one number")
        if len(rest) < 2 or rest[0].value is None or rest[1].text not in UNIT_WORDS:
            continue
        large, small = (SECONDS_IN[UNIT_WORDS[w.text]] for w in (words[i + 1], rest[1]))
        between = joint == "and" and any(w.text in RANGE for w in words[max(0, i - 3) : i])
        if small < large and not between:
            _refuse(f"{words[i + 1].text} {joint} ... {rest[1].text}", "write the duration as one number")


def is_one_unit(words: Sequence[Word], i: int) -> bool:
    """ "A minute" is one minute; "a second" may be an ordinal, unless what stands around it says otherwise."""
    if words[i].text not in ("a", "an") or i + 1 >= len(words) or words[i + 1].text not in UNIT_WORDS:
        return False
    if words[i + 1].text in ("minute", "hour", "millisecond"):
        return i == 0 or words[i - 1].text not in ("half", "quarter")
    following = words[i + 2].text if i + 2 < len(words) else "."
    return (
        words[i + 1].text == "second"
        and i > 0
        and words[i - 1].text not in ("half", "quarter")
        and (following in _AFTER_SECOND)
    )


BEFORE_A_DAY = frozenset("within for in than least most of about every half quarter".split())


def is_one_day(words: Sequence[Word], i: int) -> bool:
    """ "One day" is some time, unless what stands before it asks for a duration."""
    if [w.text for w in words[i : i + 2]] != ["one", "day"]:
        return False
    return i == 0 or words[i - 1].text not in BEFORE_A_DAY


def _refuse(said: str, remedy: str) -> NoReturn:
    raise FragmentError(f"the number {said!r} is not understood: {remedy}")
