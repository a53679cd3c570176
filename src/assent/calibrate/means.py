"""High probability over clusters by all of their members: domains, documents, projects as clusters.

A cluster's loss is the share of its members that are accepted and wrong, a number between 0 and 1 and no coin flip, so
the binomial test does not apply. The bound of Hoeffding and Bentkus does, for independent clusters.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import numpy.typing as npt
from msgspec import structs

from assent.calibrate import binomial, exact
from assent.calibrate.control import Labels, finish, largest_by_search, lowest_means, sample
from assent.calibrate.exact import Level
from assent.calibrate.rules import Infeasible, Rule
from assent.calibrate.selective import fewest_labels

E_ABOVE = Fraction(2718281829, 10**9)
"""A little more than e."""


def cluster_high_probability(
    scores: npt.ArrayLike,
    losses: npt.ArrayLike,
    clusters: Labels,
    *,
    alpha: Level,
    delta: Level,
    deferred: npt.ArrayLike | None = None,
    ties: npt.ArrayLike | None = None,
) -> Rule:
    """The largest threshold whose sum of cluster means is too low for a mean above alpha.

    Promise: with probability 1 - delta over the calibration draw, the expected share of a new cluster's members that
    are accepted and wrong is at most alpha, if clusters are independent draws. The share rises with the threshold, so
    no correction over thresholds is needed. At least ln(delta)/ln(1 - alpha) clusters are needed.
    """
    data = sample(scores, losses, clusters=clusters, deferred=deferred, ties=ties)
    level, error = exact.level(alpha), exact.level(delta, "delta")
    bad = np.flatnonzero(data.bad)
    order = bad[np.argsort(data.keys[bad], kind="stable")]
    allowed = sum_allowed(data.count, level, error)
    top = largest_by_search(data, data.keys[order], data.sizes_of(order), allowed)
    lowest = lowest_means(data)
    made = finish(
        data,
        top,
        lowest,
        alpha,
        kind="cluster_high_probability",
        unit="cluster",
        floor=_floor(lowest.wrong, data.count, error),
        delta=float(error),
    )
    return _advised(made, error) if isinstance(made, Infeasible) else made


def _advised(made: Infeasible, delta: Fraction) -> Infeasible:
    least = fewest_labels(Fraction(str(made.alpha)), delta)
    said = (
        f"a test at alpha = {made.alpha:g}, delta = {float(delta):g} needs at least {least} clusters without any error "
        f"(now {made.clusters})"
        if least is not None
        else "alpha = 0 cannot be certified by any finite sample"
    )
    return structs.replace(made, labels=least, advice=(said,))


def sum_allowed(count: int, alpha: Fraction, delta: Fraction) -> Fraction:
    """The largest sum of ``count`` means in [0, 1] that refutes "the mean is above alpha" at level delta; -1 if none.

    Bentkus: e P(Bin(J, alpha) <= ceil(sum)) <= delta. Hoeffding: exp(-J h(sum/J, alpha)) <= delta with
    h(a, b) = a ln(a/b) + (1 - a) ln((1 - a)/(1 - b)). Either bound may refute; the p-value is the smaller one.
    """
    if count < 1 or not 0 < alpha < 1 or not 0 < delta < 1:
        return Fraction(-1)
    by_count = Fraction(binomial.largest_count(count, alpha, delta / E_ABOVE))
    return max(by_count, _by_entropy(count, float(alpha), float(delta)))


def _by_entropy(count: int, alpha: float, delta: float) -> Fraction:
    need = -math.log(delta) + 1e-12

    def refutes(share: float) -> bool:
        return count * _entropy(share, alpha) >= need

    if not refutes(0.0):
        return Fraction(-1)
    low, high = 0.0, alpha
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if refutes(middle) else (low, middle)
    return Fraction(max(0.0, low * count - 1e-9))


def _entropy(a: float, b: float) -> float:
    return (a * math.log(a / b) if a > 0 else 0.0) + (1 - a) * math.log((1 - a) / (1 - b))


def _floor(wrong: Fraction, count: int, delta: Fraction) -> Fraction:
    """The smallest alpha, to a thousandth, at which the lowest region passes; 1 if none."""
    low, high = 0, 1000
    while high - low > 1:
        middle = (low + high) // 2
        passes = sum_allowed(count, Fraction(middle, 1000), delta) >= wrong
        low, high = (low, middle) if passes else (middle, high)
    return Fraction(high, 1000)
