"""Channels: what a policy thresholds, as functions of the parts, with the bounds that lazy scoring needs.

Every channel here is non-decreasing in each of its parts, so that its value lies between its values at the
lower and at the upper bounds of the parts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from assent.scoring import agreement

BACK_TRANSLATION = "back_translation"
SELF_CONSISTENCY = agreement.NAME
FUSION = "fusion"
DEFAULT = "default"
"""What the embedded judge makes of all opinions: the channel that policies threshold unless told otherwise."""
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


@dataclass(frozen=True, slots=True)
class ScoreSpan:
    """Where a part must lie."""

    low: Fraction = Fraction(0)
    high: Fraction = Fraction(1)


def span(channel: Channel, parts: Mapping[str, ScoreSpan]) -> ScoreSpan:
    """Where the channel must lie, given where its parts must lie."""
    lows = [parts[name].low for name in channel.parts]
    highs = [parts[name].high for name in channel.parts]
    return ScoreSpan(channel.combine(lows), channel.combine(highs))
