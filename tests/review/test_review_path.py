"""The whole real path: evidence, decision, ledger, draw, answers from references, policy, decision again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assent.benchmarks import review as bench
from assent.cli import main
from recordings import recording, write


def test_the_bench_counts_answers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(tmp_path / "r.jsonl", recording(300, clusters=None))
    code = main(["bench", "review", "--recording", str(file), "--items", "600", "--streams", "2", "--json"])
    found = json.loads(capsys.readouterr().out)
    assert code == 0 and found["source"] == "r.jsonl"
    rows = {(row["alpha"], row["way"]): row for row in found["streams"]}
    assert len(rows) == len(bench.ALPHAS) * len(bench.WAYS)
    for alpha in (0.1, 0.05):
        everything, plan = rows[alpha, "everything"], rows[alpha, bench.PLAN]
        assert 300 < everything["answers"] <= 600 and everything["fewer_in_stream"] == 1
        assert 0.1 * everything["answers"] < plan["answers"] < 0.4 * everything["answers"]


def test_audits_are_enough_and_not_too_many() -> None:
    """None wrong: as many as the exact bound needs; all that are allowed wrong: only a complete audit tells."""
    assert bench.audits_for([300], [0], 15) == bench.audits_needed(300, 15, "0.95") == 50
    assert bench.audits_for([300], [15], 15) in (None, 300)
    assert bench.audits_for([300], [16], 15) is None
