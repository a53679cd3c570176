"""How alike two words are in meaning, for phrases that share no word with any name of a vocabulary."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from assent.embedded.embedder import Embedder


class Guess:
    """For ``assent.lift``: two words in, the cosine of their vectors out."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._vector = lru_cache(maxsize=5_000)(self._embed)

    def __call__(self, first: str, second: str) -> float:
        return float(self._vector(first) @ self._vector(second))

    def _embed(self, word: str) -> NDArray[np.float32]:
        vector: NDArray[np.float32] = self._embedder.embed([word])[0]
        return vector
