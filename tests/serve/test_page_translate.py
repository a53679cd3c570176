"""Translate and choose, in a real browser: accepted, withheld and chosen, neither, and everything as text."""

from __future__ import annotations

from typing import Any

import pytest
from paged import Tab, violations
from served import TEXT, Served

import assent
from assent.ledger import Ledger
from assent.ledger.entries import Kind, ReviewAnswer, ReviewLabel

NAMES = "door_open: door open\nalarm_on: alarm on"
UNCLEAR = "The door opens before the alarm or the light glimmers unless it rains"


def ledger_of(site: Served) -> Ledger:
    return Ledger.open(str(site.log.parent / "ledger.db"))


def translated(tab: Tab, text: str, names: str = "", wait: str = ".outcome") -> Any:
    page = tab.open("/")
    page.fill("#text", text)
    if names:
        page.click("#own-names summary")
        page.fill("#names", names)
    page.keyboard.press("Control+Enter")
    page.wait_for_selector(wait)
    return page


def labels(site: Served, decision: str) -> list[ReviewLabel]:
    with ledger_of(site) as ledger:
        return [ledger.convert(entry, ReviewLabel) for entry in ledger.about(Kind.LABEL, decision)]


def test_an_instruction_is_accepted_and_shown_with_everything(tab: Tab, site: Served) -> None:
    page = translated(tab, TEXT, NAMES, ".decision.accepted")
    assert page.inner_text("#formula") == "G(door_open -> (F[0,5] alarm_on))"
    assert page.inner_text(".english").endswith("within the next 5 seconds.")
    assert page.evaluate("[...document.querySelectorAll('ruby rt')].map(e => e.textContent)") == [
        "door_open",
        "alarm_on",
    ]
    assert page.evaluate("document.activeElement.className") == "outcome"  # a screen reader is taken there
    page.click(".evidence summary")
    for heading in ("Gate", "Samples", "The judge's ratings", "Score"):
        assert page.is_visible(f".evidence h3:text-is({heading!r})")
    assert page.locator(".drawing svg").count() >= 2  # the tree and the line of scores
    with ledger_of(site) as ledger:
        assert ledger.entry(Kind.DECISION, page.get_attribute(".decision", "data-decision")) is not None


def test_formula_is_copied_and_exported(tab: Tab) -> None:
    page = translated(tab, TEXT, NAMES, ".decision.accepted")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.click("text=Copy formula")
    page.wait_for_function("() => document.getElementById('said').textContent === 'Copied.'")
    assert page.evaluate("navigator.clipboard.readText()") == "G(door_open -> (F[0,5] alarm_on))"
    page.select_option("#target", "rtamt")
    with page.expect_download() as found:
        page.click("button:text-is('Export')")
    text = found.value.path().read_text()
    assert "door_open" in text and page.inner_text("#exported pre").strip() == text.strip()
    page.fill("#export-period", "0.5")
    with page.expect_download() as found:
        page.click("button:text-is('Export')")
    assert found.value.path().read_text() == str(
        assent.export("G(door_open -> (F[0,5] alarm_on))", "rtamt", instruction=TEXT, period=0.5)
    )
    for wrong, said in (("soon", "a positive number"), ("2", "a sampling period of 5")):
        page.fill("#export-period", wrong)
        page.click("button:text-is('Export')")
        page.wait_for_selector(f"#exported .error:has-text({said!r})")
        assert "--" not in page.inner_text("#exported .error")
    tab.errors = [error for error in tab.errors if "422" not in error]  # the refusal itself
    page.select_option("#target", "breach")  # its time is the formula's own
    assert page.is_disabled("#export-period")


