"""Units of figures and of signals: which figures are measured, in what, and of which signals they can be values.

Every figure that is no time belongs to a signal: the one named beside it, or the one that is measured in its unit.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from assent.errors import FragmentError
from assent.lift.entries import words_of
from assent.lift.figures import Word
from assent.lift.leftovers import Unread, is_amount
from assent.lift.opposites import AFFIRMS
from assent.lift.propose import has_content
from assent.lift.quantities import (
    MEASURES,
    NUMBER_WORDS,
    PLAIN_UNIT_WORDS,
    size_of,
    sizes_like,
)
from assent.lift.stems import stem
from assent.lift.units import SaidUnit, is_unit_word, may_be, other_end, unit_at
from assent.lift.words import split
from assent.vocabulary import Entry

_COMPARING = frozenset(
    """
    than above below under over exceed exceeds exceeding exceeded past beyond reaches reach reached between least most
    touches hits hit to at
    """.split()
)


@dataclass(frozen=True, slots=True)
class MeasuredFigure:
    """A number of the instruction that is no time: where it stands, and its unit, if one we know was said."""

    at: int
    unit: str | None
    first: int  # where what compares it begins


@lru_cache(maxsize=4096)
def plain_unit(unit: str | None) -> str:
    """The unit of an entry in the spelling of the tables."""
    said = _words_of_unit(unit or "")
    found = unit_at(said, 1, unknown_part(unit or "")) if said else None
    if found is not None and found.end == len(said):
        return found.unit
    return (unit or "").strip().lower()


@lru_cache(maxsize=4096)
def _words_of_unit(unit: str) -> tuple[Word, ...]:
    """A figure and the words of an entry's unit, as they are read behind it; none for what cannot be said."""
    try:
        words = split(f"5 {unit.strip()}")
    except FragmentError:
        return ()
    if len(words) < 2 or words[0].value is None:
        return ()
    figure = replace(words[0], written="of")  # so that capitals count
    if words[1].text == "per":  # "per m3"
        return (figure, Word("1", 1, 1), Word("/", 1, 1), *words[2:])
    return (figure, *words[1:])


@lru_cache(maxsize=4096)
def unknown_part(unit: str) -> frozenset[str]:
    """ "picks" of "picks/min": counted in time, though no table has it."""
    words = _words_of_unit(unit)
    if len(words) < 4 or words[2].text not in ("/", "per") or unit_at(words, 1) is not None:
        return frozenset()
    return frozenset([words[1].text]) if words[1].text.isalpha() else frozenset()


@lru_cache(maxsize=20_000)
def own_unit(entry: Entry) -> str:
    """The unit of a signal; "g" of an acceleration is no gram."""
    unit = plain_unit(entry.unit)
    return "gravity" if unit == "g" and _SHAKES.search(f"{entry.name} {entry.phrase}".lower()) else unit


_SHAKES = re.compile(r"accel|vibrat|shock|gravit|g[ _-]?force|g[ _-]?load|\bgs?\b")


def fits(unit: str | None, entry: Entry) -> bool:
    """Whether a figure in this unit can be a value of the signal."""
    if unit is None:
        return True
    own = own_unit(entry)
    if is_same(unit, own, entry):
        return True
    ours, theirs = size_of(own), size_of(unit)
    return not own or theirs is None or (ours is not None and ours[0] == theirs[0])


def is_same(said: str, own: str, entry: Entry) -> bool:
    """Whether a figure in this unit is one of the signal as it stands."""
    if said == own or may_be(said, own) or (said, own) in _UNDERSTOOD:
        return True
    if own != "%" or not said.startswith("%"):
        return False
    share = _SHARE_OF.get(said)  # none for what is no share: "%/m"
    return said in ("%vol", "%mas") or bool(share and share.search(f"{entry.name} {entry.phrase}".lower()))


