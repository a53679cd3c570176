"""assent bench calibration and lazy on small data: what they measure, and that they notice a disagreement."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assent.benchmarks import calibration, embedded, lazy
from assent.cli import main
from assent.errors import UsageError
from recordings import recording, write


def test_the_matrix_is_that_of_a_plain_loop(capsys: pytest.CaptureFixture[str]) -> None:
    main(["bench", "calibration", "--resplits", "3", "--loop", "2", "--scores", "3000", "--json"])
    rows = json.loads(capsys.readouterr().out)
    assert [row["what"] for row in rows] == [
        "matrix over pairs", "matrix over clusters", "3000 scores over pairs", "3000 scores over clusters",
    ]  # fmt: skip
    assert [row["same"] for row in rows[:2]] == [True, True]
    assert all(row["cells"] == 54 and row["seconds"] > 0 for row in rows[:2])


def test_a_disagreement_fails(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    right = calibration._rule
    monkeypatch.setattr(
        calibration, "_rule", lambda data, part, unit, alpha: right(data, part, unit, alpha / 2)
    )
    assert main(["bench", "calibration", "--resplits", "2", "--loop", "1", "--scores", "1000"]) == 1
    assert "same False" in capsys.readouterr().out


def test_what_the_embedded_models_cost(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every figure is there; how fast this machine is says nothing about the program."""
    texts = ("Always p1.", "Whenever p1 holds, p2 must hold within 5 steps.", "Nonsense about nothing.")
    file = write(tmp_path / "rows.jsonl", [{"id": t, "text": t, "logic": "stl"} for t in texts])
    options = ["--decisions", "2", "--batch", "3", "--processes", "2", "--json"]
    main(["bench", "embedded", str(file), *options])
    found = json.loads(capsys.readouterr().out)
    assert (found["decisions"], found["batch"], found["processes"]) == (2, 3, 2)
    assert 0 < found["decision_ms"] <= found["decision_ms_95"]
    assert found["cold_start_s"] > 0 and found["instructions_per_second"] > 0
    parts = found["installed_mb_by_part"]
    assert parts["assent"] > 10 and "numpy" in parts and "torch" not in parts
    assert found["installed_mb"] == pytest.approx(sum(parts.values()))


def test_a_batch_that_fails_is_an_error() -> None:
    with pytest.raises(UsageError, match="batch failed"):
        embedded._batch([{"id": "1"}], None, 1)


def test_calls_saved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(tmp_path / "rows.jsonl", recording(40, seed=9))
    assert main(["bench", "lazy", str(file), "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [(row["unit"], row["alpha"]) for row in rows] == [
        (unit, alpha) for unit in ("cluster", "pair") for alpha in lazy.ALPHAS
    ]
    for row in rows:
        assert row["decisions identical"]
        assert row["share saved"] == pytest.approx(1 - row["mean calls"] / 8)
        assert 1 <= row["mean calls"] <= 8 and row["share saved"] <= row["at best"] + 1e-9
    assert max(row["share saved"] for row in rows) > 0.2


def test_without_the_data_it_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSENT_SHARED", str(tmp_path))
    with pytest.raises(UsageError, match="ASSENT_SHARED"):
        lazy.found()
