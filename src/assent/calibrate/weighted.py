"""Weighted risk control for a known covariate shift: each instruction has its own threshold.

Exact if the weights are the density ratio of the new stream to the calibration data and P(score, wrong | x)
is unchanged; with estimated weights the promise is approximate, and ``approximate`` says so.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from assent.calibrate import exact
from assent.calibrate.control import sample
from assent.calibrate.exact import SCALE, Level
from assent.errors import DataError


@dataclass(frozen=True)
class WeightedRule:
    """What must be stored: the distinct scores in ticks, the wrong weight up to each, and all weight."""

    alpha: Fraction
    n: int
    steps: tuple[int, ...]
    lost: tuple[int, ...]
    total: int
    approximate: bool

    def threshold(self, weight: float) -> float | None:
        """The threshold for an instruction of this weight; None: abstain."""
        own = _whole(weight)
        limit = self.alpha * (self.total + own) - own
        if limit < 0 or not self.steps:
            return None
        if self.lost[-1] <= limit:
            return 1.0
        fits = bisect_right(self.lost, limit)
        return self.steps[fits - 1] / SCALE if fits else None

    def accepts(self, score: float, weight: float) -> bool:
        """Exact comparison with the instruction's own threshold."""
        top = self.threshold(weight)
        return top is not None and exact.tick(score) <= exact.tick(top)


def weighted_crc(
    scores: npt.ArrayLike,
    losses: npt.ArrayLike,
    weights: npt.ArrayLike,
    *,
    alpha: Level,
    approximate: bool = True,
) -> WeightedRule:
    """The rule tau(x): the largest with (sum of w l + w(x)) <= alpha (sum of w + w(x))."""
    data = sample(scores, losses)
    given = np.asarray(weights, dtype=np.float64)
    if given.shape != (data.n,):
        raise DataError(f"{data.n} scores but weights of shape {given.shape}: one for each score is needed")
    whole = [_whole(float(w)) for w in given]
    steps: list[int] = []
    lost: list[int] = []
    running = 0
    for at in np.argsort(data.keys, kind="stable"):
        running += whole[at] if data.wrong[at] else 0
        if steps and steps[-1] == data.keys[at]:
            lost[-1] = running
        else:
            steps.append(int(data.keys[at]))
            lost.append(running)
    return WeightedRule(exact.level(alpha), data.n, tuple(steps), tuple(lost), sum(whole), approximate)


def _whole(weight: float) -> int:
    if not (weight >= 0 and weight < float("inf")):
        raise DataError(f"weight {weight} is not a finite number from 0 up")
    return round(weight * SCALE)
