"""JSON, as the interface fixes it: requirements and findings; what was set aside stands beside them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from assent.documents.checking import Checked, Row
from assent.documents.findings import trace_row
from assent.documents.together import Noted
from assent.io.lines import encode


class CheckDocument(TypedDict):
    """The object of ``assent check --json``."""

    requirements: list[dict[str, object]]
    findings: list[dict[str, object]]
    set_aside: list[dict[str, object]]


def text(checked: Checked, findings: Sequence[Noted]) -> str:
    """One JSON object on one line."""
    return encode(document(checked, findings)).decode()


def document(checked: Checked, findings: Sequence[Noted]) -> CheckDocument:
    """``{"requirements": [...], "findings": [...], "set_aside": [...]}``."""
    return {
        "requirements": [requirement(row) for row in checked.rows],
        "findings": [finding(noted) for noted in findings],
        "set_aside": [
            {"file": part.file, "line": part.line, "text": part.text, "why": part.why}
            for part in checked.aside
        ],
    }


def requirement(row: Row) -> dict[str, object]:
    """One requirement; fields without a value are left out."""
    source, judgement = row.requirement, row.judgement
    fields: dict[str, object] = {
        "id": source.id,
        "file": source.file,
        "line": source.line,
        "column": source.column,
        "text": source.text,
        "logic": judgement.logic,
        "decision": judgement.decision,
        "formula": judgement.formula,
        "english": judgement.english,
        "reason": judgement.reason,
        "detail": judgement.detail,
        "readings": [{"formula": r.formula, "english": r.english} for r in judgement.readings] or None,
        "vouched_by": judgement.by if judgement.vouched else None,
    }
    return {key: value for key, value in fields.items() if value is not None}


def finding(noted: Noted) -> dict[str, object]:
    """One finding; ``unvouched``: ids whose formula nobody vouches for, ``decided``: false for unknown."""
    row: dict[str, object] = {
        "kind": noted.kind,
        "requirements": list(noted.requirements),
        "detail": noted.said,
    }
    if noted.witness is not None:
        row["witness"] = trace_row(noted.witness)
    if noted.unvouched:
        row["unvouched"] = list(noted.unvouched)
    if not noted.decided:
        row["decided"] = False
    return row
