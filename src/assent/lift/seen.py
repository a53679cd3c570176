"""What the features of the linker share: which word matches which entry, how surely, and in which clause it stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from assent.lift.entries import Known, affirms, bare, denies, match, weights
from assent.lift.figures import Word
from assent.lift.stems import ABBREVIATIONS, SYNONYMS, root, stem
from assent.samebits import FINE, dense

Floats = NDArray[np.float32]


class WordVectors(Protocol):
    """What words and phrases mean, as far as their vectors tell."""

    def __call__(self, first: Sequence[str], second: Sequence[str]) -> Floats:
        """How alike each of the first is in meaning to each of the second, -1 to 1."""
        ...

    def vectors(self, texts: Sequence[str]) -> Floats:
        """One unit vector a text."""
        ...


class Senses:
    """How people's words for something and its name in a vocabulary lie near each other, learnt from marked sentences.

    Two matrices turn vectors of words: ``said`` those of an instruction, ``named`` those of an entry. "Blaring" and
    "alarm sounding" are near each other here, where plain vectors are not. What comes out has the same bits everywhere.
    """

    def __init__(self, said: Floats, named: Floats) -> None:
        self.said, self.named = said, named

    def likeness(self, guess: WordVectors, first: Sequence[str], second: Sequence[str]) -> Floats:
        """As ``guess``, of words of an instruction to phrases of entries."""
        left = _turned(guess.vectors(first), self.said)
        right = _turned(guess.vectors(second), self.named)
        return np.asarray(left @ right.T, dtype=np.float32)


_ROUGH = 2.0**16  # squares of 256 numbers below 8, in steps of 1/_ROUGH, add up exactly


def _turned(vectors: Floats, matrix: Floats) -> NDArray[np.float64]:
    """The vectors in the learnt space, of length one, in multiples of 1/FINE."""
    turned = np.rint(dense(vectors, matrix, np.zeros(len(matrix))) * _ROUGH)
    lengths = np.sqrt((turned * turned).sum(axis=1, keepdims=True))
    return np.asarray(np.rint(turned / np.maximum(lengths, 1.0) * FINE) / FINE)


FEW = 256
"""So many entries are all weighed; of more, those that a clause may speak of."""
_EACH = 16
_ALIKE = 4
_MOST = 384


class Seen:
    """What the features share: which word matches which entry, how surely, and in which clause it stands."""

    def __init__(
        self,
        words: Sequence[Word],
        at: Sequence[int],
        knowns: Sequence[Known],
        segment_of: Mapping[int, Sequence[int]],
        rarity: Mapping[str, float],
    ) -> None:
        self.words, self.at, self.knowns, self.segment_of = words, at, knowns, segment_of
        self.rarity = rarity
        found = [[match(words[i].text, k) for k in knowns] for i in at]
        self.stems = [[s for _, s in row] for row in found]
        self.matched = np.array([[level for level, _ in row] for row in found], dtype=np.float32)
        self.weighed = np.array(
            [[level * self.rarity.get(s, 0.0) for level, s in row] for row in found], dtype=np.float32
        )
        self.said = np.array(
            [[float(affirms(words[i].text, k)) for k in knowns] for i in at], dtype=np.float32
        )
        self.unsaid = np.array(
            [[float(denies(words[i].text, k)) for k in knowns] for i in at], dtype=np.float32
        )
        self.wide = _wide(words, at)

    def empty(self, width: int) -> Floats:
        return np.zeros((len(self.at), len(self.knowns), width), dtype=np.float32)


def shortlist(
    words: Sequence[Word],
    clauses: Sequence[Sequence[int]],
    knowns: tuple[Known, ...],
    guess: WordVectors | None,
) -> tuple[Known, ...]:
    """The entries worth weighing: all of a usual vocabulary; of a large one the best of each clause, in its order.

    Best are those that share most with the words of the clause, and those most alike in meaning to one of its words.
    """
    if len(knowns) <= FEW:
        return knowns
    index, rarity = _index(knowns), weights(knowns)
    best: dict[int, float] = {}
    for clause in clauses:
        shared: dict[int, float] = {}
        for i in clause:
            for e in sorted({e for key in _keys(words[i].text) for e in index.get(key, ())}):
                level, s = match(words[i].text, knowns[e])
                if level:
                    shared[e] = shared.get(e, 0.0) + level * rarity[s]
        for e, score in sorted(shared.items(), key=lambda item: (-item[1], item[0]))[:_EACH]:
            best[e] = max(best.get(e, 0.0), score)
    if guess is not None:
        texts = sorted({words[i].text for clause in clauses for i in clause if words[i].text.isalpha()})
        likeness = guess(texts, [known.phrase for known in knowns])
        for row in likeness:
            for e in np.argsort(-row, kind="stable")[:_ALIKE]:
                best.setdefault(int(e), 0.0)
    kept = sorted(best, key=lambda e: (-best[e], e))[:_MOST]
    return tuple(knowns[e] for e in sorted(kept))


@lru_cache(maxsize=8)
def _index(knowns: tuple[Known, ...]) -> dict[str, tuple[int, ...]]:
    """Key of a word -> the entries that have a word with this key."""
    found: dict[str, list[int]] = {}
    for e, known in enumerate(knowns):
        own = {key for word in known.words for key in _keys(word)} | known.stems
        for key in own:
            found.setdefault(key, []).append(e)
    return {key: tuple(there) for key, there in found.items()}


@lru_cache(maxsize=4096)
def _keys(text: str) -> frozenset[str]:
    """Whatever two words of one family have in common (see ``match``): stem, root, first and last four letters."""
    stems = {stem(text), stem(SYNONYMS.get(text, text)), bare(text), root(text)}
    stems |= {short for short, long in ABBREVIATIONS.items() if text.startswith(long)}
    ends = {part for s in stems if len(s) >= 4 for part in (f"{s[:4]}-", f"-{s[-4:]}")}
    return frozenset(stems | ends)


_STRONG_BREAKS = frozenset(
    "if then until till unless while when whenever once before after so ; : . ? !".split()
)


def _wide(words: Sequence[Word], at: Sequence[int]) -> list[int]:
    """For each word the number of its part, where lists ("the pump, the fan and the belt") are one part."""
    parts, part = {}, 0
    for i, word in enumerate(words):
        part += word.text in _STRONG_BREAKS
        parts[i] = part
    return [parts[i] for i in at]
