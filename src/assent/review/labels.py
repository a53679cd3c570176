"""Labels that may calibrate: every decision with its coin, and what was found where the coin picked it.

Only our own draws count. A label whose probability of being drawn is not known (hand-picked, volunteered) stays
out, and a stream that holds one as if it were drawn is refused.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from assent.calibrate.rules import Threshold
from assent.errors import DataError, PolicyError
from assent.ledger.database import LedgerError
from assent.ledger.entries import Draw, Kind, LedgerPlan, ReviewAnswer, Stratum, probability
from assent.ledger.log import Ledger
from assent.ledger.outcomes import Reviews
from assent.ledger.settle import ReviewState
from assent.policy import Policy


@dataclass(frozen=True, slots=True)
class LabelRow:
    """One decision of the stream. ``wrong`` is None where nobody was asked, or nobody has answered yet."""

    decision: str
    id: str
    logic: str
    cluster: str | None
    accepted: bool
    withheld: bool
    """There is no candidate: no threshold accepts it, so it costs nothing, and it has no probability."""
    score: float | None
    """What the policy of the decision thresholded, where it came to that."""
    q: Fraction | None
    drawn: bool
    wrong: bool | None
    policy: str | None
    evidence: Mapping[str, Any]
    least: Fraction | None = None
    """The least probability that its plan gives to anything its policy could have said: known before the score is.

    None where nobody knows: then the least that occurs counts.
    """

    @property
    def answered(self) -> bool:
        return self.wrong is not None


@dataclass(frozen=True)
class LabelColumns:
    """Rows as the rules of ``assent.calibrate`` take them: ``audited_crc(c.scores, c.drawn, c.answers, c.q, ...)``."""

    scores: npt.NDArray[np.float64]
    drawn: npt.NDArray[np.bool_]
    answers: npt.NDArray[np.float64]
    q: npt.NDArray[np.float64]
    clusters: list[str] | None
    deferred: npt.NDArray[np.bool_]
    least: Fraction
    """The least probability with which anything that a threshold could accept was drawn, or might have been."""
    leasts: npt.NDArray[np.float64]
    """For each row the least probability under the plan and the policy of that time."""


def label_rows(ledger: Ledger, *, logic: str | None = None) -> list[LabelRow]:
    """Every decision that has its coin, in the order of the stream; ``LedgerError`` for answers without a draw."""
    reviews = Reviews.read(ledger)
    _only_drawn(ledger, reviews)
    draws = {draw.decision: draw for draw in ledger.all(Draw, Kind.DRAW)}
    least = _Least(ledger)
    rows = []
    for entry in ledger.each(Kind.DECISION):
        body = entry.object()
        draw = draws.get(entry.id)
        if draw is None or (logic is not None and body["logic"] != logic):
            continue
        evidence = ledger.entry(Kind.EVIDENCE, str(body["evidence"]))
        if evidence is None:
            raise LedgerError(f"{ledger.where}: damaged: there is no evidence {body['evidence']}")
        rows.append(
            _row(draw, body, evidence.object(), reviews, least.of(str(draw.plan), body.get("policy")))
        )
    return rows


class _Least:
    """The least probability of each plan, given what the policy of the time could say.

    Not the least that occurred: that depends on the scores, and a bet must not know them.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._known: dict[tuple[str, str | None], Fraction] = {}

    def of(self, plan: str, policy: str | None) -> Fraction:
        if (plan, policy) not in self._known:
            self._known[plan, policy] = self._look(plan, policy)
        return self._known[plan, policy]

    def _look(self, plan: str, policy: str | None) -> Fraction:
        drawn_by = self._ledger.get(LedgerPlan, Kind.PLAN, plan)
        if drawn_by is None:
            raise LedgerError(f"{self._ledger.where}: damaged: there is no plan {plan}")
        chances = [probability(drawn_by.abstained, "abstained")]
        if self._accepts(policy):
            chances.append(probability(drawn_by.audit, "audit"))
        # What was drawn with 0 is refused for itself; a stratum that never occurred says nothing.
        return min((chance for chance in chances if chance), default=Fraction(1))

    def _accepts(self, name: str | None) -> bool:
        """Whether a policy accepts anything at any score; one that is not known might."""
        entry = None if name is None else self._ledger.entry(Kind.POLICY, name)
        if entry is None:
            return True
        try:
            policy = Policy.from_json(str(entry.object()["text"]), source=self._ledger.where)
        except PolicyError:  # of another version
            return True
        return any(isinstance(rule, Threshold) for rule in policy.rules.values())


