"""The trace lab: against the evaluator, and in a real browser."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from paged import Tab, violations

pytest.importorskip("starlette", reason="the service is not installed (assent[serve])")

from assent.errors import AssentError, UsageError
from assent.logic import read
from assent.logic.geometry import disc, spatial_robustness
from assent.logic.recorded import on_trace
from assent.serve.pages.trace import columns_for, laboratory, shown

CSV = "time,door_open,alarm_on\n0,0,0\n1,1,0\n2,0,1\n3,1,0\n4,0,0\n5,0,0\n"
FORMULA = "G(door_open -> F[0,1] alarm_on)"


def test_the_outcome_is_that_of_evaluate() -> None:
    formula = read(FORMULA, "stl")
    lab = laboratory(formula, CSV, None)
    times = [Fraction(t) for t in range(6)]
    columns = {
        "door_open": [False, True, False, True, False, False],
        "alarm_on": [False, False, True, *[False] * 3],
    }
    assert lab.holds == on_trace(formula, times, columns).holds is False
    assert "first broken at time 3" in lab.says
    assert [course.held for course in lab.courses][-1] == columns["alarm_on"]
    html = shown(lab)
    assert html.count('<li class="course') == len(lab.courses) == 5


def test_scenes_are_measured_by_geometry() -> None:
    pytest.importorskip("shapely", reason="geometry needs assent[spatial]")
    formula = read("leftOf(robot, shelf) U closeTo(robot, box)", "spatial")
    csv = "time,robot.x,robot.y,box.x,box.y,box.r,shelf.x,shelf.y\n" + "".join(
        f"{t},{t},0,3,0,0.25,9,0\n" for t in range(4)
    )
    lab = laboratory(formula, csv, None)
    world = {
        "robot": [disc(t, 0, 0.5) for t in range(4)],
        "box": [disc(3, 0, 0.25)] * 4,
        "shelf": [disc(9, 0, 0.5)] * 4,
    }
    whole = lab.courses[0].margins
    assert whole == [spatial_robustness(formula, world, at=t) for t in range(4)]
    assert set(lab.scene) == set(world) and "data-scene" in shown(lab)


@pytest.mark.parametrize(
    "csv",
    ["", "time\n0\n", "time,p\n0,maybe\n", "time,p\n1,1\n0,1\n", "time,robot.x\n0,1\n", "time,q\n0,1\n"],
)
def test_traces_that_make_no_sense_are_refused(csv: str) -> None:
    with pytest.raises(AssentError):
        laboratory(read("G p", "ltl"), csv, None)


def test_limits() -> None:
    long = "time,p\n" + "".join(f"{t},1\n" for t in range(2001))
    with pytest.raises(UsageError, match="2000"):
        laboratory(read("G p", "ltl"), long, None)
    with pytest.raises(UsageError, match="parts"):
        laboratory(read("p & (" + " | ".join(f"X q{k}" for k in range(80)) + ")", "ltl"), CSV, None)


def test_columns_that_a_formula_needs() -> None:
    assert columns_for(read("G(p & x + 2*y < 3)", "stl")) == {
        "truths": ["p"],
        "numbers": ["x", "y"],
        "shapes": [],
    }
    found = columns_for(read("F (leftOf(a, b) & dist(a, c) < 2)", "spatial"))
    assert found["shapes"] == ["a", "b", "c"] and found["numbers"] == []


# ---- in the browser ------------------------------------------------------------------------------------------


def evaluated(tab: Tab, formula: str, csv: str) -> Any:
    page = tab.open("/trace")
    page.fill("#formula", formula)
    page.fill("#csv", csv)
    page.click("button.primary")
    page.wait_for_selector("#result:not([aria-busy]) > *")
    return page


def test_every_part_is_shown_over_time(tab: Tab, tmp_path: Path) -> None:
    page = tab.open("/trace")
    page.fill("#formula", FORMULA)
    file = tmp_path / "trace.csv"
    file.write_text(CSV)
    page.set_input_files("#file", file)
    page.wait_for_function("() => document.getElementById('csv').value.length > 0")
    page.click("button.primary")
    page.wait_for_selector(".lab.no")
    assert "first broken at time 3" in page.inner_text(".outcome")
    assert page.locator(".course").count() == 5
    assert page.locator(".course").nth(4).inner_text().splitlines()[-1] == "true at 2"


def test_a_trace_is_drawn_by_keys(tab: Tab) -> None:
    page = tab.open("/trace")
    page.fill("#formula", "F(p & x > 3)")
    page.click("#draw")
    page.wait_for_selector("[aria-label='p at 0']:focus")
    page.keyboard.press("Space")
    page.fill("[aria-label='x at 0']", "5")
    assert page.input_value("#csv").splitlines()[:3] == ["time,p,x", "0,1,5", "1,0,0"]
    page.click("button.primary")
    page.wait_for_selector(".lab.yes")
    assert "robustness 1" in page.inner_text(".outcome")


def test_a_scene_moves(tab: Tab) -> None:
    pytest.importorskip("shapely", reason="geometry needs assent[spatial]")
    page = tab.open("/trace")
    for _ in range(3):
        page.click("#example")
    page.click("button.primary")
    page.wait_for_selector(".moving")
    before = page.get_attribute("[data-shape=robot]", "transform")
    page.focus("#scene-at")
    page.keyboard.press("End")
    assert page.get_attribute("[data-shape=robot]", "transform") != before
    assert "time 10" in page.inner_text("#scene-time")
    page.click("#play")
    page.wait_for_function("() => document.getElementById('scene-at').value === '3'")


def test_markup_and_nonsense_are_text(tab: Tab) -> None:
    page = evaluated(tab, "<b>G p", "time,p\n0,1\n")
    assert page.locator("#result [role=alert]").count() == 1 and page.locator("#result b").count() == 0
    page = evaluated(tab, "G p", "time,<img src=x onerror=alert(1)>\n0,1\n")
    assert "onerror" in page.inner_text("#result [role=alert]") and page.locator("#result img").count() == 0
    tab.errors = [error for error in tab.errors if "422" not in error]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(tab: Tab, axe: str, scheme: str) -> None:
    tab.page.emulate_media(color_scheme=scheme)
    for width in (1100, 360):
        tab.page.set_viewport_size({"width": width, "height": 800})
        page = tab.open("/trace")
        for _ in range(3):
            page.click("#example")
            page.click("button.primary")
            page.wait_for_selector("#result:not([aria-busy]) .lab")
            assert violations(page, axe) == []
        page.click("#draw")
        page.wait_for_selector(".grid-draw")
        assert violations(page, axe) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
