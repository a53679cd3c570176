"""What other rules do on the same records, and what happens when assumptions are broken on purpose."""

from __future__ import annotations

import numpy as np

from assent.calibrate.control import cluster_crc, crc
from assent.calibrate.rules import Rule, Threshold
from assent.calibrate.selective import climb_grid, conditional, high_probability
from assent.evaluate.measure import Rows
from assent.policy.labelled import Labelled

SEED = 20260101
RESPLITS = 200


def _apply(rule: Rule, scores: np.ndarray) -> np.ndarray:
    return rule.accepts_all(scores) if isinstance(rule, Threshold) else np.zeros(len(scores), dtype=bool)


def rules(data: Labelled, channel: str, *, alpha: float = 0.10, delta: float = 0.10) -> Rows:
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
    out: Rows = []
    for name in names:
        table = np.array(risks[name])
        target = table[:, 2] if name == "conditional" else table[:, 0]
        out.append(
            {
                "rule": name,
                "joint risk": float(table[:, 0].mean()),
                "acceptance": float(table[:, 1].mean()),
                "error among the accepted": float(table[:, 2].mean()),
                "share of splits over alpha (test noise included)": float((target > alpha).mean()),
            }
        )
    return out


def broken(data: Labelled, channel: str, *, alpha: float = 0.10) -> Rows:
    """Calibrated on one tier and used on another; calibrated on easy rows only; pairs where clusters are due."""
    out: Rows = []
    scores, wrong = data.scores(channel), data.wrong
    tiers = np.array([row.tier for row in data.rows])
    clusters = np.arange(len(data)) if data.clusters is None else data.clusters

    def add(what: str, cal: np.ndarray, test: np.ndarray) -> None:
        rule = cluster_crc(scores[cal], wrong[cal], clusters[cal], alpha=alpha)
        accepted = _apply(rule, scores[test])
        codes = np.unique(clusters[test], return_inverse=True)[1]
        risk = float((np.bincount(codes, accepted & wrong[test]) / np.bincount(codes)).mean())
        out.append({"broken on purpose": what, "joint risk": risk, "alpha": alpha})

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
