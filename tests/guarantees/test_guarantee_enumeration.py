"""The theorems by exact enumeration: every small sample with ties, every labelling, every pair held out.

For n + 1 exchangeable pairs the expected loss of the held-out one, given the multiset, is the mean over all
choices of it. So the theorem says: for *every* list of n + 1 pairs that mean is at most alpha. Checked with
Fractions, and with a rule one step looser, which must fail (so that a broken rule would be seen).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product

import numpy as np
import pytest

from assent.calibrate import Threshold, cluster_crc, crc, pair_weighted_crc
from assent.calibrate.rules import Rule

LEVELS = (0.2, 0.5, 0.8)
ALPHAS = [Fraction(k, 20) for k in range(0, 21)]
Pair = tuple[float, int]


def samples(size: int) -> Iterator[tuple[Pair, ...]]:
    """Every multiset of ``size`` pairs over three tied score levels and both labels."""
    yield from combinations_with_replacement(list(product(LEVELS, (0, 1))), size)


def held_out_loss(sample: tuple[Pair, ...], rule: Callable[[tuple[Pair, ...]], Rule]) -> Fraction:
    lost = 0
    for j, (score, wrong) in enumerate(sample):
        made = rule(sample[:j] + sample[j + 1 :])
        lost += int(wrong == 1 and made.accepts(score))
    return Fraction(lost, len(sample))


@cache
def pair_crc(rest: tuple[Pair, ...], alpha: Fraction) -> Rule:
    """Samples are sorted multisets, so what remains of them recurs and is calibrated once."""
    return crc([s for s, _ in rest], [z for _, z in rest], alpha=alpha)


def pair_rule(alpha: Fraction, extra: int = 0) -> Callable[[tuple[Pair, ...]], Rule]:
    """CRC over pairs; ``extra`` > 0 spends that many more errors than allowed (the broken rule)."""
    return lambda rest: pair_crc(rest, min(Fraction(1), alpha + Fraction(extra, len(rest) + 1)))


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 6])
def test_crc_risk_is_at_most_alpha_for_every_sample(n: int) -> None:
    for sample in samples(n + 1):
        for alpha in ALPHAS:
            assert held_out_loss(sample, pair_rule(alpha)) <= alpha


def test_one_error_more_than_allowed_breaks_the_theorem() -> None:
    alpha = Fraction(2, 5)
    assert any(held_out_loss(sample, pair_rule(alpha, extra=1)) > alpha for sample in samples(5))


def test_leave_one_out_bound() -> None:
    """The number of held-out errors accepted is at most K + 1, K the errors that the budget allows."""
    for sample in samples(5):
        for alpha in ALPHAS[4:]:
            allowed = alpha * len(sample) // 1
            assert held_out_loss(sample, pair_rule(alpha)) * len(sample) <= allowed


def test_crc_is_the_largest_threshold() -> None:
    """Against the definition itself: every candidate tried with Fractions, ties together."""
    for n in range(1, 6):
        for sample in samples(n):
            scores, losses = [s for s, _ in sample], [z for _, z in sample]
            for alpha in ALPHAS[::2]:
                fits = [
                    t
                    for t in sorted(set(scores))
                    if Fraction(sum(z for s, z in sample if s <= t) + 1, n + 1) <= alpha
                ]
                rule = crc(scores, losses, alpha=alpha)
                accepted = {s for s in scores if rule.accepts(s)}
                assert accepted == {s for s in scores if fits and s <= fits[-1]}
                if isinstance(rule, Threshold):
                    everything = len(fits) == len(set(scores))
                    assert rule.value == (1.0 if everything else fits[-1])


Cluster = tuple[Pair, ...]
SHAPES: list[Cluster] = [
    *(((s, z),) for s, z in product((0.2, 0.5), (0, 1))),
    *(((0.2, a), (0.5, b)) for a, b in product((0, 1), repeat=2)),
    ((0.2, 1), (0.2, 0), (0.5, 1)),
]


def cluster_loss(cluster: Cluster, rule: Rule) -> Fraction:
    return Fraction(sum(z for s, z in cluster if rule.accepts(s)), len(cluster))


def flat(clusters: list[Cluster]) -> tuple[list[float], list[int], list[int]]:
    rows = [(s, z, j) for j, cluster in enumerate(clusters) for s, z in cluster]
    return [s for s, _, _ in rows], [z for _, z, _ in rows], [j for _, _, j in rows]


@pytest.mark.parametrize("number", [2, 3, 4])
def test_cluster_crc_for_every_sample_of_clusters(number: int) -> None:
    """Cluster-weighted risk of the held-out cluster; and pair CRC on the same clusters breaks it."""
    pair_rule_broke = False
    for clusters in combinations_with_replacement(SHAPES, number):
        for alpha in ALPHAS[::3]:
            total, by_pairs = Fraction(0), Fraction(0)
            for j in range(number):
                scores, losses, names = flat([c for i, c in enumerate(clusters) if i != j])
                total += cluster_loss(clusters[j], cluster_crc(scores, losses, names, alpha=alpha))
                by_pairs += cluster_loss(clusters[j], crc(scores, losses, alpha=alpha))
            assert total / number <= alpha
            pair_rule_broke |= by_pairs / number > alpha
    assert pair_rule_broke


@pytest.mark.parametrize("number", [2, 3, 4])
def test_pair_weighted_rule_for_every_sample_of_clusters(number: int) -> None:
    """Expected wrong accepted is at most alpha times expected size, for every multiset of clusters."""
    for clusters in combinations_with_replacement(SHAPES, number):
        for alpha in ALPHAS[::3]:
            wrong = Fraction(0)
            for j in range(number):
                scores, losses, names = flat([c for i, c in enumerate(clusters) if i != j])
                rule = pair_weighted_crc(scores, losses, names, alpha=alpha, max_size=3)
                wrong += sum(z for s, z in clusters[j] if rule.accepts(s))
            assert wrong <= alpha * sum(len(c) for c in clusters)


def test_gate_and_threshold_as_one_loss() -> None:
    """Pairs that the gate defers cost nothing, stay in the sample, and loosen the threshold."""
    triples = list(product((0.2, 0.5), (0, 1), (0, 1)))
    looser = 0
    for sample in combinations_with_replacement(triples, 4):
        for alpha in ALPHAS[::2]:
            lost = 0
            for j, (score, wrong, away) in enumerate(sample):
                rest = np.array([t for i, t in enumerate(sample) if i != j])
                rule = crc(rest[:, 0], rest[:, 1], alpha=alpha, deferred=rest[:, 2])
                alone = crc(rest[:, 0], rest[:, 1], alpha=alpha)
                lost += int(wrong and not away and rule.accepts(score))
                looser += int(rule.accepts(score) and not alone.accepts(score))
            assert Fraction(lost, len(sample)) <= alpha
    assert looser > 0
