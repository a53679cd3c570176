"""Formulas for other tools. Each target says which fragment it takes, rewrites what it can, refuses the rest."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from assent.errors import FragmentError, UsageError
from assent.logic.ast import Formula
from assent.logic.export import checkers, ltl_tools, monitors, other_tools, stl_tools
from assent.logic.export.base import Export, Head, Target
from assent.logic.render import decimal
from assent.logic.timescale import bounds_of, scaled

__all__ = ["TARGETS", "Export", "Target", "export"]

TARGETS: dict[str, Target] = {
    target.name: target
    for room in (ltl_tools, checkers, stl_tools, monitors, other_tools)
    for target in room.TARGETS
}


def export(
    formula: Formula, target: str, *, instruction: str | None = None, period: Fraction | None = None
) -> Export:
    """The formula as text that ``target`` runs; FragmentError if it cannot say it.

    ``period`` is the time between two samples (steps) of a tool that counts steps, in the formula's unit of time; 1 if
    nothing is said, and the export says so. Bounds that are no whole numbers of steps are refused. UsageError for an
    unknown target, or a period where the tool has the formula's own time.
    """
    if target not in TARGETS:
        raise UsageError(f"no export target {target!r}; there are {', '.join(TARGETS)}")
    chosen = TARGETS[target]
    if not chosen.sampled:
        if period is not None:
            raise UsageError(f"{target} takes no sampling period: its time is that of the formula")
        return chosen.emit(formula, Head(formula, instruction))
    if not bounds_of(formula) and period is None:
        return chosen.emit(formula, Head(formula, instruction))
    steps = in_steps(formula, period)
    note = said_period(period)
    made = chosen.emit(steps, Head(formula, instruction, note))
    return replace(made, notes=(note, *made.notes))


def in_steps(formula: Formula, period: Fraction | None) -> Formula:
    """The formula with its bounds in steps; FragmentError, with a period that would do, if they are not whole."""
    step = Fraction(1) if period is None else period
    if step <= 0:
        raise UsageError("a sampling period is positive")
    for bound in sorted(bounds_of(formula)):
        if (bound / step).denominator != 1:
            from assent.logic.cells import tick_of

            asked = (
                "no sampling period is given, and one sample a time unit" if period is None else "a period"
            )
            raise FragmentError(
                f"bounds must be whole numbers of samples: {asked} of {decimal(step)} does not divide "
                f"{decimal(bound)}; a sampling period of {decimal(tick_of(bounds_of(formula)))} "
                "or a fraction of it does"
            )
    return scaled(formula, 1 / step)


def said_period(period: Fraction | None) -> str:
    """How an export says what its steps are."""
    if period is None:
        return "time: one step (sample) is 1 time unit, because no other period was given; bounds count steps"
    return f"time: one step (sample) is {decimal(period)} time units; bounds count steps"
