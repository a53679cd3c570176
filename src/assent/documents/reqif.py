"""ReqIF: spec objects by an attribute map; formulas go into one attribute of type string.

Read with expat, entities and document types refused: nothing outside the file is ever opened. Attributes that nobody
asked for stay as they are, byte for byte.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from xml.parsers import expat
from xml.sax.saxutils import quoteattr

from assent.documents.edits import Edit, edited
from assent.documents.gather import About, Gatherer, Passage
from assent.documents.written import Document
from assent.errors import DataError, UsageError

FIELD = "Formula"
_TEXTS = (
    "ReqIF.Text",
    "ReqIF.Description",
    "Object Text",
    "Requirement",
    "Text",
    "Statement",
    "STATEMENT",
    "Description",
)
_IDS = ("ReqIF.ForeignID", "ID", "UID", "Object Identifier", "Identifier", "Req ID")
_HEADINGS = ("ReqIF.ChapterName", "ReqIF.Name", "Object Heading", "TITLE", "Title", "Name")
_VALUE = re.compile(r"ATTRIBUTE-VALUE-(\w+)\Z")
_DEEPEST = 200
_BLOCKS = frozenset({"div", "p", "br", "li", "ul", "ol", "tr", "td", "th", "table", "h1", "h2", "h3"})


@dataclass(slots=True)
class _Value:
    definition: str = ""
    text: str = ""
    start: int = 0
    """Where its tag begins, in bytes."""


@dataclass(slots=True)
class _SpecObject:
    identifier: str
    line: int
    start: int
    kind: str = ""
    values: list[_Value] = field(default_factory=list)
    prefix: str = ""
    values_start: int | None = None
    values_end: int | None = None


@dataclass(slots=True)
class _Content:
    objects: list[_SpecObject] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    """Attribute definitions: identifier -> long name."""
    owners: dict[str, str] = field(default_factory=dict)
    """Attribute definitions: identifier -> type of spec object."""
    strings: set[str] = field(default_factory=set)
    """Those of type string."""


class _Scan:
    """What expat tells, in the order of the file."""

    def __init__(self, content: bytes, file: str) -> None:
        self.file, self.found = file, _Content()
        self._path: list[str] = []
        self._object: _SpecObject | None = None
        self._value: _Value | None = None
        self._owner = ""
        self._text: list[str] | None = None
        parser = self._parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.StartDoctypeDeclHandler = self._refuse
        parser.EntityDeclHandler = self._refuse
        try:
            parser.Parse(content, True)
        except (expat.ExpatError, ValueError, LookupError) as error:
            raise DataError(f"not valid XML: {error}", file=file) from None

    def _refuse(self, *_: object) -> None:
        raise DataError("document types and entities are not read", file=self.file)

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        prefix, _, name = tag.rpartition(":")
        if not self._path and name != "REQ-IF":
            raise DataError(f"is no ReqIF: it begins with {tag[:40]!r}", file=self.file)
        self._path.append(name)
        if len(self._path) > _DEEPEST:
            raise DataError(f"nested deeper than {_DEEPEST} levels", file=self.file)
        at = self._parser.CurrentByteIndex
        if name == "SPEC-OBJECT-TYPE":
            self._owner = attributes.get("IDENTIFIER", "")
        elif name.startswith("ATTRIBUTE-DEFINITION-") and "IDENTIFIER" in attributes:
            self._define(name, attributes)
        elif name == "SPEC-OBJECT":
            line = self._parser.CurrentLineNumber
            self._object = _SpecObject(
                attributes.get("IDENTIFIER", ""), line, at, prefix=f"{prefix}:" if prefix else ""
            )
        elif self._object is not None:
            self._inside(self._object, name, attributes, at)

    def _define(self, name: str, attributes: dict[str, str]) -> None:
        identifier = attributes["IDENTIFIER"]
        self.found.names[identifier] = attributes.get("LONG-NAME", identifier)
        self.found.owners[identifier] = self._owner
        if name.endswith("-STRING"):
            self.found.strings.add(identifier)

    def _inside(self, owner: _SpecObject, name: str, attributes: dict[str, str], at: int) -> None:
        if name == "VALUES" and owner.values_start is None:
            owner.values_start = at
        elif _VALUE.match(name):
            self._value = _Value(text=attributes.get("THE-VALUE", ""), start=at)
            owner.values.append(self._value)
        elif name == "THE-VALUE" or name.endswith("-REF"):
            self._text = []
        elif self._text is not None and name in _BLOCKS:
            self._text.append(" ")

    def _characters(self, data: str) -> None:
        if self._text is not None:
            self._text.append(data)

    def _end(self, tag: str) -> None:
        name = self._path.pop()
        if name == "SPEC-OBJECT-TYPE":
            self._owner = ""
        owner = self._object
        if owner is None:
            return
        if name == "SPEC-OBJECT":
            self.found.objects.append(owner)
            self._object = self._value = self._text = None
        elif name == "VALUES":
            owner.values_end = self._parser.CurrentByteIndex
        elif name == "THE-VALUE" and self._value is not None and self._text is not None:
            self._value.text, self._text = " ".join("".join(self._text).split()), None
        elif name.endswith("-REF") and self._text is not None:
            self._refer(owner, name, "".join(self._text).strip())
            self._text = None

    def _refer(self, owner: _SpecObject, name: str, text: str) -> None:
        if name == "SPEC-OBJECT-TYPE-REF":
            owner.kind = text
        elif name.startswith("ATTRIBUTE-DEFINITION-") and self._value is not None:
            self._value.definition = text


def read_reqif(content: bytes, file: str, columns: Mapping[str, str]) -> Document:
    """Spec objects with a text. ``columns`` maps id and text to long names of attributes (the usual ones without).

    UsageError if nothing is called so.
    """
    scanned = _Scan(content, file).found
    for kind, name in columns.items():
        if kind != "formula" and name not in scanned.names.values():
            present = ", ".join(sorted(set(scanned.names.values())))
            raise UsageError(f"{file}: no attribute is called {name!r}; there are {present or 'none'}")
    out = Gatherer(file, "reqif")
    for item in scanned.objects:
        values = {scanned.names.get(value.definition, ""): value.text for value in item.values}
        text = _first(values, (columns["text"],) if "text" in columns else _TEXTS)
        if not text:
            heading = _first(values, _HEADINGS)
            out.aside(
                heading or item.identifier, item.line, "a heading" if heading else "an object without text"
            )
            continue
        out.entry(Passage.of(text, item.line), About(id=_identity(item, values, columns), section=""))
    return out.document()


def _identity(item: _SpecObject, values: Mapping[str, str], columns: Mapping[str, str]) -> str:
    return _first(values, (columns["id"],) if "id" in columns else _IDS) or item.identifier


def _first(values: Mapping[str, str], names: tuple[str, ...]) -> str:
    return next((values[name].strip() for name in names if values.get(name, "").strip()), "")


def reqif_with(
    content: bytes, file: str, formulas: Mapping[str, str], columns: Mapping[str, str], attribute: str = FIELD
) -> bytes:
    """The file with each formula in the attribute called ``attribute``; every other byte stays as it is.

    UsageError if a type of spec object has no such attribute of type string: it must be made in the tool that owns
    the file. DataError if the file is not UTF-8.
    """
    declared = re.match(rb"(?:\xef\xbb\xbf)?<\?xml[^>]*encoding=[\"']([\w-]+)[\"']", content)
    if declared is not None and declared[1].lower() not in (b"utf-8", b"us-ascii", b"ascii"):
        raise DataError(f"formulas are written to UTF-8 only, not {declared[1].decode()}", file=file)
    scanned = _Scan(content, file).found
    edits = []
    for item in scanned.objects:
        values = {scanned.names.get(value.definition, ""): value.text for value in item.values}
        identity = _identity(item, values, columns)
        if identity in formulas and (formulas[identity] or attribute in values):
            definition = _definition(scanned, item, attribute, file)
            edits.append(_edit(content, item, definition, formulas[identity]))
    return edited(content, edits)


def _definition(scanned: _Content, item: _SpecObject, attribute: str, file: str) -> str:
    for identifier, name in scanned.names.items():
        if name == attribute and scanned.owners[identifier] == item.kind and identifier in scanned.strings:
            return identifier
    raise UsageError(
        f"{file}: the type of {item.identifier} has no attribute {attribute!r} of type string: add it where the file "
        "comes from, or name another one with --columns formula=NAME"
    )


def _edit(content: bytes, item: _SpecObject, definition: str, formula: str) -> Edit:
    quoted = quoteattr(formula, {"\n": "&#10;", "\t": "&#9;"})
    value_there = next((value for value in item.values if value.definition == definition), None)
    if value_there is not None:
        return _replaced(content, value_there.start, quoted)
    p = item.prefix
    new = (
        f"<{p}ATTRIBUTE-VALUE-STRING THE-VALUE={quoted}><{p}DEFINITION><{p}ATTRIBUTE-DEFINITION-STRING-REF>"
        f"{definition}</{p}ATTRIBUTE-DEFINITION-STRING-REF></{p}DEFINITION></{p}ATTRIBUTE-VALUE-STRING>"
    )
    if item.values_start is None:
        place = _tag_end(content, item.start) + 1
        return Edit(place, place, f"<{p}VALUES>{new}</{p}VALUES>".encode())
    tag_end = content.index(b">", item.values_start) + 1
    if content[item.values_start : tag_end].endswith(b"/>"):
        return Edit(item.values_start, tag_end, f"<{p}VALUES>{new}</{p}VALUES>".encode())
    place = item.values_end if item.values_end is not None else tag_end
    return Edit(place, place, new.encode())


_THE_VALUE = re.compile(rb"(\sTHE-VALUE\s*=\s*)(\"[^\"]*\"|'[^']*')")


def _replaced(content: bytes, start: int, quoted: str) -> Edit:
    """The value in the tag that begins at ``start``; a tag without one gets it."""
    name = re.compile(rb"<[\w:.-]+").match(content, start)
    at = start if name is None else name.end()
    end = _tag_end(content, at)
    match = _THE_VALUE.search(content, at, end)
    if match is not None:
        return Edit(match.start(2), match.end(2), quoted.encode())
    return Edit(at, at, f" THE-VALUE={quoted}".encode())


def _tag_end(content: bytes, at: int) -> int:
    """Where a start tag ends; ``>`` inside quotes does not end it."""
    quote = b""
    while at < len(content):
        sign = content[at : at + 1]
        if quote:
            quote = b"" if sign == quote else quote
        elif sign in (b'"', b"'"):
            quote = sign
        elif sign == b">":
            return at
        at += 1
    return at
