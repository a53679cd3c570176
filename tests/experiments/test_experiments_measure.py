"""Numbers of a report against slow and plain computations of the same."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from assent.calibrate import Threshold, cluster_crc, crc, resplit, split
from assent.calibrate.pvalue import gate_rule
from assent.evaluate import drift, measure
from assent.evaluate.labels import load
from assent.evaluate.measure import Settings
from assent.policy.labelled import Labelled
from recordings import embed, recording, write

SETTINGS = Settings(resplits=12, bootstrap=60, alphas=(0.05, 0.1, 0.2, 0.3))


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Labelled:
    return load(write(tmp_path_factory.mktemp("data") / "a.jsonl", recording(160, seed=1)))


def plainly(
    part: Labelled, unit: str, method: str, alpha: float
) -> tuple[list[float], list[float], list[float]]:
    """Risk by pair, risk by cluster and acceptance in the unit's weighting of every resplit, one rule at a time."""
    scores, wrong, clusters = part.scores("fusion"), part.wrong, part.clusters
    assert clusters is not None
    if unit == "cluster":
        splits = resplit.draw_clusters(clusters, resplits=SETTINGS.resplits, seed=SETTINGS.seed)
    else:
        splits = resplit.draw_pairs(len(part), resplits=SETTINGS.resplits, seed=SETTINGS.seed)
    pairs, means, accepted = [], [], []
    for calibration, test in zip(splits.calibration, splits.test, strict=True):
        s, z, c = scores[calibration], wrong[calibration], clusters[calibration]
        if method == "split":
            rule = split(s, z, alpha=alpha)
        else:
            rule = cluster_crc(s, z, c, alpha=alpha) if unit == "cluster" else crc(s, z, alpha=alpha)
        yes = np.array([rule.accepts(float(x)) for x in scores[test]])
        bad = yes & wrong[test]
        pairs.append(float(bad.mean()))
        members = [clusters[test] == k for k in set(clusters[test].tolist())]
        means.append(float(np.mean([bad[here].mean() for here in members])))
        shares = [yes[here].mean() for here in members] if unit == "cluster" else yes
        accepted.append(float(np.mean(shares)))
    return pairs, means, accepted


def test_compliance_is_what_a_plain_loop_finds(data: Labelled) -> None:
    rows = measure.compliance(data, SETTINGS)
    assert len(rows) == 2 * 4 * 2 * 2  # tiers, alphas, methods, units
    for row in rows:
        part = data.where(lambda r, row=row: r.tier == row["group"])  # type: ignore[misc]
        pairs, means, accepted = plainly(part, str(row["unit"]), str(row["method"]), float(row["alpha"] or 0))
        mine, other = (means, pairs) if row["unit"] == "cluster" else (pairs, means)
        assert row["risk"] == pytest.approx(np.mean(mine))
        assert row["risk_other_weighting"] == pytest.approx(np.mean(other))
        assert row["se"] == pytest.approx(np.std(mine, ddof=1) / np.sqrt(len(mine)))
        assert row["acceptance"] == pytest.approx(np.mean(accepted))
        assert row["exceedances"] == sum(value > float(row["alpha"] or 0) + 1e-12 for value in mine)
        assert row["no_selection"] == pytest.approx(part.wrong.mean())


def test_tables_made_from_compliance_agree_with_it(data: Labelled) -> None:
    rows = measure.compliance(data, SETTINGS)
    for line in measure.ledger(rows, data):
        (source,) = [
            r
            for r in rows
            if r["method"] == "crc" and all(r[k] == line[k] for k in ("group", "alpha", "unit"))
        ]
        p = float(data.where(lambda r, line=line: r.tier == line["group"]).wrong.mean())  # type: ignore[misc]
        assert line["acceptance"] == source["acceptance"]
        assert line["oracle"] == pytest.approx(min(1, 1 - p + float(line["alpha"] or 0)))
        assert line["uninformative"] == pytest.approx(min(1, float(line["alpha"] or 0) / p))
    for line in measure.executed(rows):
        for method in ("crc", "split"):
            (source,) = [
                r
                for r in rows
                if r["method"] == method and all(r[k] == line[k] for k in ("group", "alpha", "unit"))
            ]
            expected = None if source["mark"] == "abst." else pytest.approx(150 * float(source["risk"] or 0))
            assert line[method] == expected
    assert len(measure.exceedances(rows)) == 2 * 2 * 2


