"""What was found, in English."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from assent.errors import FragmentError
from assent.logic.ast import Formula, names
from assent.logic.english import english
from assent.logic.english.say import UNIT
from assent.logic.render import write
from assent.logic.sets.questions import Blame
from assent.logic.sets.types import Fact, Finding, FindingKind, Requirement, listed

_UNDECIDED = {
    FindingKind.CONFLICT: (
        "not decided within the budget: whether {ids} can all hold together. Decided: "
        "every one of them can hold, and no two that share a name exclude each other unless it is listed"
    ),
    FindingKind.VACUOUS: "not decided within the budget: whether the triggers of {ids} can happen beside the others",
    FindingKind.REDUNDANT: (
        "not decided within the budget: whether {ids} follow from the others together; "
        "no single other one was found to imply them"
    ),
    FindingKind.DUPLICATE: "not decided within the budget: whether some of {ids} mean the same",
    FindingKind.ALWAYS_TRUE: "not decided within the budget: whether {ids} are true of every behaviour",
}


@dataclass(frozen=True)
class Words:
    """Says findings; ``unit`` is the word for a unit of time, ``says`` how people call names."""

    unit: str = UNIT
    says: Mapping[str, str] = field(default_factory=dict)

    def formula(self, formula: Formula) -> str:
        """A formula in English, without the full stop; as symbols if it is too deep to be said."""
        try:
            return english(formula, unit=self.unit, says=self.says).rstrip(".")
        except FragmentError:
            return write(formula)

    def clause(self, formula: Formula) -> str:
        """A formula in English as part of a sentence."""
        text = self.formula(formula)
        return text if re.split(r"\W", text, maxsplit=1)[0] in names(formula) else text[:1].lower() + text[1:]

    def conflict(self, members: Sequence[Requirement], blame: Blame, given: Sequence[Fact]) -> Finding:
        ids = _ids(members)
        if len(ids) == 1:
            detail = f"{ids[0]} cannot hold at all: no behaviour satisfies it{self._facts(given)}"
            return Finding(FindingKind.CONFLICT, ids, f"{detail}. {self._each(members)}")
        detail = f"{listed(ids)} cannot hold together: no behaviour satisfies {_all(ids)}{self._facts(given)}"
        detail += (
            (
                ". Without either of them the other can hold"
                if len(ids) == 2
                else ". Without any one of them the others can hold"
            )
            if blame.minimal
            else ". Some of them may not be needed for it (the budget ended)"
        )
        return Finding(FindingKind.CONFLICT, ids, f"{detail}. {self._each(members)}", blame.trace)

    def never_triggered(
        self, requirement: Requirement, condition: Formula, itself: bool, given: Sequence[Fact]
    ) -> Finding:
        why = f"{requirement.id} itself rules it out" if itself else "it contradicts itself"
        if given and not itself:
            why = "no value that is possible makes it true"
        detail = f"{requirement.id} asks for nothing: its trigger ({self.clause(condition)}) can never happen, {why}"
        ids = (requirement.id,)
        return Finding(FindingKind.NEVER_TRIGGERED, ids, f"{detail}{self._facts(given)}.", trigger=condition)

    def vacuous(
        self, members: Sequence[Requirement], condition: Formula, blame: Blame, given: Sequence[Fact]
    ) -> Finding:
        ids = _ids(members)
        itself = len(blame.core) - len(given) == len(members)
        by = listed(ids if itself else ids[1:])
        verb = "rules" if not itself and len(ids) == 2 else "together rule"
        detail = (
            f"{ids[0]} asks for nothing: its trigger ({self.clause(condition)}) can never happen, "
            f"{by} {verb} it out{self._facts(given)}. {self._each(members)}"
        )
        return Finding(FindingKind.VACUOUS, ids, detail, blame.trace, trigger=condition)

    def always_true(self, requirement: Requirement, given: Sequence[Fact]) -> Finding:
        detail = f"{requirement.id} asks for nothing: it is true of every behaviour{self._facts(given)}"
        return Finding(FindingKind.ALWAYS_TRUE, (requirement.id,), f"{detail}. {self._each([requirement])}")

    def duplicate(self, members: Sequence[Requirement]) -> Finding:
        ids = _ids(members)
        return Finding(FindingKind.DUPLICATE, ids, f"{listed(ids)} mean the same. {self._each(members)}")

    def implied(self, members: Sequence[Requirement], blame: Blame, given: Sequence[Fact]) -> Finding:
        """The first of the members follows from the others."""
        ids = _ids(members)
        kind = FindingKind.SUBSUMED if len(ids) == 2 else FindingKind.REDUNDANT
        verb = "implies" if len(ids) == 2 else "together imply"
        detail = (
            f"{ids[0]} adds nothing: {listed(ids[1:])} {verb} it{self._facts(given)}. {self._each(members)}"
        )
        return Finding(kind, ids, detail, blame.trace)

    def undecided(self, kind: FindingKind, members: Sequence[Requirement]) -> Finding:
        ids = _ids(members)
        return Finding(kind, ids, _UNDECIDED[kind].format(ids=listed(ids)) + ".", decided=False)

    def apart(self, members: Sequence[Requirement], why: str) -> Finding:
        ids = _ids(members)
        return Finding(
            FindingKind.CONFLICT,
            ids,
            f"not decided: {listed(ids)} cannot be looked at together: {why}.",
            decided=False,
        )

    @staticmethod
    def _facts(given: Sequence[Fact]) -> str:
        return f", given that {' and '.join(fact.text for fact in given)}" if given else ""

    def _each(self, members: Sequence[Requirement]) -> str:
        return " ".join(f"{member.id}: {self.formula(member.formula)}." for member in members)


def _ids(members: Sequence[Requirement]) -> tuple[str, ...]:
    return tuple(member.id for member in members)


def _all(ids: Sequence[str]) -> str:
    return "both" if len(ids) == 2 else "all of them"
