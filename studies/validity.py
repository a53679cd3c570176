"""What other rules do on the same records, and what happens when assumptions are broken on purpose."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from assent.calibrate.control import cluster_crc, crc
from assent.calibrate.rules import Rule, Threshold
from assent.calibrate.selective import climb_grid, conditional, high_probability
from assent.policy.labelled import Labelled

SEED = 20260101
RESPLITS = 200


def _apply(rule: Rule, scores: np.ndarray) -> np.ndarray:
    return rule.accepts_all(scores) if isinstance(rule, Threshold) else np.zeros(len(scores), dtype=bool)


@dataclass(frozen=True)
class RuleRow:
    """What one rule does on random halves."""

    rule: str
    joint_risk: float
    acceptance: float
    error_among_the_accepted: float
    over: Annotated[float, "share of splits over alpha (test noise included)"]


@dataclass(frozen=True)
class Broken:
    """The risk of a rule whose assumption was broken on purpose."""

    broken_on_purpose: str
    joint_risk: float
    alpha: float


def rules(data: Labelled, channel: str, *, alpha: float = 0.10, delta: float = 0.10) -> list[RuleRow]:
    """One random member a cluster, so that rows are independent; then each rule on random halves."""
    rng = np.random.default_rng(SEED)
    scores, wrong = data.scores(channel), data.wrong
    clusters = np.arange(len(data)) if data.clusters is None else data.clusters
    names = ("crc", "high probability", "conditional")
    risks: dict[str, list[tuple[float, float, float]]] = {name: [] for name in names}
    for _ in range(RESPLITS):
        order = rng.permutation(len(data))
        one = order[np.unique(clusters[order], return_index=True)[1]]
        one = rng.permutation(one)
        fit, cal, test = np.split(one, [len(one) // 5, 3 * len(one) // 5])
        grid = climb_grid(scores[fit], n=len(cal), alpha=alpha, delta=delta)
        made: dict[str, Rule] = {
            "crc": crc(scores[cal], wrong[cal], alpha=alpha),
            "high probability": high_probability(scores[cal], wrong[cal], alpha=alpha, delta=delta),
            "conditional": conditional(scores[cal], wrong[cal], grid=grid, alpha=alpha, delta=delta),
        }
        for name, rule in made.items():
            accepted = _apply(rule, scores[test])
            bad = accepted & wrong[test]
            share = float(accepted.mean())
            risks[name].append((float(bad.mean()), share, float(bad.sum() / max(1, accepted.sum()))))
    out: list[RuleRow] = []
    for name in names:
        table = np.array(risks[name])
        target = table[:, 2] if name == "conditional" else table[:, 0]
        risk, acceptance, error = table.mean(axis=0).tolist()
        out.append(RuleRow(name, risk, acceptance, error, float((target > alpha).mean())))
    return out


def broken(data: Labelled, channel: str, *, alpha: float = 0.10) -> list[Broken]:
    """Calibrated on one tier and used on another; calibrated on easy rows only; pairs where clusters are due."""
    out: list[Broken] = []
    scores, wrong = data.scores(channel), data.wrong
    tiers = np.array([row.tier for row in data.rows])
    clusters = np.arange(len(data)) if data.clusters is None else data.clusters

    def add(what: str, cal: np.ndarray, test: np.ndarray) -> None:
        rule = cluster_crc(scores[cal], wrong[cal], clusters[cal], alpha=alpha)
        accepted = _apply(rule, scores[test])
        codes = np.unique(clusters[test], return_inverse=True)[1]
        risk = float((np.bincount(codes, accepted & wrong[test]) / np.bincount(codes)).mean())
        out.append(Broken(what, risk, alpha))

    for home in data.tiers:
        for away in data.tiers:
            if home != away:
                add(
                    f"calibrated on {home}, stream of {away}",
                    np.flatnonzero(tiers == home),
                    np.flatnonzero(tiers == away),
                )
    easy = np.flatnonzero(~wrong | (scores > np.median(scores)))
    add("calibration without its unsuspicious errors", easy, np.arange(len(data)))
    return out
