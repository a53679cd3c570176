"""Vectorised resplits against a plain loop over the rules themselves, and their speed."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.calibrate import Infeasible, cluster_crc, crc, split
from assent.calibrate.resplit import Splits, cells, draw_clusters, draw_pairs, mark, resplit
from assent.calibrate.rules import Rule, Threshold
from assent.errors import DataError

ALPHAS = ("0.05", "0.1", "0.15", "0.2", "0.25", "0.3")


def looped(scores, losses, clusters, splits: Splits, alpha: str, method: str) -> list[tuple[float, ...]]:
    """One resplit after another, with the public rules."""
    rows = []
    for cal, test in zip(splits.calibration, splits.test, strict=True):
        rule: Rule
        if method == "cluster":
            rule = cluster_crc(scores[cal], losses[cal], clusters[cal], alpha=alpha)
        else:
            rule = (crc if method == "pair" else split)(scores[cal], losses[cal], alpha=alpha)
        if isinstance(rule, Infeasible):
            rows.append((0.0, 0.0, 0.0, 1.0))
            continue
        lost = rule.accepts_all(scores[test]) & (losses[test] == 1)
        by_cluster = [lost[clusters[test] == c].mean() for c in np.unique(clusters[test])]
        rows.append((lost.mean(), np.mean(by_cluster), rule.accepts_all(scores[test]).mean(), 0.0))
    return rows


@given(
    seed=st.integers(0, 10**6),
    n=st.integers(4, 60),
    levels=st.integers(1, 12),
    rate=st.floats(0, 1),
    by=st.sampled_from(["pair", "cluster"]),
    unit=st.sampled_from(["pair", "cluster"]),
)
def test_same_as_a_plain_loop(seed: int, n: int, levels: int, rate: float, by: str, unit: str) -> None:
    rng = np.random.default_rng(seed)
    scores = rng.integers(0, levels, n) / levels
    losses = (rng.random(n) < rate).astype(int)
    clusters = rng.integers(0, max(2, n // 3), n)
    if len(np.unique(clusters)) < 2:
        clusters[0] += 1
    splits = (
        draw_pairs(n, resplits=4, seed=seed)
        if by == "pair"
        else draw_clusters(clusters, resplits=4, seed=seed)
    )
    result = resplit(scores, losses, splits, alphas=ALPHAS, unit=unit, clusters=clusters)
    for k, alpha in enumerate(ALPHAS):
        for outcome, method in ((result.crc, unit), (result.split, "split")):
            got = np.stack(
                [outcome.risk, outcome.cluster_risk, outcome.acceptance, outcome.infeasible], axis=2
            )[:, k]
            np.testing.assert_allclose(
                got, looped(scores, losses, clusters, splits, alpha, method), atol=1e-12
            )


def test_sizes_of_the_parts() -> None:
    large, small = draw_pairs(400, resplits=3, seed=1), draw_pairs(70, resplits=3, seed=1)
    assert (large.calibration.sum(1) == 200).all() and (large.test.sum(1) == 150).all()
    assert (small.calibration.sum(1) == 40).all() and (small.test.sum(1) == 30).all()
    clusters = np.repeat(np.arange(14), 5)
    whole = draw_clusters(clusters, resplits=50, seed=1)
    for cal, test in zip(whole.calibration, whole.test, strict=True):
        assert not set(clusters[cal]) & set(clusters[test])
        assert len(set(clusters[cal])) == 8
    # Drawn uniformly: no cluster is preferred.
    share = whole.calibration[:, ::5].mean(axis=0)
    assert share.min() > 0.3 and share.max() < 0.85


def test_too_small_to_split_is_an_error() -> None:
    with pytest.raises(DataError, match="at least 2"):
        draw_pairs(1, resplits=2, seed=0)
    with pytest.raises(DataError, match="at least 2"):
        draw_clusters(["a", "a", "a"], resplits=2, seed=0)


def test_marks() -> None:
    assert mark(0.10, 0.01, 0.10, abstained=False) == "✓"
    assert mark(0.109, 0.01, 0.10, abstained=False) == "†"
    assert mark(0.112, 0.01, 0.10, abstained=False) == "✗"
    assert mark(0.0, 0.0, 0.10, abstained=True) == "abst."


def test_54_cells_of_100_resplits_and_two_methods_in_two_seconds() -> None:
    rng = np.random.default_rng(0)
    tiers = []
    for _ in range(9):
        clusters = rng.integers(0, 150, 350)
        wrong = rng.random(350) < 0.2
        scores = np.round(np.clip(rng.normal(0.3 + 0.2 * wrong, 0.2), 0, 1), 3)
        tiers.append((scores, wrong, clusters))
    start = time.perf_counter()
    made = 0
    for scores, wrong, clusters in tiers:
        splits = draw_clusters(clusters, resplits=100, seed=7)
        result = resplit(scores, wrong, splits, alphas=ALPHAS, unit="cluster", clusters=clusters)
        for outcome in (result.crc, result.split):
            made += len(cells(result, outcome, weighting="cluster"))
    assert made == 9 * 6 * 2
    assert time.perf_counter() - start < 2


def test_a_million_scores_in_half_a_second() -> None:
    rng = np.random.default_rng(0)
    scores = rng.random(10**6)
    losses = rng.random(10**6) < scores / 3
    start = time.perf_counter()
    rule = crc(scores, losses, alpha=0.1)
    assert time.perf_counter() - start < 0.5
    assert isinstance(rule, Threshold) and 0.09999 < rule.risk <= 0.1
