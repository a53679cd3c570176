"""Binomial tails: exact integers for moderate n, log-space sums that err on the safe side beyond."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

EXACT_LIMIT = 2000
SAFETY = 1e-9


def cdf(k: int, n: int, p: float) -> float:
    """P(Bin(n, p) <= k), summed in log space over the shorter tail."""
    if k < 0:
        return 0.0
    if k >= n or p <= 0:
        return 1.0
    if p >= 1:
        return 0.0
    if k <= n * p:
        return min(1.0, _tail_sum(range(k, -1, -1), n, p))
    return max(0.0, 1.0 - _tail_sum(range(k + 1, n + 1), n, p))


def _tail_sum(terms: range, n: int, p: float) -> float:
    total, log_p, log_q = 0.0, math.log(p), math.log1p(-p)
    top = math.lgamma(n + 1)
    for k in terms:
        term = math.exp(top - math.lgamma(k + 1) - math.lgamma(n - k + 1) + k * log_p + (n - k) * log_q)
        total += term
        # The terms fall from the mode outwards, so what follows is negligible once one is.
        if term < total * 1e-18:
            break
    return total


@lru_cache(maxsize=65536)
def largest_count(n: int, alpha: Fraction, delta: Fraction) -> int:
    """The largest k with BinCDF(k; n, alpha) <= delta, or -1 if there is none."""
    if delta >= 1:
        return n
    if alpha >= 1:
        return n - 1 if delta >= 0 else -1
    if alpha <= 0 or delta <= 0:
        return -1
    return (
        _largest_exact(n, alpha, delta) if n <= EXACT_LIMIT else _largest_log(n, float(alpha), float(delta))
    )


def _largest_exact(n: int, alpha: Fraction, delta: Fraction) -> int:
    a, b = alpha.numerator, alpha.denominator - alpha.numerator
    limit = delta.numerator * alpha.denominator**n // delta.denominator
    term, total, k = b**n, 0, 0
    while k <= n:
        total += term
        if total > limit:
            return k - 1
        term = term * (n - k) * a // ((k + 1) * b)
        k += 1
    return n


def _largest_log(n: int, alpha: float, delta: float) -> int:
    low, high = -1, n
    while high - low > 1:
        middle = (low + high) // 2
        if cdf(middle, n, alpha) * (1 + SAFETY) <= delta:
            low = middle
        else:
            high = middle
    return low


def passes(k: int, n: int, alpha: Fraction, delta: Fraction) -> bool:
    """BinCDF(k; n, alpha) <= delta: k wrong of n rejects "the error rate is above alpha" at level delta."""
    return k <= largest_count(n, alpha, delta)


def upper_bound(k: int, n: int, delta: float) -> float:
    """Clopper-Pearson: the smallest rate that k wrong of n exclude from above, with confidence 1 - delta."""
    if k >= n:
        return 1.0
    return _bisect(lambda p: cdf(k, n, p) > delta)


def lower_bound(k: int, n: int, delta: float) -> float:
    """Clopper-Pearson from below, with confidence 1 - delta."""
    if k <= 0:
        return 0.0
    return _bisect(lambda p: 1 - cdf(k - 1, n, p) < delta)


def _bisect(below: Callable[[float], bool]) -> float:
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if below(middle) else (low, middle)
    return high
