"""A hand-written reader of requirement English: lifted sentences to formulas, without a network.

``readings`` gives the cheapest readings of a lifted sentence. Lexicon and grammar are text files; a small chart parser
does the rest. Words that no rule takes stay visible (``Reading.unread``) and cost.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from assent.errors import AssentError
from assent.lift.asides import manner
from assent.lift.lifted import Lifted
from assent.logic.ast import Logic
from assent.logic.dialect import check
from assent.reading.chart import ChartItem, Symbol, grammar, parse
from assent.reading.lexicon import lexed
from assent.reading.meaning import Node, Unsaid, firmly, spelled

__all__ = ["ParsedReading", "readings", "version"]

VERSION = "2"
"""Raise it when the code of this room changes what a sentence is read as."""

MAX_SYMBOLS = 60  # a sentence of more is not read: the chart grows with the cube
FREE = frozenset(
    "COMMA LCOMMA MAIN SEP Q IN ON TO OF FOR UNDER EACH STAY ALWAYS MAYNOT AGAIN MODAL WHICH ATONCE PAD PRO".split()
)
"""Classes that say nothing by themselves: left unread, they are no doubt."""


@cache
def version() -> str:
    """A digest of lexicon and grammar: part of the fingerprint of whoever reads with them."""
    digest = hashlib.sha256(VERSION.encode())
    for file in sorted(resources.files(__package__).iterdir(), key=lambda entry: entry.name):
        if file.name.endswith(".txt"):
            digest.update(file.read_bytes())
    return digest.hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class ParsedReading:
    """Prefix tokens (see ``assent.lift.linear``), what the reading cost, and the words it leaves unread."""

    tokens: tuple[str, ...]
    cost: float
    unread: tuple[str, ...]


def readings(lifted: Lifted, n: int = 5) -> list[ParsedReading]:
    """At most n readings of a lifted sentence, cheapest first; empty where the grammar has none.

    Every reading spells a formula of the sentence's logic; one that does not is left out.
    """
    spatial = lifted.logic is Logic.SPATIAL
    found = lexed(_without_manners(lifted.tokens), lifted.numbers, lifted.signals, spatial=spatial)
    if not found.symbols or len(found.symbols) > MAX_SYMBOLS:
        return []
    out: list[ParsedReading] = []
    items = parse(found.symbols, grammar(), _goal(found.symbols, spatial=spatial))
    for item in _bound_to_come(items) if spatial else items:
        assert isinstance(item.value, Node)
        tokens = spelled(item.value)
        try:
            check(lifted.restore(tokens), lifted.logic)
        except AssentError:
            continue
        skipped = [word for k in item.unread for word in _said(found.symbols[k])]
        out.append(ParsedReading(tokens, round(item.cost + found.cost, 4), (*found.unknown, *skipped)))
    return sorted(out, key=lambda reading: reading.cost)[:n]


_ENDS = frozenset(", . ; : ? !".split())


def _without_manners(tokens: Sequence[str]) -> list[str]:
    """The tokens without clauses that are manners of speaking: "no excuses", "pretty please"."""
    out: list[str] = []
    start = 0
    for end in range(len(tokens) + 1):
        if end < len(tokens) and tokens[end] not in _ENDS:
            continue
        clause = tokens[start:end]
        if clause and manner(clause):
            out = out[:-1] if out and end < len(tokens) else out
        else:
            out += clause
        out += tokens[end : end + 1] if out else []
        start = end + 1
    return out


WEAKLY = 0.4  # in tasks, what an end that need not come costs beside one that must


def _bound_to_come(items: list[ChartItem]) -> list[ChartItem]:
    """In tasks what something is kept until is part of the task, so it comes; unless what is kept is a denial."""
    out: list[ChartItem] = []
    for item in items:
        assert isinstance(item.value, Node)
        try:
            firm = firmly(item.value)
        except Unsaid:
            out.append(item)
            continue
        denied = any(token == "!" for token in spelled(item.value))
        out += [item._replace(value=firm, cost=item.cost + WEAKLY * denied)]
        out += [item._replace(cost=item.cost + WEAKLY * (not denied))]
    return out


_STANDING = frozenset("ALWAYS STAY NEVER FORBID".split())


def _goal(symbols: tuple[tuple[Symbol, ...], ...], *, spatial: bool) -> str:
    """What the sentence is read as: a task for an arm, unless it says that something is to stay as it is."""
    if spatial and not any(symbol.kind in _STANDING for place in symbols for symbol in place):
        return "SPAT"
    return "SENT"


def _said(symbols: tuple[Symbol, ...]) -> tuple[str, ...]:
    return () if symbols[0].kind in FREE else symbols[0].words
