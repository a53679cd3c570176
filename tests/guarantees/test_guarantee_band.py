"""Alpha chosen afterwards: the band holds for all thresholds at once; and high probability over cluster means."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from guarantee_harness import World, breaks

from assent.calibrate import Infeasible, Threshold, cluster_crc, crc
from assent.calibrate.band import band, cluster_reach, pair_reach
from assent.calibrate.means import cluster_high_probability, sum_allowed
from assent.calibrate.recipe import Recipe
from assent.calibrate.selective import high_probability
from assent.errors import DataError, UsageError

DELTA = 0.1
RISING = World(101, np.linspace(0, 0.6, 101))
CUMULATED = np.cumsum(RISING.wrong * RISING.chance)


def test_a_slider_pushed_where_it_looks_best() -> None:
    """Somebody moves alpha until the risk looks small beside it: the band holds, a fixed test does not."""
    rng = np.random.default_rng(81)
    banded, fixed = [], []
    alphas = [Fraction(k, 100) for k in range(8, 31)]
    for _ in range(400):
        scores, wrong = RISING.draw(rng, 200)
        made = band(scores, wrong, delta=DELTA)
        broken = [False, False]
        for alpha in alphas:
            for k, rule in enumerate(
                (made.rule(alpha), high_probability(scores, wrong, alpha=alpha, delta=DELTA))
            ):
                if isinstance(rule, Threshold):
                    broken[k] |= CUMULATED[int(rule.value * 100 + 1e-6)] > alpha
        banded.append(broken[0])
        fixed.append(broken[1])
    assert not breaks(banded, DELTA)
    assert breaks(fixed, DELTA)


def test_the_reach_of_pairs_is_nearly_used() -> None:
    """On continuous scores the supremum passes the reach in close to delta of all samples."""
    rng = np.random.default_rng(82)
    n, over = 200, []
    for _ in range(3000):
        uniform = np.sort(rng.random(n))
        over.append(np.max(uniform - np.arange(n) / n) > pair_reach(n, DELTA))
    assert not breaks(over, DELTA)
    assert np.mean(over) > 0.06


def clustered(rng: np.random.Generator, number: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Most clusters have one member or ten alike; the share of a new cluster's members wrong up to t is 0.3 t."""
    sizes = rng.choice([1, 10], number)
    names = np.repeat(np.arange(number), sizes)
    return rng.random(number)[names], (rng.random(number) < 0.3)[names], names


def test_the_band_of_clusters_and_pairs_taken_for_independent() -> None:
    rng = np.random.default_rng(83)
    by_cluster, by_pair = [], []
    for _ in range(400):
        scores, wrong, names = clustered(rng, 80)
        made = band(scores, wrong, delta=DELTA, clusters=names)
        alone = band(scores, wrong, delta=DELTA)
        for out, one in ((by_cluster, made), (by_pair, alone)):
            out.append(bool((0.3 * one.keys / 1e9 - one.seen - one.reach > 1e-9).any()))
    assert not breaks(by_cluster, DELTA)
    assert breaks(by_pair, DELTA)


def test_cluster_reach_lies_between_massart_and_e_times_its_tail() -> None:
    for count in (20, 200, 5000):
        for delta in (0.01, 0.05, 0.1, 0.3):
            crude = np.sqrt((np.log(1 / delta) + 1) / (2 * count))
            assert pair_reach(count, delta) < cluster_reach(count, delta) < crude


def test_rules_of_a_band() -> None:
    rng = np.random.default_rng(84)
    scores, wrong = RISING.draw(rng, 500)
    made = band(scores, wrong, delta="0.1")
    thresholds = [made.rule(a).value for a in (0.1, 0.2, 0.3) if isinstance(made.rule(a), Threshold)]
    assert thresholds == sorted(thresholds) and len(thresholds) == 3
    assert made.rule(1).value == 1.0 and made.rule(0.2).kind == "band"
    short = made.rule("0.01")
    assert isinstance(short, Infeasible) and short.labels is not None and short.labels > 500
    points = made.points(50)
    assert len(points) == 50 and all(a.alpha <= b.alpha for a, b in pairwise(points))
    # The band never gives more than the rule for an alpha that was fixed beforehand.
    assert made.rule(0.2).value <= crc(scores, wrong, alpha=0.2).value
    away = band(scores, wrong, delta="0.1", deferred=np.ones(500))
    assert isinstance(away.rule(0.3), Infeasible)
    with pytest.raises(UsageError):
        band(scores, wrong, delta="0.6")
    with pytest.raises(DataError):
        band([], [], delta="0.1")


def domains(rng: np.random.Generator, number: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Domains differ: in a tenth of them most formulas are wrong, in the others few."""
    hard = rng.random(number) < 0.1
    names = np.repeat(np.arange(number), 20)
    wrong = rng.random(len(names)) < np.where(hard, 0.8, 0.08)[names]
    return np.round(rng.random(len(names)), 2), wrong, names


def test_high_probability_over_domains_and_over_their_pairs() -> None:
    """True share of a new domain up to t is 0.152 t; counting 20 members of each as independent breaks delta."""
    rng = np.random.default_rng(85)
    alpha, by_domain, by_pair, on_average = 0.1, [], [], []
    for _ in range(250):
        scores, wrong, names = domains(rng, 80)
        made = cluster_high_probability(scores, wrong, names, alpha=alpha, delta=DELTA)
        pairs = high_probability(scores, wrong, alpha=alpha, delta=DELTA)
        average = cluster_crc(scores, wrong, names, alpha=alpha)
        for out, rule in ((by_domain, made), (by_pair, pairs), (on_average, average)):
            # Scores are rounded to hundredths: up to v the share is v + 0.005.
            out.append(isinstance(rule, Threshold) and 0.152 * min(1.0, rule.value + 0.005) > alpha)
    assert not breaks(by_domain, DELTA)
    assert breaks(by_pair, DELTA)
    assert breaks(on_average, DELTA)  # the average promise is another one


def test_sums_allowed_against_their_worst_case() -> None:
    """Means that are coin flips are the binomial case: the refutation fails with at most delta, exactly."""
    from scipy.stats import binom

    for count in (20, 50, 400):
        for alpha in (Fraction(1, 20), Fraction(1, 10), Fraction(3, 10)):
            allowed = sum_allowed(count, alpha, Fraction(1, 10))
            assert binom.cdf(int(allowed) if allowed >= 0 else -1, count, float(alpha)) <= 0.1
            assert allowed < count * alpha
    assert sum_allowed(21, Fraction(1, 10), Fraction(1, 10)) == -1
    assert sum_allowed(22, Fraction(1, 10), Fraction(1, 10)) >= 0


def test_recipe_and_messages_for_domains() -> None:
    rng = np.random.default_rng(86)
    scores, wrong, names = domains(rng, 60)
    recipe = Recipe(alpha="0.2", name="cluster-high-probability", delta="0.1")
    made = recipe.make(scores, wrong, clusters=names)
    assert isinstance(made, Threshold) and made.kind == "cluster_high_probability" and made.clusters == 60
    with pytest.raises(UsageError, match="cluster of every row"):
        recipe.make(scores, wrong)
    few = Recipe(alpha="0.05", name="cluster-high-probability", delta="0.1").make(
        scores[:200], np.zeros(200, bool), clusters=names[:200]
    )
    assert isinstance(few, Infeasible) and few.labels == 45 and "45 clusters" in few.advice[0]
    none = cluster_crc(scores[:200], np.zeros(200), names[:200], alpha="0.05")
    assert isinstance(none, Infeasible) and "1/alpha - 1 = 19 clusters" in none.reason
