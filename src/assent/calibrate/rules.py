"""What calibration hands out: a ``Threshold`` to accept by, or ``Infeasible`` with what would help."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec
import numpy.typing as npt

from assent.calibrate import exact
from assent.calibrate.exact import MAX_TIE, Flags, Ticks, join, join_one

Unit = Literal["pair", "cluster"]
Kind = Literal[
    "crc",
    "cluster_crc",
    "pair_weighted",
    "high_probability",
    "cluster_high_probability",
    "conditional",
    "weighted",
    "split",
    "audited",
    "anytime",
    "band",
]

PROMISES: dict[Kind, str] = {
    "crc": "accepted and wrong in at most alpha of the stream, on average over calibrations, if pairs are "
    "exchangeable",
    "cluster_crc": "in a new cluster, at most alpha of the members are accepted and wrong, on average over "
    "calibrations and clusters, if clusters are exchangeable; nothing is promised per pair",
    "pair_weighted": "expected wrong accepted over expected members of a new cluster is at most alpha, if "
    "clusters are exchangeable and never larger than the stated maximum",
    "high_probability": "with probability 1 - delta over the calibration draw, accepted and wrong in at most "
    "alpha of the stream, if pairs are independent draws",
    "conditional": "with probability 1 - delta over the calibration draw, at most alpha of what is accepted "
    "is wrong, if pairs are independent draws",
    "weighted": "accepted and wrong in at most alpha of the shifted stream, if the weights are its true "
    "density ratio",
    "cluster_high_probability": "with probability 1 - delta over the calibration draw, at most alpha of the members "
    "of a new cluster are accepted and wrong, on average over clusters, if clusters are independent draws",
    "audited": "accepted and wrong in at most alpha of the stream, on average over calibrations, if the stream is "
    "exchangeable and who was reviewed was drawn by a plan fixed beforehand",
    "anytime": "with probability 1 - delta, at no time is a threshold in use whose risk is above alpha, if items are "
    "independent draws and reviewed by chance with known probabilities",
    "band": "with probability 1 - delta over the calibration draw, accepted and wrong in at most alpha of the stream, "
    "even if alpha was chosen after seeing the data",
    "split": "a right candidate is accepted with probability 1 - alpha; nothing about risk (a baseline)",
}


class Threshold(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
    tag_field="rule",
    tag="threshold",
):
    """Accept if the score is at most ``value`` (1.0 accepts every score there is).

    ``accepted``, ``risk`` and ``cluster_risk`` are what the rule does on its own calibration data: the share
    accepted, and the share accepted and wrong, counted per pair and per cluster.
    """

    value: float = msgspec.field(name="threshold")
    alpha: float
    n: int
    floor: float
    kind: Kind
    unit: Unit
    accepted: float
    risk: float
    cluster_risk: float | None = None
    clusters: int | None = None
    delta: float | None = None
    tie: int | None = None
    answers: int | None = None
    """How many items somebody looked at, where only a part of them was drawn for review."""
    groups: int | None = None
    """With 1 - delta the promise holds for that many groups at once; None: for each group by itself."""
    warnings: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        exact.tick(self.value)
        for name in ("alpha", "floor", "accepted", "risk"):
            exact.level(getattr(self, name), name)
        if self.n < 1 or (self.tie is not None and not 0 <= self.tie <= MAX_TIE):
            raise ValueError("a threshold needs n of at least 1 and a tie mark in its range")

    @property
    def promise(self) -> str:
        """What the rule promises, in words; for whom delta holds, where there is one."""
        if self.groups is None:
            return PROMISES[self.kind]
        return f"{PROMISES[self.kind]}; in all {self.groups} groups at once"

    def accepts(self, score: float, tie: int | None = None) -> bool:
        """Exact comparison; a rule with randomised ties needs the tie mark of the text (``ties.mark``)."""
        if self.tie is None:
            return exact.tick(score) <= exact.tick(self.value)
        if tie is None:
            raise ValueError("this rule breaks ties by a mark of the text, which is missing")
        return join_one(exact.tick(score), tie) <= join_one(exact.tick(self.value), self.tie)

    def accepts_all(self, scores: npt.ArrayLike, ties: npt.ArrayLike | None = None) -> Flags:
        """``accepts`` for many scores at once."""
        values: Ticks = exact.ticks(scores)
        if self.tie is None:
            return values <= exact.tick(self.value)
        if ties is None:
            raise ValueError("this rule breaks ties by a mark of the text, which is missing")
        return join(values, ties) <= join_one(exact.tick(self.value), self.tie)


class Infeasible(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
    tag_field="rule",
    tag="infeasible",
):
    """No threshold can carry the promise: abstain on everything. ``advice`` says what would change that.

    ``labels`` is the estimated number of labelled units with which alpha becomes feasible; ``hopeless`` says
    that, with 95 % confidence, no number of labels suffices for this score.
    """

    reason: str = msgspec.field(name="infeasible")
    alpha: float
    n: int
    floor: float
    kind: Kind
    unit: Unit
    clusters: int | None = None
    delta: float | None = None
    labels: int | None = None
    hopeless: bool = False
    answers: int | None = None
    groups: int | None = None
    advice: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def accepts(self, score: float, tie: int | None = None) -> bool:
        """Never."""
        return False


Rule = Threshold | Infeasible


class CurvePoint(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One step of a risk-coverage curve, measured on the calibration data."""

    threshold: float
    acceptance: float
    risk: float
    cluster_risk: float | None = None


class Expected(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Acceptance to expect from the rule, with an interval from resampling the calibration data.

    ``risk`` and ``error`` (among the accepted) are measured out of sample: the rule is made from some rows and
    applied to others. All have one weighting, ``unit``.
    """

    acceptance: float
    low: float
    high: float
    risk: float | None = None
    error: float | None = None
    unit: Unit | None = None


def unseen(group: str, rules: Mapping[str, Rule]) -> Infeasible:
    """The rule of a group that calibration never saw: abstain, and say so."""
    some = next(iter(rules.values()), None)
    return Infeasible(
        reason=f"group {group!r} has no calibration rows",
        alpha=some.alpha if some else 0.0,
        n=0,
        floor=1.0,
        kind=some.kind if some else "crc",
        unit=some.unit if some else "pair",
        advice=(f"label rows of group {group!r} and calibrate again; calibrated groups: {', '.join(rules)}",),
    )


class Fusion(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How channels become one score: a weighted mean, or the logistic function of one."""

    kind: str
    channels: tuple[str, ...]
    weights: tuple[float, ...]
    intercept: float = 0.0
