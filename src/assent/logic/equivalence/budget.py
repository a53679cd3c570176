"""Time limits: every search looks at a clock.

It counts the processor time of the calling thread, so that a busy machine does not change verdicts.
"""

from __future__ import annotations

import time


class Exhausted(Exception):
    """A search ran out of its time or size; nothing is known."""


class Clock:
    """Seconds and work left to one search."""

    __slots__ = ("_tick", "deadline", "work")

    def __init__(self, seconds: float, work: int = 1 << 60) -> None:
        self.deadline = time.thread_time() + seconds
        self.work = work
        self._tick = 0

    def left(self) -> float:
        return self.deadline - time.thread_time()

    def spend(self, units: int) -> None:
        self.work -= units
        if self.work < 0:
            raise Exhausted
        self._tick += units
        if self._tick >= 256:
            self._tick = 0
            if time.thread_time() > self.deadline:
                raise Exhausted

    def check(self) -> None:
        self.spend(1)

    def part(self, seconds: float, work: int = 1 << 60) -> Clock:
        """A clock for a sub-search that also ends when this one does."""
        return Clock(min(seconds, self.left()), min(work, self.work))
