"""When should the calibration no longer be trusted? An alarm on scores, and a running bound on the risk.

``DriftAlarm`` bets against exchangeability. Each new score gets a smoothed p-value among the calibration
scores and *all earlier scores of the stream* (a fixed calibration set would not make a martingale), and a
simple jumper bets on it; if nothing has changed, the wealth reaches 1/gamma ever with probability at most
gamma. Feed every item that passes the gate, one a cluster. It cannot see a change of P(wrong | score):
labels that arrive later go into ``RiskSequence``.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from assent.calibrate import exact
from assent.calibrate.exact import Level
from assent.errors import UsageError

SLOPES = (-1.0, -0.5, 0.0, 0.5, 1.0)
JUMP = 0.01


@dataclass(frozen=True)
class DriftSignal:
    """What one item did: its p-value, the log of the wealth after it, and whether the alarm has ever rung."""

    p_value: float
    log_wealth: float
    alarm: bool


@dataclass
class DriftAlarm:
    """An exchangeability martingale with false-alarm rate gamma over the whole life of the stream."""

    gamma: float
    seen: list[int]
    """Calibration scores and all of the stream so far, in ticks, sorted."""
    shares: list[float] = field(default_factory=lambda: [1 / len(SLOPES)] * len(SLOPES))
    """How the wealth is spread over the slopes; sums to 1."""
    log_wealth: float = 0.0
    alarm: bool = False
    items: int = 0

    @classmethod
    def start(cls, scores: npt.ArrayLike, *, gamma: Level = "0.01") -> DriftAlarm:
        """Begin with the calibration scores."""
        level = exact.level(gamma, "gamma")
        if not 0 < level < 1:
            raise UsageError(f"gamma must be above 0 and below 1, not {gamma}")
        return cls(float(level), sorted(exact.ticks(scores).tolist()))

    def add(self, score: float, uniform: float) -> DriftSignal:
        """Take the next item. ``uniform`` is a fresh random number in [0, 1) that does not depend on
        scores.
        """
        if not 0 <= uniform < 1:
            raise UsageError(f"the random number must be in [0, 1), not {uniform}")
        key = exact.tick(score)
        insort(self.seen, key)
        above = len(self.seen) - bisect_right(self.seen, key)
        equal = len(self.seen) - above - bisect_left(self.seen, key)
        p = (above + uniform * equal) / len(self.seen)
        self._bet(p)
        self.items += 1
        self.alarm = self.alarm or self.log_wealth >= -math.log(self.gamma)
        return DriftSignal(p, self.log_wealth, self.alarm)

    def _bet(self, p: float) -> None:
        """Simple jumper: a little of the wealth moves to other slopes, then each slope bets 1 + e (p -
        1/2).
        """
        mixed = [(1 - JUMP) * share + JUMP / len(SLOPES) for share in self.shares]
        won = [share * (1 + slope * (p - 0.5)) for share, slope in zip(mixed, SLOPES, strict=True)]
        total = sum(won)
        self.log_wealth += math.log(total)
        self.shares = [w / total for w in won]


def watch(
    calibration: npt.ArrayLike, stream: Sequence[float], *, gamma: Level = "0.01", seed: int = 0
) -> DriftAlarm:
    """The alarm after a whole stream, in its order; ``seed`` draws the random numbers for ties."""
    alarm, rng = DriftAlarm.start(calibration, gamma=gamma), np.random.default_rng(seed)
    for score, uniform in zip(stream, rng.random(len(stream)).tolist(), strict=True):
        alarm.add(score, uniform)
    return alarm


@dataclass
class RiskSequence:
    """Bounds for the joint risk that hold at all times at once, from labels that arrive later.

    One observation for each item, deferred and abstained ones included: 1 if it was accepted and wrong. If
    only some items are labelled, choose them at random. Bounds invert a beta mixture, so they may be looked
    at daily.
    """

    gamma: float = 0.05
    wrong: int = 0
    n: int = 0

    def add(self, accepted_and_wrong: bool) -> None:
        """Take one labelled item."""
        self.n += 1
        self.wrong += bool(accepted_and_wrong)

    def interval(self) -> tuple[float, float]:
        """All rates q that the data do not refute at level gamma."""
        if not self.n:
            return 0.0, 1.0
        rate = self.wrong / self.n
        low = 0.0 if self.wrong == 0 else _edge(self._refuted, rate, 0.0)
        high = 1.0 if self.wrong == self.n else _edge(self._refuted, rate, 1.0)
        return low, high

    def above(self, alpha: Level) -> bool:
        """Whether the risk is shown to exceed alpha."""
        return self.interval()[0] > exact.level(alpha)

    def _refuted(self, rate: float) -> bool:
        """The mixture over all rates against this one: beats it by 1/gamma?"""
        right = self.n - self.wrong
        mixture = math.lgamma(self.wrong + 1) + math.lgamma(right + 1) - math.lgamma(self.n + 2)
        own = _times_log(self.wrong, rate) + _times_log(right, 1 - rate)
        return mixture - own >= -math.log(self.gamma)


def _times_log(k: int, x: float) -> float:
    return 0.0 if k == 0 else (k * math.log(x) if x > 0 else -math.inf)


def _edge(refuted: Callable[[float], bool], inside: float, outside: float) -> float:
    """Where refutation begins between a rate that stands and the end of the range, rounded outwards."""
    if not refuted(outside):
        return outside
    for _ in range(60):
        middle = (inside + outside) / 2
        inside, outside = (inside, middle) if refuted(middle) else (middle, outside)
    return outside
