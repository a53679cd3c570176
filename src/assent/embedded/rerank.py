"""A translator whose best readings are put in order with two more opinions, as far as labelled rows trust them.

The right formula is among the best readings far more often than it is the first. The second model and ALIGN's local
decisions tell some of these apart. The judge hears both again; it is fitted and calibrated on readings chosen so.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from assent.embedded.align import Align
from assent.embedded.seq2seq import ByTag, Seq2Seq
from assent.embedded.translator import (
    BEST,
    DEAREST,
    OMISSION,
    EmbeddedTranslator,
    Translation,
    omissions,
    source_of,
)
from assent.errors import ModelError
from assent.lift import Lifted
from assent.logic.canonical import canonical_key

FILE = "rerank.json"
CONSIDERED = 8
"""Readings that are put in order, whatever number is asked for."""


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each opinion counts against the translator's own."""

    second: float = 0.0
    align: float = 0.0
    grammar: float = 0.0

    def merits(self, opinions: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """From what ``Panel.opinions`` says of some readings: higher is better."""
        own, left_out, second, local, cost = opinions
        both = (own + self.second * second) / (1 + self.second)
        return np.asarray(both - left_out + self.align * local - self.grammar * cost)


@dataclass(frozen=True, slots=True)
class Panel:
    """Who is asked beside the translator."""

    second: Seq2Seq
    align: Align

    def opinions(
        self, lifted: Lifted, found: Sequence[Translation], costs: Mapping[str, float]
    ) -> npt.NDArray[np.float64]:
        """For each reading: its log-probability, what its omissions cost, what the second model and ALIGN say, and
        what it costs the grammar (``costs`` by canonical key)."""
        source = source_of(lifted)
        own = [reading.log_p for reading in found]
        left_out = [OMISSION * omissions(lifted, reading.tokens) for reading in found]
        second = [
            math.fsum(some)
            for some in self.second.score([source] * len(found), [reading.tokens for reading in found])
        ]
        local = [
            math.fsum(math.fsum(some) for some in self.align.score(source, reading.tokens).values())
            for reading in found
        ]
        parsed = [min(DEAREST, costs.get(canonical_key(reading.formula), DEAREST)) for reading in found]
        return np.array((own, left_out, second, local, parsed), dtype=np.float64)


class RerankedTranslator(EmbeddedTranslator):
    """As its base, in another order."""

    def __init__(
        self, model: Seq2Seq | ByTag, panel: Panel, weights: Weights, *, grammar: bool = True
    ) -> None:
        super().__init__(model, grammar=grammar)
        self._panel, self._weights = panel, weights

    def n_best(self, instructions: Sequence[Lifted], n: int = BEST) -> list[list[Translation]]:
        answers = []
        for lifted, found in zip(instructions, super().n_best(instructions, max(n, CONSIDERED)), strict=True):
            merits = (
                self._weights.merits(self._panel.opinions(lifted, found, self.costs(lifted)))
                if found
                else np.zeros(0)
            )
            order = np.argsort(-merits, kind="stable")[:n]
            if n > 1 and found and 0 not in order:
                order[-1] = (
                    0  # overruled, the translator's own favourite stays a rival that the judge must see
                )
            answers.append([found[i] for i in order])
        return answers


def read_weights(folder: Path, stored: bytes | None = None) -> Weights:
    """The weights in a folder of models; none of the opinions is heard where there are none.

    ``stored``: what is in the file, where that has been read already.
    """
    path = folder / FILE
    if stored is None and not path.exists():
        return Weights()
    try:
        content = json.loads(path.read_bytes() if stored is None else stored)
        weights = Weights(
            **{
                name: float(content[name] if name != "grammar" else content.get(name, 0.0))
                for name in asdict(Weights())
            }
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelError(f"{path} cannot be read: {error}") from error
    if not all(0 <= value <= 10 for value in asdict(weights).values()):
        raise ModelError(f"{path}: weights between 0 and 10 are wanted, not {content}")
    return weights
