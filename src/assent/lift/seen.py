"""What the features of the linker share: which word matches which entry, how surely, and in which clause it stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from assent.lift.entries import Known, affirms, denies, match, weights
from assent.lift.figures import Word

Floats = NDArray[np.float32]


class Seen:
    """What the features share: which word matches which entry, how surely, and in which clause it stands."""

    def __init__(
        self,
        words: Sequence[Word],
        at: Sequence[int],
        knowns: Sequence[Known],
        segment_of: Mapping[int, Sequence[int]],
    ) -> None:
        self.words, self.at, self.knowns, self.segment_of = words, at, knowns, segment_of
        self.rarity = weights(knowns)
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
