"""From the syntax tree to the deciders' forms, and from letters back to traces."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import lcm
from typing import assert_never

from assent.errors import FragmentError
from assent.logic.ast import (
    Always,
    And,
    Atom,
    Compare,
    Const,
    Eventually,
    Formula,
    Iff,
    Implies,
    Interval,
    Next,
    Not,
    Or,
    Prop,
    Relation,
    Release,
    StrongRelease,
    Until,
    WeakUntil,
    walk,
)
from assent.logic.equivalence.atoms import Group, Key, groups_of, letter_of
from assent.logic.equivalence.budget import Budget
from assent.logic.equivalence.forms import FALSE, INF, TRUE, Forms
from assent.logic.semantics import Trace, shortened


class Lowered:
    """Formulas over shared letters in one table of forms.

    With ``finite`` the words end: an extra letter *alive* is true up to the last state, and every operator
    looks only at living states. ``roots`` are the formulas; ``premise`` restricts the words (TRUE if not).
    """

    def __init__(
        self, formulas: Sequence[Formula], budget: Budget, *, finite: bool = False, axioms: bool = False
    ) -> None:
        self.finite, self.budget = finite, budget
        try:
            self._start(formulas, Fraction(1))
        except _Decimal:
            self._start(formulas, common_step(formulas))
        groups = groups_of(list(self._numbers), budget, axioms=axioms)
        self.too_many_facts = groups is None
        self.groups = [
            Group(tuple(i + self._first for i in group.letters), group.valuations) for group in groups or ()
        ]

    def _start(self, formulas: Sequence[Formula], step: Fraction) -> None:
        finite = self.finite
        self.forms = Forms(self.budget)
        self.step = step
        self._numbers: dict[Key, int] = {}
        self._atoms: dict[Atom, int] = {}
        self._lowered: dict[int, int] = {}
        self._alive = self.forms.letter(0) if finite else TRUE
        self._first = 1 if finite else 0
        self.premise = TRUE
        if finite:
            dead = self.forms.always(-self._alive)
            self.premise = self.forms.conj([self._alive, self.forms.until(self._alive, dead)])
        self.roots = [self._lower(formula) for formula in formulas]

    @property
    def letters(self) -> int:
        return len(self._numbers) + self._first

    def trace(self, states: Iterable[int], loop: int) -> Trace:
        """A trace over the atoms of the formulas from valuations of the letters (bit i for letter i)."""
        words = list(states)
        self.budget.spend(len(words) + len(set(words)) * len(self._atoms))
        known: dict[int, frozenset[Atom]] = {}
        for word in words:
            if word not in known:
                known[word] = frozenset(
                    atom
                    for atom, f in self._atoms.items()
                    if f == TRUE or (f != FALSE and self._true(f, word))
                )
        if self.finite:
            living = [known[word] for word in words if word & 1]
            return Trace(tuple(living), None, self.step)
        return shortened(Trace(tuple(known[word] for word in words), loop, self.step))

    def _true(self, f: int, word: int) -> bool:
        if abs(f) == TRUE:
            return f == TRUE
        return bool(word >> self.forms.num[abs(f)] & 1) == (f > 0)

    def _atom(self, atom: Atom) -> int:
        found = self._atoms.get(atom)
        if found is None:
            key, affirmed = letter_of(atom)
            found = TRUE
            if key is not None:
                found = self.forms.letter(self._numbers.setdefault(key, len(self._numbers)) + self._first)
            if not affirmed:
                found = -found
            self._atoms[atom] = found
        return found

    def _lower(self, node: Formula) -> int:
        found = self._lowered.get(id(node))
        if found is None:
            found = self._lowered[id(node)] = self._finite(node) if self.finite else self._infinite(node)
        return found

    def _infinite(self, node: Formula) -> int:
        forms, lower = self.forms, self._lower
        match node:
            case Prop() | Compare() | Relation():
                return self._atom(node)
            case Not(arg):
                return -lower(arg)
            case And(args):
                return forms.conj([lower(arg) for arg in args])
            case Or(args):
                return forms.disj([lower(arg) for arg in args])
            case Implies(left, right):
                return forms.disj([-lower(left), lower(right)])
            case Iff(left, right):
                p, q = lower(left), lower(right)
                return forms.disj([forms.conj([p, q]), forms.conj([-p, -q])])
            case Next(arg):
                return forms.shift(1, lower(arg))
            case Always(arg, within):
                low, width = self._bounds(within)
                return forms.shift(low, forms.always(lower(arg), width))
            case Eventually(arg, within):
                low, width = self._bounds(within)
                return forms.shift(low, forms.eventually(lower(arg), width))
            case Until(left, right, within):
                return self._until(lower(left), lower(right), within)
            case Release(left, right, within):
                return -self._until(-lower(left), -lower(right), within)
            case WeakUntil(left, right):
                p, q = lower(left), lower(right)
                return -forms.until(-q, forms.conj([-p, -q]))
            case StrongRelease(left, right):
                p, q = lower(left), lower(right)
                return forms.until(q, forms.conj([p, q]))
            case Const(value):
                return TRUE if value else FALSE
            case _:
                assert_never(node)

    def _until(self, p: int, q: int, within: Interval) -> int:
        low, width = self._bounds(within)
        goal = self.forms.shift(low, self.forms.until(p, q, width))
        return self.forms.conj([self.forms.always(p, low - 1), goal]) if low else goal

    def _finite(self, node: Formula) -> int:
        """Truth at a living state: what must come true is asked to come while alive."""
        forms, lower, alive = self.forms, self._lower, self._alive
        match node:
            case Next(arg):
                return forms.shift(1, forms.conj([alive, lower(arg)]))
            case Eventually(arg, within):
                low, width = self._bounds(within)
                return forms.shift(low, forms.eventually(forms.conj([alive, lower(arg)]), width))
            case Always(arg, within):
                low, width = self._bounds(within)
                return forms.shift(low, forms.always(forms.disj([-alive, lower(arg)]), width))
            case Until(left, right, within):
                return self._until(lower(left), forms.conj([alive, lower(right)]), within)
            case Release(left, right, within):
                return -self._until(-lower(left), forms.conj([alive, -lower(right)]), within)
            case WeakUntil(left, right):
                p, q = lower(left), lower(right)
                return -forms.until(-q, forms.conj([alive, -p, -q]))
            case StrongRelease(left, right):
                p, q = lower(left), lower(right)
                return forms.until(q, forms.conj([alive, p, q]))
            case _:
                return self._infinite(node)

    def _bounds(self, within: Interval) -> tuple[int, int]:
        low = self._whole(within.low)
        return low, INF if within.high is None else self._whole(within.high) - low

    def _whole(self, bound: Fraction) -> int:
        if self.step.denominator % bound.denominator:
            raise _Decimal
        return bound.numerator * (self.step.denominator // bound.denominator)


class _Decimal(Exception):
    """A bound is no whole number of steps."""


def common_step(formulas: Sequence[Formula]) -> Fraction:
    """The longest step 1/k in which every bound is a whole number of steps."""
    denominators, nexts = [1], False
    for formula in formulas:
        for node in walk(formula):
            match node:
                case Always() | Eventually() | Until() | Release():
                    denominators.append(node.within.low.denominator)
                    if node.within.high is not None:
                        denominators.append(node.within.high.denominator)
                case Next():
                    nexts = True
                case _:
                    pass
    scale = lcm(*denominators)
    if scale > 1 and nexts:
        raise FragmentError(
            "next has no meaning together with decimal bounds: write the bounds in whole steps"
        )
    return Fraction(1, scale)
