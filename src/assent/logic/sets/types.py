"""What goes in and what comes out when requirements are looked at together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from assent.errors import UsageError
from assent.logic.ast import Formula
from assent.logic.semantics import Trace


class FindingKind(StrEnum):
    """What can be found; the words are those of ``assent check --json``."""

    CONFLICT = "conflict"
    VACUOUS = "vacuous"
    REDUNDANT = "redundant"
    DUPLICATE = "duplicate"
    SUBSUMED = "subsumed"
    NEVER_TRIGGERED = "never-triggered"
    ALWAYS_TRUE = "always-true"
    UNCONSTRAINED = "unconstrained"


@dataclass(frozen=True, slots=True)
class Requirement:
    """A formula by an id of its own.

    ``trigger`` is what must come true at some time for the requirement to ask for anything; None: found in the shape
    of the formula (the left side of ``G(trigger -> response)``), and many requirements have none.
    """

    id: str
    formula: Formula
    trigger: Formula | None = None


@dataclass(frozen=True, slots=True)
class SignalBounds:
    """What the vocabulary says of a signal: its unit, and the least and greatest value it can have.

    UsageError if the least is greater than the greatest.
    """

    name: str
    unit: str | None = None
    low: Fraction | None = None
    high: Fraction | None = None

    def __post_init__(self) -> None:
        for end in ("low", "high"):
            value = getattr(self, end)
            if value is not None:
                object.__setattr__(self, end, Fraction(value))
        if self.low is not None and self.high is not None and self.low > self.high:
            raise UsageError(f"the range of {self.name} ends before it begins")


@dataclass(frozen=True, slots=True)
class Fact:
    """What holds whatever the requirements say, and how to say it."""

    formula: Formula
    text: str


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that the requirements say together.

    ``requirements`` are ids, the one that the finding is about first; ``detail`` says it in English. ``witness`` is a
    behaviour that shows it, replayed by the independent evaluator, where one can (the detail says what it shows).
    ``decided`` False: the budget ended first, nothing is claimed, and the detail says what is known and what is not.
    ``names`` are what an ``unconstrained`` finding speaks of, ``trigger`` what can never happen.
    """

    kind: FindingKind
    requirements: tuple[str, ...]
    detail: str
    witness: Trace | None = None
    decided: bool = True
    names: tuple[str, ...] = ()
    trigger: Formula | None = None


@dataclass(frozen=True, slots=True)
class Sample:
    """A behaviour of some of the requirements (those that share names), replayed by the independent evaluator.

    ``str()`` is its timing diagram; notebooks draw it.
    """

    requirements: tuple[str, ...]
    trace: Trace

    def __str__(self) -> str:
        from assent.logic.draw import timing_text

        return timing_text(self.trace)

    def _repr_svg_(self) -> str:
        from assent.logic.draw import timing_svg

        return timing_svg(self.trace)


def listed(ids: Sequence[str]) -> str:
    """Ids as English lists them: R1, R2 and R3."""
    return ids[0] if len(ids) == 1 else f"{', '.join(ids[:-1])} and {ids[-1]}"
