"""``needs.json`` of sphinx-needs: reading needs, and writing formulas into their field ``formula``."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from assent.documents.edits import Edit, edited
from assent.documents.gather import About, Gatherer, Passage
from assent.documents.spans import JsonNode, parsed
from assent.documents.written import Document
from assent.errors import DataError

FIELD = "formula"
_SIGNS = re.compile(r"[^\\]+|\\u[dD][89abAB]..\\u....|\\u....|\\.", re.DOTALL)
"""Of a JSON text: what stands for itself, and one sign that is escaped."""
_WORDS = re.compile(r"\s+|\S+")
_TEXTS = ("content", "description", "title")


def read_needs(text: str, file: str) -> Document:
    """Needs of the current version whose type speaks of requirements (all, if none does); others are set aside."""
    out = Gatherer(file, "needs")
    needs = list(_needs(parsed(text, file), file))
    types = {need.members["type"].text for _, need in needs if "type" in need.members}
    read_types = {kind for kind in types if "req" in kind.lower()} or types
    line, counted = 1, 0
    for identity, need in needs:
        field = _field(need)
        at = need.start if field is None else field.start
        line, counted = line + text.count("\n", counted, at), at
        kind = need.members["type"].text if "type" in need.members else ""
        if field is None:
            out.aside(identity, line, "a need without text")
        elif kind and kind not in read_types:
            out.aside(field.text, line, f"a need of type {kind!r}")
        else:
            column = field.start - text.rfind("\n", 0, field.start)
            section = need.members["section_name"].text if "section_name" in need.members else ""
            passage = _passage(text[field.start : field.end], line, column)
            out.entry(passage, About(id=identity, section=section))
    return out.document()


def _passage(source: str, line: int, column: int) -> Passage:
    """The words of a JSON text with one blank between them; each knows where it stands, whatever is escaped."""
    passage, apart = Passage(), False
    for part in _SIGNS.finditer(source, 1, len(source) - 1):
        signs = json.loads(f'"{part.group()}"')
        for words in _WORDS.finditer(signs):
            if words.group().isspace():
                apart = True
            else:
                append = passage.add if apart else passage.join
                append(
                    words.group(),
                    line,
                    column + part.start() + (words.start() if "\\" not in part.group() else 0),
                )
                apart = False
    return passage


def _needs(top: JsonNode, file: str) -> Iterator[tuple[str, JsonNode]]:
    versions = top.members.get("versions")
    if versions is None or not versions.is_object:
        raise DataError("is no needs.json: it has no 'versions'", file=file)
    current = top.members["current_version"].text if "current_version" in top.members else ""
    version = versions.members.get(current) or next(iter(versions.members.values()), None)
    needs = None if version is None else version.members.get("needs")
    if needs is None or not needs.is_object:
        raise DataError(f"has no needs for its version {current!r}", file=file)
    for identity, need in needs.members.items():
        if not need.is_object:
            raise DataError(f"the need {identity!r} is no object", file=file)
        yield identity, need


def _field(need: JsonNode) -> JsonNode | None:
    """Where the text of a need stands."""
    return next((need.members[k] for k in _TEXTS if k in need.members and need.members[k].text.strip()), None)


def needs_with(content: bytes, file: str, formulas: Mapping[str, str]) -> bytes:
    """The file with ``"formula"`` in each need that has one; every other byte stays as it is."""
    mark = b"\xef\xbb\xbf" if content.startswith(b"\xef\xbb\xbf") else b""
    text = content[len(mark) :].decode("utf-8")

    counted, size = 0, len(mark)

    def place(character: int) -> int:
        """Where a character begins, in bytes; asked in the order of the text."""
        nonlocal counted, size
        size, counted = size + len(text[counted:character].encode()), character
        return size

    edits = []
    for identity, need in _needs(parsed(text, file), file):
        field, formula_field = _field(need), need.members.get(FIELD)
        if (
            field is None
            or (formula_field is None and not formulas.get(identity))
            or identity not in formulas
        ):
            continue
        value = json.dumps(formulas[identity], ensure_ascii=False)
        if formula_field is not None:
            edits.append(Edit(place(formula_field.start), place(formula_field.end), value.encode()))
            continue
        key = next(start for name, start in need.keys.items() if need.members[name] is field)
        blank = text[len(text[:key].rstrip(" \t\r\n")) : key]  # a new member looks like the one before it
        at = place(field.end)
        edits.append(Edit(at, at, f',{blank or " "}"{FIELD}": {value}'.encode()))
    return edited(content, edits)
