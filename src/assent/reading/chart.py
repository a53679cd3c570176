"""A bottom-up chart over the symbols of a sentence: the cheapest readings of every stretch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from assent.reading.meaning import Unsaid
from assent.reading.rules import RuleState

KEPT = 3  # readings of one stretch and category
SLACK = 3.5  # a reading so much dearer than the best of its stretch and category is dropped


LEADING = 3  # so many symbols at the start may be left unread before anything is read
DEAREST = 9.0  # no stretch may cost more


class Symbol(NamedTuple):
    """A word or phrase as the grammar sees it: its class, its value, what leaving it unread costs, where it stood."""

    kind: str
    value: object
    skip: float
    words: tuple[str, ...]
    cost: float = 0.0


class ChartItem(NamedTuple):
    """A reading of a stretch: its cost, its meaning, the symbols left unread."""

    cost: float
    value: object
    unread: tuple[int, ...]


class Part(NamedTuple):
    """The values of a rule's first parts."""

    cost: float
    values: tuple[object, ...]
    unread: tuple[int, ...]


class ChartCell:
    """What one stretch can be: whole categories and beginnings of rules."""

    def __init__(self) -> None:
        self.whole: dict[str, list[ChartItem]] = {}
        self.parts: dict[int, tuple[RuleState, list[Part]]] = {}

    def add(self, kind: str, item: ChartItem) -> bool:
        """Keep a reading if it is among the cheapest; whether it was kept."""
        if item.cost > DEAREST:
            return False
        kept = self.whole.setdefault(kind, [])
        for k, other in enumerate(kept):
            if other.value == item.value:
                if other.cost <= item.cost:
                    return False
                del kept[k]
                break
        if len(kept) >= KEPT and kept[-1].cost <= item.cost:
            return False
        if kept and item.cost > kept[0].cost + SLACK:
            return False
        kept.append(item)
        kept.sort(key=_cost)
        del kept[KEPT:]
        return True

    def add_part(self, state: RuleState, part: Part) -> None:
        entry = self.parts.get(id(state))
        if entry is None:
            self.parts[id(state)] = (state, [part])
            return
        kept = entry[1]
        if len(kept) >= KEPT and kept[-1].cost <= part.cost:
            return
        if any(o.values == part.values and o.cost <= part.cost for o in kept):
            return
        kept.append(part)
        kept.sort(key=_part_cost)
        del kept[KEPT:]


def _cost(item: ChartItem) -> float:
    return item.cost


def _part_cost(part: Part) -> float:
    return part.cost


Places = Sequence[Sequence[Symbol]]
"""The symbols of a sentence: for each place, what it can be."""


def parse(symbols: Places, root: RuleState, goal: str) -> list[ChartItem]:
    """The cheapest readings of all symbols as ``goal``, best first; empty where there is none."""
    n = len(symbols)
    cells = [[ChartCell() for _ in range(n + 1)] for _ in range(n + 1)]
    for j in range(1, n + 1):
        for i in range(j - 1, -1, -1):
            _fill(cells, symbols, root, i, j)
    return cells[0][n].whole.get(goal, []) if n else []


def _fill(cells: list[list[ChartCell]], symbols: Places, root: RuleState, i: int, j: int) -> None:
    cell = cells[i][j]
    fresh: list[tuple[str, ChartItem]] = []

    def found(kind: str, item: ChartItem) -> None:
        if cell.add(kind, item):
            fresh.append((kind, item))

    if j - i == 1:
        for symbol in symbols[i]:
            found(symbol.kind, ChartItem(symbol.cost, symbol.value, ()))
    else:
        _skip(cells, symbols, i, j, found)
    for k in range(i + 1, j):
        left, right = cells[i][k], cells[k][j]
        if not left.parts or not right.whole:
            continue
        whole = right.whole
        for state, parts in left.parts.values():
            after = state.after
            # In the order of the tables, never of a set: equal costs must fall the same way in every process.
            for kind in after if len(after) <= len(whole) else whole:
                if kind in after and kind in whole:
                    _advance(cell, after[kind], parts, whole[kind], found)
    while fresh:
        kind, item = fresh.pop()
        if kind in root.after:
            _advance(cell, root.after[kind], _NOTHING, [item], found)


_NOTHING = [Part(0.0, (), ())]
Found = Callable[[str, ChartItem], None]


def _skip(cells: list[list[ChartCell]], symbols: Places, i: int, j: int, found: Found) -> None:
    """The last symbol left unread (at the start of the sentence, the first)."""
    skip = max(symbol.skip for symbol in symbols[j - 1])
    for kind, items in cells[i][j - 1].whole.items():
        for item in items:
            found(kind, ChartItem(item.cost + skip, item.value, (*item.unread, j - 1)))
    if i < LEADING:
        skip = max(symbol.skip for symbol in symbols[i])
        for kind, items in cells[i + 1][j].whole.items():
            for item in items:
                found(kind, ChartItem(item.cost + skip, item.value, (i, *item.unread)))


def _advance(
    cell: ChartCell, state: RuleState, parts: Sequence[Part], items: Sequence[ChartItem], found: Found
) -> None:
    """Rules that have come one part further; those that are complete are built."""
    for part in parts:
        for item in items:
            step = Part(part.cost + item.cost, (*part.values, item.value), (*part.unread, *item.unread))
            if state.after:
                cell.add_part(state, step)
            for rule in state.rules:
                try:
                    value = rule.build(step.values)
                except Unsaid:
                    continue
                found(rule.left, ChartItem(step.cost + rule.cost, value, step.unread))
