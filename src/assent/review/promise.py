"""A policy of one's own from a reviewed stream: every decision, the probability of its draw, and the answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import msgspec
import numpy as np
import numpy.typing as npt

from assent.calibrate import anytime, exact
from assent.calibrate.audited import audited_crc
from assent.calibrate.audited_band import audited_band
from assent.calibrate.exact import Level
from assent.calibrate.rules import Expected, Rule, Threshold
from assent.errors import DataError, UsageError
from assent.ledger.entries import Kind
from assent.ledger.log import Ledger
from assent.policy import ALL, VOCABULARY, GateSettings, Policy, withheld
from assent.records import Evidence
from assent.records.rows import evidence_of
from assent.review.labels import LabelColumns, LabelRow, columns, label_rows
from assent.scoring import DEFAULT, scores

How = Literal["audited", "anytime"]


@dataclass(frozen=True)
class Stream:
    """The decisions of a ledger as they stand: rows, their evidence, and what made them."""

    rows: tuple[LabelRow, ...]
    evidence: tuple[Evidence, ...]
    policy: Policy | None

    @classmethod
    def read(cls, ledger: Ledger, *, logic: str | None = None) -> Stream:
        """Refuses several logics without ``logic``, and a stream of several makers."""
        rows = tuple(label_rows(ledger, logic=logic))
        if not rows:
            raise UsageError(f"{ledger.where}: no decision has its draw yet: 'assent review' draws and asks")
        logics = sorted({row.logic for row in rows})
        if len(logics) > 1:
            raise UsageError(f"the ledger has decisions in {', '.join(logics)}: choose one with --logic")
        evidence = tuple(evidence_of(row.evidence) for row in rows)
        return cls(rows, evidence, _policy(ledger, rows))


def policy_from(
    ledger: Ledger,
    *,
    alpha: Level,
    logic: str | None = None,
    delta: Level | None = None,
    channel: str | None = None,
    afterwards: bool = False,
) -> Policy:
    """A policy from what was drawn and answered: audited risk control, or with ``delta`` the anytime rule.

    ``afterwards``, which needs ``delta``: alpha may have been chosen after looking (``audited_band``). Labels whose
    probability of being drawn is unknown are refused; a drawn item without an answer counts as wrong.
    """
    stream = Stream.read(ledger, logic=logic)
    name = channel or (stream.policy.channel if stream.policy else DEFAULT)
    gate = stream.policy.gate if stream.policy else None
    values = _scores(stream, name)
    away = [
        withheld(item, delta=None if gate is None else gate.delta) is not None for item in stream.evidence
    ]
    data = columns(stream.rows, values.tolist(), withheld=away)
    rule = _afterwards(stream, data, alpha, delta) if afterwards else _rule(data, alpha, delta)
    return _made(stream, rule, name, gate, data, alpha, delta)


def _rule(data: LabelColumns, alpha: Level, delta: Level | None) -> Rule:
    if delta is None:
        return audited_crc(
            data.scores,
            data.drawn,
            data.answers,
            data.q,
            alpha=alpha,
            least=data.least,
            clusters=data.clusters,
            deferred=data.deferred,
        )
    if data.clusters is not None:
        raise UsageError(
            "the anytime rule needs independent decisions, and these declare clusters: leave --delta out"
        )
    state = anytime.start(_grid(), alpha=alpha, delta=delta, least=data.least)
    for part in _stretches(data):
        state = anytime.advance(
            msgspec.structs.replace(state, least=float(data.leasts[part.start])),
            data.scores[part],
            data.drawn[part],
            data.answers[part],
            data.q[part],
            guesses=data.scores[part],  # of the evidence, written before anybody was asked
            deferred=data.deferred[part],
        )
    return anytime.rule(state)


def _stretches(data: LabelColumns) -> list[slice]:
    """The settled stream, cut where the least probability changes.

    The largest bet follows from the plan in force. From the least of the whole stream it would know plans that were
    made later, perhaps in view of answers; and who first asks about everything would bet as if it had been a tenth.
    """
    end = anytime.settled(data.drawn, data.answers)
    cuts = (np.flatnonzero(np.diff(data.leasts[:end])) + 1).tolist()
    return [slice(a, b) for a, b in zip([0, *cuts], [*cuts, end], strict=True) if a < b]


def _afterwards(stream: Stream, data: LabelColumns, alpha: Level, delta: Level | None) -> Rule:
    """From the band for every alpha; refused where the limit that decides about draws moved with the answers."""
    if delta is None:
        raise UsageError("an alpha chosen afterwards holds with probability 1 - delta: give --delta")
    if len({row.policy for row in stream.rows}) > 1:
        raise UsageError(
            "the decisions were made under several policies, so earlier answers may have moved the draws: fix alpha "
            "before looking, or keep a ledger for each policy"
        )
    found = audited_band(
        data.scores,
        data.drawn,
        data.answers,
        data.q,
        delta=delta,
        least=data.least,
        clusters=data.clusters,
        deferred=data.deferred,
    )
    return found.rule(alpha)


def _grid() -> list[float]:
    """Thresholds fixed beforehand, finer near 0, where the default score tells most."""
    return [float(value) for value in np.unique(np.round(np.linspace(0, 1, 101) ** 2, 6))]


def _scores(stream: Stream, channel: str) -> npt.NDArray[np.float64]:
    known = [scores(item).get(channel) if item.failure is None else 1.0 for item in stream.evidence]
    missing = sum(value is None for value, item in zip(known, stream.evidence, strict=True) if item.formula)
    if missing:
        raise DataError(
            f"the channel {channel!r} was not recorded in {missing} of {len(known)} decisions: decide with --full"
        )
    return np.array([1.0 if value is None else value for value in known], dtype=np.float64)


def _policy(ledger: Ledger, rows: Sequence[LabelRow]) -> Policy | None:
    """The policy that the decisions were made under; None where they name none, refused where they name several."""
    names = {row.policy for row in rows}
    if len(names) > 1:
        makers = {tuple(sorted(row.evidence.get("made_by", {}).items())) for row in rows}
        if len({tuple(part for part in made if part[0] != VOCABULARY) for made in makers}) > 1:
            raise UsageError(
                "the decisions were made by different models or versions: keep a ledger for each"
            )
    name = next((name for name in reversed([row.policy for row in rows]) if name is not None), None)
    entry = None if name is None else ledger.entry(Kind.POLICY, name)
    return None if entry is None else Policy.from_json(str(entry.object()["text"]), source=ledger.where)


def _made(
    stream: Stream,
    rule: Rule,
    channel: str,
    gate: GateSettings | None,
    data: LabelColumns,
    alpha: Level,
    delta: Level | None,
) -> Policy:
    made_by = {part: value for part, value in stream.evidence[-1].made_by.items() if part != VOCABULARY}
    names = {item.made_by.get(VOCABULARY) for item in stream.evidence}
    answered = sum(row.answered for row in stream.rows)
    drawn = sum(row.drawn for row in stream.rows)
    expected = {}
    if isinstance(rule, Threshold):
        share = float((rule.accepts_all(data.scores) & ~data.deferred).mean())
        expected = {ALL: Expected(acceptance=share, low=share, high=share)}
    return Policy(
        alpha=float(exact.level(alpha)),
        rules={ALL: rule},
        fingerprint=made_by,
        channel=channel,
        delta=None if delta is None else float(exact.level(delta, "delta")),
        gate=gate,
        scores=tuple(data.scores[~data.deferred].tolist()),
        expected=expected,
        grouping="all",
        vocabularies=tuple(sorted(name for name in names if name)) if None not in names else (),
        provenance={"decisions": len(stream.rows), "drawn": drawn, "answered": answered, "unit": rule.unit},
    )
