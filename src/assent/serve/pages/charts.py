"""Charts as SVG: shapes have classes and no colours, so that the style sheet draws them light or dark."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from assent.serve.pages.markup import Html, el, join

WIDE, HIGH = 640, 260
_LEFT, _RIGHT, _TOP, _BOTTOM = 60, 24, 12, 40


SHORTEST = 1e-200


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis: what it measures, from where to where. ``percent`` writes 0.1 as 10 %."""

    says: str
    low: float
    high: float
    percent: bool = False

    @property
    def _span(self) -> float:
        """How far it goes; an axis too short to be divided counts as 1 long."""
        span = self.high - self.low
        return span if span > SHORTEST else 1.0

    def label(self, value: float) -> str:
        """A value as it is written at the axis."""
        return f"{100 * value:.3g} %" if self.percent else f"{value:.3g}"

    def ticks(self) -> list[float]:
        """Four to seven round values."""
        span = self._span
        step = 10.0 ** math.floor(math.log10(span / 4))
        step *= next(k for k in (1, 2, 5, 10) if span / (step * k) <= 6)
        first = math.ceil(self.low / step - 1e-9)
        return [round(k * step, 12) for k in range(first, math.floor(self.high / step + 1e-9) + 1)]

    def at(self, value: float, room: float) -> float:
        """Where a value stands, between 0 and ``room``."""
        share = (value - self.low) / self._span
        return room * min(1.0, max(0.0, share))


@dataclass(frozen=True, slots=True)
class Series:
    """Points of one line; ``look`` is its class (a, b, c, ...)."""

    says: str
    look: str
    points: Sequence[tuple[float, float]]
    steps: bool = False


@dataclass(frozen=True, slots=True)
class Mark:
    """A vertical line at ``x`` with a few words."""

    says: str
    x: float
    look: str = "mark"


@dataclass(frozen=True)
class Chart:
    """Lines over one pair of axes."""

    title: str
    x: Axis
    y: Axis
    series: Sequence[Series] = ()
    marks: Sequence[Mark] = ()
    bars: Sequence[tuple[float, float, float]] = field(default=())
    """(from, to, height) of a histogram."""
    band: Sequence[tuple[float, float, float]] = field(default=())
    """(x, low, high) of a shaded region."""

    def html(self, id_: str | None = None) -> Html:
        """The chart in a figure with its title; the title is what a screen reader reads."""
        legend = el("ul", *(el("li", s.says, class_=f"key {s.look}") for s in self.series), class_="legend")
        return el(
            "figure",
            el("figcaption", self.title),
            self.svg(),
            legend if len(self.series) > 1 else None,
            class_="chart",
            id=id_,
        )

    def svg(self) -> Html:
        """The drawing alone."""
        shapes = [*self._grid(), *self._bars(), *self._band(), *map(self._line, self.series), *self._marks()]
        return el(
            "svg",
            el("title", self._spoken()),
            *shapes,
            viewBox=f"0 0 {WIDE} {HIGH}",
            role="img",
            class_="plot",
        )

    def _spoken(self) -> str:
        marks = ", ".join(f"{mark.says} at {self.x.label(mark.x)}" for mark in self.marks)
        return f"{self.title}: {self.y.says} over {self.x.says}" + (f"; {marks}" if marks else "")

    def _x(self, value: float) -> str:
        return f"{_LEFT + self.x.at(value, WIDE - _LEFT - _RIGHT):.1f}"

    def _y(self, value: float) -> str:
        return f"{HIGH - _BOTTOM - self.y.at(value, HIGH - _TOP - _BOTTOM):.1f}"

    def _grid(self) -> list[Html]:
        lines: list[Html] = []
        bottom = HIGH - _BOTTOM
        for value in self.x.ticks():
            at = self._x(value)
            lines.append(el("line", x1=at, x2=at, y1=_TOP, y2=bottom, class_="grid"))
            lines.append(_text(at, bottom + 16, self.x.label(value), "middle"))
        for value in self.y.ticks():
            at = self._y(value)
            lines.append(el("line", x1=_LEFT, x2=WIDE - _RIGHT, y1=at, y2=at, class_="grid"))
            lines.append(_text(_LEFT - 6, float(at) + 4, self.y.label(value), "end"))
        lines.append(_text((_LEFT + WIDE - _RIGHT) / 2, HIGH - 6, self.x.says, "middle"))
        turned = f"translate(12 {(_TOP + bottom) / 2:.0f}) rotate(-90)"
        lines.append(el("text", self.y.says, transform=turned, text_anchor="middle"))
        return lines

    def _bars(self) -> list[Html]:
        return [
            el(
                "rect",
                x=self._x(left),
                width=f"{max(1.0, float(self._x(right)) - float(self._x(left)) - 1):.1f}",
                y=self._y(height),
                height=f"{float(self._y(self.y.low)) - float(self._y(height)):.1f}",
                class_="bar",
            )
            for left, right, height in self.bars
        ]

    def _band(self) -> list[Html]:
        if not self.band:
            return []
        top = [f"{self._x(x)},{self._y(high)}" for x, _, high in self.band]
        low = [f"{self._x(x)},{self._y(bottom)}" for x, bottom, _ in reversed(self.band)]
        return [el("polygon", points=" ".join(top + low), class_="band")]

    def _line(self, series: Series) -> Html:
        points: list[str] = []
        before: float | None = None
        for x, y in series.points:
            if series.steps and before is not None:
                points.append(f"{self._x(x)},{self._y(before)}")
            points.append(f"{self._x(x)},{self._y(y)}")
            before = y
        return el("polyline", points=" ".join(points), class_=f"line {series.look}")

    def _marks(self) -> list[Html]:
        shapes: list[Html] = []
        for row, mark in enumerate(self.marks):
            at = self._x(mark.x)
            late = float(at) > WIDE * 0.7
            shapes.append(el("line", x1=at, x2=at, y1=_TOP, y2=HIGH - _BOTTOM, class_=f"marked {mark.look}"))
            shapes.append(
                _text(
                    float(at) + (-5 if late else 5),
                    _TOP + 12 + 15 * row,
                    mark.says,
                    "end" if late else "start",
                )
            )
        return shapes


def histogram(values: Sequence[float], bins: int = 24) -> list[tuple[float, float, float]]:
    """Counts of values as bars of equal width."""
    if not values:
        return []
    low, high = min(values), max(values)
    wide = ((high - low) or 1.0) / bins
    counts = [0] * bins
    for value in values:
        counts[min(bins - 1, int((value - low) / wide))] += 1
    return [(low + k * wide, low + (k + 1) * wide, float(count)) for k, count in enumerate(counts)]


def bars(rows: Sequence[tuple[str, float, float, str]]) -> Html:
    """(name, value, most, how the value is written) as a list of bars."""
    items = [
        join(
            [
                el("dt", name),
                el("dd", el("meter", label, min=0, max=most, value=value, aria_label=name), " ", label),
            ]
        )
        for name, value, most, label in rows
    ]
    return el("dl", *items, class_="bars")


def _text(x: str | float, y: float, text: str, anchor: str) -> Html:
    return el("text", text, x=x, y=y, text_anchor=anchor)
