"""CSV: one requirement a row; no cell is taken for a formula by a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from assent.documents.checking import Checked
from assent.documents.together import Noted
from assent.io import for_cell

HEAD = ("id", "file", "line", "text", "logic", "decision", "formula", "english", "reason", "detail", "vouched_by",
        "readings", "findings")  # fmt: skip


def text(checked: Checked, findings: Sequence[Noted]) -> str:
    """The rows in order; findings about no requirement stand in rows of their own at the end."""
    about: dict[str, list[str]] = {}
    for noted in findings:
        for name in noted.requirements or ("",):
            about.setdefault(name, []).append(f"{noted.kind}: {noted.said}")
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(HEAD)
    for row in checked.rows:
        said, written = row.judgement, row.requirement
        by = said.by if said.vouched else None
        readings = "\n".join(f"{reading.formula}: {reading.english}" for reading in said.readings)
        _write(
            writer,
            (written.id, written.file, written.line, written.text, said.logic, said.decision, said.formula,
             said.english, said.reason, said.detail, by, readings, "\n".join(about.pop(written.id, []))),
        )  # fmt: skip
    for name, lines in about.items():
        _write(writer, (name, *[""] * (len(HEAD) - 2), "\n".join(lines)))
    return out.getvalue()


def _write(writer: object, cells: Sequence[object]) -> None:
    shown = [for_cell("" if cell is None else str(cell)) for cell in cells]
    writer.writerow(shown)  # type: ignore[attr-defined]
