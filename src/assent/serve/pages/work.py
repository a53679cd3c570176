"""What the pages need of a worker: drawing, comparing, reading traces. Everything comes in and goes out plain."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from assent.errors import AssentError, FormulaError, UsageError
from assent.io.traces import number_of
from assent.ledger.draws import draw_new, last_plan, next_plan
from assent.ledger.entries import Body, Kind
from assent.ledger.log import Ledger
from assent.ledger.queue import Task
from assent.logic.ast import Formula, Logic
from assent.logic.export import TARGETS
from assent.logic.parse import read_together
from assent.logic.render import write
from assent.prompting import Transcript
from assent.records import Instruction
from assent.review.card import Card, CardSubject, card_of, item_of
from assent.review.labels import label_rows
from assent.review.meaning import in_english, typed
from assent.review.planning import Population
from assent.serve.pages import documents, trace
from assent.serve.pages.decision import decision
from assent.serve.pages.review import asked
from assent.serve.pages.risk import risk
from assent.serve.pages.stream import stream
from assent.serve.problems import Problem

if TYPE_CHECKING:
    from assent.serve.work import Workshop

RECENT = 2000
"""Decisions that a forecast is made from, the latest, so that nobody waits for it."""


def do(workshop: Workshop, body: Body) -> object:
    """The result of one of the verbs below."""
    return _VERBS[str(body["verb"])](workshop, body)


def _decision(workshop: Workshop, body: Body) -> str:
    """A decision as a card."""
    row = body["row"]
    policy = workshop.parts(body.get("alpha")).policies[Logic(row["evidence"]["logic"])]
    card = None if row["decision"] == "accepted" else _card(workshop, str(row["decision_id"]))
    return str(decision(row, policy, [TARGETS[name] for name in sorted(TARGETS)], card, body.get("unit")))


def _card(workshop: Workshop, key: str) -> Card:
    with opened(workshop) as ledger:
        return card_of(ledger, Task(key, 1))


def opened(workshop: Workshop) -> Ledger:
    """The service's ledger, to be read from and closed."""
    assert workshop.setup.ledger is not None
    return Ledger.open(workshop.setup.ledger)


def found_item(ledger: Ledger, key: str) -> CardSubject:
    """The decision or plant that a card is about; Problem 404 if there is none of this id."""
    if ledger.entry(Kind.DECISION, key) is None and ledger.entry(Kind.PLANT, key) is None:
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
        translated = _free(workshop, case)
        if translated is None:
            raise FormulaError(f"not read: {error}") from None
        tree = translated
    return {"formula": write(tree), "english": in_english(tree)}


def _free(workshop: Workshop, case: Instruction) -> Formula | None:
    """What the translator makes of free English; None if it fails."""
    who = workshop.parts(None).collector
    try:
        return workshop.run(who.translator.first(case, who.vocabulary(case), Transcript())).formula
    except AssentError:
        return None


def _asked(workshop: Workshop, body: Body) -> str:
    return str(asked(body["queue"]))


def _forecast(workshop: Workshop, body: Body) -> dict[str, str]:
    """What the next answers buy, in a sentence; why not, where there are too few answers."""
    with opened(workshop) as ledger:
        plan = last_plan(ledger)
        try:
            population = Population.of(label_rows(ledger)[-RECENT:])
        except AssentError as error:
            return {"says": str(error)}
    return {"says": "" if plan is None else population.sentence(plan)}


def _risk(workshop: Workshop, body: Body) -> str:
    """The policy of a logic, and what the ledger says of its stream."""
    logic = str(body["logic"])
    policy = workshop.parts(None).policies.get(Logic(logic))
    if policy is None:
        raise UsageError(f"there is no policy for {logic}")
    with opened(workshop) as ledger:
        rows = label_rows(ledger, logic=logic)
    return str(risk(policy, logic, rows, stream(rows, policy, logic)))


def _read(workshop: Workshop, body: Body) -> Body:
    return documents.read(str(body["name"]), documents.decoded(str(body["content"])))


def _csv(workshop: Workshop, body: Body) -> str:
    return documents.table(body["rows"])


def _certificate(workshop: Workshop, body: Body) -> dict[str, str]:
    """The certificate; decisions that no draw has considered yet are drawn first, by the plan in force."""
    with opened(workshop) as ledger:
        draw_new(ledger, next_plan(ledger))
        return documents.certificate(ledger, str(body["confidence"]))


def _formula(body: Body) -> Formula:
    (formula,), _ = read_together([str(body["formula"])], Logic(body["logic"]) if body["logic"] else None)
    return formula


def _trace(workshop: Workshop, body: Body) -> str:
    """A formula on a trace."""
    period = number_of(str(body["period"]).strip()) if str(body["period"]).strip() else None
    if str(body["period"]).strip() and (period is None or period <= 0):
        raise UsageError("a sampling period is a positive number")
    return str(trace.shown(trace.laboratory(_formula(body), str(body["csv"]), period)))


def _columns(workshop: Workshop, body: Body) -> dict[str, list[str]]:
    return trace.columns_for(_formula(body))


def _domains(workshop: Workshop, body: Body) -> dict[str, list[str]]:
    return {"domains": sorted(workshop.parts(None).collector.vocabularies)}


_VERBS: dict[str, Callable[[Workshop, Body], object]] = {
    "decision": _decision,
    "typed": _typed,
    "asked": _asked,
    "forecast": _forecast,
    "risk": _risk,
    "read": _read,
    "csv": _csv,
    "certificate": _certificate,
    "trace": _trace,
    "columns": _columns,
    "domains": _domains,
}
