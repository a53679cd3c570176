"""Do two formulas mean the same? A verdict, the method that reached it, and a trace that tells them apart.

LTL over infinite words is decided completely, and so is STL in discrete time whose windows are all finite; mixed
formulas are decided within a budget, else ``unknown``. A ``different`` verdict is only given after
the witness was replayed on ``semantics.holds``, which shares no code with the deciders.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from assent.logic.ast import Formula
from assent.logic.equivalence.budget import Clock, Exhausted
from assent.logic.equivalence.decide import Decider
from assent.logic.equivalence.lower import Lowered
from assent.logic.semantics import holds
from assent.logic.trace import Trace

DEFAULT_BUDGET = 2.0
"""Seconds that one comparison may take before it answers ``unknown``."""


class Verdict(StrEnum):
    EQUAL = "equal"
    DIFFERENT = "different"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Equivalence:
    """``witness`` is a trace on which exactly one of the two holds (with ``different`` at the exact level)."""

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
    level: Literal["exact", "canonical"] = "exact",
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
