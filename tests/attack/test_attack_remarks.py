"""Remarks beside requirements: how many of those that nobody fitted anything on pass, and what is doubted for it."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.logic.parse import read
from assent.scoring.apart import LONGEST, PLACES, idle_part, idle_sentence, remark_weights, silent_parts
from assent.scoring.plain import plain_doubts

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "devtools"))
from attack import RULES, attached

REMARKS = (Path(__file__).parent / "remarks.txt").read_text(encoding="utf-8").splitlines()
PASS = {"colon": 113, "sentence": 30, "dash": 125, "commas": 115}
"""How many of the 175 remarks pass at each place; the numbers may only become smaller."""
ALARMS = 0.005
"""Share of written requirements with a part that is doubted; in domains left out it is 0.0102."""


@pytest.mark.parametrize("where", PASS)
def test_few_remarks_pass(where: str) -> None:
    passed = []
    for number, remark in enumerate(REMARKS):
        one, other, formula = RULES[(number + list(PASS).index(where)) % 3]
        text = attached(remark, where, one, other)
        if not plain_doubts(text, read(formula, "ltl")):
            passed.append(text)
    assert len(REMARKS) == 175
    assert len(passed) <= PASS[where], passed


@pytest.mark.parametrize(("one", "other", "formula"), RULES)
def test_the_requirements_alone_are_not_doubted(one: str, other: str, formula: str) -> None:
    for said in ("please", "sooner or later", "no exceptions", "at all times", "every time"):
        for text in (f"{one}, {other}.", f"{one}, {said}, {other}.", f"{one}, {other}, {said}."):
            assert idle_part(text, read(formula, "ltl")) is None, text


@pytest.mark.parametrize(
    ("text", "doubted"),
    [
        ("Exactly one of the two, (siren_on) and (lamp_on), is true.", False),
        ("First the siren is on and, along with it, the lamp.", False),
        ("The siren is on (going from none to one), and then the lamp.", False),
        ("The siren is on, and then the lamp. That is false.", True),
        ("The siren is on, along with it all, and then the lamp, not really.", True),
    ],
)
def test_what_adds_nothing_is_no_remark(text: str, doubted: bool) -> None:
    assert (idle_part(text, read("F(siren_on & F lamp_on)", "ltl")) is not None) == doubted


@pytest.mark.parametrize(
    "remark", ["Ship it", "Approved", "Known good", "So just wave it in", "Scratch that", "Or maybe not"]
)
@given(more=st.text())
def test_what_follows_takes_no_doubt_away(remark: str, more: str) -> None:
    """Whoever appends words to a doubted text has a doubted text."""
    one, other, formula = RULES[0]
    assert idle_part(f"{one}, {other}. {remark}. {more}", read(formula, "ltl")) is not None


def test_written_requirements_are_seldom_doubted() -> None:
    """Every seventh row. The weights were learnt from these rows: ``training/fit_remarks.py`` says what folds say."""
    written = pytest.importorskip("assent_train.written", reason="assent-train is not installed")
    rows = [row for row in written.rows() if row.formula is not None and row.family[:5] != "doubt"][::7]
    doubted = 0
    for row in rows:
        named = [mark.said for mark in row.marks if mark.kind in "[<"]
        doubted += idle_part(row.text, row.formula, named) is not None
    assert len(rows) > 4000
    assert doubted <= ALARMS * len(rows)


def test_no_remark_was_learnt_from() -> None:
    fitted = (Path(__file__).parents[2] / "training" / "remarks.txt").read_text(encoding="utf-8")
    lines = {line.lower() for line in fitted.splitlines()}
    assert len(lines) > 2000
    assert [remark for remark in REMARKS if remark.lower() in lines] == []


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("Note: the door is open.", ["head"]),
        ("Well, the door is open, please.", ["start", "tail"]),
        ("The door, I say, is open. Fine.", ["middle", "sentence"]),
        ("The door is open\nSo be it\nThe door is open", ["sentence"]),
        ("The door is open (really)", ["tail"]),
        ("Fine. Good.", []),  # nothing names anything: the names say nothing
    ],
)
def test_where_a_part_stands(text: str, places: list[str]) -> None:
    assert [place for place, _ in silent_parts(text, frozenset({"door", "open"}))] == places


def test_sentences_name_by_what_was_taken_for_a_name() -> None:
    tree = read("G(siren_on -> lamp_on)", "ltl")
    text = "If it howls, the lamp is on. That thing howls forever and ever loudly."
    assert idle_sentence(text, tree) is not None
    assert idle_sentence(text, tree, {"howls": "siren_on"}) is None
    assert idle_sentence(text, tree, {"howls": "dog_barks"}) is not None  # a name that the formula leaves out


def test_the_weights_are_small_and_fast() -> None:
    weights = remark_weights()
    assert {f"{place}:{length}" for place in PLACES for length in range(1, LONGEST + 1)} <= weights.keys()
    file = Path(__file__).parents[2] / "src" / "assent" / "scoring" / "remarks.txt"
    assert file.stat().st_size < 100_000
    one, other, formula = RULES[0]
    tree, text = (
        read(formula, "ltl"),
        f"At night, {one[0].lower()}{one[1:]}, sooner or later, {other}, please.",
    )
    best = 1.0
    for _ in range(20):
        begun = time.process_time()
        for _ in range(20):
            idle_part(text, tree)
        best = min(best, (time.process_time() - begun) / 20)
    assert best < 0.0003
