"""What can be promised with how many labels: from data, or from three guesses before any labelling.

Looking at a plan does not spend data, choosing alpha by it does: fix alpha first, or calibrate on fresh rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from assent.calibrate import exact, metrics
from assent.calibrate.control import Labels, cluster_crc, crc
from assent.calibrate.exact import Level
from assent.calibrate.floor import Lowest, advise
from assent.calibrate.rules import Infeasible, Rule, Unit
from assent.calibrate.selective import fewest_labels
from assent.errors import UsageError

ALPHAS: tuple[Level, ...] = ("0.01", "0.02", "0.05", "0.1", "0.15", "0.2", "0.25", "0.3")
SIGNED = "0.1"
"""The delta of the high-probability rule in ``labels_signed``."""


@dataclass(frozen=True)
class AlphaTarget:
    """One alpha: is it feasible, and if not, with how many labels (None: with no number, or unknown)?

    ``labels_signed`` is the least that the high-probability rule needs at delta = 0.1, without any error.
    ``acceptance`` is to be expected from the rule; ``oracle`` and ``uninformative`` frame it.
    """

    alpha: float
    feasible: bool
    labels: int | None
    hopeless: bool
    labels_signed: int | None
    acceptance: float
    low: float
    high: float
    oracle: float
    uninformative: float


@dataclass(frozen=True)
class FeasibilityPlan:
    """One group. ``floor`` is the smallest alpha that these data certify, ``limit`` where it tends with
    labels.
    """

    group: str
    unit: Unit
    n: int
    clusters: int | None
    error_rate: float
    cluster_error_rate: float | None
    auroc: float | None
    floor: float
    limit: float
    targets: tuple[AlphaTarget, ...]


def plan_from_data(
    scores: npt.ArrayLike,
    losses: npt.ArrayLike,
    *,
    group: str = "all",
    clusters: Labels | None = None,
    deferred: npt.ArrayLike | None = None,
    alphas: Sequence[Level] = ALPHAS,
    seed: int = 0,
) -> FeasibilityPlan:
    """What these labelled rows could certify, over clusters if they are given. Averages are over the unit.

    ``deferred`` marks rows that are not accepted whatever their score; they count as abstentions.
    """
    values, wrong = np.asarray(scores, dtype=np.float64), exact.flags(losses, len(np.asarray(scores)))
    codes = None if clusters is None else exact.codes(clusters, len(values))[0]
    away = np.zeros(len(values), dtype=np.bool_) if deferred is None else exact.flags(deferred, len(values))

    def rule(alpha: Level, rows: npt.NDArray[np.int64], numbers: npt.NDArray[np.int64] | None) -> Rule:
        if numbers is None:
            return crc(values[rows], wrong[rows], alpha=alpha, deferred=away[rows])
        return cluster_crc(values[rows], wrong[rows], numbers, alpha=alpha, deferred=away[rows])

    everything = np.arange(len(values))
    first = rule(alphas[0], everything, codes)
    by_cluster = _cluster_rate(codes, wrong)
    pair_rate = float(wrong.mean()) if len(wrong) else 0.0
    rate = pair_rate if by_cluster is None else by_cluster
    targets = []
    for alpha in alphas:
        made = rule(alpha, everything, codes)
        expected = metrics.expected_acceptance(
            lambda rows, numbers, alpha=alpha: rule(alpha, rows, None if codes is None else numbers),  # type: ignore[misc]
            values,
            seed=seed,
            clusters=codes,
            deferred=away,
        )
        stuck = isinstance(made, Infeasible)
        targets.append(
            AlphaTarget(
                alpha=made.alpha,
                feasible=not stuck,
                labels=made.labels if isinstance(made, Infeasible) else None,
                hopeless=isinstance(made, Infeasible) and made.hopeless,
                labels_signed=fewest_labels(alpha, SIGNED),
                acceptance=expected.acceptance,
                low=expected.low,
                high=expected.high,
                oracle=metrics.oracle_acceptance(rate, made.alpha),
                uninformative=metrics.uninformative_acceptance(rate, made.alpha),
            )
        )
    units = len(values) if first.clusters is None else first.clusters
    return FeasibilityPlan(
        group=group,
        unit=first.unit,
        n=len(values),
        clusters=first.clusters,
        error_rate=pair_rate,
        cluster_error_rate=by_cluster,
        auroc=metrics.auroc(values, wrong),
        floor=first.floor,
        limit=max(0.0, (first.floor * (units + 1) - 1) / units) if units else 0.0,
        targets=tuple(targets),
    )


def _cluster_rate(codes: npt.NDArray[np.int64] | None, wrong: npt.NDArray[np.bool_]) -> float | None:
    """The error rate averaged by cluster."""
    if codes is None or not len(codes):
        return None
    return float((np.bincount(codes, weights=wrong) / np.bincount(codes)).mean())


def plan_from_guesses(
    *,
    error_rate: float,
    n: int,
    auroc: float,
    lowest: float = 0.0,
    alphas: Sequence[Level] = ALPHAS,
    seed: int = 0,
    draws: int = 1000,
) -> FeasibilityPlan:
    """Before any label: normal scores, shifted for wrong ones so that they have this AUROC, no ties.

    ``lowest`` is the share of all pairs that is wrong *and* shares the lowest score, if that is expected.
    Right ones are then taken to share it as often (the lowest score tells nothing), and the AUROC to be that above it.
    """
    _check_guesses(error_rate, n, auroc, lowest)
    ground = Lowest(exact.level(round(lowest, 9)) * n, n)
    targets = []
    for alpha in alphas:
        level = exact.level(alpha)
        labels, hopeless, _ = advise(level, ground, "pair")
        hopeless = hopeless or lowest >= level
        feasible = level >= ground.floor
        accepted = (
            _simulated(error_rate, n, auroc, level, draws, seed, lowest)
            if feasible
            else np.zeros(1, dtype=np.float64)
        )
        low, high = np.quantile(accepted, [0.025, 0.975])
        targets.append(
            AlphaTarget(
                alpha=float(level),
                feasible=feasible,
                labels=None if feasible or hopeless else labels,
                hopeless=hopeless and not feasible,
                labels_signed=fewest_labels(alpha, SIGNED),
                acceptance=float(accepted.mean()),
                low=float(low),
                high=float(high),
                oracle=metrics.oracle_acceptance(error_rate, float(level)),
                uninformative=metrics.uninformative_acceptance(error_rate, float(level)),
            )
        )
    return FeasibilityPlan(
        group="guess",
        unit="pair",
        n=n,
        clusters=None,
        error_rate=error_rate,
        cluster_error_rate=None,
        auroc=auroc,
        floor=float(ground.floor),
        limit=lowest,
        targets=tuple(targets),
    )


def _check_guesses(error_rate: float, n: int, auroc: float, lowest: float) -> None:
    exact.level(error_rate, "the error rate")
    if n < 1:
        raise UsageError(f"the number of labels must be at least 1, not {n}")
    if not 0.5 <= auroc <= 1:
        raise UsageError(f"the AUROC must be from 0.5 (knows nothing) to 1 (perfect), not {auroc}")
    if not 0 <= lowest <= error_rate:
        raise UsageError("the share wrong at the lowest score cannot exceed the error rate")


def _simulated(
    rate: float, n: int, auroc: float, alpha: Fraction, draws: int, seed: int, lowest: float = 0.0
) -> npt.NDArray[np.float64]:
    """Acceptance of CRC over calibration draws: everything below the (K + 1)-th smallest wrong score.

    The k-th smallest of w uniforms is beta(k, w + 1 - k), so n may be as large as one likes. Wrong ones at the
    lowest score use up the budget first; if they exceed it, nothing is accepted.
    """
    rng, normal = np.random.default_rng(seed), NormalDist()
    shift = 2**0.5 * normal.inv_cdf(min(auroc, 1 - 1e-9))
    allowed = int(alpha * (n + 1)) - 1
    bottom = rng.binomial(n, lowest, draws) if lowest else np.zeros(draws, dtype=np.int64)
    left = allowed - bottom
    above = rng.binomial(n - bottom, (rate - lowest) / (1 - lowest) if lowest < 1 else 0.0, draws)
    share = lowest / rate if lowest else 0.0  # of the wrong ones, and of the right ones
    ground = lowest + (1 - rate) * share
    shares = np.where(left < 0, 0.0, 1.0)
    below = rng.beta(np.maximum(0, left) + 1, np.maximum(1, above - left))
    for k in np.flatnonzero((left >= 0) & (above > left)):
        share_wrong = min(max(float(below[k]), 1e-300), 1 - 1e-16)
        top = shift + normal.inv_cdf(share_wrong)
        right = (1 - rate) * (1 - share) * normal.cdf(top)
        shares[k] = ground + (rate - lowest) * share_wrong + right
    return shares
