"""Sentences to unit vectors for the gate: wordllama's static vectors, offline, thousands of sentences a second.

Embeddings serve the gate (is this like what was calibrated on?) and name what shares no word with a vocabulary; they
judge nothing: no sentence embedding can tell whether two sentences mean the same.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray


class Embedder:
    """Mean of static word-piece vectors, normalised."""

    @cached_property
    def name(self) -> str:
        """For fingerprints: stored vectors fit only the very vectors they were made with."""
        probe = self.embed(["whenever the door is open, the alarm rings"]).round(4)
        return f"wordllama-256@{hashlib.sha256(probe.tobytes()).hexdigest()[:8]}"

    @cached_property
    def _model(self) -> Any:
        from pathlib import Path

        import wordllama
        from wordllama import WordLlama

        # Its own folder as cache: the weights are in the wheel, and nothing is asked of the network.
        return WordLlama.load(cache_dir=Path(wordllama.__file__).parent, disable_download=True)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row a text; an empty text is a unit vector too (it must be comparable)."""
        rows = np.asarray(self._model.embed([text or " " for text in texts]), dtype=np.float32)
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        empty = np.zeros_like(rows)
        empty[:, 0] = 1.0
        return np.where(lengths > 1e-9, rows / np.maximum(lengths, 1e-9), empty).astype(np.float32)
