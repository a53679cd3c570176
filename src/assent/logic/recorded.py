"""A formula on a recorded trace: is it true, by how much, and where is it broken first?

Truth is exact: values are the decimals that were written, and the finite trace is evaluated by ``semantics`` (one
sample a step) where sampling is regular and every bound is a whole number of samples, and in dense time (each value
lasts until the next one, see ``cells``) otherwise. The trace ends with its last sample: what was to happen later has
not happened.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Literal, TypeAlias, assert_never

from assent.errors import FragmentError
from assent.logic.ast import (
    Abs,
    Always,
    And,
    Arithmetic,
    Atom,
    Comparator,
    Compare,
    Constant,
    Dist,
    Formula,
    Implies,
    Interval,
    Negative,
    Next,
    Prop,
    Relation,
    Signal,
    Term,
    atoms,
    walk,
)
from assent.logic.cells import POINT, cells, on_cells, tick_of
from assent.logic.render import decimal, write
from assent.logic.robustness import robustness, robustness_over_time
from assent.logic.semantics import Trace, truth
from assent.logic.timescale import bounds_of, reach_of, scaled

Value: TypeAlias = Fraction | bool
Columns: TypeAlias = Mapping[str, Sequence[Value]]
Held: TypeAlias = list[bool]

MAX_CELLS = 1_000_000
"""Cells of a trace that is evaluated in dense time: two for each tick."""
_JITTER = Fraction(2, 1_000_000)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a formula is worth on a trace.

    ``robustness`` is given where numbers are compared and the margin is finite. ``first_violation`` is the time of the
    first sample at which what must always hold does not (of the first sample of all where nothing must always hold).
    ``time`` says which semantics; ``period`` is that of the samples, None if they are not regular. ``open_end``: a
    window with an end may reach beyond the last sample.
    """

    holds: bool
    robustness: float | None
    first_violation: float | None
    time: Literal["discrete", "dense"]
    period: Fraction | None
    samples: int
    open_end: bool

    def __bool__(self) -> bool:
        return self.holds


def on_trace(
    formula: Formula, times: Sequence[Fraction], columns: Columns, *, period: Fraction | None = None
) -> Outcome:
    """Evaluate a formula at the first sample. ``times`` grow; ``columns`` has as many values for each name.

    ``period`` resamples first: at each multiple of it the last value counts. FragmentError if a name of the formula
    has no column, a proposition's values are no truth values, or the trace is too long for dense time.
    """
    if not times:
        raise FragmentError("the trace has no samples")
    if period is not None:
        times, columns = resampled(times, columns, period)
    recorded, regular, step = _settled(formula, times, columns, period)
    return recorded.dense(regular) if step is None else recorded.discrete(step, regular)


def _settled(
    formula: Formula, times: Sequence[Fraction], columns: Columns, period: Fraction | None
) -> tuple[_Recorded, Fraction | None, Fraction | None]:
    """The atoms on the samples, the period, and the time of a step; no step where time is dense."""
    if not times:
        raise FragmentError("the trace has no samples")
    regular = period or period_of(times)
    recorded = _Recorded(formula, times, columns)
    timed = bounds_of(formula)
    step = regular if timed else Fraction(1)
    if step is not None and all((bound / step).denominator == 1 for bound in timed):
        return recorded, regular, step
    if any(isinstance(node, Next) for node in walk(formula)):
        raise FragmentError(
            "next beside intervals needs samples at a regular period of which the bounds are whole multiples "
            f"(found {_said(regular)}); give a period to resample by"
        )
    return recorded, regular, None


def period_of(times: Sequence[Fraction]) -> Fraction | None:
    """The time between two samples if it is always the same but for rounding, else None; 1 for a single sample."""
    if len(times) == 1:
        return Fraction(1)
    mean = (times[-1] - times[0]) / (len(times) - 1)
    if any(abs(b - a - mean) > mean * _JITTER for a, b in pairwise(times)):
        return None
    simple = mean.limit_denominator(10_000)
    return simple if simple > 0 and abs(simple - mean) <= mean * _JITTER else mean


def resampled(
    times: Sequence[Fraction], columns: Columns, period: Fraction
) -> tuple[list[Fraction], dict[str, list[Value]]]:
    """The values at the first time and at every period after it, each the last one recorded by then."""
    if period <= 0:
        raise FragmentError("a sampling period is positive")
    count = int((times[-1] - times[0]) / period) + 1
    if count > 50 * len(times) + 1_000_000:
        raise FragmentError(f"a period of {decimal(period)} would make {count} samples")
    chosen: list[int] = []
    at = 0
    for k in range(count):
        while at + 1 < len(times) and times[at + 1] <= times[0] + k * period:
            at += 1
        chosen.append(at)
    grid = [times[0] + k * period for k in range(count)]
    return grid, {name: [values[place] for place in chosen] for name, values in columns.items()}


