"""The review queue in a real browser, by keys alone."""

from __future__ import annotations

from typing import Any

import pytest
from paged import Tab, violations
from served import NAMES, Served

from assent.ledger import Ledger
from assent.ledger.entries import Contest, Kind, ReviewAnswer
from assent.ledger.outcomes import Reviews

ITEMS = 16
IDLE = "#card:not([aria-busy])"


@pytest.fixture(scope="module")
def queue(site: Served) -> Served:
    """A queue in which everything was drawn once, nothing is looked at twice and nothing is planted."""
    hostile = "If <b onclick=alert(1)>door</b> is open, the alarm is on."
    for number in range(ITEMS):
        text = (
            hostile if number == 0 else f"Whenever the door is open, the alarm is on within {number} seconds."
        )
        site.post("/v1/translate", {"text": text, "vocabulary": NAMES, "logic": "stl", "id": f"<i>{number}"})
    plan = {"audit": "1", "abstained": "1", "twice": "0", "plants": "0"}
    assert site.post("/v1/review/plan", plan).json()["picked"] >= ITEMS - 1
    return site


def ledger_of(site: Served) -> Ledger:
    return Ledger.open(str(site.log.parent / "ledger.db"))


def standing(site: Served, handle: str) -> list[ReviewAnswer]:
    """The answers of a handle that have not been taken back, skips left out."""
    with ledger_of(site) as ledger:
        reviews = Reviews.read(ledger)
        return [a for item in reviews.answers for a in reviews.live(item).values() if a.handle == handle]


def opened(tab: Tab, handle: str) -> Any:
    tab.page.add_init_script(f"localStorage.setItem('assent-handle', {handle!r})")
    page = tab.open("/review")
    page.wait_for_selector(f"{IDLE} .review-card")
    return page


def item(page: Any) -> str:
    return str(page.get_attribute("[data-item]", "data-item"))


def press(page: Any, key: str) -> None:
    """Press a key and wait until the page asks something again."""
    before = page.evaluate("document.querySelector('.review-card').outerHTML")
    page.keyboard.press(key)
    page.wait_for_function(
        "before => document.querySelector('.review-card').outerHTML !== before", arg=before
    )
    page.wait_for_selector(IDLE)


def test_ten_items_by_keys_alone_with_undo(tab: Tab, queue: Served) -> None:
    page = opened(tab, "anna")
    assert "only drawn items count" in page.inner_text("main")
    asked = []
    for key in "1011d10111":
        asked.append(item(page))
        press(page, key)
    assert len(set(asked)) == 10
    given = standing(queue, "anna")
    assert len(given) == 10  # each on disk before the next card
    assert sorted(a.said.value for a in given) == ["formula"] * 7 + ["none"] * 2 + ["unsayable"]
    for back in reversed(asked[-4:]):  # undo, as often as there are answers
        press(page, "u")
        assert item(page) == back
    assert len(standing(queue, "anna")) == 6
    for again in asked[-4:]:
        page.wait_for_selector(f"[data-item='{again}'], [data-item]")
        press(page, "1")
    assert len(standing(queue, "anna")) == 10
    assert "10 of" in page.inner_text("#progress-line")


def test_it_resumes_where_it_stopped_and_two_reviewers_never_share(tab: Tab, queue: Served) -> None:
    page = opened(tab, "berta")
    mine = item(page)
    page.reload()
    page.wait_for_selector(f"{IDLE} [data-item]")
    assert item(page) == mine
    other = queue.http.get("/v1/review/next", params={"handle": "carl"}).json()["card"]
    assert other is None or other["item"] != mine
    press(page, "s")
    assert item(page) != mine
    press(page, "u")  # a skip is taken back, too
    assert item(page) == mine


def test_typed_english_is_read_back_and_markup_stays_text(tab: Tab, queue: Served) -> None:
    page = opened(tab, "dora")
    assert page.locator("#card b, #card i, #card [onclick]").count() == 0
    mine = item(page)
    page.keyboard.press("e")
    page.keyboard.type("door_open & <b>")
    page.keyboard.press("Enter")
    page.wait_for_selector("#read-back > *")
    assert page.locator("#read-back b").count() == 0
    page.fill("#mean", "At every time, door_open holds.")
    page.keyboard.press("Enter")
    page.wait_for_selector(".read-back button")
    assert standing(queue, "dora") == []
    press(page, "y")
    (answer,) = standing(queue, "dora")
    assert (answer.item, answer.formula) == (mine, "G door_open")


def test_a_read_back_goes_with_its_words(tab: Tab, queue: Served) -> None:
    """Nobody confirms a formula that belongs to words they have changed since, however slow the service is."""
    page = opened(tab, "gerda")
    assert page.locator("[data-item]").count(), "nothing is left for another reviewer"
    page.keyboard.press("e")
    page.keyboard.type("G alarm_on")
    page.keyboard.press("Enter")
    page.wait_for_selector(".read-back button")
    waiting: list[Any] = []
    page.route("**/page/typed", lambda route: waiting.append(route))  # noqa: PLW0108  (it takes no builtin)
    page.fill("#mean", "G door_open")
    assert page.locator("#read-back > *").count() == 0
    with page.expect_request("**/page/typed"):
        page.keyboard.press("Enter")
    page.evaluate("document.querySelector('.review-card').focus()")
    page.keyboard.press("y")  # there is nothing to say yes to
    page.fill("#mean", "G !door_open")  # changed while the answer is under way
    with page.expect_response("**/page/typed"):
        waiting[0].continue_()
    page.wait_for_selector("#read-back:not([aria-busy])", state="attached")
    assert page.locator("#read-back > *").count() == 0
    assert standing(queue, "gerda") == []
    page.unroute("**/page/typed")
    page.press("#mean", "Enter")
    page.wait_for_selector(".read-back button")
    press(page, "y")
    (answer,) = standing(queue, "gerda")
    assert answer.formula == "G !door_open"


def test_an_answer_is_contested_with_a_note_that_stays_text(tab: Tab, queue: Served) -> None:
    page = opened(tab, "emma")
    if page.locator("[data-item]").count():  # something to contest, whatever tests have run before
        press(page, "0")
    page.keyboard.press("c")
    page.wait_for_selector("#contestable form")
    note = "<img src=x onerror=alert(1)>"
    page.keyboard.type(note)  # the first field has the focus
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.getElementById('said').textContent.includes('settle')")
    with ledger_of(queue) as ledger:
        assert [c.why for c in ledger.all(Contest, Kind.CONTEST)] == [note]
    page.keyboard.press("c")
    page.wait_for_selector("#contestable > *")
    assert page.locator("#contestable img, #contestable b, #contestable i").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(tab: Tab, queue: Served, axe: str, scheme: str) -> None:
    tab.page.emulate_media(color_scheme=scheme)
    for width in (1100, 360):
        tab.page.set_viewport_size({"width": width, "height": 800})
        page = opened(tab, "fritz")
        if page.locator("[data-item]").count():
            page.keyboard.press("e")
            page.keyboard.press("Escape")
        page.keyboard.press("c")
        page.wait_for_selector("#contestable > *")
        assert violations(page, axe) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
