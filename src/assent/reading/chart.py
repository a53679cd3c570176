"""A bottom-up chart over the symbols of a sentence: the cheapest readings of every stretch.

The grammar is data: rules with a cost and the function that builds their meaning, in a trie of right-hand sides.
"""

from __future__ import annotations

import ast
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import NamedTuple

from assent.errors import DataError
from assent.reading import meaning, sayings
from assent.reading.meaning import Unsaid

Values = tuple[object, ...]
Action = Callable[[Values], object]
MISSING = 0.15  # what leaving out an element marked with "?" costs
_FUNCTIONS = {
    name: value
    for room in (meaning, sayings)
    for name, value in vars(room).items()
    if callable(value) and not name.startswith("_")
}


@dataclass(frozen=True, slots=True)
class Rule:
    """``left`` from the parts that lead to a state; ``build`` takes their values."""

    left: str
    cost: float
    build: Action


@dataclass(slots=True)
class RuleState:
    """A prefix of right-hand sides: what may follow, and which rules are complete."""

    after: dict[str, RuleState] = field(default_factory=dict)
    rules: list[Rule] = field(default_factory=list)


_READING = threading.Lock()
"""CPython 3.11 counts the depth of syntax trees for all threads together: two that make them at once may fail."""


def grammar() -> RuleState:
    """The rules of ``grammar.txt``, read once, by one thread; DataError where a line is broken."""
    with _READING:
        return _read_once()


@cache
def _read_once() -> RuleState:
    return read_rules(resources.files("assent.reading").joinpath("grammar.txt").read_text(encoding="utf-8"))


def read_rules(text: str) -> RuleState:
    """A trie of the rules in a text, one a line: ``LEFT -> A b:B C? D|E = function(b) @0.5``."""
    root = RuleState()
    for number, line in enumerate(text.splitlines(), 1):
        line = line.split("#")[0].strip()
        if not line:
            continue
        found = re.fullmatch(r"(\w+) -> (.+?) = (.+?)(?: @([\d.]+))?", line)
        if found is None:
            raise DataError(f"grammar, line {number}: not a rule: {line}")
        left, right, expression, cost = found.groups()
        for parts, extra in _variants(right.split()):
            _add(root, left, parts, expression, float(cost or 0) + extra, number)
    return root


def _variants(parts: Sequence[str]) -> Iterator[tuple[list[str], float]]:
    """Every way to leave out optional parts and to choose between alternatives."""
    if not parts:
        yield [], 0.0
        return
    label, _, symbols = parts[0].rpartition(":")
    optional = symbols.endswith("?")
    for rest, cost in _variants(parts[1:]):
        for symbol in symbols.rstrip("?").split("|"):
            yield [f"{label}:{symbol}", *rest], cost
        if optional:
            yield rest, cost + MISSING


def _add(root: RuleState, left: str, parts: Sequence[str], expression: str, cost: float, number: int) -> None:
    labels = [part.partition(":")[0] for part in parts]
    state = root
    for part in parts:
        state = state.after.setdefault(part.partition(":")[2], RuleState())
    try:
        build = _action(ast.parse(expression, mode="eval").body, labels)
    except (SyntaxError, KeyError, ValueError) as error:
        raise DataError(f"grammar, line {number}: {expression}: {error}") from error
    state.rules.append(Rule(left, cost, build))


def _action(expression: ast.expr, labels: Sequence[str]) -> Action:
    """A function of the parts' values; only calls of the functions in ``meaning``, labels and constants."""
    match expression:
        case ast.Name(id=name):
            place = labels.index(name)
            return lambda values: values[place]
        case ast.Constant(value=value):
            return lambda _: value
        case ast.Call(func=ast.Name(id=name), args=arguments):
            function = _FUNCTIONS[name]
            actions = [_action(argument, labels) for argument in arguments]
            return lambda values: function(*[action(values) for action in actions])
        case ast.Tuple(elts=[]):
            return lambda _: ()
    raise ValueError("only calls, labels and constants")


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
