"""How much the second model is heard when readings are put in order, chosen on rows not trained on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from assent.embedded.opinions import CONSIDERED, Weights, opinions
from assent.embedded.seq2seq import ByTag, Seq2Seq
from assent.embedded.translator import EmbeddedTranslator
from assent_train.measure import same
from assent_train.rows import LabelledPair

SECOND_WEIGHTS = (0.0, 0.3, 0.5, 0.7, 1.0)
SHARPNESS = (0.25, 0.35, 0.5, 0.7, 1.0)
"""A fine-tuned network is surer than it should be: weights are compared at the best of these."""
FEWEST = 40
"""Rows with right and wrong readings among their best; fewer are too few to choose by (ten chose weights that lost a
tenth of what was read right)."""


def choose_weights(
    translator: EmbeddedTranslator,
    second: Seq2Seq | ByTag,
    rows: Sequence[LabelledPair],
    *,
    otherwise: Weights,
) -> Weights:
    """The weights under which the right readings are the most probable among the best; ``otherwise`` with few rows."""
    choices = [Weights(weight) for weight in SECOND_WEIGHTS]
    likelihoods = []
    for row, found in zip(rows, translator.n_best([row.lifted for row in rows], CONSIDERED), strict=True):
        right = [same(reading.formula, row.reference) for reading in found]
        if all(right) or not any(right):
            continue
        said = opinions(second, row.lifted, found)
        merits = np.array([weights.merits(said) for weights in choices])
        scores = merits[:, None] * np.array(SHARPNESS)[None, :, None]
        likelihoods.append(
            np.logaddexp.reduce(scores[..., right], axis=-1) - np.logaddexp.reduce(scores, axis=-1)
        )
    if len(likelihoods) < FEWEST:
        return otherwise
    return choices[int(np.mean(likelihoods, axis=0).max(axis=-1).argmax())]
