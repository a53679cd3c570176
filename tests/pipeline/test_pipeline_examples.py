"""The examples run, and the documents name what there is."""

from __future__ import annotations

import math
import re
import subprocess
import sys
from pathlib import Path

import pytest

from assent.cli import VERBS
from assent.records import Reason

ROOT = Path(__file__).resolve().parents[2]


def run(*argv: str) -> str:
    done = subprocess.run(
        [sys.executable, *argv], cwd=ROOT, capture_output=True, text=True, timeout=250, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_own_translator_accepts_what_it_knows_and_withholds_its_guesses() -> None:
    out = run("examples/own_translator.py")
    assert "Accepted: G(smoke -> (F sprinkler))" in out
    assert "Abstained: suspicious" in out


def test_offline_calibration_keeps_its_promise_roughly(shared: Path) -> None:
    """Three standard errors over alpha at most, where accepting everything would be far beyond that."""
    out = run("examples/offline_calibration.py", str(shared / "recorded" / "llm_ltl.jsonl"), "0.10")
    rows, error, accepted, risk = (
        float(re.search(rf"{words} ([\d.]+)", out)[1])  # type: ignore[index]
        for words in ("decided on", "error of the translator", "accepted", "accepted and wrong")
    )
    most = 0.10 + 3 * math.sqrt(0.10 * 0.90 / rows)
    assert risk <= most < error
    assert 0.3 < accepted < 1


@pytest.mark.parametrize("word", [*VERBS, *(reason.value for reason in Reason)])
def test_every_verb_and_reason_is_documented(word: str) -> None:
    assert f"`{word}" in (ROOT / "docs" / "cli.md").read_text()


def test_python_in_the_documents_compiles() -> None:
    text = (ROOT / "docs" / "extending.md").read_text()
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(blocks) >= 3
    for block in blocks:
        compile(block, "extending.md", "exec")
        for line in block.splitlines():
            if line.startswith("from assent"):
                exec(line)  # every name that is imported exists
