"""``assent explain``: what it says, in text, JSON, SVG and bulk."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from assent.cli import main
from assent.logic import canonical, read, read_english


def explained(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict:
    assert main(["explain", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    ("text", "logic", "size", "tier"),
    [
        ("globally ( prop_1 imply finally prop_2 )", "ltl", 3, "D2"),
        ("& F a G ! b", "ltl", 4, "D2"),
        ("globally [3,12] ( prop_1 imply ( prop_2 and prop_3 ) )", "stl", 3, "D3"),
        ("F (abs(x - y) <= 2.5)", "stl", 1, "D2"),
        ("F ((cup leftOf box) & F[0,3] closeTo(cup, ball) & G !touch(cup, hand))", "spatial", 6, "D4"),
    ],
)
def test_the_answer_is_about_the_formula(
    text: str, logic: str, size: int, tier: str, capsys: pytest.CaptureFixture[str]
) -> None:
    formula = read(text, logic)
    answer = explained(capsys, text)
    assert (answer["logic"], answer["size"], answer["tier"]) == (logic, size, tier)
    for spelling in ("formula", "words"):
        assert read(answer[spelling], logic) == formula
    assert read_english(answer["english"], logic) == formula
    assert canonical(read(answer["canonical"], logic)) == canonical(formula)
    assert answer["warnings"] == []
    assert explained(capsys, text, "--logic", logic) == answer


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("p & !p", "contradiction"),
        ("F p | G !p", "tautology"),
        ("G[0,3] p & F[1,2] !p", "contradiction"),
        ("G (p -> (q U q))", "does not matter"),
        ("p | (p & q)", "does not matter"),
    ],
)
def test_warnings(text: str, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert any(says in warning for warning in explained(capsys, text)["warnings"])
    assert main(["explain", text]) == 0
    assert says in capsys.readouterr().out


def test_text_and_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "tree.svg"
    assert main(["explain", "G (p -> F[2,5] q)", "--unit", "seconds", "--svg", str(picture)]) == 0
    out = capsys.readouterr().out
    assert "then q holds at some time between 2 and 5 seconds later." in out
    assert "eventually [2, 5]" in out
    assert ET.parse(picture).getroot().tag.endswith("svg")


def test_errors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", ""]) == 1
    assert main(["explain", "G ( p"]) == 1
    assert "^" in capsys.readouterr().err
    assert main(["explain", "F[5,2] p"]) == 1
    assert main(["explain", "F[0,2] p", "--logic", "ltl"]) == 1
    assert main(["explain", "p", "--svg", str(tmp_path / "no" / "where.svg")]) == 1
    assert main(["explain", "-", "--svg", "x.svg"]) == 2


def test_bulk(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("G p\nG (\n\nenclIn(a, b)\n"))
    assert main(["explain", "-"]) == 1
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row.get("english") for row in rows] == [
        "p holds at every time.",
        None,
        None,
        "a is enclosed in b.",
    ]
    assert rows[1]["column"] == 4
    assert rows[2]["column"] == 1


def test_as_a_process_with_any_bytes() -> None:
    lines = b"G p\n\xff\xfe\nF \xc3\xa9t\xc3\xa9\n" + b"(" * 100_000 + b"\np\x00q\n"
    done = subprocess.run(
        [sys.executable, "-m", "assent", "explain", "-"],
        input=lines,
        capture_output=True,
        timeout=60,
        check=False,
    )
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 1
    assert done.stderr == b""
    assert ["error" in row for row in rows] == [False, True, False, True, True]
    assert rows[2]["atoms"] == ["été"]
