"""The smallest alpha that data can certify, and what it takes to certify a smaller one.

The floor is (L0 + 1)/(n + 1), L0 = wrong ones in the smallest non-empty acceptance region. With more labels
it falls towards q0 = P(score in the lowest atom and wrong), never below it: labels help only if alpha > q0.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from assent.calibrate.binomial import lower_bound

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Lowest:
    """The smallest non-empty acceptance region: its wrong ones (for clusters a sum of means) of n units."""

    wrong: Fraction
    n: int

    @property
    def floor(self) -> Fraction:
        """The smallest feasible alpha; 1 if there is nothing to accept."""
        return Fraction(self.wrong + 1, self.n + 1)

    @property
    def share(self) -> float:
        """The estimate of q0."""
        return float(self.wrong / self.n) if self.n else 0.0

    def share_above(self) -> float:
        """A lower confidence bound (95 %) for q0: exact for counts, Hoeffding for means of clusters."""
        if not self.n:
            return 0.0
        if self.wrong.denominator == 1:
            return lower_bound(int(self.wrong), self.n, 1 - CONFIDENCE)
        return max(0.0, self.share - math.sqrt(math.log(1 / (1 - CONFIDENCE)) / (2 * self.n)))


def labels_needed(alpha: Fraction, share: float) -> int | None:
    """Units needed for a floor of at most alpha if a ``share`` of all units is wrong in the lowest atom."""
    if float(alpha) <= share:
        return None
    if share == 0:
        return max(1, math.ceil(1 / alpha - 1))
    return max(1, math.ceil((1 - float(alpha)) / (float(alpha) - share)))


def advise(alpha: Fraction, lowest: Lowest, unit: str) -> tuple[int | None, bool, tuple[str, ...]]:
    """Labels needed (if any number helps), whether it is hopeless, and the advice in words."""
    units = "labelled pairs" if unit == "pair" else "labelled clusters"
    if alpha == 0:
        return None, True, ("alpha = 0 cannot be certified by any finite sample: choose alpha above 0",)
    needed = labels_needed(alpha, lowest.share)
    hopeless = lowest.share_above() >= float(alpha)
    said = []
    if hopeless:
        said.append(
            f"no number of {units} suffices for alpha = {float(alpha):g}: the lowest score already holds "
            f"{lowest.share:.3f} wrong ones (at least {lowest.share_above():.3f}, {CONFIDENCE:.0%} "
            "confidence); use a score that separates better, or randomised ties"
        )
    elif needed is None:
        said.append(
            f"more labels may not suffice: about {lowest.share:.3f} are wrong at the lowest score, not less "
            f"than alpha = {float(alpha):g}; use a score that separates better, or randomised ties"
        )
    else:
        said.append(
            f"about {needed} {units} in all (now {lowest.n}) would make alpha = {float(alpha):g} feasible"
        )
    if lowest.floor < 1:
        said.append(
            f"with these data no alpha below {float(lowest.floor):.4f} can be certified; alpha chosen after "
            "seeing this needs fresh data"
        )
    return (None if hopeless else needed), hopeless, tuple(said)