def _only_drawn(ledger: Ledger, reviews: Reviews) -> None:
    known = {draw.decision for draw in ledger.all(Draw, Kind.DRAW) if draw.picked}
    known |= {entry.id for entry in ledger.each(Kind.PLANT)}
    for item in reviews.answers:
        if item not in known:
            raise LedgerError(
                f"{ledger.where}: {item} was answered and never drawn: the probability of a label must be known"
            )


def _row(
    draw: Draw, body: Mapping[str, Any], evidence: dict[str, Any], reviews: Reviews, least: Fraction
) -> LabelRow:
    result = reviews.of(draw.decision, twice=draw.twice) if draw.picked else None
    readable = draw.stratum is not Stratum.UNREADABLE
    score = body.get("score")
    return LabelRow(
        decision=draw.decision,
        id=str(body.get("id")),
        logic=str(body["logic"]),
        cluster=body.get("cluster"),
        accepted=body["decision"] == "accepted",
        withheld=not readable,
        score=float(score) if isinstance(score, int | float) and not body.get("bound") else None,
        q=probability(draw.q, "q") if readable else None,
        drawn=draw.picked,
        wrong=result.wrong if result is not None and result.state is ReviewState.SETTLED else None,
        policy=body.get("policy"),
        evidence=evidence,
        least=least,
    )


def columns(
    rows: Sequence[LabelRow], scores: Sequence[float], *, withheld: Sequence[bool] | None = None
) -> LabelColumns:
    """Rows with one score each (1 where there is none) as arrays.

    ``withheld`` marks rows that deployment keeps back whatever their score (gate, doubts, failures), beside those
    without a candidate. Clusters count where every row declares one; a stream that mixes both is refused.
    """
    away = np.array([row.withheld for row in rows], dtype=np.bool_)
    if withheld is not None:
        away |= np.array(withheld, dtype=np.bool_)
    clusters = _clusters(rows)
    taken = np.array([row.drawn for row in rows], dtype=np.bool_)
    if clusters is not None:  # a cluster is drawn whole: what could not be shown shares its fate
        picked = {name for name, row in zip(clusters, rows, strict=True) if row.drawn}
        taken = np.array([name in picked for name in clusters], dtype=np.bool_)
    chances = [
        chance for row in rows if row.q is not None for chance in (row.q, row.least) if chance is not None
    ]
    least = min(chances, default=Fraction(1))
    return LabelColumns(
        scores=np.asarray(scores, dtype=np.float64),
        drawn=taken,
        answers=np.array([math.nan if row.wrong is None else float(row.wrong) for row in rows]),
        q=np.array([math.nan if row.q is None else float(row.q) for row in rows]),
        clusters=clusters,
        deferred=away,
        least=least,
        leasts=np.array([float(least if row.least is None else row.least) for row in rows]),
    )


def _clusters(rows: Sequence[LabelRow]) -> list[str] | None:
    missing = sum(row.cluster is None for row in rows)
    if missing == len(rows):
        return None
    if missing:
        raise DataError(
            f"{missing} of {len(rows)} decisions have no 'cluster' and the others do: give every one its cluster, "
            "or none"
        )
    return [str(row.cluster) for row in rows]


def answers_of(ledger: Ledger) -> Iterator[ReviewAnswer]:
    """Every answer that stands, for training: the formula that a person chose or wrote."""
    reviews = Reviews.read(ledger)
    for item in reviews.answers:
        yield from reviews.live(item).values()
