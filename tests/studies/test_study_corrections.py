"""Which correction changed which decision: the last definition is the product's, each cause counts where it acts."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "studies"))

import corrections

from assent.calibrate.recipe import Recipe
from assent.evaluate.labels import load
from assent.evaluate.table import Table
from assent.policy.make import PolicyPlan, make_policy
from assent.records import Accepted
from recordings import recording, write

ROOT = Path(__file__).resolve().parents[2]
FAILED = {"logic": "ltl", "reference": "G (a -> F b)", "system": "a recorded model", "failure": "no answer"}


def test_the_last_definition_is_that_of_a_policy(tmp_path: Path) -> None:
    rows = recording(160, seed=5)
    rows += [{**FAILED, "id": f"f{i}", "text": f"failed {i}", "cluster": f"f{i}"} for i in range(30)]
    data = load(write(tmp_path / "rows.jsonl", rows))
    found = []
    for alpha in (0.05, 0.1, 0.2, 0.3):
        policy = make_policy(data, PolicyPlan(recipe=Recipe(alpha=alpha), grouping="all"))
        decided = [isinstance(policy.decide(row.evidence), Accepted) for row in data.rows]
        assert corrections.accepted(data, alpha, corrections.STEPS[-1]).tolist() == decided
        found.append(corrections.corrections("rows", data, alpha))
    assert all(row.identity == 0 for row in found)
    assert any(row.outvoted for row in found) and any(row.doubts_inside for row in found)
    assert any(row.failures for row in found)
    for row in found:
        changes = row.outvoted + row.doubts_inside + row.failures + row.identity
        assert abs(row.accepted_now - row.accepted_before) <= changes


def test_rows_of_nobody_are_no_policy_now(tmp_path: Path) -> None:
    rows = [{key: value for key, value in row.items() if key != "system"} for row in recording(120, seed=2)]
    data = load(write(tmp_path / "rows.jsonl", rows))
    row = corrections.corrections("rows", data, 0.3)
    assert row.accepted_before > 0 and row.accepted_now == 0
    assert row.identity == int(np.sum(corrections.accepted(data, 0.3, corrections.STEPS[-2]))) > 0


def test_the_page_says_what_the_records_say() -> None:
    data = load(ROOT / "studies" / "records" / "bench_ltl.jsonl")
    rows = tuple(corrections.corrections("bench_ltl", data, alpha) for alpha in corrections.ALPHAS)
    page = (ROOT / "docs" / "corrections.md").read_text(encoding="utf-8").splitlines()
    lines = Table("corrections", "", rows).markdown().splitlines()
    assert len(lines) == 7
    assert set(lines[2:]) <= set(page), "docs/corrections.md is out of date: python studies/corrections.py -o"
