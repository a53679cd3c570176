"""Many random splits at once: what the rules do on the test part, per pair and per cluster.

Resplits test the code and the protocol, not deployment. An infeasible split accepts nothing and counts as
risk 0. All splits of one cell are computed together; thresholds are exactly those of
``assent.calibrate.control``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from assent.calibrate import exact
from assent.calibrate.control import Labels
from assent.calibrate.exact import Flags, Level
from assent.calibrate.rules import Unit
from assent.errors import DataError

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

NEAR = 1e-7
FULL_CALIBRATION, FULL_TEST = 200, 150


@dataclass(frozen=True)
class Splits:
    """For each resplit (row) which positions calibrate and which test."""

    calibration: Flags
    test: Flags


@dataclass(frozen=True)
class ResplitOutcome:
    """What one method did: an array entry for each resplit (row) and alpha (column)."""

    risk: Floats
    """Share of test pairs accepted and wrong."""
    cluster_risk: Floats
    """The same, averaged within each test cluster first; equal to ``risk`` without clusters."""
    acceptance: Floats
    cluster_acceptance: Floats
    """Share of test pairs accepted, averaged within each test cluster first."""
    infeasible: Flags

    def weighted(self, unit: Unit) -> Floats:
        """The risk counted per pair or per cluster."""
        return self.risk if unit == "pair" else self.cluster_risk

    def accepted(self, unit: Unit) -> Floats:
        """The acceptance in the same weighting."""
        return self.acceptance if unit == "pair" else self.cluster_acceptance


@dataclass(frozen=True)
class Resplits:
    """Both methods on the same splits."""

    alphas: tuple[Fraction, ...]
    crc: ResplitOutcome
    split: ResplitOutcome


@dataclass(frozen=True)
class ComplianceCell:
    """One cell of the compliance matrix. ``mark``: within, within one s.e., over, or abstained throughout.

    Risk, acceptance and ``error``, the error among the accepted (None if nothing was), have one weighting: all by
    cluster or all by pair.
    """

    alpha: float
    risk: float
    se: float
    acceptance: float
    error: float | None
    infeasible_share: float
    exceedances: int
    mark: str


def draw_pairs(n: int, *, resplits: int, seed: int) -> Splits:
    """200 pairs calibrate and 150 test where there are so many; otherwise 4 : 3."""
    if n < 2:
        raise DataError(f"{n} pairs cannot be split: at least 2 are needed")
    full = n >= FULL_CALIBRATION + FULL_TEST
    first = FULL_CALIBRATION if full else max(1, 4 * n // 7)
    last = FULL_CALIBRATION + FULL_TEST if full else n
    rank = _ranks(resplits, n, seed)
    return Splits(rank < first, (rank >= first) & (rank < last))


def draw_clusters(clusters: Labels, *, resplits: int, seed: int) -> Splits:
    """4/7 of the clusters, drawn uniformly, calibrate with all their members; the others test."""
    codes, count = exact.codes(clusters, len(clusters))
    if count < 2:
        raise DataError(f"{count} clusters cannot be split: at least 2 are needed")
    chosen = _ranks(resplits, count, seed) < max(1, 4 * count // 7)
    calibration = chosen[:, codes]
    return Splits(calibration, ~calibration)


def _ranks(rows: int, n: int, seed: int) -> Ints:
    return np.random.default_rng(seed).permuted(np.tile(np.arange(n), (rows, 1)), axis=1)


def resplit(
    scores: npt.ArrayLike,
    losses: npt.ArrayLike,
    splits: Splits,
    *,
    alphas: Sequence[Level],
    unit: Unit,
    clusters: Labels | None = None,
    deferred: npt.ArrayLike | None = None,
) -> Resplits:
    """Calibrate over ``unit`` on each calibration part and measure on its test part.

    ``deferred`` marks rows that are not accepted whatever their score, as in ``assent.calibrate.control``: they stay in
    the population with loss 0. They are sorted behind every score.
    """
    keys = exact.ticks(scores)
    wrong = exact.flags(losses, len(keys))
    away = np.zeros(len(keys), dtype=np.bool_) if deferred is None else exact.flags(deferred, len(keys))
    keys = np.where(away, exact.SCALE + 1, keys)
    codes = exact.codes(clusters, len(keys))[0] if clusters is not None else np.arange(len(keys))
    order = np.argsort(keys, kind="stable")
    keys, wrong, codes, away = keys[order], wrong[order], codes[order], away[order]
    ends = np.flatnonzero(np.r_[keys[1:] != keys[:-1], True])
    sorted_splits = Splits(splits.calibration[:, order], splits.test[:, order])
    table = _Table(wrong, away, codes, ends, sorted_splits)
    levels = tuple(exact.level(alpha) for alpha in alphas)
    by_pair = clusters is None or unit == "pair"
    controlled = [table.pairs(a) if by_pair else table.clusters(a) for a in levels]
    baseline = [table.baseline(a) for a in levels]
    return Resplits(levels, table.measure(controlled), table.measure(baseline))


class _Table:
    """Running counts at the end of each tie, for every resplit. A threshold is the index of a tie; -1:
    none.
    """

    def __init__(self, wrong: Flags, away: Flags, codes: Ints, ends: Ints, splits: Splits) -> None:
        cal, test = splits.calibration, splits.test & ~away
        bad = wrong & ~away
        self.wrong, self.codes, self.ends, self.cal = bad, codes, ends, cal
        self.cal_wrong = self._running(cal & bad)
        self.cal_right = self._running(cal & ~wrong)
        self.cal_count = cal.sum(axis=1)
        self.nothing_open = ~(cal & ~away).any(axis=1)
        self.tested = splits.test.sum(axis=1)
        self.test_all = self._running(test)
        self.test_wrong = self._running(test & wrong)
        members = self._members(splits.test)
        share = np.divide(1.0, members, out=np.zeros(members.shape), where=members > 0)
        self.test_means = np.cumsum((test & wrong) * share[:, codes], axis=1)[:, ends]
        self.test_shares = np.cumsum(test * share[:, codes], axis=1)[:, ends]
        self.test_clusters = (members > 0).sum(axis=1)
        present = np.diff(self._running(cal), axis=1, prepend=0) > 0
        self.last_seen = np.maximum.accumulate(np.where(present, np.arange(len(ends)), -1), axis=1)

    def _running(self, flags: Flags) -> Ints:
        return np.cumsum(flags, axis=1, dtype=np.int64)[:, self.ends]

    def _members(self, part: Flags) -> Ints:
        return np.array([np.bincount(self.codes[row], minlength=int(self.codes.max()) + 1) for row in part])

    def _back_to_a_score(self, fits: Ints) -> Ints:
        """A threshold is a calibration score, or accepts everything if no calibration pair stands against
        it.
        """
        rows, top = np.arange(len(fits)), len(self.ends) - 1
        seen = np.where(fits >= 0, self.last_seen[rows, fits], -1)
        return np.where(self.nothing_open, -1, np.where(fits == top, top, seen))

    def pairs(self, alpha: Fraction) -> Ints:
        budget = np.array([math.floor(alpha * (int(k) + 1)) - 1 for k in self.cal_count])
        return self._back_to_a_score((self.cal_wrong <= budget[:, None]).sum(axis=1) - 1)

    def clusters(self, alpha: Fraction) -> Ints:
        members = self._members(self.cal)
        share = np.divide(1.0, members, out=np.zeros(members.shape), where=members > 0)
        sums = np.cumsum((self.cal & self.wrong) * share[:, self.codes], axis=1)[:, self.ends]
        limits = [alpha * (int(k) + 1) - 1 for k in (members > 0).sum(axis=1)]
        bounds = np.array([float(limit) for limit in limits])[:, None]
        surely = (sums <= bounds - NEAR).sum(axis=1) - 1
        perhaps = (sums <= bounds + NEAR).sum(axis=1) - 1
        # Floats decide all but the sums that touch the limit; those are added up exactly.
        for row in np.flatnonzero(surely < perhaps):
            sizes = members[row][self.codes]
            bad = np.flatnonzero(self.cal[row] & self.wrong)
            while perhaps[row] > surely[row]:
                inside = bad[bad <= self.ends[perhaps[row]]]
                if exact.harmonic(sizes[inside]) <= limits[row]:
                    break
                perhaps[row] -= 1
        return self._back_to_a_score(perhaps)

    def baseline(self, alpha: Fraction) -> Ints:
        right = self.cal_right[:, -1]
        rank = np.array([math.ceil((int(m) + 1) * (1 - alpha)) for m in right])
        reached = (self.cal_right < rank[:, None]).sum(axis=1)
        return np.where(rank > right, len(self.ends) - 1, np.where(rank == 0, -1, reached))

    def measure(self, thresholds: list[Ints]) -> ResplitOutcome:
        at = np.stack(thresholds, axis=1)
        rows = np.arange(len(at))[:, None]
        none = at < 0
        tested = self.tested[:, None]
        return ResplitOutcome(
            risk=np.where(none, 0.0, self.test_wrong[rows, at] / tested),
            cluster_risk=np.where(none, 0.0, self.test_means[rows, at] / self.test_clusters[:, None]),
            acceptance=np.where(none, 0.0, self.test_all[rows, at] / tested),
            cluster_acceptance=np.where(none, 0.0, self.test_shares[rows, at] / self.test_clusters[:, None]),
            infeasible=none,
        )


def cells(result: Resplits, outcome: ResplitOutcome, *, weighting: Unit) -> list[ComplianceCell]:
    """Mean and standard error over the resplits, with the mark of the compliance matrix; one weighting a row."""
    risk, taken = outcome.weighted(weighting), outcome.accepted(weighting)
    made = []
    for k, alpha in enumerate(result.alphas):
        column, level = risk[:, k], float(alpha)
        mean, accepted = float(column.mean()), float(taken[:, k].mean())
        se = float(column.std(ddof=1) / math.sqrt(len(column))) if len(column) > 1 else 0.0
        made.append(
            ComplianceCell(
                alpha=level,
                risk=mean,
                se=se,
                acceptance=accepted,
                error=mean / accepted if accepted > 0 else None,
                infeasible_share=float(outcome.infeasible[:, k].mean()),
                exceedances=int((column > level + 1e-12).sum()),
                mark=mark(mean, se, level, abstained=bool(outcome.infeasible[:, k].all())),
            )
        )
    return made


def mark(risk: float, se: float, alpha: float, *, abstained: bool) -> str:
    """✓ at most alpha, † over it by at most one s.e., ✗ over by more, abst. if every split abstained."""
    if abstained:
        return "abst."
    if risk <= alpha + 1e-12:
        return "✓"
    return "†" if risk <= alpha + se else "✗"
