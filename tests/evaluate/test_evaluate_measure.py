"""Numbers of a report against slow and plain computations of the same."""

from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from assent.calibrate import Threshold, cluster_crc, crc, resplit
from assent.calibrate.recipe import Recipe
from assent.calibrate.rules import gate_rule
from assent.evaluate import compliance, drift, measure, report
from assent.evaluate.labels import load
from assent.evaluate.measure import MeasureSettings
from assent.policy.decide import withheld
from assent.policy.labelled import Labelled
from assent.policy.make import PolicyPlan, make_policy
from assent.records import Accepted
from recordings import embed, recording, write

SETTINGS = MeasureSettings(resplits=12, bootstrap=60, alphas=(0.05, 0.1, 0.2, 0.3))


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
    away = np.array([withheld(row.evidence, delta=None) is not None for row in part.rows])
    assert away.any()
    pairs, means, accepted = [], [], []
    for calibration, test in zip(splits.calibration, splits.test, strict=True):
        s, z, c, kept = scores[calibration], wrong[calibration], clusters[calibration], away[calibration]
        if method == "split":  # what is kept back is right or wrong beyond every score
            right = np.sort(np.where(kept, np.inf, s)[~z])
            rank = math.ceil((len(right) + 1) * (1 - Fraction(str(alpha))))
            limit = right[rank - 1] if rank <= len(right) else np.inf
            yes = scores[test] <= limit
        else:
            rule = (
                cluster_crc(s, z, c, alpha=alpha, deferred=kept)
                if unit == "cluster"
                else crc(s, z, alpha=alpha, deferred=kept)
            )
            yes = np.array([rule.accepts(float(x)) for x in scores[test]])
        yes &= ~away[test]
        bad = yes & wrong[test]
        pairs.append(float(bad.mean()))
        members = [clusters[test] == k for k in set(clusters[test].tolist())]
        means.append(float(np.mean([bad[here].mean() for here in members])))
        shares = [yes[here].mean() for here in members] if unit == "cluster" else yes
        accepted.append(float(np.mean(shares)))
    return pairs, means, accepted


def error_of(part: Labelled, unit: str) -> float:
    """The error rate of a plain count, by pair or by cluster."""
    clusters: dict[str | None, list[bool]] = {}
    for row in part.rows:
        clusters.setdefault(row.cluster if unit == "cluster" else row.id, []).append(row.label.wrong)
    return float(np.mean([np.mean(members) for members in clusters.values()]))


def test_compliance_is_what_a_plain_loop_finds(data: Labelled) -> None:
    rows = compliance.compliance(data, SETTINGS)
    assert len(rows) == 2 * 4 * 2 * 2  # tiers, alphas, methods, units
    for row in rows:
        part = data.where(lambda r, row=row: r.tier == row.group)  # type: ignore[misc]
        pairs, means, accepted = plainly(part, row.unit, row.method, row.alpha)
        mine, other = (means, pairs) if row.unit == "cluster" else (pairs, means)
        assert row.risk == pytest.approx(np.mean(mine))
        assert row.risk_other_weighting == pytest.approx(np.mean(other))
        assert row.se == pytest.approx(np.std(mine, ddof=1) / np.sqrt(len(mine)))
        assert row.acceptance == pytest.approx(np.mean(accepted))
        assert row.exceedances == sum(value > row.alpha + 1e-12 for value in mine)
        assert row.no_selection == pytest.approx(error_of(part, row.unit))


def test_tables_made_from_compliance_agree_with_it(data: Labelled) -> None:
    rows = compliance.compliance(data, SETTINGS)
    for line in compliance.ledger(rows):
        (source,) = [
            r
            for r in rows
            if r.method == "crc" and (r.group, r.alpha, r.unit) == (line.group, line.alpha, line.unit)
        ]
        p = error_of(data.where(lambda r, line=line: r.tier == line.group), line.unit)  # type: ignore[misc]
        assert line.acceptance == source.acceptance
        assert line.oracle == pytest.approx(min(1, 1 - p + line.alpha))
        assert line.uninformative == pytest.approx(min(1, line.alpha / p))
    for line in compliance.executed(rows):
        for method in ("crc", "split"):
            (source,) = [
                r
                for r in rows
                if r.method == method and (r.group, r.alpha, r.unit) == (line.group, line.alpha, line.unit)
            ]
            expected = None if source.mark == "abst." else pytest.approx(150 * source.risk)
            assert getattr(line, method) == expected
    assert len(compliance.exceedances(rows)) == 2 * 2 * 2


