"""Tolerances: a figure and how far off it may be become the two ends that they make.

    515 °C ± 10 °C · 515 °C, give or take 10 · 515 °C with a tolerance of 10 °C · within 10 °C of 515 °C
        -> between 505 and 525 °C
    deviates from 515 °C by more than 10 °C · more than 10 °C away from 515 °C
        -> outside 505 to 525 °C

Times are refused ("30 s ± 5 s": give both ends), and so are ends in two units ("20 °C ± 5 %").
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from assent.lift.figures import Word, refuse
from assent.lift.quantities import UNIT_WORDS
from assent.lift.units import unit_at

PLUS_OR_MINUS = ("plus", "or", "minus")
_JOINTS = (
    PLUS_OR_MINUS,
    ("plus", "minus"),
    ("plus", "/", "minus"),
    ("+", "/", "-"),
    ("give", "or", "take"),
    ("with", "a", "tolerance", "of"),
    ("with", "tolerance", "of"),
    ("a", "tolerance", "of"),
    ("tolerance",),
)
_SIDES = (
    ("either", "way"),
    ("either", "side"),
    ("each", "way"),
    ("on", "either", "side"),
    ("in", "either", "direction"),
    ("up", "or", "down"),
)
_AWAY = (("away", "from"), ("off", "from"), ("off",), ("either", "side", "of"), ("different", "from"))
_DEVIATE = ("deviate", "differ", "depart", "stray")
_FURTHER = (("by", "more", "than"), ("by", "over"))


@dataclass(frozen=True, slots=True)
class Measure:
    """A figure with its unit: ``end`` is the index of the word behind both."""

    word: Word
    unit: str | None
    units: tuple[Word, ...]
    end: int

    @property
    def value(self) -> Fraction:
        assert self.word.value is not None
        return self.word.value


@dataclass(frozen=True, slots=True)
class Tolerance:
    """What ``words[start:end]`` say: how far off ``middle`` is allowed, or what is ``beyond`` that."""

    start: int
    end: int
    middle: Measure
    off: Measure
    beyond: bool = False
    verb: str = ""


def with_both_ends(words: Sequence[Word]) -> list[Word]:
    """The words with every tolerance told by its ends; FragmentError where these cannot be computed."""
    out: list[Word] = []
    i = 0
    while i < len(words):
        found = next((t for t in (read(words, i) for read in _READERS) if t is not None), None)
        if found is None:
            out.append(words[i])
            i += 1
        else:
            out += _ends(words, found)
            i = found.end
    return out


def _around(words: Sequence[Word], i: int) -> Tolerance | None:
    """ "515 °C ± 10 °C", "515 °C, 10 °C either way"."""
    middle = _measure(words, i)
    if middle is None:
        return None
    for comma in (0, 1):
        at = middle.end + comma
        if comma and _text(words, middle.end) != ",":
            return None
        joint = _said(words, at, _JOINTS)
        off = _measure(words, at + joint)
        if off is not None:
            sides = _said(words, off.end, _SIDES)
            if joint or (sides and comma):
                return Tolerance(i, off.end + sides, middle, off)
    return None


def _around_nothing(words: Sequence[Word], i: int) -> Tolerance | None:
    """ "The deviation stays plus or minus 5": around zero."""
    joint = _said(words, i, (PLUS_OR_MINUS,))
    off = _measure(words, i + joint) if joint else None
    if off is None:
        return None
    zero = Measure(Word("#", words[i].start, words[i].start, Fraction(0)), off.unit, off.units, i)
    return Tolerance(i, off.end, zero, off)


def _within(words: Sequence[Word], i: int) -> Tolerance | None:
    """ "Within 10 °C of 515 °C"."""
    off = _measure(words, i + 1) if _text(words, i) == "within" else None
    if off is None or _is_time(off) or _text(words, off.end) != "of":
        return None
    middle = _measure(words, off.end + 1)
    return None if middle is None else Tolerance(i, middle.end, middle, off)


def _away(words: Sequence[Word], i: int) -> Tolerance | None:
    """ "More than 10 °C away from 515 °C"."""
    off = _measure(words, i + 2) if (_text(words, i), _text(words, i + 1)) == ("more", "than") else None
    if off is None or _is_time(off):
        return None
    away = _said(words, off.end, _AWAY)
    middle = _measure(words, off.end + away) if away else None
    return None if middle is None else Tolerance(i, middle.end, middle, off, beyond=True)


def _deviates(words: Sequence[Word], i: int) -> Tolerance | None:
    """ "Deviates from 515 °C by more than 10 °C", "deviates by more than 10 °C from 515 °C"."""
    verb = next((v for v in _DEVIATE if _text(words, i).startswith(v)), "")
    if not verb:
        return None
    form = _text(words, i).removeprefix(verb)
    if _text(words, i + 1) == "from":
        middle = _measure(words, i + 2)
        more = _said(words, middle.end, _FURTHER) if middle is not None else 0
        off = _measure(words, middle.end + more) if middle is not None and more else None
        end = off.end if off is not None else 0
    else:
        more = _said(words, i + 1, _FURTHER)
        off = _measure(words, i + 1 + more) if more else None
        middle = _measure(words, off.end + 1) if off is not None and _text(words, off.end) == "from" else None
        end = middle.end if middle is not None else 0
    if middle is None or off is None:
        return None
    return Tolerance(i, end, middle, off, beyond=True, verb="be" if not form else "is")


_READERS: tuple[Callable[[Sequence[Word], int], Tolerance | None], ...] = (
    _around,
    _around_nothing,
    _within,
    _away,
    _deviates,
)


def _ends(words: Sequence[Word], found: Tolerance) -> Iterator[Word]:
    """ "Between 505 and 525 °C", or "outside 505 to 525 °C"."""
    middle, off = found.middle, found.off
    if _is_time(middle) or _is_time(off) or (middle.unit and off.unit and middle.unit != off.unit):
        refuse(" ".join(w.written or w.text for w in words[found.start : found.end]), "give both ends")
    first, last = words[found.start], words[found.end - 1]

    def said(text: str, value: Fraction | None = None) -> Word:
        return Word(text, first.start, last.end, value)

    if found.verb:
        yield said(found.verb)
    yield said("outside" if found.beyond else "between")
    yield said("#", middle.value - off.value)
    yield said("to" if found.beyond else "and")
    yield said("#", middle.value + off.value)
    yield from middle.units or off.units


def _measure(words: Sequence[Word], i: int) -> Measure | None:
    """The figure at a word, and its unit if it has one."""
    if i >= len(words) or words[i].value is None:
        return None
    said = unit_at(words, i + 1)
    if said is not None:
        return Measure(words[i], said.unit, tuple(words[i + 1 : said.end]), said.end)
    if _text(words, i + 1) in UNIT_WORDS:
        return Measure(words[i], "seconds", (words[i + 1],), i + 2)
    return Measure(words[i], None, (), i + 1)


def _is_time(measure: Measure) -> bool:
    return len(measure.units) == 1 and measure.units[0].text in UNIT_WORDS


def _said(words: Sequence[Word], i: int, phrases: Sequence[tuple[str, ...]]) -> int:
    """How many words the longest of these phrases takes that begins here; 0 if none does."""
    fitting = [p for p in phrases if tuple(w.text for w in words[i : i + len(p)]) == p]
    return max(map(len, fitting), default=0)


def _text(words: Sequence[Word], i: int) -> str:
    return words[i].text if i < len(words) else ""
