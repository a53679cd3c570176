"""Several channels as one score in [0, 1]: equal weights, any mixture, or weights learnt on the fit part.

A learnt fusion is fitted on rows that are disjoint from calibration (``leakage.refuse_overlap``); choosing
it on the calibration rows themselves breaks the promise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from assent.calibrate import exact
from assent.calibrate.rules import Fusion
from assent.errors import DataError, UsageError

Floats = npt.NDArray[np.float64]
Channels = Mapping[str, npt.ArrayLike]
RIDGE = 1.0
"""Keeps weights finite when the fit part is separable; the intercept is not shrunk."""
EDGE = 0.001
"""Scores nearer to 0 or 1 than this count as this near: log-odds are finite."""


def equal(channels: Sequence[str]) -> Fusion:
    """The plain mean."""
    if not channels:
        raise UsageError("a fusion needs at least one channel")
    return Fusion(kind="mean", channels=tuple(channels), weights=(1 / len(channels),) * len(channels))


def mixture(first: str, second: str, weight: float) -> Fusion:
    """``weight`` on the first channel, the rest on the second (lambda of the sweep)."""
    share = float(exact.level(weight, "weight"))
    return Fusion(kind="mean", channels=(first, second), weights=(share, 1 - share))


def fuse(fusion: Fusion, scores: Channels) -> Floats:
    """The fused score of each row; a channel that was not recorded is an error, never invented."""
    columns = _columns(scores, fusion.channels)
    weights = np.array(fusion.weights)
    if fusion.kind == "mean":
        return np.asarray(np.clip(columns @ weights + fusion.intercept, 0.0, 1.0), dtype=np.float64)
    if fusion.kind in ("logistic", "monotone"):
        return _sigmoid(_log_odds(columns) @ weights + fusion.intercept)
    raise UsageError(f"unknown kind of fusion: {fusion.kind!r}")


def fuse_one(fusion: Fusion, scores: Mapping[str, float]) -> float:
    """``fuse`` for one row."""
    return float(fuse(fusion, {name: [scores[name]] for name in fusion.channels if name in scores})[0])


def fit_logistic(scores: Channels, losses: npt.ArrayLike, *, monotone: bool = False) -> Fusion:
    """Ridge logistic regression of the loss on the channels' log-odds.

    Log-odds, because a channel such as ``default`` is a probability already and tells most near 0, where its
    plain values hardly differ.

    ``monotone`` keeps every weight at or above 0, so that no channel can count as evidence *for* a candidate
    that it finds more suspicious.
    """
    names = tuple(scores)
    columns = _log_odds(_columns(scores, names))
    wrong = exact.flags(losses, len(columns)).astype(np.float64)
    if not 0 < wrong.sum() < len(wrong):
        raise DataError(
            "a fusion can only be learnt from right and wrong rows; this fit part has one kind only"
        )
    active = np.ones(len(names), dtype=np.bool_)
    weights, intercept = _newton(columns, wrong)
    # Dropping the most negative weight and fitting again ends at a fit with none below 0.
    while monotone and (weights < 0).any():
        active[int(np.argmin(weights))] = False
        weights = np.zeros(len(names))
        weights[active], intercept = _newton(columns[:, active], wrong)
    kind = "monotone" if monotone else "logistic"
    return Fusion(kind=kind, channels=names, weights=tuple(weights.tolist()), intercept=intercept)


def _columns(scores: Channels, names: Sequence[str]) -> Floats:
    missing = [name for name in names if name not in scores]
    if missing:
        raise DataError(f"channel {missing[0]!r} was not recorded; recorded: {', '.join(scores) or 'none'}")
    columns = [exact.ticks(scores[name]) / exact.SCALE for name in names]
    if len({len(column) for column in columns}) > 1:
        raise DataError("channels have different numbers of rows")
    return np.stack(columns, axis=1)


def _log_odds(columns: Floats) -> Floats:
    inside = np.clip(columns, EDGE, 1 - EDGE)
    return np.asarray(np.log(inside) - np.log1p(-inside), dtype=np.float64)


def _newton(columns: Floats, wrong: Floats) -> tuple[Floats, float]:
    """Newton's method for the penalised likelihood, which is strictly concave."""
    design = np.column_stack([columns, np.ones(len(columns))])
    penalty = np.diag([RIDGE] * columns.shape[1] + [1e-6])
    beta = np.zeros(design.shape[1])
    for _ in range(100):
        chance = _sigmoid(design @ beta)
        slope = design.T @ (wrong - chance) - penalty @ beta
        curve = (design * (chance * (1 - chance))[:, None]).T @ design + penalty
        step = np.linalg.solve(curve, slope)
        # A long step can overshoot far from the optimum; this bound never binds near it.
        beta = beta + step * min(1.0, 5.0 / max(1e-12, float(np.abs(step).max())))
        if float(np.abs(step).max()) < 1e-10:
            break
    return beta[:-1], float(beta[-1])


def _sigmoid(x: Floats) -> Floats:
    return np.asarray(0.5 * (1 + np.tanh(x / 2)), dtype=np.float64)