def test_floors_are_those_of_the_rules(data: Labelled) -> None:
    for row in measure.floors(data, SETTINGS):
        part = data if row.group == "all" else data.where(lambda r, row=row: r.tier == row.group)  # type: ignore[misc]
        scores, clusters = part.scores(row.channel), part.clusters
        assert clusters is not None and row.n == len(set(clusters.tolist()))
        open_rows = np.array([withheld(row.evidence, delta=None) is None for row in part.rows])
        lowest = open_rows & (scores == scores[open_rows].min()) & part.wrong
        mean = sum(lowest[clusters == k].mean() for k in set(clusters.tolist()))
        assert row.floor == pytest.approx((mean + 1) / (len(set(clusters.tolist())) + 1))
        rule = cluster_crc(scores, part.wrong, clusters, alpha=row.floor + 1e-6, deferred=~open_rows)
        assert isinstance(rule, Threshold)


def test_ranking_and_its_interval(data: Labelled) -> None:
    for row in measure.auroc(data, SETTINGS):
        part = data if row.group == "all" else data.where(lambda r, row=row: r.tier == row.group)  # type: ignore[misc]
        scores = part.scores(row.channel)
        bad, good = scores[part.wrong][:, None], scores[~part.wrong][None]
        assert row.value == pytest.approx(float(((bad > good) + (bad == good) / 2).mean()))
        assert row.uninformative == (row.low <= 0.5 <= row.high)


def test_labels_of_one_kind_have_no_ranking(tmp_path: Path) -> None:
    for error in (0.0, 1.0):
        data = load(write(tmp_path / "one.jsonl", recording(40, error=error)))
        assert {row.value for row in measure.auroc(data, SETTINGS)} == {None}
        cells = [row for row in compliance.compliance(data, SETTINGS) if row.method == "crc"]
        assert cells and all(not row.over_three_se for row in cells)


def test_gate_p_values_without_shift_are_valid(data: Labelled) -> None:
    rows, p_values = drift.drift(data, MeasureSettings(resplits=60, bootstrap=10), embed)
    for level in (0.05, 0.1, 0.25, 0.5, 0.9):
        assert np.mean(p_values <= level) <= level + 0.04
    assert np.mean(p_values <= 0.5) > 0.35  # not merely large
    assert {(row.calibrated_on, row.tested_on, row.gated) for row in rows} == {
        (home, away, gated) for home in ("D2", "D3") for away in ("D2", "D3") for gated in (False, True)
    }
    for row in rows:
        twin = next(
            r for r in rows
            if (r.calibrated_on, r.tested_on, r.gated) == (row.calibrated_on, row.tested_on, False)
        )  # fmt: skip
        assert row.risk <= twin.risk
        assert row.gated or row.deferred == 0


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

    rows, _ = drift.drift(data, MeasureSettings(resplits=8), apart)
    found = {(r.calibrated_on, r.tested_on): r for r in rows if r.gated}
    assert found["D2", "D3"].deferred == 1 and found["D2", "D3"].risk == 0
    assert found["D2", "D2"].deferred < 0.2


def test_thinning_takes_whole_clusters_without_looking_at_their_size(data: Labelled) -> None:
    thin = measure.thinned(data, 80, seed=5)
    kept = {row.cluster for row in thin.rows}
    assert {row.id for row in thin.rows} == {row.id for row in data.rows if row.cluster in kept}
    assert len(kept) == len({row.cluster for row in data.rows}) // 2
    assert measure.thinned(data, 160, seed=5) is data


