"""The question itself: verdict, method, and a witness that was replayed."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, TypeAlias

from assent.logic.ast import Formula
from assent.logic.equivalence.budget import Clock, Exhausted
from assent.logic.equivalence.decide import Decider
from assent.logic.equivalence.lower import Lowered
from assent.logic.semantics import holds
from assent.logic.trace import Trace

DEFAULT_BUDGET = 2.0
"""Seconds of processor time that one comparison may take before it answers ``unknown``."""

Level: TypeAlias = Literal["exact", "canonical"]


class Verdict(StrEnum):
    EQUAL = "equal"
    DIFFERENT = "different"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Equivalence:
    """``witness`` is a trace on which exactly one of the two holds, given with an exact ``different``."""

    verdict: Verdict
    method: str
    witness: Trace | None = None

    @property
    def equal(self) -> bool:
        """True only if proven; unknown never counts as equal."""
        return self.verdict is Verdict.EQUAL


def equivalent(
    a: Formula,
    b: Formula,
    *,
    level: Level = "exact",
    budget: float = DEFAULT_BUDGET,
    finite: bool = False,
    axioms: bool = False,
) -> Equivalence:
    """Compare two formulas; ``finite`` over finite words (LTLf), ``axioms`` with facts between relations."""
    if level == "canonical":
        from assent.logic.canonical import canonical

        same = canonical(a) == canonical(b)
        return Equivalence(Verdict.EQUAL if same else Verdict.DIFFERENT, "canonical form")
    lowered = Lowered([a, b], finite=finite, axioms=axioms)
    if lowered.too_many_facts:
        return Equivalence(Verdict.UNKNOWN, "too many facts between relations")
    decider = Decider(lowered, Clock(budget))
    try:
        word = decider.difference(*lowered.roots)
    except Exhausted:
        return Equivalence(Verdict.UNKNOWN, "budget exhausted")
    if word is None:
        return Equivalence(Verdict.EQUAL, decider.method)
    witness = lowered.trace(*word)
    if holds(a, witness) == holds(b, witness):
        return Equivalence(Verdict.UNKNOWN, f"{decider.method}, but the witness does not replay")
    return Equivalence(Verdict.DIFFERENT, decider.method, witness)
