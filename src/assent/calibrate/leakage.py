"""Sets that must not share a row: gate reference, gate calibration, fit, threshold calibration, test."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from assent.errors import LeakageError
from assent.io.numbering import Numbering

FIELDS = ("id", "text", "cluster")
SHOWN = 3


def refuse_overlap(sets: Mapping[str, Iterable[Any]]) -> None:
    """Raise ``LeakageError`` if two sets share an id, a text or a cluster.

    Rows are mappings or objects with these fields; a missing field is not compared. Texts are compared
    without regard to case and spacing.
    """
    homes, names = {what: Numbering() for what in FIELDS}, list(sets)
    shared: dict[tuple[str, str, str], list[str]] = {}
    for number, (name, rows) in enumerate(sets.items()):
        for row in rows:
            for what in FIELDS:
                value = _value(row, what)
                if value is None:
                    continue
                home = names[homes[what].setdefault(value, number)]
                if home != name:
                    shared.setdefault((home, name, what), []).append(value)
    if shared:
        raise LeakageError("; ".join(_said(key, values) for key, values in shared.items()))


def _value(row: Any, what: str) -> str | None:
    value = row.get(what) if isinstance(row, Mapping) else getattr(row, what, None)
    if value is None:
        return None
    return normalised(str(value)) if what == "text" else str(value)


def normalised(text: str) -> str:
    """Texts that differ in case and spaces only are the same instruction."""
    return " ".join(text.casefold().split())


def _said(key: tuple[str, str, str], values: list[str]) -> str:
    first, second, what = key
    some = ", ".join(repr(value[:60]) for value in dict.fromkeys(values[:SHOWN]))
    more = f" and {len(values) - SHOWN} more rows" if len(values) > SHOWN else ""
    return f"{first} and {second} must be disjoint but share the {what} {some}{more}"
