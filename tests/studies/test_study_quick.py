"""The published page says what a fresh run of the quick mode says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs" / "study.md"


def tables(text: str) -> dict[str, str]:
    """Tables by their heading."""
    found = {}
    for block in text.split("\n### ")[1:]:
        title, _, body = block.partition("\n")
        found[title] = "\n".join(line for line in body.splitlines() if line.startswith("|"))
    return found


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> str:
    page = tmp_path_factory.mktemp("study") / "quick.md"
    command = [sys.executable, str(ROOT / "studies" / "run.py"), "--quick", "-o", str(page)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=280, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return page.read_text(encoding="utf-8")


def test_the_page_is_what_the_quick_mode_says(fresh: str) -> None:
    published = tables(PAGE.read_text(encoding="utf-8"))
    made = tables(fresh)
    assert len(made) >= 10
    for title, body in made.items():
        assert published.get(title) == body, f"docs/study.md is out of date: {title}; run 'make study'"


def test_the_shipped_policies_keep_their_promise(fresh: str) -> None:
    """On the bench's test part no cell of the shipped policies is over alpha + 3 s.e."""
    rows = tables(fresh)["Shipped policies on the test part of the bench"].splitlines()
    header = [cell.strip() for cell in rows[0].strip("|").split("|")]
    at = header.index("over alpha + 3 s.e.")
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows[2:]]
    assert len(cells) == 27
    assert all(row[at] == "no" for row in cells)


def test_the_page_copies_no_public_sentence(shared: Path) -> None:
    import json

    text = PAGE.read_text(encoding="utf-8")
    for name in ("nl2tl_lifted", "lang2ltl_utterances", "uav_nl2stl_lifted"):
        for line in (shared / "data" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
            said = json.loads(line)["text"]
            assert len(said) < 25 or said not in text
