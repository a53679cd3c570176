"""Decisions for notebooks: small pieces of HTML, everything escaped."""

from __future__ import annotations

from html import escape

from assent.records import Abstained, Accepted


def accepted_html(decision: Accepted) -> str:
    """The formula, its English, and what vouches for it."""
    limit = "" if decision.threshold is None else f", limit {decision.threshold:.3f}"
    return (
        f"<p><b>accepted</b> <code>{escape(str(decision.formula))}</code><br>{escape(decision.english)}<br>"
        f"<small>score {decision.score:.3f}{limit}, alpha {decision.alpha:g}</small></p>{_notes(decision.warnings)}"
    )


def abstained_html(decision: Abstained) -> str:
    """The reason, the readings, and what to do."""
    readings = "".join(
        f"<li><code>{escape(str(reading.formula))}</code><br>{escape(reading.english)}</li>"
        for reading in decision.readings
    )
    return (
        f"<p><b>abstained</b> ({escape(decision.reason)}): {escape(decision.detail)}</p>"
        + (f"<ol>{readings}</ol>" if readings else "")
        + _notes(decision.advice)
    )


def _notes(lines: tuple[str, ...]) -> str:
    return "".join(f"<p><small>{escape(line)}</small></p>" for line in lines)
