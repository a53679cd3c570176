"""Can these requirements be true together? Asked of a few at a time, never of one big conjunction.

A question starts with its goal alone. The behaviour that the decider gives is tried on all requirements by the
independent evaluator; those that it breaks join the question, until a behaviour breaks none (yes) or the few that
were drawn in contradict each other (no, and they are the ones to blame). Steps are counted: the answer is the same on
every machine.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import TypeAlias

from assent.logic.ast import (
    FALSE,
    And,
    Formula,
    Not,
    atoms,
    conj,
    size,
)
from assent.logic.equivalence.budget import Budget, Exhausted
from assent.logic.equivalence.lower import common_step
from assent.logic.equivalence.verdict import Verdict, compared
from assent.logic.semantics import Trace, holds, shortened
from assent.logic.sets.values import Completion
from assent.logic.timescale import scaled

QUESTION_STEPS = 1_500_000
"""What one call of the decider may spend, about a second."""

MAX_MERGED = 20_000
"""States of a behaviour that is put together from those of pieces."""

_AT_ONCE = 6
"""So many broken requirements join a question at a time."""


@dataclass(frozen=True, slots=True)
class SetAnswer:
    """``yes`` None: not decided. ``trace`` shows a yes; ``core`` are the numbers of those to blame for a no."""

    yes: bool | None
    trace: Trace | None = None
    core: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Blame:
    """A core of which no member can go; ``minimal`` False if the budget ended while it was shrunk.

    ``trace`` satisfies the goal and all but one of them.
    """

    core: tuple[int, ...]
    minimal: bool
    trace: Trace | None = None


Piece: TypeAlias = tuple[Formula | int, ...]
"""Goals, and numbers of requirements, that are decided together."""


class Questions:
    """Questions about one list of formulas, each known by its number, within one budget.

    Raises FragmentError if the formulas cannot be looked at together (next beside decimal bounds).
    """

    def __init__(self, formulas: Sequence[Formula], goals: Iterable[Formula], budget: Budget) -> None:
        self.formulas, self.budget = list(formulas), budget
        self.step = common_step([*formulas, *goals])
        self._whole = [scaled(formula, 1 / self.step) for formula in formulas]
        self._completion = Completion(dict.fromkeys(a for f in (*formulas, *goals) for a in atoms(f)))
        self._keys = [self.keys(formula) for formula in formulas]
        self._known: dict[Piece, SetAnswer] = {}

    def keys(self, formula: Formula) -> frozenset[object]:
        """What the formula's atoms depend on: propositions, relations, terms of comparisons."""
        return frozenset(self._completion.key(atom) for atom in atoms(formula))

    def related(self, number: int, others: Iterable[int]) -> list[int]:
        """Those of the others that share an atom or a term with a requirement."""
        return [other for other in others if other != number and self._keys[number] & self._keys[other]]

    def same_atoms(self, numbers: Iterable[int]) -> list[list[int]]:
        """The numbers in groups that speak of exactly the same."""
        groups: dict[frozenset[object], list[int]] = {}
        for number in numbers:
            groups.setdefault(self._keys[number], []).append(number)
        return list(groups.values())

    def ask(self, goal: Formula, pool: Collection[int]) -> SetAnswer:
        """Is there a behaviour on which the goal and all of the pool are true?"""
        active: list[int] = []
        waiting = set(pool)
        while True:
            found = self._decided(goal, active)
            if found.yes is not True or found.trace is None:
                return found
            try:
                broken = self._broken(found.trace, goal, active, waiting)
            except Exhausted:
                return SetAnswer(None, None, tuple(active))
            if not broken:
                return found
            for number in broken[:_AT_ONCE]:
                active.append(number)
                waiting.discard(number)

    def shrink(self, goal: Formula, core: Sequence[int], first: Sequence[int] = ()) -> Blame:
        """The core without those that are not needed; ``first`` are tried first. It must be a core."""
        kept = list(core)
        minimal, shown = True, None
        for number in sorted(core, key=lambda n: (n not in first, -n)):
            if number not in kept:
                continue
            fewer = [other for other in kept if other != number]
            found = self._decided(goal, fewer)
            if found.yes is False:
                kept = [other for other in fewer if other in found.core]
            elif found.yes is None:
                minimal = False
            else:
                shown = found.trace
        return Blame(tuple(sorted(kept)), minimal, shown)

    def implies(self, one: int, other: Formula) -> SetAnswer:
        """Is a behaviour possible on which the requirement is true and the formula false? No means: it implies it."""
        return self._decided(Not(other), [one])

    def _decided(self, goal: Formula, active: Sequence[int]) -> SetAnswer:
        """The exact decider on the goal and the active ones, by pieces that share nothing.

        A no names those of its piece. The trace of a yes speaks of every atom of the set.
        """
        asked = [goal, *(self.formulas[number] for number in active)]
        words: list[Trace] = []
        unknown = False
        for piece in self._pieces(goal, active):
            found = self._known[piece] = self._known.get(piece) or self._piece(piece)
            if found.yes is False:
                return SetAnswer(False, None, tuple(part for part in piece if isinstance(part, int)))
            unknown = unknown or found.trace is None
            words += [found.trace] if found.trace is not None else []
        trace = None if unknown else merged(words, self.step)
        if trace is None:
            return SetAnswer(None, None, tuple(active))
        trace = self._completion.trace(trace, [atom for formula in asked for atom in atoms(formula)])
        return SetAnswer(True, trace) if all(holds(formula, trace) for formula in asked) else SetAnswer(None)

    def _pieces(self, goal: Formula, active: Sequence[int]) -> list[Piece]:
        """The conjuncts of the goal and the active ones, grouped by what they speak of."""
        parts: list[Formula | int] = [*(goal.args if isinstance(goal, And) else (goal,)), *active]
        groups: list[tuple[set[object], list[Formula | int]]] = []
        for part in parts:
            keys = set(self._keys[part] if isinstance(part, int) else self.keys(part))
            members = [part]
            apart = []
            for group in groups:
                if group[0] & keys:
                    keys |= group[0]
                    members = [*group[1], *members]
                else:
                    apart.append(group)
            groups = [*apart, (keys, members)]
        return [tuple(members) for _, members in groups]

    def _piece(self, piece: Piece) -> SetAnswer:
        parts = [self._whole[p] if isinstance(p, int) else scaled(p, 1 / self.step) for p in piece]
        found = compared(conj(*parts), FALSE, self.budget.part(steps=QUESTION_STEPS))
        if found.verdict is Verdict.UNKNOWN:
            return SetAnswer(None)
        return SetAnswer(found.witness is not None, found.witness)

    def _broken(self, trace: Trace, goal: Formula, active: Sequence[int], waiting: set[int]) -> list[int]:
        """Numbers of the waiting ones that are false of the trace.

        Whoever shares nothing with the question sees the resting state only, and is looked at there once.
        """
        touched = self.keys(goal).union(*(self._keys[number] for number in active))
        broken = []
        for number in sorted(waiting):
            if self._keys[number] & touched:
                formula = self.formulas[number]
                self.budget.spend(len(trace) * (size(formula) + 2) // 4)
                if not holds(formula, trace):
                    broken.append(number)
            elif number in self._restless:
                broken.append(number)
        return broken

    @cached_property
    def _restless(self) -> frozenset[int]:
        """Those that are false of the behaviour in which nothing ever happens."""
        rest = self._completion.trace(Trace((frozenset(),), 0, self.step), ())
        return frozenset(n for n, formula in enumerate(self.formulas) if not holds(formula, rest))


def merged(words: Sequence[Trace], step: Fraction) -> Trace | None:
    """One behaviour of traces that speak of different atoms; None if its period would be too long."""
    stem = max((word.loop or 0 for word in words), default=0)
    period = lcm(*(len(word) - (word.loop or 0) for word in words))
    if stem + period > MAX_MERGED:
        return None
    places = ([word.fold(time) or 0 for word in words] for time in range(stem + period))
    states = tuple(
        frozenset(atom for word, place in zip(words, at, strict=True) for atom in word.states[place])
        for at in places
    )
    return shortened(Trace(states, stem, step))
