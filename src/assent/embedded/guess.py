"""Which entry a phrase means that shares no word with any: the nearest by embedding, if it stands out."""

from __future__ import annotations

from collections.abc import Sequence

from assent.embedded.embedder import Embedder
from assent.vocabulary import Entry

NEAR = 0.45
"""Cosine below which a phrase means none of the entries."""
APART = 0.15
"""By how much the nearest entry must be nearer than the second."""


class Guess:
    """For ``assent.lift``: phrase and entries in, entry or None out."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    def __call__(self, phrase: str, entries: Sequence[Entry]) -> Entry | None:
        if not entries:
            return None
        first, *known = self._embedder.embed([phrase, *(entry.phrase for entry in entries)])
        near = sorted(((float(first @ vector), i) for i, vector in enumerate(known)), reverse=True)
        second = near[1][0] if len(near) > 1 else 0.0
        best, index = near[0]
        return entries[index] if best >= NEAR and best - second >= APART else None
