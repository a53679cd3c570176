"""What was decided about one requirement, as it is kept in a lock and shown in every output."""

from __future__ import annotations

import msgspec

from assent.logic.english import english
from assent.records import Accepted, Decision
from assent.vocabulary import Vocabulary

ACCEPTED, ABSTAINED = "accepted", "abstained"


class ReadingSaid(msgspec.Struct, frozen=True):
    """One way to read a requirement."""

    formula: str
    english: str


class Judgement(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A decision in plain values. ``candidate`` is what was not vouched for; ``by`` says who vouched."""

    decision: str
    logic: str
    formula: str | None = None
    english: str | None = None
    reason: str | None = None
    detail: str | None = None
    candidate: str | None = None
    readings: tuple[ReadingSaid, ...] = ()
    difference: str | None = None
    by: str | None = None

    @property
    def vouched(self) -> bool:
        return self.decision == ACCEPTED

    @property
    def best(self) -> str | None:
        """The vouched formula, or the candidate that was withheld."""
        return self.formula if self.vouched else self.candidate


def judged(decision: Decision, names: Vocabulary | None, by: str) -> Judgement:
    """A decision as it is kept; times are called as the vocabulary does."""
    logic = decision.evidence.instruction.logic.value
    unit = None if names is None else names.unit_words

    def said(formula: object, otherwise: str) -> str:
        return otherwise if unit is None else english(formula, unit=unit)  # type: ignore[arg-type]

    if isinstance(decision, Accepted):
        return Judgement(
            decision=ACCEPTED,
            logic=logic,
            formula=str(decision.formula),
            english=said(decision.formula, decision.english),
            by=by,
        )
    tree = decision.evidence.formula
    return Judgement(
        decision=ABSTAINED,
        logic=logic,
        reason=str(decision.reason),
        detail=decision.detail,
        candidate=None if tree is None else str(tree),
        readings=tuple(ReadingSaid(str(r.formula), said(r.formula, r.english)) for r in decision.readings),
        difference=decision.difference,
    )


def withheld(logic: str, reason: str, detail: str) -> Judgement:
    """An abstention that no model was asked for."""
    return Judgement(decision=ABSTAINED, logic=logic, reason=reason, detail=detail)
