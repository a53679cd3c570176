"""What lifting hands over: tokens over placeholders, and what the placeholders stand for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from assent.lift.leftovers import Unread
from assent.lift.linear import delinearise, linearise
from assent.logic.ast import Formula, Logic


@dataclass(frozen=True, slots=True)
class LiftedSpan:
    """A part of the instruction and the name it was taken for."""

    start: int
    end: int
    text: str
    name: str


@dataclass(frozen=True, slots=True)
class Lifted:
    """An instruction as tokens over placeholders, and what the placeholders stand for.

    ``unit`` is the time unit of the numbers, if one was said; ``proposed``: no vocabulary gave the names;
    ``unnamed``: clauses about something that the vocabulary has no name for; ``unread``: words that nobody has read;
    ``places``: where in the text each token stands; ``signals``: placeholders of numbers that are measured;
    ``typed``: the vocabulary says which names are measured; ``cost``: what this linking costs beside others (0 for
    certain); ``open``: what to ask about links that stay open; ``beyond``: words for what no formula of the logic can
    say.
    """

    text: str
    logic: Logic
    tokens: tuple[str, ...]
    names: Mapping[str, str]
    numbers: Mapping[str, Fraction]
    spans: tuple[LiftedSpan, ...]
    unit: str | None
    proposed: bool
    unnamed: tuple[str, ...] = ()
    unread: tuple[Unread, ...] = ()
    places: tuple[tuple[int, int], ...] = ()
    signals: frozenset[str] = frozenset()
    typed: bool = False
    cost: float = 0.0
    open: tuple[str, ...] = ()
    beyond: tuple[str, ...] = ()

    def restore(self, tokens: Sequence[str]) -> Formula:
        """The formula that a model's prefix tokens spell for this instruction; FormulaError where they spell none."""
        return delinearise(tokens, self.names, self.numbers)

    def tokens_of(self, formula: Formula) -> tuple[str, ...]:
        """A formula as prefix tokens over this instruction's placeholders; else FragmentError."""
        names = {name: placeholder for placeholder, name in self.names.items()}
        numbers = {value: placeholder for placeholder, value in self.numbers.items()}
        return linearise(formula, names, numbers)
