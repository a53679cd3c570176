"""A translator whose best readings are put in order with ALIGN's help, by a weight that 'assent train' chose.

After fine-tuning the right formula is among the five best far more often than it is the first; local decisions fitted
on the same rows, which know nothing of the network, tell some of these apart.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path

from assent.embedded.align import Align
from assent.embedded.seq2seq import ByTag, Seq2Seq
from assent.embedded.translator import BEST, OMISSION, EmbeddedTranslator, Translation, omissions, source_of
from assent.errors import ModelError
from assent.lift import Lifted

FILE = "rerank.json"


class RerankedTranslator(EmbeddedTranslator):
    """As its base, in another order."""

    def __init__(self, model: Seq2Seq | ByTag, align: Align, weight: float) -> None:
        super().__init__(model)
        self._align, self._weight = align, weight

    def n_best(self, instructions: Sequence[Lifted], n: int = BEST) -> list[list[Translation]]:
        found = super().n_best(instructions, max(n, BEST))
        return [
            sorted(some, key=lambda t, at=lifted: -merit(at, t, self._align, self._weight))[:n]  # type: ignore[misc]
            for lifted, some in zip(instructions, found, strict=True)
        ]


def merit(lifted: Lifted, translation: Translation, align: Align, weight: float) -> float:
    """Log-probability of a reading with ALIGN's opinion of it, less what it leaves out."""
    own = translation.log_p - OMISSION * omissions(lifted, translation.tokens)
    return own + weight * local(lifted, translation, align) if weight else own


def local(lifted: Lifted, translation: Translation, align: Align) -> float:
    """ALIGN's log-probability of all choices of the formula."""
    return math.fsum(math.fsum(some) for some in align.score(source_of(lifted), translation.tokens).values())


def read_weight(folder: Path) -> float:
    """ALIGN's weight in a folder of weights; 0 where there is none."""
    path = folder / FILE
    if not path.exists():
        return 0.0
    try:
        weight = float(json.loads(path.read_text(encoding="utf-8"))["align"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelError(f"{path} cannot be read: {error}") from error
    if not 0 <= weight <= 10:
        raise ModelError(f"{path}: a weight between 0 and 10 is wanted, not {weight}")
    return weight
