"""What a project means where English leaves it open, from few rows: weights for signs of formulas beside words.

A logistic model over the best readings of each row, its prior the shipped order, decided by folds of whole clusters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch

from assent.embedded.conventions import MOST, traits
from assent.embedded.opinions import CONSIDERED, RerankedTranslator
from assent_train.few import Adapted, chosen, dealt
from assent_train.measure import same
from assent_train.rows import LabelledPair

FOLDS = 5
SUPPORT = 3
"""Rows in which a trait tells readings apart; fewer teach nothing."""
SHARPNESS = 0.5
"""The order's merits as log-odds: the networks are surer than they should be."""
STRENGTHS = (1.0, 3.0, 10.0)
"""How strongly weights are held to zero; not to learn any is always among the choices."""
LEAST = 0.05
"""Smaller weights are left out: they say nothing, and a person reads the file."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """The best readings of one row: their merits as shipped, their traits, and which of them are right."""

    merits: npt.NDArray[np.float64]
    traits: tuple[frozenset[str], ...]
    right: tuple[bool, ...]

    def first(self, weights: Mapping[str, float]) -> bool:
        """Whether the reading that comes first is right."""
        said = [sum(weights.get(trait, 0.0) for trait in some & weights.keys()) for some in self.traits]
        return bool(self.right) and self.right[int(np.argmax(self.merits + np.array(said)))]


def ranked(translator: RerankedTranslator, rows: Sequence[LabelledPair]) -> list[Ranked]:
    """What rows have to teach, or to check."""
    return [
        Ranked(
            merits,
            tuple(traits(row.lifted, reading.formula) for reading in found),
            tuple(same(reading.formula, row.reference) for reading in found),
        )
        for row in rows
        for found, merits in translator.weighed([row.lifted])
    ]


def fitted(rows: Sequence[Ranked], strength: float) -> dict[str, float]:
    """The weights under which the right readings are the most probable, held to zero by ``strength``."""
    telling = [row for row in rows if any(row.right) and not all(row.right)]
    counts = Counter(trait for row in telling for trait in _apart(row.traits))
    names = sorted(trait for trait, count in counts.items() if count >= SUPPORT)
    names = sorted(names, key=lambda trait: -counts[trait])[:MOST]
    if not names:
        return {}
    scores, signs, right = _tensors(telling, names)
    weights = torch.zeros(len(names), dtype=torch.float64, requires_grad=True)
    optimiser = torch.optim.LBFGS([weights], max_iter=60, line_search_fn="strong_wolfe")

    def loss() -> torch.Tensor:
        optimiser.zero_grad()
        now = scores + signs @ weights
        kept = now.masked_fill(~right, -1e9)
        value = (now.logsumexp(1) - kept.logsumexp(1)).sum() + strength * weights.square().sum() / 2
        value.backward()
        return value

    optimiser.step(loss)
    learnt = zip(names, (weights.detach() / SHARPNESS).tolist(), strict=True)
    return {name: round(value, 2) for name, value in learnt if abs(value) >= LEAST}


def learn(rows: Sequence[Ranked], clusters: Sequence[str], seed: int) -> tuple[dict[str, float], Adapted]:
    """The weights that all rows teach, if folds show a clear gain; none otherwise."""
    before = [row.first({}) for row in rows]
    counts: dict[float, tuple[int, int]] = {}
    for strength in STRENGTHS:
        changes: list[int] = []
        for fold in dealt(clusters, FOLDS, seed):
            weights = fitted([row for k, row in enumerate(rows) if k not in fold], strength)
            changes += [int(rows[k].first(weights)) - int(before[k]) for k in fold]
        counts[strength] = changes.count(1), changes.count(-1)
    best = chosen(counts)
    won, lost = counts[best or max(counts, key=lambda s: counts[s][0] - counts[s][1])]
    return fitted(rows, best) if best else {}, Adapted(
        "conventions", float(best > 0), len(rows), won, lost, 0.0
    )


def _apart(found: Sequence[frozenset[str]]) -> frozenset[str]:
    """The traits that some readings have and others have not."""
    return frozenset().union(*found) - frozenset.intersection(*found)


def _tensors(rows: Sequence[Ranked], names: Sequence[str]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """For each row and reading its score, its traits and whether it is right; rows with fewer readings are filled."""
    where = {name: k for k, name in enumerate(names)}
    scores = np.full((len(rows), CONSIDERED), -1e6)
    signs = np.zeros((len(rows), CONSIDERED, len(names)))
    right = np.zeros((len(rows), CONSIDERED), dtype=bool)
    for n, row in enumerate(rows):
        scores[n, : len(row.merits)] = SHARPNESS * row.merits
        right[n, : len(row.right)] = row.right
        for k, some in enumerate(row.traits):
            signs[n, k, [where[trait] for trait in some if trait in where]] = 1.0
    return torch.from_numpy(scores), torch.from_numpy(signs), torch.from_numpy(right)
