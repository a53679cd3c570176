"""Choosing alpha afterwards: one band that holds for every threshold at once, so that a slider is honest.

With probability 1 - delta, no threshold has a true risk more than ``reach`` above the share seen in the data. Whatever
alpha is chosen, by whom and after looking at what, the largest threshold whose share plus reach is at most alpha keeps
that alpha.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt
from msgspec import structs

from assent.calibrate import exact
from assent.calibrate.control import CalibrationSample, Labels, finish, lowest_means, lowest_region, sample
from assent.calibrate.exact import SCALE, Level, Ticks
from assent.calibrate.rules import Infeasible, Rule, Unit
from assent.errors import DataError, UsageError

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class BandPoint:
    """One position of the slider: with 1 - delta, for all at once, the risk at ``threshold`` is at most ``alpha``.

    ``seen`` (accepted and wrong) and ``acceptance`` are shares of the calibration data.
    """

    threshold: float
    alpha: float
    seen: float
    acceptance: float


@dataclass(frozen=True)
class Band:
    """The data and the reach of the band. Ask ``rule`` for any alpha, as often as you like."""

    data: CalibrationSample
    unit: Unit
    delta: float
    reach: float
    keys: Ticks
    """Distinct scores that could be accepted, rising."""
    seen: Floats
    """The share accepted and wrong up to each."""
    accepted: Floats

    def rule(self, alpha: Level) -> Rule:
        """The largest threshold whose band is at most alpha; ``Infeasible`` if there is none."""
        level = exact.level(alpha)
        fits = int(np.count_nonzero(self.seen + self.reach <= float(level)))
        top: int | None = int(self.keys[fits - 1]) if fits else None
        if fits and fits == len(self.keys):
            top = SCALE
        floor = Fraction(float(self.seen[0]) + self.reach) if len(self.seen) else Fraction(1)
        lowest = lowest_region(self.data) if self.unit == "pair" else lowest_means(self.data)
        made = finish(
            self.data,
            top,
            lowest,
            alpha,
            kind="band",
            unit=self.unit,
            floor=min(floor, Fraction(1)),
            delta=self.delta,
        )
        return self._advised(made) if isinstance(made, Infeasible) else made

    def _advised(self, made: Infeasible) -> Infeasible:
        """The reach shrinks with the root of the number of units."""
        units = self.data.count if self.unit == "cluster" else self.data.n
        room = made.alpha - (float(self.seen[0]) if len(self.seen) else 0.0)
        needed = math.ceil(units * (self.reach / room) ** 2) if room > 0 and len(self.seen) else None
        said = (
            f"a band for every alpha at once costs {self.reach:.3f} with {units} {self.unit}s; about {needed} would "
            f"make alpha = {made.alpha:g} feasible, or fix alpha before looking"
            if needed is not None
            else f"the lowest score already holds a share of wrong ones not below alpha = {made.alpha:g}"
        )
        return structs.replace(made, labels=needed, advice=(said,))

    def points(self, most: int = 200) -> tuple[BandPoint, ...]:
        """The slider: at most so many positions, evenly spread."""
        at = np.arange(len(self.keys))
        if len(at) > most:
            at = np.unique(np.linspace(0, len(at) - 1, most).round().astype(np.int64))
        return tuple(
            BandPoint(
                threshold=int(self.keys[k]) / SCALE,
                alpha=min(1.0, float(self.seen[k]) + self.reach),
                seen=float(self.seen[k]),
                acceptance=float(self.accepted[k]),
            )
            for k in at
        )


def band(
    scores: npt.ArrayLike,
    losses: npt.ArrayLike,
    *,
    delta: Level,
    clusters: Labels | None = None,
    deferred: npt.ArrayLike | None = None,
) -> Band:
    """The band of these calibration data. Pairs (or clusters) must be independent draws; delta at most 1/2.

    Pairs: accepted and wrong up to t is a distribution function of t, so the one-sided inequality of Dvoretzky, Kiefer
    and Wolfowitz with Massart's constant gives reach = sqrt(ln(1/delta) / 2n). Clusters: the mean of the clusters'
    shares is the average of that function over one random member of each, so its deviation is smaller in the convex
    order; ``cluster_reach`` turns Massart's tail into one for it (about ln(1/delta) + 1 in place of ln(1/delta)).
    """
    error = exact.level(delta, "delta")
    if not 0 < error <= Fraction(1, 2):
        raise UsageError(f"delta must be above 0 and at most 0.5, not {delta}")
    data = sample(scores, losses, clusters=clusters, deferred=deferred)
    if not data.n:
        raise DataError("a band needs calibration data")
    by_cluster = data.sizes is not None
    weight = 1 / (data.sizes * data.count) if data.sizes is not None else np.full(data.n, 1 / data.n)
    order = np.argsort(data.keys, kind="stable")
    order = order[data.open[order]]
    keys = data.keys[order]
    ends = np.flatnonzero(np.r_[keys[1:] != keys[:-1], True]) if len(keys) else np.zeros(0, dtype=np.int64)
    return Band(
        data=data,
        unit="cluster" if by_cluster else "pair",
        delta=float(error),
        reach=cluster_reach(data.count, float(error)) if by_cluster else pair_reach(data.n, float(error)),
        keys=keys[ends],
        seen=np.cumsum(weight[order] * data.wrong[order])[ends],
        accepted=np.cumsum(weight[order])[ends],
    )


def pair_reach(n: int, delta: float) -> float:
    """sqrt(ln(1/delta) / 2n), rounded up by more than sums of floats can err."""
    return math.sqrt(math.log(1 / delta) / (2 * n)) + 1e-12


def cluster_reach(count: int, delta: float) -> float:
    """The smallest x with min over s < x of (integral from s of exp(-2 J u^2) du) / (x - s) <= delta.

    For a deviation D below D' in the convex order, P(D > x) <= E(D - s)+ / (x - s) <= E(D' - s)+ / (x - s), and Massart
    bounds the tail of D' from where it is at most 1/2.
    """
    root = math.sqrt(2 * count)
    lowest = math.sqrt(math.log(2) / 2) * math.sqrt(1 / count)
    starts = [lowest + k * 4 / (root * 2000) for k in range(4000)]
    areas = [math.sqrt(math.pi) / (2 * root) * math.erfc(s * root) for s in starts]
    # For each s the bound is delta at x = s + area/delta: take the best s.
    return min(s + area / delta for s, area in zip(starts, areas, strict=True)) + 1e-12
