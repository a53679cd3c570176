"""assent export: every target from the command line, bulk use, and what it says when it cannot."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from assent.cli import main
from assent.logic.export import TARGETS, export
from assent.logic.parse import read

Run = Callable[..., tuple[int, str, str]]


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


def test_the_list_names_every_target(run: Run) -> None:
    code, out, _ = run("export", "--list", "--json")
    assert code == 0
    rows = json.loads(out)
    assert [row["target"] for row in rows] == list(TARGETS) and all(row["fragment"] for row in rows)
    _, text, _ = run("export", "--list")
    assert len(text.splitlines()) == len(TARGETS)


@pytest.mark.parametrize(
    ("target", "formula", "logic"),
    [("spot", "G (a -> F b)", "ltl"), ("rtamt", "G[0,9] (a -> F[0,5] b)", "stl")],
)
def test_what_is_printed_is_what_the_library_gives(run: Run, target: str, formula: str, logic: str) -> None:
    expected = export(read(formula, logic), target, instruction="say it")
    code, out, _ = run("export", formula, "--to", target, "--logic", logic, "--instruction", "say it")
    assert (code, out) == (0, expected.text)
    code, out, _ = run("export", formula, "--to", target, "--logic", logic, "--json")
    assert code == 0 and json.loads(out)["filename"] == expected.filename


def test_a_file_is_written_whole(run: Run, tmp_path: Path) -> None:
    code, out, _ = run("export", "F a", "--to", "spot", "--logic", "ltl", "-o", tmp_path / "f.txt")
    assert (code, out) == (0, "")
    assert (tmp_path / "f.txt").read_text() == export(read("F a", "ltl"), "spot").text


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("F a",), 2, "--to"),
        (("--to", "spot"), 2, "formula"),
        (("F (", "--to", "spot"), 1, "column"),
        (("F a", "--to", "nowhere"), None, "nowhere"),
        (("F[0,5] a", "--to", "spot", "--logic", "ltl"), 1, ""),
    ],
)
def test_what_cannot_be_exported(run: Run, arguments: tuple[str, ...], code: int | None, said: str) -> None:
    found, out, err = run("export", *arguments)
    assert found in ((1, 2) if code is None else (code,)) and out == "" and said in err
    assert "Traceback" not in err


def test_bulk_keeps_the_order_and_reports_each_bad_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("F a\nF (\nG b\n"))
    code, out, _ = run("export", "-", "--to", "spot", "--logic", "ltl")
    rows = [json.loads(line) for line in out.splitlines()]
    assert code == 1 and len(rows) == 3
    assert "error" in rows[1] and "column" in rows[1]
    assert rows[0]["text"] == export(read("F a", "ltl"), "spot").text
