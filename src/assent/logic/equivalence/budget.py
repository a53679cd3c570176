"""What one question may cost, counted in steps, so that its verdict is the same on every machine.

A step is a small piece of work, about a microsecond of an ordinary processor, and stands for at most a few hundred
bytes of memory. Every loop of every search spends steps, the SAT solver included (its propagations are counted), so
the same question ends in the same verdict whatever else the machine is doing. Seconds are an additional limit for
people who wait; with them, and only with them, a verdict can depend on the machine.
"""

from __future__ import annotations

import time

DEFAULT_STEPS = 3_000_000
"""What labels, agreement and clusters spend on one comparison before it is ``unknown``; about two seconds."""

STEPS_A_SECOND = DEFAULT_STEPS // 2
"""How many steps a budget in seconds stands for, if the machine is quick enough."""

MAX_KEPT = 400_000_000
"""Bytes that one search may keep, roughly counted; beyond them the answer is ``unknown``."""

_LOOK = 1024
"""The clock is looked at after so many steps."""


class Exhausted(Exception):
    """A search ran out of its steps, its time or its memory; nothing is known."""


class _Meter:
    """What all parts of one question have spent together, and when they must end."""

    __slots__ = ("deadline", "look", "spent")

    def __init__(self, seconds: float | None) -> None:
        self.spent = 0
        self.look = _LOOK if seconds is not None else 1 << 62
        self.deadline = time.thread_time() + (seconds or 0.0)

    def look_at_the_clock(self) -> None:
        self.look = self.spent + _LOOK
        if time.thread_time() > self.deadline:
            self.spent = 1 << 61  # beyond every limit: no later part begins
            raise Exhausted


class Budget:
    """Steps and bytes left to one search; its parts draw on the same account."""

    __slots__ = ("_kept", "_limit", "_meter")

    def __init__(self, steps: int | None = None, seconds: float | None = None) -> None:
        """Without ``steps`` as many as the seconds stand for, and without either ``DEFAULT_STEPS``."""
        if steps is None:
            steps = DEFAULT_STEPS if seconds is None else int(min(seconds, 1e9) * STEPS_A_SECOND)
        self._meter = _Meter(seconds)
        self._limit = steps
        self._kept = 0

    def left(self) -> int:
        """Steps that may still be spent; none or less if this search is over."""
        return self._limit - self._meter.spent

    def spent(self) -> int:
        """Steps spent by the whole question so far."""
        return self._meter.spent

    def spend(self, steps: int) -> None:
        """Count work that is about to be done; raises Exhausted if it is not to be done any more."""
        meter = self._meter
        spent = meter.spent + steps
        if spent > self._limit:
            # What is not done is not spent, but this search is over: whoever asked for the part goes on.
            meter.spent = max(meter.spent, self._limit)
            raise Exhausted
        meter.spent = spent
        if spent >= meter.look:
            meter.look_at_the_clock()

    def keep(self, size: int) -> None:
        """Count bytes that stay in memory for as long as this search does."""
        self._kept += size
        if self._kept > MAX_KEPT:
            raise Exhausted

    def part(self, share: int = 1, steps: int = 1 << 62) -> Budget:
        """A budget for a sub-search: a ``share``-th of what is left, and so many steps at most.

        What the part spends is spent here as well; what it keeps is free again when it is dropped.
        """
        part = Budget.__new__(Budget)
        part._meter = self._meter
        part._limit = self._meter.spent + min(max(0, self.left()) // share, steps)
        part._kept = self._kept
        return part
