"""Rows of the written corpus: sentences whose parts are marked with what they speak of.

``[words|literal]`` speaks of one name, ``{words|30}`` of a time, ``<words|relation>`` of a place. Marks are not nested,
and square and curly brackets occur nowhere else; what breaks this is a DataError.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from assent.errors import AssentError, DataError
from assent.logic.ast import Formula, Logic
from assent.logic.parse import read

_OPENING = re.compile(r"[\[{<]")
_MARKS = {
    "[": re.compile(r"\[([^\[\]{}|]*)\|([^\[\]{}|]*)\]"),
    "{": re.compile(r"\{([^\[\]{}|]*)\|([^\[\]{}|]*)\}"),
    "<": re.compile(r"<([^\[\]{}<>|]*)\|([^\[\]{}<>|]*)>"),
}


@dataclass(frozen=True, slots=True)
class PhraseMark:
    """``kind`` is "[", "{" or "<"; ``start`` and ``end`` are its words' place in the sentence without marks."""

    kind: str
    start: int
    end: int
    said: str
    means: str

    @property
    def names(self) -> tuple[str, ...]:
        """The plain names that a "[" mark speaks of, in order; a comparison's signal is among them."""
        return tuple(dict.fromkeys(re.findall(r"[A-Za-z_]\w*", self.means))) if self.kind == "[" else ()

    @property
    def compares(self) -> bool:
        """Whether it compares a signal with numbers."""
        return self.kind == "[" and re.search(r"[<>=]", self.means) is not None

    @property
    def denies(self) -> bool:
        """Whether it is the denial of one name."""
        return self.kind == "[" and self.means.strip().startswith("!") and not self.compares

    @property
    def values(self) -> tuple[str, ...]:
        """The numbers of a "{" mark in the time unit; none for steps."""
        parts = tuple(part.strip() for part in self.means.split(","))
        return parts if self.kind == "{" and all(re.fullmatch(r"\d+(\.\d+)?", part) for part in parts) else ()


@dataclass(frozen=True, slots=True)
class MarkedRow:
    """One sentence; ``formula`` is None where no formula can say it."""

    id: str
    logic: Logic
    domain: str
    family: str
    text: str
    marks: tuple[PhraseMark, ...]
    formula: Formula | None
    marked: str


def split_marks(marked: str, *, case: str) -> tuple[str, tuple[PhraseMark, ...]]:
    """The sentence without marks, and the marks; DataError where they do not close."""
    text, marks, last = "", [], 0
    for found in _tokens(marked):
        start, end, kind, said, means = found
        text += marked[last:start]
        marks.append(PhraseMark(kind, len(text), len(text) + len(said), said, means.strip()))
        text += said
        last = end
    text += marked[last:]
    if re.search(r"[\[\]{}|]", text):
        raise DataError(f"{case}: its marks do not close: {text!r}")
    return text, tuple(marks)


def _tokens(marked: str) -> list[tuple[int, int, str, str, str]]:
    """Marks by place: start, end, sign, words, meaning. A sign that opens no mark is part of the text."""
    out: list[tuple[int, int, str, str, str]] = []
    found = _OPENING.search(marked)
    while found is not None:
        whole = _MARKS[found.group()].match(marked, found.start())
        if whole is not None:
            out.append((whole.start(), whole.end(), found.group(), whole[1], whole[2]))
        found = _OPENING.search(marked, whole.end() if whole is not None else found.end())
    return out


def row_of(fields: dict[str, object], *, domain: str, names: frozenset[str]) -> MarkedRow:
    """A checked row: marks close, formula readable, names known; else DataError."""
    case = str(fields.get("id"))
    kind, family, marked = (fields.get(key) for key in ("logic", "family", "marked"))
    if not (isinstance(marked, str) and isinstance(family, str) and isinstance(kind, str)):
        raise DataError(f"{case}: a written row needs id, logic, family and marked")
    text, marks = split_marks(marked, case=case)
    try:
        logic = Logic(kind)
        written = fields.get("formula")
        formula = None if written is None else read(str(written), logic)
    except (AssentError, ValueError) as error:
        raise DataError(f"{case}: {error}") from error
    if formula is None and not family.startswith("doubt"):
        raise DataError(f"{case}: no formula, and its family is no doubt")
    strange = {name for mark in marks for name in mark.names} - names
    if strange:
        raise DataError(f"{case}: a mark names {sorted(strange)}, which the vocabulary does not hold")
    return MarkedRow(case, logic, domain, family, text, marks, formula, marked)
