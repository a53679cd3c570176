"""Bets against many hypotheses at once, kept between calls: the engine of every rule that may look at any time.

Each hypothesis says that a gain has mean at most 0. The wealth multiplies by 1 + bet x gain; if the hypothesis is
true, it ever reaches 1/delta with probability at most delta (Ville). The bet is set from *earlier* gains only, never
from anything about the present item, its score and its probability of being drawn included: a bet that knows the
score could stay away from the items that cost. That is why nobody can pass one in.
"""

from __future__ import annotations

import math

import msgspec
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

PRIOR = 10
"""How many imagined gains steer the first bets."""
MARGIN = 1e-9
"""Wealth is a float in logarithms; this much more than 1/delta is asked for."""
ROWS = 2048


class Bets(msgspec.Struct, frozen=True, kw_only=True):
    """Where the bets stand: one entry a hypothesis. Storable; ``play`` returns the next one."""

    items: int
    log_wealth: tuple[float, ...]
    gained: tuple[float, ...]
    squared: tuple[float, ...]
    reached: tuple[bool, ...]
    """Whether the wealth ever passed 1/delta."""

    @classmethod
    def start(cls, hypotheses: int) -> Bets:
        """Wealth 1 against each hypothesis."""
        zeros = (0.0,) * hypotheses
        return cls(items=0, log_wealth=zeros, gained=zeros, squared=zeros, reached=(False,) * hypotheses)


def play(bets: Bets, gains: Floats, *, cap: Floats, hoped: Floats, spread: Floats, delta: float) -> Bets:
    """The bets after these gains (a row an item, a column a hypothesis), in their order.

    ``cap`` is the largest bet of each hypothesis: cap x (worst loss) must stay below 1. ``hoped`` and ``spread`` are
    the mean and the mean square imagined beforehand. The result does not depend on how items are cut into calls.
    """
    for start in range(0, len(gains), ROWS):
        bets = _play(bets, gains[start : start + ROWS], cap, hoped, spread, delta)
    return bets


def _play(bets: Bets, gains: Floats, cap: Floats, hoped: Floats, spread: Floats, delta: float) -> Bets:
    gained = np.cumsum(np.vstack([bets.gained, gains]), axis=0)
    squared = np.cumsum(np.vstack([bets.squared, gains * gains]), axis=0)
    known = (PRIOR + bets.items + np.arange(len(gains)))[:, None]
    mean = (PRIOR * hoped + gained[:-1]) / known
    square = (PRIOR * spread + squared[:-1]) / known
    bet = np.clip(mean / square, 0.0, cap)
    wealth = np.cumsum(np.vstack([bets.log_wealth, np.log1p(bet * gains)]), axis=0)
    passed = np.asarray(bets.reached) | (wealth >= -math.log(delta) + MARGIN).any(axis=0)
    return Bets(
        items=bets.items + len(gains),
        log_wealth=tuple(wealth[-1].tolist()),
        gained=tuple(gained[-1].tolist()),
        squared=tuple(squared[-1].tolist()),
        reached=tuple(passed.tolist()),
    )
