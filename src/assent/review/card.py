"""The card: what a person is asked about one item. Terminal, page, editor and export show the same one.

Nothing on it says which reading is the candidate, whether it was accepted, how it scored, or whether the item
is one of the known wrong formulas: a suggestion is not an answer. The order of the readings is drawn, anew
for every look.
"""

from __future__ import annotations

from typing import Any

import msgspec

from assent.errors import AssentError
from assent.ledger.coin import coin
from assent.ledger.database import LedgerError
from assent.ledger.entries import Body, Kind, Plant
from assent.ledger.log import Ledger
from assent.ledger.queue import Task
from assent.logic.render import write
from assent.logic.semantics import Trace
from assent.review.meaning import ReviewedReading, apart, in_english, readings

NEITHER = "none of these"
UNSAYABLE = "cannot be said in this logic"


class Choice(msgspec.Struct, frozen=True):
    """One reading, under the number that chooses it."""

    number: int
    formula: str
    english: str


class Difference(msgspec.Struct, frozen=True):
    """A trace on which choices 1 and 2 differ, as a drawing in text and as data."""

    text: str
    states: tuple[tuple[str, ...], ...]
    """For each state the atoms that are true in it."""
    loop: int | None
    """The state that follows the last one, for ever; None where the trace ends."""
    step: str
    """The time between two states."""
    first_holds: bool
    """Which of the two is true of it: choice 1, or choice 2."""


class Card(msgspec.Struct, frozen=True, kw_only=True):
    """What a person sees. The answers are the choices, ``none`` and ``unsayable``, or one's own formula."""

    item: str
    look: int
    id: str
    logic: str
    text: str
    choices: tuple[Choice, ...]
    domain: str | None = None
    difference: Difference | None = None
    names: dict[str, str] = {}
    """Which words of the instruction were taken for which name."""
    unread: tuple[str, ...] = ()
    """Words of the instruction that the translator did not read."""
    none: str = NEITHER
    unsayable: str = UNSAYABLE


class CardSubject(msgspec.Struct, frozen=True, kw_only=True):
    """What lies behind a card and is not shown: the candidate that the answer is a label for."""

    decision: str
    candidate: str | None
    logic: str
    evidence: dict[str, Any]
    right: str | None = None
    """Of a known wrong formula: the right one."""


def item_of(ledger: Ledger, key: str) -> CardSubject:
    """The decision, or the known wrong formula, behind an item of the queue."""
    plant = ledger.get(Plant, Kind.PLANT, key)
    decision_key = key if plant is None else plant.decision
    decision = _object(ledger, Kind.DECISION, decision_key)
    evidence = _object(ledger, Kind.EVIDENCE, str(decision["evidence"]))
    return CardSubject(
        decision=decision_key,
        candidate=decision.get("candidate") if plant is None else plant.wrong,
        logic=str(decision["logic"]),
        evidence=evidence,
        right=None if plant is None else plant.right,
    )


def _object(ledger: Ledger, kind: Kind, key: str) -> Body:
    entry = ledger.entry(kind, key)
    if entry is None:
        raise LedgerError(f"{ledger.where}: damaged: there is no {kind} {key}")
    return entry.object()


def card_of(ledger: Ledger, task: Task) -> Card:
    """The card for one look at one item."""
    item = item_of(ledger, task.item)
    samples = [sample for sample in item.evidence.get("samples") or [] if isinstance(sample, str)]
    found = readings(item.candidate or "", samples, item.logic, without=item.right)
    found.sort(key=lambda r: coin(ledger.secret, "order", task.item, str(task.look), r.formula))
    return Card(
        item=task.item,
        look=task.look,
        id=str(item.evidence.get("id", "")),
        logic=item.logic,
        text=str(item.evidence.get("text", "")),
        choices=tuple(Choice(n, r.formula, in_english(r.tree)) for n, r in enumerate(found, start=1)),
        domain=item.evidence.get("domain"),
        difference=_difference(found),
        names=_strings(item.evidence.get("names")),
        unread=tuple(_words(item.evidence.get("unread"))),
    )


def _words(found: Any) -> list[str]:
    """The words of spans, as evidence stores them: objects with ``text``, or the words themselves."""
    parts = found if isinstance(found, list) else []
    return [str(part.get("text", "")) if isinstance(part, dict) else str(part) for part in parts]


def _strings(found: Any) -> dict[str, str]:
    return {str(key): str(value) for key, value in found.items()} if isinstance(found, dict) else {}


def _difference(found: list[ReviewedReading]) -> Difference | None:
    if len(found) < 2:
        return None
    trace = apart(found[0].tree, found[1].tree)
    if trace is None:
        return None
    from assent.logic.draw import timing_text
    from assent.logic.semantics import holds

    try:
        first = holds(found[0].tree, trace)
    except AssentError:
        return None
    return _drawn(trace, timing_text(trace), first)


def _drawn(trace: Trace, text: str, first: bool) -> Difference:
    return Difference(
        text=text,
        states=tuple(tuple(sorted(write(atom) for atom in state)) for state in trace.states),
        loop=trace.loop,
        step=str(trace.step),
        first_holds=first,
    )
