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
    from assent.logic.equivalence.sanity import Idle, SanityFinding, satisfiable, vacuous, valid, warnings
    from assent.logic.equivalence.verdict import Equivalence, Level, Verdict, equivalent

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
    {
        "DEFAULT_STEPS": "budget",
        "cluster": "clusters",
        **dict.fromkeys(("Idle", "SanityFinding", "satisfiable", "vacuous", "valid", "warnings"), "sanity"),
        **dict.fromkeys(("Equivalence", "Level", "Verdict", "equivalent"), "verdict"),
    },
)
