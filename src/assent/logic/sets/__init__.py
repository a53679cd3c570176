"""What a set of requirements says together: conflicts, triggers that never happen, repetitions, gaps, behaviours.

>>> from assent.logic import read
>>> from assent.logic.sets import Requirement, analyse
>>> texts = {"R1": "G(door_open -> F[0,5] alarm_on)", "R2": "G !door_open"}
>>> [str(f.kind) for f in analyse([Requirement(i, read(t, "stl")) for i, t in texts.items()])]
['vacuous']
"""

from __future__ import annotations

from assent.logic.equivalence.budget import Budget
from assent.logic.sets.realizability import Realizability, realizable
from assent.logic.sets.together import Together, analyse
from assent.logic.sets.types import Finding, FindingKind, Requirement, Sample, SignalBounds

__all__ = [
    "Budget",
    "Finding",
    "FindingKind",
    "Realizability",
    "Requirement",
    "Sample",
    "SignalBounds",
    "Together",
    "analyse",
    "realizable",
]
