"""One harness for promises and for the shortcuts that break them.

``breaks(values, limit)`` says that the mean of independent values is above the limit. If the true mean is at
the limit, it says so wrongly with probability FALSE_ALARM; a valid rule must not trigger it, an invalid shortcut
must. Seeds are fixed, so a run never changes.
"""

from __future__ import annotations

from statistics import NormalDist

import numpy as np

FALSE_ALARM = 1e-4
REACH = NormalDist().inv_cdf(1 - FALSE_ALARM)


def breaks(values: object, limit: float) -> bool:
    """Whether the mean is above the limit beyond chance."""
    array = np.asarray(values, dtype=float)
    return bool(array.mean() - limit > REACH * max(array.std(ddof=1), 1e-9) / np.sqrt(len(array)))


class World:
    """Scores 0, 1/L, ... with given chances, and P(wrong | score); the true risk of a threshold is known."""

    def __init__(self, levels: int, wrong: object, chance: object = None) -> None:
        self.scores = np.arange(levels) / max(1, levels - 1)
        self.wrong = np.broadcast_to(np.asarray(wrong, dtype=float), (levels,))
        self.chance = np.full(levels, 1 / levels) if chance is None else np.asarray(chance, dtype=float)

    def draw(self, rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
        at = rng.choice(len(self.scores), n, p=self.chance)
        return self.scores[at], rng.random(n) < self.wrong[at]

    def risk(self, rule: object) -> float:
        """P(accepted and wrong)."""
        return float(sum(c * w for s, c, w in self._rows() if rule.accepts(s)))

    def acceptance(self, rule: object) -> float:
        return float(sum(c for s, c, _ in self._rows() if rule.accepts(s)))

    def _rows(self) -> list[tuple[float, float, float]]:
        return list(zip(self.scores.tolist(), self.chance.tolist(), self.wrong.tolist(), strict=True))
