"""Sentences to unit vectors for the gate: wordllama's static vectors, offline, thousands of sentences a second.

Embeddings serve the gate (is this like what was calibrated on?) and name what shares no word with a vocabulary; they
judge nothing: no sentence embedding can tell whether two sentences mean the same.

The vectors and their tokenizer are read from wordllama's files; its own code (and what that imports) is not run. The
vectors are stored in half precision, so their sums are exact; what comes out has the same bits on every machine.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import struct
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from assent.errors import ModelError
from assent.samebits import FINE

if TYPE_CHECKING:
    from tokenizers import Tokenizer


WEIGHTS = "weights/l2_supercat_256.safetensors"
STEPS = 2.0**18  # a mean is a multiple of 1/STEPS: the squares of 256 entries below 8 add up exactly
TOKENIZER = "tokenizers/l2_supercat_tokenizer_config.json"


class Embedder:
    """Mean of static word-piece vectors, normalised."""

    @cached_property
    def name(self) -> str:
        """For fingerprints: stored vectors fit only the very vectors they were made with."""
        probe = self.embed(["whenever the door is open, the alarm rings"])
        return f"wordllama-256@{hashlib.sha256(probe.tobytes()).hexdigest()[:8]}"

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        from tokenizers import Tokenizer

        return Tokenizer.from_file(str(_folder() / TOKENIZER))

    @cached_property
    def _table(self) -> NDArray[np.float16]:
        return _read_table(_folder() / WEIGHTS)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row a text, in multiples of 1/FINE; an empty text is a unit vector too (it must be comparable)."""
        means = np.zeros((len(texts), self._table.shape[1]))
        for row, text in enumerate(texts):
            pieces = self._tokenizer.encode(text or " ", add_special_tokens=False).ids
            if pieces:
                vectors = self._table[np.minimum(pieces, len(self._table) - 1)].astype(np.float64)
                means[row] = np.rint(vectors.sum(axis=0) / len(pieces) * STEPS)
        lengths = np.sqrt((means * means).sum(axis=1, keepdims=True))
        empty = lengths[:, 0] == 0.0
        means[empty, 0] = lengths[empty] = 1.0
        return np.asarray(np.rint(means / lengths * FINE) / FINE, dtype=np.float32)


def _folder() -> Path:
    """Where wordllama is installed. ModelError if it is not."""
    found = importlib.util.find_spec("wordllama")
    if found is None or found.origin is None:
        raise ModelError("wordllama, whose word vectors the gate uses, is not installed")
    return Path(found.origin).parent


def _read_table(path: Path) -> NDArray[np.float16]:
    """The one matrix of half-precision numbers in a safetensors file, mapped rather than read."""
    try:
        with path.open("rb") as file:
            (length,) = struct.unpack("<Q", file.read(8))
            header = json.loads(file.read(length))
        entry = header["embedding.weight"]
        if entry["dtype"] != "F16":
            raise ValueError(f"numbers of kind {entry['dtype']}")
        offset = 8 + length + int(entry["data_offsets"][0])
        return np.memmap(path, np.dtype("<f2"), "r", offset, tuple(entry["shape"]))
    except (OSError, ValueError, KeyError, TypeError, struct.error) as error:
        raise ModelError(f"the word vectors in {path} cannot be read: {error}") from error


KEPT = 20_000


class Guess:
    """For ``assent.lift``: two lists of words or phrases in, the cosines of their vectors out; or the vectors."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._vectors: dict[str, NDArray[np.float32]] = {}

    def __call__(self, first: Sequence[str], second: Sequence[str]) -> NDArray[np.float32]:
        left, right = self.vectors(first).astype(np.float64), self.vectors(second).astype(np.float64)
        return np.asarray(
            left @ right.T, dtype=np.float32
        )  # entries are multiples of 2**-20: exact in any order

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One unit vector a text."""
        known = self._vectors
        new = [text for text in dict.fromkeys(texts) if text not in known]
        if len(known) + len(new) > KEPT:
            known = self._vectors = {}  # another thread keeps the one it holds
            new = list(dict.fromkeys(texts))
        if new:
            known.update(zip(new, self._embedder.embed(new), strict=True))
        return np.stack([known[text] for text in texts])
