"""A quick, incomplete test whether one form implies another, by their shapes."""

from __future__ import annotations

from assent.logic.equivalence.budget import Budget
from assent.logic.equivalence.forms import AND, EV, FALSE, INF, NEXT, TRUE, UNTIL, Forms

_DEEPEST = 60
"""Shapes inside one another that are looked into; each takes a few calls of Python's stack."""


class Implied:
    """Answers are remembered; True is always right, False only means that the shapes do not show it."""

    def __init__(self, forms: Forms, budget: Budget) -> None:
        self.forms, self.budget = forms, budget
        self._known: dict[tuple[int, int], bool] = {}
        self._heights: dict[int, int] = {}
        self._depth = 0

    def __call__(self, f: int, g: int) -> bool:
        if f in (g, FALSE) or g == TRUE:
            return True
        if f in (-g, TRUE) or g == FALSE:
            return False
        found = self._known.get((f, g))
        if found is None:
            self.budget.spend(3)
            self.budget.keep(300)
            if self._depth >= _DEEPEST:
                return False
            self._depth += 1
            try:
                found = self._known[f, g] = self._known[-g, -f] = self._test(f, g)
            finally:
                self._depth -= 1
        return found

    def _test(self, f: int, g: int) -> bool:
        return self._boolean(f, g) or self._temporal(f, g) or self._temporal(-g, -f)

    def _boolean(self, f: int, g: int) -> bool:
        forms = self.forms
        kind_f, kind_g = forms.kind[abs(f)], forms.kind[abs(g)]
        if kind_g == AND and g > 0:
            return all(self(f, part) for part in forms.args[g])
        if kind_f == AND and f < 0:
            return all(self(-part, g) for part in forms.args[-f])
        if kind_f == AND and any(self(part, g) for part in forms.args[f]):
            return True
        return kind_g == AND and any(self(f, -part) for part in forms.args[-g])

    def _temporal(self, f: int, g: int) -> bool:
        """Rules for the shape of f; those for g follow by contraposition."""
        forms, i, j = self.forms, abs(f), abs(g)
        kind, other = forms.kind[i], forms.kind[j]
        if kind == NEXT and other == NEXT:
            (k, f1), (n, g1) = forms.split(f), forms.split(g)
            return k == n and self(f1, g1)
        if kind == EV and f < 0:
            # G[0,w] h: h holds now; any shorter always of something weaker holds; if w is infinite, also later.
            body = -forms.args[i][0]
            if self(body, g):
                return True
            if other == EV and g < 0:
                return forms.num[i] >= forms.num[j] and self(body, -forms.args[j][0])
            if other == NEXT and forms.num[i] == INF:
                return self(f, forms.split(g)[1])
            return other == UNTIL and g < 0 and forms.num[i] >= forms.num[j] and self(body, -forms.args[j][1])
        if kind == UNTIL and f > 0:
            left, goal = forms.args[i]
            if self(left, g) and self(goal, g):
                return True
            if other == EV and g > 0:
                return forms.num[i] <= forms.num[j] and self(goal, forms.args[j][0])
            if other == UNTIL and g > 0:
                left2, goal2 = forms.args[j]
                return forms.num[i] <= forms.num[j] and self(left, left2) and self(goal, goal2)
        if kind == UNTIL and f < 0:
            return self(-forms.args[i][1], g)
        return False

    def height(self, f: int) -> int:
        """Temporal operators inside one another."""
        i = abs(f)
        found = self._heights.get(i)
        if found is None:
            inner = max((self.height(part) for part in self.forms.args[i]), default=0)
            found = self._heights[i] = inner + (self.forms.kind[i] in (NEXT, EV, UNTIL))
        return found

    def repeats(self, f: int, g: int) -> bool:
        """Does expanding f for one step expand g as well, because f is always or release over g?"""
        self.budget.spend(1)
        i = abs(f)
        if f > 0 or self.forms.kind[i] not in (EV, UNTIL):
            return False
        body = self.forms.conjuncts(-self.forms.args[i][-1])
        return g in body or any(self.repeats(part, g) for part in body)

    def replaces(self, f: int, g: int) -> bool:
        """May an obligation g be dropped where f is one too?

        An eventuality may not be handed on from obligation to obligation for ever, so f must not be nested
        deeper than g, unless it expands g in every step anyway.
        """
        if self.repeats(f, g):
            return True
        return self.height(f) <= self.height(g) and self(f, g) and (not self(g, f) or f < g)
