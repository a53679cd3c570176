"""Columns of tables: which holds the identifier, the requirement, the logic, the domain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assent.errors import UsageError

_NAMES = {
    "id": ("id", "req", "req id", "req-id", "reqid", "req. id", "requirement id", "identifier", "uid", "key", "#",
           "no", "no.", "nr", "nr.", "number", "tag", "label", "ref", "object id", "object identifier"),
    "text": ("requirement", "requirements", "text", "requirement text", "statement", "shall statement", "sentence",
             "instruction", "acceptance criterion", "acceptance criteria", "criterion", "specification", "description",
             "object text", "primary text", "content", "rule"),
    "logic": ("logic",),
    "domain": ("domain", "section", "module"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class CellColumns:
    """Places of columns, from 0; None for one that is not there."""

    id: int | None = None
    text: int | None = None
    logic: int | None = None
    domain: int | None = None


def columns_of(head: Sequence[str], columns: Mapping[str, str] | None = None) -> CellColumns:
    """The columns of a table by its head; ``columns`` maps id, text, logic, domain to names of columns.

    UsageError if a named column is not there, or two columns are called what one is looked for by (in prose, without
    ``columns``, the first is taken). Without a name, the usual ones are looked for, the likeliest first; a column
    "domain" counts only where ``columns`` names it or it is called so.
    """
    titles = [" ".join(cell.lower().split()) for cell in head]
    places: dict[str, int | None] = {}
    for kind, usual in _NAMES.items():
        column = (columns or {}).get(kind)
        if column is not None:
            place = _named(titles, column)
            if place is None:
                raise UsageError(f"there is no column {column!r}; the table has {', '.join(head) or 'none'}")
            places[kind] = place
        else:
            choices = usual if kind != "domain" else usual[:1]
            used = {place for place in places.values() if place is not None}
            places[kind] = next(
                (titles.index(name) for name in choices if name in titles and titles.index(name) not in used),
                None,
            )
    if columns is not None:
        _refuse_repeats(titles, columns, places)
    return CellColumns(**places)


def _refuse_repeats(
    titles: Sequence[str], columns: Mapping[str, str], places: Mapping[str, int | None]
) -> None:
    """UsageError if another column has the same title as a chosen one: what it holds would go unread."""
    for kind, place in places.items():
        if place is None or (columns.get(kind) or "").strip().isdecimal():
            continue
        if titles.count(titles[place]) > 1:
            raise UsageError(
                f"two columns are called {titles[place]!r}: choose one by its number, --columns {kind}={place + 1}"
            )


def _named(titles: Sequence[str], name: str) -> int | None:
    """A column by its name, or by its number from 1."""
    title = " ".join(name.lower().split())
    if title in titles:
        return titles.index(title)
    if title.isdecimal() and 1 <= int(title) <= len(titles):
        return int(title) - 1
    return None


def column_map(text: str | None) -> dict[str, str]:
    """``id=Req,text=Statement`` as a map; UsageError if it is no such list."""
    columns: dict[str, str] = {}
    for part in (text or "").split(","):
        if not part.strip():
            continue
        kind, equals, name = part.partition("=")
        if not equals or kind.strip() not in (*_NAMES, "formula") or not name.strip():
            raise UsageError(
                f"--columns is a list like id=Req,text=Statement ({', '.join(_NAMES)}), not {part!r}"
            )
        columns[kind.strip()] = name.strip()
    return columns
