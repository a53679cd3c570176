"""The second look of the linker: what a first look found around a word.

A word that matches no name may still be part of one ("the rolls have come to a STOP") or stand beside one that is told
already. So the linker looks twice: the second time it also sees how the first one judged the neighbours.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assent.lift.seen import Floats

AROUND = 12
"""Features of a (word, entry) pair."""
BESIDE = 8
"""Features of a word alone."""
_REACH = (1, -1, 2, -2)
_STEPS = 4096  # sums of multiples of 1/4096 have the same bits in whatever order


def context(chances: Floats) -> tuple[Floats, Floats]:
    """Features of pairs and of words from the ``chances`` of a first look (words x entries, "none" last)."""
    rough = np.rint(np.asarray(chances, np.float64) * _STEPS) / _STEPS
    entries, none = rough[:, :-1], rough[:, -1:]
    named = 1 - none
    ordered = np.sort(entries, axis=1)
    best = ordered[:, -1:]
    second = ordered[:, -2:-1] if entries.shape[1] > 1 else np.zeros_like(best)
    rival = np.where(entries >= best, second, best)
    wide = np.ones_like(entries)
    around = (
        entries,
        *(_moved(entries, by) for by in _REACH),
        np.minimum(entries.sum(axis=0) - entries, 2),
        entries.max(axis=0) * wide,
        rival,
        none * wide,
        (_moved(named, 1) + _moved(named, -1)) * wide,
        *(_moved(rival, by) for by in _REACH[:2]),
    )
    beside = (
        none,
        *(_moved(named, by) for by in _REACH),
        best,
        second,
        named.sum(axis=0, keepdims=True) / 4 * np.ones_like(none),
    )
    return np.stack(around, axis=2).astype(np.float32), np.concatenate(beside, axis=1).astype(np.float32)


def _moved(rows: NDArray[np.float64], by: int) -> NDArray[np.float64]:
    """Each row in the place of the one ``by`` further on; nothing at the edge."""
    out = np.zeros_like(rows)
    if by > 0:
        out[by:] = rows[:-by]
    else:
        out[:by] = rows[-by:]
    return out