_UNDERSTOOD = frozenset((("g", "gravity"), ("%", "%RH"), ("%", "%vol"), ("%", "%mas")))
_SHARE_OF = {
    "%RH": re.compile(r"humid|moist|\brh\b|_rh\b|\brh_"),
    **dict.fromkeys(("%LEL", "%UEL"), re.compile(r"lel|uel|explosi")),
}


def unit_words(words: Sequence[Word], entries: Sequence[Entry]) -> list[range]:
    """Where units stand behind figures, as tables know them or an entry has them; or behind "in" and "("."""
    out = []
    signals = {entry.unit: entry for entry in entries if entry.type == "number"}.values()
    for k, word in enumerate(words):
        if word.value is None and word.text not in ("in", "("):
            continue
        said = unit_at(words, k + 1) if word.value is not None else None
        known = said.end if said is not None and size_of(said.unit) else 0
        literal = max((literally(words, k + 1, entry) for entry in signals), default=0)
        end = max(known, k + 1 + literal, _own_rate(words, k, signals) if word.value is not None else 0)
        if end > k + 1:
            out.append(range(k + 1, end))
    return out


def _own_rate(words: Sequence[Word], k: int, signals: Collection[Entry]) -> int:
    """Where "copies per hour" ends behind a figure, with a signal in "copies/h"; 0 for none."""
    own = frozenset(part for entry in signals for part in unknown_part(entry.unit or ""))
    said = unit_at(words, k + 1, own) if own else None
    return said.end if said is not None and any(said.unit == own_unit(entry) for entry in signals) else 0


def rates(words: Sequence[Word], entries: Sequence[Entry]) -> list[range]:
    """Where a rate that a signal is measured in stands behind a figure: a value, and no count of events."""
    signals = [entry for entry in entries if entry.type == "number" and entry.unit]
    own = frozenset(part for entry in signals for part in unknown_part(entry.unit or ""))
    out = []
    for k, word in enumerate(words):
        said = unit_at(words, k + 1, own) if word.value is not None else None
        if said is not None and "/" in said.unit and any(_measures(entry, said.unit) for entry in signals):
            out.append(range(k + 1, said.end))
    return out


def literally(words: Sequence[Word], i: int, entry: Entry) -> int:
    """How many words say the unit of the entry just as it stands there; 0 for none."""
    own = _words_of_unit(entry.unit or "")[1:] if entry.type == "number" else ()
    end = i + len(own)
    said = words[i:end]
    if [w.text for w in said] != [w.text for w in own] or [w.text for w in words[end : end + 1]] == ["/"]:
        return 0
    exact = [w.written for w in said] == [w.written for w in own]
    found = unit_at(words, i)
    if found is not None and found.end > end:
        return 0
    careless = found is None or may_be(found.unit, own_unit(entry)) or found.unit == plain_unit(entry.unit)
    return len(own) if exact or careless else 0


def is_unit(word: str) -> bool:
    """Whether a word is a unit we know, or one that people measure in."""
    return is_unit_word(word) or word in MEASURES or word == "seconds"


def said_after(words: Sequence[Word], k: int, own: Collection[str] = ()) -> SaidUnit | None:
    """The unit said right after a figure; the second figure of a range says it for both. ``own``: as in ``unit_at``."""
    other = other_end(words, k)
    return unit_at(words, k + 1, own) if other is None else said_after(words, other, own)


def unit_after(words: Sequence[Word], k: int) -> str | None:
    """The unit said right after a figure, if it is one."""
    said = said_after(words, k)
    return None if said is None else said.unit


