"""Planning: guesses against simulation, data against the rules, and the verb."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from assent.calibrate import crc
from assent.calibrate.feasibility import plan_from_data, plan_from_guesses
from assent.cli import main
from assent.errors import UsageError


def test_guesses_against_a_simulation_of_the_rule() -> None:
    from statistics import NormalDist

    rng = np.random.default_rng(0)
    normal = NormalDist()
    shift = 2**0.5 * normal.inv_cdf(0.8)
    shares = []
    for _ in range(400):
        wrong = rng.random(150) < 0.25
        raw = rng.normal(wrong * shift, 1)
        scores = [normal.cdf(x) for x in raw]  # any increasing map into [0, 1]
        shares.append(crc(scores, wrong, alpha=0.1).accepted)
    plan = plan_from_guesses(error_rate=0.25, n=150, auroc=0.8, alphas=["0.1"])
    assert plan.targets[0].acceptance == pytest.approx(np.mean(shares), abs=0.02)


def test_guesses_at_the_ends() -> None:
    blind = plan_from_guesses(error_rate=0.4, n=2000, auroc=0.5, alphas=["0.1"]).targets[0]
    perfect = plan_from_guesses(error_rate=0.4, n=2000, auroc=1.0, alphas=["0.1"]).targets[0]
    assert blind.acceptance == pytest.approx(blind.uninformative, abs=0.01)
    assert perfect.acceptance == pytest.approx(perfect.oracle, abs=0.01)
    few = plan_from_guesses(error_rate=0.2, n=10, auroc=0.8, alphas=["0.05"]).targets[0]
    assert not few.feasible and few.labels == 19 and few.acceptance == 0
    stuck = plan_from_guesses(error_rate=0.2, n=500, auroc=0.8, lowest=0.1, alphas=["0.05"]).targets[0]
    assert stuck.hopeless and stuck.labels is None


@pytest.mark.parametrize(
    "guess", [{"n": 0}, {"auroc": 0.3}, {"auroc": 1.2}, {"error_rate": 2.0}, {"lowest": 0.9}]
)
def test_bad_guesses(guess: dict[str, float]) -> None:
    with pytest.raises(UsageError):
        plan_from_guesses(**{"error_rate": 0.2, "n": 100, "auroc": 0.8, **guess})


def test_data_plan_agrees_with_the_rules() -> None:
    rng = np.random.default_rng(1)
    wrong = rng.random(200) < 0.3
    scores = np.round(np.clip(rng.normal(0.4 + 0.2 * wrong, 0.2), 0, 1), 1)
    plan = plan_from_data(scores, wrong, alphas=["0.01", "0.1"])
    assert plan.floor == crc(scores, wrong, alpha=0.1).floor
    assert plan.targets[1].acceptance == pytest.approx(crc(scores, wrong, alpha=0.1).accepted, abs=0.1)
    assert plan.targets[1].uninformative <= plan.targets[1].oracle


def written(path: Path, rows: list[dict[str, object]]) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def some_rows() -> list[dict[str, object]]:
    rng = np.random.default_rng(2)
    return [
        {
            "id": str(k),
            "scores": {"fusion": round(float(rng.random()), 2)},
            "wrong": int(rng.random() < 0.2),
            "group": "D2" if k < 60 else "D3",
            "cluster": str(k // 2),
        }
        for k in range(120)
    ]


def test_verb_on_labelled_scores(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = written(tmp_path / "rows.jsonl", some_rows())
    assert main(["feasibility", file, "--alpha", "0.1", "--alpha", "0.2", "--json"]) == 0
    plan = json.loads(capsys.readouterr().out)
    assert [group["group"] for group in plan["groups"]] == ["D2", "D3"]
    assert all(group["unit"] == "cluster" and group["clusters"] == 30 for group in plan["groups"])
    figure = tmp_path / "plan.svg"
    assert main(["feasibility", file, "--unit", "pair", "--figure", str(figure)]) == 0
    out = capsys.readouterr().out
    assert "smallest alpha that can be certified" in out and "D3: 60 rows" in out
    assert figure.read_text().lstrip().startswith("<?xml")


def test_verb_on_guesses(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["feasibility", "--error-rate", "0.2", "--n", "15", "--auroc", "0.8", "--alpha", "0.05"]) == 0
    assert "with about 19 pairs" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"wrong": 2}, "rows.jsonl:2"),
        ({"scores": {"fusion": 1.5}}, "rows.jsonl:2"),
        ({"scores": {"fusion": None}}, "rows.jsonl:2"),
        ({"scores": {}}, "rows.jsonl:2"),
        ({"scores": {"other": 0.1}, "wrong": 0}, "rows.jsonl:2"),
        ({"id": "0"}, "rows.jsonl:2"),
    ],
)
def test_bad_rows_name_file_and_line(
    change: dict[str, object], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = some_rows()[:3]
    rows[1] = {**rows[1], **change}
    file = written(tmp_path / "rows.jsonl", rows)
    assert main(["feasibility", file, "--channel", "fusion"]) == 1
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments", [[], ["--n", "3"], ["--error-rate", ".1", "--n", "9", "--auroc", ".8", "--alpha", "x"]]
)
def test_bad_calls(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["feasibility", *arguments]) == 2
    assert "assent feasibility:" in capsys.readouterr().err
