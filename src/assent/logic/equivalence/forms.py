"""Formulas as the deciders see them: shared nodes, signed references, a normal form.

A formula is a signed integer; ``-f`` is the negation of ``f``, so or, always and release are negated and,
eventually and until, and every law is written once. The same meaning often becomes the same integer:

- next is pulled outwards through everything, so ``X(p U q)`` and ``Xp U Xq`` are one node;
- ``F[a,b] f`` is ``X^a F[0,b-a] f``; ``p U[a,b] q`` is ``G[0,a-1] p & X^a (p U[0,b-a] q)``;
- windows over the same body are merged; eventually distributes over or; some thirty further laws.

These laws hold for infinite words in discrete time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from assent.logic.equivalence.budget import Budget

TRUE, FALSE = 1, -1
INF = 1 << 60

CONST, LIT, AND, NEXT, EV, UNTIL = range(6)

_TABLED = 7
"""Formulas without time over the first so many letters are recognised by their truth table."""
_ALL = (1 << (1 << _TABLED)) - 1
_NODE = 700
"""Bytes of a node: its row in the table and its place in the index."""
_COLUMNS = [sum(1 << row for row in range(1 << _TABLED) if row >> k & 1) for k in range(_TABLED)]


class Forms:
    """A table of nodes. ``kind``, ``args`` and ``num`` describe node i (num: letter, shift or window).

    Building and reading spend steps of ``budget`` and raise Exhausted when it is used up.
    """

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.kind: list[int] = [CONST, CONST]
        self.args: list[tuple[int, ...]] = [(), ()]
        self.num: list[int] = [0, 0]
        # f is eventual if f = F f, universal if f = G f; both together: a property of the far future only.
        self._eventual: list[bool] = [True, True]
        self._universal: list[bool] = [True, True]
        self._table: dict[tuple[int, ...], int] = {}
        # Truth tables of nodes without time over the first letters, and the node first built for each.
        self._truth: dict[int, int] = {1: _ALL}
        self._by_truth: dict[int, int] = {_ALL: TRUE}

    # ---- reading ---------------------------------------------------------------------------------

    def eventual(self, f: int) -> bool:
        return self._eventual[f] if f > 0 else self._universal[-f]

    def universal(self, f: int) -> bool:
        return self._universal[f] if f > 0 else self._eventual[-f]

    def suspended(self, f: int) -> bool:
        return self._eventual[abs(f)] and self._universal[abs(f)]

    def split(self, f: int) -> tuple[int, int]:
        """``f = X^k g`` with the largest k."""
        i = abs(f)
        if self.kind[i] == NEXT:
            g = self.args[i][0]
            return self.num[i], g if f > 0 else -g
        return 0, f

    def conjuncts(self, f: int) -> tuple[int, ...]:
        return self.args[f] if f > 0 and self.kind[f] == AND else (f,)

    def disjuncts(self, f: int) -> tuple[int, ...]:
        return tuple(-g for g in self.conjuncts(-f))

    def below(self, *roots: int) -> list[int]:
        """Indices of all nodes under the roots, children before parents."""
        seen: set[int] = set()
        order: list[int] = []
        stack = [abs(root) for root in roots]
        while stack:
            i = stack[-1]
            if i in seen:
                stack.pop()
                continue
            waiting = [abs(g) for g in self.args[i] if abs(g) not in seen]
            if waiting:
                stack.extend(waiting)
            else:
                seen.add(i)
                order.append(i)
                stack.pop()
        self.budget.spend(len(order) // 2)
        return order

    # ---- building --------------------------------------------------------------------------------

    def _node(self, kind: int, args: tuple[int, ...], num: int, eventual: bool, universal: bool) -> int:
        key = (kind, num, *args)
        found = self._table.get(key)
        if found is None:
            self.budget.spend(2)
            self.budget.keep(_NODE + 40 * len(args))
            found = self._table[key] = len(self.kind)
            self.kind.append(kind)
            self.args.append(args)
            self.num.append(num)
            self._eventual.append(eventual)
            self._universal.append(universal)
        return found

    def letter(self, number: int) -> int:
        i = self._node(LIT, (), number, False, False)
        if number < _TABLED and i not in self._truth:
            self._truth[i] = _COLUMNS[number]
            self._by_truth[_COLUMNS[number]] = i
        return i

    def _timeless(self, chosen: set[int]) -> list[int] | None:
        """Parts without time brought to the form first met for their joint meaning; None if nothing changes."""
        parts = [f for f in chosen if abs(f) in self._truth]
        if len(parts) < 2:
            return None
        joint = self.conjuncts(self._tabled(sorted(parts)))
        return None if set(joint) == set(parts) else [*(chosen - set(parts)), *joint]

    def _tabled(self, parts: Sequence[int]) -> int:
        """The node for a conjunction without time, the same for all that have its truth table."""
        table = _ALL
        for f in parts:
            table &= self._truth[f] if f > 0 else _ALL ^ self._truth[-f]
        if table in self._by_truth:
            return self._by_truth[table]
        if _ALL ^ table in self._by_truth:
            return -self._by_truth[_ALL ^ table]
        i = self._by_truth[table] = self._node(AND, tuple(parts), 0, False, False)
        self._truth[i] = table
        return i

    def shift(self, steps: int, f: int) -> int:
        """X^steps f."""
        if steps == 0 or self.suspended(f):
            return f
        inner, g = self.split(f)
        i = self._node(NEXT, (abs(g),), steps + inner, self._eventual[abs(g)], self._universal[abs(g)])
        return i if g > 0 else -i

    def disj(self, parts: Iterable[int]) -> int:
        return -self.conj([-f for f in parts])

    def conj(self, parts: Iterable[int]) -> int:
        """Flattened, sorted, free of repetition, contradiction, absorbed parts and mergeable windows."""
        stack = list(parts)
        met: set[frozenset[int]] = set()
        while True:
            gathered = self._gathered(stack)
            if gathered is None:
                return FALSE
            chosen, least, windows = gathered
            self.budget.spend(1 + len(chosen) // 2)
            if len(chosen) <= 1:
                return next(iter(chosen), TRUE)
            simpler = self._timeless(chosen) or self._absorb(chosen)
            if simpler is None and windows:
                simpler = self._windows(chosen)
            if simpler is None or (now := frozenset(chosen)) in met:
                break  # two laws can undo each other: a part that one window implies, in a truth table met before
            met.add(now)
            stack = simpler
        if least:
            chosen = {f if self.suspended(f) else self._earlier(f, least) for f in chosen}
        args = tuple(sorted(chosen))
        if all(abs(f) in self._truth for f in args):
            return self.shift(least, self._tabled(args))
        eventual, universal = all(map(self.eventual, args)), all(map(self.universal, args))
        return self.shift(least, self._node(AND, args, 0, eventual, universal))

    def _gathered(self, stack: list[int]) -> tuple[set[int], int, bool] | None:
        """The conjuncts, their common shift, and whether one is a window; None for a contradiction."""
        kind, chosen = self.kind, set[int]()
        least, windows = INF, False
        while stack:
            f = stack.pop()
            if f == TRUE:
                continue
            if f == FALSE or -f in chosen:
                return None
            steps, g = self.split(f) if kind[abs(f)] == NEXT else (0, f)
            if g > 0 and kind[g] == AND:
                stack.extend(self.shift(steps, h) for h in self.args[g])
            else:
                chosen.add(f)
                windows = windows or kind[abs(g)] == EV
                if steps < least and not self.suspended(f):
                    least = steps
        return chosen, 0 if least == INF else least, windows

    def _earlier(self, f: int, steps: int) -> int:
        inner, g = self.split(f)
        return self.shift(inner - steps, g)

    def _absorb(self, chosen: set[int]) -> list[int] | None:
        """a & (a | b) is a, a & (!a | b) is a & b; None if nothing changes."""
        for f in chosen:
            # Parts without time are settled by their truth table.
            if f < 0 and self.kind[-f] == AND and -f not in self._truth:
                inside = self.args[-f]
                self.budget.spend(1 + len(inside) // 8)
                if any(-g in chosen for g in inside):
                    return [h for h in chosen if h != f]
                if any(g in chosen for g in inside):
                    rest = [-g for g in inside if g not in chosen]
                    return [h for h in chosen if h != f] + [self.disj(rest)]
        return None

    def _windows(self, chosen: set[int]) -> list[int] | None:
        """Merge always-windows, drop eventually-windows that a smaller one implies, shorten untils."""
        always: dict[int, list[tuple[int, int, int]]] = {}
        sometime: dict[int, list[tuple[int, int, int]]] = {}
        for f in chosen:
            steps, g = self.split(f)
            if self.kind[abs(g)] == EV:
                body, width = self.args[abs(g)][0], self.num[abs(g)]
                if g > 0:
                    sometime.setdefault(body, []).append((steps, min(steps + width, INF), f))
                else:
                    always.setdefault(-body, []).append((steps, min(steps + width, INF), f))
        if not always and not sometime:
            return None
        for f in chosen:
            steps, g = self.split(f)
            if g in always:
                always[g].append((steps, steps, f))
            if g in sometime:
                sometime[g].append((steps, steps, f))
        merged = [part for body, spans in always.items() for part in self._joined(body, spans)]
        if merged:
            gone = {f for _, members in merged for f in members}
            return [f for f in chosen if f not in gone] + [f for f, _ in merged]
        for spans in sometime.values():
            self.budget.spend(len(spans) * len(spans) // 8)
            for low, high, f in spans:
                for low2, high2, f2 in spans:
                    if f != f2 and low2 <= low and high <= high2:
                        return [h for h in chosen if h != f2]
        return self._untils(chosen, sometime) if sometime else None

    def _joined(self, body: int, spans: list[tuple[int, int, int]]) -> list[tuple[int, list[int]]]:
        """Overlapping and adjacent always-windows over one body as one, with the conjuncts it replaces."""
        joined: list[tuple[int, list[int]]] = []
        run: list[int] = []
        begin = end = 0
        for low, high, f in [*sorted(spans), (INF + 2, INF + 2, 0)]:
            if run and low > end + 1:
                if len(run) > 1:
                    width = end - begin if end < INF else INF
                    joined.append((self.shift(begin, self.always(body, width)), run))
                run = []
            begin = begin if run else low
            end = max(end, high) if run else high
            run = [*run, f]
        return joined

    def _untils(self, chosen: set[int], sometime: dict[int, list[tuple[int, int, int]]]) -> list[int] | None:
        """(p U q) & F[0,b] q is p U[0,b] q."""
        for f in chosen:
            steps, g = self.split(f)
            if g > 0 and self.kind[g] == UNTIL:
                left, right = self.args[g]
                late, goal = self.split(right)
                for low, high, f2 in sometime.get(goal, ()):
                    if low == steps + late and f2 != f:
                        width = min(self.num[g], high - low if high < INF else INF)
                        merged = self.shift(steps, self.until(left, right, width))
                        return [h for h in chosen if h not in (f, f2)] + [merged]
        return None

    def eventually(self, f: int, width: int = INF) -> int:
        """F[0,width] f."""
        if width == 0 or self.eventual(f):
            return f
        if self.universal(f) and width < INF:
            return self.shift(width, f)
        steps, g = self.split(f)
        if steps:
            return self.shift(steps, self.eventually(g, width))
        i = abs(f)
        if f > 0:
            match self.kind[i]:
                case k if k == EV:
                    return self.eventually(self.args[i][0], min(INF, self.num[i] + width))
                case k if k == UNTIL and width == INF:
                    return self.eventually(self.args[i][1])
                case k if k == AND and any(map(self.suspended, self.args[i])):
                    far = [g for g in self.args[i] if self.suspended(g)]
                    near = [g for g in self.args[i] if not self.suspended(g)]
                    return self.conj([*far, self.eventually(self.conj(near), width)])
        elif self.kind[i] == AND:
            return self.disj([self.eventually(-g, width) for g in self.args[i]])
        return self._node(EV, (f,), width, width == INF, width == INF and self.universal(f))

    def always(self, f: int, width: int = INF) -> int:
        return -self.eventually(-f, width)

    def until(self, p: int, q: int, width: int = INF) -> int:
        """p U[0,width] q."""
        if width == 0 or p in (FALSE, q) or self.eventual(q):
            return q
        if p in (TRUE, -q):
            return self.eventually(q, width)
        if self.universal(p):
            return self.disj([q, self.conj([p, self.eventually(q, width)])])
        late_p, late_q = self.split(p)[0], self.split(q)[0]
        least = late_p if self.suspended(q) else min(late_p, late_q)
        if least:
            q = q if self.suspended(q) else self._earlier(q, least)
            return self.shift(least, self.until(self._earlier(p, least), q, width))
        if q > 0 and self.kind[q] == UNTIL and self.args[q][0] == p:
            return self.until(p, self.args[q][1], min(INF, width + self.num[q]))
        goals = self.disjuncts(q)
        if len(goals) > 1 and any(map(self.eventual, goals)):
            far = [g for g in goals if self.eventual(g)]
            near = self.disj([g for g in goals if not self.eventual(g)])
            return self.disj([*far, self.until(p, near, width)])
        ways = self.disjuncts(p)
        if len(ways) > 1:
            useful = [g for g in ways if g != q and g not in goals]
            if len(useful) < len(ways):
                return self.until(self.disj(useful), q, width)
        eventual = False
        universal = width == INF and self.universal(p) and self.universal(q)
        return self._node(UNTIL, (p, q), width, eventual, universal)

    def rebuilt(self, i: int, args: tuple[int, ...]) -> int:
        """Node i over other arguments."""
        match self.kind[i]:
            case k if k == AND:
                return self.conj(args)
            case k if k == NEXT:
                return self.shift(self.num[i], args[0])
            case k if k == EV:
                return self.eventually(args[0], self.num[i])
            case k if k == UNTIL:
                return self.until(args[0], args[1], self.num[i])
            case _:
                return i
