"""Reviewers who miss: bounds on how often, and every promise kept with them; without them it breaks."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from guarantee_harness import World, breaks
from scipy.stats import binom

from assent.calibrate import Infeasible, Threshold
from assent.calibrate.anytime import advance, in_use, start
from assent.calibrate.audited import audited_crc
from assent.calibrate.certificate import certify
from assent.calibrate.noisy import (
    certify_noisy,
    halves,
    miss_rate,
    observed_alpha,
    plants_needed,
    price,
)
from assent.errors import DataError, UsageError

ALPHA, DELTA = 0.1, 0.1
RISING = World(101, np.linspace(0, 0.6, 101))
CUMULATED = np.cumsum(RISING.wrong * RISING.chance)


def risk_of(rule: object) -> float:
    return float(CUMULATED[int(rule.value * 100 + 1e-6)]) if isinstance(rule, Threshold) else 0.0


def test_mutants_bound_the_miss_rate_exactly() -> None:
    """P(bound < rate) over every outcome of the mutants is at most delta; the share missed is no bound."""
    for planted in (5, 20, 60):
        bounds = [miss_rate(delta=DELTA, planted=planted, missed=k).at_most for k in range(planted + 1)]
        for rate in (0.02, 0.1, 0.3, 0.7):
            chances = binom.pmf(range(planted + 1), planted, rate)
            assert chances[[b < rate for b in bounds]].sum() <= DELTA + 1e-12
            assert chances[[k / planted < rate for k in range(planted + 1)]].sum() > DELTA


@pytest.mark.parametrize("rate", [0.05, 0.2, 0.5])
def test_double_review_bounds_the_miss_rate(rate: float) -> None:
    """Also exact: the number of wrong formulas that anybody caught is given, those caught once are binomial."""
    once = 2 * rate / (1 + rate)
    for caught in (5, 20, 60):
        bounds = [miss_rate(delta=DELTA, both=caught - k, one=k).at_most for k in range(caught + 1)]
        assert binom.pmf(range(caught + 1), caught, once)[[b < rate for b in bounds]].sum() <= DELTA + 1e-12
    # Taking disagreements over all wrong ones that were seen as *the* miss rate of one reviewer forgets those missed
    # by both, but errs upwards; halving them errs downwards.
    big = 10_000
    assert miss_rate(delta=DELTA, both=big - int(big * once), one=int(big * once)).at_most > rate
    assert once / 2 < rate


def reviewed_stream(rng: np.random.Generator, n: int, missed: float) -> tuple[np.ndarray, ...]:
    scores, wrong = RISING.draw(rng, n)
    chance = np.where(scores <= 0.4, 0.4, 0.6)
    said = wrong & (rng.random(n) >= missed)
    return scores, rng.random(n) < chance, said, chance


def test_audited_rule_with_and_without_the_correction() -> None:
    """A fifth of the wrong formulas is called right; 80 mutants tell."""
    rng = np.random.default_rng(71)
    corrected, trusting = [], []
    for _ in range(500):
        stream = reviewed_stream(rng, 400, missed=0.2)
        misses = miss_rate(delta=DELTA, planted=80, missed=int(rng.binomial(80, 0.2)))
        corrected.append(
            risk_of(audited_crc(*stream, alpha=observed_alpha(ALPHA, misses), least="0.4"))
            if misses.at_most >= 0.2
            else 0.0  # the bound itself may fail, with probability delta
        )
        trusting.append(risk_of(audited_crc(*stream, alpha=ALPHA, least="0.4")))
    assert not breaks(corrected, ALPHA)
    assert breaks(trusting, ALPHA)


def test_anytime_rule_with_half_of_delta_each_and_without() -> None:
    rng = np.random.default_rng(72)
    grid = [k / 20 for k in range(1, 21)]
    corrected, trusting, used = [], [], []
    for _ in range(150):
        stream = reviewed_stream(rng, 2500, missed=0.3)
        misses = miss_rate(delta=halves(DELTA), planted=100, missed=int(rng.binomial(100, 0.3)))
        for out, alpha, delta in (
            (corrected, observed_alpha(ALPHA, misses), halves(DELTA)),
            (trusting, ALPHA, DELTA),
        ):
            state = advance(start(grid, alpha=alpha, delta=delta, least="0.4"), *stream)
            at = in_use(state)
            out.append(at is not None and CUMULATED[round(grid[at] * 100)] > ALPHA)
            used.append(at is not None)
    assert not breaks(corrected, DELTA)
    assert breaks(trusting, DELTA)
    assert np.mean(used) > 0.9


@pytest.mark.parametrize("rate", [0.0, 0.1, 0.4])
def test_noisy_certificate_by_enumeration(rate: float) -> None:
    """Every true number wrong, every draw, every miss; the miss rate's bound fails with its own half of delta."""
    population, drawn, planted, confidence = 12, 6, 10, "0.8"
    bounds = {
        (k, m): certify_noisy(
            population, drawn, k, miss_rate(delta="0.1", planted=planted, missed=m), confidence=confidence
        ).at_most
        for k in range(drawn + 1)
        for m in range(planted + 1)
    }
    plants = binom.pmf(range(planted + 1), planted, rate)
    for marked in range(population + 1):
        false = 0.0
        for found in range(max(0, drawn - population + marked), min(marked, drawn) + 1):
            ways = Fraction(
                comb(marked, found) * comb(population - marked, drawn - found), comb(population, drawn)
            )
            calls = binom.pmf(range(found + 1), found, 1 - rate)
            false += float(ways) * sum(
                calls[k] * plants[m]
                for k in range(found + 1)
                for m in range(planted + 1)
                if bounds[k, m] < marked
            )
        assert false <= 0.2 + 1e-12


def test_what_misses_cost() -> None:
    sharp, dull = miss_rate(delta="0.025", planted=200), miss_rate(delta="0.025", planted=30, missed=3)
    plain = certify(400, 60, 0).at_most
    assert plain < certify_noisy(400, 60, 0, sharp).at_most < certify_noisy(400, 60, 0, dull).at_most
    cost = price("0.1", dull)
    assert cost.alpha_observed == pytest.approx(0.1 * (1 - dull.at_most))
    assert cost.labels == 9 and cost.labels_noisy > 9
    assert plants_needed("0.05", "0.05") == 59
    assert miss_rate(delta="0.05", planted=59).at_most <= 0.05 < miss_rate(delta="0.05", planted=58).at_most


def test_the_larger_of_two_sources_counts() -> None:
    both = miss_rate(delta="0.05", planted=50, missed=1, both=40, one=4)
    assert both.at_most == max(
        miss_rate(delta="0.05", planted=50, missed=1).at_most, miss_rate(delta="0.05", both=40, one=4).at_most
    )


def test_nothing_known_about_misses_is_an_error() -> None:
    with pytest.raises(DataError, match="plant known wrong"):
        miss_rate(delta="0.05")
    with pytest.raises(DataError, match="cannot be"):
        miss_rate(delta="0.05", planted=3, missed=4)
    with pytest.raises(UsageError, match="every wrong formula"):
        observed_alpha("0.1", miss_rate(delta="0.05", planted=3, missed=3))
    with pytest.raises(UsageError, match="halves"):
        certify_noisy(100, 20, 0, miss_rate(delta="0.05", planted=30))
    made = audited_crc(
        [0.1], [1], [0], [1.0], alpha=observed_alpha("0.1", miss_rate(delta="0.1", planted=9)), least=1
    )
    assert isinstance(made, Infeasible)
