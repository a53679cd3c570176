"""Promises that were once too wide: doubts and the conditional rule, delta over groups, error among the accepted,
rows without their cluster, their system or a translation.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from guarantee_harness import World, breaks
from scipy.stats import binom

from assent.calibrate import Infeasible, Threshold, crc, group_rules
from assent.calibrate.heldout import held_out
from assent.calibrate.recipe import Recipe
from assent.cli import main
from recordings import recording, write

ALPHA, DELTA = 0.1, 0.1


def doubted(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """4 % of the formulas are wrong whatever the score; doubts withhold two thirds of those that are right."""
    wrong = rng.random(n) < 0.04
    return np.round(rng.random(n), 2), wrong, ~wrong & (rng.random(n) < 2 / 3)


def test_conditional_rule_with_doubts_inside_and_with_doubts_afterwards() -> None:
    """The error among the returned is 0.04/(0.04 + 0.96/3) = 0.11: nothing may be certified at 0.10."""
    rng = np.random.default_rng(61)
    recipe = Recipe(alpha=ALPHA, name="conditional", delta=DELTA)
    inside, afterwards = [], []
    for _ in range(400):
        scores, wrong, withheld = doubted(rng, 600)
        fit = rng.random(300)
        inside.append(isinstance(recipe.make(scores, wrong, deferred=withheld, fit=fit), Threshold))
        afterwards.append(isinstance(recipe.make(scores, wrong, fit=fit), Threshold))
    assert not breaks(inside, DELTA)
    assert breaks(afterwards, DELTA) and np.mean(afterwards) > 0.5


def test_conditional_rule_holds_with_deferral_that_follows_score_and_label() -> None:
    """Any deferral: here low scores are deferred if right, high scores if wrong, so the error falls and rises."""
    rng = np.random.default_rng(62)
    recipe = Recipe(alpha=ALPHA, name="conditional", delta=DELTA)
    levels = np.arange(101) / 100
    rate = 0.08 + 0.1 * levels
    away_right, away_wrong = 0.5 * (levels < 0.3), 0.7 * (levels > 0.6)
    kept_wrong, kept = rate * (1 - away_wrong), rate * (1 - away_wrong) + (1 - rate) * (1 - away_right)
    error = np.cumsum(kept_wrong) / np.cumsum(kept)
    failed = []
    for _ in range(400):
        at = rng.integers(0, 101, 800)
        wrong = rng.random(800) < rate[at]
        away = rng.random(800) < np.where(wrong, away_wrong[at], away_right[at])
        made = recipe.make(levels[at], wrong, deferred=away, fit=rng.integers(0, 101, 400) / 100)
        failed.append(isinstance(made, Threshold) and error[int(made.value * 100 + 1e-6)] > ALPHA)
    assert not breaks(failed, DELTA)


def test_delta_of_all_groups_at_once_and_of_each_by_itself() -> None:
    rng = np.random.default_rng(63)
    names, n = [f"g{k}" for k in range(6)], 150
    world = World(1001, np.linspace(0, 0.6, 1001))
    cumulative = np.cumsum(world.wrong * world.chance)

    def some_above(simultaneous: bool, scores: np.ndarray, wrong: np.ndarray) -> bool:
        recipe = Recipe(alpha=ALPHA, name="high-probability", delta=DELTA, simultaneous=simultaneous)
        made = group_rules(scores, wrong, np.repeat(names, n).tolist(), recipe=recipe)
        rules = [made.rule_for(name) for name in names]
        return any(
            isinstance(rule, Threshold) and cumulative[int(rule.value * 1000 + 1e-6)] > ALPHA
            for rule in rules
        )

    together, apart = [], []
    for _ in range(300):
        scores, wrong = world.draw(rng, 6 * n)
        together.append(some_above(True, scores, wrong))
        apart.append(some_above(False, scores, wrong))
    assert not breaks(together, DELTA)
    assert breaks(apart, DELTA)


def test_a_rule_says_for_how_many_groups_its_delta_holds() -> None:
    rng = np.random.default_rng(64)
    scores, wrong = rng.random(400), rng.random(400) < 0.02
    groups = ["a"] * 200 + ["b"] * 200
    each = group_rules(scores, wrong, groups, recipe=Recipe(alpha=0.1, name="high-probability", delta="0.1"))
    all_ = group_rules(
        scores,
        wrong,
        groups,
        recipe=Recipe(alpha=0.1, name="high-probability", delta="0.1", simultaneous=True),
    )
    assert each.rules["a"].groups is None and "groups at once" not in each.rules["a"].promise
    assert all_.rules["a"].groups == 2 and all_.rules["a"].delta == 0.1
    assert "in all 2 groups at once" in all_.rules["a"].promise
    # Each of two groups is tested at 0.05: the same count of errors as by itself at that delta.
    alone = Recipe(alpha=0.1, name="high-probability", delta="0.05").make(scores[:200], wrong[:200])
    assert isinstance(alone, Threshold) and all_.rules["a"].value == alone.value


def test_error_among_the_accepted_is_quoted_out_of_sample() -> None:
    """On the rows that set the threshold it looks too small; held out it does not (by more than chance)."""
    rng = np.random.default_rng(65)
    world = World(101, np.linspace(0, 0.5, 101) ** 2 * 4)
    inside, outside, true_risk, true_share = [], [], [], []
    for _ in range(300):
        scores, wrong = world.draw(rng, 60)
        rule = crc(scores, wrong, alpha=ALPHA)
        if isinstance(rule, Infeasible):
            continue
        here = held_out(
            lambda at, _numbers, s=scores, w=wrong: crc(s[at], w[at], alpha=ALPHA), scores, wrong, seed=1
        )
        inside.append(rule.risk - world.risk(rule))
        outside.append(here.risk - world.risk(rule))
        true_risk.append(world.risk(rule))
        true_share.append(world.acceptance(rule))
    assert breaks(-np.asarray(inside), 0.0)  # the risk seen inside is below the true one
    assert not breaks(-np.asarray(outside), 0.005)
    assert abs(np.mean(outside)) < 0.01


def test_binomial_counts_behind_the_group_test_are_not_vacuous() -> None:
    """Each group alone fails with a probability near, not far below, delta (so that six together exceed it)."""
    budget = max(k for k in range(150) if binom.cdf(k, 150, ALPHA) <= DELTA)
    assert 0.05 < binom.cdf(budget, 150, ALPHA) <= DELTA


def calibrated(
    folder: Path, rows: list[dict[str, Any]], capsys: pytest.CaptureFixture[str], *more: str
) -> tuple[int, str]:
    """What ``assent calibrate`` ends with, and what it said."""
    file = write(folder / "rows.jsonl", rows)
    code = main(["calibrate", str(file), "--alpha", "0.1", "-o", str(folder / "policy.json"), *more])
    said = capsys.readouterr()
    assert (code == 0) == (folder / "policy.json").exists()
    return code, said.out + said.err


def test_one_row_without_its_cluster_does_not_make_it_the_pair_rule(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = recording(60, clusters=12)
    del rows[5]["cluster"]
    code, said = calibrated(tmp_path, rows, capsys)
    assert code == 1 and "1 of 60 rows have no 'cluster' (r5 among them)" in said


def test_delta_over_pairs_of_clustered_rows_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, said = calibrated(tmp_path, recording(60, clusters=12), capsys, "--delta", "0.1", "--unit", "pair")
    assert code == 2 and "needs independent rows" in said


def test_rows_that_do_not_say_which_system_made_them_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [{key: row[key] for key in row if key != "system"} for row in recording(60, clusters=None)]
    code, said = calibrated(tmp_path, rows, capsys)
    assert code == 2 and "which system made them" in said
    assert calibrated(tmp_path, rows, capsys, "--system", "mine")[0] == 0


def test_failed_and_empty_translations_are_abstentions_and_are_counted_aloud(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = recording(60, clusters=None)
    rows.append({**rows[0], "id": "empty", "text": "one", "candidate": ""})
    kept = {key: rows[0][key] for key in ("logic", "reference", "system")}
    rows.append({**kept, "id": "failed", "text": "other", "failure": "no answer"})
    code, said = calibrated(tmp_path, rows, capsys)
    assert code == 0 and "counted as abstentions" in said
    assert "1 failed" in said and "1 unreadable" in said
    assert main(["feasibility", str(tmp_path / "rows.jsonl")]) == 0
