"""Arithmetic with the same bits on every machine.

Only two kinds of steps are used: additions, multiplications, divisions, square roots and roundings of single numbers,
which IEEE 754 fixes to the last bit; and sums of whole numbers below 2**53, which are exact in any order, so that it
does not matter how a library cuts a matrix into pieces, in how many threads, with which instructions. The exponentials
and logarithms of the C library and of numpy's vector code are neither; here they are made from the first kind of steps.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float64]
Numbers: TypeAlias = NDArray[np.float64] | NDArray[np.float32]
WHOLE = float(2**53)
"""Whole numbers up to here are exact, and so are sums that never leave them."""
FINE = 2**20
"""Log-probabilities and scores are whole multiples of 1/FINE."""
GRID = 2.0**16
"""What goes into a product of matrices, and logits, are whole multiples of 1/GRID."""
SHARES = 2.0**40
"""Probabilities as whole numbers: so many make the most probable choice."""

_STEPS = 2.0**14
_LN2_HIGH = float.fromhex(
    "0x1.62e42fee00000p-1"
)  # its last 21 bits are zero: a multiple below 2**21 is exact
_LN2_LOW = float.fromhex("0x1.a39ef35793c76p-33")
_INVERSE_LN2 = float.fromhex("0x1.71547652b82fep+0")
_TURN_HIGH = float.fromhex("0x1.921fb54400000p+2")
_TURN_LOW = float.fromhex("0x1.0b4611a626331p-32")
_HALF_ROOT = 0.7071067811865476
_EXP = tuple(1.0 / math.factorial(n) for n in range(14, -1, -1))
_LOG = tuple(2.0 / n for n in range(23, 0, -2))
_SIN = tuple((-1.0) ** n / math.factorial(2 * n + 1) for n in range(14, -1, -1))
_COS = tuple((-1.0) ** n / math.factorial(2 * n) for n in range(14, -1, -1))


def _horner(x: Array, coefficients: Iterable[float]) -> Array:
    total = np.zeros_like(x)
    for coefficient in coefficients:
        total = total * x + coefficient
    return total


def exp(x: Array) -> Array:
    """e to the power of each number; 0 below -700, where nothing is left to count."""
    x = np.asarray(x, dtype=np.float64)
    tame = np.minimum(np.maximum(x, -700.0), 700.0)
    twos = np.rint(tame * _INVERSE_LN2)
    rest = (tame - twos * _LN2_HIGH) - twos * _LN2_LOW
    return np.where(x < -700.0, 0.0, np.ldexp(_horner(rest, _EXP), twos.astype(np.int32)))


def log(x: Array) -> Array:
    """The natural logarithm of each positive number."""
    mantissa, twos = np.frexp(np.asarray(x, dtype=np.float64))
    small = mantissa < _HALF_ROOT
    mantissa = np.where(small, mantissa * 2.0, mantissa)
    twos = np.where(small, twos - 1, twos).astype(np.float64)
    ratio = (mantissa - 1.0) / (mantissa + 1.0)
    series = ratio * _horner(ratio * ratio, _LOG)
    return np.asarray(twos * _LN2_HIGH + (twos * _LN2_LOW + series))


def cos_sin(angles: Array) -> tuple[Array, Array]:
    """Cosine and sine of each angle, in radians."""
    turns = np.rint(angles / (_TURN_HIGH + _TURN_LOW))
    rest = (angles - turns * _TURN_HIGH) - turns * _TURN_LOW
    square = rest * rest
    return _horner(square, _COS), rest * _horner(square, _SIN)


_LOW_BITS = 6
_HIGH = exp(-np.arange(0, 40 * 1024 + 1) / 1024.0)
_HIGH[-1] = 0.0
_LOW = exp(-np.arange(0, 1 << _LOW_BITS) / GRID)
_LAST = (len(_HIGH) - 1) << _LOW_BITS


def fading(steps: Array) -> Array:
    """exp(-steps / GRID) for whole numbers of steps >= 0; exactly 0 from 40 * GRID on."""
    index = np.minimum(steps, _LAST).astype(np.int32)
    faded: Array = _HIGH[index >> _LOW_BITS] * _LOW[index & ((1 << _LOW_BITS) - 1)]
    return faded


def shares(logits: Array) -> Array:
    """Whole numbers in proportion to the probabilities of choices, a row a decision; logits in units of 1/GRID."""
    return np.asarray(np.rint(fading(logits.max(axis=1, keepdims=True) - logits) * SHARES))


def log_shares(logits: Array) -> Array:
    """Log-probabilities of choices in units of 1/FINE, whole numbers, a row for each decision; logits as above."""
    best = logits.max(axis=1, keepdims=True)
    total = log(shares(logits).sum(axis=1, keepdims=True) / SHARES)
    return np.asarray(np.rint((logits - best) * (FINE / GRID) - np.rint(total * FINE)))


def dense(x: Numbers, weight: Numbers, bias: Numbers) -> Array:
    """``x @ weight.T + bias`` for numbers of a few thousand at most, taken as multiples of 1/16384."""
    left, right = (
        np.rint(np.asarray(x, np.float64) * _STEPS),
        np.rint(np.asarray(weight, np.float64) * _STEPS),
    )
    if left.size and float(np.abs(left).max()) * float(np.abs(right).max()) * right.shape[-1] >= WHOLE:
        raise OverflowError("numbers too large to be multiplied exactly")
    return np.asarray((left @ right.T) / _STEPS**2 + bias)


def exp_of(x: float) -> float:
    """``exp`` of one number."""
    return float(exp(np.asarray(x)))


def log_of(x: float) -> float:
    """``log`` of one number."""
    return float(log(np.asarray(x)))


def log1p_of(x: float) -> float:
    """The logarithm of 1 + x for x >= 0, good to 1/FINE and rounded to it."""
    return fine(log_of(1.0 + x))


def fine(x: float) -> float:
    """The nearest multiple of 1/FINE."""
    return round(x * FINE) / FINE


def nearest_mean(point: Numbers, rows: Numbers, count: int) -> float:
    """The mean distance of a point to the ``count`` nearest of some rows.

    Exact up to the square roots where all entries are multiples of one small step (2**-20, below 2): no order in which
    a machine adds and nothing else among the rows changes a bit of it.
    """
    apart = rows.astype(np.float64) - point.astype(np.float64)
    away = np.sqrt((apart * apart).sum(axis=1))
    return math.fsum(np.partition(away, count - 1)[:count]) / count
