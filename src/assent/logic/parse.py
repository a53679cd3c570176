"""Read a formula as people and models write it.

Which notation? The first token that is neither a unary operator, an interval nor an opening bracket decides:
a binary operator there means prefix notation, anything else infix. The letters ``i`` and ``e`` are ordinary
names in infix and operators (imply, iff) in prefix; where one of them decides, the text is prefix exactly if
it is no infix formula. No text can be read both ways: a prefix formula with a binary operator always has two
arguments side by side, which infix never has.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from assent.errors import AssentError, FormulaError, UsageError
from assent.logic.ast import Formula, Logic, atoms
from assent.logic.dialect import MAX_ATOMS, MAX_LENGTH, PREFIX_LETTERS
from assent.logic.grammar.infix import read_infix
from assent.logic.grammar.prefix import read_prefix
from assent.logic.grammar.tokens import Source, Token, tokens
from assent.logic.grammar.wrapping import unwrap


def read(text: str, logic: Logic | str) -> Formula:
    """The formula that a text spells in a logic; ``FormulaError`` with a column if it spells none."""
    try:
        source = Source(text, Logic(logic))
    except ValueError:
        raise UsageError(f"unknown logic {logic!r}: one of {', '.join(Logic)}") from None
    if len(text) > MAX_LENGTH:
        source.beyond(
            f"a formula may have {MAX_LENGTH} characters at most, and this has {len(text)}", MAX_LENGTH
        )
    start, end = unwrap(text)
    found = tokens(source, start, end)
    if source.logic is Logic.SPATIAL:
        found = _without_marks(found)
    formula = _read(source, found)
    if len(found) > MAX_ATOMS and len(atoms(formula)) > MAX_ATOMS:
        source.beyond(f"a formula may have {MAX_ATOMS} different atoms at most", start)
    return formula


def read_together(texts: Sequence[str], logic: Logic | None = None) -> tuple[list[Formula], Logic]:
    """Formulas of one logic: the given one, or the first of LTL, STL and SpaTiaL that reads them all."""
    failures: list[AssentError] = []
    for candidate in [logic] if logic else list(Logic):
        try:
            return [read(text, candidate) for text in texts], candidate
        except AssentError as error:
            failures.append(error)
    raise max(failures, key=_reached)


def _reached(error: AssentError) -> float:
    """How far a logic got: who got furthest knows best what is wrong. What is never closed was read to its end."""
    if not isinstance(error, FormulaError):
        return 0
    return math.inf if "further on" in (error.expected or "") else error.column


def _read(source: Source, found: list[Token]) -> Formula:
    first = 0
    while found[first].kind in ("unary", "interval", "("):
        first += 1
    decider = found[first]
    if decider.kind == "binary":
        return read_prefix(source, found)
    if decider.kind != "name" or decider.value not in PREFIX_LETTERS or found[first + 1].kind in ("end", ")"):
        return read_infix(source, found)
    try:
        return read_infix(source, found)
    except FormulaError:
        return read_prefix(source, found)


def _without_marks(found: list[Token]) -> list[Token]:
    """Without the ``t`` of spatial-spec, which marks ``!t (`` and ``->t (`` as temporal."""
    kept = []
    for position, token in enumerate(found):
        if token.kind == "name" and token.value == "t" and position and found[position + 1].kind == "(":
            before = found[position - 1]
            if before.value in ("not", "implies") and before.kind in ("unary", "binary"):
                continue
        kept.append(token)
    return kept
