"""The recorded language model: known figures found again, promises kept, at a seed fixed beforehand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from assent.calibrate import metrics, resplit
from assent.evaluate import compliance, drift, measure, typology
from assent.evaluate.labels import load
from assent.evaluate.measure import MeasureSettings
from assent.evaluate.rows import Compliance
from assent.policy.labelled import Labelled

SETTINGS = MeasureSettings(seed=20260101)
KNOWN = {  # error, clusters, largest cluster, AUROC of self-consistency, back-translation, fusion; canonical labels
    "D2": (0.200, 84, 104, 0.704, 0.848, 0.861),
    "D3": (0.129, 153, 35, 0.543, 0.619, 0.633),
    "D4": (0.149, 280, 11, 0.608, 0.618, 0.662),
}


@pytest.fixture(scope="module")
def data(shared: Path) -> Labelled:
    return load(shared / "recorded" / "llm_ltl.jsonl", level="canonical")


@pytest.fixture(scope="module")
def cells(data: Labelled) -> tuple[Compliance, ...]:
    return compliance.compliance(data, SETTINGS)


@pytest.mark.parametrize("tier", KNOWN)
def test_known_figures_are_found_again(data: Labelled, tier: str) -> None:
    error, clusters, largest, *known = KNOWN[tier]
    (row,) = [row for row in measure.overview(data, SETTINGS) if row.group == tier]
    assert row.error == pytest.approx(error, abs=0.006)
    assert (row.clusters, row.largest) == (clusters, largest)
    part = data.where(lambda r: r.tier == tier)
    for channel, value in zip(("self_consistency", "back_translation", "fusion"), known, strict=True):
        assert metrics.auroc(part.scores(channel), part.wrong) == pytest.approx(value, abs=0.015), channel


def test_the_rule_keeps_its_promise_and_the_baseline_does_not(cells: tuple[Compliance, ...]) -> None:
    for unit in ("cluster", "pair"):
        mine = [row for row in cells if row.unit == unit and row.method == "crc"]
        assert len(mine) == 18
        assert not [row for row in mine if row.mark != "abst." and row.over_three_se]
        assert sum(row.mark == "✗" for row in mine) <= 3
        other = [row for row in cells if row.unit == unit and row.method == "split"]
        assert sum(bool(row.over_three_se) for row in other) >= 3


def test_a_rule_over_pairs_breaks_on_new_clusters_and_the_cluster_rule_does_not(data: Labelled) -> None:
    """Whole clusters apart, tier D2: what each rule leaves, in both weightings."""
    part = data.where(lambda row: row.tier == "D2")
    clusters = part.clusters
    assert clusters is not None
    splits = resplit.draw_clusters(clusters, resplits=300, seed=SETTINGS.seed)
    known = {
        "pair": ((0.054, 0.112, 0.217), (0.090, 0.213, 0.374)),
        "cluster": ((0.018, 0.045, 0.093), (0.036, 0.081, 0.185)),
    }
    for unit, (by_pair, by_cluster) in known.items():
        made = resplit.resplit(
            part.scores("fusion"),
            part.wrong,
            splits,
            alphas=(0.05, 0.1, 0.2),
            unit=unit,
            clusters=clusters,  # type: ignore[arg-type]
        )
        assert made.crc.risk.mean(axis=0) == pytest.approx(by_pair, abs=0.02)
        assert made.crc.cluster_risk.mean(axis=0) == pytest.approx(by_cluster, abs=0.025)


def test_exact_labels_forgive_what_canonical_ones_cannot_see(data: Labelled) -> None:
    exact = replace(data, level="exact")
    assert 0 < int((data.wrong & ~exact.wrong).sum()) < 40
    assert not (exact.wrong & ~data.wrong).any()
    (row,) = [row for row in typology.labels(data) if row.group == "all"]
    assert row.labels_that_differ == int((data.wrong != exact.wrong).sum())


def test_errors_are_unanimous(data: Labelled) -> None:
    for row in measure.complementarity(data):
        assert 0.03 < row.inconsistent < 0.10
        assert row.error_if_inconsistent > row.error_if_consistent
        assert row.unanimous_errors > 0


@pytest.mark.slow
def test_the_gate_between_tiers_is_valid_on_its_own_tier(data: Labelled) -> None:
    pytest.importorskip("wordllama", reason="wordllama is not installed")
    from assent.config.build import embedded_embed

    rows, p_values = drift.drift(data, MeasureSettings(seed=SETTINGS.seed, resplits=30), embedded_embed())
    for level in (0.05, 0.1, 0.5):
        assert np.mean(p_values <= level) <= level + 0.03
    for row in rows:
        if row.calibrated_on == row.tested_on:
            assert row.risk <= 0.10 + 3 * row.se


@pytest.mark.parametrize("system", ["gpt3_ft", "davinci_fewshot"])
@pytest.mark.slow
def test_systems_by_the_agreement_of_the_others(shared: Path, system: str) -> None:
    data = load(shared / "recorded" / "lang2ltl_systems.jsonl", system=system)
    assert "self_consistency" in data.channels and "fusion" not in data.channels
    rows = compliance.compliance(data, MeasureSettings(seed=SETTINGS.seed, channel="self_consistency"))
    mine = [row for row in rows if row.method == "crc" and row.unit == "cluster"]
    assert mine and not [row for row in mine if row.mark != "abst." and row.over_three_se]
