"""Spatial relations on shapes: against formulas known for discs and boxes, shapely's predicates, and search."""

from __future__ import annotations

import json
import math
import os
import random
import subprocess
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

pytest.importorskip("shapely", reason="shapely is not installed (extra: spatial)")
import shapely

from assent.errors import FragmentError
from assent.logic import read
from assent.logic.ast import Always, And, Compare, Constant, Dist, Eventually, Interval, Not, Relation, Until
from assent.logic.dialect import RELATIONS
from assent.logic.geometry import (
    DEFAULT,
    Shape,
    Thresholds,
    dense_spatial_robustness,
    disc,
    distance,
    enclosure,
    margins,
    polygon,
    spatial_robustness,
)

numbers = st.integers(-40, 40).map(lambda n: n / 8)
radii = st.integers(0, 24).map(lambda n: n / 8)
discs = st.builds(disc, numbers, numbers, radii)


@st.composite
def boxes(draw: st.DrawFn) -> tuple[float, float, float, float]:
    x, y = draw(numbers), draw(numbers)
    return x, y, x + draw(st.integers(1, 24)) / 8, y + draw(st.integers(1, 24)) / 8


@st.composite
def convex(draw: st.DrawFn) -> Shape:
    points = draw(st.lists(st.tuples(numbers, numbers), min_size=3, max_size=7, unique=True))
    hull = shapely.MultiPoint(points).convex_hull
    assume(hull.geom_type == "Polygon" and hull.area > 0.1)
    return Shape(hull)


shapes = st.one_of(discs, convex())


def box(left: float, bottom: float, right: float, top: float) -> Shape:
    return polygon([(left, bottom), (right, bottom), (right, top), (left, top)])


def value(relation: str, *among: Shape, limits: Thresholds = DEFAULT) -> float:
    names = "abc"[: len(among)]
    atom = Relation(relation, tuple(names))
    return spatial_robustness(atom, dict(zip(names, among, strict=True)), thresholds=limits)


@given(numbers, numbers, radii, numbers, numbers, radii)
def test_discs_by_hand(x: float, y: float, r: float, u: float, v: float, s: float) -> None:
    a, b = disc(x, y, r), disc(u, v, s)
    apart = math.hypot(x - u, y - v)
    assert distance(a, b) == pytest.approx(apart - r - s)
    assert enclosure(a, b) == pytest.approx(s - r - apart)
    assert value("leftOf", a, b) == pytest.approx((u - s) - (x + r))
    assert value("above", a, b) == pytest.approx((y - r) - (v + s))


@given(boxes(), boxes())
def test_boxes_by_hand(p: tuple, q: tuple) -> None:
    a, b = box(*p), box(*q)
    gaps = (max(p[0], q[0]) - min(p[2], q[2]), max(p[1], q[1]) - min(p[3], q[3]))
    if max(gaps) >= 0:
        expected = math.hypot(max(gaps[0], 0), max(gaps[1], 0))
    else:
        # The shortest way out: leave to the left, right, bottom or top.
        expected = -min(p[2] - q[0], q[2] - p[0], p[3] - q[1], q[3] - p[1])
    assert distance(a, b) == pytest.approx(expected)
    inside = min(p[0] - q[0], p[1] - q[1], q[2] - p[2], q[3] - p[3])
    if inside >= 0:
        assert enclosure(a, b) == pytest.approx(inside)
    else:
        out = max(
            math.hypot(max(q[0] - x, x - q[2], 0), max(q[1] - y, y - q[3], 0))
            for x in (p[0], p[2])
            for y in (p[1], p[3])
        )
        assert enclosure(a, b) == pytest.approx(-out)


