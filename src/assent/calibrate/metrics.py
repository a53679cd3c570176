"""How well a score ranks wrong above right, with intervals; risk against coverage; acceptance to expect."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
import numpy.typing as npt

from assent.calibrate import exact
from assent.calibrate.control import CalibrationSample, Labels, sample
from assent.calibrate.rules import CurvePoint, Expected, Rule, Threshold

Counts = npt.NDArray[Any]
Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Whole = npt.NDArray[np.integer[Any]]
WORK = 20_000_000
"""Resampling stops being refined beyond about this many touched rows."""


@dataclass(frozen=True)
class ConfidenceInterval:
    """An estimate with a confidence interval."""

    value: float
    low: float
    high: float

    @property
    def informative(self) -> bool:
        """Whether an AUROC interval excludes one half."""
        return self.low > 0.5 or self.high < 0.5


def auroc(scores: npt.ArrayLike, losses: npt.ArrayLike) -> float | None:
    """P(a wrong one scores above a right one), ties half; None if one of the two classes is empty."""
    data = sample(scores, losses)
    return _auroc(*_counts(data))


def _counts(data: CalibrationSample) -> tuple[Counts, Counts]:
    """Wrong and right ones at each distinct score, in order."""
    _, atom = np.unique(data.keys, return_inverse=True)
    wrong = np.bincount(atom, weights=data.wrong)
    return wrong, np.bincount(atom) - wrong


def _auroc(wrong: Counts, right: Counts) -> float | None:
    pairs = wrong.sum() * right.sum()
    if not pairs:
        return None
    return float((wrong * (np.cumsum(right) - right / 2)).sum() / pairs)


def auroc_within(scores: npt.ArrayLike, losses: npt.ArrayLike, strata: Labels) -> float | None:
    """AUROC over pairs of the same stratum only (for example equal formula size)."""
    data = sample(scores, losses)
    codes, count = exact.codes(strata, data.n)
    won, pairs = 0.0, 0.0
    for k in range(count):
        here = codes == k
        wrong, right = _counts(sample(np.asarray(scores)[here], data.wrong[here]))
        here_pairs = float(wrong.sum() * right.sum())
        won += (_auroc(wrong, right) or 0.0) * here_pairs
        pairs += here_pairs
    return won / pairs if pairs else None


def _affordable(n: int, draws: int) -> int:
    return min(draws, max(20, WORK // max(1, n)))


def _weights(n: int, clusters: Labels | None, draws: int, seed: int) -> Iterator[Ints]:
    """How often each pair occurs in each bootstrap sample; whole clusters are drawn where they are given."""
    codes, count = exact.codes(clusters, n) if clusters is not None else (np.arange(n), n)
    rng = np.random.default_rng(seed)
    for _ in range(_affordable(n, draws)):
        yield np.bincount(rng.integers(0, count, count), minlength=count)[codes]


def bootstrap_auroc(
    scores: npt.ArrayLike,
    losses: npt.ArrayLike,
    *,
    seed: int,
    clusters: Labels | None = None,
    draws: int = 1000,
    confidence: float = 0.95,
) -> ConfidenceInterval | None:
    """AUROC with a percentile interval from resampled pairs, or clusters."""
    data = sample(scores, losses)
    value = _auroc(*_counts(data))
    if value is None:
        return None
    one = _resampled(data)
    drawn = [a for weight in _weights(data.n, clusters, draws, seed) if (a := one(weight)) is not None]
    return _interval(value, drawn, confidence)


def bootstrap_difference(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    losses: npt.ArrayLike,
    *,
    seed: int,
    clusters: Labels | None = None,
    draws: int = 1000,
    confidence: float = 0.95,
) -> ConfidenceInterval | None:
    """AUROC of the first score minus that of the second, resampled together."""
    one, two = sample(first, losses), sample(second, losses)
    a, b = _auroc(*_counts(one)), _auroc(*_counts(two))
    if a is None or b is None:
        return None
    left, right = _resampled(one), _resampled(two)
    drawn = []
    for weight in _weights(one.n, clusters, draws, seed):
        x, y = left(weight), right(weight)
        if x is not None and y is not None:
            drawn.append(x - y)
    return _interval(a - b, drawn, confidence)


def _resampled(data: CalibrationSample) -> Callable[[Ints], float | None]:
    _, atom = np.unique(data.keys, return_inverse=True)
    size = int(atom.max()) + 1 if data.n else 0

    def value(weight: Ints) -> float | None:
        wrong = np.bincount(atom, weights=weight * data.wrong, minlength=size)
        return _auroc(wrong, np.bincount(atom, weights=weight, minlength=size) - wrong)

    return value


def _interval(value: float, drawn: list[float], confidence: float) -> ConfidenceInterval:
    if not drawn:
        return ConfidenceInterval(value, -1.0 if value < 0 else 0.0, 1.0)
    low, high = np.quantile(drawn, [(1 - confidence) / 2, (1 + confidence) / 2])
    return ConfidenceInterval(value, float(low), float(high))


def delong_auroc(
    scores: npt.ArrayLike, losses: npt.ArrayLike, *, confidence: float = 0.95
) -> ConfidenceInterval | None:
    """AUROC with DeLong's normal interval (independent pairs only)."""
    data = sample(scores, losses)
    wrong, right = np.sort(data.keys[data.wrong]), np.sort(data.keys[~data.wrong])
    if not len(wrong) or not len(right):
        return None
    above = (np.searchsorted(right, wrong, "left") + np.searchsorted(right, wrong, "right")) / 2 / len(right)
    below = 1 - (np.searchsorted(wrong, right, "left") + np.searchsorted(wrong, right, "right")) / 2 / len(
        wrong
    )
    value = float(above.mean())
    spread = sum(float(v.var(ddof=1)) / len(v) for v in (above, below) if len(v) > 1)
    reach = NormalDist().inv_cdf((1 + confidence) / 2) * spread**0.5
    return ConfidenceInterval(value, max(0.0, value - reach), min(1.0, value + reach))


