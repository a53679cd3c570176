"""The page for the review meeting in a real browser: filters, print, nothing loaded, nothing wrong, usable by all."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("playwright", reason="playwright is not installed")
pytest.importorskip("starlette", reason="the service is not installed (assent[serve])")
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "serve"))

from documents_kit import Counting, checked
from paged import axe, chromium, violations

from assent.documents.behaviours import behaviours_of
from assent.documents.findings import found_in
from assent.documents.outputs import written

__all__ = ["axe", "chromium"]  # fixtures

ANSWERS = {
    "The lamp shall always be on.": "G lamp_on",
    "The lamp shall be on at all times.": "G lamp_on",
    "The pump shall run at last.": ("F pump_on", "F pump_on", "G pump_on"),
    "When the lid is open, the horn shall sound.": "G(lid_open -> horn_on)",
    "The lid shall never be open.": "G !lid_open",
    "The valve shall be open until the tank is full.": "valve_open U tank_full",
}
DOCUMENT = "# Feeder <b>\n\n" + "".join(f"- R-{n}: {text}\n" for n, text in enumerate(ANSWERS, start=1))


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    (folder / "feeder.md").write_text(DOCUMENT, "utf-8")
    found = checked([folder / "feeder.md"], Counting(ANSWERS))
    findings = found_in(found)
    assert {noted.kind for noted in findings} >= {"duplicate", "vacuous", "ambiguous"}
    rows = list(found.rows)
    rows[3] = replace(rows[3], suspect=("text",))
    found = replace(found, rows=tuple(rows), behaviours=behaviours_of(found))
    (folder / "review.html").write_text(written("html", found, findings), "utf-8")
    return folder / "review.html"


@pytest.fixture
def shown(page_file: Path, chromium: Any) -> Iterator[Any]:
    """The page, made before the browser runs its loop; afterwards: no error, no warning, no other request."""
    context = chromium.new_context(viewport={"width": 1100, "height": 900})
    page = context.new_page()
    wrong: list[str] = []
    asked: list[str] = []
    page.on("console", lambda message: wrong.append(message.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(page_file.as_uri())
    yield page
    assert wrong == [] and asked == [page_file.as_uri()]
    context.close()


def seen(page: Any) -> list[str]:
    """The requirements that can be seen."""
    heads = page.locator("article:visible h3").all_inner_texts()
    return [head.partition(":")[0] for head in heads]


def test_filters(shown: Any) -> None:
    everything = [f"R-{n}" for n in range(1, 7)]
    assert seen(shown) == everything
    expected = {
        "abstained": ["R-3"],
        "vouched for": ["R-1", "R-2", "R-4", "R-5", "R-6"],
        "suspect": ["R-4"],
        "all": everything,
    }
    for label, ids in expected.items():
        shown.get_by_label(label, exact=True).check()
        assert seen(shown) == ids
    shown.get_by_label("with findings").check()
    assert set(seen(shown)) >= {"R-1", "R-2", "R-3", "R-4"} and "R-6" not in seen(shown)
    shown.get_by_label("with findings").press("ArrowLeft")  # by keys alone
    assert seen(shown) == ["R-4"]


def test_print_shows_all_of_it(shown: Any) -> None:
    shown.get_by_label("abstained", exact=True).check()
    tree = shown.locator("article details figure svg").first
    assert not tree.is_visible()
    shown.emulate_media(media="print")
    assert seen(shown) == [f"R-{n}" for n in range(1, 7)]  # whatever is chosen on the screen
    assert not shown.locator("fieldset").is_visible()
    assert shown.evaluate(
        "() => [...document.querySelectorAll('details figure svg')].every(s => s.getBoundingClientRect().height > 10)"
    )
    assert len(shown.pdf()) > 10_000


def test_behaviours_are_drawn(shown: Any) -> None:
    allowed = shown.locator("h2:has-text('What they allow together') ~ figure")
    captions = allowed.locator("figcaption").all_inner_texts()
    assert [c for c in captions if "R-6" in c] == ["All of these hold: R-6."]
    assert [c for c in captions if "R-3" in c] == ["All of these hold: R-3 (not vouched for: R-3)."]
    only = shown.locator("article#r-R-6 details").filter(has_text="What it forbids")
    only.locator("summary").click()
    assert only.locator("figure svg").is_visible()
    assert shown.locator("article#r-R-1 details").filter(has_text="forbids").count() == 0  # R-2 says it, too


@pytest.mark.parametrize("width", [1100, 360])
def test_axe_finds_nothing(shown: Any, axe: str, width: int) -> None:
    shown.set_viewport_size({"width": width, "height": 900})
    for summary in shown.locator("summary").all():
        summary.click()
    assert violations(shown, axe) == []
    assert shown.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth")
