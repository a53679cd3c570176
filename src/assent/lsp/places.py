"""Places in a text as editors count them: lines from 0, columns in UTF-16 units, UTF-8 bytes or characters."""

from __future__ import annotations

from lsprotocol.types import Position, PositionEncodingKind, Range

from assent.documents.written import WrittenRequirement

_WIDE = 0xFFFF


def lines_of(text: str) -> list[str]:
    """The lines of a text, split as documents are: at ``\\n``, ``\\r\\n`` and ``\\r`` only."""
    return (
        text.removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}")
        .replace("\r\n", "\n")
        .replace("\r", "\n")
        .split("\n")
    )


class Places:
    """Ranges of requirements in one text, in the units that the client asked for."""

    def __init__(self, text: str, units: PositionEncodingKind | str | None = None) -> None:
        self._lines = lines_of(text)
        self._units = PositionEncodingKind.Utf16 if units is None else PositionEncodingKind(units)
        self._marked = text.startswith("\N{ZERO WIDTH NO-BREAK SPACE}")

    def of(self, requirement: WrittenRequirement) -> Range:
        """The range of a requirement; its end lies behind the last character."""
        start = (requirement.line, requirement.column)
        return Range(self.at(*start), self.at(*(requirement.end or start)))

    def line(self, number: int) -> Range:
        """A whole line, counted from 1; the nearest one if there is no such line."""
        number = min(max(1, number), len(self._lines))
        text = self._lines[number - 1]
        return Range(self.at(number, len(text) - len(text.lstrip()) + 1), self.at(number, len(text) + 1))

    def at(self, line: int, column: int) -> Position:
        """The position of a line and column that are counted from 1, in characters."""
        before = self._lines[line - 1][: column - 1]
        return Position(line - 1, self._counted(before) + (self._mark() if line == 1 else 0))

    def slice(self, requirement: WrittenRequirement) -> str:
        """The text of a requirement as it stands in the document; lines are joined by ``\\n``."""
        last, behind = requirement.end or (requirement.line, requirement.column)
        lines = self._lines[requirement.line - 1 : last]
        lines[-1] = lines[-1][: behind - 1]
        lines[0] = lines[0][requirement.column - 1 :]
        return "\n".join(lines)

    def _counted(self, text: str) -> int:
        if self._units == PositionEncodingKind.Utf8:
            return len(text.encode("utf-8", "surrogatepass"))
        if self._units == PositionEncodingKind.Utf32:
            return len(text)
        return len(text) + sum(ord(sign) > _WIDE for sign in text)

    def _mark(self) -> int:
        """The width of the byte-order mark before the first line; 0 without one."""
        return self._counted("\N{ZERO WIDTH NO-BREAK SPACE}") if self._marked else 0


def inside(place: Position, span: Range) -> bool:
    """Whether a place lies in a range, its end included."""
    return before(span.start, place) and before(place, span.end)


def touch(first: Range, second: Range) -> bool:
    """Whether two ranges share a place, ends included."""
    return before(first.start, second.end) and before(second.start, first.end)


def before(first: Position, second: Position) -> bool:
    """Whether ``first`` lies before ``second`` or at the same place."""
    return (first.line, first.character) <= (second.line, second.character)
