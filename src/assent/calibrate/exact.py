"""Exact numbers behind every comparison, and how ties are broken.

A threshold is itself a calibration score, so ``S == tau`` happens; in floats ``1 - 0.8 != 0.2``. Scores are
therefore rounded to whole *ticks* (10**-9) and levels such as alpha are read as the decimal that was written.

Randomised ties compare (score, mark) in that order, where the mark is a keyed hash of the text. One mark a text, so a
retry cannot re-roll it; the key is drawn once when the policy is made and never searched. Marks lower the floor where
many candidates share the lowest score; the promise is that of the rule they refine.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Hashable, Iterable, Sequence
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from assent.errors import DataError, UsageError

SCALE = 10**9
Ticks = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
AT_ONCE = 1 << 16
"""Rows that are sorted at once where not all need to be."""
Level = float | int | str | Fraction | Decimal


def level(value: Level, name: str = "alpha") -> Fraction:
    """A probability as the decimal that was written: 0.1 is 1/10, not the float next to it."""
    if isinstance(value, bool):
        raise UsageError(f"{name} must be a number from 0 to 1, not {value!r}")
    try:
        exact = value if isinstance(value, Fraction) else Fraction(Decimal(str(value).strip()))
    except (InvalidOperation, ValueError, OverflowError) as error:
        raise UsageError(f"{name} must be a number from 0 to 1, not {value!r}") from error
    if not 0 <= exact <= 1:
        raise UsageError(f"{name} must be from 0 to 1, not {value}")
    return exact


def ticks(scores: npt.ArrayLike) -> Ticks:
    """Scores in [0, 1] as whole ticks; anything else is an error that names the position."""
    values = _floats(scores, "score")
    bad = ~((values >= 0) & (values <= 1))
    if bad.any():
        at = int(np.argmax(bad))
        raise DataError(f"score {values[at]} at position {at} is not in [0, 1]")
    whole = np.empty(len(values), dtype=np.int64)
    for start in range(0, len(values), AT_ONCE):
        here = slice(start, start + AT_ONCE)
        whole[here] = np.rint(values[here] * SCALE)
    return whole


def distinct(keys: Ticks) -> Ticks:
    """The different keys, rising."""
    ordered = np.sort(keys)
    return ordered[np.r_[True, ordered[1:] != ordered[:-1]]] if len(ordered) else ordered


def tick(score: float) -> int:
    """One score as ticks."""
    if not 0 <= score <= 1:
        raise DataError(f"score {score} is not in [0, 1]")
    return round(score * SCALE)


def flags(losses: npt.ArrayLike, n: int, name: str = "loss") -> Flags:
    """Losses (1 = wrong, 0 = right) as booleans, one for each of the n scores."""
    given = np.asarray(losses)
    if given.shape != (n,):
        raise DataError(
            f"{n} scores but {name}es of shape {given.shape}: one {name} for each score is needed"
        )
    if given.dtype == np.bool_:
        return given.astype(np.bool_)
    values = _floats(given, name)
    bad = (values != 0) & (values != 1)
    if bad.any():
        at = int(np.argmax(bad))
        raise DataError(f"{name} {given[at]!r} at position {at} is neither 0 (right) nor 1 (wrong)")
    return np.equal(values, 1)


def _floats(given: npt.ArrayLike, name: str) -> npt.NDArray[np.float64]:
    try:
        values = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(f"{name}s must be numbers: {error}") from error
    if values.ndim != 1:
        raise DataError(f"{name}s must be one row of numbers, not an array of shape {values.shape}")
    return values


def codes(labels: Sequence[Hashable] | npt.NDArray[Any], n: int) -> tuple[npt.NDArray[np.int64], int]:
    """Cluster labels of any kind as 0 .. J-1, and J."""
    if len(labels) != n:
        raise DataError(f"{n} scores but {len(labels)} clusters: one cluster for each score is needed")
    if isinstance(labels, np.ndarray) and labels.dtype.kind in "iub":
        return _whole_codes(labels.astype(np.int64, copy=False))
    known: dict[Hashable, int] = {}
    numbered = [known.setdefault(label, len(known)) for label in labels]
    return np.asarray(numbered, dtype=np.int64), len(known)


def _whole_codes(labels: npt.NDArray[Any]) -> tuple[npt.NDArray[np.int64], int]:
    """Whole-number labels: counted where they lie close together, sorted otherwise."""
    lowest, highest = (int(labels.min()), int(labels.max())) if len(labels) else (0, 0)
    if highest - lowest > 4 * len(labels):
        names, numbers = np.unique(labels, return_inverse=True)
        return numbers.astype(np.int64), len(names)
    shifted = labels - lowest if lowest else labels
    present = np.bincount(shifted) > 0 if len(labels) else np.zeros(0, dtype=np.bool_)
    if present.all() and labels.dtype == np.int64:
        return shifted, len(present)
    return (np.cumsum(present) - 1)[shifted], int(present.sum())


def firsts(numbers: npt.NDArray[Any], count: int) -> npt.NDArray[np.int64]:
    """Where each of the numbers 0 .. count - 1 stands first; -1 where it does not occur."""
    first = np.full(count, -1, dtype=np.int64)
    for start in range(0, len(numbers), AT_ONCE):
        here, at = np.unique(numbers[start : start + AT_ONCE], return_index=True)
        new = first[here] < 0
        first[here[new]] = start + at[new]
    return first


def renumbered(labels: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """Whole-number labels as 0 .. J-1 in the order in which they first occur."""
    numbers, count = _whole_codes(labels)
    order = np.argsort(firsts(numbers, count))
    if numbers.dtype == np.int64 and np.array_equal(order, np.arange(count)):
        return numbers
    rank = np.empty(count, dtype=np.int64)
    rank[order] = np.arange(count)
    return rank[numbers]


def harmonic(sizes: npt.NDArray[np.int64]) -> Fraction:
    """The exact sum of 1/size over the entries: what wrong members add to the sum of cluster means."""
    counts = np.bincount(sizes) if len(sizes) else np.zeros(1, dtype=np.int64)
    return sum((Fraction(int(counts[m]), int(m)) for m in np.flatnonzero(counts)), Fraction(0))


BITS = 32
MAX_TIE = (1 << BITS) - 1


def mark(secret: str, text: str) -> int:
    """The tie mark of a text under a policy's secret, uniform in 0 .. 2**32 - 1."""
    if not secret:
        raise UsageError("randomised ties need a non-empty secret in the policy")
    digest = hmac.new(secret.encode(), text.encode(), hashlib.sha256).digest()
    return int.from_bytes(digest[: BITS // 8], "big")


def marks(secret: str, texts: Iterable[str]) -> npt.NDArray[np.int64]:
    """``mark`` for many texts."""
    return np.fromiter((mark(secret, text) for text in texts), dtype=np.int64)


def join_one(ticks: int, tie: int) -> int:
    """(score, mark) as one whole number that orders like the pair."""
    return (ticks << BITS) | tie


def join(ticks: Ticks, ties: npt.ArrayLike) -> Ticks:
    """``join_one`` for arrays."""
    given = np.asarray(ties)
    if given.shape != ticks.shape or given.dtype.kind not in "iu":
        raise DataError("one whole-number tie mark for each score is needed")
    if len(given) and (given.min() < 0 or given.max() > MAX_TIE):
        raise DataError(f"tie marks must be from 0 to {MAX_TIE}")
    return (ticks << BITS) | given.astype(np.int64)
