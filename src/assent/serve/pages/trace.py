"""The trace lab: every part of a formula over a recorded trace, and SpaTiaL scenes as moving shapes."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

import msgspec

from assent.errors import UsageError
from assent.io.traces import TraceTable, trace_of
from assent.logic.ast import Compare, Formula, Prop, Relation, Signal, atoms, children, walk
from assent.logic.draw import label
from assent.logic.geometry import Motion, disc, margins
from assent.logic.recorded import Course, measured, on_trace, over_time
from assent.logic.render import write
from assent.logic.robustness import robustness_over_time
from assent.review.meaning import in_english
from assent.serve.pages.markup import Html, el

MOST_SAMPLES, MOST_PARTS = 2000, 60
WIDE, HIGH, LINE = 600, 14, 46
_SHAPE = re.compile(r"([A-Za-z_]\w*)\.(x|y|r|heading)\Z")
FILE = "the trace"


@dataclass(frozen=True)
class Lab:
    """What is shown: times, the parts over them, and the shapes that move, by name (x, y, r at every sample)."""

    formula: Formula
    times: Sequence[Fraction]
    courses: Sequence[Course]
    scene: Mapping[str, list[tuple[float, float, float]]]
    holds: bool
    says: str


def laboratory(formula: Formula, csv: str, period: Fraction | None) -> Lab:
    """Evaluate a formula on a trace; UsageError or FragmentError for what cannot be."""
    table = trace_of(csv.encode(), FILE)
    if len(table.times) > MOST_SAMPLES:
        raise UsageError(f"more than {MOST_SAMPLES} samples: 'assent evaluate' takes longer traces")
    if sum(1 for _ in walk(formula)) > MOST_PARTS:
        raise UsageError(f"more than {MOST_PARTS} parts: too many to show")
    shapes = _shapes(table)
    if shapes:
        return _spatial(formula, table, shapes)
    outcome = on_trace(formula, table.times, table.columns, period=period)
    times, courses = over_time(formula, table.times, table.columns, period=period)
    words = "holds" if outcome.holds else f"does not hold; first broken at time {outcome.first_violation:g}"
    if outcome.robustness is not None:
        words += f"; robustness {outcome.robustness:.4g}"
    time = "each value lasts until the next sample" if outcome.time == "dense" else "one sample a step"
    open_end = "; a window reaches beyond the end of the trace" if outcome.open_end else ""
    return Lab(formula, times, courses, {}, outcome.holds, f"{words} ({time}{open_end}).")


def _shapes(table: TraceTable) -> dict[str, dict[str, list[float]]]:
    """Columns ``name.x``, ``name.y``, ``name.r`` and ``name.heading``, by name."""
    shapes: dict[str, dict[str, list[float]]] = {}
    for column, values in table.columns.items():
        parts = _SHAPE.match(column)
        if parts is not None:
            shapes.setdefault(parts[1], {})[parts[2]] = [float(value) for value in values]
    for name, columns in shapes.items():
        if not {"x", "y"} <= columns.keys():
            raise UsageError(
                f"{name} needs the columns {name}.x and {name}.y ({name}.r is its radius, 0.5 without)"
            )
    return shapes


def _spatial(formula: Formula, table: TraceTable, shapes: Mapping[str, Mapping[str, list[float]]]) -> Lab:
    """Discs that move: margins by geometry, one sample a step."""
    length = len(table.times)
    scene = {
        name: list(zip(c["x"], c["y"], c.get("r", [0.5] * length), strict=True)) for name, c in shapes.items()
    }
    world: dict[str, Motion] = {
        name: [
            disc(x, y, r, heading=shapes[name]["heading"][t] if "heading" in shapes[name] else None)
            for t, (x, y, r) in enumerate(places)
        ]
        for name, places in scene.items()
    }
    step = Fraction(1) if length == 1 else (table.times[-1] - table.times[0]) / (length - 1)
    samples = margins(formula, world)
    courses = []
    for part in dict.fromkeys(walk(formula)):
        values = robustness_over_time(part, samples, step=step)
        courses.append(Course(part, [value >= 0 for value in values], values))
    course = courses[0]
    assert course.margins is not None
    words = f"{'holds' if course.held[0] else 'does not hold'}; robustness {course.margins[0]:.4g} (one sample a step)."
    return Lab(formula, table.times, courses, scene, course.held[0], words)


# ---- HTML ----------------------------------------------------------------------------------------------------


def shown(lab: Lab) -> Html:
    """The outcome, the scene, and one row for every part of the formula."""
    depth = _depths(lab.formula)
    return el(
        "article",
        el(
            "h2",
            el("span", "✓ " if lab.holds else "✗ ", aria_hidden="true"),
            "The formula ",
            lab.says,
            class_="outcome",
            tabindex="-1",
        ),
        el("p", in_english(lab.formula)),
        _scene(lab) if lab.scene else None,
        el("h3", "Every part over time"),
        _axis(lab.times),
        el(
            "ul",
            *(_course(course, lab.times, depth[course.formula]) for course in lab.courses),
            class_="courses",
        ),
        class_=f"panel lab {'yes' if lab.holds else 'no'}",
    )


def _depths(formula: Formula) -> dict[Formula, int]:
    depths: dict[Formula, int] = {}
    stack = [(formula, 0)]
    while stack:
        node, depth = stack.pop()
        depths.setdefault(node, depth)
        stack += [(part, depth + 1) for part in children(node)]
    return depths


def _axis(times: Sequence[Fraction]) -> Html:
    return el(
        "p",
        f"Time {_short(times[0])} to {_short(times[-1])}, {len(times)} samples. A filled bar is true, the line "
        "is the robustness with its zero in the middle.",
        class_="help",
    )


def _course(course: Course, times: Sequence[Fraction], depth: int) -> Html:
    name = write(course.formula)
    return el(
        "li",
        el(
            "p",
            el("code", name),
            " ",
            el("span", f"({label(course.formula)})", class_="help") if depth == 0 else None,
        ),
        _strip(course),
        el("p", _spoken(course, times), class_="help"),
        class_=f"course depth-{min(depth, 6)}",
    )


def _strip(course: Course) -> Html:
    """Truth as a bar, robustness as a line under it."""
    count = len(course.held)
    wide = WIDE / count
    bars, at = [], 0
    for value, run in groupby(course.held):
        length = sum(1 for _ in run)
        look = "true" if value else "false"
        bars.append(
            el("rect", x=f"{at * wide:.1f}", y=2, width=f"{length * wide:.1f}", height=HIGH, class_=look)
        )
        at += length
    line = [] if course.margins is None else _margins(course.margins, wide)
    high = HIGH + 4 if course.margins is None else HIGH + 8 + LINE
    return el(
        "svg",
        *bars,
        *line,
        viewBox=f"0 0 {WIDE} {high}",
        preserveAspectRatio="none",
        aria_hidden="true",
        class_="strip",
    )


def _margins(values: Sequence[float], wide: float) -> list[Html]:
    finite = [abs(value) for value in values if math.isfinite(value)]
    most = max(finite, default=1.0) or 1.0
    middle = HIGH + 6 + LINE / 2
    points = []
    for at, value in enumerate(values):
        share = max(-1.0, min(1.0, value / most)) if math.isfinite(value) else math.copysign(1.0, value)
        y = f"{middle - share * LINE / 2:.1f}"
        points += [f"{at * wide:.1f},{y}", f"{(at + 1) * wide:.1f},{y}"]
    return [
        el("line", x1=0, x2=WIDE, y1=middle, y2=middle, class_="grid"),
        el("polyline", points=" ".join(points), class_="line a"),
    ]


def _spoken(course: Course, times: Sequence[Fraction]) -> str:
    """When it holds, in words, for those who do not see the bar."""
    parts, at = [], 0
    for value, run in groupby(course.held):
        length = sum(1 for _ in run)
        if value:
            first, last = _short(times[at]), _short(times[at + length - 1])
            parts.append(first if length == 1 else f"{first}–{last}")
        at += length
    words = (
        "never true"
        if not parts
        else "always true"
        if all(course.held)
        else f"true at {', '.join(parts[:20])}"
    )
    words += ", …" if len(parts) > 20 else ""
    if course.margins is None:
        return words
    return f"{words}; robustness {course.margins[0]:.4g} at the start, {min(course.margins):.4g} at the least"


def _short(time: Fraction) -> str:
    return f"{float(time):g}"


def _scene(lab: Lab) -> Html:
    """Shapes at the first sample; the module moves them with the slider."""
    places = [place for motion in lab.scene.values() for place in motion]
    left, right = min(x - r for x, _, r in places), max(x + r for x, _, r in places)
    low, high = min(y - r for _, y, r in places), max(y + r for _, y, r in places)
    room = max(right - left, high - low, 1e-9)
    data: dict[str, object] = {
        "times": [_short(time) for time in lab.times],
        "shapes": lab.scene,
        "held": lab.courses[0].held,
    }
    shapes = [
        el(
            "g",
            el("circle", r=motion[0][2], class_=f"shape s{k % 4}"),
            el("text", name, text_anchor="middle", font_size=f"{room / 22:.4g}"),
            data_shape=name,
        )
        for k, (name, motion) in enumerate(lab.scene.items())
    ]
    rim = room / 20
    frame = f"{left - rim:.4g} {-high - rim:.4g} {right - left + 2 * rim:.4g} {high - low + 2 * rim:.4g}"
    return el(
        "figure",
        el("figcaption", "The scene"),
        el(
            "svg",
            el("title", f"{', '.join(lab.scene)} as discs, at one time"),
            *shapes,
            viewBox=frame,
            role="img",
            class_="scene",
        ),
        el(
            "p",
            el("button", "Play", type="button", id="play"),
            el("output", id="scene-time"),
            class_="buttons",
        ),
        el("label", "Time", for_="scene-at"),
        el("input", id="scene-at", type="range", min=0, max=len(lab.times) - 1, value=0),
        data_scene=msgspec.json.encode(data).decode(),
        class_="moving",
    )


def columns_for(formula: Formula) -> dict[str, list[str]]:
    """The names that a trace for a formula needs: true or false, numbers, and shapes."""
    truths: set[str] = set()
    numbers: set[str] = set()
    shapes: set[str] = set()
    for atom in atoms(formula):
        match atom:
            case Prop(name):
                truths.add(name)
            case Relation(_, args):
                shapes |= set(args)
            case Compare(left, _, right):
                for part in (*measured(left), *measured(right)):
                    if isinstance(part, Signal):
                        numbers.add(part.name)
                    else:
                        shapes |= {part.a, part.b}
    return {"truths": sorted(truths), "numbers": sorted(numbers), "shapes": sorted(shapes)}
