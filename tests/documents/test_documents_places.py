"""Where a requirement begins and ends: editors underline exactly it, and edits replace exactly it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from documents_kit import HERE
from hypothesis import given, settings
from hypothesis import strategies as st

from assent.documents.needs import read_needs
from assent.documents.readers import read_document, read_text
from assent.documents.written import WrittenRequirement
from assent.errors import UsageError


def slice_of(text: str, requirement: WrittenRequirement) -> str:
    """What stands between beginning and end."""
    assert requirement.end is not None
    lines = text.split("\n")
    (last, behind), first = requirement.end, requirement.line
    if first == last:
        return lines[first - 1][requirement.column - 1 : behind - 1]
    inner = lines[first : last - 1]
    return "\n".join([lines[first - 1][requirement.column - 1 :], *inner, lines[last - 1][: behind - 1]])


MARKDOWN = """# Pump

- R-1: The **pump** shall `stay` off
  until the valve is open.
- R-2: The lid is never open. The lamp shall be on; the horn shall be off.

The pump shall:

- R-3: stop within *5 seconds*,
  whatever comes

| id | requirement |
|---|---|
| R-4 | The [lamp](x.md) shall be on. |

Ünïcödé 🐱 words: the \N{CAT FACE} shall never bark.
"""


def test_markdown_knows_the_end_of_each_requirement() -> None:
    found = {r.id: slice_of(MARKDOWN, r) for r in read_text(MARKDOWN, "pump.md").requirements}
    assert found["R-1"] == "The **pump** shall `stay` off\n  until the valve is open."
    assert found["R-2.1"] == "The lid is never open."
    assert found["R-2.2"] == "The lamp shall be on" and found["R-2.3"] == "the horn shall be off."
    assert found["R-3"] == "stop within *5 seconds*,\n  whatever comes"
    assert found["R-4"] == "The [lamp](x.md) shall be on."
    assert "Ünïcödé 🐱 words: the 🐱 shall never bark." in found.values()


@pytest.mark.parametrize("name", ["pool.md", "organ.txt"])
def test_documents_stand_where_they_say(name: str) -> None:
    text = (HERE / "data" / name).read_text("utf-8")
    document = read_text(text, str(HERE / "data" / name))
    assert document == read_document(HERE / "data" / name)
    exact = 0
    for requirement in document.requirements:
        there = " ".join(slice_of(text, requirement).split())
        exact += there == requirement.text
        assert there.split()[-1].strip("*`_") == requirement.text.split()[-1]
    assert exact >= len(document.requirements) // 2 > 10


@settings(max_examples=300, deadline=None)
@given(
    words=st.lists(st.text(min_size=1, max_size=6), min_size=1, max_size=6),
    ascii_only=st.booleans(),
    indent=st.sampled_from([None, 2]),
)
def test_a_need_is_found_whatever_is_escaped(words: list[str], ascii_only: bool, indent: int | None) -> None:
    said = "The pump " + " ".join(words) + ' "shall"\n stop at once'
    need = {"id": "R-1", "type": "req", "content": said}
    text = json.dumps(
        {"current_version": "1", "versions": {"1": {"needs": {"R-1": need}}}},
        ensure_ascii=ascii_only,
        indent=indent,
    )
    found = read_needs(text, "needs.json").requirements
    for requirement in found:
        whole = json.loads(f'"{slice_of(text, requirement)}"')
        assert " ".join(whole.split()) == requirement.text
    assert " ".join(said.split()).endswith(found[-1].text)


def test_only_texts_can_be_read_while_they_are_written() -> None:
    with pytest.raises(UsageError, match="is not Markdown"):
        read_text("a,b\n", "x.csv")
    table = HERE / "data" / "sauna.csv"
    assert all(r.end is None for r in read_document(table).requirements)


def test_line_ends_do_not_move_places(tmp_path: Path) -> None:
    crossed = MARKDOWN.replace("\n", "\r\n")
    assert read_text(crossed, "pump.md") == read_text(MARKDOWN, "pump.md")
