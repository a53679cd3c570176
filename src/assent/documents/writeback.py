"""Formulas back into the documents that have a place for them, and nothing else changed.

A requirement that is vouched for gets its formula. One that had a formula and is no longer vouched for gets the
empty text: a formula in a document is one that somebody vouches for. What is written is read again first; if any
requirement would read otherwise, nothing is written.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from assent.documents.checking import Checked, Row
from assent.documents.content import LONGEST_DOCUMENT
from assent.documents.doorstop import FIELD as DOORSTOP_FIELD
from assent.documents.doorstop import item_with
from assent.documents.needs import needs_with, read_needs
from assent.documents.reqif import FIELD, read_reqif, reqif_with
from assent.documents.strictdoc import read_strictdoc, sdoc_with
from assent.documents.written import Document
from assent.documents.yamls import yaml_value
from assent.errors import DataError, UsageError
from assent.io.files import text_of, write_atomically

WRITABLE = ("needs", "doorstop", "strictdoc", "reqif")


def formulas_of(rows: Iterable[Row]) -> dict[str, str]:
    """The formula of each entry: of its only requirement, or of all of them joined; empty if one is not vouched for."""
    entries: dict[str, list[str]] = {}
    for row in rows:
        if row.requirement.entry is not None:
            formula = row.judgement.formula if row.judgement.vouched else None
            entries.setdefault(row.requirement.entry, []).append(formula or "")
    return {
        entry: ""
        if "" in parts
        else parts[0]
        if len(parts) == 1
        else " & ".join(f"({part})" for part in parts)
        for entry, parts in entries.items()
    }


def refuse_unwritable(documents: Iterable[Document]) -> None:
    """UsageError for a document that has no place for formulas, before anything is asked."""
    for document in documents:
        if document.format not in WRITABLE:
            raise UsageError(
                f"{document.file}: formulas are written back to {', '.join(WRITABLE)}, not to {document.format}"
            )


def write_back(documents: Iterable[Document], checked: Checked, columns: Mapping[str, str]) -> int:
    """Write formulas into every document; the number of files that changed. UsageError if one has no place for them."""
    all_documents = list(documents)
    refuse_unwritable(all_documents)
    waiting: list[tuple[Path, bytes]] = []
    for document in all_documents:
        names = {requirement.file for requirement in document.requirements}
        for file in sorted(names):
            rows = [row for row in checked.rows if row.requirement.file == file]
            before = _bytes(file)
            after = _with_formulas(document.format, before, file, formulas_of(rows), columns)
            if after != before:
                waiting.append((Path(file), after))
    for path, content in waiting:
        write_atomically(path, content)
    return len(waiting)


def _bytes(file: str) -> bytes:
    """The file with its mark, if it has one; DataError if it is not UTF-8."""
    try:
        content = Path(file).read_bytes()
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror}", file=file) from error
    if len(content) > LONGEST_DOCUMENT:
        raise DataError(f"is longer than {LONGEST_DOCUMENT} bytes", file=file)
    text_of(content, file=file)
    return content


def _with_formulas(
    form: str, content: bytes, file: str, formulas: Mapping[str, str], columns: Mapping[str, str]
) -> bytes:
    read_columns = {kind: name for kind, name in columns.items() if kind != "formula"}
    attribute = columns.get("formula", FIELD)

    def read(form: str, content: bytes) -> object:
        text = text_of(content, file=file).removeprefix("\ufeff").replace("\r\n", "\n")
        if form == "doorstop":
            item = yaml_value(text, file)
            return {key: value for key, value in item.items() if key != DOORSTOP_FIELD}
        if form == "reqif":
            document = read_reqif(content, file, read_columns)
        else:
            document = read_needs(text, file) if form == "needs" else read_strictdoc(text, file)
        return [(requirement.id, requirement.text) for requirement in document.requirements]

    if form == "doorstop":
        after = item_with(content, next(iter(formulas.values()), ""))
    elif form == "reqif":
        after = reqif_with(content, file, formulas, read_columns, attribute)
    else:
        after = (needs_with if form == "needs" else sdoc_with)(content, file, formulas)
    if read(form, after) != read(form, content):
        raise DataError(
            "formulas cannot be written without changing requirements; nothing was written", file=file
        )
    return after
