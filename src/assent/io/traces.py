"""Recorded traces: a CSV file whose first column is time and whose other columns are values by name.

Commas, semicolons or tabs between the cells; UTF-8 with or without a byte-order mark, UTF-16 with one. What cannot be
read for certain (a missing value, a decimal comma, times that do not grow) is refused with line and column.
"""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from assent.errors import DataError
from assent.io.files import read_bytes, text_of

MAX_CELLS = 5_000_000
"""Cells of a trace."""

_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?\Z", re.ASCII)
_BOOLEANS = {"true": True, "false": False}
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True)
class TraceTable:
    """Times in order, and for each name as many values: numbers as they were written, or booleans."""

    times: Sequence[Fraction]
    columns: dict[str, list[Fraction | bool]]


def read_trace(path: str | os.PathLike[str]) -> TraceTable:
    """A recorded trace from a CSV file; DataError, with line and column, if it is none."""
    return trace_of(read_bytes(Path(path)), str(path))


def trace_of(content: bytes, file: str) -> TraceTable:
    """``read_trace`` for bytes that were read already; ``file`` is named in errors."""
    text = _decoded(content, file)
    if "\0" in text:
        raise DataError("not a text file", file=file)
    first = text.lstrip("\r\n").split("\n", 1)[0]
    mark = max(",;\t", key=first.count)
    rows = csv.reader(text.splitlines(keepends=True), delimiter=mark, strict=True)
    names: list[str] = []
    times: list[Fraction] = []
    columns: list[list[Fraction | bool]] = []
    try:
        for row in rows:
            if not any(cell.strip() for cell in row):
                continue
            if not names:
                names = _header(row, file, rows.line_num)
                columns = [[] for _ in names[1:]]
                continue
            _take(row, names, times, columns, file, rows.line_num)
    except csv.Error as error:
        raise DataError(f"not CSV: {error}", file=file, line=rows.line_num) from None
    if not times:
        raise DataError("a trace has a line of names and at least one line of values", file=file)
    return TraceTable(times, dict(zip(names[1:], columns, strict=True)))


def table_of(columns: Mapping[str, Sequence[object]]) -> TraceTable:
    """A trace from lists by name, times first; DataError if their lengths differ or a value is no number or truth."""
    file = "the trace"
    names = _header(list(columns), file, 0)
    lengths = {len(values) for values in columns.values()}
    if len(lengths) != 1 or 0 in lengths:
        raise DataError("all columns need the same number of values, at least one", file=file)
    times: list[Fraction] = []
    taken: list[list[Fraction | bool]] = [[] for _ in names[1:]]
    for number, row in enumerate(zip(*columns.values(), strict=True), 1):
        _take([str(cell) for cell in row], names, times, taken, file, number)
    return TraceTable(times, dict(zip(names[1:], taken, strict=True)))


def number_of(text: str) -> Fraction | None:
    """A number exactly as it is written, None if it is none."""
    return Fraction(text) if _NUMBER.match(text) else None


def _decoded(content: bytes, file: str) -> str:
    if content.startswith(_UTF16):
        try:
            return content.decode("utf-16")
        except UnicodeDecodeError:
            raise DataError("begins like UTF-16 and is not", file=file) from None
    return text_of(content, file=file)


def _header(row: Sequence[str], file: str, line: int) -> list[str]:
    names = [cell.strip() for cell in row]
    if len(names) < 2:
        raise DataError("a trace has a column of times and at least one more", file=file, line=line)
    for column, name in enumerate(names, 1):
        if not name:
            raise DataError(f"column {column} has no name", file=file, line=line)
        if name in names[: column - 1]:
            raise DataError(f"two columns are called {name!r}", file=file, line=line)
    if _NUMBER.match(names[0]):
        raise DataError("the first line must hold the names of the columns", file=file, line=line)
    return names


def _take(
    row: Sequence[str],
    names: Sequence[str],
    times: list[Fraction],
    columns: Sequence[list[Fraction | bool]],
    file: str,
    line: int,
) -> None:
    """One line of values, checked and added."""
    if len(row) != len(names):
        raise DataError(f"{len(row)} cells where there are {len(names)} columns", file=file, line=line)
    if (len(times) + 1) * len(names) > MAX_CELLS:
        raise DataError(f"more than {MAX_CELLS:,} cells", file=file, line=line)
    values = [_value(cell, names[k], k + 1, file, line) for k, cell in enumerate(row)]
    time = values[0]
    if isinstance(time, bool):
        raise DataError(f"column 1 ({names[0]}): a time is a number", file=file, line=line)
    if times and time <= times[-1]:
        raise DataError(f"column 1 ({names[0]}): times must grow", file=file, line=line)
    times.append(time)
    for column, value in zip(columns, values[1:], strict=True):
        column.append(value)


def _value(cell: str, name: str, column: int, file: str, line: int) -> Fraction | bool:
    text = cell.strip()
    if _NUMBER.match(text):
        return Fraction(text)
    if text.lower() in _BOOLEANS:
        return _BOOLEANS[text.lower()]
    if not text:
        raise DataError(f"column {column} ({name}): the value is missing", file=file, line=line)
    hint = "; write a decimal point" if _NUMBER.match(text.replace(",", ".")) else ""
    raise DataError(
        f"column {column} ({name}): {text[:40]!r} is neither a number nor true or false{hint}",
        file=file,
        line=line,
    )