def figures(words: Sequence[Word]) -> list[MeasuredFigure]:
    """Numbers that are measured or compared, and are no times, steps or turns."""
    out = []
    for k, word in enumerate(words):
        if word.value is None or is_time(words, k):
            continue
        unit = unit_after(words, k)
        first = k
        while first > 0 and words[first - 1].text in (
            *_COMPARING,
            "and",
            "or",
            "more",
            "less",
            "no",
            "not",
            "from",
        ):
            first -= 1
            if words[first].value is not None:
                break
        if first < k and words[first].text in ("and", "or", "to", "at"):
            first += 1
        compared = any(words[j].text in _COMPARING - {"to", "at"} for j in range(first, k))
        compared = compared or [w.text for w in words[k + 1 : k + 2]] == ["or"]
        if unit is not None or compared:
            out.append(MeasuredFigure(k, unit, first))
    return out


def is_time(words: Sequence[Word], k: int) -> bool:
    """Whether a number is followed by a time unit, perhaps behind the other end of its range."""
    for j in range(k + 1, min(k + 5, len(words))):
        text = words[j].text
        if text == "seconds" or text in PLAIN_UNIT_WORDS or text in ("times", "more", "further"):
            return True
        if text not in ("to", "and", "or", "-") and words[j].value is None:
            return False
    return False


def unit_start(words: Sequence[Word], k: int) -> int:
    """Where the unit of a figure begins, perhaps behind the other end of its range."""
    other = other_end(words, k)
    return k + 1 if other is None else unit_start(words, other)


def strange_units(
    words: Sequence[Word], taken: Container[int], entries: Sequence[Entry], usual: Container[str], text: str
) -> list[Unread]:
    """Figures in a unit that nobody knows ("3 foo") or that no signal of the vocabulary is measured in.

    ``taken``: the words that stand for a name, which a figure may number; ``usual``: words met in many domains.
    """
    signals = [entry for entry in entries if entry.type == "number"]
    own = {stem(w) for e in entries for w in words_of(f"{e.name} {e.phrase} {e.unit or ''}")}
    parts = frozenset(part for entry in signals for part in unknown_part(entry.unit or ""))
    out = []
    for i, word in enumerate(words[:-1]):
        said = words[i + 1]
        if word.value is None or (i and i - 1 in taken) or i + 1 in taken or is_time(words, i):
            continue
        if any(literally(words, unit_start(words, i), entry) for entry in signals):
            continue
        found = said_after(words, i, parts)
        unit = None if found is None else found.unit
        distant = (
            unit is not None and kind_of(unit) == "length" and unit not in _TINY
        )  # "3 m away" is said of anything
        if distant or (unit is not None and any(_measures(entry, unit) for entry in signals)):
            continue
        known = said.text in usual or stem(said.text) in own
        if unit is None and (known or not has_content(said.text) or _is_usual(said.text)):
            continue
        why = "a unit that nobody knows" if unit is None else "no signal is measured in this unit"
        out.append(Unread(word.start, said.end, text[word.start : said.end], why))
    return out


_TINY = frozenset(["\u03bcm", "nm"])


def _measures(entry: Entry, unit: str) -> bool:
    """Whether a signal is measured in a unit of this kind, or nobody says in which."""
    own = own_unit(entry)
    return not own or is_same(unit, own, entry) or (kind_of(own) == kind_of(unit) != "")


def kind_of(unit: str) -> str:
    """What a unit measures ("length"); empty for a unit that the tables do not have."""
    size = size_of(unit)
    return size[0] if size is not None else ""


def _is_usual(text: str) -> bool:
    return is_unit(text) or text in AFFIRMS or text.endswith("ly") or is_amount(text)


def conversions(text: str) -> frozenset[Fraction]:
    """By what a figure of the text may have been multiplied to bring it to another unit of its kind."""
    try:
        words = split(text)
    except FragmentError:
        return frozenset()
    found: set[Fraction] = set()
    for k, word in enumerate(words):
        if word.value is None and word.text not in NUMBER_WORDS and word.text not in ("a", "an", "of"):
            continue
        said = said_after(words, k) or unit_at(words, k + 1)
        size = None if said is None else size_of(said.unit)
        if said is not None and size is not None:
            found |= {size[1] / other for other in sizes_like(said.unit)}
    return frozenset(found)
