"""What a rule does on rows that did not make it: risk, acceptance and error among the accepted, in one weighting.

Measured on the rows that set the threshold, the error among the accepted looks smaller than it is. So the rows are cut
into folds (whole clusters where there are any), the rule is made from the others and applied to each fold in turn.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assent.calibrate import exact
from assent.calibrate.control import Labels
from assent.calibrate.rules import Rule, Threshold, Unit

Ints = npt.NDArray[np.int64]
FOLDS, REPEATS = 10, 3


@dataclass(frozen=True)
class HeldOut:
    """Shares of all rows (or of all clusters' members, averaged by cluster); ``error`` is None if none is accepted."""

    unit: Unit
    risk: float
    acceptance: float

    @property
    def error(self) -> float | None:
        """The error among the accepted."""
        return self.risk / self.acceptance if self.acceptance > 0 else None


def held_out(
    calibrate: Callable[[Ints, Ints], Rule],
    scores: npt.ArrayLike,
    losses: npt.ArrayLike,
    *,
    seed: int,
    clusters: Labels | None = None,
    deferred: npt.ArrayLike | None = None,
    ties: npt.ArrayLike | None = None,
    folds: int = FOLDS,
    repeats: int = REPEATS,
) -> HeldOut:
    """``calibrate`` takes positions and a cluster number for each; everything is by cluster if clusters are given.

    With fewer units than folds each unit is a fold. One unit alone cannot be held out: nothing is accepted.
    """
    values = np.asarray(scores, dtype=np.float64)
    wrong = exact.flags(losses, len(values))
    codes, count = (
        exact.codes(clusters, len(values)) if clusters is not None else (np.arange(len(values)), len(values))
    )
    unit: Unit = "pair" if clusters is None else "cluster"
    if count < 2:
        return HeldOut(unit, 0.0, 0.0)
    each = 1 / np.bincount(codes, minlength=count) / count
    away = None if deferred is None else exact.flags(deferred, len(values), "deferral")
    marks = None if ties is None else np.asarray(ties)
    rng, parts = np.random.default_rng(seed), min(folds, count)
    risk = acceptance = 0.0
    for _ in range(repeats):
        fold = (rng.permutation(count) % parts).astype(np.min_scalar_type(parts))[codes]
        for k in range(parts):
            rule = _made_without(calibrate, codes, fold == k)
            if isinstance(rule, Threshold):
                outside = np.flatnonzero(fold == k)
                marked = None if marks is None else marks[outside]
                weight = each[codes[outside]]
                if away is not None:
                    weight[away[outside]] = 0.0
                taken = weight * rule.accepts_all(values[outside], marked)
                acceptance += float(taken.sum())
                risk += float((taken * wrong[outside]).sum())
    return HeldOut(unit, risk / repeats, acceptance / repeats)


def _made_without(calibrate: Callable[[Ints, Ints], Rule], codes: Ints, left_out: exact.Flags) -> Rule:
    """The rule from the rows that are not left out; their clusters are counted without gaps."""
    numbers = exact.codes(codes[~left_out], int((~left_out).sum()))[0]
    return calibrate(np.flatnonzero(~left_out), numbers)
