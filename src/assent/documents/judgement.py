"""What was decided about one requirement, as it is kept in a lock and shown in every output."""

from __future__ import annotations

import msgspec

from assent.errors import FormulaError, FragmentError
from assent.logic.ast import Formula, Logic
from assent.logic.english import english
from assent.logic.parse import read
from assent.records import Accepted, Decision, Reason
from assent.vocabulary import Vocabulary

ACCEPTED, ABSTAINED = "accepted", "abstained"


class ReadingSaid(msgspec.Struct, frozen=True):
    """One way to read a requirement."""

    formula: str
    english: str


class Judgement(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A decision in plain values. ``candidate`` is what was not vouched for; ``by`` says who vouched.

    An abstention has ``by`` where a person vouched for the candidate before the text changed.
    """

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
    def held(self) -> bool:
        """Whether a person vouched for the candidate, but of another text."""
        return not self.vouched and self.by is not None

    @property
    def best(self) -> str | None:
        """The vouched formula, or the candidate that was withheld."""
        return self.formula if self.vouched else self.candidate


def judged(decision: Decision, names: Vocabulary | None, by: str) -> Judgement:
    """A decision as it is kept; times are called as the vocabulary does."""
    logic = decision.evidence.instruction.logic.value
    unit = None if names is None else names.unit_words

    def in_units(formula: Formula, otherwise: str) -> str:
        return otherwise if unit is None else english(formula, unit=unit)

    if isinstance(decision, Accepted):
        return Judgement(
            decision=ACCEPTED,
            logic=logic,
            formula=str(decision.formula),
            english=in_units(decision.formula, decision.english),
            by=by,
        )
    tree = decision.evidence.formula
    return Judgement(
        decision=ABSTAINED,
        logic=logic,
        reason=str(decision.reason),
        detail=decision.detail,
        candidate=None if tree is None else str(tree),
        readings=tuple(
            ReadingSaid(str(r.formula), in_units(r.formula, r.english)) for r in decision.readings
        ),
        difference=decision.difference,
    )


def held(earlier: Judgement, logic: str, anew: Judgement | None) -> Judgement:
    """What a person vouched for before the text changed: not vouched for now, not lost, the first of the readings.

    ``anew``: what the models say of the text as it is now; its readings stand behind the person's.
    """
    formula = str(earlier.best)
    words = earlier.english or (earlier.readings[0].english if earlier.readings else formula)
    others = () if anew is None else anew.readings
    if anew is not None and anew.best is not None and not others:
        others = (ReadingSaid(anew.best, anew.english or anew.best),)
    if not _readable(formula, logic):
        logic, others = earlier.logic, ()
    return Judgement(
        decision=ABSTAINED,
        logic=logic,
        reason=str(Reason.UNREADABLE),
        detail=f"{earlier.by} vouched for {formula} before it changed: look again",
        candidate=formula,
        readings=(ReadingSaid(formula, words), *(r for r in others if r.formula != formula)),
        by=earlier.by,
    )


def _readable(formula: str, logic: str) -> bool:
    try:
        read(formula, Logic(logic))
    except (FormulaError, FragmentError):
        return False
    return True


def withheld(logic: str, reason: str, detail: str) -> Judgement:
    """An abstention that no model was asked for."""
    return Judgement(decision=ABSTAINED, logic=logic, reason=reason, detail=detail)
