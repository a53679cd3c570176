"""Out of sample in one weighting, against a plain loop; groups by the thousand; acceptance with a lowest atom."""

from __future__ import annotations

from pathlib import Path
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.calibrate import Infeasible, cluster_crc, crc, group_rules
from assent.calibrate.feasibility import plan_from_guesses
from assent.calibrate.heldout import held_out
from assent.calibrate.recipe import Recipe
from assent.calibrate.resplit import cells, draw_clusters, resplit
from assent.errors import UsageError
from assent.evaluate.labels import load


@given(seed=st.integers(0, 10**6), clustered=st.booleans())
def test_leave_one_out_against_a_plain_loop(seed: int, clustered: bool) -> None:
    rng = np.random.default_rng(seed)
    n = 14
    scores, wrong, away = rng.integers(0, 6, n) / 6, rng.random(n) < 0.2, rng.random(n) < 0.2
    names = rng.integers(0, 5, n) if clustered else np.arange(n)

    def make(at: np.ndarray, numbers: np.ndarray) -> object:
        if clustered:
            return cluster_crc(scores[at], wrong[at], numbers, alpha="0.4", deferred=away[at])
        return crc(scores[at], wrong[at], alpha="0.4", deferred=away[at])

    made = held_out(
        make, scores, wrong, seed=0, clusters=names if clustered else None, deferred=away, folds=n, repeats=1
    )
    risk, share = [], []
    for name in np.unique(names):
        inside, outside = np.flatnonzero(names != name), np.flatnonzero(names == name)
        rule = make(inside, names[inside])
        taken = [
            not isinstance(rule, Infeasible) and rule.accepts(float(scores[i])) and not away[i]
            for i in outside
        ]
        share.append(np.mean(taken))
        risk.append(np.mean(np.array(taken) & wrong[outside]))
    several = len(np.unique(names)) > 1
    assert made.risk == pytest.approx(np.mean(risk) if several else 0.0)
    assert made.acceptance == pytest.approx(np.mean(share) if several else 0.0)
    assert made.unit == ("cluster" if clustered else "pair")


def test_risk_acceptance_and_error_have_one_weighting(shared: Path) -> None:
    """D3 at 0.05: 0.247 by cluster, 0.062 by pair; a cluster's risk over a pair's acceptance is neither."""
    data = load(shared / "recorded" / "llm_ltl.jsonl", level="canonical")
    here = data.where(lambda row: row.tier == "D3")
    splits = draw_clusters(here.clusters, resplits=100, seed=20260101)
    made = resplit(
        here.scores("fusion"), here.wrong, splits, alphas=["0.05"], unit="cluster", clusters=here.clusters
    )
    by_cluster, by_pair = (cells(made, made.crc, weighting=unit)[0] for unit in ("cluster", "pair"))
    assert by_cluster.error == pytest.approx(0.247, abs=0.002)
    assert by_pair.error == pytest.approx(0.062, abs=0.002)
    assert by_cluster.error == by_cluster.risk / by_cluster.acceptance


def test_groups_say_what_to_expect_out_of_sample() -> None:
    rng = np.random.default_rng(1)
    scores = rng.random(300)
    wrong = rng.random(300) < scores / 3
    made = group_rules(scores, wrong, ["g"] * 300, recipe=Recipe(alpha=0.1), draws=50).expected["g"]
    assert made.unit == "pair" and made.risk is not None and made.error is not None
    assert made.low <= made.acceptance <= made.high
    assert made.error == pytest.approx(made.risk / made.acceptance, rel=0.2)
    names = np.repeat(np.arange(100), 3)
    clustered = group_rules(scores, wrong, ["g"] * 300, recipe=Recipe(alpha=0.1), clusters=names, draws=50)
    assert clustered.expected["g"].unit == "cluster"


@given(seed=st.integers(0, 10**6))
def test_each_group_gets_the_rule_of_its_own_rows(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = 90
    scores, wrong = rng.integers(0, 10, n) / 10, rng.random(n) < 0.1
    groups = [f"g{k}" for k in rng.integers(0, 4, n)]
    sent = {"g3": "g0"}
    made = group_rules(scores, wrong, groups, recipe=Recipe(alpha="0.3"), fallback=sent)
    for name in set(groups) - {"g3"}:
        here = [k for k, g in enumerate(groups) if sent.get(g, g) == name]
        assert made.rules[name] == crc(scores[here], wrong[here], alpha="0.3")
    assert list(made.rules) == list(dict.fromkeys(sent.get(g, g) for g in groups))


def test_only_a_rule_with_a_delta_is_simultaneous() -> None:
    with pytest.raises(UsageError, match="at once"):
        Recipe(alpha=0.1, simultaneous=True)


@pytest.mark.parametrize(
    ("rate", "n", "auroc", "lowest", "alpha"),
    [(0.2, 200, 0.85, 0.04, "0.05"), (0.25, 200, 0.8, 0.05, "0.1"), (0.3, 150, 0.75, 0.04, "0.1")],
)
def test_acceptance_with_wrong_ones_at_the_lowest_score(
    rate: float, n: int, auroc: float, lowest: float, alpha: str
) -> None:
    """Against the rule itself on simulated scores; without the atom the plan promised up to 0.28 more."""
    rng, normal = np.random.default_rng(2), NormalDist()
    shift, shares = 2**0.5 * normal.inv_cdf(auroc), []
    for _ in range(400):
        wrong = rng.random(n) < rate
        atom = rng.random(n) < lowest / rate
        raw = rng.normal(wrong * shift, 1)
        scores = np.where(atom, 0.0, [0.01 + 0.99 * normal.cdf(x) for x in raw])
        shares.append(getattr(crc(scores, wrong, alpha=alpha), "accepted", 0.0))
    [made] = plan_from_guesses(error_rate=rate, n=n, auroc=auroc, lowest=lowest, alphas=[alpha]).targets
    [without] = plan_from_guesses(error_rate=rate, n=n, auroc=auroc, alphas=[alpha]).targets
    assert made.acceptance == pytest.approx(np.mean(shares), abs=0.02 + 3 * np.std(shares) / 20)
    assert made.acceptance < without.acceptance - 0.04
