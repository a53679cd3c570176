"""Can the calibration still be trusted? A stream against the policy it ran under, from a file or from a ledger.

Scores feed the drift alarm: one row a cluster, without what the gate deferred, in an order that knows no score.
Labels that came later feed a bound for the joint risk that holds however often one looks; every item enters it with
the probability of its draw, and a label without one is refused.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from assent.calibrate.anytime import settled
from assent.calibrate.drift import watch
from assent.calibrate.fusion import fuse_one
from assent.calibrate.watching import RiskWatch, drift_feed, observe, watch_risk
from assent.errors import DataError, PolicyError
from assent.policy import Policy
from assent.review.labels import LabelRow

FALSE_ALARM = "0.01"


@dataclass(frozen=True)
class StreamRow:
    """One decision as far as watching goes; ``line`` is its place in the file, for errors."""

    id: str
    logic: str
    accepted: bool
    cluster: str | None
    scores: Mapping[str, float]
    deferred: bool
    """The gate, a failure or an unreadable answer settled it before any score."""
    censored: bool
    q: float
    """nan where nothing is known."""
    drawn: bool
    wrong: float
    """1, 0, or nan where there is no answer."""
    line: int


@dataclass(frozen=True)
class Watched:
    """What a stream says about a policy."""

    items: int
    drift: bool | None
    """None where the alarm could not be fed, and ``note`` says why."""
    note: str
    labels: int
    low: float
    high: float
    above: bool

    @property
    def anything(self) -> bool:
        """Whether a score or an answer was looked at: without either, nothing was watched."""
        return bool(self.items or self.labels)

    def sentence(self, logic: str) -> str:
        """For a person."""
        part = f"{logic}: {self.note}" if self.note else f"{logic}: no sign of drift in {self.items} items"
        if not self.labels:
            return part
        return f"{part}, joint risk between {self.low:.3f} and {self.high:.3f} by {self.labels} labels"

    def trouble(self, logic: str, alpha: float) -> str | None:
        """Why the policy is no longer to be trusted, if so."""
        if self.drift:
            return (
                f"the {logic} scores have changed since calibration ({self.items} items; a false alarm ever has "
                f"probability {FALSE_ALARM} at most): do not trust the policy, label new rows and calibrate again"
            )
        if self.above:
            return f"the {logic} joint risk is at least {self.low:.3f}, above alpha = {alpha:g}"
        return None


def from_lines(rows: Sequence[tuple[int, Mapping[str, Any]]], file: str) -> Iterator[StreamRow]:
    """Decisions or evidence of a file. A label is ``wrong`` (0 or 1) with ``q``, its probability of being drawn."""
    labelled = any("wrong" in raw for _, raw in rows)
    for line, raw in rows:
        evidence = raw.get("evidence") or raw
        cluster = evidence.get("cluster")
        scores = evidence.get("scores") or {}
        accepted = raw.get("decision") == "accepted"
        if labelled:
            _check(raw, accepted, file, line)
        yield StreamRow(
            id=str(raw.get("id", line)),
            logic=str(evidence.get("logic")),
            accepted=accepted,
            cluster=None if cluster is None else str(cluster),
            scores=scores,
            deferred=not scores or raw.get("reason") == "out-of-domain",
            censored=bool(evidence.get("censored")),
            q=float(raw.get("q", math.nan)),
            drawn=bool(raw.get("drawn", "wrong" in raw)),
            wrong=float(raw.get("wrong", math.nan)),
            line=line,
        )


def _check(raw: Mapping[str, Any], accepted: bool, file: str, line: int) -> None:
    if "decision" not in raw or raw.get("wrong", 0) not in (0, 1):
        raise DataError(
            'a labelled stream has "decision" in every row, and "wrong" is 0 or 1', file=file, line=line
        )
    q = raw.get("q")
    if (accepted or "wrong" in raw) and not (isinstance(q, int | float) and 0 < q <= 1):
        raise DataError(
            'a label counts with the probability of being drawn: every accepted row of a labelled stream needs "q" '
            "(1 where all were labelled), drawn or not",
            file=file,
            line=line,
        )


def from_ledger(rows: Sequence[LabelRow]) -> Iterator[StreamRow]:
    """The decisions of a ledger."""
    for number, row in enumerate(rows, start=1):
        scores = row.evidence.get("scores") or {}
        yield StreamRow(
            id=row.decision,
            logic=row.logic,
            accepted=row.accepted,
            cluster=row.cluster,
            scores=scores,
            deferred=row.withheld or not scores,
            censored=bool(row.evidence.get("censored")),
            q=math.nan if row.q is None else float(row.q),
            drawn=row.drawn,
            wrong=math.nan if row.wrong is None else float(row.wrong),
            line=number,
        )


def watched(rows: Sequence[StreamRow], policy: Policy, *, file: str, strict: bool = True) -> Watched:
    """The alarm and the bounds after a whole stream. ``strict``: scores cut short by lazy scoring are an error."""
    if not policy.scores:
        raise PolicyError("the policy holds no calibration scores: calibrate again to watch it")
    cut = next((row for row in rows if row.censored and not row.deferred), None)
    if cut is not None and strict:
        raise DataError(
            "scores cut short by lazy scoring cannot be watched: run 'batch --full'", file=file, line=cut.line
        )
    drift, items, note = None, 0, "drift not watched (scores cut short by lazy scoring: decide with --full)"
    if cut is None:
        stream = _stream(rows, policy, file)
        alarm = watch(policy.scores, stream, gamma=FALSE_ALARM)
        drift, items, note = alarm.alarm, alarm.items, ""
        if not items:
            drift, note = None, "no decision with a score: drift not watched"
    risk = _risk(rows, policy)
    low, high = risk.interval() if risk is not None and risk.answers else (0.0, 1.0)
    return Watched(
        items=items,
        drift=drift,
        note=note,
        labels=0 if risk is None else risk.answers,
        low=low,
        high=high,
        above=risk is not None and bool(risk.answers) and risk.above_alpha(),
    )


def _key(policy: Policy) -> str:
    """Fixed with the policy, so that no order can be searched for."""
    return hashlib.sha256(policy.to_json().encode()).hexdigest()


def _stream(rows: Sequence[StreamRow], policy: Policy, file: str) -> list[float]:
    clusters = [row.id if row.cluster is None else f"cluster {row.cluster}" for row in rows]
    order = drift_feed(
        [row.id for row in rows], key=_key(policy), deferred=[row.deferred for row in rows], clusters=clusters
    )
    return [_score(rows[at], policy, file) for at in order.tolist()]


def _score(row: StreamRow, policy: Policy, file: str) -> float:
    if policy.channel in row.scores:
        return float(row.scores[policy.channel])
    if policy.fusion is not None and set(policy.fusion.channels) <= set(row.scores):
        return fuse_one(policy.fusion, dict(row.scores))
    raise DataError(f"the channel {policy.channel!r} was not recorded", file=file, line=row.line)


def _one_each(rows: Sequence[StreamRow], policy: Policy) -> list[StreamRow]:
    """One member of each cluster, chosen by a keyed hash, at the place of the first in the stream."""
    key = _key(policy)
    chosen: dict[str, StreamRow] = {}
    for row in rows:
        name = row.id if row.cluster is None else f"cluster {row.cluster}"
        there = chosen.setdefault(name, row)
        if _rank(key, row.id) < _rank(key, there.id):
            chosen[name] = row
    return list(chosen.values())


def _rank(key: str, name: str) -> bytes:
    return hashlib.sha256(f"{key} {name}".encode()).digest()


def _risk(rows: Sequence[StreamRow], policy: Policy) -> RiskWatch | None:
    """Bounds up to the first item, or cluster, that waits for its answer; None where nothing was ever drawn.

    A cluster counts once: by the mean of its members, as ``observe`` says, where clusters were drawn whole, else by one
    member that a keyed hash chooses. Both have the mean that the promise is about; the first wastes no answer. Which
    it is depends on the draws alone.
    """
    rows = _by_cluster(rows) if _whole(rows) else _one_each(rows, policy)
    chances = [row.q for row in rows if row.accepted and not math.isnan(row.q)]
    if not chances or any(row.accepted and math.isnan(row.q) for row in rows) or min(chances) == 0:
        return None
    drawn = np.array([row.drawn and row.accepted for row in rows], dtype=np.bool_)
    answers = np.array([row.wrong for row in rows])
    names = [_cluster(row) for row in rows]
    n = settled(drawn, answers)
    n = names.index(names[n]) if n < len(names) else n  # no part of a cluster
    state = watch_risk(alpha=str(policy.alpha), least=min(chances))
    accepted = np.array([row.accepted for row in rows], dtype=np.bool_)
    chance = np.array([row.q for row in rows])
    if not n:
        return state
    return observe(state, accepted[:n], drawn[:n], answers[:n], chance[:n], clusters=names[:n])


def _cluster(row: StreamRow) -> str:
    """What a row counts under: its cluster, or itself."""
    return f"row {row.line}" if row.cluster is None else f"cluster {row.cluster}"


def _by_cluster(rows: Sequence[StreamRow]) -> list[StreamRow]:
    """The members of a cluster side by side, clusters in the order of their first rows."""
    members: dict[str, list[StreamRow]] = {}
    for row in rows:
        members.setdefault(_cluster(row), []).append(row)
    return [row for group in members.values() for row in group]


def _whole(rows: Sequence[StreamRow]) -> bool:
    """Whether all accepted members of each cluster were drawn by one coin: together, with one probability."""
    coins: dict[str, tuple[bool, float]] = {}
    return all(
        coins.setdefault(_cluster(row), (row.drawn, row.q)) == (row.drawn, row.q)
        for row in rows
        if row.accepted and not math.isnan(row.q)
    )
