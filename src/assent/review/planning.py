"""What answers buy, from a ledger's own scores: the population as the drawn and answered rows show it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from assent.calibrate.planner import PlanRow, plan, say
from assent.errors import UsageError
from assent.ledger import LedgerPlan
from assent.review.labels import LabelRow

ENOUGH = 10
"""Answers without which a plan would be a guess."""
QUICK: tuple[int, int] = (8, 2000)
"""Simulated streams and their length for a line between two cards."""


@dataclass(frozen=True)
class Population:
    """Scores and labels of the stream, each answered row as often as its probability says it stands for others."""

    scores: list[float]
    wrong: list[bool]
    answers: int
    limit: float | None
    """The highest score that is accepted now."""

    @classmethod
    def of(cls, rows: Sequence[LabelRow]) -> Population:
        """From the answered rows; ``UsageError`` where there are too few."""
        known = [row for row in rows if row.answered and row.score is not None and row.q]
        if len(known) < ENOUGH:
            raise UsageError(
                f"a plan needs at least {ENOUGH} answers with a score, and there are {len(known)}"
            )
        common = math.lcm(*(row.q.numerator for row in known if row.q))
        scores: list[float] = []
        wrong: list[bool] = []
        for row in known:
            times = 1 if row.q is None else common * row.q.denominator // row.q.numerator
            scores += [row.score or 0.0] * times
            wrong += [bool(row.wrong)] * times
        accepted = [row.score for row in rows if row.accepted and row.score is not None]
        return cls(scores, wrong, len(known), max(accepted, default=None))

    def plan(
        self,
        draws: LedgerPlan,
        *,
        alphas: Sequence[str],
        delta: str,
        quick: bool = False,
        document: int | None = None,
    ) -> list[PlanRow]:
        """How many answers buy which promise under a plan of draws.

        The certificate is for a document of ``document`` accepted formulas like these (None: for these themselves).
        """
        size = dict(zip(("draws", "longest"), QUICK, strict=True)) if quick else {}
        return plan(
            self.scores,
            wrong=self.wrong,
            q_accepted=draws.audit,
            q_abstained=draws.abstained,
            limit=self.limit,
            alphas=alphas,
            delta=delta,
            document=document,
            **size,
        )

    def sentence(self, draws: LedgerPlan) -> str:
        """ "14 more answers → alpha = 0.08"."""
        rows = self.plan(draws, alphas=("0.05", "0.08", "0.1", "0.15", "0.2"), delta="0.1", quick=True)
        return say(rows, "audited", self.answers)
