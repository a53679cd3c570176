"""Scores against the paper's fusion: everything tried, with intervals, beside the size baseline."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from assent.calibrate import metrics
from assent.calibrate.fusion import fit_logistic, fuse
from assent.evaluate.labels import SIZE
from assent.logic.ast import size
from assent.policy.labelled import Labelled, LabelledRow
from assent.scoring import BACK_TRANSLATION, FUSION, SELF_CONSISTENCY

SEED = 20260101


def operators(row: LabelledRow) -> int:
    """How many operators the candidate has; -1 where it cannot be read."""
    return -1 if row.evidence.formula is None else size(row.evidence.formula)


def ranked(values: np.ndarray) -> np.ndarray:
    """Ranks in [0, 1], ties averaged."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    middle = (ends - counts + ends - 1) / 2
    return np.asarray(middle[inverse] / max(1, len(values) - 1))


def candidates(data: Labelled) -> dict[str, np.ndarray]:
    """Channels and combinations, none of them fitted on these rows."""
    found = {name: data.scores(name) for name in data.channels}
    mixes = {
        "fusion + size (ranks)": (FUSION, SIZE),
        "default + fusion (ranks)": ("default", FUSION),
        "default + size (ranks)": ("default", SIZE),
        "default + fusion + size (ranks)": ("default", FUSION, SIZE),
        "default + back-translation (ranks)": ("default", BACK_TRANSLATION),
        "default + self-consistency (ranks)": ("default", SELF_CONSISTENCY),
        "default + witnesses (ranks)": ("default", "witnesses"),
        "default + witnesses + size (ranks)": ("default", "witnesses", SIZE),
    }
    for name, parts in mixes.items():
        if all(part in found for part in parts):
            found[name] = np.mean([ranked(found[part]) for part in parts], axis=0)
    return found


@dataclass(frozen=True)
class ScoreRow:
    """One score: how it ranks, and how much better than the paper's fusion."""

    score: str
    auroc: Annotated[float, "AUROC"]
    low: float
    high: float
    within_equal_size: float | None
    over_fusion: float | None = None
    margin_low: float | None = None
    margin_high: float | None = None


def compare(data: Labelled) -> list[ScoreRow]:
    """AUROC with cluster bootstrap, margin over the fusion, and AUROC within equal tier and size."""
    strata = [f"{row.tier}/{operators(row)}" for row in data.rows]
    found = candidates(data)
    base = found.get(FUSION)
    out: list[ScoreRow] = []
    for name, values in found.items():
        interval = metrics.bootstrap_auroc(values, data.wrong, clusters=data.clusters, seed=SEED, draws=400)
        if interval is None:
            continue
        within = metrics.auroc_within(values, data.wrong, strata)
        row = ScoreRow(name, interval.value, interval.low, interval.high, within)
        if base is not None and name != FUSION:
            margin = metrics.bootstrap_difference(
                values, base, data.wrong, clusters=data.clusters, seed=SEED, draws=400
            )
            if margin is not None:
                row = replace(row, over_fusion=margin.value, margin_low=margin.low, margin_high=margin.high)
        out.append(row)
    return out


def learnt(data: Labelled, folds: int = 5) -> list[ScoreRow]:
    """With a user's labels: a logistic fusion fitted on other clusters, cross-fitted, against the same parts unfitted."""
    parts = [
        name
        for name in ("default", FUSION, BACK_TRANSLATION, SELF_CONSISTENCY, SIZE)
        if name in data.channels
    ]
    if "default" not in parts or data.clusters is None:
        return []
    rng = np.random.default_rng(SEED)
    fold = rng.permutation(int(data.clusters.max()) + 1)[data.clusters] % folds
    values = {name: data.scores(name) for name in parts}
    fused = np.zeros(len(data))
    for k in range(folds):
        train, held = fold != k, fold == k
        rule = fit_logistic({n: v[train] for n, v in values.items()}, data.wrong[train])
        fused[held] = fuse(rule, {n: v[held] for n, v in values.items()})
    interval = metrics.bootstrap_auroc(fused, data.wrong, clusters=data.clusters, seed=SEED, draws=400)
    strata = [f"{row.tier}/{operators(row)}" for row in data.rows]
    if interval is None:
        return []
    name = f"logistic fusion of {', '.join(parts)}, fitted on other clusters"
    within = metrics.auroc_within(fused, data.wrong, strata)
    return [ScoreRow(name, interval.value, interval.low, interval.high, within)]
