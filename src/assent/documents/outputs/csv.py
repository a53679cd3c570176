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
        judgement, requirement = row.judgement, row.requirement
        by = judgement.by if judgement.vouched else None
        readings = "\n".join(f"{reading.formula}: {reading.english}" for reading in judgement.readings)
        writer.writerow(
            cells(
                (requirement.id, requirement.file, requirement.line, requirement.text, judgement.logic,
                 judgement.decision, judgement.formula, judgement.english, judgement.reason, judgement.detail, by,
                 readings, "\n".join(about.pop(requirement.id, []))),
            )
        )  # fmt: skip
    for name, lines in about.items():
        writer.writerow(cells((name, *[""] * (len(HEAD) - 2), "\n".join(lines))))
    return out.getvalue()


def cells(values: Sequence[object]) -> list[str]:
    """Values as cells: None is empty, and nothing is taken for a formula."""
    return [for_cell("" if value is None else str(value)) for value in values]
