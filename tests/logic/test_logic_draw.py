"""Pictures: well-formed, self-contained, escaped, and showing what is there."""

from __future__ import annotations

import itertools
import random
import xml.etree.ElementTree as ET
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.logic import read, write
from assent.logic.ast import Always, And, Formula, Logic, Not, Prop, atoms, walk
from assent.logic.draw import label, picture, timing_svg, timing_text, tree_svg, tree_text
from assent.logic.semantics import Trace
from assent.logic.testing import random_formula

SVG = "{http://www.w3.org/2000/svg}"
P, Q, R = Prop("p"), Prop("q"), Prop("r")


@st.composite
def some_formulas(draw: st.DrawFn) -> Formula:
    rng = random.Random(draw(st.integers(0, 10**6)))
    return random_formula(
        rng, draw(st.sampled_from(list(Logic))), operators=draw(st.integers(0, 12)), atoms=4
    )


@st.composite
def traces(draw: st.DrawFn) -> Trace:
    state = st.frozensets(st.sampled_from([P, Q, R]))
    runs = draw(st.lists(st.tuples(state, st.integers(1, 30)), min_size=1, max_size=8))
    states = tuple(state for state, times in runs for _ in range(times))
    return Trace(states, draw(st.one_of(st.none(), st.integers(0, len(states) - 1))))


@given(some_formulas())
def test_a_tree_has_every_node_once(formula: Formula) -> None:
    root = ET.fromstring(tree_svg(formula))
    texts = sorted(element.text or "" for element in root.iter(f"{SVG}text"))
    assert texts == sorted(label(node) for node in walk(formula))
    assert len(list(root.iter(f"{SVG}line"))) == len(texts) - 1
    assert [line.lstrip("│├└─ ") for line in tree_text(formula).splitlines()] == [
        label(node) for node in walk(formula)
    ]
    assert tree_text(formula, plain=True).isascii()


@given(some_formulas())
def test_boxes_of_a_level_do_not_overlap(formula: Formula) -> None:
    boxes = [
        (float(e.get("y", 0)), float(e.get("x", 0)), float(e.get("width", 0)))
        for e in ET.fromstring(tree_svg(formula)).iter(f"{SVG}rect")
        if e.get("rx")
    ]
    boxes.sort()
    for (y, x, width), (below, following, _) in itertools.pairwise(boxes):
        assert y != below or x + width < following


@given(traces())
def test_a_diagram_shows_the_trace(trace: Trace) -> None:
    lines = timing_text(trace, [P, Q, R], width=10_000).splitlines()
    columns = [line.split() for line in lines[:4]]
    stretches = list(trace.stretches())
    assert [head.lstrip("|").split("-")[0] for head in columns[0][1:]] == [str(a) for a, _, _ in stretches]
    for row, atom in zip(columns[1:], [P, Q, R], strict=True):
        assert row[0] == write(atom)
        assert [cell[0] == "█" for cell in row[1:]] == [atom in state for _, _, state in stretches]
    expected = "ends here" if trace.loop is None else f"from time {trace.loop}, "
    assert expected in lines[-1]

    drawn = ET.fromstring(timing_svg(trace, [P, Q, R]))
    for line, atom in zip(drawn.iter(f"{SVG}polyline"), [P, Q, R], strict=True):
        heights = [float(point.split(",")[1]) for point in (line.get("points") or "").split()][::2]
        top = min(float(point.split(",")[1]) for point in (line.get("points") or "").split())
        truths = [atom in state for _, _, state in stretches]
        assert len(heights) == len(truths)
        if any(truths):
            assert [height == top for height in heights] == truths


@given(traces(), st.integers(20, 60))
def test_lines_keep_to_the_width(trace: Trace, width: int) -> None:
    text = timing_text(trace, width=width, plain=True)
    assert text.isascii()
    assert all(len(line) <= width for line in text.splitlines()[:-1])


def test_times_follow_the_step() -> None:
    trace = Trace((frozenset([P]), frozenset([P]), frozenset()), None, Fraction(1, 2))
    assert timing_text(trace).splitlines()[0].split() == ["time", "0-0.5", "1"]


def test_nothing_from_elsewhere_and_everything_escaped() -> None:
    nasty = Prop('</text><script>alert("&")</script>\x00')
    for svg in (tree_svg(And((nasty, Not(P)))), timing_svg(Trace((frozenset([nasty]),), 0))):
        root = ET.fromstring(svg)
        assert not {e.tag for e in root.iter()} - {
            f"{SVG}{t}" for t in "svg title rect line text polyline".split()
        }
        assert "href" not in svg
        assert "<script" not in svg


def test_notebooks_show_pictures() -> None:
    trace = Trace((frozenset([P]), frozenset()), 0)
    assert picture(Always(P))._repr_svg_() == tree_svg(Always(P))
    assert picture(trace)._repr_svg_() == trace._repr_svg_() == timing_svg(trace)


@pytest.mark.parametrize("text", ["G[0.5,inf] (x > 3.5 -> !(p U[1,2] q))"])
def test_golden_tree(text: str) -> None:
    formula = read(text, "stl")
    assert len(atoms(formula)) == 3
    assert tree_text(formula).splitlines() == [
        "always [0.5, inf]",
        "└─ implies",
        "   ├─ x > 3.5",
        "   └─ not",
        "      └─ until [1, 2]",
        "         ├─ p",
        "         └─ q",
    ]
