"""What is put into a page is text there: read back by the standard library's own parser."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

pytest.importorskip("starlette", reason="the service is not installed (assent[serve])")

from assent.errors import UsageError
from assent.policy.decide import UNNAMED
from assent.serve.pages.charts import Axis, Chart, Mark, Series, histogram
from assent.serve.pages.markup import Html, el, join, table
from assent.serve.pages.mounted import static
from assent.serve.pages.names import vocabulary_of
from assent.serve.pages.sentence import sentence
from assent.serve.pages.views import VIEWS
from assent.serve.pages.words import for_page

TEXTS = st.text(st.characters(blacklist_categories=("Cs",)), max_size=60)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (UNNAMED, "name yours under “Names of your own”"),
        ("a smaller alpha or a lower --ceiling (fewer)", "a smaller alpha or a lower ceiling (fewer)"),
        ("scores cut short: decide with --full", "whoever runs the service can have all scores made"),
        ("review a few decisions ('assent review')", "review a few decisions (under “Review”)"),
        ("choose one with --any-vocabulary", "choose one with any vocabulary"),
        ("G (a --> b) -- a dash, x--y", "G (a --> b) -- a dash, x--y"),
    ],
)
def test_the_page_names_no_options_of_a_command_line(text: str, shown: str) -> None:
    found = for_page(text)
    assert shown in found and not re.search(r" --\w", found)


class Seen(HTMLParser):
    """Elements, attributes and text of a piece of HTML."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""
        self._quiet = 0
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        self._quiet += tag in ("rt", "rp")

    def handle_endtag(self, tag: str) -> None:
        self._quiet -= tag in ("rt", "rp")

    def handle_data(self, data: str) -> None:
        self.text += "" if self._quiet else data


def printed(text: str) -> str:
    """What is left of a text: control characters become a mark."""
    return "".join(c if c.isprintable() or c in "\n\t" else "\N{REPLACEMENT CHARACTER}" for c in text)


@given(TEXTS, TEXTS)
@example("<script>alert(1)</script>", '" onload="x')
def test_text_and_attributes_come_back(text: str, value: str) -> None:
    seen = Seen(el("p", text, title=value))
    assert seen.tags == ["p"]
    assert seen.text == printed(text)
    assert seen.attributes == [("title", printed(value))]


@given(st.lists(TEXTS, min_size=1, max_size=4))
def test_a_table_holds_its_cells_as_text(cells: list[str]) -> None:
    seen = Seen(table(["h"] * len(cells), [cells], "caption"))
    assert seen.text == "caption" + "h" * len(cells) + "".join(map(printed, cells))
    assert not set(seen.tags) - {"div", "table", "caption", "thead", "tbody", "tr", "th", "td"}


def test_markup_is_not_escaped_twice() -> None:
    assert join([el("b", "<"), "<", None, 3]) == "<b>&lt;</b>&lt;3"
    assert isinstance(join([]), Html)


@given(TEXTS, st.dictionaries(TEXTS, TEXTS, max_size=4), st.lists(TEXTS, max_size=3))
@example("The door & the <b>door</b>", {"door": "<i>"}, ["the"])
def test_a_sentence_keeps_every_character(text: str, names: dict[str, str], unread: list[str]) -> None:
    """Marks are added, nothing is lost, moved or taken for markup."""
    seen = Seen(sentence(text, names, unread))
    assert seen.text == printed(text)
    assert not set(seen.tags) - {"p", "u", "ruby", "rt", "rp"}


def test_a_sentence_marks_whole_words_and_spans() -> None:
    found = sentence(
        "Doors: the door opens", {"door": "door_open"}, [{"start": 16, "end": 21, "text": "opens"}]
    )
    assert found.count("<ruby>") == 1 and "<ruby>door<" in found
    assert '<u class="unread" title="not read">opens</u>' in found


def test_spans_that_make_no_sense_are_left_out() -> None:
    assert "<u" not in sentence("abc", {}, [{"start": 2, "end": 99, "text": "?"}])


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=50))
def test_a_histogram_counts_everything_once(values: list[float]) -> None:
    found = histogram(values)
    assert sum(height for _, _, height in found) == len(values)
    assert all(left <= right for left, right, _ in found)


@given(
    st.lists(st.tuples(st.floats(-1e9, 1e9), st.floats(-1e9, 1e9)), max_size=20),
    st.floats(-1e9, 1e9),
    st.floats(-1e9, 1e9),
)
def test_a_chart_is_drawn_inside_its_frame(
    points: list[tuple[float, float]], low: float, high: float
) -> None:
    axis = Axis("x", min(low, high), max(low, high))
    svg = Chart("t", axis, axis, [Series("s", "a", points)], [Mark("m", low)]).svg()
    seen = Seen(svg)
    (drawn,) = [value for key, value in seen.attributes if key == "points"]
    for pair in (drawn or "").split():
        x, y = map(float, pair.split(","))
        assert 0 <= x <= 640 and 0 <= y <= 260
    assert len(axis.ticks()) <= 8


def test_names_are_read_from_lines() -> None:
    found = vocabulary_of("door_open: door open\n\nsignal speed = vehicle speed\nobject box\n", "min")
    assert found == {
        "propositions": [
            {"name": "door_open", "says": "door open", "type": "bool"},
            {"name": "speed", "says": "vehicle speed", "type": "number"},
        ],
        "objects": [{"name": "box", "says": "", "type": "bool"}],
        "regions": [],
        "time_unit": "min",
    }
    assert vocabulary_of(" \n", "s") is None
    assert vocabulary_of('{"propositions": ["p"]}', "s") == {"propositions": ["p"]}


@pytest.mark.parametrize("text", ["door open: x", "1door: x", "{", '{"a"', "a: b\n<b>: c"])
def test_names_that_make_no_sense_are_refused(text: str) -> None:
    with pytest.raises(UsageError):
        vocabulary_of(text, "s")


@given(TEXTS)
def test_any_text_for_names_is_read_or_refused(text: str) -> None:
    try:
        found: Any = vocabulary_of(text, None)
    except UsageError:
        return
    assert found is None or isinstance(found, dict)


def test_views_need_no_inline_code_and_stay_small(capsys: pytest.CaptureFixture[str]) -> None:
    total = sum(len(content) for content, _ in static().values())
    for path, make in VIEWS:
        page = make()
        total += len(page.encode())
        seen = Seen(page)
        assert not [key for key, _ in seen.attributes if key.startswith("on") or key == "style"], path
        assert "style" not in seen.tags
        sources = [value or "" for key, value in seen.attributes if key in ("src", "href")]
        assert all(source.startswith(("/", "#")) and not source.startswith("//") for source in sources), path
    with capsys.disabled():
        print(f"\nthe page: {total} bytes in all")
    assert total <= 150_000
