"""Risk control over pairs for files that do not fit into memory: two readings, a table of fixed size.

Ticks have 30 bits. The first reading counts by the upper 15, which tells the drawer in which the first wrong score
too many lies; the second counts that drawer by the lower 15. The rule is the one that ``control.crc`` makes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from assent.calibrate import exact
from assent.calibrate.control import refuse, sample
from assent.calibrate.exact import SCALE, Flags, Level, Ticks
from assent.calibrate.floor import Lowest
from assent.calibrate.rules import Rule, Threshold
from assent.errors import DataError

HALF = 15
DRAWERS = 1 << HALF
Ints = npt.NDArray[np.int64]
Part = tuple[npt.ArrayLike, npt.ArrayLike, npt.ArrayLike | None]
"""Scores, losses and (or None) deferrals of some rows."""


def _zeros() -> Ints:
    return np.zeros(DRAWERS, dtype=np.int64)


@dataclass
class _Counts:
    """By drawer: rows that could be accepted, wrong ones among them, and the highest score."""

    total: Ints = field(default_factory=_zeros)
    bad: Ints = field(default_factory=_zeros)
    highest: Ints = field(default_factory=lambda: np.full(DRAWERS, -1, dtype=np.int64))

    def add(self, drawer: Ints, keys: Ticks, bad: Flags) -> None:
        self.total += np.bincount(drawer, minlength=DRAWERS)
        self.bad += np.bincount(drawer[bad], minlength=DRAWERS)
        np.maximum.at(self.highest, drawer, keys)


def streamed_crc(parts: Callable[[], Iterable[Part]], *, alpha: Level) -> Rule:
    """``control.crc`` from parts of the data. ``parts()`` is called twice and must give the same rows both times.

    Memory is that of the largest part and of two tables, whatever the number of rows. An error if the second reading
    differs in its number of rows.
    """
    level = exact.level(alpha)
    coarse, n, lowest = _Counts(), 0, SCALE + 1
    for keys, bad, rows in _read(parts):
        n += rows
        coarse.add(keys >> HALF, keys, bad)
        lowest = min(lowest, int(keys.min()) if len(keys) else lowest)
    budget = math.floor(level * (n + 1)) - 1
    full = int(np.searchsorted(np.cumsum(coarse.bad), budget, side="right")) if budget >= 0 else 0
    fine, again, at_lowest = _Counts(), 0, 0
    for keys, bad, rows in _read(parts):
        again += rows
        at_lowest += int((bad & (keys == lowest)).sum())
        inside = (keys >> HALF) == full
        fine.add(keys[inside] & (DRAWERS - 1), keys[inside], bad[inside])
    if again != n:
        raise DataError(
            f"the second reading has {again} rows, the first had {n}: the data changed in between"
        )
    ground = Lowest(Fraction(at_lowest), n)
    top, taken, wrong = _largest(coarse, fine, full, budget)
    if top is None:
        return refuse(n, ground, level, ground.floor, kind="crc", unit="pair")
    return Threshold(
        value=top / SCALE,
        alpha=float(level),
        n=n,
        floor=min(1.0, float(ground.floor)),
        kind="crc",
        unit="pair",
        accepted=taken / n,
        risk=wrong / n,
    )


def _read(parts: Callable[[], Iterable[Part]]) -> Iterator[tuple[Ticks, Flags, int]]:
    """Scores that could be accepted, whether they are wrong, and how many rows there were in all."""
    for scores, losses, deferred in parts():
        data = sample(scores, losses, deferred=deferred)
        yield data.keys[data.open], data.wrong[data.open], data.n


def _largest(coarse: _Counts, fine: _Counts, full: int, budget: int) -> tuple[int | None, int, int]:
    """The largest score within the budget of wrong ones (None: there is none), rows and wrong rows up to it."""
    if budget < 0 or not coarse.total.any():
        return None, 0, 0
    if full >= DRAWERS:  # the budget is never used up
        return SCALE, int(coarse.total.sum()), int(coarse.bad.sum())
    before, spent = int(coarse.total[:full].sum()), int(coarse.bad[:full].sum())
    within = int(np.searchsorted(np.cumsum(fine.bad), budget - spent, side="right"))
    highest = max(int(coarse.highest[:full].max(initial=-1)), int(fine.highest[:within].max(initial=-1)))
    if highest < 0:
        return None, 0, 0
    return highest, before + int(fine.total[:within].sum()), spent + int(fine.bad[:within].sum())