def risk_coverage(
    scores: npt.ArrayLike,
    losses: npt.ArrayLike,
    *,
    clusters: Labels | None = None,
    deferred: npt.ArrayLike | None = None,
    points: int = 200,
) -> tuple[CurvePoint, ...]:
    """Acceptance and joint risk at each distinct score, thinned evenly to at most ``points``.

    What is ``deferred`` is accepted at no score and counts in every share.
    """
    data = sample(scores, losses, clusters=clusters, deferred=deferred)
    order = np.argsort(data.keys, kind="stable")
    order = order[data.open[order]]
    if not len(order):
        return ()
    keys, wrong = data.keys[order], data.wrong[order]
    ends = np.flatnonzero(np.r_[keys[1:] != keys[:-1], True])
    if len(ends) > points:
        ends = ends[np.unique(np.linspace(0, len(ends) - 1, points).round().astype(np.int64))]
    risk = np.cumsum(wrong)[ends] / data.n
    means = None if data.clusters is None else np.cumsum(wrong / data.sizes_of(order))[ends] / data.count
    return tuple(
        CurvePoint(
            threshold=int(keys[end]) / exact.SCALE,
            acceptance=(int(end) + 1) / data.n,
            risk=float(risk[k]),
            cluster_risk=None if means is None else float(means[k]),
        )
        for k, end in enumerate(ends)
    )


def area_under_risk_coverage(scores: npt.ArrayLike, losses: npt.ArrayLike) -> float:
    """The mean, over all acceptance rates, of the error among the accepted (ties spread evenly)."""
    wrong, right = _counts(sample(scores, losses))
    share = np.repeat(wrong / (wrong + right), (wrong + right).astype(np.int64))
    return float((np.cumsum(share) / np.arange(1, len(share) + 1)).mean())


def oracle_acceptance(error_rate: float, alpha: float) -> float:
    """What a perfect score accepts at joint risk alpha."""
    return min(1.0, 1 - error_rate + alpha)


def uninformative_acceptance(error_rate: float, alpha: float) -> float:
    """What a score that knows nothing accepts at joint risk alpha."""
    return min(1.0, alpha / error_rate) if error_rate > 0 else 1.0


def expected_acceptance(
    calibrate: Callable[[Whole, Ints], Rule],
    scores: npt.ArrayLike,
    *,
    seed: int,
    clusters: Labels | None = None,
    draws: int = 200,
    confidence: float = 0.95,
    deferred: npt.ArrayLike | None = None,
    ties: npt.ArrayLike | None = None,
) -> Expected:
    """Acceptance when the rule is made again from resampled data, averaged over pairs or over clusters.

    ``calibrate`` takes the positions drawn (with repeats) and a cluster number for each of them. The interval
    covers the luck of the calibration draw, not a change of the stream. What the gate defers is not accepted.
    """
    values = np.asarray(scores, dtype=np.float64)
    codes = None if clusters is None else exact.codes(clusters, len(values))[0]
    away = None if deferred is None else exact.flags(deferred, len(values), "deferral")
    shares = []
    for positions, numbers in _redrawn(len(values), codes, draws, seed):
        rule = calibrate(positions, numbers)
        del positions, numbers
        taken = rule.accepts_all(values, ties) if isinstance(rule, Threshold) else None
        shares.append(0.0 if taken is None else _share_of(taken, _shares(len(values), codes, away)))
    low, high = np.quantile(shares, [(1 - confidence) / 2, (1 + confidence) / 2])
    mean = min(max(shares), max(min(shares), float(np.mean(shares))))  # no rounding beyond what was seen
    return Expected(acceptance=mean, low=float(low), high=float(high))


_PARTS = 2.0**60
"""Shares that are 1 together are added as whole multiples of 1/_PARTS: the same sum in any order of adding."""


def _share_of(taken: Flags, shares: npt.NDArray[np.float64]) -> float:
    return int((shares * _PARTS).astype(np.int64)[taken].sum()) / _PARTS


def _shares(n: int, codes: Ints | None, away: Flags | None) -> npt.NDArray[np.float64]:
    """What each pair counts, 1 together; made anew for each draw, so that it does not lie beside the samples."""
    weight = np.ones(n) if codes is None else 1 / np.bincount(codes)[codes]
    weight /= weight.sum()
    if away is not None:
        weight[away] = 0.0
    return weight


def _redrawn(n: int, clusters: Labels | None, draws: int, seed: int) -> Iterator[tuple[Whole, Ints]]:
    """Bootstrap samples as positions; a cluster drawn twice is two clusters."""
    if clusters is None:
        rng, everything = np.random.default_rng(seed), np.arange(n)
        yield from ((rng.integers(0, n, n), everything) for _ in range(_affordable(n, draws)))
        return
    codes, count = exact.codes(clusters, n)
    short: type[np.signedinteger[Any]] = np.int32 if n < 1 << 31 else np.int64
    rows = np.argsort(codes, kind="stable").astype(short)
    sizes = np.bincount(codes, minlength=count)
    starts = np.cumsum(sizes) - sizes
    rng = np.random.default_rng(seed)
    for _ in range(_affordable(n, draws)):
        drawn = rng.integers(0, count, count)
        lengths = sizes[drawn]
        ahead = (starts[drawn] - (np.cumsum(lengths) - lengths)).astype(short)
        place = np.repeat(ahead, lengths)
        place += np.arange(len(place), dtype=short)
        yield rows[place], np.repeat(np.arange(count), lengths)
