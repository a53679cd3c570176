"""A recorded STL run of our own translator, end to end: the commands and the study take any such file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assent.cli import main
from recordings import write

ROOT = Path(__file__).resolve().parents[2]
FIELDS = (
    "id",
    "logic",
    "text",
    "reference",
    "group",
    "cluster",
    "candidate",
    "samples",
    "back_translation",
    "judge",
)


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Records of the bench's test part as another translator would have left them: no score of ours, no gate."""
    rows = []
    for line in (ROOT / "studies" / "records" / "bench_stl.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        rows.append({key: row[key] for key in FIELDS if key in row})
    return write(tmp_path_factory.mktemp("recorded") / "llm_stl.jsonl", rows[:90])


def test_report_scores_and_ranks_it(recorded: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assent.evaluate.plots.figures", lambda *_: [])
    arguments = [
        "report",
        str(recorded),
        "-o",
        str(tmp_path / "out"),
        "--channel",
        "default",
        "--resplits",
        "5",
    ]
    assert main(arguments) == 0
    body = json.loads((tmp_path / "out" / "report.json").read_text(encoding="utf-8"))
    assert body["settings"]["logics"] == ["stl"]
    channels = {row["channel"] for row in body["auroc"] if row["group"] == "all"}
    assert {"self_consistency", "back_translation", "fusion", "default", "size"} <= channels
    assert all(row["within_equal_size"] is not None for row in body["auroc"] if row["group"] == "all")
    assert {row["unit"] for row in body["compliance"]} == {"cluster", "pair"}
    assert {row["gated"] for row in body["drift"]} == {False, True}


def test_a_policy_is_made_from_it(recorded: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    policy = tmp_path / "policy.json"
    arguments = [
        "calibrate",
        str(recorded),
        "--alpha",
        "0.2",
        "--channel",
        "fusion",
        "--system",
        "a language model",
        "-o",
        str(policy),
    ]
    assert main(arguments) == 0
    assert json.loads(policy.read_text(encoding="utf-8"))["fingerprint"]["logic"] == "stl"
    assert main(["feasibility", str(recorded), "--json"]) in (0, 3)
    capsys.readouterr()
