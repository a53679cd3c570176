"""Audited risk control: the theorem by enumeration over samples and coins, simulation, and the shortcuts."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import prod

import numpy as np
import pytest
from guarantee_harness import World, breaks

from assent.calibrate import crc
from assent.calibrate.audited import audited_crc
from assent.calibrate.rules import Infeasible, Rule

PLAN = {0.2: Fraction(1, 2), 0.5: Fraction(1, 4), 0.8: Fraction(1)}
"""The probability of being drawn, by score."""
STEPS = [(0.2, "0.5"), (0.5, "0.25"), (1.0, "1")]
ALPHAS = [Fraction(k, 8) for k in range(1, 9)]
Pair = tuple[float, int]


def accepted_loss(bag: tuple[Pair, ...], alpha: Fraction, least: object) -> Fraction:
    """The expected loss of a held-out pair: over who is held out and over every outcome of the coins."""
    total = Fraction(0)
    for j, (score, wrong) in enumerate(bag):
        if not wrong:
            continue
        rest = bag[:j] + bag[j + 1 :]
        chances = [PLAN[s] for s, _ in rest]
        for coins in product((0, 1), repeat=len(rest)):
            weight = prod(
                (q if coin else 1 - q for q, coin in zip(chances, coins, strict=True)), start=Fraction(1)
            )
            if weight:
                rule = audited_crc(
                    [s for s, _ in rest],
                    coins,
                    [z for _, z in rest],
                    [float(q) for q in chances],
                    alpha=alpha,
                    least=least,
                )
                total += weight * rule.accepts(score)
    return total / len(bag)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_every_small_sample_and_every_outcome_of_the_coins(n: int) -> None:
    for bag in combinations_with_replacement(list(product(PLAN, (0, 1))), n + 1):
        for alpha in ALPHAS:
            assert accepted_loss(bag, alpha, STEPS) <= alpha


def test_larger_samples_at_the_levels_that_bind() -> None:
    pairs = list(product((0.2, 0.8), (0, 1)))
    for bag in combinations_with_replacement(pairs, 5):
        assert accepted_loss(bag, Fraction(2, 5), "0.5") <= Fraction(2, 5)


def test_adding_one_in_place_of_the_worst_weight_breaks_the_theorem(monkeypatch: pytest.MonkeyPatch) -> None:
    """The next item may weigh 1/q, not 1."""
    monkeypatch.setattr(
        "assent.calibrate.audited._worst", lambda plan, keys, scale: np.full(len(keys), scale)
    )
    bags = combinations_with_replacement(list(product((0.5, 0.8), (0, 1))), 3)
    assert any(accepted_loss(bag, Fraction(1, 3), STEPS) > Fraction(1, 3) for bag in bags)


RISING = World(101, np.linspace(0, 0.6, 101))
CUMULATED = np.cumsum(RISING.wrong * RISING.chance)
ALPHA = 0.1


def true_risk(rule: Rule) -> float:
    return 0.0 if isinstance(rule, Infeasible) else float(CUMULATED[int(rule.value * 100 + 1e-6)])


def reviewed_stream(rng: np.random.Generator, n: int) -> tuple[np.ndarray, ...]:
    """What an earlier threshold of 0.4 accepts is audited with 0.2, the abstentions are all reviewed."""
    scores, wrong = RISING.draw(rng, n)
    chance = np.where(scores <= 0.4, 0.2, 1.0)
    return scores, wrong, chance, rng.random(n) < chance


def test_audited_rule_and_unlabelled_taken_for_right_and_abstentions_only() -> None:
    rng = np.random.default_rng(21)
    valid, taken_for_right, only_abstentions = [], [], []
    for _ in range(800):
        scores, wrong, chance, drawn = reviewed_stream(rng, 400)
        valid.append(true_risk(audited_crc(scores, drawn, wrong, chance, alpha=ALPHA, least="0.2")))
        taken_for_right.append(true_risk(crc(scores, drawn & wrong, alpha=ALPHA)))
        abstained = scores > 0.4
        start = RISING.draw(rng, 100)  # a first calibration, to which labels of abstentions are added
        both = np.r_[start[0], scores[abstained]], np.r_[start[1], wrong[abstained]]
        only_abstentions.append(true_risk(crc(*both, alpha=ALPHA)))
    assert not breaks(valid, ALPHA)
    assert np.mean(valid) > 0.07  # the promise is used, not only kept
    assert breaks(taken_for_right, ALPHA)
    assert breaks(only_abstentions, ALPHA)


def test_adding_labels_of_low_scores_only() -> None:
    """Labels that come where they are easy to get shift the sample towards right ones: alpha is broken."""
    rng = np.random.default_rng(22)
    naive = []
    for _ in range(600):
        scores, wrong = RISING.draw(rng, 300)
        shown_right = ~wrong | (
            rng.random(300) < 0.5
        )  # people confirm what is right, half of the rest goes unlabelled
        naive.append(true_risk(crc(scores[shown_right], wrong[shown_right], alpha=ALPHA)))
    assert breaks(naive, ALPHA)


def test_unanswered_draws_count_as_wrong() -> None:
    """Reviewers leave wrong formulas unanswered: dropped, these rows break alpha; counted as wrong, they do not."""
    rng = np.random.default_rng(23)
    counted, dropped = [], []
    for _ in range(500):
        scores, wrong, chance, drawn = reviewed_stream(rng, 400)
        silent = wrong & (rng.random(400) < 0.5)
        answers = np.where(silent, np.nan, wrong)
        counted.append(true_risk(audited_crc(scores, drawn, answers, chance, alpha=ALPHA, least="0.2")))
        kept = ~(silent & drawn)
        made = audited_crc(scores[kept], drawn[kept], wrong[kept], chance[kept], alpha=ALPHA, least="0.2")
        dropped.append(true_risk(made))
    assert not breaks(counted, ALPHA)
    assert breaks(dropped, ALPHA)


def test_clusters_are_drawn_whole() -> None:
    """Cluster-weighted risk of a new cluster; weights over single pairs of the same clusters break it."""
    rng = np.random.default_rng(24)
    by_cluster, by_pair = [], []

    def draw(number: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        sizes = rng.choice([1, 10], number, p=[0.85, 0.15])
        names = np.repeat(np.arange(number), sizes)
        wrong = (rng.random(number) < np.where(sizes == 1, 0.4, 0.05))[names]
        return np.round(np.clip(rng.normal(0.4 + 0.2 * wrong, 0.2), 0, 1), 2), wrong, names

    def lost(rule: Rule) -> float:
        scores, wrong, names = draw(60)
        bad = np.array([rule.accepts(float(s)) for s in scores]) & wrong
        return float((np.bincount(names, weights=bad) / np.bincount(names)).mean())

    for _ in range(500):
        scores, wrong, names = draw(120)
        drawn = (rng.random(120) < 0.5)[names]
        chance = np.full(len(names), 0.5)
        made = audited_crc(scores, drawn, wrong, chance, alpha=0.15, least="0.5", clusters=names)
        by_cluster.append(lost(made))
        single = rng.random(len(names)) < 0.5
        by_pair.append(lost(audited_crc(scores, single, wrong, chance, alpha=0.15, least="0.5")))
    assert not breaks(by_cluster, 0.15)
    assert breaks(by_pair, 0.15)