@dataclass(frozen=True, slots=True)
class Course:
    """A part of a formula over time: at every sample whether it holds, and by how much where that can be measured."""

    formula: Formula
    held: list[bool]
    margins: list[float] | None


def over_time(
    formula: Formula, times: Sequence[Fraction], columns: Columns, *, period: Fraction | None = None
) -> tuple[list[Fraction], list[Course]]:
    """The times of the samples, and every part of a formula over them, the whole first. As ``on_trace`` decides."""
    if period is not None:
        times, columns = resampled(times, columns, period)
    recorded, regular, step = _settled(formula, times, columns, period)
    return list(times), recorded.course(step, regular)


@dataclass(frozen=True, slots=True)
class _Setting:
    """How a formula is evaluated: its bounds times ``scale``, what a part then means, and where the samples stand."""

    scale: Fraction
    meaning: Callable[[Formula], Formula]
    held: Mapping[Atom, Held]
    samples: Mapping[str | Relation | Dist, list[float | bool]]
    places: Sequence[int]

    @property
    def trace(self) -> Trace:
        """The atoms that hold at each place."""
        held = self.held.items()
        return Trace(
            tuple(frozenset(a for a, values in held if values[t]) for t in range(self.places[-1] + 1))
        )


class _Recorded:
    """The atoms of a formula on the samples."""

    def __init__(self, formula: Formula, times: Sequence[Fraction], columns: Columns) -> None:
        self.formula, self.times = formula, times
        self._columns = {_plain(name): values for name, values in columns.items()}
        self._names = ", ".join(columns)
        self.held = {atom: self._held(atom) for atom in atoms(formula)}

    def discrete(self, step: Fraction, period: Fraction | None) -> Outcome:
        """One sample a step: bounds are counted in samples, and next is the next sample."""
        return self._outcome(*self._evaluated(self._stepped(step)), "discrete", period)

    def dense(self, period: Fraction | None) -> Outcome:
        """Each value lasts until the next sample."""
        return self._outcome(*self._evaluated(self._lasting(period)), "dense", period)

    def course(self, step: Fraction | None, period: Fraction | None) -> list[Course]:
        """Every part of the formula at every sample; dense time where there is no ``step``."""
        on = self._lasting(period) if step is None else self._stepped(step)
        trace = on.trace
        found: dict[Formula, Course] = {}
        for part in walk(self.formula):
            if part not in found:
                meant = on.meaning(scaled(part, on.scale))
                held = truth(meant, trace)
                by_how_much = any(isinstance(atom, Compare) for atom in atoms(part))
                margins = robustness_over_time(meant, on.samples) if by_how_much else None
                found[part] = Course(
                    part,
                    [held[at] for at in on.places],
                    None if margins is None else [margins[at] for at in on.places],
                )
        return list(found.values())

    def _stepped(self, step: Fraction) -> _Setting:
        return _Setting(1 / step, lambda part: part, self.held, self._samples(), range(len(self.times)))

    def _lasting(self, period: Fraction | None) -> _Setting:
        after = [time - self.times[0] for time in self.times]
        tick = tick_of([*after, *bounds_of(self.formula)])
        places = [int(time / tick) for time in after]
        if 2 * places[-1] > MAX_CELLS:
            raise FragmentError(
                f"samples at {_said(period)} and these bounds have only {decimal(tick)} as common measure, "
                "which is too fine for dense time: give a period to resample by"
            )
        points = [k % 2 == 0 for k in range(2 * places[-1] + 1)]
        held = {atom: cells(values, places) for atom, values in self.held.items()} | {POINT: points}
        samples = {name: cells(values, places) for name, values in self._samples().items()}
        samples[POINT.name] = [math.inf if point else -math.inf for point in points]
        return _Setting(2 / tick, on_cells, held, samples, [2 * place for place in places])

    def _evaluated(self, on: _Setting) -> tuple[bool, float | None, Fraction | None]:
        """Truth, margin, and where it is broken."""
        formula, trace = scaled(self.formula, on.scale), on.trace

        def value(part: Formula) -> Held:
            return truth(on.meaning(part), trace)

        holds = value(formula)[0]
        margin = robustness(on.meaning(formula), on.samples) if self._is_measured() else None
        return holds, margin, None if holds else self._broken(formula, value, on.places)

    def _outcome(
        self,
        holds: bool,
        margin: float | None,
        broken: Fraction | None,
        time: Literal["discrete", "dense"],
        period: Fraction | None,
    ) -> Outcome:
        finite = None if margin is None or math.isinf(margin) else margin
        shown = None if broken is None else float(broken)
        reach = reach_of(self.formula)
        ends = not bounds_of(self.formula) or (reach is not None and reach <= self.times[-1] - self.times[0])
        return Outcome(holds, finite, shown, time, period, len(self.times), not ends)

    def _broken(self, formula: Formula, value: Callable[[Formula], Held], places: Sequence[int]) -> Fraction:
        """The time of the first sample at which something that must always hold does not."""

        def first(part: Formula) -> int | None:
            match part:
                case And(args):
                    return min((at for at in map(first, args) if at is not None), default=None)
                case Implies(left, right):
                    return first(right) if value(left)[0] else None
                case Always(arg, within):
                    held = value(arg)
                    return next((k for k, at in enumerate(places) if _in(at, within) and not held[at]), None)
                case _:
                    return None if value(part)[0] else 0

        return self.times[first(formula) or 0]

    # ---- atoms -----------------------------------------------------------------------------------------------

    def _is_measured(self) -> bool:
        return any(isinstance(atom, Compare) for atom in self.held)

    def _samples(self) -> dict[str | Relation | Dist, list[float | bool]]:
        """What ``robustness`` takes: truth values for propositions and relations, numbers for what is compared."""
        samples: dict[str | Relation | Dist, list[float | bool]] = {}
        for atom, values in self.held.items():
            match atom:
                case Prop(name):
                    samples[name] = list(values)
                case Relation():
                    samples[atom] = list(values)
                case Compare(left, _, right):
                    for part in (*measured(left), *measured(right)):
                        key = part.name if isinstance(part, Signal) else part
                        samples[key] = [float(value) for value in self._numbers(part)]
                case _:
                    assert_never(atom)
        return samples

    def _held(self, atom: Atom) -> Held:
        match atom:
            case Prop(name):
                return self._truths(name)
            case Relation():
                return self._truths(write(atom))
            case Compare(left, op, right):
                one, other = self._term(left), self._term(right)
                return [_meets(x, op, y) for x, y in zip(one, other, strict=True)]
            case _:
                assert_never(atom)

    def _column(self, name: str) -> Sequence[Value]:
        if _plain(name) not in self._columns:
            raise FragmentError(f"the trace has no column for {name}; it has {self._names}")
        return self._columns[_plain(name)]

    def _truths(self, name: str) -> Held:
        values = self._column(name)
        for time, value in zip(self.times, values, strict=True):
            if value not in (0, 1):
                raise FragmentError(
                    f"{name} is a proposition, and its value at time {decimal(time)} is {decimal(Fraction(value))}: "
                    "write true or false, 1 or 0"
                )
        return [bool(value) for value in values]

    def _numbers(self, term: Signal | Dist) -> list[Fraction]:
        name = term.name if isinstance(term, Signal) else f"dist({term.a},{term.b})"
        if isinstance(term, Dist) and _plain(name) not in self._columns:
            name = f"dist({term.b},{term.a})"
        return [Fraction(value) for value in self._column(name)]

    def _term(self, term: Term) -> list[Fraction]:
        match term:
            case Signal() | Dist():
                return self._numbers(term)
            case Constant(value):
                return [value] * len(self.times)
            case Negative(arg):
                return [-x for x in self._term(arg)]
            case Abs(arg):
                return [abs(x) for x in self._term(arg)]
            case Arithmetic(op, left, right):
                pairs = zip(self._term(left), self._term(right), strict=True)
                return [x + y if op == "+" else x - y if op == "-" else x * y for x, y in pairs]
            case _:
                assert_never(term)


def _in(time: int, within: Interval) -> bool:
    return within.low <= time and (within.high is None or time <= within.high)


def _plain(name: str) -> str:
    """Relations and distances without spaces: ``leftOf(a, b)`` is ``leftOf(a,b)``."""
    return "".join(name.split()) if "(" in name else name


def measured(term: Term) -> Iterator[Signal | Dist]:
    """The signals and distances of a term."""
    match term:
        case Signal() | Dist():
            yield term
        case Negative(arg) | Abs(arg):
            yield from measured(arg)
        case Arithmetic(_, left, right):
            yield from measured(left)
            yield from measured(right)
        case Constant():
            return
        case _:
            assert_never(term)


def _meets(left: Fraction, op: Comparator, right: Fraction) -> bool:
    match op:
        case "<":
            return left < right
        case "<=":
            return left <= right
        case ">":
            return left > right
        case ">=":
            return left >= right
        case "==":
            return left == right
        case "!=":
            return left != right
        case _:
            assert_never(op)


def _said(period: Fraction | None) -> str:
    return "irregular times" if period is None else f"a period of {decimal(period)}"
