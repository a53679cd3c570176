"""Words and phrases with their classes: from the tokens of a lifted sentence to the symbols that the grammar reads."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from importlib import resources

from assent.errors import DataError
from assent.lift.quantities import SMALL_NUMBER_WORDS
from assent.reading.chart import Symbol

UNKNOWN = 0.15  # what a word that is on no line costs
OR = 1.2  # what "or" left unread costs
NAME = 3.0  # what a name or a number left unread costs
_PLACEHOLDER = re.compile(r"([PSON])([1-9][0-9]?)")
_STEPS = frozenset("step steps cycle cycles tick ticks moments scan scans".split())
_MARKS = {",": ("COMMA", 0.12), ";": ("SEP", 0.25), ":": ("SEP", 0.25), ".": ("SEP", 0.25), "?": ("Q", 0.3)}
_BETWEEN = frozenset(["-", "full", "more", "further", "consecutive", "successive", "whole"])


@dataclass(slots=True)
class LexedWords:
    """Phrases by their words: what may follow a word, and the classes of the phrase that ends here."""

    after: dict[str, LexedWords] = field(default_factory=dict)
    classes: list[tuple[str, object, float]] = field(default_factory=list)


@cache
def lexicon(name: str = "lexicon.txt") -> LexedWords:
    """The phrases of a file of this room; DataError where a line is broken."""
    text = resources.files("assent.reading").joinpath(name).read_text(encoding="utf-8")
    root = LexedWords()
    for number, line in enumerate(text.splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        head, colon, phrases = line.partition(":")
        found = re.fullmatch(r"([A-Z0-9]+)(?:=(\S+))? ([\d.]+)", head)
        if found is None or not colon:
            raise DataError(f"{name}, line {number}: not a class, a cost and phrases: {line}")
        for phrase in phrases.split("|"):
            node = root
            for word in phrase.split():
                node = node.after.setdefault(word, LexedWords())
            node.classes.append((found[1], found[2] or (), float(found[3])))
    return root


@dataclass(frozen=True, slots=True)
class Lexed:
    """Symbols (each the alternatives of one place), the words that are on no line, and what they cost."""

    symbols: tuple[tuple[Symbol, ...], ...]
    unknown: tuple[str, ...]
    cost: float


def lexed(
    tokens: Sequence[str],
    numbers: Mapping[str, Fraction],
    signals: frozenset[str] = frozenset(),
    *,
    spatial: bool = False,
) -> Lexed:
    """The symbols of a sentence; a full stop at its end is left out."""
    words = [f"S{t[1:]}" if t in signals else t for t in tokens]
    lexica = (lexicon(), lexicon("spatial.txt")) if spatial else (lexicon(),)
    while words and words[-1] in (".", "!"):
        words.pop()
    out: list[tuple[Symbol, ...]] = []
    unknown: list[str] = []
    at = 0
    while at < len(words):
        end, symbols = _longest(words, at, numbers, lexica)
        if not symbols:
            unknown.append(words[at])
        elif all(symbol.kind != "FILLER" for symbol in symbols) and not _said_twice(out, symbols):
            out.append(symbols)
        at = end
    if spatial:
        out = _pronouns(out)
    return Lexed(tuple(_main_clause(out)), tuple(unknown), UNKNOWN * len(unknown))


def _said_twice(out: Sequence[tuple[Symbol, ...]], symbols: tuple[Symbol, ...]) -> bool:
    """The same name twice in a row, as lifting leaves it where two words speak of it."""
    return bool(out) and symbols[0].kind in "PS" and out[-1][0][:2] == symbols[0][:2]


_CONDITIONS = frozenset("IF ONCE AFTER SHOULD WITH ON UNDER IN UNLESS FROM".split())


def _main_clause(places: list[tuple[Symbol, ...]]) -> list[tuple[Symbol, ...]]:
    """Where a condition opens the sentence, the last comma before the first "shall" is its end; others make lists."""
    kinds = [place[0].kind for place in places]
    modal = next((k for k, kind in enumerate(kinds) if kind == "MODAL" or (k and kind == "SHOULD")), 0)
    commas = [k for k in range(modal) if kinds[k] == "COMMA"]
    out = list(places)
    if not commas:
        return out
    if kinds[0] not in _CONDITIONS:
        last = places[commas[-1]]
        out[commas[-1]] = (*last, last[0]._replace(kind="MAIN"))
        return out
    if len(commas) > 1 and "AND" in kinds[commas[-1] : modal]:  # "while A, B, C and D shall": where is open
        return out
    for k in commas:
        kind = "MAIN" if k == commas[-1] else "LCOMMA"
        out[k] = (places[k][0]._replace(kind=kind),)
    return out


_COMPARING = frozenset("GT LT GE LE ORMORE ORLESS".split())


def _pronouns(places: list[tuple[Symbol, ...]]) -> list[tuple[Symbol, ...]]:
    """What "it" and "there" may stand for: things named before, the last landmark first."""
    out: list[tuple[Symbol, ...]] = []
    seen: list[str] = []
    for k, place in enumerate(places):
        if place[0].kind == "O":
            seen.append(str(place[0].value))
        if place[0].kind != "PRO":
            out.append(place)
            continue
        own = seen[-1:] if k and places[k - 1][0].kind != "REL" else seen[-2:-1]
        others = list(dict.fromkeys(reversed([*own, *seen[:2]])))[:3]
        out.append(
            tuple(Symbol("O", o, 0.05, place[0].words, 0.2 + 0.2 * n) for n, o in enumerate(others)) or place
        )
    return out


def _denial(words: Sequence[str], at: int) -> str:
    """Whether "not" stands right before a name (NOTB) or after what it denies (NOTA)."""
    after = words[at + 1] if at + 1 < len(words) else ""
    return "NOTB" if _PLACEHOLDER.fullmatch(after) else "NOTA"


def _longest(
    words: Sequence[str], at: int, numbers: Mapping[str, Fraction], lexica: Sequence[LexedWords]
) -> tuple[int, tuple[Symbol, ...]]:
    """The longest phrase that starts here: where it ends, and what it can be."""
    counted = _counted(words, at, numbers)
    if counted is not None:
        return counted
    best: tuple[int, list[tuple[str, object, float]]] | None = None
    for root in lexica:
        node, end = root, at
        while end < len(words) and words[end] in node.after:
            node = node.after[words[end]]
            end += 1
            classes = [c for c in node.classes if len(lexica) == 1 or c[0] not in _COMPARING]
            if classes and (best is None or end >= best[0]):
                earlier = best[1] if best is not None and best[0] == end else []
                best = (end, [*(c for c in earlier if c[0] != "FILLER"), *classes])
    if words[at] in _MARKS and best is None:
        kind, skip = _MARKS[words[at]]
        return at + 1, (Symbol(kind, (), skip, (words[at],)),)
    if best is None:
        return at + 1, ()
    said = tuple(words[at : best[0]])
    if len(said) == 2 and said[0] == "or" and " ".join(words[best[0] : best[0] + 1]).startswith("N"):
        return at + 1, (Symbol("OR", (), OR, ("or",)),)  # "below 3 or above 5" is no "3 or above"
    classes = list(best[1])
    if classes[0][0] == "NOT":
        classes.append((_denial(words, best[0] - 1), (), classes[0][2]))
        classes += [("NO", (), classes[0][2])] if said == ("no",) else []
    return best[0], tuple(Symbol(kind, value, skip, said) for kind, value, skip in classes)


def _counted(
    words: Sequence[str], at: int, numbers: Mapping[str, Fraction]
) -> tuple[int, tuple[Symbol, ...]] | None:
    """Names, numbers, durations and counts of steps."""
    word = words[at]
    found = _PLACEHOLDER.fullmatch(word)
    after = at + 1
    while after < len(words) and words[after] in _BETWEEN and after < at + 3:
        after += 1
    unit = words[after] if after < len(words) else ""
    if word in SMALL_NUMBER_WORDS and unit in _STEPS:
        count = SMALL_NUMBER_WORDS.index(word)
        return after + 1, (Symbol(_count_kind(words, at, after), count, 1.0, tuple(words[at : after + 1])),)
    if word == "0":
        return at + 1, (Symbol("N", "0", NAME, (word,)),)
    if found is None:
        return None
    if found[1] != "N":
        name = f"P{found[2]}" if found[1] == "S" else word
        return at + 1, (Symbol(found[1], name, NAME, (word,)),)
    value = numbers.get(word)
    if unit in _STEPS and value is not None and value.denominator == 1 and value < 20:
        kind = _count_kind(words, at, after)
        return after + 1, (Symbol(kind, int(value), 1.0, tuple(words[at : after + 1])),)
    if unit == "seconds":
        return after + 1, (Symbol("D", (word,), NAME, tuple(words[at : after + 1])),)
    return at + 1, (Symbol("N", word, NAME, (word,)),)


def _count_kind(words: Sequence[str], at: int, after: int) -> str:
    """Whether so many steps follow one another (KC) or are just counted (K)."""
    return "KC" if {"consecutive", "successive"} & set(words[at:after]) else "K"
