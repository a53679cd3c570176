"""States completed: what a state says of some comparisons of a term decides the others, by a number that fits all."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise

from assent.logic.ast import Atom
from assent.logic.equivalence.atoms import AtomThreshold, Key, letter_of, meets
from assent.logic.semantics import State, Trace


@dataclass
class _Term:
    """The comparisons of one term, and numbers that tell all of them apart."""

    atoms: list[tuple[Atom, AtomThreshold, bool]] = field(default_factory=list)
    points: list[Fraction] = field(default_factory=list)

    def spread(self) -> None:
        levels = sorted({key.level for _, key, _ in self.atoms})
        least = self.atoms[0][1].least
        points = [levels[0] - 1, *levels, levels[-1] + 1, *((a + b) / 2 for a, b in pairwise(levels))]
        if least is not None:
            points = [point for point in {*points, least, (least + levels[0]) / 2} if point >= least]
        self.points = sorted(points)


class Completion:
    """Knows every atom of a set of formulas; completes states that speak of some of them."""

    def __init__(self, atoms: Iterable[Atom]) -> None:
        self._same: dict[Key, list[tuple[Atom, bool]]] = {}
        self._terms: dict[str, _Term] = {}
        self._key: dict[Atom, tuple[Key | None, bool]] = {}
        for atom in atoms:
            key, affirmed = self._key[atom] = letter_of(atom)
            if isinstance(key, AtomThreshold):
                self._terms.setdefault(key.term, _Term()).atoms.append((atom, key, affirmed))
            elif key is not None:
                self._same.setdefault(key, []).append((atom, affirmed))
        for term in self._terms.values():
            term.spread()

    def key(self, atom: Atom) -> Key | str | None:
        """What two atoms share if they are not independent; None for a constant one."""
        key, _ = self._key[atom]
        return key.term if isinstance(key, AtomThreshold) else key

    def trace(self, trace: Trace, spoken: Iterable[Atom]) -> Trace:
        """The trace with every atom of the set decided; ``spoken`` are those that it decides already."""
        asked = frozenset(spoken)
        known: dict[State, State] = {}
        for state in trace.states:
            if state not in known:
                known[state] = self._completed(state, asked)
        return Trace(tuple(known[state] for state in trace.states), trace.loop, trace.step)

    def _completed(self, state: State, asked: frozenset[Atom]) -> State:
        true: set[Atom] = {atom for atom, (key, value) in self._key.items() if key is None and value}
        for members in self._same.values():
            said = [(atom in state) == affirmed for atom, affirmed in members if atom in asked]
            value = said[0] if said else False
            true.update(atom for atom, affirmed in members if affirmed == value)
        for term in self._terms.values():
            point = self._point(term, state, asked)
            true.update(atom for atom, key, affirmed in term.atoms if meets(point, key) == affirmed)
        return frozenset(true)

    @staticmethod
    def _point(term: _Term, state: State, asked: frozenset[Atom]) -> Fraction:
        """A number on which the comparisons that the state speaks of are as it says."""
        said = [(key, (atom in state) == affirmed) for atom, key, affirmed in term.atoms if atom in asked]
        fitting = (p for p in term.points if all(meets(p, key) == value for key, value in said))
        return next(fitting, term.points[0])
