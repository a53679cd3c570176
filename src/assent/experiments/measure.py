"""The numbers behind every table: plain rows from labelled translations."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assent.calibrate import metrics, resplit
from assent.calibrate.control import cluster_crc, crc
from assent.calibrate.rules import Threshold, Unit
from assent.experiments.table import Cell
from assent.gate import normalised
from assent.learn import SIZE, Labelled
from assent.logic.ast import size
from assent.logic.equivalence import equivalent
from assent.records import parse
from assent.score.channels import BACK_TRANSLATION, FUSION, SELF_CONSISTENCY

ALPHAS = (0.05, 0.10, 0.15, 0.20, 0.25, 0.30)
KNOWN_CHANNELS = (
    *(SELF_CONSISTENCY, BACK_TRANSLATION, "direct_judge", "single_question", "embedding", "judges_mean"),
    *("judges_max", FUSION, "default", SIZE),
)
ALL = "all"
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
                "unreadable": sum(r.group == "unreadable" for r in part.rows),
                "undecided": sum(not r.decided for r in part.rows),
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
            if found is None:
                continue
            out.append(
                {
                    "group": name,
                    "channel": channel,
                    "value": found.value,
                    "low": found.low,
                    "high": found.high,
                    "within equal size": metrics.auroc_within(scores, part.wrong, strata),
                    "uninformative": not found.informative,
                }
            )
    return out


def _operators(row: object) -> int:
    evidence = row.evidence  # type: ignore[attr-defined]
    tree = evidence.draft.primary.tree(evidence.instruction.logic)
    return -1 if tree is None else size(tree)


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
    scores = data.scores(settings.channel)
    del scores  # refuse an incomplete channel before any work is done
    for name, part in [(tier, p) for tier, p in parts(data) if tier != ALL or len(data.tiers) == 1]:
        for unit in units(part):
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


def conflicts(data: Labelled) -> tuple[Rows, dict[str, Cell]]:
    """Texts that occur with references of different meaning: their ids, and the error rate without them."""
    by_text: dict[str, list[int]] = defaultdict(list)
    for i, row in enumerate(data.rows):
        by_text[normalised(row.text)].append(i)
    found: Rows = []
    affected: set[int] = set()
    for positions in by_text.values():
        first = data.rows[positions[0]].evidence.instruction
        for i in positions[1:]:
            case = data.rows[i].evidence.instruction
            verdict = equivalent(
                parse(str(first.reference), first.logic), parse(str(case.reference), case.logic)
            ).verdict
            if verdict != "equal":
                found.append({"id": first.id, "other id": case.id, "verdict": str(verdict)})
                affected.update(positions)
    keep = np.array([i not in affected for i in range(len(data))])
    without = float(data.wrong[keep].mean()) if keep.any() else None
    summary: dict[str, Cell] = {
        "conflicting pairs": len(found),
        "rows affected": len(affected),
        "error": float(data.wrong.mean()),
        "error without them": without,
    }
    return found, summary


def labels(data: Labelled) -> Rows:
    """Where exact and canonical labels differ, and what that does to the error rate."""
    out: Rows = []
    for name, part in parts(data):
        changed = [row.id for row in part.rows if row.wrong != row.wrong_canonically]
        out.append(
            {
                "group": name,
                "wrong (exact)": sum(row.wrong for row in part.rows),
                "wrong (canonical)": sum(row.wrong_canonically for row in part.rows),
                "labels that differ": len(changed),
                "ids": ", ".join(changed[:12]) + (" …" if len(changed) > 12 else ""),
            }
        )
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


TYPOLOGY_ROWS = 300
"""Wrong rows that are looked at; more change the shares little and cost minutes."""


def typology(data: Labelled, settings: Settings) -> Rows:
    """Which single typed mutation turns the candidate into the reference (canonically), by tier."""
    from assent.logic.canonical import canonical_key
    from assent.logic.mutate import mutations

    wrong = [row for row in data.rows if row.wrong]
    chosen = np.random.default_rng(settings.seed).permutation(len(wrong))[:TYPOLOGY_ROWS]
    counts: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for row in (wrong[int(i)] for i in sorted(chosen)):
        case, draft = row.evidence.instruction, row.evidence.draft
        candidate = None if draft is None else draft.primary.tree(case.logic)
        if candidate is None:
            counts[row.tier]["unreadable"] += 1
            continue
        goal = canonical_key(parse(str(case.reference), case.logic))
        found = (
            m.kind for m in mutations(candidate, proven=lambda *_: True) if canonical_key(m.formula) == goal
        )
        counts[row.tier][str(next(found, "several or other"))] += 1
    kinds = sorted({kind for found in counts.values() for kind in found})
    return [{"error": kind, **{tier: counts[tier].get(kind, 0) for tier in sorted(counts)}} for kind in kinds]


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
