"""How far a review is, in what the answers buy."""

from __future__ import annotations

from assent.ledger.log import Ledger
from assent.ledger.queue import remaining
from assent.review.certify import Audit

CONFIDENCE = "0.95"


def progress(ledger: Ledger) -> str:
    """One line: what is known by now, and what it will be when the open answers are in and right."""
    waiting, done = remaining(ledger)
    audit = Audit.read(ledger)
    line = f"{done} of {done + waiting} looks answered"
    if not audit.accepted or not audit.audited:
        return line
    now = audit.at_most(CONFIDENCE)
    line += f" · at most {now} of {audit.accepted} accepted wrong (95 %)"
    if audit.unanswered:
        then = audit.at_most(CONFIDENCE, hopeful=True)
        line += f" · {audit.unanswered} more answers → at most {then}, if they are right"
    return line
