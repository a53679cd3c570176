"""The linker's second look: a small network that reads the whole sentence, and weighs each word against each entry.

Every word is its vector, what is learnt about it where it is a common one, and what the first look found; four
convolutions and a mean carry what stands around it. Each word that may name something is then compared with each entry
in eight learnt ways. What comes out goes, beside the features of ``features`` and ``context``, into three small
networks: which entry, none, and whether the words say the entry or its opposite.

The arithmetic is that of ``samebits``: the same bits on every machine. ``training/train_linker.py`` makes the weights.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from assent.lift.seen import Floats, WordVectors
from assent.samebits import GRID, Array, dense, shares

HEADS = 8
"""Learnt ways to compare a word with an entry."""
REACHES = (1, 2, 4, 1)
"""How far the convolutions look to each side, one after the other."""
POOLED = 1
"""After this convolution the mean of the sentence is added."""
NUMERAL = "#"
"""What stands for every number."""
STEPS = 4096.0
"""What is summed are multiples of 1/STEPS, so that no order changes a bit."""
VECTORS = 3.0
"""Unit vectors are small beside the learnt ones."""


class Told(NamedTuple):
    """What the reader says of one word and one entry: the probabilities of the link, and of the entry's opposite."""

    link: float
    denial: float


@dataclass(frozen=True, slots=True)
class Look:
    """For each word that may name something: the probability of each entry and of none, and of each entry's denial."""

    chances: Floats
    denied: Floats


_NOTHING = np.zeros(1)


class SentenceReader:
    """The stored network; ``weights`` by name, without the prefix of the file."""

    def __init__(self, weights: Mapping[str, Floats], common: Sequence[str]) -> None:
        self._weights = {name: np.asarray(value, np.float64) for name, value in weights.items()}
        self._common = {word: n + 1 for n, word in enumerate(common)}

    def look(
        self,
        texts: Sequence[str],
        at: Sequence[int],
        phrases: Sequence[str],
        first: Floats,
        features: tuple[Floats, Floats],
        guess: WordVectors,
    ) -> Look:
        """Words ``at`` of ``texts`` against the entries called ``phrases``; ``first``: chances of the first look.

        ``features`` of pairs and of words, those of the context included.
        """
        pairs, alone = features
        named = guess.vectors(phrases).astype(np.float64)
        rows = self._read(texts, at, named, first, guess)[list(at)]
        heads = self._compared(rows, named)
        beside = np.maximum(self._dense(rows, "own"), 0)
        both = np.concatenate([pairs, heads], axis=2)
        scores = self._small(both, "pair")[:, :, 0]
        none = self._small(np.concatenate([alone, beside], axis=1), "alone")
        chances = shares(np.rint(np.concatenate([scores, none], axis=1) * GRID))
        wide = np.broadcast_to(beside[:, None], (*heads.shape[:2], beside.shape[1]))
        against = np.rint(self._small(np.concatenate([both, wide], axis=2), "sign")[:, :, 0] * GRID)
        sides = shares(np.stack([against.ravel(), np.zeros(against.size)], axis=1))
        denied = (sides[:, 0] / sides.sum(axis=1)).reshape(against.shape)
        return Look(
            np.asarray(chances / chances.sum(axis=1, keepdims=True), np.float32),
            np.asarray(denied, np.float32),
        )

    def _read(
        self, texts: Sequence[str], at: Sequence[int], named: Array, first: Floats, guess: WordVectors
    ) -> Array:
        """One row a word: the word and what stands around it."""
        w = self._weights
        rough = np.rint(np.asarray(first, np.float64) * STEPS) / STEPS
        told = np.zeros((len(texts), 5))
        meant = np.zeros((len(texts), named.shape[1]))
        told[:, 0] = [text == NUMERAL for text in texts]
        ordered = np.sort(rough[:, :-1], axis=1)
        told[list(at), 1], told[list(at), 2], told[list(at), 3] = 1.0, rough[:, -1], ordered[:, -1]
        told[list(at), 4] = ordered[:, -2] if ordered.shape[1] > 1 else 0.0
        meant[list(at)] = rough[:, :-1] @ named
        common = [self._common.get(text, 0) for text in texts]
        x = self._dense(guess.vectors(texts).astype(np.float64) * VECTORS, "word") + w["common"][common]
        x = x + self._dense(told, "told") + self._dense(meant * VECTORS, "meant")
        for n, reach in enumerate(REACHES):
            around = np.pad(x, ((reach, reach), (0, 0)))
            seen = np.concatenate([around[: len(x)], x, around[2 * reach :]], axis=1)
            x = x + self._dense(np.maximum(self._dense(seen, f"around_{n}"), 0), f"out_{n}")
            if n == POOLED:
                mean = np.rint(x * STEPS).sum(axis=0, keepdims=True) / STEPS / len(x)
                x = x + self._dense(np.maximum(mean, 0), "mean")
        return x

    def _compared(self, rows: Array, named: Array) -> Array:
        """Words x entries x ways: products of a word's row and an entry's vector, each turned."""
        ours = np.rint(self._dense(rows, "ours") * STEPS) / STEPS
        theirs = np.rint(self._dense(named * VECTORS, "theirs") * STEPS) / STEPS
        left = ours.reshape(len(ours), 1, HEADS, -1)
        right = theirs.reshape(1, len(theirs), HEADS, -1)
        return np.asarray((left * right).sum(axis=3))

    def _small(self, x: Array, name: str) -> Array:
        """Two layers."""
        return self._dense(np.maximum(self._dense(x, f"{name}_0"), 0), f"{name}_2")

    def _dense(self, x: Array, name: str) -> Array:
        return dense(x, self._weights[f"{name}_weight"], self._weights.get(f"{name}_bias", _NOTHING))
