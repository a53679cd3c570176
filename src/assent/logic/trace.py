"""Traces: what a formula is true or false of.

A trace is a sequence of states, each the set of atoms that are true there. ``loop`` is the position to which
the last state returns (an infinite, ultimately periodic word, a *lasso*); without it the word is finite.
``step`` is the time between two states; it differs from 1 only where a formula has decimal bounds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from assent.errors import FragmentError
from assent.logic.ast import Atom

State = frozenset[Atom]


@dataclass(frozen=True, slots=True)
class Trace:
    """States in order; ``loop`` None means that the word ends with the last state."""

    states: tuple[State, ...]
    loop: int | None = None
    step: Fraction = Fraction(1)

    def __post_init__(self) -> None:
        if not self.states:
            raise FragmentError("a trace has at least one state")
        if self.loop is not None and not 0 <= self.loop < len(self.states):
            raise FragmentError(f"a trace of {len(self.states)} states cannot return to state {self.loop}")
        if self.step <= 0:
            raise FragmentError("the time between two states is positive")

    def __len__(self) -> int:
        return len(self.states)

    def _repr_svg_(self) -> str:
        from assent.logic.draw import timing_svg

        return timing_svg(self)

    def fold(self, time: int) -> int | None:
        """The position that stands for a time, None past the end of a finite word."""
        if time < len(self.states):
            return time
        if self.loop is None:
            return None
        return self.loop + (time - self.loop) % (len(self.states) - self.loop)

    def stretches(self) -> Iterator[tuple[int, int, State]]:
        """Runs of equal states as (first position, last position, state); a run never crosses the loop."""
        first = 0
        for position in range(1, len(self.states) + 1):
            ends = position in (len(self.states), self.loop)
            if ends or self.states[position] != self.states[first]:
                yield first, position - 1, self.states[first]
                first = position


def shortened(trace: Trace) -> Trace:
    """The same infinite word with the loop as short and as early as it can be; finite words stay."""
    if trace.loop is None:
        return trace
    states, loop = list(trace.states), trace.loop
    cycle = states[loop:]
    for period in range(1, len(cycle) // 2 + 1):
        if len(cycle) % period == 0 and cycle == cycle[:period] * (len(cycle) // period):
            cycle = cycle[:period]
            break
    stem = states[:loop]
    turned = 0  # how often the last state of the cycle moves to its front
    while stem and stem[-1] == cycle[-1 - turned % len(cycle)]:
        turned += 1
        stem.pop()
    first = -turned % len(cycle)
    return Trace((*stem, *cycle[first:], *cycle[:first]), len(stem), trace.step)
