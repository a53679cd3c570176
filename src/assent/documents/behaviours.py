"""Behaviours to look at: one that satisfies all requirements that share names, and one that only one forbids."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from assent.documents.checking import Checked
from assent.documents.together import STEPS_A_REQUIREMENT, formulas_of, groups
from assent.logic.sets import Budget, Sample
from assent.logic.sets.together import Together


@dataclass(frozen=True, slots=True)
class Behaviours:
    """``allowed``: for each part that shares names one that satisfies all of it; none where there is a conflict.

    ``forbidden``: by requirement one that breaks it and no other of its part; none where others say the same.
    """

    allowed: tuple[Sample, ...] = ()
    forbidden: Mapping[str, Sample] = field(default_factory=dict)


def behaviours_of(checked: Checked, *, only_vouched: bool = False, budget: int | None = None) -> Behaviours:
    """Behaviours of the checked documents; what ``budget`` (steps for each requirement) does not reach is left out."""
    allowed: list[Sample] = []
    forbidden: dict[str, Sample] = {}
    steps = budget if budget is not None else STEPS_A_REQUIREMENT
    for rows in groups(checked.rows):
        formulas = formulas_of(rows, only_vouched=only_vouched)
        together = Together(
            formulas.requirements,
            signals=formulas.about.signals,
            unit=formulas.about.unit,
            budget=Budget(steps * max(1, len(formulas.requirements))),
        )
        allowed += together.samples
        forbidden |= together.forbids
    return Behaviours(tuple(allowed), forbidden)
