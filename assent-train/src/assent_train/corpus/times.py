"""Time adverbs: for an operator, its interval, and whether it counts from now or from a moment just mentioned.

The wordings are productions (``productions/times.txt``).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from assent_train.corpus.engine import grammar
from assent_train.corpus.part import SpeechPart
from assent_train.corpus.trees import Span

RELATIVE = ("of that", "of it", "after", "later", "follow", "then", "thereafter", " on")
"""What says that a time counts from a moment just mentioned."""
TRIES = 8


def again_until(say: Callable[[], str], fits: Callable[[str], bool]) -> str:
    """Words that fit, or the last of a few tries where none did."""
    said = say()
    for _ in range(TRIES):
        if fits(said):
            break
        said = say()
    return said


@cache
def short_units() -> frozenset[str]:
    """The units of time that are one word."""
    options = [o for p in grammar("times")["unit_of_time"].options for o in p.wordings.options]
    return frozenset(str(o.parts[0]) for o in options) - {"time units", "time steps"}


class Times(SpeechPart):
    """Adverbs of time in one register."""

    def duration(self, number: str) -> str:
        """A number with a unit, or without one when people talk."""
        if self.casual and self.roll() < 0.45:
            return number
        return self.measured(number)

    def measured(self, number: str) -> str:
        """A number with a unit in either register (one in twenty without)."""
        return f"{number} {self.words('unit_of_time')}" if self.roll() < 0.95 else number

    def span_words(self, low: str, high: str) -> str:
        """ "N1 to N2 seconds", "N1 – N2"."""
        return self.words("range_of_times", low=low, high=high, unit=self._unit())

    def between_words(self, low: str, high: str) -> str:
        """ "between N1 and N2 seconds", "from N1 to N2 seconds"."""
        return self.words("between_times", low=low, high=high, unit=self._unit())

    def _unit(self) -> str:
        return "" if self.casual and self.roll() < 0.5 else self.words("unit_of_time")

    def once_then(self, span: Span) -> str:
        """When an eventuality happens, counted beyond doubt from a moment just mentioned."""
        return again_until(
            lambda: self.once(span, False), lambda said: any(mark in said for mark in RELATIVE)
        )

    def throughout_then(self, span: Span) -> str:
        """Over which stretch, counted beyond doubt from a moment just mentioned."""
        marks = (*RELATIVE, "that moment")
        return again_until(
            lambda: self.throughout(span, False), lambda said: any(mark in said for mark in marks)
        )

    def once(self, span: Span, now: bool) -> str:
        """When an eventuality happens."""
        if span is None:
            return self.words("eventually_from_now") if now else self.words("eventually_from_then")
        return self._once_in(*span, now).lstrip()

    def _once_in(self, low: str, high: str, now: bool) -> str:
        if high == "inf":
            d = self.duration(low)
            return self.words("once_after_now", d=d) if now else self.words("once_after_then", d=d)
        if low == "0":
            d = self.duration(high)
            if now:
                return self.words("once_within_now", d=d, high=high)
            return self.words("once_within_then", d=d)
        b, s = self.between_words(low, high), self.span_words(low, high)
        if now:
            return self.words("once_between_now", b=b, s=s, low=low, high=high)
        return self.words("once_between_then", b=b, s=s, low=low, high=high)

    def throughout(self, span: Span, now: bool) -> str:
        """Over which stretch something holds."""
        if span is None:
            return self.words("always_from_now") if now else self.words("always_from_then")
        return self._throughout(*span, now).lstrip()

    def _throughout(self, low: str, high: str, now: bool) -> str:
        if high == "inf":
            d = self.duration(low)
            return self.words("all_after_now", d=d, low=low) if now else self.words("all_after_then", d=d)
        if low == "0":
            d = self.duration(high)
            if now:
                return self.words("all_within_now", d=d, high=high)
            return self.words("all_within_then", d=d)
        b, s = self.between_words(low, high), self.span_words(low, high)
        if now:
            return self.words("all_between_now", b=b, s=s, low=low, high=high)
        return self.words("all_between_then", b=b, s=s)
