"""How alike words are in meaning, for phrases that share no word with any name of a vocabulary."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from assent.embedded.embedder import Embedder

KEPT = 20_000


class Guess:
    """For ``assent.lift``: two lists of words or phrases in, the cosines of their vectors out."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._vectors: dict[str, NDArray[np.float32]] = {}

    def __call__(self, first: Sequence[str], second: Sequence[str]) -> NDArray[np.float32]:
        left, right = self._stacked(first).astype(np.float64), self._stacked(second).astype(np.float64)
        return np.asarray(
            left @ right.T, dtype=np.float32
        )  # entries are multiples of 2**-20: exact in any order

    def _stacked(self, texts: Sequence[str]) -> NDArray[np.float32]:
        known = self._vectors
        new = [text for text in dict.fromkeys(texts) if text not in known]
        if len(known) + len(new) > KEPT:
            known = self._vectors = {}  # another thread keeps the one it holds
            new = list(dict.fromkeys(texts))
        if new:
            known.update(zip(new, self._embedder.embed(new), strict=True))
        return np.stack([known[text] for text in texts])
