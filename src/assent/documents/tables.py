"""Tables: CSV and TSV files, sheets of XLSX files, JSON lines."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from assent.documents.cells import CellColumns, columns_of
from assent.documents.content import MOST_REQUIREMENTS
from assent.documents.gather import About, Gatherer, Passage
from assent.documents.written import Document
from assent.errors import DataError, MissingExtraError, UsageError
from assent.io.lines import read_rows

_LONGEST_CELL = 1_000_000
_MOST_UNPACKED = 200_000_000
"""Bytes that an XLSX file may unpack to."""

Row = tuple[int, list[str]]


def read_csv(text: str, file: str, columns: Mapping[str, str], *, tabs: bool = False) -> Document:
    """A CSV or TSV file with a head; the separator (, ; or tab) is taken from the head. DataError if it is damaged."""
    head = text[: text.find("\n") if "\n" in text else len(text)]
    outside = re.sub(r'"[^"]*"', "", head)
    separator = "\t" if tabs else max(",;\t", key=outside.count)
    lines = text.split("\n")
    return _table(_csv_rows(text, separator, file), Gatherer(file, "tsv" if tabs else "csv"), columns, lines)


def _csv_rows(text: str, separator: str, file: str) -> Iterator[Row]:
    csv.field_size_limit(_LONGEST_CELL)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    begin = 1
    while True:
        try:
            row = next(reader, None)
        except csv.Error as error:
            raise DataError(f"cannot be read as a table: {error}", file=file, line=begin) from None
        if row is None:
            return
        yield begin, row
        begin = reader.line_num + 1


def read_sheet(path: Path, file: str, columns: Mapping[str, str]) -> Document:
    """The first sheet of an XLSX file that has a column of requirements; MissingExtraError without openpyxl."""
    try:
        import openpyxl
    except ImportError:
        raise MissingExtraError("XLSX", "documents") from None
    _check_size(path, file)
    try:
        book = openpyxl.load_workbook(path, read_only=True, data_only=True)
        sheets = [
            (
                str(sheet.title),
                [
                    (number, ["" if cell is None else str(cell) for cell in row])
                    for number, row in enumerate(sheet.iter_rows(values_only=True), start=1)
                    if number <= MOST_REQUIREMENTS + 1
                ],
            )
            for sheet in book.worksheets
        ]
        book.close()
    except Exception as error:  # a damaged file ends in any of a dozen errors there
        cause = " ".join(str(error).split())[:200] or type(error).__name__
        raise DataError(f"cannot be read as XLSX: {cause}", file=file) from error
    return _first_sheet(sheets, file, columns)


def _first_sheet(sheets: list[tuple[str, list[Row]]], file: str, columns: Mapping[str, str]) -> Document:
    requirement_rows = None
    out = Gatherer(file, "xlsx")
    for title, rows in sheets:
        filled = [row for row in rows if any(cell.strip() for cell in row[1])]
        if requirement_rows is None and filled and _has_text(filled[0][1], columns):
            requirement_rows = filled
            continue
        for number, row in filled:
            out.aside(
                " | ".join(filter(None, row)), number, f"in the sheet {title!r}, which has no requirements"
            )
    if requirement_rows is None:
        raise UsageError(f"{file}: no sheet has a column of requirements: name it with --columns text=NAME")
    return _table(requirement_rows, out, columns)


def _has_text(head: list[str], columns: Mapping[str, str]) -> bool:
    try:
        return columns_of(head, columns).text is not None
    except UsageError:
        return False


def _check_size(path: Path, file: str) -> None:
    """Refuse, before it is unpacked, an archive that unpacks to too much."""
    import zipfile

    try:
        with zipfile.ZipFile(path) as archive:
            size = sum(member.file_size for member in archive.infolist())
    except (OSError, ValueError, zipfile.BadZipFile, NotImplementedError) as error:
        raise DataError(f"cannot be read as XLSX: {error}", file=file) from error
    if size > _MOST_UNPACKED:
        raise DataError(f"unpacks to more than {_MOST_UNPACKED} bytes; it was not read", file=file)


def _table(
    rows: Iterable[Row], out: Gatherer, column_names: Mapping[str, str], lines: list[str] | None = None
) -> Document:
    columns: CellColumns | None = None
    for number, row in rows:
        if not any(cell.strip() for cell in row):
            continue
        if columns is None:
            columns = columns_of(row, column_names)
            if columns.text is None:
                raise UsageError(
                    f"{out.file}: no column is called requirement, text or the like (there are "
                    f"{', '.join(cell for cell in row if cell)[:200]}): name it with --columns text=NAME"
                )
            out.aside(" | ".join(row), number, "the head of the table")
            continue
        _entry(out, columns, number, row, lines)
    return out.document()


def _entry(out: Gatherer, columns: CellColumns, number: int, row: list[str], lines: list[str] | None) -> None:
    def cell(place: int | None) -> str | None:
        return (row[place].strip() or None) if place is not None and place < len(row) else None

    text = cell(columns.text)
    if text is None:
        out.aside(" | ".join(filter(None, row)), number, "a row without a requirement")
        return
    column = 1
    if lines is not None and number <= len(lines):
        column = max(1, lines[number - 1].find(text.split("\n")[0]) + 1)
    passage = Passage.of(" ".join(text.split()), number, column)
    out.entry(
        passage, About(id=cell(columns.id), logic=_logic(cell(columns.logic)), domain=cell(columns.domain))
    )


def _logic(name: str | None) -> str | None:
    return None if name is None else name.lower()


def read_json_lines(path: Path, file: str) -> Document:
    """JSON lines with ``text`` and, where known, ``id``, ``logic`` and ``domain``; DataError at a bad line."""
    out = Gatherer(file, "jsonl")
    for line, row in read_rows(path):
        text = row.get("text")
        if not isinstance(text, str) or not text.strip():
            raise DataError(
                "no requirement: the field 'text' must be a non-empty string", file=file, line=line
            )
        fields = {key: row[key] for key in ("id", "logic", "domain") if row.get(key) is not None}
        for key, value in fields.items():
            if not isinstance(value, str | int) or isinstance(value, bool):
                raise DataError(f"the field {key!r} must be a string", file=file, line=line)
        texts = {key: str(value) for key, value in fields.items()}
        about = About(id=texts.get("id"), logic=texts.get("logic"), domain=texts.get("domain"))
        out.entry(Passage.of(text.strip(), line), about)
    return out.document()
