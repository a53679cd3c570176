"""Large data: parts give the rule of the whole, in memory that does not grow; groups by the thousand."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from assent.calibrate import crc, group_rules
from assent.calibrate.binomial import cdf
from assent.calibrate.draws import DrawPlan, reviewed
from assent.calibrate.recipe import Recipe
from assent.calibrate.streamed import Part, streamed_crc
from assent.errors import DataError


@given(
    seed=st.integers(0, 10**6),
    n=st.integers(0, 80),
    levels=st.sampled_from([1, 3, 20, 10**9]),
    rate=st.sampled_from([0.0, 0.1, 0.6, 1.0]),
    alpha=st.sampled_from(["0", "0.05", "0.1", "0.3", "1"]),
    cut=st.integers(1, 30),
)
def test_parts_give_the_rule_of_the_whole(
    seed: int, n: int, levels: int, rate: float, alpha: str, cut: int
) -> None:
    rng = np.random.default_rng(seed)
    scores, wrong = rng.integers(0, levels + 1, n) / levels, rng.random(n) < rate
    away = rng.random(n) < 0.2

    def parts() -> Iterator[Part]:
        for start in range(0, n, cut):
            here = slice(start, start + cut)
            yield scores[here], wrong[here], away[here]

    assert streamed_crc(parts, alpha=alpha) == crc(scores, wrong, alpha=alpha, deferred=away)


def test_memory_does_not_grow_with_the_rows() -> None:
    def peak(rows: int) -> int:
        def parts() -> Iterator[Part]:
            for k in range(rows // 10_000):
                rng = np.random.default_rng(k)
                scores = rng.random(10_000)
                yield scores, rng.random(10_000) < scores / 3, None

        tracemalloc.start()
        made = streamed_crc(parts, alpha="0.1")
        used = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert made.n == rows
        return used

    small, large = peak(50_000), peak(500_000)
    assert large < 1.2 * small < 20 * 2**20


def test_data_that_change_between_the_readings_are_an_error() -> None:
    readings = iter([[([0.1, 0.2], [0, 0], None)], [([0.1], [0], None)]])
    with pytest.raises(DataError, match="changed in between"):
        streamed_crc(lambda: next(readings), alpha="0.5")


def test_groups_cost_what_their_rows_cost() -> None:
    """Ten times the groups on the same rows: not ten times the rows looked at (it was quadratic)."""
    rng = np.random.default_rng(0)
    n = 100_000
    scores, wrong = rng.random(n), rng.random(n) < 0.1

    def seconds(groups: int) -> float:
        names = [f"g{k}" for k in rng.integers(0, groups, n)]
        start = time.process_time()
        made = group_rules(scores, wrong, names, recipe=Recipe(alpha="0.2"))
        assert len(made.rules) == groups
        return time.process_time() - start

    assert seconds(4000) < 8.0  # 4,000 rules of a quarter of a millisecond each, and one sort


@pytest.mark.parametrize("n", [2001, 10**5, 10**7])
@pytest.mark.parametrize("p", [0.001, 0.1, 0.7])
def test_binomial_tails_of_large_samples(n: int, p: float) -> None:
    """Against scipy, to a tenth of the safety margin that the rules add."""
    for deviations in (-5, -2, -0.5, 0, 0.5, 3):
        k = int(n * p + deviations * (n * p * (1 - p)) ** 0.5)
        if 0 <= k <= n:
            assert cdf(k, n, p) == pytest.approx(binom.cdf(k, n, p), rel=1e-10)


def test_weights_of_any_size_are_exact() -> None:
    """Probabilities and sizes whose common scale does not fit 64 bits: whole numbers of any size take over."""
    chances = [0.9999999, 0.9999998, 0.9999991, 0.7777777, 0.1234567]
    data = reviewed([0.1] * 5, [1] * 5, [1] * 5, chances, plan=DrawPlan.of("0.1"))
    weights, scale = data.weights()
    assert weights.dtype == object
    for weight, chance in zip(weights, sorted(chances), strict=False):
        assert weight > 0 and scale > 2**62
        assert any(weight * round(c * 10**7) == scale * 10**7 for c in chances), chance
