"""Pictures: a formula as a tree, a trace as a timing diagram, as SVG and as text for the terminal.

The SVG is complete in itself: no scripts, no fonts or styles from elsewhere, every text escaped. In a notebook
``picture(formula)`` shows the tree; a ``Trace`` shows itself.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import assert_never

from assent.logic.ast import (
    EVER,
    Always,
    And,
    Atom,
    Compare,
    Const,
    Eventually,
    Formula,
    Iff,
    Implies,
    Interval,
    Next,
    Not,
    Or,
    Prop,
    Relation,
    Release,
    StrongRelease,
    Until,
    WeakUntil,
    children,
)
from assent.logic.render import decimal, write
from assent.logic.semantics import Trace

INK, PALE, MARK = "#1f2937", "#e5e7eb", "#2563eb"
_CHARACTER = 7.5  # width of one monospaced character at the font size used


@dataclass(frozen=True, slots=True)
class Picture:
    """SVG text that a notebook shows as a picture."""

    svg: str

    def _repr_svg_(self) -> str:
        return self.svg


def picture(thing: Formula | Trace) -> Picture:
    """The tree of a formula or the timing diagram of a trace."""
    return Picture(timing_svg(thing) if isinstance(thing, Trace) else tree_svg(thing))


def label(node: Formula) -> str:
    """What stands at a node of the tree: the operator in words, or the atom."""
    match node:
        case Const() | Prop() | Compare() | Relation():
            return write(node)
        case Not():
            return "not"
        case And():
            return "and"
        case Or():
            return "or"
        case Implies():
            return "implies"
        case Iff():
            return "if and only if"
        case Next():
            return "next"
        case Always(_, within):
            return "always" + _span(within)
        case Eventually(_, within):
            return "eventually" + _span(within)
        case Until(_, _, within):
            return "until" + _span(within)
        case Release(_, _, within):
            return "release" + _span(within)
        case WeakUntil():
            return "weak until"
        case StrongRelease():
            return "strong release"
        case _:
            assert_never(node)


def _span(within: Interval) -> str:
    if within == EVER:
        return ""
    return f" [{decimal(within.low)}, {'inf' if within.high is None else decimal(within.high)}]"


# ---- the formula as a tree ---------------------------------------------------------------------------


def tree_text(formula: Formula, *, plain: bool = False) -> str:
    """The tree with one node a line; ``plain`` keeps to ASCII."""
    branch, last, bar = ("|- ", "`- ", "|  ") if plain else ("├─ ", "└─ ", "│  ")
    lines = []
    stack: list[tuple[Formula, str, str]] = [(formula, "", "")]
    while stack:
        node, lead, under = stack.pop()
        lines.append(lead + label(node))
        parts = children(node)
        for index, part in reversed(list(enumerate(parts))):
            final = index == len(parts) - 1
            stack.append((part, under + (last if final else branch), under + ("   " if final else bar)))
    return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class _Branch:
    """A sub-tree with the room it needs."""

    text: str
    parts: tuple[_Branch, ...]
    own: float
    room: float


def _branch(node: Formula) -> _Branch:
    text, parts = label(node), tuple(map(_branch, children(node)))
    own = len(text) * _CHARACTER + 20
    return _Branch(text, parts, own, max(own, sum(part.room + 12 for part in parts) - 12))


def tree_svg(formula: Formula) -> str:
    """The formula as a tree, root on top."""
    root = _branch(formula)
    lines: list[str] = []
    boxes: list[str] = []
    lowest = 0
    stack = [(root, 10.0, 0)]
    while stack:
        node, left, depth = stack.pop()
        lowest = max(lowest, depth)
        x, y = left + node.room / 2, 52 * depth + 24
        start = x - (sum(part.room + 12 for part in node.parts) - 12) / 2
        for part in node.parts:
            end = start + part.room / 2
            lines.append(f'<line x1="{x:.1f}" y1="{y + 13}" x2="{end:.1f}" y2="{y + 39}" stroke="{INK}"/>')
            stack.append((part, start, depth + 1))
            start += part.room + 12
        fill = "#ffffff" if node.parts else PALE
        boxes.append(
            f'<rect x="{x - node.own / 2:.1f}" y="{y - 13}" width="{node.own:.1f}" height="26" rx="6" '
            f'fill="{fill}" stroke="{INK}"/>'
        )
        boxes.append(_text(x, y + 4.5, node.text, anchor="middle"))
    return _svg(root.room + 20, 52 * (lowest + 1) + 8, lines + boxes, title=write(formula))


# ---- a trace as a timing diagram ---------------------------------------------------------------------


def _rows(trace: Trace, rows: Sequence[Atom] | None) -> list[Atom]:
    if rows is not None:
        return list(rows)
    return sorted({atom for state in trace.states for atom in state}, key=write)


def _time(trace: Trace, position: int) -> str:
    return decimal(Fraction(position) * trace.step)


def _ending(trace: Trace) -> str:
    if trace.loop is None:
        return "The trace ends here."
    if trace.loop == len(trace) - 1:
        return f"The last state, from time {_time(trace, trace.loop)}, stays for ever."
    return f"Then again from time {_time(trace, trace.loop)}, for ever."


def timing_text(
    trace: Trace, rows: Sequence[Atom] | None = None, *, width: int = 100, plain: bool = False
) -> str:
    """The trace with one atom a row and one column for every stretch of equal states.

    A filled cell is true, a dotted one false. ``rows`` says which atoms to show (all that are ever true).
    """
    shown = _rows(trace, rows)
    names = ["time", *(write(atom) for atom in shown)]
    margin = min(max(map(len, names)), 40)
    true, false = ("#", ".") if plain else ("█", "·")
    blocks: list[list[str]] = []
    line_length = width + 1
    for first, last, state in trace.stretches():
        head = _time(trace, first) + ("" if first == last else f"-{_time(trace, last)}")
        room = max(len(head), 2)
        if trace.loop == first and first < len(trace) - 1:
            head, room = f"|{head}", room + 1
        cells = [head.ljust(room), *((true if atom in state else false) * room for atom in shown)]
        if line_length + room + 1 > width:
            blocks.append([name[:margin].ljust(margin) + " " for name in names])
            line_length = margin + 1
        blocks[-1] = [line + " " + cell for line, cell in zip(blocks[-1], cells, strict=True)]
        line_length += room + 1
    return "\n\n".join("\n".join(line.rstrip() for line in block) for block in blocks) + "\n" + _ending(trace)


def timing_svg(trace: Trace, rows: Sequence[Atom] | None = None) -> str:
    """The trace as a timing diagram: a line is high where its atom is true; the part that repeats is tinted."""
    shown = _rows(trace, rows)
    margin = max([len(write(atom)) for atom in shown] + [4]) * _CHARACTER + 24
    x, edges = margin, []
    shapes: list[str] = []
    for first, last, state in trace.stretches():
        head = _time(trace, first) + ("" if first == last else f"–{_time(trace, last)}")
        # A long stretch is drawn a little longer, not to scale: the numbers say how long it is.
        wide = max(30.0, len(head) * _CHARACTER + 10) + min(last - first, 10) * 6
        edges.append((x, x + wide, state, head, first))
        x += wide
    bottom = 34 + 34 * len(shown)
    for left, right, _, head, first in edges:
        if trace.loop is not None and first >= trace.loop:
            shapes.append(
                f'<rect x="{left:.1f}" y="6" width="{right - left:.1f}" height="{bottom - 6}" fill="#eff6ff"/>'
            )
        shapes.append(f'<line x1="{left:.1f}" y1="26" x2="{left:.1f}" y2="{bottom}" stroke="{PALE}"/>')
        shapes.append(_text(left + 3, 20, head))
    shapes.append(_text(8, 20, "time"))
    for row, atom in enumerate(shown):
        top = 40 + 34 * row
        points = []
        for left, right, state, _, _ in edges:
            y = top if atom in state else top + 20
            points += [f"{left:.1f},{y}", f"{right:.1f},{y}"]
        shapes.append(_text(8, top + 16, write(atom)))
        shapes.append(f'<polyline points="{" ".join(points)}" fill="none" stroke="{MARK}" stroke-width="2"/>')
    shapes.append(_text(8, bottom + 18, _ending(trace)))
    width = max(x, len(_ending(trace)) * _CHARACTER + 8) + 12
    return _svg(width, bottom + 30, shapes, title="A trace as a timing diagram")


# ---- SVG ---------------------------------------------------------------------------------------------


def _escaped(text: str) -> str:
    return html.escape("".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text))


def _text(x: float, y: float, text: str, *, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y}" text-anchor="{anchor}">{_escaped(text)}</text>'


def _svg(width: float, height: float, shapes: Sequence[str], *, title: str) -> str:
    body = "\n".join(shapes)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" role="img" font-family="monospace" font-size="12.5" '
        f'fill="{INK}">\n<title>{_escaped(title)}</title>\n'
        f'<rect width="100%" height="100%" fill="#ffffff"/>\n{body}\n</svg>\n'
    )
