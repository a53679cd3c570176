"""``assent compare``: verdicts, exit codes, the witness, bulk use."""

from __future__ import annotations

import io
import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from assent.cli import main
from assent.logic import read
from assent.logic.semantics import Trace, holds


def replay(formula: str, logic: str, witness: dict) -> bool:
    """The witness of the JSON answer, rebuilt from its texts alone."""
    states = []
    for stretch in witness["states"]:
        state = frozenset(read(text, logic) for text in stretch["true"])
        states += [state] * (stretch["to"] - stretch["from"] + 1)
    return holds(read(formula, logic), Trace(tuple(states), witness["loop"]))


@pytest.mark.parametrize(
    ("first", "second", "verdict", "code"),
    [
        ("G (p -> F q)", "globally ( negation p or finally q )", "equal", 0),
        ("G F p", "F G p", "different", 3),
        ("F[0,5] F[1,2] p", "F[1,7] p", "equal", 0),
        ("F[0,5] p", "F[0,6] p", "different", 3),
        ("leftOf(a, b)", "rightOf(b, a)", "equal", 0),
        ("!(x > 3)", "x <= 3", "equal", 0),
    ],
)
def test_verdict_and_exit_code(
    first: str, second: str, verdict: str, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compare", first, second, "--json"]) == code
    answer = json.loads(capsys.readouterr().out)
    assert answer["verdict"] == verdict
    assert answer["method"]
    assert (answer["witness"] is None) == (verdict == "equal")
    assert main(["compare", first, second]) == code
    assert capsys.readouterr().out.startswith(verdict)


@pytest.mark.parametrize(
    ("logic", "first", "second"),
    [
        ("ltl", "p U q", "p W q"),
        ("ltl", "X X p", "X p"),
        ("stl", "G[2,40](p -> F[0,9] q)", "G[2,40](p -> F[0,8] q)"),
    ],
)
def test_the_witness_replays(logic: str, first: str, second: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", first, second, "--json", "--logic", logic]) == 3
    witness = json.loads(capsys.readouterr().out)["witness"]
    truths = replay(first, logic, witness), replay(second, logic, witness)
    assert truths == (witness["first_holds"], witness["second_holds"])
    assert truths[0] != truths[1]


def test_the_witness_is_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "witness.svg"
    assert main(["compare", "p", "p & q", "--svg", str(picture)]) == 3
    out = capsys.readouterr().out
    assert "time" in out
    assert "On this trace the first formula holds and the second does not." in out
    assert ET.parse(picture).getroot().tag.endswith("svg")


def test_finite_words_and_levels(capsys: pytest.CaptureFixture[str]) -> None:
    # On finite words there is a last state, where next is false.
    assert main(["compare", "F (!(X true))", "true"]) == 3
    assert main(["compare", "F (!(X true))", "true", "--finite"]) == 0
    assert main(["compare", "p U q", "q | (p & X (p U q))"]) == 0
    assert main(["compare", "p U q", "q | (p & X (p U q))", "--level", "canonical"]) == 3
    capsys.readouterr()


def test_errors(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "p"]) == 2
    assert main(["compare", "p", "q", "--budget", "0"]) == 2
    assert main(["compare", "-", "--svg", "x.svg"]) == 2
    assert main(["compare", "G (", "q"]) == 1
    err = capsys.readouterr().err
    assert "column 4" in err
    assert "^" in err
    assert main(["compare", "F[0,3] p", "p", "--logic", "ltl"]) == 1
    with pytest.raises(SystemExit) as caught:
        main(["compare", "p", "q", "--logic", "ctl"])
    assert caught.value.code == 2


def test_bulk(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    lines = "F p\ttrue U p\nG p\tF (\nonly one\np\tq\tr\nF[0,1] p\tF[0,2] p\n\nG p\tG p"
    monkeypatch.setattr("sys.stdin", io.StringIO(lines))
    assert main(["compare", "-"]) == 1
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row.get("verdict", "error") for row in rows] == [
        "equal", "error", "error", "error", "different", "error", "equal",
    ]  # fmt: skip
    assert rows[1]["column"] == len("G p\tF (") + 1
    monkeypatch.setattr("sys.stdin", io.StringIO("p\tp\n"))
    assert main(["compare", "-"]) == 0
