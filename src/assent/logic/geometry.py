"""SpaTiaL on real geometry: how true each relation is of discs and polygons that move over time.

A shape is a point or polygon (``core``) with a round rim of ``radius``: a disc is a point with a rim, exactly
round. ``y`` points up. The unit of every margin is the unit of the coordinates, except ``oriented`` (radians).

    dist(a, b)         signed: the gap, or minus how deep they sink into each other
    leftOf, rightOf    the gap between the extents along x, negative where they meet
    above, below       the same along y
    closeTo, farFrom   close - dist, dist - far
    touch              tolerance - |dist|
    ovlp               -dist
    enclIn(a, b)       how far a stays from the rim of b inside, negative where it leaves b
    partOvlp           ovlp, and neither is enclosed in the other
    between(a, b, c)   the middle of a lies in the convex hull of b and c, and a overlaps neither
    closerTo(a, b, c)  dist(a, c) - dist(a, b)
    oriented(a, b)     facing - the angle between the heading of a and the direction to the middle of b

The depth of two polygons that overlap is that of their convex hulls (exact for convex ones); the hull in
``between`` takes rims as polygons of 64 corners. Everything else is exact up to floating point.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from assent.errors import FragmentError, MissingExtraError
from assent.logic.ast import Abs, Arithmetic, Compare, Dist, Formula, Negative, Relation, Term, atoms
from assent.logic.dense import dense_robustness
from assent.logic.robustness import robustness

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry
else:
    BaseGeometry = Any


@dataclass(frozen=True, slots=True)
class Thresholds:
    """What the vague relations mean here."""

    close: float = 1.0
    far: float = 2.0
    touch: float = 0.01
    facing: float = math.radians(15)


DEFAULT = Thresholds()


@dataclass(frozen=True, slots=True)
class Shape:
    """``core`` (a shapely point or polygon) and all that is within ``radius`` of it."""

    core: BaseGeometry
    radius: float = 0.0
    heading: float | None = None

    def moved(self, dx: float, dy: float, turn: float = 0.0) -> Shape:
        """The shape at another place, turned about its middle (radians, counter-clockwise)."""
        affinity = _shapely().affinity
        core = affinity.rotate(self.core, turn, origin="centroid", use_radians=True) if turn else self.core
        heading = None if self.heading is None else self.heading + turn
        return Shape(affinity.translate(core, dx, dy), self.radius, heading)


Motion: TypeAlias = Shape | Sequence[Shape]
"""One shape for what stays where it is, otherwise one for every sample."""


def disc(x: float, y: float, radius: float, *, heading: float | None = None) -> Shape:
    """An exactly round disc; radius 0 is a point."""
    if not (math.isfinite(x) and math.isfinite(y) and radius >= 0 and math.isfinite(radius)):
        raise FragmentError("a disc needs a finite middle and a radius of at least 0")
    return Shape(_shapely().geometry.Point(x, y), radius, heading)


def polygon(corners: Sequence[tuple[float, float]], *, heading: float | None = None) -> Shape:
    """A simple polygon by its corners."""
    if len(corners) < 3 or not all(math.isfinite(value) for corner in corners for value in corner):
        raise FragmentError("a polygon needs at least three corners, all finite")
    core = _shapely().geometry.Polygon(corners)
    if not core.is_valid or core.area == 0:
        raise FragmentError("the corners cross one another or enclose no area")
    return Shape(core, 0.0, heading)


def spatial_robustness(
    formula: Formula,
    world: Mapping[str, Motion],
    *,
    thresholds: Thresholds = DEFAULT,
    at: int = 0,
    step: Fraction = Fraction(1),
) -> float:
    """The robustness of a SpaTiaL formula of named shapes over time, one sample a step."""
    return robustness(formula, margins(formula, world, thresholds=thresholds), at=at, step=step)


def dense_spatial_robustness(
    formula: Formula,
    world: Mapping[str, Motion],
    *,
    thresholds: Thresholds = DEFAULT,
    step: Fraction = Fraction(1),
) -> float:
    """The same in dense time: every sample stays until the next one, the last for one step."""
    signals = margins(formula, world, thresholds=thresholds)
    steps = {name: [(t * step, value) for t, value in enumerate(values)] for name, values in signals.items()}
    return dense_robustness(formula, steps, end=step * max(map(len, steps.values())))


def margins(
    formula: Formula, world: Mapping[str, Motion], *, thresholds: Thresholds = DEFAULT
) -> dict[str | Relation | Dist, list[float]]:
    """The margin of every relation and the value of every distance in the formula, sample by sample."""
    lengths = {len(motion) for motion in world.values() if not isinstance(motion, Shape)}
    if len(lengths) > 1 or 0 in lengths:
        raise FragmentError("every moving shape needs the same number of samples, at least one")
    length = lengths.pop() if lengths else 1
    found: dict[str | Relation | Dist, list[float]] = {}
    for wanted in _spatial(formula):
        names = wanted.args if isinstance(wanted, Relation) else (wanted.a, wanted.b)
        measure = _measure(wanted, thresholds)
        motions = [_motion(name, world) for name in names]
        found[wanted] = [
            measure(*(motion if isinstance(motion, Shape) else motion[t] for motion in motions))
            for t in range(length)
        ]
    return found or {"": [0.0] * length}


def _motion(name: str, world: Mapping[str, Motion]) -> Motion:
    if name not in world:
        raise FragmentError(f"there is no shape for {name}")
    return world[name]


def _spatial(formula: Formula) -> list[Relation | Dist]:
    found: dict[Relation | Dist, None] = {}
    for atom in atoms(formula):
        if isinstance(atom, Relation):
            found.setdefault(atom)
        elif isinstance(atom, Compare):
            stack: list[Term] = [atom.left, atom.right]
            while stack:
                match stack.pop():
                    case Dist() as term:
                        found.setdefault(term)
                    case Arithmetic(_, left, right):
                        stack += [left, right]
                    case Negative(arg) | Abs(arg):
                        stack.append(arg)
                    case _:
                        pass
    return list(found)


def _measure(wanted: Relation | Dist, limits: Thresholds) -> Callable[..., float]:
    if isinstance(wanted, Dist):
        return distance
    measures: dict[str, Callable[..., float]] = {
        "leftOf": lambda a, b: _extent(b)[0] - _extent(a)[2],
        "rightOf": lambda a, b: _extent(a)[0] - _extent(b)[2],
        "above": lambda a, b: _extent(a)[1] - _extent(b)[3],
        "below": lambda a, b: _extent(b)[1] - _extent(a)[3],
        "closeTo": lambda a, b: limits.close - distance(a, b),
        "farFrom": lambda a, b: distance(a, b) - limits.far,
        "touch": lambda a, b: limits.touch - abs(distance(a, b)),
        "ovlp": lambda a, b: -distance(a, b),
        "partOvlp": lambda a, b: min(-distance(a, b), -enclosure(a, b), -enclosure(b, a)),
        "enclIn": enclosure,
        "between": _between,
        "closerTo": lambda a, b, c: distance(a, c) - distance(a, b),
        "oriented": lambda a, b: limits.facing - _angle(a, b),
    }
    if wanted.name not in measures:
        raise FragmentError(f"no geometry for the relation {wanted.name}")
    return measures[wanted.name]


def distance(a: Shape, b: Shape) -> float:
    """Signed distance: the gap between two shapes, or minus the shortest way that parts them."""
    gap = float(a.core.distance(b.core))
    if gap == 0 and not a.core.touches(b.core):
        gap = -_depth(a.core, b.core)
    return gap - a.radius - b.radius


def _depth(a: BaseGeometry, b: BaseGeometry) -> float:
    """How far inside the Minkowski difference of the two hulls the origin is: the shortest way out."""
    geometry = _shapely().geometry
    differences = [(xa - xb, ya - yb) for xa, ya in _corners(a) for xb, yb in _corners(b)]
    hull = geometry.MultiPoint(differences).convex_hull
    return float(hull.boundary.distance(geometry.Point(0, 0))) if hull.geom_type == "Polygon" else 0.0


def enclosure(a: Shape, b: Shape) -> float:
    """How far ``a`` stays inside the rim of ``b``; negative: how far it reaches out."""
    if b.core.covers(a.core):
        inside = float(a.core.distance(b.core.boundary)) if b.core.area else 0.0
    else:
        geometry = _shapely().geometry
        outside = a.core.difference(b.core) if a.core.area else a.core
        inside = -max(b.core.distance(geometry.Point(corner)) for corner in _corners(outside))
    return inside + b.radius - a.radius


def _between(a: Shape, b: Shape, c: Shape) -> float:
    hull = (
        (b.core.buffer(b.radius) if b.radius else b.core)
        .union(c.core.buffer(c.radius) if c.radius else c.core)
        .convex_hull
    )
    return min(enclosure(Shape(a.core.centroid), Shape(hull)), distance(a, b), distance(a, c))


def _angle(a: Shape, b: Shape) -> float:
    if a.heading is None:
        raise FragmentError("oriented needs a heading of its first shape (radians, 0 along x)")
    here, there = a.core.centroid, b.core.centroid
    turn = math.atan2(there.y - here.y, there.x - here.x) - a.heading
    return abs(math.remainder(turn, 2 * math.pi))


def _extent(shape: Shape) -> tuple[float, float, float, float]:
    """Left, bottom, right, top."""
    left, bottom, right, top = shape.core.bounds
    return left - shape.radius, bottom - shape.radius, right + shape.radius, top + shape.radius


def _corners(core: BaseGeometry) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in _shapely().get_coordinates(core)]


def _shapely() -> Any:
    try:
        import shapely
        import shapely.affinity
        import shapely.geometry
    except ImportError:
        raise MissingExtraError("geometry", "spatial") from None
    return shapely
