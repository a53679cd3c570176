"""StrictDoc: ``.sdoc`` files; formulas go into a field ``FORMULA`` if the grammar has one, else into a comment."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from assent.documents.edits import Edit, edited, line_end
from assent.documents.gather import About, Gatherer, Passage
from assent.documents.written import Document
from assent.errors import DataError

FIELD = "FORMULA"
COMMENT = "Formula: "
"""How the comment begins that holds a formula."""
_NODE = re.compile(r"\[\[?/?([A-Z][A-Z0-9_]*)\]?\]\s*$")
_NAMED = re.compile(r"([A-Z][A-Z0-9_ ]*):(?:[ \t]+(.*))?$")
_OPEN, _CLOSE = ">>>", "<<<"
_NO_REQUIREMENT = frozenset(
    {"DOCUMENT", "GRAMMAR", "SECTION", "TEXT", "FREETEXT", "DOCUMENT_FROM_FILE", "COMPOSITE_REQUIREMENT"}
)


@dataclass(slots=True)
class _Field:
    name: str
    text: str
    line: int
    column: int
    first: int
    """The lines that the field takes: from ``first`` (from 0) up to ``last``, which is not part of it."""
    last: int


@dataclass(slots=True)
class _Node:
    kind: str
    line: int
    fields: list[_Field] = field(default_factory=list)

    def get(self, name: str) -> _Field | None:
        return next((f for f in self.fields if f.name == name), None)


def read_strictdoc(text: str, file: str) -> Document:
    """The nodes with a statement; sections, free text and the rest are set aside. DataError if it is damaged."""
    out = Gatherer(file, "strictdoc")
    section = ""
    for node in _nodes(text.split("\n"), file):
        statement, title = node.get("STATEMENT"), node.get("TITLE")
        if node.kind == "SECTION" and title is not None:
            section = title.text
        if statement is None or node.kind in _NO_REQUIREMENT - {"COMPOSITE_REQUIREMENT"}:
            for part in node.fields:
                why = "a heading" if part.name == "TITLE" else f"{part.name.lower()} of {node.kind.lower()}"
                out.aside(part.text, part.line, why, part.column)
            continue
        uid = node.get("UID")
        passage = Passage.of(" ".join(statement.text.split()), statement.line, statement.column)
        out.entry(passage, About(id=None if uid is None else uid.text or None, section=section))
        for part in node.fields:
            if part.name in ("RATIONALE", "COMMENT") and not part.text.startswith(COMMENT):
                out.aside(part.text, part.line, f"the {part.name.lower()} of a requirement", part.column)
    return out.document()


def _nodes(lines: list[str], file: str) -> Iterator[_Node]:
    if not any(line.strip() == "[DOCUMENT]" for line in lines):
        raise DataError("is no document of StrictDoc: it has no [DOCUMENT]", file=file)
    node: _Node | None = None
    at = 0
    while at < len(lines):
        line = lines[at]
        head = _NODE.match(line)
        field_start = _NAMED.match(line)
        if head is not None:
            if node is not None:
                yield node
            node = _Node(head[1], at + 1)
            at += 1
        elif node is not None and field_start is not None:
            part, at = _field(lines, at, field_start, file)
            node.fields.append(part)
        else:
            at += 1
    if node is not None:
        yield node


def _field(lines: list[str], at: int, field_start: re.Match[str], file: str) -> tuple[_Field, int]:
    value = field_start[2] or ""
    if value.strip() != _OPEN:
        column = (field_start.start(2) if field_start[2] else field_start.end()) + 1
        return _Field(field_start[1], value.strip(), at + 1, column, at, at + 1), at + 1
    end = next((i for i in range(at + 1, len(lines)) if lines[i].strip() == _CLOSE), None)
    if end is None:
        raise DataError(
            f"the field {field_start[1]} begins with {_OPEN} and has no {_CLOSE}", file=file, line=at + 1
        )
    text = "\n".join(lines[at + 1 : end]).strip()
    first = next((i for i in range(at + 1, end) if lines[i].strip()), at + 1)
    column = len(lines[first]) - len(lines[first].lstrip()) + 1
    return _Field(field_start[1], text, first + 1, column, at, end + 1), end + 1


def sdoc_with(content: bytes, file: str, formulas: Mapping[str, str]) -> bytes:
    """The file with a formula for each requirement that has one; every other byte stays as it is."""
    end = line_end(content)
    raw = content.decode("utf-8").split("\n")
    lines = [line.removesuffix("\r") for line in raw]
    starts = [0]
    for line in raw:
        starts.append(starts[-1] + len(line.encode()) + 1)
    declared = any(line.strip() == f"- TITLE: {FIELD}" for line in lines)
    edits = []
    for node in _nodes([line.removeprefix("\ufeff") for line in lines], file):
        uid = node.get("UID")
        statement = node.get("STATEMENT")
        if uid is None or statement is None or uid.text not in formulas:
            continue
        formula = formulas[uid.text]
        new = (f"{FIELD}: {formula}" if declared else f"COMMENT: {COMMENT}{formula}").encode() + end
        formula_field = _known(node, declared=declared)
        if formula_field is None and not formula:
            continue
        if formula_field is not None:
            edits.append(
                Edit(starts[formula_field.first], min(starts[formula_field.last], len(content)), new)
            )
        else:
            after = _last_of(node, statement, declared=declared)
            place = min(starts[after.last], len(content))
            gap = b"" if content[:place].endswith(b"\n") else end
            edits.append(Edit(place, place, gap + new))
    return edited(content, edits)


def _known(node: _Node, *, declared: bool) -> _Field | None:
    if declared:
        return node.get(FIELD)
    return next((f for f in node.fields if f.name == "COMMENT" and f.text.startswith(COMMENT)), None)


def _last_of(node: _Node, statement: _Field, *, declared: bool) -> _Field:
    """The field that a new one stands behind: comments come after statement and rationale."""
    if declared:
        return statement
    before = [f for f in node.fields if f.name in ("STATEMENT", "RATIONALE", "COMMENT")]
    return max(before, key=lambda f: f.last)
