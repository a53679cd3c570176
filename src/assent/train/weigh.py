"""How much ALIGN is heard when the best readings are put in order: chosen on the rows that stop the training."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from assent.embedded.align import Align
from assent.embedded.rerank import local, merit
from assent.embedded.translator import EmbeddedTranslator
from assent.train.measure import same
from assent.train.rows import Labelled

WEIGHTS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.7)
FEWEST = 10
"""Rows with right and wrong readings among their best; with fewer, ALIGN is not heard."""


def choose_weight(translator: EmbeddedTranslator, align: Align, rows: Sequence[Labelled]) -> float:
    """The weight under which the right readings are the most probable among the best; 0 if none helps."""
    likelihoods = []
    for row, found in zip(rows, translator.n_best([row.lifted for row in rows]), strict=True):
        right = [same(reading.formula, row.reference) for reading in found]
        if all(right) or not any(right):
            continue
        own = np.array([merit(row.lifted, reading, align, 0.0) for reading in found])
        said = np.array([local(row.lifted, reading, align) for reading in found])
        scores = own[None] + np.array(WEIGHTS)[:, None] * said[None]
        likelihoods.append(
            np.logaddexp.reduce(scores[:, right], axis=1) - np.logaddexp.reduce(scores, axis=1)
        )
    if len(likelihoods) < FEWEST:
        return 0.0
    return WEIGHTS[int(np.mean(likelihoods, axis=0).argmax())]