@settings(max_examples=60)
@given(shapes, shapes)
def test_the_signed_distance_is_the_shortest_way_apart(a: Shape, b: Shape) -> None:
    gap = distance(a, b)
    assume(abs(gap) > 1e-6)
    tries = [(math.cos(k * math.pi / 180), math.sin(k * math.pi / 180)) for k in range(0, 360, 3)]
    if gap < 0:
        # Shorter ways never part them; somewhere a way hardly longer does.
        assert all(distance(a.moved(-gap * 0.99 * x, -gap * 0.99 * y), b) < 1e-9 for x, y in tries)
        assert any(distance(a.moved(-gap * 1.01 * x, -gap * 1.01 * y), b) > -0.01 for x, y in tries)
    else:
        assert all(distance(a.moved(gap * 0.99 * x, gap * 0.99 * y), b) > 0 for x, y in tries)


@given(convex(), convex())
def test_signs_agree_with_predicates(a: Shape, b: Shape) -> None:
    overlap = value("ovlp", a, b)
    assume(abs(overlap) > 1e-9)
    assert (overlap > 0) == a.core.intersects(b.core)
    inside = value("enclIn", a, b)
    assume(abs(inside) > 1e-9)
    assert (inside > 0) == a.core.within(b.core)
    back = value("enclIn", b, a)
    assume(abs(back) > 1e-9)
    assert (value("partOvlp", a, b) > 0) == a.core.overlaps(b.core)


@given(shapes, shapes, shapes)
def test_symmetric_and_inverse_relations(a: Shape, b: Shape, c: Shape) -> None:
    for name, info in RELATIONS.items():
        if name == "oriented":
            continue
        if info.arity == 2 and info.symmetric:
            assert value(name, a, b) == pytest.approx(value(name, b, a))
        if info.inverse is not None:
            assert value(name, a, b) == value(info.inverse, b, a)
    assert value("between", a, b, c) == pytest.approx(value("between", a, c, b))
    assert value("closerTo", a, b, c) == pytest.approx(-value("closerTo", a, c, b))


@given(shapes, shapes, numbers, numbers, st.floats(-3, 3))
def test_moving_everything_changes_no_distance(a: Shape, b: Shape, dx: float, dy: float, turn: float) -> None:
    assert distance(a.moved(dx, dy), b.moved(dx, dy)) == pytest.approx(distance(a, b), abs=1e-9)
    if a.radius:
        assert distance(a.moved(0, 0, turn), b) == pytest.approx(distance(a, b), abs=1e-9)


def test_vague_relations_follow_their_thresholds() -> None:
    a, b = disc(0, 0, 1), disc(5, 0, 1)
    limits = Thresholds(close=4, far=2.5, touch=0.5)
    assert value("closeTo", a, b, limits=limits) == pytest.approx(1)
    assert value("farFrom", a, b, limits=limits) == pytest.approx(0.5)
    assert value("touch", a, b, limits=limits) == pytest.approx(-2.5)
    assert value("touch", a, disc(2, 0, 1), limits=limits) == pytest.approx(0.5)


def test_between_and_oriented() -> None:
    left, right = disc(-5, 0, 1), disc(5, 0, 1)
    assert value("between", disc(0, 0, 0.5), left, right) == pytest.approx(1, abs=0.01)
    assert value("between", disc(0, 2, 0.5), left, right) < 0
    assert value("between", disc(4.5, 0, 1), left, right) < 0
    facing = disc(0, 0, 1, heading=0.0)
    assert value("oriented", facing, right) == pytest.approx(math.radians(15))
    assert value("oriented", facing, left) == pytest.approx(math.radians(15) - math.pi)
    assert value("oriented", facing.moved(0, 0, math.pi), left) == pytest.approx(math.radians(15))
    with pytest.raises(FragmentError, match="heading"):
        value("oriented", left, right)


