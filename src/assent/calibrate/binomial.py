"""Binomial tails: exact integers for moderate n, log-space sums that err on the safe side beyond."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

import numpy as np

EXACT_LIMIT = 2000
BLOCK = 4096
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
    """The terms in their order, outwards from the mode, each from the one before, a block at a time."""
    if not len(terms):
        return 0.0
    total, term = 0.0, math.exp(log_term(terms[0], n, p))
    odds = p / (1 - p)
    for start in range(0, len(terms), BLOCK):
        k = np.arange(
            terms[start], terms[min(start + BLOCK, len(terms)) - 1] + terms.step, terms.step, dtype=np.float64
        )
        steps = (n - k) / (k + 1) * odds if terms.step > 0 else k / (n - k + 1) / odds
        here = term * np.cumprod(np.r_[1.0, steps])
        total += float(here[:-1].sum())
        term = float(here[-1])
        # The terms fall from the mode outwards, so what follows is negligible once one is.
        if term < total * 1e-18:
            break
    return total


def log_term(k: int, n: int, p: float) -> float:
    """ln P(Bin(n, p) = k) without the loss of digits of large factorials: Stirling's errors and two deviances."""
    if k == 0:
        return n * math.log1p(-p)
    if k == n:
        return n * math.log(p)
    errors = _stirling(n) - _stirling(k) - _stirling(n - k)
    apart = _deviance(k, n * p) + _deviance(n - k, n * (1 - p))
    return errors - apart + 0.5 * math.log(n / (2 * math.pi * k * (n - k)))


def _stirling(n: int) -> float:
    """ln n! less Stirling's formula; the series is exact to the last digit from 16 on."""
    if n < 16:
        return math.log(math.factorial(n)) - 0.5 * math.log(2 * math.pi * n) - n * math.log(n) + n
    square = float(n) * n
    return (1 / 12 - (1 / 360 - (1 / 1260 - 1 / 1680 / square) / square) / square) / n


def _deviance(x: float, mean: float) -> float:
    """x ln(x/mean) + mean - x; by its series where x is close to the mean."""
    if abs(x - mean) > 0.1 * (x + mean):
        return x * math.log(x / mean) + mean - x
    v = (x - mean) / (x + mean)
    total, power, j = (x - mean) * v, 2 * x * v, 1
    while True:
        power *= v * v
        added = total + power / (2 * j + 1)
        if added == total:
            return added
        total, j = added, j + 1


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


@lru_cache(maxsize=65536)
def upper_bound(k: int, n: int, delta: float) -> float:
    """Clopper-Pearson: the smallest rate that k wrong of n exclude from above, with confidence 1 - delta."""
    if k >= n:
        return 1.0
    return _bisect(lambda p: cdf(k, n, p) > delta)


@lru_cache(maxsize=65536)
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
