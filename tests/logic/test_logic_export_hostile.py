"""Whatever an instruction says, an exported file gives it no meaning."""

from __future__ import annotations

import ast
import io
import json
import tokenize

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from assent.errors import FragmentError
from assent.logic import read
from assent.logic.export import TARGETS, export

FORMULAS = (
    read("G[0,5](a -> F[0,3] b)", "stl"),
    read("G(a -> F b)", "ltl"),
    read("F enclIn(a, b)", "spatial"),
)
HOSTILE = (
    "coding: utf-7",
    "-*- coding: unicode_escape -*-\\u000aimport os",
    "vim: set fileencoding=rot13 :",
    "x\nimport os\n",
    "ends with a backslash \\",
    "*/ evil(); /*",
    "x\r\nimport os",
    "x\u2028import os",
    "Tür \u202e \x00",
)


@pytest.mark.parametrize("target", sorted(TARGETS))
@pytest.mark.parametrize("text", HOSTILE)
def test_an_instruction_changes_comments_only(target: str, text: str) -> None:
    _same_code(target, text)


@settings(max_examples=60)
@given(st.sampled_from(sorted(TARGETS)), st.text(max_size=40), st.sampled_from(["", "coding:", "coding="]))
@example("rtamt", "utf-7", "coding: ")
def test_no_text_changes_more_than_comments(target: str, text: str, before: str) -> None:
    _same_code(target, before + text)


def _same_data(target: str, text: str) -> None:
    for formula in FORMULAS[:2]:
        try:
            plain, hostile = (
                json.loads(export(formula, target, instruction=said).text) for said in (None, text)
            )
        except FragmentError:
            continue
        said = hostile["assentSpec"]["Requirements"][0].pop("fretish")
        assert said.isascii() and said.isprintable() and not said.endswith("\\")
        plain["assentSpec"]["Requirements"][0].pop("fretish")
        assert plain == hostile


def _same_code(target: str, text: str) -> None:
    if target == "json":  # data: the text is kept as it is
        return
    if target == "ogma":  # data whose description becomes a comment of code
        _same_data(target, text)
        return
    for formula in FORMULAS:
        try:
            plain, hostile = export(formula, target), export(formula, target, instruction=text)
        except FragmentError:
            continue
        extra = [line for line in hostile.text.split("\n") if line not in plain.text.split("\n")]
        assert len(extra) <= 1 and all(
            line[:2] in ("# ", "--", "//", "% ") and line.isascii() for line in extra
        )
        if hostile.filename.endswith(".py"):
            encoding, _ = tokenize.detect_encoding(io.BytesIO(hostile.text.encode()).readline)
            assert encoding == "utf-8"
            assert ast.dump(ast.parse(hostile.text.encode())) == ast.dump(ast.parse(plain.text.encode()))
