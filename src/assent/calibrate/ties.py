"""Randomised ties: compare (score, mark) in that order, where the mark is a keyed hash of the text.

One mark a text, so a retry cannot re-roll it; the key is drawn once when the policy is made and never
searched. Marks lower the floor where many candidates share the lowest score; the promise is that of the
rule they refine.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from assent.calibrate.exact import Ticks
from assent.errors import DataError, UsageError

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
    return np.array([mark(secret, text) for text in texts], dtype=np.int64)


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
