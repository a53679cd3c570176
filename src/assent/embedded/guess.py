"""How alike two words are in meaning, for phrases that share no word with any name of a vocabulary."""

from __future__ import annotations

from functools import lru_cache

from assent.embedded.embedder import Embedder


class Guess:
    """For ``assent.lift``: two words in, the cosine of their vectors out."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._like = lru_cache(maxsize=20_000)(self._cosine)

    def __call__(self, first: str, second: str) -> float:
        return self._like(first, second)

    def _cosine(self, first: str, second: str) -> float:
        a, b = self._embedder.embed([first, second])
        return float(a @ b)
