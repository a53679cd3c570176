"""Is there a word on which a formula is true? Complete for LTL; bounded windows count down natively.

A state is a set of obligations (a bit mask); one step turns it into alternatives (letters, next obligations,
eventualities put off). Letters are truth tables, numbers of 2^n bits. A word exists if and only if a strongly
connected part is reachable in which no eventuality is put off on every edge (Couvreur's search).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from assent.logic.equivalence.atoms import Group
from assent.logic.equivalence.budget import Budget, Exhausted
from assent.logic.equivalence.forms import AND, CONST, EV, FALSE, INF, LIT, NEXT, TRUE, Forms
from assent.logic.equivalence.implied import Implied
from assent.logic.equivalence.lassos import Word

MAX_LETTERS = 14
"""Truth tables have 2^letters bits."""
_COMPARED = 400
"""Up to so many alternatives are checked pairwise for one that makes the other superfluous."""

_REMEMBERED = 48
"""So many states without words are kept to recognise further ones."""

Option = tuple[int, int, int]
"""Letters (truth table), obligations afterwards, eventualities put off."""


class Tableau:
    """Searches words of ``forms``; ``letters`` are the only ones that occur."""

    def __init__(self, forms: Forms, letters: Sequence[int], groups: Sequence[Group], budget: Budget) -> None:
        if len(letters) > MAX_LETTERS:
            raise Exhausted
        self.forms, self.budget = forms, budget
        self._letters = list(letters)
        # What handling one option costs and takes: its letters are 2^n bits.
        self._cost, self._size = 1 + (1 << len(letters) >> 12), 300 + (1 << len(letters) >> 3)
        self._all = (1 << (1 << len(letters))) - 1
        self._tables = {letter: _column(i, len(letters)) for i, letter in enumerate(letters)}
        self._possible = self._all
        for group in groups:
            budget.spend(self._cost * len(group.valuations) * (1 + len(group.letters) // 2))
            self._possible &= self._allowed(group)
        self._bits: dict[int, int] = {}
        self._obligations: list[int] = []
        self._covers: dict[int, list[Option]] = {TRUE: [(self._possible, 0, 0)], FALSE: []}
        self._steps: dict[int, list[Option]] = {}
        self._implied = Implied(forms, budget)
        self._compared: list[int] = []
        self._replaces: list[int] = []
        self._reduced: dict[int, int] = {}
        self._dead: list[int] = []

    def _allowed(self, group: Group) -> int:
        table = 0
        for valuation in group.valuations:
            row = self._all
            for k, letter in enumerate(group.letters):
                if letter in self._tables:
                    column = self._tables[letter]
                    row &= column if valuation >> k & 1 else self._all ^ column
            table |= row
        return table

    # ---- one step ----------------------------------------------------------------------------------

    def _bit(self, f: int) -> int:
        found = self._bits.get(f)
        if found is None:
            count = len(self._obligations)
            # Sets of obligations are masks of so many bits; two of them are kept for each obligation.
            self.budget.spend(1 + (count >> 9))
            self.budget.keep(300 + (count >> 2))
            if count % 512 == 511:
                self._cost += 1
                self._size += 128
            found = self._bits[f] = 1 << count
            self._obligations.append(f)
            self._compared.append(0)
            self._replaces.append(0)
        return found

    def mask(self, f: int) -> int:
        """The obligations that f amounts to."""
        total = 0
        for g in self.forms.conjuncts(f):
            if g != TRUE:
                total |= self._bit(g)
        return total

    def _later(self, f: int, put_off: bool) -> Option:
        bits = self.mask(f)
        return self._possible, bits, bits if put_off else 0

    def _cover(self, f: int) -> list[Option]:
        """The alternatives of one formula; what it is made of is expanded first, without recursion."""
        covers, stack = self._covers, [f]
        while stack:
            g = stack[-1]
            waiting = () if g in covers else [part for part in self._parts(g) if part not in covers]
            if waiting:
                stack.extend(waiting)
                continue
            stack.pop()
            if g not in covers:
                covers[g] = self._expand(g)
        return covers[f]

    def _parts(self, f: int) -> Sequence[int]:
        """What ``_expand`` needs the alternatives of."""
        args = () if self.forms.kind[abs(f)] == NEXT else self.forms.args[abs(f)]
        return args if f > 0 else [-g for g in args]

    def _expand(self, f: int) -> list[Option]:
        forms, covers, i = self.forms, self._covers, abs(f)
        kind, num = forms.kind[i], forms.num[i]
        if kind == LIT:
            table = self._tables[num]
            table = (table if f > 0 else self._all ^ table) & self._possible
            return [(table, 0, 0)] if table else []
        if kind == AND:
            if f > 0:
                return self._product([covers[g] for g in forms.args[i]])
            return self._tidy(option for g in forms.args[i] for option in covers[-g])
        if kind == NEXT:
            rest = forms.shift(num - 1, forms.args[i][0])
            return [self._later(rest if f > 0 else -rest, False)]
        assert kind != CONST
        if kind == EV:
            goal = forms.args[i][0]
            rest = i if num == INF else forms.eventually(goal, num - 1)
            if f > 0:
                return self._tidy([*covers[goal], self._later(rest, num == INF)])
            return self._product([covers[-goal], [self._later(-rest, False)]])
        left, goal = forms.args[i]
        rest = i if num == INF else forms.until(left, goal, num - 1)
        if f > 0:
            waiting = self._product([covers[left], [self._later(rest, num == INF)]])
            return self._tidy([*covers[goal], *waiting])
        released = self._tidy([*covers[-left], self._later(-rest, False)])
        return self._product([covers[-goal], released])

    def _product(self, factors: list[list[Option]]) -> list[Option]:
        result: list[Option] = [(self._possible, 0, 0)]
        for factor in sorted(factors, key=len):
            if len(factor) == 1:
                letters, after, put_off = factor[0]
                self.budget.spend(1 + len(result) * self._cost // 2)
                result = [(a & letters, b | after, c | put_off) for a, b, c in result if a & letters]
            else:
                self.budget.spend(1 + len(result) * len(factor) * self._cost // 2)
                result = self._tidy(
                    (a & x, b | y, c | z) for a, b, c in result for x, y, z in factor if a & x
                )
        return result

    def _tidy(self, options: Iterable[Option]) -> list[Option]:
        """Equal futures are joined; an option with fewer letters and more to do is dropped."""
        joined: dict[tuple[int, int], int] = {}
        for letters, after, put_off in options:
            key = (self._reduce(after), put_off)
            joined[key] = joined.get(key, 0) | letters
        self.budget.keep(self._size * len(joined))
        self.budget.spend(2 * len(joined) * self._cost)
        if not 1 < len(joined) <= _COMPARED:
            return [(letters, after, put_off) for (after, put_off), letters in joined.items()]
        ranked = sorted(joined.items(), key=lambda item: item[0][0].bit_count())
        kept: list[Option] = []
        for (after, put_off), letters in ranked:
            self.budget.spend(len(kept) * self._cost // 16)
            for a, b, c in kept:
                if b & after == b and c & put_off == c:
                    letters &= ~a
            if letters:
                kept.append((letters, after, put_off))
        return kept

    def _step(self, state: int) -> list[Option]:
        """Where a state can go; for emptiness the letters do not matter, only the fewest obligations."""
        found = self._steps.get(state)
        if found is None:
            factors = []
            rest = state
            while rest:
                low = rest & -rest
                factors.append(self._cover(self._obligations[low.bit_length() - 1]))
                rest ^= low
            options = [(a, self._reduce(b), c) for a, b, c in self._product(factors)]
            options.sort(key=lambda option: (option[1].bit_count(), option[2].bit_count()))
            found = []
            self.budget.keep(self._size * len(options))
            for a, b, c in options:
                self.budget.spend(self._cost + len(found) * self._cost // 16)
                if len(found) < _COMPARED and any(y & b == y and z & c == z for _, y, z in found):
                    continue
                found.append((a, b, c))
            self._steps[state] = found
        return found

    def _reduce(self, state: int) -> int:
        """Obligations that another one in the state implies are dropped."""
        found = self._reduced.get(state)
        if found is None:
            found = rest = state
            while rest:
                low = rest & -rest
                rest ^= low
                if not found & low:
                    continue
                k = low.bit_length() - 1
                unknown = state & ~self._compared[k]
                if unknown:
                    self._compare(k, unknown)
                found &= ~self._replaces[k]
            self.budget.spend(self._cost + state.bit_count() // 2)
            self.budget.keep(self._size)
            self._reduced[state] = found
        return found

    def _compare(self, k: int, others: int) -> None:
        self._compared[k] |= others
        f = self._obligations[k]
        while others:
            low = others & -others
            others ^= low
            g = self._obligations[low.bit_length() - 1]
            if f != g and self._implied.replaces(f, g):
                self._replaces[k] |= low

    # ---- the search ----------------------------------------------------------------------------------

    def word(self, f: int) -> Word | None:
        """Valuations (bit i for letter i) and the loop position of a word on which f is true, or None."""
        if f == FALSE:
            return None
        start = self._reduce(self.mask(f))
        number = {start: 1}
        live = [start]
        roots: list[list[int]] = [[1, -1]]
        arcs = [-1]
        todo = [(start, iter(self._step(start)))]
        while todo:
            state, options = todo[-1]
            for _, after, put_off in options:
                seen = number.get(after)
                if seen is None:
                    if any(dead & after == dead for dead in self._dead):
                        continue
                    self.budget.spend(7 + self._cost)
                    self.budget.keep(self._size)
                    number[after] = len(number) + 1
                    live.append(after)
                    roots.append([number[after], -1])
                    arcs.append(put_off)
                    todo.append((after, iter(self._step(after))))
                    break
                if seen:
                    delayed = put_off
                    while roots[-1][0] > seen:
                        delayed &= roots.pop()[1] & arcs.pop()
                    roots[-1][1] &= delayed
                    if roots[-1][1] == 0:
                        return self._lasso(start, {s for s in live if number[s] >= roots[-1][0]})
            else:
                todo.pop()
                if roots[-1][0] == number[state]:
                    roots.pop()
                    arcs.pop()
                    while True:
                        dead = live.pop()
                        number[dead] = 0
                        self._bury(dead)
                        if dead == state:
                            break
        return None

    def _bury(self, state: int) -> None:
        """No word from this state, so none from any that has more obligations."""
        self._dead = [dead for dead in self._dead if state & dead != state][: _REMEMBERED - 1]
        self._dead.insert(0, state)

    def _lasso(self, start: int, part: set[int]) -> Word:
        """A way into the part, then round in it until every eventuality was fulfilled once."""
        stem: list[Option] = []
        if start not in part:
            stem = self._path(start, lambda option: option[1] in part, None)
        entry = here = stem[-1][1] if stem else start
        cycle: list[Option] = []
        pending = -1
        while pending:
            way = self._path(here, partial(_helps, part, pending), part)
            cycle += way
            here = way[-1][1]
            for _, _, put_off in way:
                pending &= put_off
        if here != entry:
            cycle += self._path(here, lambda option: option[1] == entry, part)
        return [self._valuation(letters) for letters, _, _ in (*stem, *cycle)], len(stem)

    def _path(self, start: int, goal: Callable[[Option], bool], within: set[int] | None) -> list[Option]:
        """A shortest way whose last edge meets the goal, through states of ``within`` (None: any)."""
        before: dict[int, tuple[int, Option]] = {}
        queue = deque([start])
        while queue:
            state = queue.popleft()
            options = self._step(state)
            self.budget.spend(1 + len(options) // 4)
            for option in options:
                if goal(option):
                    way = [option]
                    while state != start:
                        state, edge = before[state]
                        way.append(edge)
                    return way[::-1]
                after = option[1]
                if after != start and after not in before and (within is None or after in within):
                    before[after] = (state, option)
                    queue.append(after)
        raise AssertionError("a state of a connected part cannot be reached")

    def _valuation(self, table: int) -> int:
        row = (table & -table).bit_length() - 1
        return sum((row >> i & 1) << letter for i, letter in enumerate(self._letters))


def _helps(part: set[int], pending: int, option: Option) -> bool:
    """Does the edge stay in the part and not put off one of the pending eventualities?"""
    return option[1] in part and option[2] & pending != pending


def _column(i: int, count: int) -> int:
    """Truth table of letter i among ``count``: bit r is bit i of r."""
    block = ((1 << (1 << i)) - 1) << (1 << i)
    width = 2 << i
    while width < 1 << count:
        block |= block << width
        width *= 2
    return block