def test_a_formula_over_time() -> None:
    """A disc passes a box: left of it until it is above it, and it never comes closer than 0.5."""
    goal = box(4, -1, 6, 1)
    path = [disc(t, 3, 0.5) for t in range(8)]
    world = {"robot": path, "goal": goal}
    apart = Always(Compare(Dist("robot", "goal"), ">=", Constant(Fraction(1, 2))))
    assert spatial_robustness(apart, world) == pytest.approx(1.0)
    beside = Not(Relation("leftOf", ("robot", "goal")))
    passed = Until(Relation("above", ("robot", "goal")), beside, Interval(Fraction(0), Fraction(5)))
    assert spatial_robustness(passed, world) == pytest.approx(1.5)
    soon = Eventually(Relation("rightOf", ("robot", "goal")), Interval(Fraction(0), Fraction(7)))
    assert spatial_robustness(soon, world) == pytest.approx(0.5)
    assert spatial_robustness(And((apart, soon)), world, at=7) == pytest.approx(0.5)
    assert dense_spatial_robustness(soon, world) == pytest.approx(0.5)
    assert margins(soon, world)[Relation("rightOf", ("robot", "goal"))][-1] == pytest.approx(0.5)


def test_bad_worlds_are_refused() -> None:
    touch = Relation("touch", ("a", "b"))
    with pytest.raises(FragmentError, match="no shape for b"):
        spatial_robustness(touch, {"a": disc(0, 0, 1)})
    with pytest.raises(FragmentError, match="same number"):
        spatial_robustness(touch, {"a": [disc(0, 0, 1)], "b": [disc(0, 0, 1)] * 2})
    for corners in ([(0, 0), (1, 1)], [(0, 0), (1, 1), (2, 2)], [(0, 0), (2, 2), (2, 0), (0, 2)]):
        with pytest.raises(FragmentError):
            polygon(corners)
    with pytest.raises(FragmentError):
        disc(0, math.nan, 1)
    with pytest.raises(FragmentError):
        disc(0, 0, -1)


SPATIAL_SPEC = """
import json, sys
import numpy as np
from spatial_spec.geometry import DynamicObject, Polygon, PolygonCollection
from spatial_spec.logic import Spatial

answers = []
for case in json.load(sys.stdin):
    spatial = Spatial(quantitative=True)
    for name, places in case["world"].items():
        moving = DynamicObject()
        for t, corners in enumerate(places):
            moving.addObject(PolygonCollection({Polygon(np.array(corners))}), t)
        spatial.assign_variable(name, moving)
    tree = spatial.parse(case["formula"])
    answers.append(float(spatial.interpret(tree, 0, case["last"])))
print(json.dumps(answers))
"""


@pytest.mark.peer
def test_as_spatial_spec_where_it_is_right() -> None:
    """Signed distances of convex polygons, enclosure, and G, F over them (until there means something else).

    spatial-spec needs an environment of its own (numpy < 2); ASSENT_SPATIAL_SPEC names its Python.
    """
    python = os.environ.get("ASSENT_SPATIAL_SPEC")
    if not python or not Path(python).exists():
        pytest.skip("spatial-spec is not installed (set ASSENT_SPATIAL_SPEC to a Python that has it)")
    rng, cases, ours = random.Random(7), [], []
    texts = [
        "(F (a ovlp b))",
        "(G (a ovlp b))",
        "(F (a enclosedin b))",
        "(F (a dist b <= 2))",
        "(F (G (a ovlp b)))",
        "(G (F (a dist b >= 1)))",
    ]
    while len(cases) < 60:
        world = {name: [_hull(rng) for _ in range(5)] for name in "ab"}
        text = rng.choice(texts)
        formula = read(text, "spatial")
        cases.append({"world": world, "formula": text, "last": 4})
        ours.append(
            spatial_robustness(
                formula, {name: [polygon(p) for p in places] for name, places in world.items()}
            )
        )
    done = subprocess.run(
        [python, "-c", SPATIAL_SPEC], input=json.dumps(cases), capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout.splitlines()[-1]) == pytest.approx(ours, abs=1e-6)


def _hull(rng: random.Random) -> list[tuple[float, float]]:
    while True:
        x, y, spread = rng.uniform(-2, 2), rng.uniform(-2, 2), rng.uniform(0.5, 4)
        points = [(rng.gauss(x, spread), rng.gauss(y, spread)) for _ in range(5)]
        hull = shapely.MultiPoint(points).convex_hull
        if hull.geom_type == "Polygon" and hull.area > 0.5:
            return list(hull.exterior.coords)[:-1]
