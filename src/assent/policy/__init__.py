"""What may be accepted and for whom: policies, how they are made from labelled evidence, and the decision."""

from assent.policy.decide import decide, deferred, withheld
from assent.policy.policy import ALL, PROPOSED, VOCABULARY, WRITTEN, GateSettings, Grouping, Policy

__all__ = [
    "ALL",
    "PROPOSED",
    "VOCABULARY",
    "WRITTEN",
    "GateSettings",
    "Grouping",
    "Policy",
    "decide",
    "deferred",
    "withheld",
]
