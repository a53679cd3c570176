"""Does the deployed rule keep its promise? Resplits of labelled rows, counted as deployment decides.

A row that deployment keeps back whatever its score (``Labelled.away``) is an abstention in every table here, exactly as
``policy.make_policy`` counts it. Risk, acceptance, error and oracle of one row have one weighting.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import numpy as np

from assent.calibrate import metrics, resplit
from assent.calibrate.rules import Threshold, Unit
from assent.evaluate.measure import (
    RESPLIT_ROWS,
    Flags,
    MeasureSettings,
    count,
    make_rule,
    mean,
    thinned,
    tiers,
    units,
)
from assent.evaluate.rows import Acceptance, Compliance, Exceedances, Executed, Method, OverBudget, Unpromised
from assent.evaluate.table import ABSTAINED
from assent.policy.labelled import Labelled
from assent.policy.make import groups_of

INSIDE = (0.05, 0.10)
"""The alphas at which parts without a promise are looked at."""
METHODS: tuple[Method, ...] = ("crc", "split")


def compliance(data: Labelled, settings: MeasureSettings) -> tuple[Compliance, ...]:
    """Mean joint risk over resplits for every tier, alpha, method and unit; both weightings of the risk."""
    return tuple(
        row
        for name, part in tiers(thinned(data, RESPLIT_ROWS, settings.seed))
        for unit in units(part)
        if count(part, unit) > 1
        for row in _of_part(name, part, unit, settings)
    )


def _of_part(name: str, part: Labelled, unit: Unit, settings: MeasureSettings) -> list[Compliance]:
    result = resplit.resplit(
        part.scores(settings.channel),
        part.wrong,
        _splits(part, unit, settings),
        alphas=settings.alphas,
        unit=unit,
        clusters=part.clusters,
        deferred=part.away(settings.delta),
    )
    other: Unit = "pair" if unit == "cluster" else "cluster"
    everything = mean(part.wrong, part, unit)
    out: list[Compliance] = []
    for method in METHODS:
        outcome = result.crc if method == "crc" else result.split
        weighed = resplit.cells(result, outcome, weighting=unit)
        counter = resplit.cells(result, outcome, weighting=other)
        for cell, twin in zip(weighed, counter, strict=True):
            out.append(_row(name, method, unit, cell, twin.risk, everything))
    return out


def _splits(part: Labelled, unit: Unit, settings: MeasureSettings) -> resplit.Splits:
    if unit == "cluster" and part.clusters is not None:
        return resplit.draw_clusters(part.clusters, resplits=settings.resplits, seed=settings.seed)
    return resplit.draw_pairs(len(part), resplits=settings.resplits, seed=settings.seed)


def _row(
    group: str, method: Method, unit: Unit, cell: resplit.ComplianceCell, other: float, everything: float
) -> Compliance:
    return Compliance(
        group=group,
        alpha=cell.alpha,
        method=method,
        unit=unit,
        risk=cell.risk,
        se=cell.se,
        acceptance=cell.acceptance,
        infeasible_share=cell.infeasible_share,
        exceedances=cell.exceedances,
        mark=cell.mark,
        over_three_se=bool(cell.risk > cell.alpha + 3 * cell.se + 1e-12),
        risk_other_weighting=other,
        conditional_error=cell.error,
        no_selection=everything,
    )


def ledger(rows: Sequence[Compliance]) -> tuple[Acceptance, ...]:
    """Acceptance against the oracle and the uninformative score, from the compliance rows."""
    return tuple(_accepted(row) for row in rows if row.method == "crc")


def _accepted(row: Compliance) -> Acceptance:
    oracle = metrics.oracle_acceptance(row.no_selection, row.alpha)
    return Acceptance(
        group=row.group,
        alpha=row.alpha,
        unit=row.unit,
        acceptance=row.acceptance,
        oracle=oracle,
        share_of_oracle=row.acceptance / oracle,
        uninformative=metrics.uninformative_acceptance(row.no_selection, row.alpha),
        errors_per_150=150 * row.risk,
        no_selection_per_150=150 * row.no_selection,
    )


def executed(rows: Sequence[Compliance]) -> tuple[Executed, ...]:
    """Wrong formulas that reach the robot among 150 instructions, from the compliance rows."""
    by_method = {(row.group, row.alpha, row.unit, row.method): row for row in rows}

    def wrong(row: Compliance) -> float | None:
        return None if row.mark == ABSTAINED else 150 * row.risk

    return tuple(
        Executed(
            group,
            alpha,
            unit,
            wrong(row),
            wrong(by_method[group, alpha, unit, "split"]),
            150 * row.no_selection,
        )
        for (group, alpha, unit, method), row in by_method.items()
        if method == "crc"
    )


def exceedances(rows: Sequence[Compliance]) -> tuple[Exceedances, ...]:
    """In how many resplits the test risk was above alpha, from the compliance rows."""
    lines = groupby(rows, lambda row: (row.group, row.method, row.unit))
    return tuple(Exceedances(*key, {row.alpha: row.exceedances for row in cells}) for key, cells in lines)


def over_budget(rows: Sequence[Compliance], unit: Unit) -> OverBudget:
    """Cells over their budget, counted as the paper does and at three standard errors."""
    numbers: list[int] = []
    for method in METHODS:
        cells = [row for row in rows if (row.method, row.unit) == (method, unit)]
        feasible = [row for row in cells if row.mark != ABSTAINED]
        over = sum(row.mark == "✗" for row in feasible)
        numbers += [len(cells), len(feasible), over, sum(row.over_three_se for row in feasible)]
    return OverBudget(unit, *numbers)


# ---- parts that carry no promise of their own ------------------------------------------------------------


def unpromised(data: Labelled, settings: MeasureSettings) -> tuple[Unpromised, ...]:
    """Registers, and tiers of the references: what the deployed rules do inside each, out of sample, per row.

    Deployed rules are made by the tier of the candidate, because nothing else is known at run time, so that nothing is
    promised for these parts: an honest average may hide one that runs above alpha.
    """
    data = thinned(data, RESPLIT_ROWS, settings.seed)
    inside = _parts_without_promise(data)
    unit = units(data)[0]
    if not inside or count(data, unit) < 2:
        return ()
    splits, out = _splits(data, unit, settings), []
    for alpha in INSIDE:
        tested, accepted, bad = _accepted_in_tests(data, splits, settings, alpha)
        for (kind, name), members in inside.items():
            seen = max(1, int(tested[members].sum()))
            risk = float(bad[members].sum()) / seen
            share = float(accepted[members].sum()) / seen
            error = float(data.wrong[members].mean())
            out.append(Unpromised(kind, name, alpha, int(members.sum()), error, risk, share, risk > alpha))
    return tuple(out)


def _parts_without_promise(data: Labelled) -> dict[tuple[str, str], Flags]:
    """Members of each part, where there are at least two of its kind."""
    inside: dict[tuple[str, str], Flags] = {}
    columns = data.columns
    for kind, column in (("register", columns.register), ("tier of the reference", columns.tier)):
        known = sorted(name for name in column.present if name is not None)
        if len(known) > 1:
            inside |= {(kind, name): column.equal(name) for name in known}
    return inside


def _accepted_in_tests(
    data: Labelled, splits: resplit.Splits, settings: MeasureSettings, alpha: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """For each row in how many resplits it was tested, accepted, and accepted though wrong."""
    scores, wrong, away = data.scores(settings.channel), data.wrong, data.away(settings.delta)
    clusters = data.clusters
    logics = data.columns.logic.values()
    groups = np.array([f"{a} {b}" for a, b in zip(logics, groups_of(data, "tier"), strict=True)])
    tested, accepted = splits.test.sum(axis=0), np.zeros(len(data), dtype=np.int64)
    for calibration, test in zip(splits.calibration, splits.test, strict=True):
        for group in dict.fromkeys(groups.tolist()):
            home, there = calibration & (groups == group), test & (groups == group)
            if not home.any():
                continue  # a group without calibration rows abstains
            inside = None if clusters is None else clusters[home]
            rule = make_rule(scores[home], wrong[home], inside, away[home], alpha)
            if isinstance(rule, Threshold):
                accepted[there] += rule.accepts_all(scores[there]) & ~away[there]
    return tested, accepted, accepted * wrong
