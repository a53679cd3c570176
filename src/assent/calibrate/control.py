"""Conformal risk control: over pairs, over clusters, and pair-weighted over clusters; the split baseline.

Every rule takes scores (higher = more suspicious) and losses (1 = wrong) and returns the largest threshold
that carries its promise. ``deferred`` marks pairs that the gate turns away: they stay in the sample with
loss 0, so that gate and threshold together are calibrated as one loss. ``ties`` are marks from
``assent.calibrate.exact``.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import structs

from assent.calibrate import exact
from assent.calibrate.exact import BITS, MAX_TIE, SCALE, Flags, Level, Ticks, join
from assent.calibrate.floor import Lowest, advise
from assent.calibrate.rules import Infeasible, Kind, Rule, Threshold, Unit
from assent.errors import DataError

Labels = Sequence[Hashable] | npt.NDArray[Any]

UNDECLARED = (
    "calibrated over pairs although the data declares clusters: the promise holds only for a stream that "
    "redraws pairs of the same clusters, not for new ones"
)


@dataclass(frozen=True)
class CalibrationSample:
    """Validated calibration data. ``keys`` order like (score, tie mark); deferred pairs can never be
    accepted.
    """

    keys: Ticks
    wrong: Flags
    open: Flags
    tied: bool
    clusters: npt.NDArray[np.int64] | None
    members: npt.NDArray[np.int64] | None
    """For each cluster how many pairs it has."""
    count: int
    """How many clusters."""

    @property
    def n(self) -> int:
        return len(self.keys)

    @property
    def bad(self) -> Flags:
        """Wrong and not deferred: what an acceptance can cost."""
        return self.wrong & self.open

    @property
    def sizes(self) -> npt.NDArray[np.int64] | None:
        """For each pair the size of its cluster; made anew each time."""
        return None if self.clusters is None else self.sizes_of(slice(None))

    def sizes_of(self, chosen: Flags | npt.NDArray[np.int64] | slice) -> npt.NDArray[np.int64]:
        """The same for some of the pairs."""
        assert self.clusters is not None and self.members is not None
        return self.members[self.clusters[chosen]]

    def means(self, chosen: Flags) -> Fraction:
        """The sum over clusters of the share of members that are chosen."""
        return exact.harmonic(self.sizes_of(chosen))


def sample(
    scores: npt.ArrayLike,
    losses: npt.ArrayLike,
    *,
    clusters: Labels | None = None,
    deferred: npt.ArrayLike | None = None,
    ties: npt.ArrayLike | None = None,
) -> CalibrationSample:
    """Check and convert calibration data once, for every rule."""
    keys = exact.ticks(scores)
    n = len(keys)
    wrong = exact.flags(losses, n)
    kept = np.ones(n, dtype=np.bool_) if deferred is None else ~exact.flags(deferred, n, "deferral")
    if ties is not None:
        keys = join(keys, ties)
    numbered, members, count = None, None, n
    if clusters is not None:
        numbered, count = exact.codes(clusters, n)
        members = np.bincount(numbered, minlength=count)
    return CalibrationSample(keys, wrong, kept, ties is not None, numbered, members, count)


def crc(
    scores: npt.ArrayLike,
    losses: npt.ArrayLike,
    *,
    alpha: Level,
    clusters: Labels | None = None,
    deferred: npt.ArrayLike | None = None,
    ties: npt.ArrayLike | None = None,
) -> Rule:
    """The largest threshold with (wrong accepted + 1)/(n + 1) <= alpha.

    ``clusters`` change nothing but the cluster-weighted risk that is reported, and a warning is added: data
    with clusters should use ``cluster_crc``.
    """
    data = sample(scores, losses, clusters=clusters, deferred=deferred, ties=ties)
    budget = math.floor(exact.level(alpha) * (data.n + 1)) - 1
    warnings = (UNDECLARED,) if clusters is not None and data.count < data.n else ()
    top = largest_key(data, budget)
    return finish(data, top, lowest_region(data), alpha, kind="crc", unit="pair", warnings=warnings)


def cluster_crc(
    scores: npt.ArrayLike,
    losses: npt.ArrayLike,
    clusters: Labels,
    *,
    alpha: Level,
    deferred: npt.ArrayLike | None = None,
    ties: npt.ArrayLike | None = None,
) -> Rule:
    """The largest threshold with (sum over clusters of mean loss + 1)/(J + 1) <= alpha."""
    data = sample(scores, losses, clusters=clusters, deferred=deferred, ties=ties)
    limit = exact.level(alpha) * (data.count + 1) - 1
    lowest = lowest_means(data)
    bad = np.flatnonzero(data.bad)
    order = bad[np.argsort(data.keys[bad], kind="stable")]
    top = largest_by_search(data, data.keys[order], data.sizes_of(order), limit)
    return finish(data, top, lowest, alpha, kind="cluster_crc", unit="cluster")


def pair_weighted_crc(
    scores: npt.ArrayLike,
    losses: npt.ArrayLike,
    clusters: Labels,
    *,
    alpha: Level,
    max_size: int,
    deferred: npt.ArrayLike | None = None,
    ties: npt.ArrayLike | None = None,
) -> Rule:
    """Pair-weighted risk over clusters of random size, none larger than ``max_size`` (fixed beforehand).

    The largest threshold with wrong accepted + (1 - alpha) max_size <= alpha n.
    """
    data = sample(scores, losses, clusters=clusters, deferred=deferred, ties=ties)
    level = exact.level(alpha)
    if data.members is not None and data.n and data.members.max() > max_size:
        raise DataError(
            f"a cluster has {data.members.max()} members, more than the {max_size} fixed beforehand: "
            "cap the members of each cluster first (capped)"
        )
    budget = math.floor(level * data.n - (1 - level) * max_size)
    lowest = lowest_region(data)
    # The floor solves wrong + (1 - alpha) max_size = alpha n for alpha.
    floor = (lowest.wrong + max_size) / (data.n + max_size) if data.n + max_size else Fraction(1)
    top = largest_key(data, budget)
    return finish(data, top, lowest, alpha, kind="pair_weighted", unit="cluster", floor=floor)


def capped(clusters: Labels, cap: int, *, seed: int) -> npt.NDArray[np.int64]:
    """Positions that keep at most ``cap`` random members of each cluster, in order."""
    numbered, _ = exact.codes(clusters, len(clusters))
    order = np.random.default_rng(seed).permutation(len(numbered))
    order = order[np.argsort(numbered[order], kind="stable")]
    starts = np.flatnonzero(np.r_[True, np.diff(numbered[order]) != 0][: len(order)])
    place = np.arange(len(order))
    place -= np.repeat(starts, np.diff(starts, append=len(order)))
    return np.sort(order[place < cap])


def split(scores: npt.ArrayLike, losses: npt.ArrayLike, *, alpha: Level) -> Rule:
    """Baseline: the quantile of rank ceil((m + 1)(1 - alpha)) among the m right pairs; all beyond m."""
    data = sample(scores, losses)
    right = data.keys[~data.wrong]
    rank = math.ceil((len(right) + 1) * (1 - exact.level(alpha)))
    lowest = lowest_region(data)
    if rank > len(right):
        top: int | None = SCALE if data.n else None
    else:
        top = int(np.partition(right, rank - 1)[rank - 1]) if rank else None
    return finish(data, top, lowest, alpha, kind="split", unit="pair")


def _lowest_wrong(data: CalibrationSample) -> Flags:
    """Wrong pairs in the smallest non-empty acceptance region."""
    if not data.open.any():
        return np.zeros(data.n, dtype=np.bool_)
    lowest = int(data.keys[data.open].min())
    return data.bad & np.equal(data.keys, lowest)


def lowest_region(data: CalibrationSample) -> Lowest:
    """The smallest non-empty acceptance region, counted in pairs."""
    return Lowest(Fraction(int(_lowest_wrong(data).sum())), data.n)


def lowest_means(data: CalibrationSample) -> Lowest:
    """The same in clusters: a sum of their means."""
    return Lowest(data.means(_lowest_wrong(data)), data.count)


def largest_key(data: CalibrationSample, budget: int) -> int | None:
    """The largest key that accepts at most ``budget`` wrong ones; None if that accepts nothing.

    Keys below the (budget + 1)-th smallest wrong one are exactly those that stay within the budget.
    """
    candidates, wrong = data.keys[data.open], data.keys[data.bad]
    if budget < 0 or not len(candidates):
        return None
    if len(wrong) <= budget:
        return _highest(data)
    below = candidates[candidates < np.partition(wrong, budget)[budget]]
    return int(below.max()) if len(below) else None


def largest_by_search(
    data: CalibrationSample, wrong: Ticks, sizes: npt.NDArray[np.int64], limit: Fraction
) -> int | None:
    """The same for cluster means: find the first wrong key that exceeds the limit, by halves, with exact
    sums.
    """
    candidates = data.keys[data.open]
    if limit < 0 or not len(candidates):
        return None
    if exact.harmonic(sizes) <= limit:
        return _highest(data)
    within, beyond = 0, len(wrong)
    while beyond - within > 1:
        middle = (within + beyond) // 2
        within, beyond = (middle, beyond) if exact.harmonic(sizes[:middle]) <= limit else (within, middle)
    below = candidates[candidates < wrong[within]]
    return int(below.max()) if len(below) else None


def _highest(data: CalibrationSample) -> int:
    return (SCALE << BITS) | MAX_TIE if data.tied else SCALE


def finish(
    data: CalibrationSample,
    top: int | None,
    lowest: Lowest,
    alpha: Level,
    *,
    kind: Kind,
    unit: Unit,
    floor: Fraction | None = None,
    delta: float | None = None,
    warnings: tuple[str, ...] = (),
) -> Rule:
    """Dress the largest key (None: nothing may be accepted) as a rule."""
    level = exact.level(alpha)
    reached = lowest.floor if floor is None else floor
    clusters = data.count if data.clusters is not None else None
    if top is None:
        made = refuse(data.n, lowest, level, reached, kind=kind, unit=unit)
        return structs.replace(made, clusters=clusters, delta=delta, warnings=warnings)
    accepted = data.open & (data.keys <= top)
    return Threshold(
        value=(top >> BITS if data.tied else top) / SCALE,
        alpha=float(level),
        n=data.n,
        floor=min(1.0, float(reached)),
        kind=kind,
        unit=unit,
        accepted=float(accepted.mean()),
        risk=float((accepted & data.wrong).mean()),
        cluster_risk=float(data.means(accepted & data.wrong) / data.count) if clusters else None,
        clusters=clusters,
        delta=delta,
        tie=top & MAX_TIE if data.tied else None,
        warnings=warnings,
    )


def refuse(n: int, lowest: Lowest, alpha: Fraction, floor: Fraction, *, kind: Kind, unit: Unit) -> Infeasible:
    """Nothing may be accepted: why, and what would help."""
    labels, hopeless, advice = advise(alpha, lowest, unit)
    reason = f"alpha = {float(alpha):g} is below the floor {float(floor):.4f} of {lowest.n} {unit}s"
    if kind in ("crc", "cluster_crc") and 0 < alpha * (lowest.n + 1) < 1:
        least = math.ceil(1 / alpha - 1)
        reason += f": whatever their labels, at least 1/alpha - 1 = {least} {unit}s are needed"
    return Infeasible(
        reason=reason,
        alpha=float(alpha),
        n=n,
        floor=min(1.0, float(floor)),
        kind=kind,
        unit=unit,
        labels=labels,
        hopeless=hopeless,
        advice=advice,
    )
