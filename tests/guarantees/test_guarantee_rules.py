"""Each rule keeps its promise in simulation; each invalid shortcut is caught by the same harness."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from guarantee_harness import World, breaks

from assent.calibrate import Infeasible, Threshold, cluster_crc, crc, group_rules, pair_weighted_crc
from assent.calibrate.batch import p_values, select
from assent.calibrate.binomial import passes
from assent.calibrate.control import capped
from assent.calibrate.exact import MAX_TIE
from assent.calibrate.recipe import Recipe
from assent.calibrate.rules import gate_rule
from assent.calibrate.selective import climb_grid, conditional, high_probability
from assent.calibrate.weighted import weighted_crc

RISING = World(21, np.linspace(0, 0.6, 21))


def test_the_harness_has_a_false_alarm_rate() -> None:
    rng = np.random.default_rng(0)
    rang = [breaks(rng.random(200) < 0.1, 0.1) for _ in range(2000)]
    assert np.mean(rang) < 0.002
    assert breaks(rng.random(20_000) < 0.12, 0.1)


def test_crc_and_the_rule_without_its_correction() -> None:
    rng = np.random.default_rng(1)
    alpha, valid, uncorrected = 0.1, [], []
    for _ in range(3000):
        scores, wrong = RISING.draw(rng, 30)
        valid.append(RISING.risk(crc(scores, wrong, alpha=alpha)))
        # N/n <= alpha in place of (N + 1)/(n + 1) <= alpha.
        loose = Fraction(int(0.1 * 30) + 1, 31)
        uncorrected.append(RISING.risk(crc(scores, wrong, alpha=loose)))
    assert not breaks(valid, alpha)
    assert breaks(uncorrected, alpha)


def test_alpha_is_an_average_over_calibrations() -> None:
    """About half of all policies have a risk above alpha: the high-probability rule is for who must sign."""
    rng = np.random.default_rng(2)
    world = World(1001, np.linspace(0, 0.6, 1001))
    average, signed = [], []
    cumulative = np.cumsum(world.wrong * world.chance)

    def risk(rule: object) -> float:
        if isinstance(rule, Infeasible):
            return 0.0
        return float(cumulative[round(rule.value * 1000)])

    for _ in range(2000):
        scores, wrong = world.draw(rng, 200)
        average.append(risk(crc(scores, wrong, alpha=0.1)) > 0.1)
        signed.append(risk(high_probability(scores, wrong, alpha=0.1, delta=0.1)) > 0.1)
    assert 0.4 < np.mean(average) < 0.55
    assert not breaks(signed, 0.1)
    assert np.mean(signed) > 0.03  # not needlessly cautious
    assert breaks(average, 0.1)


def test_choosing_the_score_on_the_calibration_data_is_caught() -> None:
    rng = np.random.default_rng(3)
    alpha, honest, greedy = 0.1, [], []
    for _ in range(500):
        wrong = rng.random(60) < 0.3
        # K scores that know nothing: the risk of accepting a share t is 0.3 t.
        rules = [crc(rng.random(60), wrong, alpha=alpha) for _ in range(20)]
        shares = [r.value if isinstance(r, Threshold) else 0.0 for r in rules]
        honest.append(0.3 * shares[0])
        greedy.append(0.3 * max(shares))
    assert not breaks(honest, alpha)
    assert breaks(greedy, alpha)


def clustered(rng: np.random.Generator, number: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Small clusters are often wrong, the rare large ones seldom; members share score and label mostly."""
    sizes = rng.choice([1, 12], number, p=[0.85, 0.15])
    rate = np.where(sizes == 1, 0.4, 0.05)
    names = np.repeat(np.arange(number), sizes)
    wrong = (rng.random(number) < rate)[names]
    scores = np.round(np.clip(rng.normal(0.4 + 0.2 * wrong, 0.2), 0, 1), 2)
    return scores, wrong, names


def cluster_risks(rule: object, world: tuple[np.ndarray, np.ndarray, np.ndarray]) -> tuple[float, float, int]:
    """Cluster-weighted risk, wrong accepted, and pairs of a test draw."""
    scores, wrong, names = world
    lost = rule.accepts_all(scores) & wrong if isinstance(rule, Threshold) else np.zeros(len(scores), bool)
    sizes = np.bincount(names)
    return float((np.bincount(names, weights=lost) / sizes).mean()), int(lost.sum()), len(scores)


def test_cluster_rule_and_pair_rule_on_clustered_data() -> None:
    rng = np.random.default_rng(4)
    alpha, by_cluster, by_pair, excess = 0.15, [], [], []
    for _ in range(1200):
        scores, wrong, names = clustered(rng, 60)
        test = clustered(rng, 60)
        by_cluster.append(cluster_risks(cluster_crc(scores, wrong, names, alpha=alpha), test)[0])
        by_pair.append(cluster_risks(crc(scores, wrong, alpha=alpha), test)[0])
        rule = pair_weighted_crc(scores, wrong, names, alpha=alpha, max_size=12)
        _, lost, total = cluster_risks(rule, test)
        excess.append(lost - alpha * total)
    assert not breaks(by_cluster, alpha)
    assert breaks(by_pair, alpha)
    assert not breaks(excess, 0.0)


