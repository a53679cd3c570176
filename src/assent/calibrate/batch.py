"""A batch decided together: the expected share of wrong ones among those selected is at most alpha."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from assent.calibrate import exact
from assent.calibrate.control import sample
from assent.calibrate.exact import Flags, Level, Ticks


def select(
    scores: npt.ArrayLike,
    losses: npt.ArrayLike,
    batch: npt.ArrayLike,
    *,
    alpha: Level,
) -> Flags:
    """Which of the ``batch`` scores to accept: conformal p-values, then Benjamini-Hochberg, all in integers.

    False discovery rate at most alpha in expectation, if calibration pairs and batch are exchangeable.
    """
    level = exact.level(alpha)
    ranks, n = _ranks(scores, losses, batch)
    size = len(ranks)
    order = np.sort(ranks)
    # p_(k) <= alpha k / size, with p = rank/(n + 1), is rank * size <= alpha (n + 1) k.
    top = level * (n + 1)
    fits = [k for k in range(1, size + 1) if int(order[k - 1]) * size * top.denominator <= top.numerator * k]
    if not fits:
        return np.zeros(size, dtype=np.bool_)
    return np.less_equal(ranks, int(order[fits[-1] - 1]))


def p_values(scores: npt.ArrayLike, losses: npt.ArrayLike, batch: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """(1 + wrong calibration pairs scored no higher)/(n + 1), for each score of the batch."""
    ranks, n = _ranks(scores, losses, batch)
    return ranks / (n + 1)


def _ranks(scores: npt.ArrayLike, losses: npt.ArrayLike, batch: npt.ArrayLike) -> tuple[Ticks, int]:
    data = sample(scores, losses)
    wrong = np.sort(data.keys[data.wrong])
    return 1 + np.searchsorted(wrong, exact.ticks(batch), side="right").astype(np.int64), data.n
