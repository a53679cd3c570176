"""What others wrote is shown on a terminal and in tables, and does nothing there."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.io import for_cell, for_terminal

ANY = st.text(st.characters(), max_size=60)  # lone surrogates too
BIDI = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c"


@given(ANY, st.booleans())
def test_nothing_that_acts_reaches_a_terminal(text: str, lines: bool) -> None:
    shown = for_terminal(text, lines=lines)
    shown.encode()
    for character in shown:
        assert unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Zl", "Zp") or (
            lines and character in "\n\t"
        )
    assert shown.count("\n") == (text.count("\n") if lines else 0)


@given(st.text(st.characters(categories=["L", "N", "P", "S"]), max_size=60))
def test_plain_text_stays(text: str) -> None:
    if text.isprintable():
        assert for_terminal(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "\x1b[2J\x1b[H",
        "\x1b]0;title\x07",
        "\x1b]52;c;cm0gLXJm\x07",
        "\x9b31m",
        "a\rb",
        "a\x08b",
        "\x1bP+q\x1b\\",
        *BIDI,
        "\u200b",
        "\ufeff",
        "\x00",
        "\u2028",
        "\U000e0041",
    ],
)
def test_known_tricks_are_spelt_out(text: str) -> None:
    shown = for_terminal(f"say {text} again")
    assert shown.startswith("say ") and shown.endswith(" again")
    assert shown.isprintable() and "\\" in shown


def test_spelling() -> None:
    assert for_terminal("a\x1b[31mb\u202e\U000e0041") == "a\\x1b[31mb\\u202e\\U000e0041"
    assert for_terminal("a\tb\nc") == "a\tb\nc"
    assert for_terminal("a\tb\nc", lines=False) == "a\\x09b\\x0ac"


@given(ANY)
def test_no_cell_begins_like_a_formula(text: str) -> None:
    cell = for_cell(text)
    assert cell in (text, f"'{text}")
    begin = cell.lstrip(" \xa0\ufeff\u200b")
    if begin[:1] in tuple("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20") and begin:
        assert float(cell) is not None


@pytest.mark.parametrize(
    "text",
    [
        "=1+1",
        "+cmd|' /C calc'!A0",
        "-2+3+cmd",
        "@SUM(1)",
        "\t=1",
        "\r=1",
        " =1",
        "\ufeff=1",
        "\uff1dHYPERLINK(1)",
        "-x > 3",
    ],
)
def test_formulas_are_defused(text: str) -> None:
    assert for_cell(text) == f"'{text}"


@pytest.mark.parametrize("text", ["", "G a", "-1", "+0.5", "-1e-9", "1", "p -> q", "'=1", "nan", "-inf"])
def test_what_is_no_formula_stays(text: str) -> None:
    assert for_cell(text) == text
