"""Outside a range: "leaves 18 to 24 °C", "anywhere but between 2 and 5 bar" as "below 18 or above 24".

Which end a value passes is left open, and both are said, so that nothing hangs on one small word between two figures.
Beside another denial ("never outside 5 to 9") the words stay as they are.
"""

from __future__ import annotations

from collections.abc import Sequence

from assent.lift.clauses import BREAKS
from assent.lift.figures import Word
from assent.lift.quantities import PLAIN_UNIT_WORDS
from assent.lift.units import unit_at

_LEAVES = {"leave": ("be",), "leaves": ("is",), "leaving": ("being",), "left": ("been",)}
_OUTSIDE = (
    ("anywhere", "but"),
    ("anything", "but"),
    ("out", "of"),
    ("away", "from"),
    ("outside", "of"),
    ("outside",),
)
_COPULAS = frozenset("is are was be been being 's stays remains".split())
_NOT = frozenset("not never no nor neither without cannot nobody nothing none".split())
_RANGES = frozenset("range band window span interval limits corridor".split())
_OPENS = frozenset("the a its of from between in within inside".split()) | _RANGES


def spelled_outside(words: Sequence[Word]) -> list[Word]:
    """The words with what lies outside a range said as below its one end or above the other."""
    out: list[Word] = []
    i = 0
    while i < len(words):
        opened = _opened(words, i)
        ends = None if opened is None else _ends(words, opened[1])
        if opened is None or ends is None or _denied(words, i):
            out.append(words[i])
            i += 1
            continue
        low, joint, high = ends
        out += [_said(text, words[i]) for text in (*opened[0], "below")]
        out += words[low:joint]
        out += [_said("or", words[joint]), _said("above", words[joint])]
        i = high + 1
        out.append(words[high])
        unit = unit_at(words, i)
        end = i if unit is None else unit.end
        out += words[i:end]
        i = end + (end < len(words) and words[end].text in _RANGES)
    return out


def _said(text: str, word: Word) -> Word:
    return Word(text, word.start, word.end)


def _opened(words: Sequence[Word], i: int) -> tuple[tuple[str, ...], int] | None:
    """What stays of the words that say outside, and where the range begins."""
    text = words[i].text
    if text in _LEAVES:
        return _LEAVES[text], i + 1
    if text == "not" and i and words[i - 1].text in _COPULAS:
        return (), i + 1
    for said in _OUTSIDE:
        if tuple(w.text for w in words[i : i + len(said)]) == said:
            return (), i + len(said)
    return None


def _ends(words: Sequence[Word], at: int) -> tuple[int, int, int] | None:
    """Where the lower end, the word between the two, and the upper end stand; none for a range of time."""
    while at < len(words) and words[at].text in _OPENS:
        at += 1
    if at >= len(words) or words[at].value is None:
        return None
    unit = unit_at(words, at + 1)
    joint = at + 1 if unit is None else unit.end
    if joint + 1 >= len(words) or words[joint].text not in ("to", "and", "-"):
        return None
    low, high = words[at].value, words[joint + 1].value
    if low is None or high is None or not low < high:
        return None
    after = words[joint + 2].text if joint + 2 < len(words) else ""
    return None if after == "seconds" or after in PLAIN_UNIT_WORDS else (at, joint, joint + 1)


def _denied(words: Sequence[Word], i: int) -> bool:
    """Whether the clause denies it as well; what is never let be so is said like what is so."""
    at = i - 1
    while at >= 0 and words[at].text not in BREAKS:
        if words[at].text in _NOT and words[at + 1].text not in ("let", "allow"):
            return True
        at -= 1
    return False