def test_floors_are_those_of_the_rules(data: Labelled) -> None:
    for row in measure.floors(data):
        part = data if row["group"] == "all" else data.where(lambda r, row=row: r.tier == row["group"])  # type: ignore[misc]
        scores, clusters = part.scores(str(row["channel"])), part.clusters
        assert clusters is not None and row["n"] == len(set(clusters.tolist()))
        lowest = (scores == scores.min()) & part.wrong
        mean = sum(lowest[clusters == k].mean() for k in set(clusters.tolist()))
        assert row["floor"] == pytest.approx((mean + 1) / (len(set(clusters.tolist())) + 1))
        rule = cluster_crc(scores, part.wrong, clusters, alpha=float(row["floor"] or 0) + 1e-6)
        assert isinstance(rule, Threshold)


def test_ranking_and_its_interval(data: Labelled) -> None:
    for row in measure.auroc(data, SETTINGS):
        part = data if row["group"] == "all" else data.where(lambda r, row=row: r.tier == row["group"])  # type: ignore[misc]
        scores = part.scores(str(row["channel"]))
        bad, good = scores[part.wrong][:, None], scores[~part.wrong][None]
        assert row["value"] == pytest.approx(float(((bad > good) + (bad == good) / 2).mean()))
        assert row["uninformative"] == (row["low"] <= 0.5 <= row["high"])  # type: ignore[operator]


def test_labels_of_one_kind_have_no_ranking(tmp_path: Path) -> None:
    for error in (0.0, 1.0):
        data = load(write(tmp_path / "one.jsonl", recording(40, error=error)))
        assert {row["value"] for row in measure.auroc(data, SETTINGS)} == {None}
        cells = [row for row in measure.compliance(data, SETTINGS) if row["method"] == "crc"]
        assert cells and all(not row["over_three_se"] for row in cells)


def test_gate_p_values_without_shift_are_valid(data: Labelled) -> None:
    rows, p_values = drift.drift(data, Settings(resplits=60, bootstrap=10), embed)
    for level in (0.05, 0.1, 0.25, 0.5, 0.9):
        assert np.mean(p_values <= level) <= level + 0.04
    assert np.mean(p_values <= 0.5) > 0.35  # not merely large
    assert {(row["calibrated_on"], row["tested_on"], row["gated"]) for row in rows} == {
        (home, away, gated) for home in ("D2", "D3") for away in ("D2", "D3") for gated in (False, True)
    }
    for row in rows:
        twin = next(
            r for r in rows
            if (r["calibrated_on"], r["tested_on"], r["gated"]) == (row["calibrated_on"], row["tested_on"], False)
        )  # fmt: skip
        assert float(row["risk"] or 0) <= float(twin["risk"] or 0)
        assert row["gated"] or row["deferred"] == 0


def test_gate_p_values_are_those_of_the_gate() -> None:
    rng = np.random.default_rng(3)
    known, unit, test = np.round(rng.random(60), 2), rng.integers(0, 25, 60), np.round(rng.random(40), 2)
    rule = gate_rule(known, delta=0.05, clusters=unit)
    assert drift.p_values(test, known, unit) == pytest.approx([float(rule.p_value(d)) for d in test])


def test_a_shift_that_the_gate_can_see_is_deferred(tmp_path: Path) -> None:
    data = load(write(tmp_path / "big.jsonl", recording(240, clusters=None)))
    tiers = {row.text: row.tier for row in data.rows}

    def apart(texts: list[str]) -> np.ndarray:
        return np.array(
            [embed([t])[0] + 40 * np.eye(16)[int(tiers[t] == "D3")] for t in texts], dtype=np.float32
        )

    rows, _ = drift.drift(data, Settings(resplits=8), apart)
    found = {(r["calibrated_on"], r["tested_on"]): r for r in rows if r["gated"]}
    assert found["D2", "D3"]["deferred"] == 1 and found["D2", "D3"]["risk"] == 0
    assert float(found["D2", "D2"]["deferred"] or 0) < 0.2


def test_thinning_takes_whole_clusters_without_looking_at_their_size(data: Labelled) -> None:
    thin = measure.thinned(data, 80, seed=5)
    kept = {row.cluster for row in thin.rows}
    assert {row.id for row in thin.rows} == {row.id for row in data.rows if row.cluster in kept}
    assert len(kept) == len({row.cluster for row in data.rows}) // 2
    assert measure.thinned(data, 160, seed=5) is data
