"""JSON, as the interface fixes it: requirements and findings; what was set aside stands beside them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assent.documents.checking import Checked, Row
from assent.documents.findings import trace_row
from assent.documents.together import Noted
from assent.io.lines import encode


def text(checked: Checked, findings: Sequence[Noted]) -> str:
    """One JSON object on one line."""
    return encode(document(checked, findings)).decode()


def document(checked: Checked, findings: Sequence[Noted]) -> dict[str, Any]:
    """``{"requirements": [...], "findings": [...], "set_aside": [...]}``."""
    return {
        "requirements": [requirement(row) for row in checked.rows],
        "findings": [finding(noted) for noted in findings],
        "set_aside": [
            {"file": part.file, "line": part.line, "text": part.text, "why": part.why}
            for part in checked.aside
        ],
    }


def requirement(row: Row) -> dict[str, Any]:
    """One requirement; fields without a value are left out."""
    written, judgement = row.requirement, row.judgement
    found: dict[str, Any] = {
        "id": written.id,
        "file": written.file,
        "line": written.line,
        "column": written.column,
        "text": written.text,
        "logic": judgement.logic,
        "decision": judgement.decision,
        "formula": judgement.formula,
        "english": judgement.english,
        "reason": judgement.reason,
        "detail": judgement.detail,
        "readings": [{"formula": r.formula, "english": r.english} for r in judgement.readings] or None,
        "vouched_by": judgement.by if judgement.vouched else None,
    }
    return {key: value for key, value in found.items() if value is not None}


def finding(noted: Noted) -> dict[str, Any]:
    """One finding; ``unvouched``: ids whose formula nobody vouches for, ``decided``: false for unknown."""
    row: dict[str, Any] = {
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
