"""Channels: what a policy thresholds, as functions of the parts, with the bounds that lazy scoring needs.

Every channel here is non-decreasing in each of its parts, so that its value lies between its values at the
lower and at the upper bounds of the parts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from assent.records import Score
from assent.score import agreement, roundtrip

BACK_TRANSLATION = roundtrip.NAME
SELF_CONSISTENCY = agreement.NAME
FUSION = "fusion"
DIRECT = "direct_judge"
SINGLE = "single_question"
JUDGES = (BACK_TRANSLATION, DIRECT, SINGLE)

Parts = Mapping[str, Fraction]


@dataclass(frozen=True, slots=True)
class Channel:
    """A monotone function of named parts."""

    name: str
    parts: tuple[str, ...]
    combine: Callable[[Sequence[Fraction]], Fraction]

    def of(self, parts: Parts) -> Fraction | None:
        """The value, or None if a part was not recorded."""
        values = [parts[name] for name in self.parts if name in parts]
        return self.combine(values) if len(values) == len(self.parts) else None


def _mean(values: Sequence[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


CHANNELS = {
    channel.name: channel
    for channel in (
        Channel(BACK_TRANSLATION, (BACK_TRANSLATION,), _mean),
        Channel(SELF_CONSISTENCY, (SELF_CONSISTENCY,), _mean),
        Channel(FUSION, (BACK_TRANSLATION, SELF_CONSISTENCY), _mean),
        Channel(DIRECT, (DIRECT,), _mean),
        Channel(SINGLE, (SINGLE,), _mean),
        Channel("judges_mean", JUDGES, _mean),
        Channel("judges_max", JUDGES, max),
    )
}


def scores_of(parts: Parts, more: Mapping[str, float] | None = None) -> tuple[Score, ...]:
    """Every channel that the parts allow, correctly rounded once, then the scores that are plain floats."""
    found = [
        Score(channel.name, float(value))
        for channel in CHANNELS.values()
        if (value := channel.of(parts)) is not None
    ]
    return (*found, *(Score(name, value) for name, value in (more or {}).items()))


@dataclass(frozen=True, slots=True)
class Span:
    """Where a part must lie."""

    low: Fraction = Fraction(0)
    high: Fraction = Fraction(1)


def span(channel: Channel, parts: Mapping[str, Span]) -> Span:
    """Where the channel must lie, given where its parts must lie."""
    lows = [parts[name].low for name in channel.parts]
    highs = [parts[name].high for name in channel.parts]
    return Span(channel.combine(lows), channel.combine(highs))


def settled(where: Span, accepts: Callable[[float], bool]) -> bool | None:
    """True: accepted whatever comes; False: withheld whatever comes; None: still open.

    The rule itself is asked about the rounded ends. Rounding and rule are monotone, so that the answer is the
    one that full scoring would get.
    """
    if accepts(float(where.high)):
        return True
    return None if accepts(float(where.low)) else False
