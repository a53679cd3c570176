"""The rules on recorded translations: known figures re-obtained, the promise kept, the shortcut caught."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from assent.calibrate.metrics import auroc
from assent.calibrate.resplit import cells, draw_clusters, draw_pairs, resplit
from assent.evaluate.labels import load
from assent.policy.labelled import Labelled

SEED = 20240
ALPHAS = ("0.05", "0.1", "0.15", "0.2", "0.25", "0.3")
KNOWN = {
    "D2": {"self_consistency": 0.704, "back_translation": 0.848, "fusion": 0.861},
    "D3": {"self_consistency": 0.543, "back_translation": 0.619, "fusion": 0.633},
    "D4": {"self_consistency": 0.608, "back_translation": 0.618, "fusion": 0.662},
}


@pytest.fixture(scope="module")
def recorded(shared: Path) -> Labelled:
    return load(shared / "recorded" / "llm_ltl.jsonl", level="canonical")


@pytest.mark.parametrize("tier", KNOWN)
def test_auroc_of_the_channels(recorded: Labelled, tier: str) -> None:
    here = recorded.where(lambda row: row.tier == tier)
    for channel, value in KNOWN[tier].items():
        assert auroc(here.scores(channel), here.wrong) == pytest.approx(value, abs=0.015)


@pytest.mark.parametrize("tier", KNOWN)
def test_cluster_rule_keeps_alpha_on_new_clusters(recorded: Labelled, tier: str) -> None:
    here = recorded.where(lambda row: row.tier == tier)
    splits = draw_clusters(here.clusters, resplits=100, seed=SEED)
    made = resplit(
        here.scores("fusion"), here.wrong, splits, alphas=ALPHAS, unit="cluster", clusters=here.clusters
    )
    for cell in cells(made, made.crc, weighting="cluster"):
        assert cell.risk <= cell.alpha + 3 * cell.se


def test_pair_rule_keeps_alpha_on_new_pairs_but_not_on_new_clusters(recorded: Labelled) -> None:
    here = recorded.where(lambda row: row.tier == "D2")
    scores, clusters = here.scores("fusion"), here.clusters
    by_pair = resplit(
        scores, here.wrong, draw_pairs(len(here), resplits=600, seed=SEED), alphas=ALPHAS, unit="pair"
    )
    for cell in cells(by_pair, by_pair.crc, weighting="pair"):
        assert cell.risk <= cell.alpha + 3 * cell.se
    splits = draw_clusters(clusters, resplits=600, seed=SEED)
    pooled = resplit(scores, here.wrong, splits, alphas=("0.1",), unit="pair", clusters=clusters)
    assert np.mean(pooled.crc.risk) == pytest.approx(0.112, abs=0.015)
    assert np.mean(pooled.crc.cluster_risk) == pytest.approx(0.213, abs=0.015)
    proper = resplit(scores, here.wrong, splits, alphas=("0.1",), unit="cluster", clusters=clusters)
    assert np.mean(proper.crc.cluster_risk) == pytest.approx(0.081, abs=0.015)
    assert np.mean(proper.crc.risk) == pytest.approx(0.045, abs=0.015)
