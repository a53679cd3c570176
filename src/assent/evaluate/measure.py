"""The numbers behind every table: plain rows from labelled translations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assent.calibrate import metrics, resplit
from assent.calibrate.control import cluster_crc, crc
from assent.calibrate.rules import Threshold, Unit
from assent.evaluate.labels import SIZE
from assent.evaluate.table import Cell
from assent.logic.ast import size
from assent.policy.labelled import Labelled, Row
from assent.scoring.channels import BACK_TRANSLATION, FUSION, SELF_CONSISTENCY

ALPHAS = (0.05, 0.10, 0.15, 0.20, 0.25, 0.30)
KNOWN_CHANNELS = (
    *(SELF_CONSISTENCY, BACK_TRANSLATION, "direct_judge", "single_question", "embedding", "judges_mean"),
    *("judges_max", FUSION, "default", SIZE),
)
ALL = "all"
RESPLIT_ROWS = 20_000
"""Larger files are thinned for the tables that split them again and again."""
Rows = list[dict[str, Cell]]


@dataclass(frozen=True)
class Settings:
    """What a report is made with; written into it."""

    channel: str = FUSION
    alphas: tuple[float, ...] = ALPHAS
    resplits: int = 100
    seed: int = 20260101
    bootstrap: int = 1000
    delta: float = 0.05
    neighbours: int = 10


def parts(data: Labelled) -> list[tuple[str, Labelled]]:
    """Each tier, then all of them together."""
    tiers = [(tier, data.where(lambda row, tier=tier: row.tier == tier)) for tier in data.tiers]  # type: ignore[misc]
    return [*tiers, (ALL, data)] if len(tiers) > 1 else tiers or [(ALL, data)]


def units(data: Labelled) -> tuple[Unit, ...]:
    return ("pair",) if data.clusters is None else ("cluster", "pair")


def thinned(data: Labelled, most: int, seed: int) -> Labelled:
    """About ``most`` rows of a larger file: whole clusters, drawn uniformly by the seed, never by their size."""
    if len(data) <= most:
        return data
    unit = np.arange(len(data)) if data.clusters is None else data.clusters
    names = np.random.default_rng(seed).permutation(int(unit.max()) + 1)
    return data.take(np.flatnonzero(np.isin(unit, names[: max(2, len(names) * most // len(data))])).tolist())


def too_small(data: Labelled) -> list[str]:
    """Tiers that cannot be split, with the unit that they have only one of."""
    return [
        f"{name} ({unit})" for name, part in tiers(data) for unit in units(part) if _count(part, unit) < 2
    ]


def tiers(data: Labelled) -> list[tuple[str, Labelled]]:
    """The parts that a rule is made for: each tier by itself."""
    return [(name, part) for name, part in parts(data) if name != ALL or len(data.tiers) == 1]


def _count(part: Labelled, unit: Unit) -> int:
    return len(part) if unit == "pair" or part.clusters is None else int(part.clusters.max()) + 1


def overview(data: Labelled) -> Rows:
    """Rows, errors and clusters of each tier, and what is recorded."""
    out: Rows = []
    for name, part in parts(data):
        clusters = part.clusters
        sizes = np.zeros(0, dtype=np.int64) if clusters is None else np.bincount(clusters)
        per_cluster = None if clusters is None else float(np.mean(np.bincount(clusters, part.wrong) / sizes))
        out.append(
            {
                "group": name,
                "rows": len(part),
                "error": float(part.wrong.mean()),
                "error per cluster": per_cluster,
                "clusters": None if clusters is None else len(sizes),
                "largest": None if clusters is None else int(sizes.max()),
                "unreadable": sum(r.evidence.formula is None for r in part.rows),
                "undecided": sum(not r.label.decided for r in part.rows),
            }
        )
    return out


def auroc(data: Labelled, settings: Settings) -> Rows:
    """AUROC of each channel with a (cluster) bootstrap interval, and within equal size."""
    out: Rows = []
    for name, part in parts(data):
        strata = [f"{row.tier}/{_operators(row)}" for row in part.rows]
        for channel in _ordered(part.channels):
            scores = part.scores(channel)
            found = metrics.bootstrap_auroc(
                scores, part.wrong, clusters=part.clusters, seed=settings.seed, draws=settings.bootstrap
            )
            row: dict[str, Cell] = {"group": name, "channel": channel}
            if found is None:  # labels of one kind only: there is nothing to rank
                out.append(
                    row | dict.fromkeys(("value", "low", "high", "within equal size", "uninformative"))
                )
                continue
            out.append(
                row
                | {
                    "value": found.value,
                    "low": found.low,
                    "high": found.high,
                    "within equal size": metrics.auroc_within(scores, part.wrong, strata),
                    "uninformative": not found.informative,
                }
            )
    return out


def _operators(row: Row) -> int:
    return -1 if row.evidence.formula is None else size(row.evidence.formula)


def _ordered(channels: Sequence[str]) -> list[str]:
    known = [c for c in KNOWN_CHANNELS if c in channels]
    return [*known, *(c for c in channels if c not in known)]


def missing_channels(data: Labelled) -> list[str]:
    return [c for c in KNOWN_CHANNELS if c not in data.channels]


def margins(data: Labelled, settings: Settings) -> Rows:
    """How much the fusion is above the best single channel, resampled together."""
    out: Rows = []
    for name, part in parts(data):
        single = [c for c in (SELF_CONSISTENCY, BACK_TRANSLATION) if c in part.channels]
        values = {c: metrics.auroc(part.scores(c), part.wrong) for c in single}
        best = max((c for c in single if values[c] is not None), key=lambda c: values[c] or 0.0, default=None)
        if best is None:
            continue
        for fused in (c for c in (FUSION, "default") if c in part.channels):
            found = metrics.bootstrap_difference(
                part.scores(fused),
                part.scores(best),
                part.wrong,
                clusters=part.clusters,
                seed=settings.seed,
                draws=settings.bootstrap,
            )
            if found is not None:
                row: dict[str, Cell] = {"group": name, "channel": fused, "best single": best}
                out.append(row | {"margin": found.value, "low": found.low, "high": found.high})
    return out


def floors(data: Labelled) -> Rows:
    """The smallest certifiable alpha of each channel, by the unit that the data calls for."""
    out: Rows = []
    for name, part in parts(data):
        clusters = part.clusters
        for channel in _ordered(part.channels):
            scores = part.scores(channel)
            rule = (
                crc(scores, part.wrong, alpha=1)
                if clusters is None
                else cluster_crc(scores, part.wrong, clusters, alpha=1)
            )
            unit = "pair" if clusters is None else "cluster"
            n = len(part) if clusters is None else int(clusters.max()) + 1
            out.append({"group": name, "channel": channel, "n": n, "floor": rule.floor, "unit": unit})
    return out


def selection(data: Labelled, settings: Settings) -> Rows:
    """Score to selection, tiers merged: AUROC, acceptance at 0.10 over resplits, floor, over pairs."""
    out: Rows = []
    data = thinned(data, RESPLIT_ROWS, settings.seed)
    if len(data) < 2:
        return out
    splits = resplit.draw_pairs(len(data), resplits=settings.resplits, seed=settings.seed)
    for channel in _ordered(data.channels):
        scores = data.scores(channel)
        result = resplit.resplit(scores, data.wrong, splits, alphas=[0.10], unit="pair")
        cell = resplit.cells(result, result.crc, weighting="pair")[0]
        rule = crc(scores, data.wrong, alpha=1)
        row: dict[str, Cell] = {"channel": channel, "auroc": metrics.auroc(scores, data.wrong)}
        out.append(row | {"acceptance at 0.10": cell.acceptance, "floor": rule.floor})
    return out


def compliance(data: Labelled, settings: Settings) -> Rows:
    """Mean joint risk over resplits for every tier, alpha, method and unit; both weightings of the risk."""
    out: Rows = []
    for name, part in tiers(thinned(data, RESPLIT_ROWS, settings.seed)):
        for unit in (unit for unit in units(part) if _count(part, unit) > 1):
            clusters = part.clusters
            if unit == "cluster" and clusters is not None:
                splits = resplit.draw_clusters(clusters, resplits=settings.resplits, seed=settings.seed)
            else:
                splits = resplit.draw_pairs(len(part), resplits=settings.resplits, seed=settings.seed)
            result = resplit.resplit(
                part.scores(settings.channel),
                part.wrong,
                splits,
                alphas=settings.alphas,
                unit=unit,
                clusters=clusters,
            )
            for method, outcome in (("crc", result.crc), ("split", result.split)):
                other: Unit = "pair" if unit == "cluster" else "cluster"
                weighed = resplit.cells(result, outcome, weighting=unit)
                counter = resplit.cells(result, outcome, weighting=other)
                for cell, twin in zip(weighed, counter, strict=True):
                    out.append(_compliance_row(name, method, unit, cell, twin.risk, part))
    return out


def _compliance_row(
    group: str, method: str, unit: Unit, cell: resplit.Cell, other: float, part: Labelled
) -> dict[str, Cell]:
    return {
        "group": group,
        "alpha": cell.alpha,
        "method": method,
        "unit": unit,
        "risk": cell.risk,
        "se": cell.se,
        "acceptance": cell.acceptance,
        "infeasible_share": cell.infeasible_share,
        "exceedances": cell.exceedances,
        "mark": cell.mark,
        "over_three_se": bool(cell.risk > cell.alpha + 3 * cell.se + 1e-12),
        "risk_other_weighting": other,
        "conditional_error": cell.risk / cell.acceptance if cell.acceptance > 0 else None,
        "no_selection": float(part.wrong.mean()),
    }


def ledger(rows: Rows, data: Labelled) -> Rows:
    """Acceptance against the oracle and the uninformative score, from the compliance rows."""
    errors = {name: float(part.wrong.mean()) for name, part in parts(data)}
    out: Rows = []
    for row in rows:
        if row["method"] != "crc":
            continue
        p, alpha = errors[str(row["group"])], float(row["alpha"] or 0)
        oracle = metrics.oracle_acceptance(p, alpha)
        acceptance = float(row["acceptance"] or 0)
        out.append(
            {
                "group": row["group"],
                "alpha": alpha,
                "unit": row["unit"],
                "acceptance": acceptance,
                "oracle": oracle,
                "share of oracle": acceptance / oracle,
                "uninformative": metrics.uninformative_acceptance(p, alpha),
                "errors per 150": 150 * float(row["risk"] or 0),
                "no selection per 150": 150 * p,
            }
        )
    return out


def executed(rows: Rows) -> Rows:
    """Wrong formulas that reach the robot among 150 instructions, from the compliance rows."""
    found: dict[tuple[Cell, ...], dict[str, Cell]] = {}
    for row in rows:
        key = (row["group"], row["alpha"], row["unit"])
        line = found.setdefault(key, dict(zip(("group", "alpha", "unit"), key, strict=True)))
        line[str(row["method"])] = None if row["mark"] == "abst." else 150 * float(row["risk"] or 0)
        line["no selection"] = 150 * float(row["no_selection"] or 0)
    return list(found.values())


def exceedances(rows: Rows) -> Rows:
    """In how many resplits the test risk was above alpha, from the compliance rows."""
    found: dict[tuple[Cell, ...], dict[str, Cell]] = {}
    for row in rows:
        key = (row["group"], row["method"], row["unit"])
        line = found.setdefault(key, dict(zip(("group", "method", "unit"), key, strict=True)))
        line[f"α = {row['alpha']:.2f}"] = row["exceedances"]
    return list(found.values())


def complementarity(data: Labelled) -> Rows:
    """Do the two signals see different errors?"""
    out: Rows = []
    if SELF_CONSISTENCY not in data.channels:
        return out
    for name, part in parts(data):
        consistent = part.scores(SELF_CONSISTENCY) == 0
        wrong = part.wrong
        row: dict[str, Cell] = {
            "group": name,
            "inconsistent": float((~consistent).mean()),
            "error if inconsistent": float(wrong[~consistent].mean()) if (~consistent).any() else None,
            "error if consistent": float(wrong[consistent].mean()) if consistent.any() else None,
            "unanimous errors": int((wrong & consistent).sum()),
        }
        for channel in (c for c in (BACK_TRANSLATION, "default") if c in part.channels):
            values = part.scores(channel)[consistent]
            row[f"AUROC {channel} among consistent"] = metrics.auroc(values, wrong[consistent])
        out.append(row)
    return out


def sweep(data: Labelled) -> Rows:
    """AUROC of lambda * S_bt + (1 - lambda) * S_sc."""
    if not {BACK_TRANSLATION, SELF_CONSISTENCY} <= set(data.channels):
        return []
    out: Rows = []
    for name, part in parts(data):
        bt, sc = part.scores(BACK_TRANSLATION), part.scores(SELF_CONSISTENCY)
        for step in range(21):
            weight = step / 20
            value = metrics.auroc(weight * bt + (1 - weight) * sc, part.wrong)
            out.append({"group": name, "lambda": weight, "auroc": value})
    return out


def rules_at(data: Labelled, channel: str, alpha: float) -> dict[str, Threshold]:
    """Feasible rules by tier, by the unit that the data calls for."""
    out: dict[str, Threshold] = {}
    for name, part in parts(data):
        scores, clusters = part.scores(channel), part.clusters
        rule = (
            crc(scores, part.wrong, alpha=alpha)
            if clusters is None
            else cluster_crc(scores, part.wrong, clusters, alpha=alpha)
        )
        if isinstance(rule, Threshold):
            out[name] = rule
    return out
