"""Self-consistency: how many samples of the same translator mean the same.

The candidate is not one of the samples. An unreadable sample is equal only to itself, and so is one whose
equivalence with the others is not decided within the budget.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from assent.records import Candidate

NAME = "self_consistency"


def labels(answers: Sequence[Candidate]) -> list[int]:
    """A cluster number for each answer: the same number, the same meaning."""
    if len({answer.formula for answer in answers}) <= 1 and all(answer.formula for answer in answers):
        return [0] * len(answers)  # the common case, decided without the decider
    from assent.logic.equivalence.clusters import cluster

    return cluster([answer.formula for answer in answers])


def largest_cluster(samples: Sequence[Candidate]) -> int:
    """Size of the largest group of equivalent samples; 0 without samples."""
    return max(Counter(labels(samples)).values(), default=0)


def outvoted(candidate: Candidate, samples: Sequence[Candidate]) -> bool:
    """Whether another meaning has more samples than the candidate's own."""
    if not samples:
        return False
    own, *others = labels((candidate, *samples))
    votes = Counter(others)
    return votes[own] < max(votes.values())


def bounds(largest: int, seen: int, total: int) -> tuple[Fraction, Fraction]:
    """What the score can still become after ``seen`` of ``total`` samples."""
    low = 1 - Fraction(largest + total - seen, total)
    return low, 1 - Fraction(max(largest, 1), total)


def score(samples: Sequence[Candidate]) -> Fraction:
    """1 - (largest cluster)/k over all k samples."""
    if not samples:
        raise ValueError("self-consistency needs at least one sample")
    return 1 - Fraction(largest_cluster(samples), len(samples))
