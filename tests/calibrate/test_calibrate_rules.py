"""Edges of the rules: ties, duplicates, one pair, all right, all wrong, alpha 0 and 1, bad input."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta, binom

from assent.calibrate import (
    Infeasible,
    Threshold,
    binomial,
    capped,
    cluster_crc,
    crc,
    exact,
    group_rules,
    pair_weighted_crc,
    small_groups,
    split,
)
from assent.calibrate.exact import MAX_TIE, mark, marks
from assent.calibrate.recipe import Recipe
from assent.calibrate.selective import climb_grid, conditional, fewest_labels, high_probability
from assent.calibrate.weighted import weighted_crc
from assent.errors import DataError, UsageError

pairs = st.lists(
    st.tuples(st.integers(0, 20).map(lambda k: k / 20), st.integers(0, 1)), min_size=1, max_size=60
)
alphas = st.integers(0, 100).map(lambda k: Fraction(k, 100))


def columns(rows: list[tuple[float, int]]) -> tuple[list[float], list[int]]:
    return [s for s, _ in rows], [z for _, z in rows]


@given(pairs, alphas)
def test_definition(rows: list[tuple[float, int]], alpha: Fraction) -> None:
    scores, losses = columns(rows)
    n = len(rows)
    fits = [t for t in set(scores) if Fraction(sum(z for s, z in rows if s <= t) + 1, n + 1) <= alpha]
    rule = crc(scores, losses, alpha=alpha)
    if not fits:
        assert isinstance(rule, Infeasible)
        assert not any(rule.accepts(s) for s in scores)
    else:
        assert isinstance(rule, Threshold)
        assert [rule.accepts(s) for s in scores] == [s <= max(fits) for s in scores]
        assert list(rule.accepts_all(scores)) == [s <= max(fits) for s in scores]
    lowest = sum(z for s, z in rows if s == min(scores))
    assert rule.floor == float(Fraction(lowest + 1, n + 1))
    assert isinstance(rule, Infeasible) == (alpha < Fraction(lowest + 1, n + 1))


@given(pairs, alphas)
def test_single_member_clusters_are_pairs(rows: list[tuple[float, int]], alpha: Fraction) -> None:
    scores, losses = columns(rows)
    one, other = (
        crc(scores, losses, alpha=alpha),
        cluster_crc(scores, losses, list(range(len(rows))), alpha=alpha),
    )
    assert type(one) is type(other) and one.floor == other.floor
    assert [one.accepts(s) for s in scores] == [other.accepts(s) for s in scores]


@given(pairs, alphas, st.randoms(use_true_random=False))
def test_order_and_monotone_in_alpha(rows: list[tuple[float, int]], alpha: Fraction, random: object) -> None:
    shuffled = list(rows)
    random.shuffle(shuffled)
    assert crc(*columns(rows), alpha=alpha) == crc(*columns(shuffled), alpha=alpha)
    looser = crc(*columns(rows), alpha=min(Fraction(1), alpha + Fraction(1, 10)))
    for score, _ in rows:
        assert looser.accepts(score) or not crc(*columns(rows), alpha=alpha).accepts(score)


def test_one_pair() -> None:
    assert isinstance(crc([0.3], [0], alpha=0.49), Infeasible)
    assert crc([0.3], [0], alpha=0.5).value == 1.0
    assert isinstance(crc([0.3], [1], alpha=0.99), Infeasible)
    assert crc([0.3], [1], alpha=1).value == 1.0


def test_all_right_and_all_wrong() -> None:
    right, wrong = crc([0.1, 0.2, 0.9], [0, 0, 0], alpha=0.25), crc([0.1, 0.2, 0.9], [1, 1, 1], alpha=0.5)
    assert right.value == 1.0 and right.accepted == 1 and right.risk == 0
    assert wrong.value == 0.1 and wrong.accepts(0.1) and not wrong.accepts(0.100000002)


@pytest.mark.parametrize("losses", [[0, 0], [1, 1], [0, 1]])
def test_alpha_zero_never_and_alpha_one_always(losses: list[int]) -> None:
    never = crc([0.2, 0.4], losses, alpha=0)
    assert isinstance(never, Infeasible) and never.hopeless and "above 0" in never.advice[0]
    assert crc([0.2, 0.4], losses, alpha=1).value == 1.0


def test_no_rows_at_all_is_infeasible() -> None:
    rule = crc([], [], alpha=0.5)
    assert isinstance(rule, Infeasible) and rule.floor == 1


def test_levels_are_the_decimals_that_were_written() -> None:
    """0.1 * (9 + 1) = 1 exactly: nine right pairs certify alpha = 0.1, in whatever form alpha comes."""
    for alpha in (0.1, "0.1", Fraction(1, 10), "1e-1"):
        assert isinstance(crc([0.5] * 9, [0] * 9, alpha=alpha), Threshold)
    # 1 - 0.8 is not 0.2 in floats; as scores they tie.
    assert 1 - 0.8 != 0.2
    assert crc([1 - 0.8, 0.5, 0.7], [0, 1, 1], alpha=0.5).accepts(0.2)
    assert crc([0.2, 0.5, 0.7], [0, 1, 1], alpha=0.5).accepts(1 - 0.8)


@pytest.mark.parametrize("alpha", ["one tenth", "", -0.1, 1.1, math.nan, True, None, "nan", "inf"])
def test_bad_alpha(alpha: object) -> None:
    with pytest.raises(UsageError, match="alpha must be"):
        crc([0.1], [0], alpha=alpha)


@pytest.mark.parametrize(
    ("scores", "losses", "said"),
    [
        ([0.1, math.nan], [0, 1], "score nan at position 1"),
        ([0.1, 1.2], [0, 1], "score 1.2 at position 1"),
        ([0.1, -0.2], [0, 1], "score -0.2 at position 1"),
        ([0.1, "x"], [0, 1], "scores must be numbers"),
        ([[0.1]], [0], "one row"),
        ([0.1, 0.2], [0], "one loss for each"),
        ([0.1, 0.2], [0, 2], "neither 0"),
        ([0.1, 0.2], [0, math.nan], "neither 0"),
    ],
)
def test_bad_data(scores: list[float], losses: list[float], said: str) -> None:
    with pytest.raises(DataError, match=said):
        crc(scores, losses, alpha=0.1)


def test_infeasible_says_what_would_help() -> None:
    few = crc([0.1] * 5, [0] * 5, alpha=0.1)
    assert isinstance(few, Infeasible) and few.labels == 9 and "9 labelled pairs" in few.advice[0]
    assert isinstance(crc([0.1] * 9, [0] * 9, alpha=0.1), Threshold)
    stuck = crc([0.0] * 200, [1] * 60 + [0] * 140, alpha=0.1)
    assert isinstance(stuck, Infeasible) and stuck.hopeless and stuck.labels is None
    assert "no number" in stuck.advice[0]


@given(st.integers(2, 40), st.integers(0, 5), st.integers(1, 50))
def test_labels_needed_are_enough(n: int, wrong: int, percent: int) -> None:
    """With the same share wrong at the lowest score, the number that is advised makes alpha feasible."""
    wrong = min(wrong, n)
    rule = crc([0.0] * n, [1] * wrong + [0] * (n - wrong), alpha=Fraction(percent, 100))
    if isinstance(rule, Infeasible) and rule.labels is not None:
        assert (Fraction(wrong, n) * rule.labels + 1) / (rule.labels + 1) <= Fraction(
            percent, 100
        ) + Fraction(1, 10**9)
        assert rule.labels > n


def test_pair_rule_on_clusters_carries_a_warning_and_both_weightings() -> None:
    scores, losses, clusters = [0.1, 0.1, 0.1, 0.5, 0.6], [1, 1, 0, 0, 0], ["a", "a", "a", "b", "c"]
    rule = crc(scores, losses, alpha=0.5, clusters=clusters)
    assert rule.warnings and rule.risk == 0.4 and rule.cluster_risk == pytest.approx(2 / 9)
    proper = cluster_crc(scores, losses, clusters, alpha=0.5)
    assert not proper.warnings and proper.unit == "cluster" and proper.clusters == 3
    assert proper.risk == 0.4 and proper.cluster_risk == pytest.approx(2 / 9)


def test_exact_cluster_sums() -> None:
    """Ten thirds and the like meet the limit exactly; in floats they would miss it."""
    clusters = [j for j in range(29) for _ in range(3)]
    losses = [1 if i < 6 else 0 for i in range(87)]
    # (6/3 + 1)/(29 + 1) = 0.1.
    assert cluster_crc([0.5] * 87, losses, clusters, alpha=0.1).value == 1.0
    losses[6] = 1
    assert isinstance(cluster_crc([0.5] * 87, losses, clusters, alpha=0.1), Infeasible)


def test_pair_weighted_needs_its_cap() -> None:
    with pytest.raises(DataError, match="cap the members"):
        pair_weighted_crc([0.1] * 4, [0] * 4, ["a"] * 4, alpha=0.5, max_size=3)
    kept = capped(["a"] * 10 + ["b"] * 2, 3, seed=1)
    assert len(kept) == 5 and sum(k < 10 for k in kept) == 3


def test_split_baseline() -> None:
    scores, losses = [0.1, 0.2, 0.3, 0.4, 0.05], [0, 0, 0, 0, 1]
    assert split(scores, losses, alpha=0.4).value == 0.3  # rank ceil(5 * 0.6) = 3 of the right ones
    assert split(scores, losses, alpha=0.1).value == 1.0  # rank 5 > 4
    assert isinstance(split(scores, losses, alpha=1), Infeasible)


@given(st.integers(1, 300), st.integers(1, 99), st.integers(1, 50))
def test_binomial_count_is_exact(n: int, percent: int, delta: int) -> None:
    k = binomial.largest_count(n, Fraction(percent, 100), Fraction(delta, 100))
    if k >= 0:
        assert binom.cdf(k, n, percent / 100) <= delta / 100 + 1e-12
    if k < n:
        assert binom.cdf(k + 1, n, percent / 100) > delta / 100 - 1e-12


def test_binomial_bounds_against_beta_quantiles() -> None:
    for k, n in [(0, 10), (3, 10), (10, 10), (50, 1000), (7, 5000)]:
        upper = 1.0 if k == n else beta.ppf(0.95, k + 1, n - k)
        lower = 0.0 if k == 0 else beta.ppf(0.05, k, n - k + 1)
        assert binomial.upper_bound(k, n, 0.05) == pytest.approx(upper, abs=1e-9)
        assert binomial.lower_bound(k, n, 0.05) == pytest.approx(lower, abs=1e-9)
    assert binomial.largest_count(5000, Fraction(1, 10), Fraction(1, 10)) == int(
        max(k for k in range(400, 500) if binom.cdf(k, 5000, 0.1) <= 0.1)
    )


def test_high_probability_needs_enough_labels() -> None:
    least = fewest_labels(0.1, 0.1)
    assert least == 22
    assert isinstance(high_probability([0.1] * 22, [0] * 22, alpha=0.1, delta=0.1), Threshold)
    short = high_probability([0.1] * 21, [0] * 21, alpha=0.1, delta=0.1)
    assert isinstance(short, Infeasible) and short.labels == 22 and "22 labelled pairs" in short.advice[0]
    assert fewest_labels(0, 0.1) is None and fewest_labels(0.1, 0) is None


@given(pairs)
def test_high_probability_is_stricter_than_crc(rows: list[tuple[float, int]]) -> None:
    scores, losses = columns(rows)
    strict, plain = high_probability(scores, losses, alpha=0.2, delta=0.1), crc(scores, losses, alpha=0.2)
    assert all(plain.accepts(s) or not strict.accepts(s) for s in scores)


def test_conditional_stops_at_the_first_failure() -> None:
    """Good, then bad, then good again in total: the climb must not jump the gap."""
    scores = [0.1] * 60 + [0.2] * 20 + [0.3] * 400
    losses = [0] * 60 + [1] * 20 + [0] * 400
    rule = conditional(scores, losses, [0.1, 0.2, 0.3], alpha=0.1, delta=0.1)
    assert isinstance(rule, Threshold) and rule.value == 0.1
    assert isinstance(conditional(scores, losses, [0.3], alpha=0.1, delta=0.1), Threshold)
    assert isinstance(conditional(scores, losses, [], alpha=0.1, delta=0.1), Infeasible)
    assert climb_grid([0.1] * 10, n=10, alpha=0.1, delta=0.1) == []


def test_groups_are_apart_and_only_small_ones_share() -> None:
    scores = [0.1] * 30 + [0.1] * 30 + [0.1] * 4 + [0.1] * 5
    losses = [0] * 30 + [1] * 30 + [0] * 9
    groups = ["D2"] * 30 + ["D3"] * 30 + ["D5"] * 4 + ["D6"] * 5
    shared = small_groups(groups, 10)
    assert shared == {"D5": "other", "D6": "other"}
    made = group_rules(scores, losses, groups, recipe=Recipe(alpha=0.1), fallback=shared)
    assert isinstance(made.rule_for("D2"), Threshold)
    assert isinstance(made.rule_for("D3"), Infeasible)
    assert made.rule_for("D5") is made.rule_for("D6") and made.rule_for("D5").n == 9
    unknown = made.rule_for("D9")
    assert isinstance(unknown, Infeasible) and "no calibration rows" in unknown.reason
    with pytest.raises(UsageError, match="already called"):
        small_groups(["other"], 3)


@given(
    pairs,
    alphas,
    st.integers(0, 20).map(lambda k: k / 20) | st.floats(0, 1),
    st.sampled_from([None, "key"]),
    st.booleans(),
)
def test_a_ceiling_accepts_what_the_plain_rule_accepts_below_it(
    rows: list[tuple[float, int]], alpha: Fraction, ceiling: float, secret: str | None, grouped: bool
) -> None:
    scores, losses = np.array(columns(rows)[0]), np.array(columns(rows)[1], dtype=np.bool_)
    ties = None if secret is None else marks(secret, [str(k) for k in range(len(rows))])
    clusters = [k // 3 for k in range(len(rows))] if grouped else None
    plain, low = (
        Recipe(alpha=alpha, ceiling=top).make(scores, losses, clusters=clusters, ties=ties)
        for top in (1.0, ceiling)
    )
    both = [
        plain.accepts(s, None if ties is None else int(ties[k])) and exact.tick(s) <= exact.tick(ceiling)
        for k, s in enumerate(scores)
    ]
    assert [low.accepts(s, None if ties is None else int(ties[k])) for k, s in enumerate(scores)] == both
    assert not low.accepts(min(1.0, ceiling + 0.01), 0) or ceiling > 0.999
    if not any(exact.tick(s) <= exact.tick(ceiling) for s in scores):
        assert isinstance(low, Infeasible) and "ceiling" in low.reason and not low.advice
    if isinstance(low, Threshold):
        assert low.accepted == np.mean(both)
        assert low.risk == np.mean(losses & both)


def test_a_ceiling_that_is_rounded_up_to_a_score_does_not_accept_all_its_ties() -> None:
    scores, losses = np.array([0.1] * 5 + [2 / 3] * 10), np.array([False] * 5 + [True] * 10)
    ties = marks("key", [str(k) for k in range(15)])
    rule = Recipe(alpha=0.25, ceiling=2 / 3).make(scores, losses, ties=ties)
    assert isinstance(rule, Threshold) and rule.accepted == np.mean(rule.accepts_all(scores, ties))


@pytest.mark.parametrize(
    "options",
    [
        {"name": "high-probability", "delta": 0.2},
        {"name": "conditional", "delta": 0.2},
        {"name": "pair-weighted", "max_size": 2},
    ],
    ids=lambda options: options["name"],
)
def test_every_rule_keeps_to_its_ceiling(options: dict[str, Any]) -> None:
    draw = np.random.default_rng(1)
    scores = draw.random(400).round(3)
    wrong, deferred = draw.random(400) < 0.02, draw.random(400) < 0.3
    clusters = [k // 2 for k in range(400)]
    for ceiling in (0.2, 0.5, 1 / 3):
        rule = Recipe(alpha=0.3, ceiling=ceiling, **options).make(
            scores, wrong, clusters=clusters, deferred=deferred, fit=scores[::2]
        )
        assert isinstance(rule, Threshold) and 0.1 < rule.value <= exact.tick(ceiling) / exact.SCALE
        assert not rule.accepts(ceiling + 0.001)


def test_clusters_are_the_default_for_groups() -> None:
    scores, losses, clusters = [0.1, 0.2] * 20, [0, 0] * 20, ["a", "b"] * 20
    groups = ["g"] * 40
    assert (
        group_rules(scores, losses, groups, recipe=Recipe(alpha=0.3), clusters=clusters).rule_for("g").kind
        == "cluster_crc"
    )
    insisted = group_rules(
        scores, losses, groups, recipe=Recipe(alpha=0.3, over_pairs=True), clusters=clusters
    ).rule_for("g")
    assert insisted.kind == "crc" and insisted.warnings


def test_marks_break_ties_once_for_each_text() -> None:
    assert mark("secret", "go home") == mark("secret", "go home") != mark("secret", "go away")
    assert mark("secret", "go home") != mark("other", "go home")
    drawn = marks("secret", [str(k) for k in range(4000)]) / MAX_TIE
    assert np.histogram(drawn, bins=8, range=(0, 1))[0].min() > 400
    ties = np.arange(100) * (MAX_TIE // 100)
    rule = crc([0.0] * 100, [0] * 40 + [1] * 60, alpha=0.1, ties=ties)
    assert rule.accepts(0.0, int(ties[20])) and not rule.accepts(0.0, int(ties[70]))
    with pytest.raises(ValueError, match="missing"):
        rule.accepts(0.0)
    with pytest.raises(UsageError):
        mark("", "text")


@given(pairs, alphas)
def test_equal_weights_are_no_weights(rows: list[tuple[float, int]], alpha: Fraction) -> None:
    scores, losses = columns(rows)
    rule, plain = (
        weighted_crc(scores, losses, [1.0] * len(rows), alpha=alpha),
        crc(scores, losses, alpha=alpha),
    )
    assert [rule.accepts(s, 1.0) for s in scores] == [plain.accepts(s) for s in scores]


def test_a_heavy_instruction_is_judged_more_strictly() -> None:
    rule = weighted_crc([0.1, 0.2, 0.3, 0.4] * 10, [0, 0, 0, 1] * 10, [1.0] * 40, alpha=0.2)
    assert rule.threshold(1.0) == 0.3 and rule.threshold(100.0) is None
    with pytest.raises(DataError, match="weight"):
        rule.threshold(math.inf)


def test_ticks_round_trip() -> None:
    values = np.random.default_rng(0).random(1000)
    assert (exact.ticks(exact.ticks(values) / exact.SCALE) == exact.ticks(values)).all()


def test_groups_with_high_probability_use_one_member_of_each_cluster() -> None:
    clusters = [k // 5 for k in range(500)]
    made = group_rules(
        [0.1] * 500,
        [0] * 500,
        ["g"] * 500,
        recipe=Recipe(alpha=0.1, name="high-probability", delta=0.1, seed=3),
        clusters=clusters,
    )
    rule = made.rule_for("g")
    assert rule.kind == "high_probability" and rule.n == 100 and rule.delta == 0.1
