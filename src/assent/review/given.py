"""Answers from a file: ``{"id": ..., "formula": "G p"}``, or ``"none"``, ``"unsayable"``, ``"skip"`` set to true.

``id`` is the ``item`` of a card, or the id of the requirement. What was drawn is answered as in the terminal, so are
known wrong formulas. What was not drawn is kept as volunteered: it may train, and never calibrates. The same file given
twice answers once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from assent.errors import DataError, FormulaError
from assent.ledger.entries import Draw, Kind, ReviewLabel, Said
from assent.ledger.log import Ledger
from assent.ledger.queue import claim_item
from assent.ledger.record import volunteer
from assent.logic.render import write
from assent.review.card import card_of, item_of
from assent.review.meaning import label, typed
from assent.review.session import Review


@dataclass
class Taken:
    """What came of the rows of a file."""

    answered: int = 0
    already: int = 0
    """Answered before, by this reviewer or as often as was asked."""
    skipped: int = 0
    volunteered: int = 0


@dataclass(frozen=True)
class Given:
    """One row: which decision, what was said, and the text of a formula."""

    key: str
    said: Said
    text: str | None


def take(ledger: Ledger, handle: str, rows: Iterable[tuple[int, Mapping[str, Any]]], *, file: str) -> Taken:
    """Answer for a reviewer what a file says; the first row that makes no sense ends it, those before it are kept."""
    found = Taken()
    by_name = _names(ledger)
    review = Review.start(ledger, handle)
    for line, raw in rows:
        row = read_answer(raw, file, line)
        decision = _decision(row.key, by_name, ledger, file, line)
        try:
            _answer(review, decision, row, found)
        except FormulaError as error:
            raise DataError(str(error).splitlines()[0], file=file, line=line) from error
    return found


def read_answer(raw: Mapping[str, Any], file: str, line: int) -> Given:
    """A row with its id and exactly one answer."""
    given = [said for said in Said if raw.get(said.value) not in (None, False)]
    key = raw.get("id")
    if not isinstance(key, str | int) or isinstance(key, bool) or len(given) != 1:
        raise DataError(
            "an answer has 'id' and exactly one of 'formula' (text), 'none', 'unsayable', 'skip' (true)",
            file=file,
            line=line,
        )
    text = raw[given[0].value] if given[0] is Said.FORMULA else None
    if given[0] is Said.FORMULA and not isinstance(text, str):
        raise DataError("the field 'formula' must be a string", file=file, line=line)
    return Given(str(key), given[0], text)


def _names(ledger: Ledger) -> dict[str, list[str]]:
    """Decisions by the id that the user gave the instruction, and by their own; known wrong formulas by theirs."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for entry in ledger.each(Kind.DECISION):
        for name in {str(entry.object().get("id")), entry.id}:
            found[name].append(entry.id)
    for entry in ledger.each(Kind.PLANT):
        found[entry.id].append(entry.id)
    return found


def _decision(name: str, names: Mapping[str, list[str]], ledger: Ledger, file: str, line: int) -> str:
    """The decision that a name means; among several, the one that was drawn."""
    found = names.get(name, [])
    if len(found) > 1:
        drawn = [
            key for key in found if (draw := ledger.get(Draw, Kind.DRAW, key)) is not None and draw.picked
        ]
        found = drawn or found
    if not found:
        raise DataError(f"the ledger has no decision {name!r}", file=file, line=line)
    if len(found) > 1:
        raise DataError(
            f"{len(found)} decisions are called {name!r}: use the 'item' that 'assent review --cards' prints",
            file=file,
            line=line,
        )
    return found[0]


def _answer(review: Review, decision: str, row: Given, found: Taken) -> None:
    item = item_of(review.ledger, decision)
    if row.said is Said.SKIP:
        found.skipped += 1
        return
    formula = None if row.text is None else write(typed(row.text, item.logic))
    if not _asked(review.ledger, decision):
        wrong, _ = label(item.candidate, item.logic, row.said, formula)
        _volunteered(review, decision, formula, wrong, found)
        return
    task = claim_item(review.ledger, review.session, decision)
    if task is None:
        found.already += 1
        return
    review.card = card_of(review.ledger, task)
    review.write(row.said, formula, text=row.text)
    found.answered += 1


def _asked(ledger: Ledger, key: str) -> bool:
    """Whether the queue asks about it: drawn, or a known wrong formula."""
    draw = ledger.get(Draw, Kind.DRAW, key)
    return ledger.entry(Kind.PLANT, key) is not None if draw is None else draw.picked


def _volunteered(
    review: Review, decision: str, formula: str | None, wrong: bool | None, found: Taken
) -> None:
    ledger, handle, how = review.ledger, review.session.handle, "answered without being drawn"
    for entry in ledger.about(Kind.LABEL, decision):
        there = ledger.convert(entry, ReviewLabel)
        if (there.handle, there.formula, there.how) == (handle, formula, how):
            found.already += 1
            return
    volunteer(ledger, decision, handle=handle, formula=formula, wrong=wrong, how=how)
    found.volunteered += 1