def test_high_probability_on_clusters_needs_one_member_of_each() -> None:
    """Members of a cluster are no independent draws; one random member of each is."""
    rng = np.random.default_rng(5)
    alpha, delta, one, all_members = 0.2, 0.1, [], []

    def true_risk(rule: object) -> float:
        # Clusters of 20 alike: wrong with 0.3, score uniform on a grid of 50 whatever the label.
        return 0.3 * rule.accepts_all(np.arange(50) / 50).mean() if isinstance(rule, Threshold) else 0.0

    for _ in range(1000):
        names = np.repeat(np.arange(40), 20)
        scores = rng.integers(0, 50, 40)[names] / 50
        wrong = (rng.random(40) < 0.3)[names]
        keep = capped(names, 1, seed=int(rng.integers(2**31)))
        one.append(true_risk(high_probability(scores[keep], wrong[keep], alpha=alpha, delta=delta)) > alpha)
        all_members.append(true_risk(high_probability(scores, wrong, alpha=alpha, delta=delta)) > alpha)
    assert not breaks(one, delta)
    assert breaks(all_members, delta)


def test_conditional_climb_and_the_largest_passing_threshold() -> None:
    """Every threshold has error 0.101 among the accepted: whatever is certified at 0.10 is a mistake."""
    rng = np.random.default_rng(6)
    alpha, delta, n = 0.1, 0.1, 400
    climbed, luckiest = [], []
    grid = climb_grid(rng.random(300), n=n, alpha=alpha, delta=delta)
    for _ in range(500):
        scores, wrong = rng.random(n), rng.random(n) < 0.101
        climbed.append(isinstance(conditional(scores, wrong, grid, alpha=alpha, delta=delta), Threshold))
        tests = [(int((wrong & (scores <= g)).sum()), int((scores <= g).sum())) for g in grid]
        luckiest.append(any(passes(k, a, Fraction("0.1"), Fraction("0.1")) for k, a in tests))
    assert not breaks(climbed, delta)
    assert breaks(luckiest, delta)
    assert np.mean(luckiest) > 0.2


def test_conditional_rule_certifies_a_good_score() -> None:
    rng = np.random.default_rng(7)
    world = World(101, np.r_[np.full(70, 0.02), np.full(31, 0.7)])
    held, accepted = [], []
    grid = climb_grid(world.draw(rng, 500)[0], n=400, alpha=0.1, delta=0.1)
    for _ in range(200):
        rule = conditional(*world.draw(rng, 400), grid, alpha=0.1, delta=0.1)
        share = world.acceptance(rule)
        accepted.append(share)
        held.append(share > 0 and world.risk(rule) / share > 0.1)
    assert not breaks(held, 0.1)
    assert np.mean(accepted) > 0.6


def test_batch_selection_and_uncorrected_p_values() -> None:
    rng = np.random.default_rng(8)
    alpha, selected, naive, found = 0.2, [], [], []
    for _ in range(1500):
        scores, wrong = RISING.draw(rng, 150)
        batch, bad = RISING.draw(rng, 40)
        chosen = select(scores, wrong, batch, alpha=alpha)
        selected.append((chosen & bad).sum() / max(1, chosen.sum()))
        found.append(chosen.mean())
        every = p_values(scores, wrong, batch) <= alpha
        naive.append((every & bad).sum() / max(1, every.sum()))
    assert not breaks(selected, alpha)
    assert np.mean(found) > 0.2
    # Joint risk at 0.2 is no promise about the share of wrong ones among the selected.
    assert breaks(naive, alpha)


def test_gate_defers_at_most_delta() -> None:
    rng = np.random.default_rng(9)
    delta, deferred, without_self = 0.1, [], []
    for _ in range(4000):
        near = np.round(rng.random(11), 2)
        mine = round(float(rng.random()), 2)
        deferred.append(gate_rule(near, delta=delta).defers(mine))
        without_self.append((near >= mine).mean() < delta)
    assert not breaks(deferred, delta)
    assert breaks(without_self, delta)


def test_gate_over_clusters() -> None:
    """Large clusters lie near, single instructions far: counting pairs defers too many of the single ones."""
    rng = np.random.default_rng(10)
    delta, by_cluster, by_pair = 0.1, [], []

    def draw(number: int) -> tuple[np.ndarray, np.ndarray]:
        sizes = rng.choice([1, 40], number, p=[0.7, 0.3])
        names = np.repeat(np.arange(number), sizes)
        return rng.random(len(names)) * np.where(sizes == 1, 1.0, 0.3)[names], names

    for _ in range(1000):
        distances, names = draw(30)
        one, _ = draw(1)
        by_cluster.append(gate_rule(distances, delta=delta, clusters=names).defers_all(one).mean())
        by_pair.append(gate_rule(distances, delta=delta).defers_all(one).mean())
    assert not breaks(by_cluster, delta)
    assert breaks(by_pair, delta)


