"""The page of a report in a real browser: it is whole, drawn, quiet, and needs no network."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from assent.evaluate import folder as folders
from assent.evaluate import report
from assent.evaluate.labels import load
from assent.evaluate.measure import MeasureSettings
from recordings import embed, recording, write

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --disable-dev-shm-usage --enable-logging=stderr --v=0"
).split()
TITLE = "held out <b>& more</b>"

pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed"),
    pytest.mark.slow,
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("browser")
    data = load(write(place / "rows.jsonl", recording(60, seed=6)))
    made = report.make(data, MeasureSettings(resplits=4, bootstrap=20), embed=embed, title=TITLE)
    return folders.write(made, place / "out")


def browse(folder: Path, profile: Path, *more: str) -> subprocess.CompletedProcess[str]:
    """One run of the browser with a profile of its own; names are not looked up, so that nothing can be loaded."""
    return subprocess.run(
        [
            str(CHROMIUM),
            *FLAGS,
            f"--user-data-dir={profile}",
            "--host-resolver-rules=MAP * ~NOTFOUND",
            *more,
            (folder / "index.html").as_uri(),
        ],
        capture_output=True,
        text=True,
        timeout=240,
        check=True,
    )


def test_the_page_is_whole_and_quiet(folder: Path, tmp_path: Path) -> None:
    found = browse(folder, tmp_path / "profile", "--dump-dom")
    page = found.stdout
    assert "<title>held out &lt;b&gt;&amp; more&lt;/b&gt;</title>" in page
    written = (folder / "index.html").read_text(encoding="utf-8")
    for tag in ("<table", "<tr", "<figure", "<svg"):
        assert page.count(tag) == written.count(tag) > 3
    assert page.count("<b>") == 0
    assert [line for line in found.stderr.splitlines() if "CONSOLE" in line] == []


def test_the_page_is_drawn(folder: Path, tmp_path: Path) -> None:
    picture = tmp_path / "page.png"
    browse(folder, tmp_path / "profile", f"--screenshot={picture}", "--window-size=1200,3000")
    content = picture.read_bytes()
    assert content.startswith(b"\x89PNG")
    from matplotlib.image import imread

    pixels = imread(picture)[..., :3]
    assert pixels.shape[:2] == (3000, 1200)
    painted = (pixels < 0.95).any(axis=2)
    assert painted.mean() > 0.01  # neither blank nor one message
    assert painted[:, 200:1000].any(axis=1).mean() > 0.2


def test_links_of_the_page_lead_into_it(folder: Path) -> None:
    text = (folder / "index.html").read_text(encoding="utf-8")
    ids = set(re.findall(r"id='([^']+)'", text))
    assert set(re.findall(r"<a href='#([^']+)'", text)) <= ids
