"""Do two formulas mean the same? A verdict, the method that reached it, and a trace that tells them apart.

LTL over infinite words is decided completely, and so is STL in discrete time whose windows are all finite;
mixed formulas are decided within a budget, else ``unknown``. A ``different`` verdict is only given after
the witness was replayed on ``semantics.holds``, which shares no code with the deciders.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from assent.rooms import later

if TYPE_CHECKING:
    from assent.logic.equivalence.budget import DEFAULT_STEPS
    from assent.logic.equivalence.clusters import cluster
    from assent.logic.equivalence.verdict import (
        Equivalence,
        Idle,
        Level,
        SanityFinding,
        Verdict,
        equivalent,
        satisfiable,
        vacuous,
        valid,
        warnings,
    )

__all__ = [
    "DEFAULT_STEPS",
    "Equivalence",
    "Idle",
    "Level",
    "SanityFinding",
    "Verdict",
    "cluster",
    "equivalent",
    "satisfiable",
    "vacuous",
    "valid",
    "warnings",
]
__getattr__ = later(
    __name__,
    {**dict.fromkeys(__all__, "verdict"), "DEFAULT_STEPS": "budget", "cluster": "clusters"},
)