def test_gate_and_threshold_together_and_the_gate_switched_off() -> None:
    """What the gate saves is spent on acceptance; without the gate the same threshold breaks the budget."""
    rng = np.random.default_rng(11)
    alpha, both, off, alone = 0.1, [], [], []
    for _ in range(2000):
        gate = gate_rule(rng.random(40), delta=0.3)

        def draw(n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
            far = rng.random(n)
            wrong = rng.random(n) < np.where(far > 0.75, 0.7, 0.2)
            return np.round(rng.random(n), 2), wrong, far

        scores, wrong, far = draw(100)
        rule = crc(scores, wrong, alpha=alpha, deferred=gate.defers_all(far))
        test, bad, away = draw(50)
        accepted = rule.accepts_all(test) if isinstance(rule, Threshold) else np.zeros(50, bool)
        both.append((accepted & bad & ~gate.defers_all(away)).mean())
        off.append((accepted & bad).mean())
        single = crc(scores, wrong, alpha=alpha)
        alone.append((rule.value if isinstance(rule, Threshold) else 0) >= getattr(single, "value", 0))
    assert not breaks(both, alpha)
    assert breaks(off, alpha)
    assert all(alone)


def test_ties_broken_by_marks_and_by_the_best_of_several_tries() -> None:
    rng = np.random.default_rng(12)
    world = World(3, [0.25, 0.5, 0.8])
    alpha, fixed, rerolled, infeasible = 0.05, [], [], []
    for _ in range(800):
        scores, wrong = world.draw(rng, 100)
        rule = crc(scores, wrong, alpha=alpha, ties=rng.integers(0, MAX_TIE + 1, 100))
        infeasible.append(isinstance(crc(scores, wrong, alpha=alpha), Infeasible))
        test, bad = world.draw(rng, 20)
        tries = rng.integers(0, MAX_TIE + 1, (5, 20))
        once = [rule.accepts(float(s), int(u)) for s, u in zip(test, tries[0], strict=True)]
        ever = [rule.accepts(float(s), int(u)) for s, u in zip(test, tries.min(axis=0), strict=True)]
        fixed.append((np.array(once) & bad).mean())
        rerolled.append((np.array(ever) & bad).mean())
    assert np.mean(infeasible) > 0.8  # the marks make a hopeless score usable
    assert not breaks(fixed, alpha)
    assert np.mean(fixed) > 0.03
    assert breaks(rerolled, alpha)


def test_weighted_rule_under_a_known_shift_and_the_plain_rule() -> None:
    """Hard instructions are one half of the calibration data and nine tenths of the stream."""
    rng = np.random.default_rng(13)
    alpha, shifted, plain = 0.1, [], []
    for _ in range(1500):
        hard = rng.random(80) < 0.5
        scores, wrong = np.round(rng.random(80), 2), rng.random(80) < np.where(hard, 0.5, 0.05)
        rule = weighted_crc(scores, wrong, np.where(hard, 1.8, 0.2), alpha=alpha)
        usual = crc(scores, wrong, alpha=alpha)
        tested = rng.random(30) < 0.9
        values, bad = np.round(rng.random(30), 2), rng.random(30) < np.where(tested, 0.5, 0.05)
        weights = np.where(tested, 1.8, 0.2)
        taken = [rule.accepts(float(s), float(w)) for s, w in zip(values, weights, strict=True)]
        shifted.append((np.array(taken) & bad).mean())
        plain.append((np.array([usual.accepts(float(s)) for s in values]) & bad).mean())
    assert not breaks(shifted, alpha)
    assert breaks(plain, alpha)


@pytest.mark.parametrize("fallback", ["abstain", "pooled"])
def test_infeasible_groups_abstain_and_the_pooled_rule_breaks_the_promise(fallback: str) -> None:
    """Group "hard" is small and often wrong: handing it the pooled rule when infeasible breaks alpha there."""
    rng = np.random.default_rng(14)
    alpha, risks = 0.1, []
    hard, easy = World(1, 0.2), World(1, 0.01)
    for _ in range(400):
        (s1, w1), (s2, w2) = hard.draw(rng, 30), easy.draw(rng, 300)
        scores, wrong = np.r_[s1, s2], np.r_[w1, w2]
        rule = group_rules(
            scores, wrong, ["hard"] * 30 + ["easy"] * 300, recipe=Recipe(alpha=alpha)
        ).rule_for("hard")
        if fallback == "pooled" and isinstance(rule, Infeasible):
            rule = crc(scores, wrong, alpha=alpha)
        risks.append(hard.risk(rule))
    assert breaks(risks, alpha) == (fallback == "pooled")
