"""Changing a file at a few places and nowhere else."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from assent.errors import DataError


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """Put ``new`` in the place of the bytes from ``start`` to ``end``."""

    start: int
    end: int
    new: bytes


def edited(content: bytes, edits: Iterable[Edit]) -> bytes:
    """The content with all edits; DataError if two of them overlap. Every other byte stays."""
    parts: list[bytes] = []
    at = 0
    for edit in sorted(edits):
        if edit.start < at:
            raise DataError("two formulas would be written to the same place")
        parts += [content[at : edit.start], edit.new]
        at = edit.end
    return b"".join([*parts, content[at:]])


def line_end(content: bytes) -> bytes:
    """The line end that a file uses."""
    first = content.find(b"\n")
    return b"\r\n" if first > 0 and content[first - 1 : first] == b"\r" else b"\n"
