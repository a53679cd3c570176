"""The ledger: an append-only store of instructions, evidence, decisions, draws, answers, contests and policies.

    with Ledger.open("reviews.db", create=True) as ledger:      # or postgresql://...
        record(ledger, decision_row, policy=record_policy(ledger, text))
        draw_new(ledger, Plan(audit="0.1", abstained="0.3"))

Nothing here knows formulas or models: plain objects go in, plain objects come out.
"""

from assent.ledger.database import LedgerError
from assent.ledger.draws import draw_new
from assent.ledger.entries import (
    Contest,
    Draw,
    Kind,
    LedgerPlan,
    Plant,
    ReviewAnswer,
    ReviewLabel,
    Said,
    Stratum,
)
from assent.ledger.log import Ledger
from assent.ledger.record import record, record_all, record_policy, volunteer

__all__ = [
    "Contest",
    "Draw",
    "Kind",
    "Ledger",
    "LedgerError",
    "LedgerPlan",
    "Plant",
    "ReviewAnswer",
    "ReviewLabel",
    "Said",
    "Stratum",
    "draw_new",
    "record",
    "record_all",
    "record_policy",
    "volunteer",
]
