"""What proves two forms equal once random lassos told them not apart: shape, satisfiability, tableau, sweeping.

Loaded when it is first needed (``verdict.py``): most formulas that differ do so on a random lasso.
"""

from __future__ import annotations

from collections.abc import Sequence

from assent.logic.equivalence.atoms import Group
from assent.logic.equivalence.bounded import constant_tail_word
from assent.logic.equivalence.budget import Budget, Exhausted
from assent.logic.equivalence.forms import EV, FALSE, INF, LIT, UNTIL, Forms
from assent.logic.equivalence.implied import Implied
from assent.logic.equivalence.lassos import Signatures, Word, reach
from assent.logic.equivalence.lemmas import lemmas, windows_as_letters
from assent.logic.equivalence.lower import Lowered
from assent.logic.equivalence.sweep import abstracted, sweep
from assent.logic.equivalence.tableau import MAX_LETTERS, Tableau

_QUICK = 30_000
_SMALL = 200_000


class Prover:
    """Answers questions about the forms of one ``Lowered`` within one budget; ``method`` is what answered last."""

    def __init__(self, lowered: Lowered, budget: Budget, signatures: list[Signatures]) -> None:
        self.lowered, self.forms, self.budget = lowered, lowered.forms, budget
        self.method = "implication by shape"
        self._signatures = signatures

    def difference(self, f: int, g: int, only_f: int, only_g: int) -> Word | None:
        """A word on which exactly one of f and g holds, None if there is none; Exhausted if not found out."""
        implied = Implied(self.forms, self.budget.part())
        only_f = FALSE if implied(f, g) else only_f
        only_g = FALSE if implied(g, f) else only_g
        if only_f == only_g == FALSE:
            return None
        if windowed(self.forms, f, g):
            if bounded(self.forms, only_f, only_g):
                self.method = "satisfiability"
                return self._satisfied(only_f, only_g, self.budget)
            if self._abstractly_same(f, g):
                return None
            self.method = "satisfiability"
            try:
                word = self._satisfied(only_f, only_g, self.budget.part(3))
                if word is not None:
                    return word
            except Exhausted:
                pass
        try:
            if len(self._used(self.lowered.groups, f, g)) > MAX_LETTERS:
                return self._many_letters(only_f, only_g)
            self.method = "tableau"
            return self._either(only_f, only_g, self.budget.part(4, _QUICK))
        except Exhausted:
            pass
        if windowed(self.forms, f, g):
            for inwards in (True, False):
                if self._same_through_ltl(f, g, inwards):
                    return None
        self.method = "sweep"
        f, g = sweep(self.forms, self._signatures, (f, g), self._same, self.budget.part(2))
        if f == g:
            return None
        premise = self.lowered.premise
        self.method = "tableau"
        return self._either(self.forms.conj([premise, f, -g]), self.forms.conj([premise, -f, g]), self.budget)

    def _many_letters(self, only_f: int, only_g: int) -> Word | None:
        """Too many letters for truth tables: parts that contradict each other, or a word from the SAT solver."""
        self.method = "parts"
        budget = self.budget.part(2)
        if all(self._contradictory(target, budget) for target in (only_f, only_g)):
            return None
        self.method = "satisfiability"
        word = self._satisfied(only_f, only_g, budget)
        if word is None:
            raise Exhausted
        return word

    def _contradictory(self, target: int, budget: Budget) -> bool:
        """Does some part have only disjuncts that contradict parts about the same letters? A no says nothing."""
        parts = self.forms.conjuncts(target)
        return target == FALSE or any(
            all(self._contradicts(one, parts, budget) for one in self.forms.disjuncts(part)) for part in parts
        )

    def _contradicts(self, one: int, parts: Sequence[int], budget: Budget) -> bool:
        groups = self.lowered.groups
        letters = set(self._used(groups, one))
        chosen = [one]
        for part in parts:
            more = set(self._used(groups, part))
            if letters & more and len(letters | more) <= MAX_LETTERS and len(more) < MAX_LETTERS // 2:
                letters |= more
                chosen.append(part)
        try:
            return self._equal(self.forms.conj(chosen), FALSE, budget.part(4, _SMALL))
        except Exhausted:
            return False

    def _satisfied(self, only_f: int, only_g: int, budget: Budget) -> Word | None:
        """Words whose last state repeats: all that matter if every window is finite."""
        far = reach(self.forms, only_f, only_g)
        length = far + 1 if bounded(self.forms, only_f, only_g) else far + 8
        targets = [h for h in (only_f, only_g) if h != FALSE]
        return constant_tail_word(self.forms, targets, length, self.lowered.groups, budget)

    def _abstractly_same(self, f: int, g: int) -> bool:
        """Equal whatever the common parts are? A no says nothing."""
        self.method = "abstraction"
        small_f, small_g, _ = abstracted(self.forms, f, g, self.lowered.letters)
        try:
            return self._equal(small_f, small_g, self.budget.part(8, _SMALL))
        except Exhausted:
            return False

    def _same_through_ltl(self, f: int, g: int, inwards: bool) -> bool:
        """Equal with windows as letters and what was proved about them? A no says nothing."""
        self.method = "abstraction to LTL"
        budget = self.budget.part(4)
        roots, windows = windows_as_letters(self.forms, (f, g), self.lowered.letters, inwards=inwards)

        def impossible(h: int) -> bool:
            return self._equal(h, FALSE, budget.part(8, _SMALL))

        try:
            facts = lemmas(self.forms, roots, windows, self._signatures, impossible, budget.part())
            if facts is None:
                return False
            both = self.forms.conj([roots[0], -roots[1]]), self.forms.conj([-roots[0], roots[1]])
            return self._either(*both, budget, (*self.lowered.groups, facts)) is None
        except Exhausted:
            return False

    def _equal(self, f: int, g: int, budget: Budget) -> bool:
        conj = self.forms.conj
        if f == g:
            return True
        one, other = conj([f, -g]), conj([-f, g])
        if windowed(self.forms, one, other) and bounded(self.forms, one, other):
            return self._satisfied(one, other, budget) is None
        return self._either(one, other, budget) is None

    def _either(
        self, one: int, other: int, budget: Budget, groups: Sequence[Group] | None = None
    ) -> Word | None:
        groups = self.lowered.groups if groups is None else groups
        tableau = Tableau(self.forms, self._used(groups, one, other), groups, budget)
        word = tableau.word(one)
        return word if word is not None else tableau.word(other)

    def _same(self, f: int, g: int, budget: Budget) -> bool:
        """Equal on every word? Parts in common are abstracted first."""
        small_f, small_g, letters = abstracted(self.forms, f, g, self.lowered.letters)
        small = budget.part(4, _SMALL)
        if self._equal(small_f, small_g, small):
            return True
        return bool(letters) and self._equal(f, g, small)

    def _used(self, groups: Sequence[Group], *roots: int) -> list[int]:
        used = {self.forms.num[i] for i in self.forms.below(*roots) if self.forms.kind[i] == LIT}
        for group in groups:
            if used & set(group.letters):
                used |= set(group.letters)
        return sorted(used)


def windowed(forms: Forms, *roots: int) -> bool:
    """Does a finite window occur?"""
    return any(forms.kind[i] in (EV, UNTIL) and forms.num[i] < INF for i in forms.below(*roots))


def bounded(forms: Forms, *roots: int) -> bool:
    """Is every window finite?"""
    return not any(forms.kind[i] in (EV, UNTIL) and forms.num[i] == INF for i in forms.below(*roots))
