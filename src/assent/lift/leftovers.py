"""Words of an instruction that nobody has read: figures and amounts that became no number, words of other languages.

A number that is left over makes another requirement, so whatever digit, number word or magnitude no number took is
reported, and so is a unit of time without a number ("a few seconds", "T_max seconds").
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from dataclasses import dataclass

from assent.lift.figures import Word
from assent.lift.quantities import MAGNITUDES, NUMBER_WORDS, PLAIN_UNIT_WORDS, SMALL_NUMBER_WORDS, UNIT_WORDS


@dataclass(frozen=True, slots=True)
class Unread:
    """A part of the instruction that was not read, and why."""

    start: int
    end: int
    text: str
    why: str


_VAGUE = frozenset("few several couple handful numerous dozens hundreds thousands millions plenty".split())
_ROUGH = frozenset("~ about around approximately roughly approx circa nearly almost".split())
_PLURAL_UNITS = frozenset(w for w in UNIT_WORDS if w.endswith("s") and len(w) > 3) - {"msecs"}
# A number word beside one of these counts names or turns, which is no figure.
_BEFORE_A_COUNT = frozenset(
    "the these those all both any other its their of each either only just exactly most least in not no than".split()
)
_AFTER_A_COUNT = frozenset(
    """
    of times time steps step cycles scans other others more or and , . ; : ) are is things stages effects jobs points
    rules conditions parts ways
    """.split()
)
_UNIT = re.compile(r"\u00b0|[kmg]?\u03c9|\u03bc[a-z]{0,2}")  # right behind a number
_SMALL = frozenset(SMALL_NUMBER_WORDS[:13])
_PARTS = frozenset("half quarter quarters third thirds fifth fifths tenth tenths hundredth".split())


_COMPARED = frozenset("than least most over under below above exceeds exceed past to".split())


def is_amount(text: str) -> bool:
    """Whether a word says how much or how many, exactly or not."""
    return text in _VAGUE or text in _ROUGH or text in MAGNITUDES or text in NUMBER_WORDS


def leftovers(
    words: Sequence[Word],
    taken: Container[int],
    text: str,
    known: Container[str] = (),
    units: Container[int] = (),
) -> list[Unread]:
    """What no number and no name took; ``taken`` are the indices of words that stand for a name.

    A word with letters beyond ASCII is one of the ``known`` words of the vocabulary, or was not read; ``units`` are
    the indices of words that say what a figure is measured in.
    """
    found = []
    for i, word in enumerate(words):
        if word.value is not None or i in units or word.text in known or (i in taken and word.text.isascii()):
            continue
        why = _why(words, i, taken)
        if why:
            start = words[i - 1].start if why == _NO_NUMBER and i else word.start
            found.append(Unread(start, word.end, text[start : word.end], why))
    return found


_NO_NUMBER = "a unit of time without a number"


def _why(words: Sequence[Word], i: int, taken: Container[int]) -> str:
    text = words[i].text
    before = words[i - 1].text if i else ""
    after = words[i + 1] if i + 1 < len(words) else None
    if not text.isascii() and not (_UNIT.fullmatch(text) and i and words[i - 1].value is not None):
        return "not an English word" if any(c.isalnum() for c in text) else "a sign that nobody has read"
    if any(c.isdigit() for c in text):
        return "a number or name that the vocabulary does not have"
    if text in _VAGUE or (
        text in _ROUGH and after is not None and (after.value is not None or _numeral(after))
    ):
        return "an amount that is not exact"
    if text in MAGNITUDES:
        return "a number that was not understood"
    if text in _PLURAL_UNITS and not _has_number(words, i):
        return _NO_NUMBER
    if text in NUMBER_WORDS - _PARTS - _SMALL or (text in _PARTS and _is_part(words, i)):
        return "a number that was not understood"
    if text in _SMALL - {"one"} and not _counts(words, i, before, taken):
        return "a number that was not understood"
    return ""


def _numeral(word: Word) -> bool:
    return word.text in NUMBER_WORDS


def _has_number(words: Sequence[Word], i: int) -> bool:
    """Whether a number, perhaps with "more" or a hyphen behind it, stands before the unit."""
    if i and words[i - 1].text in ("those", "these", "same"):  # said before
        return True
    around = (*words[max(0, i - 2) : i], *words[i + 1 : i + 2])
    return any(w.value is not None for w in around)


def _is_part(words: Sequence[Word], i: int) -> bool:
    """ "A quarter tank", "two fifths full": a share of something; "the third time" and "half-open" are none."""
    before = words[i - 1].text if i else ""
    if before == "a" and i > 1 and words[i - 2].text in _COMPARED and words[i].text != "half":
        return i + 1 == len(words) or words[i + 1].text not in ("time", "party", "person")  # "below a third"
    if words[i].text in ("half", "third", "fifth", "tenth") and before in (
        "the",
        "a",
        "",
        "every",
        "and",
        "is",
    ):
        return False
    return before in _SMALL or before in ("a", "than", "least", "most", "over", "under", "below", "above")


def _counts(words: Sequence[Word], i: int, before: str, taken: Container[int]) -> bool:
    """Whether a small number word counts names, turns or steps."""
    after = words[i + 1].text if i + 1 < len(words) else "."
    if before in _BEFORE_A_COUNT or after in _AFTER_A_COUNT or after in PLAIN_UNIT_WORDS:
        return True
    return i + 1 in taken or i + 2 in taken or i - 1 in taken
