"""assent report: recorded translations in, a folder out; also without weights, and for a set never seen before."""

from __future__ import annotations

import json
import resource
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assent.cli import main
from assent.config import build
from assent.errors import ConfigurationError
from recordings import embed, rated, recording, write

Run = Callable[..., tuple[int, str, str]]
QUICK = ("--resplits", "4")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*arguments: object) -> tuple[int, str, str]:
        try:
            code = main([str(a) for a in arguments])
        except SystemExit as stop:
            code = int(stop.code or 0)
        out, err = capsys.readouterr()
        return code, out, err

    return call


@pytest.fixture(autouse=True)
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures are tested with the report itself; here they would cost seconds a test."""
    monkeypatch.setattr("assent.evaluate.plots.figures", lambda *_: [])


def test_an_unseen_stl_recording_with_two_tiers(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build, "embedded_embed", lambda: embed)
    file = write(tmp_path / "held_out.jsonl", recording(90, logic="stl", error=0.45, seed=8))
    code, out, _ = run("report", file, "-o", tmp_path / "out", "--no-default", *QUICK)
    assert code == 0 and out.endswith("out/index.html\n")
    body = json.loads((tmp_path / "out" / "report.json").read_text())
    assert body["settings"]["logics"] == ["stl"] and body["settings"]["channels_not_recorded"]
    assert {row["group"] for row in body["compliance"]} == {"D2", "D3"}
    assert {row["group"] for row in body["auroc"]} == {"D2", "D3", "all"}
    assert len(body["drift"]) == 8
    wrong = sum(r["candidate"] != r["reference"] for r in recording(90, logic="stl", error=0.45, seed=8))
    assert next(r for r in body["overview"] if r["group"] == "all")["error"] == pytest.approx(wrong / 90)
    page = (tmp_path / "out" / "report.md").read_text()
    assert "not recorded: direct_judge" in page and "paper" not in page


def test_the_paper_and_what_is_missing(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assent.evaluate.plots.find_spec", lambda _: None)
    failed = {"id": "f", "logic": "stl", "text": "t", "reference": "G[0,9] a", "failure": "no answer"}
    rows = [*recording(50, logic="stl", clusters=None), failed]
    file = write(tmp_path / "rows.jsonl", rows)
    code, _, err = run("report", file, "-o", tmp_path / "out", "--no-default", "--no-gate", "--paper", *QUICK)
    assert code == 0, err
    assert err.splitlines()[0].startswith("assent report: tables without figures")
    assert "1 of 51 rows have no translation: they count as abstentions" in err
    assert "| D2 | paper: crc | pair |" in (tmp_path / "out" / "report.md").read_text()


def test_two_runs_are_the_same_and_json_goes_to_stdout(run: Run, tmp_path: Path) -> None:
    file = write(tmp_path / "rows.jsonl", recording(50))
    seen = []
    for name in ("one", "two"):
        code, out, _ = run(
            "report", file, "-o", tmp_path / name, "--no-default", "--no-gate", "--json", *QUICK
        )
        assert code == 0 and out == (tmp_path / name / "report.json").read_text()
        seen.append(out)
    assert seen[0] == seen[1]
    assert json.loads(seen[0])["drift"] == []
    assert json.loads(seen[0])["settings"]["gate"] == "not measured: no embedder"


def test_without_weights_and_embedder_it_goes_on_and_says_so(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_weights(*_: object) -> Any:
        raise ConfigurationError("the embedded models are not here")

    def no_package() -> Any:
        raise ModuleNotFoundError("No module named 'wordllama'")

    monkeypatch.setattr(build, "embedded_scorer", no_weights)
    monkeypatch.setattr(build, "embedded_embed", no_package)
    file = write(tmp_path / "rows.jsonl", recording(30))
    code, _, err = run("report", file, "-o", tmp_path / "out", *QUICK)
    assert code == 0
    assert "without the channel 'default': the embedded models are not here" in err
    assert "without the drift tables: No module named" in err
    assert (
        "default"
        in json.loads((tmp_path / "out" / "report.json").read_text())["settings"]["channels_not_recorded"]
    )


def test_the_embedded_judge_is_one_more_channel(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def scorer(*_: object) -> Callable[[Any], dict[str, list[float]]]:
        def score(rows: Any) -> dict[str, list[float]]:
            asked.append(len(rows))
            return {"default": [0.25 if row.instruction.id == "r0" else 0.5 for row in rows]}

        return score

    monkeypatch.setattr(build, "embedded_scorer", scorer)
    file = write(tmp_path / "rows.jsonl", recording(70))
    code, _, _ = run("report", file, "-o", tmp_path / "out", "--no-gate", "--channel", "default", *QUICK)
    body = json.loads((tmp_path / "out" / "report.json").read_text())
    assert code == 0 and sum(asked) == 70 and max(asked) <= 32
    assert body["settings"]["channel"] == "default" and "default" in {row["channel"] for row in body["auroc"]}


def test_channels(run: Run, tmp_path: Path) -> None:
    rows = [{k: v for k, v in row.items() if k != "judge"} for row in recording(30)]
    file = write(tmp_path / "rows.jsonl", rows)
    flags = ("--no-default", "--no-gate", *QUICK)
    code, _, err = run("report", file, "-o", tmp_path / "out", *flags)
    assert code == 0 and "the channel self_consistency" in err
    code, _, err = run("report", file, "-o", tmp_path / "other", "--channel", "mine", *flags)
    assert code == 2 and "'mine'" in err and not (tmp_path / "other").exists()
    bare = write(tmp_path / "bare.jsonl", [{k: v for k, v in row.items() if k != "samples"} for row in rows])
    code, _, err = run("report", bare, "-o", tmp_path / "other", *flags)
    assert code == 2 and "no score was recorded" in err and not (tmp_path / "other").exists()


def test_options_are_refused_before_any_work(run: Run, tmp_path: Path) -> None:
    file = write(tmp_path / "rows.jsonl", recording(4))
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("mine")
    for flags, code, said in (
        (("--resplits", "1"), 2, "resplits"),
        (("--resplits", "many"), 2, "resplits"),
        (("--seed", "-1"), 2, "seed"),
        (("--logic", "mtl"), 2, "mtl"),
        (("--labels", "vague"), 2, "vague"),
        (("-o", tmp_path / "mine"), 1, "not a report"),
    ):
        found, out, err = run("report", file, "-o", tmp_path / "out", *flags)
        assert (found, out) == (code, "") and said in err
        assert not (tmp_path / "out").exists()
    assert [e.name for e in (tmp_path / "mine").iterdir()] == ["notes.txt"]


def test_an_old_report_survives_a_bad_file(run: Run, tmp_path: Path) -> None:
    flags = ("-o", tmp_path / "out", "--no-default", "--no-gate", *QUICK)
    assert run("report", write(tmp_path / "rows.jsonl", recording(20)), *flags)[0] == 0
    before = {file.name: file.read_bytes() for file in (tmp_path / "out").iterdir()}
    bad = write(tmp_path / "bad.jsonl", [*recording(20), {"id": "x"}])
    assert run("report", bad, *flags)[0] == 1
    assert {file.name: file.read_bytes() for file in (tmp_path / "out").iterdir()} == before


def test_systems(run: Run, tmp_path: Path) -> None:
    rows = []
    for row in recording(40):
        outputs = {"mine": row.pop("candidate"), **{f"s{i}": s for i, s in enumerate(row.pop("samples"))}}
        rows.append({**{k: v for k, v in row.items() if k != "judge"}, "outputs": outputs})
    file = write(tmp_path / "systems.jsonl", rows)
    flags = ("--no-default", "--no-gate", *QUICK)
    code, _, _ = run("report", file, "-o", tmp_path / "out", "--system", "mine", *flags)
    assert code == 0
    assert json.loads((tmp_path / "out" / "report.json").read_text())["settings"]["title"] == "systems (mine)"
    for system in ((), ("--system", "yours")):
        code, _, err = run("report", file, "-o", tmp_path / "no", *system, *flags)
        assert code == 1 and "systems.jsonl:1: " in err and "--system" in err


@pytest.mark.slow
def test_a_large_file_is_read_row_by_row(run: Run, tmp_path: Path) -> None:
    """200,000 rows of evidence with long transcripts: what is kept is a fraction of what is read."""
    file = tmp_path / "large.jsonl"
    some = recording(200, seed=5)
    said = "x" * 1500
    with file.open("w", encoding="utf-8") as out:
        for i in range(200_000):
            row = {**some[i % 200], "id": f"r{i}", "text": f"instruction {i}", "judge": rated(60 + i % 41)}
            call = {"role": "judge", "model": "m", "prompt": "p", "answer": said}
            row |= {"cluster": f"{row['group']}-{i % 5000}", "calls": [call], "prompts": {"p": said}}
            out.write(json.dumps(row) + "\n")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    code, _, err = run("report", file, "-o", tmp_path / "out", "--no-default", "--no-gate", *QUICK)
    assert code == 0, err
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    assert file.stat().st_size > 600e6 and grown < 1500
    body = json.loads((tmp_path / "out" / "report.json").read_text())
    assert body["settings"]["rows"] == 200_000 and body["settings"]["rows_resplit"] < 25_000
