"""The published page says what a fresh run of the quick mode says."""

from __future__ import annotations

import html
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs" / "study.md"
DRAWN = ROOT / "docs" / "study.html"
DOMAINS = ROOT / "docs" / "domains.md"


def tables(text: str) -> dict[str, str]:
    """Tables by their heading."""
    found = {}
    for block in text.split("\n### ")[1:]:
        title, _, body = block.partition("\n")
        found[title] = "\n".join(line for line in body.splitlines() if line.startswith("|"))
    return found


class Cells(HTMLParser):
    """Tables of a page: title -> rows of cells."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tables: dict[str, list[list[str]]] = {}
        self._title, self._inside, self._text = "", "", ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("h3", "td", "th"):
            self._inside, self._text = tag, ""
        elif tag == "tr":
            self.tables.setdefault(self._title, []).append([])

    def handle_data(self, data: str) -> None:
        self._text += data

    def handle_endtag(self, tag: str) -> None:
        if tag != self._inside:
            return
        if tag == "h3":
            self._title = self._text
        else:
            self.tables[self._title][-1].append(self._text)
        self._inside = ""


def cells(body: str) -> list[list[str]]:
    """The cells of a Markdown table, without the rule under its head."""
    rows = [re.split(r"(?<!\\)\|", line)[1:-1] for line in body.splitlines()]
    return [[html.unescape(c.strip().replace("\\|", "|")) for c in row] for row in (*rows[:1], *rows[2:])]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("study")


@pytest.fixture(scope="module")
def fresh(folder: Path) -> str:
    page = folder / "quick.md"
    command = [sys.executable, str(ROOT / "studies" / "run.py"), "--quick", "-o", str(page)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=280, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return page.read_text(encoding="utf-8")


def test_the_page_is_what_the_quick_mode_says(fresh: str) -> None:
    published = tables(DOMAINS.read_text(encoding="utf-8"))
    made = tables(fresh)
    assert len(made) >= 10
    for title, body in made.items():
        assert published.get(title) == body, (
            f"docs/domains.md is out of date: {title}; run 'make study QUICK=1'"
        )


def same_tables(markdown: str, drawn: str) -> None:
    parser = Cells()
    parser.feed(drawn)
    expected = {html.unescape(title): cells(body) for title, body in tables(markdown).items() if body}
    found = {title: [[c.strip() for c in row] for row in rows] for title, rows in parser.tables.items()}
    assert found == expected


def test_the_page_with_figures_has_the_same_tables_and_loads_nothing() -> None:
    drawn = DRAWN.read_text(encoding="utf-8")
    same_tables(PAGE.read_text(encoding="utf-8"), drawn)
    figures = re.findall(r"<figure id='figure-(\w+)'><svg", drawn)
    assert {"auroc", "risk_crc", "risk_split", "acceptance", "gate_power", "oracle_llm_ltl"} <= set(figures)
    assert not re.search(
        r"<(script|link|img|iframe|object)\b|@import|url\((?!#)|(src|href)=['\"]?(?!#|['\"]#)\w+:", drawn
    )


def test_a_fresh_page_has_both_forms(fresh: str, folder: Path) -> None:
    drawn = (folder / "quick.html").read_text(encoding="utf-8")
    same_tables(fresh, drawn)
    assert len(re.findall(r"<figure id='figure-\w+'><svg", drawn)) == 4


def test_the_shipped_policies_keep_their_promise(fresh: str) -> None:
    """On the test domains no cell of the shipped policies is over alpha + 3 s.e."""
    rows = tables(fresh)["Shipped policies on the test domains"].splitlines()
    header = [cell.strip() for cell in rows[0].strip("|").split("|")]
    at = header.index("over alpha + 3 s.e.")
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows[2:]]
    assert len(cells) == 36
    assert all(row[at] == "no" for row in cells)


def test_the_page_copies_no_public_sentence(shared: Path) -> None:
    import json

    text = PAGE.read_text(encoding="utf-8") + DRAWN.read_text(encoding="utf-8")
    for name in ("nl2tl_lifted", "lang2ltl_utterances", "uav_nl2stl_lifted"):
        for line in (shared / "data" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
            said = json.loads(line)["text"]
            assert len(said) < 25 or said not in text
