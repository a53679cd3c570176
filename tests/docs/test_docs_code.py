"""What ARCHITECTURE.md says about the code is counted, and counted right."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import measure_code
import measure_run
import pytest

ROOT = Path(__file__).resolve().parents[2]
MOST_FILES = 90
"""Source files that one ``assent translate`` may execute; the number may only become smaller."""


def test_complexity_is_what_ruff_counts() -> None:
    """The independent oracle: ruff's C901 on every function of the package."""
    pytest.importorskip("ruff", reason="ruff is not installed")
    done = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--isolated", "--select=C901", "--output-format=json",
         "--config=lint.mccabe.max-complexity=0", "src/assent"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    theirs = {}
    for row in json.loads(done.stdout):
        told = re.search(r"`(.+)` is too complex \((\d+) >", row["message"])
        assert told is not None, row
        theirs[str(Path(row["filename"]).relative_to(ROOT)), told[1], row["location"]["row"]] = int(told[2])
    ours = {
        (part.file, part.name, part.line): part.complexity
        for file, text in measure_code.checkout().items()
        if file.startswith("src/assent")
        for part in measure_code.functions_of(file, ast.parse(text))
    }
    assert len(theirs) > 500
    assert ours == theirs


def test_the_layers_of_the_document_are_those_of_the_contract() -> None:
    layers = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"][0][
        "layers"
    ]
    said = re.search(
        r"## Layers\n.*?\n\n((?:    [^\n]+\n)+)", (ROOT / "ARCHITECTURE.md").read_text(), re.DOTALL
    )
    assert said is not None
    written = [re.split(r"\s{2,}", line.strip())[0] for line in said[1].splitlines()]
    assert written == [layer.replace("assent.", "") for layer in layers]


def test_every_place_that_the_document_names_exists() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text()
    table = text[text.index("## Where to find what") : text.index("## Where a fact lives")]
    places = re.findall(r"`([\w./-]+(?:/|\.py))`", table)
    assert len(places) > 20
    homes = (ROOT, ROOT / "src" / "assent", ROOT / "assent-train" / "src" / "assent_train")
    assert [place for place in places if not any((home / place).exists() for home in homes)] == []


def test_no_public_class_name_is_defined_twice() -> None:
    trees = {file: ast.parse(text) for file, text in measure_code.checkout().items()}
    assert len(trees) > 300
    assert measure_code.doubled(trees) == {}


def test_no_source_file_is_too_long() -> None:
    lengths = {file: text.count("\n") for file, text in measure_code.checkout().items()}
    assert {file: n for file, n in lengths.items() if n > measure_code.LONGEST_FILE} == {}


def test_no_function_is_too_long_or_too_complex() -> None:
    functions = [
        part
        for file, text in measure_code.checkout().items()
        for part in measure_code.functions_of(file, ast.parse(text))
    ]
    over = [
        part
        for part in functions
        if part.length > measure_code.LONGEST or part.complexity > measure_code.MOST_COMPLEX
    ]
    assert len(functions) > 3000
    assert over == []


def test_translate_loads_one_policy_and_reads_no_formula_from_text() -> None:
    """The network's answer becomes a tree once; nothing is written and read again on the way."""
    counted = measure_run.counts()
    assert (counted["policies"], counted["read"]) == (1, 0)
    assert (
        counted["write"] == counted["written"] > 0
    )  # each formula is written once; the profiler saw the run
    assert 50 < counted["files"] <= MOST_FILES
