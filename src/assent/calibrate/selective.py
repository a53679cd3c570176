"""Rules that hold with high probability over the calibration draw, for who must sign.

Both need independent draws. With clusters, keep one random member of each beforehand (``control.capped`` with
a cap of 1): mean losses of clusters are not coin flips.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from assent.calibrate import binomial, exact
from assent.calibrate.control import CalibrationSample, finish, largest_key, lowest_region, sample
from assent.calibrate.exact import SCALE, Level
from assent.calibrate.rules import Infeasible, Rule

MOST_LABELS = 10**6
HEAD_START = 3


def high_probability(
    scores: npt.ArrayLike,
    losses: npt.ArrayLike,
    *,
    alpha: Level,
    delta: Level,
    deferred: npt.ArrayLike | None = None,
    ties: npt.ArrayLike | None = None,
) -> Rule:
    """The largest threshold whose count of accepted errors is too low for a risk above alpha.

    Joint risk grows with the threshold, so one exact binomial test a threshold is enough: no correction.
    """
    data = sample(scores, losses, deferred=deferred, ties=ties)
    level, confidence = exact.level(alpha), exact.level(delta, "delta")
    budget = binomial.largest_count(data.n, level, confidence)
    lowest = lowest_region(data)
    floor = binomial.upper_bound(int(lowest.wrong), data.n, float(confidence)) if data.n else 1.0
    rule = finish(
        data,
        largest_key(data, budget),
        lowest,
        alpha,
        kind="high_probability",
        unit="pair",
        floor=Fraction(floor),
        delta=float(confidence),
    )
    return _with_own_advice(rule, level, confidence, data) if isinstance(rule, Infeasible) else rule


def fewest_labels(alpha: Level, delta: Level) -> int | None:
    """Labels below which no binomial test at (alpha, delta) can pass: ln delta / ln(1 - alpha)."""
    a, d = exact.level(alpha), exact.level(delta, "delta")
    if a == 0 or d == 0:
        return None
    return 1 if a == 1 else max(1, math.ceil(math.log(d) / math.log(1 - a) - 1e-12))


def _with_own_advice(
    rule: Infeasible, alpha: Fraction, delta: Fraction, data: CalibrationSample
) -> Infeasible:
    """Labels needed are those of the binomial test, with the error share of the lowest region kept."""
    least = fewest_labels(alpha, delta)
    lowest = lowest_region(data)
    needed: int | None = None
    if least is not None and lowest.share < float(alpha) and not rule.hopeless:
        needed = max(least, data.n)
        while needed is not None and _too_many_wrong(lowest.share, needed, alpha, delta):
            needed = math.ceil(needed * 1.1) + 1 if needed < MOST_LABELS else None
    said = (
        f"no number of labelled pairs is expected to suffice for alpha = {float(alpha):g} with this score"
        if needed is None
        else f"about {needed} labelled pairs in all (now {data.n}) would make alpha = {float(alpha):g} "
        f"feasible at delta = {float(delta):g}"
    )
    return Infeasible(
        reason=rule.reason,
        alpha=rule.alpha,
        n=rule.n,
        floor=rule.floor,
        kind=rule.kind,
        unit=rule.unit,
        delta=rule.delta,
        labels=needed,
        hopeless=rule.hopeless,
        advice=(said, *rule.advice[1:]),
    )


def _too_many_wrong(share: float, n: int, alpha: Fraction, delta: Fraction) -> bool:
    return binomial.largest_count(n, alpha, delta) < math.ceil(share * n)


def climb_grid(scores: npt.ArrayLike, *, n: int, alpha: Level, delta: Level, steps: int = 20) -> list[float]:
    """A grid for ``conditional`` from the scores of the *fit* part, for n calibration pairs to come.

    A test can pass only from ``fewest_labels`` acceptances on. The grid starts at ``HEAD_START`` times as many,
    so that one early error does not end the climb, and rises in equal shares.
    """
    least = fewest_labels(alpha, delta)
    keys = np.sort(exact.ticks(scores))
    if least is None or not len(keys) or least > n:
        return []
    ranks = np.linspace(min(1.0, HEAD_START * least / n), 1.0, steps)
    at = np.minimum(len(keys) - 1, np.ceil(ranks * len(keys)).astype(np.int64) - 1)
    return [int(k) / SCALE for k in np.unique(keys[np.maximum(0, at)])]


def conditional(
    scores: npt.ArrayLike,
    losses: npt.ArrayLike,
    grid: Sequence[float],
    *,
    alpha: Level,
    delta: Level,
    deferred: npt.ArrayLike | None = None,
) -> Rule:
    """Control of the error *among the accepted*: climb a grid fixed beforehand, stop at the first failure.

    The error among the accepted may rise and fall with the threshold, so "the largest threshold whose bound
    passes" would test many and keep the luckiest: that is invalid. ``grid`` comes from the fit part
    (``climb_grid``), never from these data.
    """
    data = sample(scores, losses, deferred=deferred)
    level, confidence = exact.level(alpha), exact.level(delta, "delta")
    reached: int | None = None
    first: tuple[int, int] | None = None
    for step in sorted(int(k) for k in exact.ticks(list(grid))):
        accepted = data.open & (data.keys <= step)
        total, wrong = int(accepted.sum()), int((accepted & data.wrong).sum())
        first = first or (wrong, total)
        if not binomial.passes(wrong, total, level, confidence):
            break
        reached = step
    wrong, total = first or (0, 0)
    floor = Fraction(binomial.upper_bound(wrong, total, float(confidence)) if total else 1.0)
    if reached is None:
        return _cannot_climb(data, level, confidence, floor, (wrong, total))
    lowest = lowest_region(data)
    return finish(
        data, reached, lowest, alpha, kind="conditional", unit="pair", floor=floor, delta=float(confidence)
    )


def _cannot_climb(
    data: CalibrationSample, alpha: Fraction, delta: Fraction, floor: Fraction, first: tuple[int, int]
) -> Infeasible:
    wrong, total = first
    least = fewest_labels(alpha, delta)
    said = (
        f"a test at alpha = {float(alpha):g}, delta = {float(delta):g} needs at least {least} accepted pairs "
        f"without error; the first step of the grid accepts {total}, {wrong} of them wrong"
        if least is not None
        else "alpha = 0 or delta = 0 cannot be certified by any finite sample"
    )
    return Infeasible(
        reason=f"the first step of the grid does not pass at alpha = {float(alpha):g}",
        alpha=float(alpha),
        n=data.n,
        floor=float(floor),
        kind="conditional",
        unit="pair",
        delta=float(delta),
        labels=None if least is None else max(least, data.n + 1),
        advice=(said, "start the grid at a lower score, label more, or raise alpha (on fresh data)"),
    )
