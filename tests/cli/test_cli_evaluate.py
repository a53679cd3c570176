"""``assent evaluate``: answers, exit codes, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assent.cli import main

TRACE = "time,speed,door\n0,1.5,true\n0.5,2,false\n1.0,3.5,1\n1.5,2,0\n"


@pytest.fixture
def trace(tmp_path: Path) -> str:
    file = tmp_path / "trace.csv"
    file.write_text(TRACE)
    return str(file)


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["evaluate", *arguments])
    said = capsys.readouterr()
    return code, said.out, said.err


def test_a_broken_formula(trace: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "G(speed < 3)", trace, "--json")
    row = json.loads(out)
    assert code == 3 and (row["holds"], row["robustness"], row["first_violation"]) == (False, -0.5, 1.0)
    code, out, _ = run(capsys, "G(speed < 3)", trace)
    assert code == 3 and out.splitlines()[:2] == ["does not hold; first broken at time 1", "robustness -0.5"]


def test_a_formula_that_holds(trace: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "G(door -> F[0,0.5] !door)", trace, "--json")
    assert code == 0
    assert json.loads(out) == {
        "holds": True,
        "time": "discrete",
        "period": 0.5,
        "samples": 4,
        "open_end": True,
    }
    assert run(capsys, "G(door -> X !door)", trace)[1].startswith("holds\n")


def test_bounds_between_samples_and_another_period(trace: str, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "F[0,0.25] !door", trace, "--json")
    assert json.loads(out)["time"] == "dense"
    code, out, _ = run(capsys, "F[0,0.25] !door", trace, "--period", "0.25", "--json")
    row = json.loads(out)
    assert code == 3 and (row["time"], row["period"], row["samples"]) == ("discrete", 0.25, 7)


@pytest.mark.parametrize(
    ("content", "formula", "why"),
    [
        ("time,x\n0,1\n1,\n", "G x", "trace.csv:3: column 2 (x): the value is missing"),
        ("time,x\n0,1\n", "G y", "no column for y"),
        ("time,x\n0,1\n", "G (", "column"),
    ],
)
def test_errors(
    content: str, formula: str, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "trace.csv"
    file.write_text(content)
    code, out, err = run(capsys, formula, str(file))
    assert code == 1 and not out and why in err


def test_wrong_usage(trace: str, capsys: pytest.CaptureFixture[str]) -> None:
    for wrong in ("0", "-1", "soon", "nan"):
        with pytest.raises(SystemExit) as caught:
            main(["evaluate", "G door", trace, f"--period={wrong}"])
        assert caught.value.code == 2
    assert run(capsys, "G door", trace + ".gone")[0] == 1
