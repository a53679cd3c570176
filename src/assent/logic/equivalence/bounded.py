"""Is there a word whose state stays the same from some position on? Asked of a SAT solver.

Complete if every window is finite and the words are as long as the windows reach. One variable for each
sub-formula and time that matters, clauses in the needed direction only; a window asked for at many times
is cut into blocks (what is left of one block, what is begun of the next), so it costs three variables a position
whatever its width.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from typing import Any

from assent.logic.equivalence.atoms import Group
from assent.logic.equivalence.budget import Budget, Exhausted
from assent.logic.equivalence.forms import AND, EV, INF, LIT, NEXT, UNTIL, Forms
from assent.logic.equivalence.lassos import Word

MAX_CLAUSES = 700_000
"""Beyond this an encoding is given up."""
_SOLVER = "minisat22"
"""It stops within a propagation budget; the glucose family looks at one only when it restarts."""
_CLAUSE = 2
"""Steps for making a clause and giving it to the solver."""
_PROPAGATIONS = 4
"""What the solver propagates in one step."""
_CONFLICT = 20
"""Steps for a conflict: it is analysed and a clause learnt."""
_AT_ONCE = 400_000
"""Steps after which the solver is interrupted and the clock looked at."""
_FEW = 2
"""A window asked for at no more times than this is written out."""


class Encoding:
    """Clauses that say: f holds at time 0 of a word of ``length`` states whose last one repeats for ever."""

    def __init__(self, forms: Forms, f: int, length: int, groups: Sequence[Group], budget: Budget) -> None:
        self.forms, self.last, self.budget = forms, length - 1, budget
        self.clauses: list[list[int]] = [[1]]
        self.count = 1
        self._letters: dict[int, list[int]] = {}
        self._asked: dict[int, dict[int, int]] = {}
        self._heights: dict[int, int] = {}
        self._queue: list[tuple[int, int]] = []
        self.clauses.append([self._literal(f, 0)])
        while self._queue:
            _, node = heapq.heappop(self._queue)
            self._define(node)
        self._facts(groups)
        self._exclude()

    def word(self, model: Sequence[int]) -> Word:
        """Valuations of the letters and loop position from a model of the clauses."""
        true = {literal for literal in model if literal > 0}  # a variable in no clause is in no model: false
        self.budget.spend((self.last + 1) * (1 + len(self._letters)) // 8)
        states = [
            sum(1 << letter for letter, row in self._letters.items() if row[t] in true)
            for t in range(self.last + 1)
        ]
        return states, self.last

    def _row(self, letter: int) -> list[int]:
        """The variables of a letter by time, 0 where none is needed yet."""
        row = self._letters.get(letter)
        if row is None:
            self.budget.spend(1 + self.last // 64)
            self.budget.keep(8 * self.last)
            row = self._letters[letter] = [0] * (self.last + 1)
        return row

    def _fresh(self) -> int:
        self.budget.spend(1)
        self.budget.keep(150)
        self.count += 1
        return self.count

    def _add(self, *clause: int) -> None:
        self.clauses.append(list(clause))
        self.budget.spend(_CLAUSE + len(clause) // 4)
        self.budget.keep(150 + 12 * len(clause))
        if len(self.clauses) > MAX_CLAUSES:
            raise Exhausted

    def _height(self, i: int) -> int:
        found = self._heights.get(i)
        if found is None:
            forms = self.forms
            parts = [abs(g) for g in forms.args[i]]
            if forms.kind[i] == UNTIL and forms.num[i] < INF:
                parts.append(abs(forms.eventually(forms.args[i][1], forms.num[i])))
            found = self._heights[i] = 1 + max(map(self._height, parts), default=0)
        return found

    def _literal(self, f: int, time: int) -> int:
        """A literal that implies f at the time; asks for the definition of f there."""
        forms, i = self.forms, abs(f)
        time = min(time, self.last)
        kind = forms.kind[i]
        if kind == NEXT:
            g = forms.args[i][0]
            return self._literal(g if f > 0 else -g, time + forms.num[i])
        if kind == LIT:
            row = self._row(forms.num[i])
            if not row[time]:
                row[time] = self._fresh()
            return row[time] if f > 0 else -row[time]
        if kind not in (AND, EV, UNTIL):
            return 1 if f > 0 else -1
        asked = self._asked.get(f)
        if asked is None:
            asked = self._asked[f] = {}
            # Parents before children, so that all times are known when a node is defined.
            heapq.heappush(self._queue, (-self._height(i), f))
        if time not in asked:
            asked[time] = self._fresh()
        return asked[time]

    def _define(self, f: int) -> None:
        forms, i = self.forms, abs(f)
        asked = self._asked[f]
        if forms.kind[i] == AND:
            for time, v in asked.items():
                if f > 0:
                    for g in forms.args[i]:
                        self._add(-v, self._literal(g, time))
                else:
                    self._add(-v, *(self._literal(-g, time) for g in forms.args[i]))
        elif forms.kind[i] == EV:
            goal = forms.args[i][0]
            self._window(asked, goal if f > 0 else -goal, forms.num[i], some=f > 0)
        else:
            self._until(asked, i, f > 0)

    def _window(self, asked: dict[int, int], goal: int, width: int, *, some: bool) -> None:
        """``goal`` at some time, or at every time, of the window that starts at each time asked for."""
        end = min(max(asked) + width, self.last)
        if (len(asked) <= _FEW and width < INF) or width <= _FEW:
            for time, v in asked.items():
                self.budget.spend(min(width, self.last))
                goals = [self._literal(goal, t) for t in range(time, min(time + width, self.last) + 1)]
                if some:
                    self._add(-v, *goals)
                else:
                    for literal in goals:
                        self._add(-v, literal)
            return
        block = min(width, self.last) + 1
        rest: dict[int, int] = {}
        begun: dict[int, int] = {}
        for time, v in asked.items():
            close = min(time + width, self.last)
            needed = [self._chain(rest, goal, time, min(time // block * block + block - 1, end), some)]
            if close // block != time // block:
                needed.append(self._chain(begun, goal, close, close // block * block, some))
            if some:
                self._add(-v, *needed)
            else:
                for literal in needed:
                    self._add(-v, literal)

    def _chain(self, known: dict[int, int], goal: int, start: int, stop: int, some: bool) -> int:
        """A variable for ``goal`` at some/every time between start and stop, linked through its neighbours."""
        if start in known:
            return known[start]
        step = 1 if stop >= start else -1
        first = known[start] = self._fresh()
        here, v = start, first
        while True:
            now = self._literal(goal, here)
            if here == stop:
                self._add(-v, now)
                return first
            linked = here + step in known
            following = known[here + step] if linked else self._fresh()
            if some:
                self._add(-v, now, following)
            else:
                self._add(-v, now)
                self._add(-v, following)
            if linked:
                return first
            here += step
            v = known[here] = following

    def _until(self, asked: dict[int, int], i: int, affirmed: bool) -> None:
        """p U[0,w] q is F[0,w] q and p weak-until q; its negation is dual."""
        forms = self.forms
        (p, q), width = forms.args[i], forms.num[i]
        window = forms.eventually(q, width) if width < INF else 0
        end = min(max(asked) + width, self.last)
        chain: dict[int, int] = {}
        for time in range(min(asked), end + 1):
            chain[time] = self._fresh()
        for time, v in chain.items():
            if affirmed:
                goal, other = self._literal(q, time), self._literal(p, time)
                if time == end:
                    self._add(-v, goal, *([other] if width < INF else []))
                else:
                    self._add(-v, goal, other)
                    self._add(-v, goal, chain[time + 1])
            else:
                self._add(-v, self._literal(-q, time))
                other = self._literal(-p, time)
                if time < end:
                    self._add(-v, other, chain[time + 1])
                elif width < INF:
                    self._add(-v, other)
        for time, v in asked.items():
            if affirmed:
                self._add(-v, chain[time])
                if window:
                    self._add(-v, self._literal(window, time))
            else:
                self._add(-v, chain[time], *([self._literal(-window, time)] if window else []))

    def _exclude(self) -> None:
        """A form and its negation do not hold at the same time: implied, but shorter proofs."""
        for f, asked in self._asked.items():
            denied = self._asked.get(-f, {}) if f > 0 else {}
            for time in asked.keys() & denied.keys():
                self._add(-asked[time], -denied[time])

    def _facts(self, groups: Sequence[Group]) -> None:
        """At every time a group takes one of its valuations."""
        for group in groups:
            if not any(letter in self._letters for letter in group.letters):
                continue
            rows = [self._row(letter) for letter in group.letters]
            for time in range(self.last + 1):
                for row in rows:
                    row[time] = row[time] or self._fresh()
                choices = [self._fresh() for _ in group.valuations]
                self._add(*choices)
                for choice, valuation in zip(choices, group.valuations, strict=True):
                    for k, row in enumerate(rows):
                        self._add(-choice, row[time] if valuation >> k & 1 else -row[time])


def constant_tail_word(
    forms: Forms, targets: Sequence[int], length: int, groups: Sequence[Group], budget: Budget
) -> Word | None:
    """A word of that many states, the last repeating, on which one of the targets holds, or None."""
    from pysat.solvers import Solver

    running: list[tuple[Encoding, Any]] = []
    try:
        for target in targets:
            encoding = Encoding(forms, target, length, groups, budget)
            running.append((encoding, Solver(name=_SOLVER, bootstrap_with=encoding.clauses)))
        turn = 500
        while running:
            # Both directions take turns, so that an easy one is not kept waiting by a hard one.
            for encoding, solver in list(running):
                answer = _turn(solver, turn, budget)
                if answer:
                    return encoding.word(solver.get_model())
                if answer is False:
                    running.remove((encoding, solver))
                    solver.delete()
            turn = min(2 * turn, 4_000)
        return None
    finally:
        for _, solver in running:
            solver.delete()


def _turn(solver: Any, conflicts: int, budget: Budget) -> bool | None:
    """Let the solver work for a while and spend what it propagated; None if it has not finished."""
    steps = min(_AT_ONCE, 500 * conflicts, budget.left())
    if steps <= 0:
        raise Exhausted
    before = _work(solver)
    solver.conf_budget(conflicts)
    solver.prop_budget(_PROPAGATIONS * steps)
    answer: bool | None = solver.solve_limited()
    budget.spend(1 + _work(solver) - before)
    return answer


def _work(solver: Any) -> int:
    """What a solver has done so far, in steps."""
    counts = solver.accum_stats()
    return int(counts["propagations"] // _PROPAGATIONS + _CONFLICT * counts["conflicts"])
