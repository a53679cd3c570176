"""Ablation: cosine between the embeddings of the instruction and of the back-translation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assent.errors import ModelError

if TYPE_CHECKING:
    from assent.prompting import EmbedderRole

NAME = "embedding"


def score(embedder: EmbedderRole, text: str, english: str) -> float:
    """(1 - cosine)/2, so that opposite vectors are 1 and equal ones 0."""
    import numpy as np

    a, b = np.asarray(embedder.embed([text, english]), dtype=np.float64)
    norm = float(np.sqrt(a @ a) * np.sqrt(b @ b))
    if not np.isfinite(norm) or norm == 0.0:
        raise ModelError(f"the embedder {embedder.name} gave a vector without direction")
    return min(1.0, max(0.0, (1.0 - float(a @ b) / norm) / 2.0))
