"""``assent check`` end to end: on the embedded default, with its exit codes, outputs and the ledger."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from assent.cli import main
from assent.config.build import shipped_policies
from assent.ledger import Ledger

DOCUMENT = """# Cat feeder

## Vocabulary

| name | says | type | unit |
|---|---|---|---|
| lid_open | lid open | bool | |
| auger_on | auger running | bool | |
| lamp_on | lamp on | bool | |
| weight | weight | number | g |

## Rules

The feeder stands in the kitchen.

- REQ-17: Whenever the lid is open, the lamp shall be on within 5 seconds.
- REQ-18: The auger is never running while the lid is open.
"""
LTL_ONLY = next(file for file in shipped_policies() if file.endswith("ltl-0.10.json"))
FIELDS = {"id", "file", "line", "column", "text", "logic", "decision"}


@pytest.fixture
def document(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "feeder.md").write_text(DOCUMENT, "utf-8")
    return tmp_path / "feeder.md"


def check(capsys: pytest.CaptureFixture[str], *options: str) -> tuple[int, dict[str, Any]]:
    code = main(["check", *options, "--json"])
    return code, json.loads(capsys.readouterr().out)


def test_the_embedded_default_decides_a_document(document: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, found = check(capsys, "feeder.md")
    assert [(r["id"], r["logic"], r["line"], r["column"]) for r in found["requirements"]] == [
        ("REQ-17", "stl", 16, 11),
        ("REQ-18", "ltl", 17, 11),
    ]
    for row in found["requirements"]:
        assert set(row) >= FIELDS
        assert ("formula" in row and "english" in row) == (row["decision"] == "accepted")
        assert ("reason" in row and "detail" in row) == (row["decision"] == "abstained")
    formulas = {r["id"]: r.get("formula") for r in found["requirements"]}
    assert formulas["REQ-17"] in (None, "G(lid_open -> (F[0,5] lamp_on))")
    assert "17" not in str(formulas["REQ-17"])
    vouched = all(row["decision"] == "accepted" for row in found["requirements"])
    assert code == (0 if vouched and not found["findings"] else 3)
    assert "The feeder stands in the kitchen." in [part["text"] for part in found["set_aside"]]


def test_a_lock_and_a_ledger(document: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, first = check(capsys, "feeder.md", "--lock", "--ledger", "kept.db")
    with Ledger.open("kept.db") as ledger:
        from assent.ledger.entries import Kind

        assert sum(1 for _ in ledger.each(Kind.DECISION)) == 2
    vouched = all(row["decision"] == "accepted" for row in first["requirements"])
    grave = [f for f in first["findings"] if f["kind"] != "unconstrained"]
    assert code == (0 if vouched and not first["findings"] else 3)
    assert check(capsys, "feeder.md", "--locked") == (0 if vouched and not grave else 3, first)
    document.write_text(DOCUMENT.replace("5 seconds", "6 seconds"), "utf-8")
    code, found = check(capsys, "feeder.md", "--locked")
    assert code == 3 and [f["kind"] for f in found["findings"] if f["kind"] == "suspect"] == ["suspect"]
    code, found = check(capsys, "feeder.md", "--lock", "--looked", "REQ-17", "--as", "ada")
    assert "suspect" not in {f["kind"] for f in found["findings"]}


def test_a_table_for_the_terminal(document: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "feeder.md"])
    shown = capsys.readouterr().out
    assert "REQ-17  stl  feeder.md:16" in shown and "Set aside" in shown and "2 requirements" in shown


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (["nothing.md"], 2, "there is no file"),
        (["feeder.md", "--from", "docx"], 2, "one of markdown"),
        (["feeder.md", "--looked", "REQ-1"], 2, "--lock"),
        (["feeder.md", "--lock", "--looked", "REQ-17"], 2, "--as"),
        (["feeder.md", "--locked"], 1, "there is no lock"),
        (["feeder.md", "--columns", "colour=red"], 2, "--columns"),
        (["feeder.md", "--domain", "kitchen", "--vocabulary", "none.toml"], 1, "none.toml"),
        (["feeder.md", "-o", "missing/out.html"], 1, "does not exist"),
        (["feeder.md", "--policy", LTL_ONLY], 1, "there is no policy for stl"),
    ],
)
def test_what_is_wrong_is_said(
    document: Path, capsys: pytest.CaptureFixture[str], options: list[str], code: int, said: str
) -> None:
    assert main(["check", *options]) == code
    assert said in capsys.readouterr().err


def test_names_beside_a_document_and_names_in_both_places(
    document: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    beside = document.with_name("feeder.vocabulary.toml")
    beside.write_text('propositions = [{name = "lid_open", says = "lid open"}]\n', "utf-8")
    assert main(["check", "feeder.md"]) == 1
    assert "names stand in the document and in feeder.vocabulary.toml" in capsys.readouterr().err
    (document.parent / "feeder.txt").write_text("The lid is never open.\n", "utf-8")
    _, found = check(capsys, "feeder.txt")
    assert found["requirements"][0].get("formula") in (None, "G !lid_open")
    beside.with_name("feeder.txt.vocabulary.toml").write_text('propositions = ["lid_open"]\n', "utf-8")
    assert main(["check", "feeder.txt"]) == 1
    assert "several vocabularies" in capsys.readouterr().err


def test_an_unknown_logic_in_a_table_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.csv"
    path.write_text("id,text,logic\nA,The lid is never open.,PSL\n", "utf-8")
    assert main(["check", str(path)]) == 1
    assert "a.csv:2: unknown logic 'psl'" in capsys.readouterr().err


def test_several_processes_say_what_one_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Byte by byte: the output, and the lock."""
    monkeypatch.chdir(tmp_path)
    pool = (Path(__file__).resolve().parent / "data" / "pool.md").read_text("utf-8").split("\n")
    Path("pool.md").write_text("\n".join(pool[:60]), "utf-8")
    found = []
    for jobs in ("1", "2"):
        main(
            [
                "check",
                "pool.md",
                "--json",
                "-o",
                "out.json",
                "--lock",
                f"{jobs}.lock",
                "--jobs",
                jobs,
                "--quiet",
            ]
        )
        found.append((Path("out.json").read_bytes(), Path(f"{jobs}.lock").read_bytes()))
    assert found[0] == found[1] and len(json.loads(found[0][0])["requirements"]) > 10


def test_an_error_of_a_worker_is_said(document: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "feeder.md", "--jobs", "2", "--policy", "none.json"]) == 1
    assert "none.json" in capsys.readouterr().err
    assert main(["check", "feeder.md", "--address", "x"]) == 2  # it is for --engine ray