def test_an_abstention_is_chosen_from_by_one_key(tab: Tab, site: Served) -> None:
    page = translated(tab, UNCLEAR, wait=".decision.abstained .choose")
    shown = page.locator(".reading").count()
    assert 2 <= shown <= 3
    assert page.locator(".difference svg").count() == 1
    assert page.locator(".holds").count() == page.locator(".fails").count() == 1
    decision = page.get_attribute(".choose", "data-decision")
    formula = page.get_attribute("[data-key='2']", "data-choose")
    page.keyboard.press("2")
    page.wait_for_selector(".kept")
    (label,) = labels(site, str(decision))
    assert (label.formula, label.handle, label.how) == (formula, "local", "chosen among the readings")
    with ledger_of(site) as ledger:  # volunteered: it answers no draw
        assert [*ledger.all(ReviewAnswer, Kind.ANSWER)] == []


@pytest.mark.parametrize(
    ("typed", "kept"), [("G !rains", "G !rains"), ("At every time, rains does not hold.", "G !rains")]
)
def test_neither_is_read_back_before_it_counts(tab: Tab, site: Served, typed: str, kept: str) -> None:
    page = translated(tab, UNCLEAR, wait=".choose")
    decision = page.get_attribute(".choose", "data-decision")
    before = len(labels(site, str(decision)))
    page.keyboard.press("0")
    page.keyboard.type(typed)
    page.keyboard.press("Enter")
    page.wait_for_selector(".read-back button")
    assert "rains does not hold" in page.inner_text(".read-back")
    assert len(labels(site, str(decision))) == before
    page.keyboard.press("y")
    page.wait_for_selector(".kept")
    assert labels(site, str(decision))[-1].formula == kept


def test_neither_without_a_formula_and_what_cannot_be_read(tab: Tab, site: Served) -> None:
    page = translated(tab, UNCLEAR, wait=".choose")
    decision = page.get_attribute(".choose", "data-decision")
    page.fill("#mean", "((")
    page.keyboard.press("Enter")
    page.wait_for_selector("#read-back [role=alert]")
    tab.errors = [error for error in tab.errors if "422" not in error]  # the refusal itself
    page.click("text=None of these")
    page.wait_for_selector(".kept")
    assert labels(site, str(decision))[-1].formula is None


HOSTILE = "<img src=x onerror=alert(1)><script>alert(2)</script>\"'&amp;"

WITHOUT_NAMES = """() => {
  const copy = document.querySelector(".sentence").cloneNode(true);
  copy.querySelectorAll("rt, rp").forEach((note) => note.remove());
  return copy.textContent;
}"""


def test_markup_is_text_everywhere(tab: Tab) -> None:
    text = f"Whenever {HOSTILE} holds, always {HOSTILE}"
    page = translated(tab, text, wait=".outcome")
    assert page.evaluate(WITHOUT_NAMES) == text
    page.click(".evidence summary")
    assert page.locator("#result img, #result script, #result [onerror]").count() == 0
    if page.locator("#mean").count():
        page.fill("#mean", HOSTILE)
        page.keyboard.press("Enter")
        page.wait_for_selector("#read-back > *")
        assert page.locator("#read-back img, #read-back script").count() == 0
    page.click("#own-names summary")
    page.fill("#names", "door: <b onclick=alert(1)>door</b>")
    page.keyboard.press("Control+Enter")
    page.wait_for_selector("#result:not([aria-busy]) > *")
    assert (
        page.locator("#result img, #result script, #result [onerror], #result b, #result [onclick]").count()
        == 0
    )
    tab.errors = [error for error in tab.errors if "422" not in error]


def test_a_wrong_line_of_names_is_said(tab: Tab) -> None:
    page = translated(tab, TEXT, "door open", "[role=alert]")
    assert "line 1" in page.inner_text("[role=alert]")
    tab.errors = [error for error in tab.errors if "422" not in error]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1100, 360])
def test_axe_finds_nothing(tab: Tab, axe: str, scheme: str, width: int) -> None:
    tab.page.emulate_media(color_scheme=scheme)
    tab.page.set_viewport_size({"width": width, "height": 800})
    assert violations(tab.open("/"), axe) == []
    for text, names in ((TEXT, NAMES), (UNCLEAR, "")):
        page = translated(tab, text, names)
        page.click(".evidence summary")
        assert violations(page, axe) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
