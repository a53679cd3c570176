"""The study's page in a real browser: whole, quiet, and needing no network."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_browser_report import CHROMIUM, browse

PAGE = Path(__file__).resolve().parents[2] / "docs" / "study.html"

pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed"),
    pytest.mark.slow,
]


def test_the_page_is_whole_and_quiet(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_bytes(PAGE.read_bytes())
    found = browse(tmp_path, tmp_path / "profile", "--dump-dom")
    written = PAGE.read_text(encoding="utf-8")
    for tag in ("<table", "<tr", "<figure", "<svg", "<details"):
        assert found.stdout.count(tag) == written.count(tag) > 3
    assert [line for line in found.stderr.splitlines() if "CONSOLE" in line] == []
