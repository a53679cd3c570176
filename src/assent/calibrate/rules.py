"""What calibration hands out: a ``Threshold`` to accept by, or ``Infeasible`` with what would help;
and the rule of the gate.

The gate's p-value says how unusual an instruction is among those that calibrate the gate: a distance is compared with m
calibration distances; p = (1 + those at least as far)/(m + 1), or with clusters the sum of their shares in place of the
count. An instruction with p < delta is deferred.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

import msgspec
import numpy as np
import numpy.typing as npt

from assent.calibrate import exact
from assent.calibrate.exact import MAX_TIE, SCALE, Flags, Level, Ticks, join, join_one
from assent.errors import DataError, UsageError

if TYPE_CHECKING:
    from assent.calibrate.control import Labels

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


@dataclass(frozen=True)
class GateRule:
    """The distinct calibration distances in ticks, rising, and how much of the calibration lies at or beyond.

    Amounts are whole numbers: one unit (an instruction, or a cluster) weighs ``whole``.
    """

    delta: Fraction
    units: int
    whole: int
    steps: tuple[int, ...]
    beyond: tuple[int, ...]

    def p_value(self, distance: float) -> Fraction:
        """Exact; 1/(m + 1) beyond every calibration distance."""
        at = bisect_left(self.steps, _tick(distance))
        amount = self.beyond[at] if at < len(self.beyond) else 0
        return Fraction(self.whole + amount, self.whole * (self.units + 1))

    def defers(self, distance: float) -> bool:
        """Strictly p < delta."""
        return self.p_value(distance) < self.delta

    def defers_all(self, distances: npt.ArrayLike) -> Flags:
        """``defers`` for many distances."""
        return np.array(
            [self.defers(float(d)) for d in np.asarray(distances, dtype=np.float64)], dtype=np.bool_
        )

    @property
    def false_deferral(self) -> float:
        """A bound on the share of ordinary instructions that are deferred."""
        if self.whole > 1:
            return float(self.delta)
        return (math.ceil(self.delta * (self.units + 1)) - 1) / (self.units + 1)


def gate_rule(distances: npt.ArrayLike, *, delta: Level, clusters: Labels | None = None) -> GateRule:
    """Calibrate the gate; an error if it could never defer at this delta."""
    level = exact.level(delta, "delta")
    values = np.asarray(distances, dtype=np.float64)
    if values.ndim != 1 or not np.isfinite(values).all() or (len(values) and values.min() < 0):
        raise DataError("gate distances must be one row of finite numbers from 0 up")
    numbers, units = exact.codes(clusters, len(values)) if clusters is not None else (None, len(values))
    if not Fraction(1, units + 1) < level:
        what = "clusters" if clusters is not None else "instructions"
        remedy = f"use at least {int(1 / level)} {what}" if level > 0 else "delta must be above 0"
        raise UsageError(
            f"a gate calibrated on {units} {what} can never defer at delta = {float(level):g}: {remedy}"
        )
    keys = np.array([_tick(float(v)) for v in values], dtype=np.int64)
    sizes = np.ones(len(keys), dtype=np.int64) if numbers is None else np.bincount(numbers)[numbers]
    whole = math.lcm(*(int(m) for m in np.unique(sizes)))
    steps: list[int] = []
    beyond: list[int] = []
    total = 0
    for at in np.argsort(-keys, kind="stable").tolist():
        total += whole // int(sizes[at])
        if steps and steps[-1] == keys[at]:
            beyond[-1] = total
        else:
            steps.append(int(keys[at]))
            beyond.append(total)
    return GateRule(level, units, whole, tuple(reversed(steps)), tuple(reversed(beyond)))


def _tick(distance: float) -> int:
    if not (distance >= 0 and distance < 2**30):
        raise DataError(f"distance {distance} is not a finite number from 0 up")
    return round(distance * SCALE)
