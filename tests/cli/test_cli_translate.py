"""translate, batch, collect, init and doctor on recorded models: what scripts rely on."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from assent.calibrate.rules import Infeasible, Threshold
from assent.cli import main
from assent.config.build import Options, assemble
from assent.io.lines import read_rows, write_rows
from assent.logic.ast import Logic
from assent.policy.policy import Policy
from assent.records import candidate_of

RATINGS = ("logical_structure", "temporal_operators", "time_constraints", "overall_meaning")
CONFIG = """
{policies}
second_opinion = false  # the texts name cases, they do not say what the formulas say
vocabulary = "names.json"
[models.file]
kind = "recorded"
file = "recorded.jsonl"
[translator]
model = "file"
[back_translator]
model = "file"
[judge]
model = "file"
"""


def row(text: str, candidate: str, samples: list[str], rating: int) -> dict[str, Any]:
    ratings = dict.fromkeys(RATINGS, rating)
    # The back-translator is shown the formula in our own spelling.
    said = candidate_of(candidate, Logic.LTL).text or candidate
    recorded = {"text": text, "logic": "ltl", "candidate": said, "samples": samples, "judge": ratings}
    return {**recorded, "back_translation": f"English for {text}"}


ROWS = [
    row("sure", "G(door -> F alarm)", ["G(door -> F alarm)"] * 5, 98),
    row("doubtful", "G(alarm -> F door)", ["F alarm", "F alarm", "F alarm", "G(alarm -> F door)", "(("], 40),
    row("broken", "G(door -> ", ["G(door -> "] * 5, 98),
    row("stranger", "F bell", ["F bell"] * 5, 98),
    row("three", "door U (alarm & moving)", ["door U (alarm & moving)"] * 5, 98),
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_rows("recorded.jsonl", ROWS)
    Path("names.json").write_text(json.dumps({"propositions": ["door", "alarm", "moving"]}))
    Path("a.toml").write_text(CONFIG.format(policies=""))
    made_by = assemble(Options(config="a.toml")).collector.made_by(Logic.LTL)
    common: dict[str, Any] = {"alpha": 0.1, "n": 50, "floor": 0.02, "kind": "crc", "unit": "pair"}
    rules = {
        "D2": Threshold(value=0.1, accepted=0.5, risk=0.05, **common),
        "D3": Infeasible(reason="too few labels", advice=("label more",), **common),
    }
    Policy(alpha=0.1, rules=rules, fingerprint=made_by, channel="fusion").save("policy.json")
    Path("a.toml").write_text(CONFIG.format(policies='policies = ["policy.json"]'))
    return tmp_path


def said(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str, str]:
    code = main(argv)
    out, err = capsys.readouterr()
    return code, out, err


def test_accepted(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = said(capsys, "translate", "sure", "--config", "a.toml", "--json")
    found = json.loads(out)
    assert code == 0 and found["decision"] == "accepted" and found["formula"] and found["english"]
    assert found["alpha"] == 0.1 and found["score"] <= found["threshold"] == 0.1
    assert found["evidence"]["text"] == "sure" and "reason" not in found
    code, out, err = said(capsys, "translate", "sure", "--config", "a.toml", "--format", "formula")
    assert (code, out.strip()) == (0, found["formula"]) and "taken for ltl" in err
    code, out, _ = said(capsys, "translate", "sure", "--config", "a.toml")
    assert code == 0 and out.startswith("accepted") and "alpha 0.1" in out


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("doubtful", "suspicious"),
        ("broken", "unreadable"),
        ("stranger", "unreadable"),
        ("three", "infeasible"),
        ("never recorded", "failed"),
    ],
)
def test_abstained_is_exit_code_3(
    folder: Path, capsys: pytest.CaptureFixture[str], text: str, reason: str
) -> None:
    code, out, _ = said(capsys, "translate", text, "--config", "a.toml", "--json")
    found = json.loads(out)
    assert code == 3 and found["decision"] == "abstained" and found["reason"] == reason and found["detail"]
    assert "formula" not in found
    code, out, err = said(capsys, "translate", text, "--config", "a.toml", "--format", "formula")
    assert code == 3 and out == "" and reason in err


def test_abstention_helps_and_the_choice_becomes_a_label(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    code, out, _ = said(capsys, "translate", "doubtful", "--config", "a.toml", "--full")
    assert code == 3 and "It may mean:" in out and "differ on" in out
    monkeypatch.setattr(sys, "stdin", io.StringIO("1\n"))
    code, out, err = said(
        capsys, "translate", "doubtful", "--config", "a.toml", "--ask", "--format", "formula"
    )
    assert code == 0 and out.strip() == "F alarm" and "Which one" in err
    ((_, label),) = read_rows("assent-labels.jsonl")
    assert label["text"] == "doubtful" and label["reference"] == "F alarm" and label["logic"] == "ltl"
    monkeypatch.setattr(sys, "stdin", io.StringIO("9\n"))
    code, out, _ = said(capsys, "translate", "doubtful", "--config", "a.toml", "--ask", "--format", "formula")
    assert code == 3 and out == ""


def test_stdin_and_usage(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("  sure\n"))
    assert said(capsys, "translate", "-", "--config", "a.toml", "--format", "formula")[0] == 0
    assert said(capsys, "translate", "   ", "--config", "a.toml")[0] == 2
    code, _, err = said(capsys, "translate", "sure", "--config", "a.toml", "--alpha", "0.2")
    assert code == 2 and "there are policies for 0.1" in err
    assert said(capsys, "translate", "sure", "--config", "a.toml", "--alpha", "0.1")[0] == 0
    with pytest.raises(SystemExit):
        main(["translate", "sure", "--alpha", "7"])
    code, _, err = said(capsys, "translate", "sure", "--config", "a.toml", "--logic", "stl")
    assert code == 1 and "no policy for stl" in err


def test_configuration_errors_name_file_and_key(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for text, where in (
        ("[translator]\nmodel = 'x'\n", "b.toml: translator.model"),
        ("[translator]\nmodel = 'embedded'\ntemprature = 1\n", "b.toml: translator.temprature: unknown key"),
        ("[translator]\nmodel = 'embedded'\n[models.m]\nkind = 'openai'\n", "b.toml: models.m.name"),
        ("[translator]\nmodel='embedded'\n[models.m]\nkind='gpt'\n", "b.toml: models.m.kind"),
        ("[translator\n", "b.toml: cannot be read as TOML"),
    ):
        Path("b.toml").write_text(text)
        code, _, err = said(capsys, "translate", "sure", "--config", "b.toml")
        assert code == 1 and where in err, err
    code, _, err = said(capsys, "translate", "sure", "--config", "none.toml")
    assert code == 1 and "assent init" in err


def test_policy_of_other_models_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = Path("a.toml").read_text()
    Path("a.toml").write_text(config.replace('kind = "recorded"', 'kind = "recorded"\nversion = "2"'))
    code, _, err = said(capsys, "translate", "sure", "--config", "a.toml")
    assert code == 1 and "calibrated for another translator" in err


def test_batch_keeps_order_and_marks_bad_lines(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [json.dumps({"id": f"n{i}", "text": r["text"], "note": i}) for i, r in enumerate(ROWS)]
    lines.insert(2, "{broken")
    lines.append(json.dumps({"id": "n0", "text": "again"}))
    lines.append(json.dumps({"id": "e", "text": ""}))
    Path("in.jsonl").write_text("\n".join(lines) + "\n")
    code, _, err = said(capsys, "batch", "in.jsonl", "-o", "out.jsonl", "--config", "a.toml", "--quiet")
    found = [r for _, r in read_rows("out.jsonl")]
    assert code == 1 and "3 of 8 lines" in err
    assert [r.get("id") for r in found] == ["n0", "n1", None, "n2", "n3", "n4", None, "e"]
    assert ["error" in r for r in found] == [False, False, True, False, False, False, True, True]
    assert [r.get("decision") for r in found[:2]] == ["accepted", "abstained"]
    assert found[0]["evidence"]["note"] == 0 and found[2]["line"] == 3
    before = Path("out.jsonl").read_bytes()
    again, _, _ = said(capsys, "batch", "in.jsonl", "-o", "out.jsonl", "--config", "a.toml", "--quiet")
    assert again == 1 and Path("out.jsonl").read_bytes() == before
    code, out, _ = said(capsys, "batch", "in.jsonl", "--config", "a.toml", "--quiet")
    assert code == 1 and len(out.splitlines()) == 8


def test_batch_refuses_a_changed_input(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_rows("in.jsonl", [{"id": "a", "text": "sure"}, {"id": "b", "text": "sure"}])
    assert said(capsys, "batch", "in.jsonl", "-o", "out.jsonl", "--config", "a.toml", "--quiet")[0] == 0
    write_rows("in.jsonl", [{"id": "b", "text": "sure"}, {"id": "a", "text": "sure"}])
    code, _, err = said(capsys, "batch", "in.jsonl", "-o", "out.jsonl", "--config", "a.toml", "--quiet")
    assert code == 1 and "changed since" in err


def test_collect_then_calibrate_then_decide(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cases = [{"id": f"c{i}", "text": "sure", "reference": "G(door -> F alarm)"} for i in range(60)]
    write_rows("cases.jsonl", [{**case, "logic": "ltl"} for case in cases])
    code, _, _ = said(
        capsys, "collect", "cases.jsonl", "-o", "evidence.jsonl", "--config", "a.toml", "--quiet"
    )
    found = [r for _, r in read_rows("evidence.jsonl")]
    assert code == 0 and len(found) == 60
    assert found[0]["scores"] == {"back_translation": 0.02, "self_consistency": 0.0, "fusion": 0.01}
    assert found[0]["reference"] == cases[0]["reference"] and len(found[0]["samples"]) == 5
    assert "censored" not in found[0] and not any("seconds" in call for call in found[0]["calls"])
    timings = [r for _, r in read_rows("evidence.jsonl.timings.jsonl")]
    assert [r["id"] for r in timings] == [case["id"] for case in cases]
    code, _, err = said(
        capsys, "calibrate", "evidence.jsonl", "--alpha", "0.1", "--channel", "fusion", "-o", "new.json"
    )
    assert code == 0, err
    Path("a.toml").write_text(CONFIG.format(policies='policies = ["new.json"]'))
    assert said(capsys, "translate", "sure", "--config", "a.toml")[0] == 0
    code, _, _ = said(capsys, "batch", "evidence.jsonl", "-o", "out.jsonl", "--config", "a.toml", "--quiet")
    assert code == 0 and {r["decision"] for _, r in read_rows("out.jsonl")} == {"accepted"}


def test_init_writes_a_configuration_that_can_be_read(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from assent.config import settings as config

    assert said(capsys, "init")[0] == 0
    assert config.load("assent.toml").models["main"].kind == "openai"
    assert said(capsys, "init")[0] == 2
    assert said(capsys, "init", "--force", "--json")[0] == 0


def test_doctor_says_what_is_wrong(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = said(capsys, "doctor", "--config", "a.toml")
    assert code == 0 and "the policies fit: ltl at alpha 0.1" in out, out
    config = Path("a.toml").read_text()
    Path("a.toml").write_text(config.replace('kind = "recorded"', 'kind = "recorded"\nversion = "2"'))
    code, out, _ = said(capsys, "doctor", "--config", "a.toml", "--json")
    found = json.loads(out)
    assert code == 1 and not found["ok"]
    assert any("another translator" in row["detail"] for row in found["findings"])
    said(capsys, "init")
    code, out, _ = said(capsys, "doctor", "--config", "assent.toml", "--offline")
    assert code == 1 and "FAIL  key of model main: the environment variable OPENAI_API_KEY is not set" in out


def test_dry_run_counts_what_would_be_asked(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_rows("in.jsonl", [{"id": f"i{n}", "text": "sure"} for n in range(3)])
    for verb in ("collect", "batch"):
        code, out, _ = said(capsys, verb, "in.jsonl", "--config", "a.toml", "--dry-run", "--json")
        found = json.loads(out)
        assert code == 0 and found["calls"] == 3 * 8 and found["prompt_tokens"] > 1000 and found["money"] == 0
    assert not Path(".assent/cache.sqlite").exists()
    priced = Path("a.toml").read_text().replace('kind = "recorded"', 'kind = "recorded"\nprice_prompt = 2.0')
    Path("b.toml").write_text(priced)
    code, out, _ = said(capsys, "collect", "in.jsonl", "--config", "b.toml", "--dry-run")
    assert code == 0 and "at most 24 calls" in out


def test_a_recorded_name_outside_the_vocabulary_stays_refused(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_rows("in.jsonl", [{"id": "s", "text": "stranger"}])
    said(capsys, "collect", "in.jsonl", "-o", "evidence.jsonl", "--config", "a.toml", "--quiet")
    ((_, row),) = read_rows("evidence.jsonl")
    assert "bell" in row["unreadable"] and row["scores"]["self_consistency"] == 0.8
    raw = {
        "id": "r",
        "text": "raw",
        "candidate": "F bell",
        "samples": ["F bell"] * 5,
        "judge": row.get("judge"),
    }
    write_rows("both.jsonl", [row, raw])
    Path("none.json").write_text(json.dumps({"propositions": ["door", "bell"]}))
    for names in ("names.json", "none.json"):
        argv = ("collect", "both.jsonl", "--config", "a.toml", "--vocabulary", names, "--quiet")
        code, out, err = said(capsys, *argv)
        stored, fresh = (json.loads(line) for line in out.splitlines())
        assert code == ("failure" in fresh) and "unreadable" in stored, err
        assert ("unreadable" in fresh) == (names == "names.json")
