"""Which words of an instruction name which object or region of a vocabulary."""

from __future__ import annotations

import re
from collections.abc import Sequence

from assent.lift.clauses import refuse_unknown
from assent.lift.figures import Word
from assent.lift.propose import RELATION_WORDS
from assent.lift.stems import stem
from assent.vocabulary import Entry

# Word index -> tokens in its place ("@name" for a name), None: dropped.
Marks = dict[int, tuple[str, ...] | None]
_PLACES = frozenset(map(stem, RELATION_WORDS))  # "left" alone is not the left screw
_Phrases = dict[tuple[str, ...], str | None]


def find_objects(words: Sequence[Word], entries: Sequence[Entry]) -> Marks:
    """Longest match of object names; a head noun alone will do if only one entry has it."""
    whole = _whole_names(entries)
    phrases = whole | _parts_of_names(entries, whole)
    longest = max(map(len, phrases), default=0)
    stems = [stem(w.text) for w in words]
    exact = {entry.name.lower(): entry.name for entry in entries}
    marks: Marks = {}
    partly: set[int] = set()
    i = 0
    while i < len(words):
        if words[i].text in exact:
            marks[i] = (f"O@{exact[words[i].text]}",)
            i += 1
            continue
        for width in range(min(longest, len(words) - i), 0, -1):
            said = tuple(stems[i : i + width])
            name = phrases.get(said)
            if name is None or (said not in whole and i - 1 in marks):  # "the conveyor area" is one thing
                continue
            if said not in whole:
                partly.add(i)
            marks[i] = (f"O@{name}",)
            marks.update(dict.fromkeys(range(i + 1, i + width)))
            i += width
            break
        else:
            i += 1
    refuse_unknown(words, marks, partly)
    return marks


def _stems(text: str) -> tuple[str, ...]:
    return tuple(stem(w) for w in re.findall(r"[a-z0-9]+", text.lower()))


def _whole_names(entries: Sequence[Entry]) -> _Phrases:
    phrases: _Phrases = {}
    for entry in entries:
        for said in (_stems(entry.phrase), _stems(entry.name)):  # what two entries are called means neither
            phrases[said] = entry.name if phrases.get(said, entry.name) == entry.name else None
    return phrases


def _parts_of_names(entries: Sequence[Entry], whole: _Phrases) -> _Phrases:
    parts: _Phrases = {}
    for entry in entries:
        name = _stems(entry.name)
        for alone in {name[-1:], name[:1]} if len(name) > 1 else ():
            if len(alone[0]) > 2 and alone[0] not in _PLACES and alone not in whole:
                parts[alone] = None if alone in parts else entry.name
    return parts
