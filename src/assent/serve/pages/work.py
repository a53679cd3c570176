"""What the pages need of a worker: drawing, comparing, reading traces. Everything comes in and goes out plain."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from assent.errors import AssentError, FormulaError
from assent.ledger.entries import Kind, Said
from assent.ledger.log import Ledger
from assent.ledger.queue import Task
from assent.logic.ast import Formula, Logic
from assent.logic.export import TARGETS
from assent.logic.render import write
from assent.prompting.transcript import Transcript
from assent.records import Instruction
from assent.review.card import Card, Item, card_of, item_of
from assent.review.meaning import in_english, label, typed
from assent.serve.pages.decision import decision
from assent.serve.problems import Problem

if TYPE_CHECKING:
    from assent.serve.work import Workshop

Body = Mapping[str, Any]


def do(workshop: Workshop, body: Body) -> Any:
    """The result of one of the verbs below."""
    return _VERBS[str(body["verb"])](workshop, body)


def _decision(workshop: Workshop, body: Body) -> str:
    """A decision as a card."""
    row = body["row"]
    policy = workshop.parts(body.get("alpha")).policies[Logic(row["evidence"]["logic"])]
    card = None if row["decision"] == "accepted" else _card(workshop, str(row["decision_id"]))
    return str(decision(row, policy, sorted(TARGETS), card, body.get("unit")))


def _card(workshop: Workshop, key: str) -> Card:
    with opened(workshop) as ledger:
        return card_of(ledger, Task(key, 1))


def opened(workshop: Workshop) -> Ledger:
    """The service's ledger, to be read from and closed."""
    assert workshop.setup.ledger is not None
    return Ledger.open(workshop.setup.ledger)


def found_item(ledger: Ledger, key: str) -> Item:
    """The decision behind a card; Problem 404 if there is none."""
    if ledger.entry(Kind.DECISION, key) is None:
        raise Problem(404, "no-decision", f"there is no decision {key[:64]!r}")
    return item_of(ledger, key)


def _typed(workshop: Workshop, body: Body) -> dict[str, str]:
    """A formula, a sentence of the controlled English, or what the translator makes of free English."""
    key, text = str(body["decision"]), str(body["text"])
    with opened(workshop) as ledger:
        item = found_item(ledger, key)
    try:
        tree = typed(text, item.logic)
    except FormulaError as error:
        case = Instruction(id=key, text=text, logic=Logic(item.logic), domain=item.evidence.get("domain"))
        made = _free(workshop, case)
        if made is None:
            raise FormulaError(f"not read: {error}") from None
        tree = made
    return {"formula": write(tree), "english": in_english(tree)}


def _free(workshop: Workshop, case: Instruction) -> Formula | None:
    """What the translator makes of free English."""
    who = workshop.parts(None).collector
    try:
        return workshop.run(who.translator.first(case, who.vocabulary(case), Transcript())).formula
    except AssentError:
        return None


def _label(workshop: Workshop, body: Body) -> dict[str, Any]:
    """What a choice makes of the candidate, and the formula as it is written."""
    with opened(workshop) as ledger:
        item = found_item(ledger, str(body["decision"]))
    formula = None if body["formula"] is None else write(typed(str(body["formula"]), item.logic))
    said = Said.NONE if formula is None else Said.FORMULA
    return {"formula": formula, "wrong": label(item.candidate, item.logic, said, formula)[0]}


def _domains(workshop: Workshop, body: Body) -> dict[str, list[str]]:
    return {"domains": sorted(workshop.parts(None).collector.vocabularies)}


_VERBS: dict[str, Callable[[Workshop, Body], Any]] = {
    "decision": _decision,
    "typed": _typed,
    "label": _label,
    "domains": _domains,
}