def test_parts_without_a_promise_are_what_a_plain_loop_finds(tmp_path: Path) -> None:
    rows = recording(160, seed=7)
    for i, row in enumerate(rows):
        row["register"] = "formal" if i % 3 else "casual"
    data = load(write(tmp_path / "r.jsonl", rows))
    made = compliance.unpromised(data, SETTINGS)
    assert {(row.kind, row.part) for row in made} == {
        ("register", "casual"), ("register", "formal"),
        ("tier of the reference", "D2"), ("tier of the reference", "D3"),
    }  # fmt: skip
    clusters = data.clusters
    assert clusters is not None
    splits = resplit.draw_clusters(clusters, resplits=SETTINGS.resplits, seed=SETTINGS.seed)
    scores = data.scores("fusion")
    away = np.array([withheld(row.evidence, delta=None) is not None for row in data.rows])
    candidate_tiers = np.array([row.evidence.tier for row in data.rows])
    for row in made:
        tested = accepted = bad = 0
        for calibration, test in zip(splits.calibration, splits.test, strict=True):
            for i in np.flatnonzero(test):
                here = data.rows[i]
                name = here.evidence.instruction.extra["register"] if row.kind == "register" else here.tier
                if name != row.part:
                    continue
                tested += 1
                home = (candidate_tiers == here.evidence.tier) & calibration
                rule = cluster_crc(
                    scores[home], data.wrong[home], clusters[home], alpha=row.alpha, deferred=away[home]
                )
                if rule.accepts(float(scores[i])) and not away[i]:
                    accepted += 1
                    bad += bool(data.wrong[i])
        assert (row.risk, row.acceptance) == pytest.approx((bad / tested, accepted / tested))
        assert row.above == (row.risk > row.alpha)


def test_rows_without_a_translation_are_abstentions_and_are_not_ranked(tmp_path: Path) -> None:
    rows = recording(120, seed=3)
    whole = load(write(tmp_path / "whole.jsonl", rows))
    failed = [
        {"id": f"f{i}", "logic": "ltl", "text": f"failed {i}", "reference": "G (a -> F b)", "group": "D2",
         "cluster": f"D2-f{i}", "system": "a recorded model", "failure": "no answer"}
        for i in range(40)
    ]  # fmt: skip
    data = load(write(tmp_path / "failed.jsonl", rows + failed))
    made = report.make(data, SETTINGS, draw=False)
    without = report.make(whole, SETTINGS, draw=False)
    assert made.numbers.auroc == without.numbers.auroc
    assert made.about.rows_without_translation == 40 and made.about.withheld["failed"] == 40
    (d2,) = [row for row in made.numbers.overview if row.group == "D2"]
    assert (d2.rows, d2.failed) == (100, 40)
    cells = {(r.group, r.alpha, r.unit): r for r in made.numbers.compliance if r.method == "crc"}
    assert all(cells["D2", alpha, "pair"].acceptance <= 0.75 for alpha in SETTINGS.alphas)
    unchanged = [r for r in without.numbers.compliance if r.group == "D3"]
    assert unchanged == [r for r in made.numbers.compliance if r.group == "D3"]


def test_compliance_counts_as_a_policy_does(tmp_path: Path) -> None:
    """A rule from all rows of a tier: what the policy accepts is what the tables' rule accepts, row by row."""
    data = load(write(tmp_path / "p.jsonl", recording(200, seed=11)))
    policy = make_policy(data, PolicyPlan(recipe=Recipe(alpha=0.2), channel="fusion"))
    away = data.away(SETTINGS.delta)
    assert away.any() and not away.all()
    groups = np.array([row.evidence.tier for row in data.rows])
    assert data.clusters is not None
    for group in sorted(set(groups)):
        at = groups == group
        rule = measure.make_rule(data.scores("fusion")[at], data.wrong[at], data.clusters[at], away[at], 0.2)
        for position in np.flatnonzero(at):
            row = data.rows[position]
            ours = rule.accepts(row.scores["fusion"]) and not away[position]
            assert ours == isinstance(policy.decide(row.evidence), Accepted)
