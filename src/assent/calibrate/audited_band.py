"""Choosing alpha afterwards, from a stream of which only a random part was looked at.

As ``band``, with the labels of a review: with probability 1 - delta no threshold has a risk above ``seen`` plus
``reach`` there, for all thresholds at once, so alpha may be chosen after looking.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from assent.calibrate import exact
from assent.calibrate.band import BandPoint, cluster_reach, pair_reach
from assent.calibrate.control import Labels
from assent.calibrate.draws import DrawPlan, Reviewed, reviewed
from assent.calibrate.exact import SCALE, Level, Ticks
from assent.calibrate.rules import Infeasible, Rule, Threshold, Unit
from assent.errors import DataError, UsageError

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class AuditedBand:
    """The reviewed stream and its band. Ask ``rule`` for any alpha, as often as you like."""

    data: Reviewed
    unit: Unit
    delta: float
    keys: Ticks
    """Distinct scores that could be accepted, rising."""
    seen: Floats
    """The share accepted and wrong up to each, as the drawn ones show it."""
    reach: Floats
    """How much more it may be; it grows with the strata that a threshold takes in."""
    accepted: Floats

    def rule(self, alpha: Level) -> Rule:
        """The largest threshold up to which the band stays at most alpha; ``Infeasible`` if there is none."""
        level = exact.level(alpha)
        above = self.seen + self.reach > float(level)
        fits = int(np.argmax(above)) if above.any() else len(self.keys)
        floor = min(1.0, float(self.seen[0] + self.reach[0])) if len(self.keys) else 1.0
        if not fits:
            return self._infeasible(level, floor)
        top = int(self.keys[fits - 1])
        return Threshold(
            value=top / SCALE,
            alpha=float(level),
            n=len(self.data.keys),
            floor=floor,
            kind="band",
            unit=self.unit,
            accepted=float(self.accepted[fits - 1]),
            risk=float(self.seen[fits - 1]),
            cluster_risk=float(self.seen[fits - 1]) if self.unit == "cluster" else None,
            clusters=self.data.count if self.unit == "cluster" else None,
            delta=self.delta,
            answers=self.data.answers,
        )

    def _infeasible(self, level: Fraction, floor: float) -> Infeasible:
        said = (
            "a band for every alpha at once costs more answers than one alpha fixed beforehand: review more, or fix "
            "alpha before looking and use the audited rule"
        )
        return Infeasible(
            reason=f"alpha = {float(level):g} is below the floor {floor:.4f} of {self.data.answers} answers",
            alpha=float(level),
            n=len(self.data.keys),
            floor=floor,
            kind="band",
            unit=self.unit,
            clusters=self.data.count if self.unit == "cluster" else None,
            labels=None,
            answers=self.data.answers,
            advice=(said,),
        )

    def points(self) -> tuple[BandPoint, ...]:
        """The slider: every distinct score."""
        columns = (self.keys.tolist(), (self.seen + self.reach).tolist(), self.seen, self.accepted)
        return tuple(
            BandPoint(key / SCALE, min(1.0, high), float(seen), float(accepted))
            for key, high, seen, accepted in zip(*columns, strict=True)
        )


def audited_band(
    scores: npt.ArrayLike,
    drawn: npt.ArrayLike,
    answers: npt.ArrayLike,
    probabilities: npt.ArrayLike,
    *,
    delta: Level,
    least: Level | Sequence[tuple[float, Level]],
    clusters: Labels | None = None,
    deferred: npt.ArrayLike | None = None,
    uniform: bool = False,
) -> AuditedBand:
    """The band of a reviewed stream; arguments as in ``audited_crc``, delta at most 1/2.

    Items (or clusters) must be independent draws, and reviewed by coins of a plan that was fixed beforehand and
    looks at no label. A stratum is what was drawn with one probability: n_k units, m_k of them drawn. Each drawn
    unit stands for n_k/m_k (its 1/q, as it came out). Half of delta goes to the whole stream, had all of it been looked
    at (``band``);
    the other half is shared by the strata: given the items and m_k, the drawn ones are a simple random sample of
    the stratum's n_k, which deviates less, in the convex order, than one with replacement (Hoeffding 1963, theorem 4;
    its proof is Jensen's inequality and holds for whole functions), so ``cluster_reach`` of m_k bounds it. A stratum
    costs nothing at thresholds below its lowest score, and nothing if all of it was drawn; one of which nothing was
    drawn counts as wrong. ``uniform`` says beforehand that everything is drawn with ``least`` and nothing deferred
    (DataError if not): then the drawn ones are independent draws themselves, and the plain band of them is narrower.
    """
    error = exact.level(delta, "delta")
    if not 0 < error <= Fraction(1, 2):
        raise UsageError(f"delta must be above 0 and at most 0.5, not {delta}")
    plan = DrawPlan.of(least)
    data = reviewed(scores, drawn, answers, probabilities, plan=plan, clusters=clusters, deferred=deferred)
    if not len(data.keys):
        raise DataError("a band needs calibration data")
    keys = exact.distinct(data.keys[data.open])
    seen, reach = (_plain if uniform else _stratified)(data, keys, plan, float(error))
    return AuditedBand(
        data=data,
        unit="pair" if clusters is None else "cluster",
        delta=float(error),
        keys=keys,
        seen=seen,
        reach=reach,
        accepted=_shares(data, keys, data.open),
    )


def _plain(data: Reviewed, keys: Ticks, plan: DrawPlan, delta: float) -> tuple[Floats, Floats]:
    """One probability for everything: what was drawn is a smaller stream of the same kind."""
    if data.chances != (plan.least,) or not data.open.all():
        raise DataError("not everything was drawn with the one probability of a uniform plan")
    taken = _units(data, data.drawn)
    if not taken:
        raise DataError("a band needs calibration data: nothing was drawn")
    seen = _shares(data, keys, data.bad) * (data.count / taken)
    return seen, np.full(len(keys), _whole(data, taken, delta))


def _stratified(data: Reviewed, keys: Ticks, plan: DrawPlan, delta: float) -> tuple[Floats, Floats]:
    """The whole stream's reach, and that of each stratum where it begins."""
    seen, reach = np.zeros(len(keys)), np.full(len(keys), _whole(data, data.count, delta / 2))
    for k in range(len(data.chances)):
        inside = data.open & (data.which == k)
        units, taken = _units(data, inside), _units(data, inside & data.drawn)
        if not taken:
            seen += _shares(data, keys, inside)
            continue
        seen += _shares(data, keys, inside & data.bad) * (units / taken)
        if taken < units:
            more = units / data.count * cluster_reach(taken, delta / (2 * len(data.chances)))
            reach += np.where(keys >= data.keys[inside].min(), more, 0.0)
    return seen, reach


def _whole(data: Reviewed, count: int, delta: float) -> float:
    """The reach of a stream that was looked at as a whole."""
    return pair_reach(count, delta) if data.clusters is None else cluster_reach(count, delta)


def _units(data: Reviewed, rows: npt.NDArray[np.bool_]) -> int:
    """How many items, or clusters, have a row among these."""
    return int(rows.sum()) if data.clusters is None else len(np.unique(data.clusters[rows]))


def _shares(data: Reviewed, keys: Ticks, rows: npt.NDArray[np.bool_]) -> Floats:
    """The share of these rows up to each key, of all units; members of a cluster share one unit."""
    order = np.flatnonzero(rows)
    order = order[np.argsort(data.keys[order], kind="stable")]
    running: Floats = np.concatenate([[0.0], np.cumsum(1 / data.sizes[order])]) / data.count
    return running[np.searchsorted(data.keys[order], keys, side="right")]
