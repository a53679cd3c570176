"""Self-consistency: how many samples of the same translator mean the same.

The candidate is not one of the samples. An unreadable sample is equal only to itself, and so is one whose
equivalence with the others is not decided within the budget.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from assent.logic.ast import Logic
from assent.records import Candidate

NAME = "self_consistency"


def largest_cluster(samples: Sequence[Candidate], logic: Logic) -> int:
    """Size of the largest group of equivalent samples; 0 without samples."""
    if not samples:
        return 0
    if len({sample.formula for sample in samples}) == 1 and samples[0].formula is not None:
        return len(samples)  # the common case, decided without the decider
    from assent.logic.equivalence.cluster import cluster

    labels = cluster([sample.tree(logic) for sample in samples])
    return max(Counter(labels).values())


def bounds(largest: int, seen: int, total: int) -> tuple[Fraction, Fraction]:
    """What the score can still become after ``seen`` of ``total`` samples."""
    low = 1 - Fraction(largest + total - seen, total)
    return low, 1 - Fraction(max(largest, 1), total)


def score(samples: Sequence[Candidate], logic: Logic) -> Fraction:
    """1 - (largest cluster)/k over all k samples."""
    if not samples:
        raise ValueError("self-consistency needs at least one sample")
    return 1 - Fraction(largest_cluster(samples, logic), len(samples))
