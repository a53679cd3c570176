"""What a report is made with, the parts of the data, and how well each score ranks: typed rows from labelled rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assent.calibrate import metrics, resplit
from assent.calibrate.control import Labels, cluster_crc, crc
from assent.calibrate.exact import Level, renumbered
from assent.calibrate.rules import Rule, Threshold, Unit
from assent.evaluate.labels import SIZE
from assent.evaluate.rows import (
    ChannelFloor,
    Complementarity,
    KeptBack,
    Margin,
    Mixed,
    Overview,
    Ranking,
    Selection,
)
from assent.policy.columns import UNREADABLE
from assent.policy.labelled import Labelled
from assent.scoring import BACK_TRANSLATION, FUSION, SELF_CONSISTENCY

Flags = npt.NDArray[np.bool_]
ALPHAS = (0.05, 0.10, 0.15, 0.20, 0.25, 0.30)
KNOWN_CHANNELS = (
    *(SELF_CONSISTENCY, BACK_TRANSLATION, "direct_judge", "single_question", "embedding", "judges_mean"),
    *("judges_max", FUSION, "default", SIZE),
)
ALL = "all"
RESPLIT_ROWS = 20_000
"""Larger files are thinned for the tables that split them again and again."""


@dataclass(frozen=True)
class MeasureSettings:
    """What a report is made with; written into it. ``delta`` is the level of the gate, recorded or measured."""

    channel: str = FUSION
    alphas: tuple[float, ...] = ALPHAS
    resplits: int = 100
    seed: int = 20260101
    bootstrap: int = 1000
    delta: float = 0.05
    neighbours: int = 10


def parts(data: Labelled) -> Iterator[tuple[str, Labelled]]:
    """Each tier, then all of them together; one at a time, so that no two copies of columns lie side by side."""
    column = data.columns.tier
    for tier in data.tiers:
        yield tier, _members(data, column.equal(tier))
    if len(data.tiers) != 1:
        yield ALL, data


def _members(data: Labelled, flags: Flags) -> Labelled:
    return data if flags.all() else data.take(np.flatnonzero(flags))


def units(data: Labelled) -> tuple[Unit, ...]:
    return ("pair",) if data.clusters is None else ("cluster", "pair")


def thinned(data: Labelled, most: int, seed: int) -> Labelled:
    """About ``most`` rows of a larger file: whole clusters, drawn uniformly by the seed, never by their size."""
    if len(data) <= most:
        return data
    unit = np.arange(len(data)) if data.clusters is None else data.clusters
    names = np.random.default_rng(seed).permutation(int(unit.max()) + 1)
    return data.take(np.flatnonzero(np.isin(unit, names[: max(2, len(names) * most // len(data))])))


def too_small(data: Labelled) -> list[str]:
    """Tiers that cannot be split, with the unit that they have only one of."""
    return [f"{name} ({unit})" for name, part in tiers(data) for unit in units(part) if count(part, unit) < 2]


def tiers(data: Labelled) -> Iterator[tuple[str, Labelled]]:
    """The parts that a rule is made for: each tier by itself."""
    return ((name, part) for name, part in parts(data) if name != ALL or len(data.tiers) == 1)


def count(part: Labelled, unit: Unit) -> int:
    """How many units there are."""
    return len(part) if unit == "pair" or part.clusters is None else int(part.clusters.max()) + 1


def mean(flags: Flags, part: Labelled, unit: Unit) -> float:
    """The share of flagged rows, or its mean over clusters."""
    if unit == "pair" or part.clusters is None:
        return float(flags.mean())
    return float(np.mean(np.bincount(part.clusters, flags) / np.bincount(part.clusters)))


def make_rule(
    scores: npt.NDArray[np.float64], wrong: Flags, clusters: Labels | None, away: Flags, alpha: Level
) -> Rule:
    """Conformal risk control by the unit that the data calls for; rows that are away are abstentions."""
    if clusters is None:
        return crc(scores, wrong, alpha=alpha, deferred=away)
    return cluster_crc(scores, wrong, clusters, alpha=alpha, deferred=away)


def overview(data: Labelled, settings: MeasureSettings) -> tuple[Overview, ...]:
    """Rows, errors and clusters of each tier, and what is recorded."""
    return tuple(_overview(name, part, settings) for name, part in parts(data))


def _overview(name: str, part: Labelled, settings: MeasureSettings) -> Overview:
    clusters = part.clusters
    sizes = None if clusters is None else np.bincount(clusters)
    return Overview(
        group=name,
        rows=len(part),
        error=float(part.wrong.mean()),
        error_per_cluster=None if clusters is None else mean(part.wrong, part, "cluster"),
        clusters=None if sizes is None else len(sizes),
        largest=None if sizes is None else int(sizes.max()),
        unreadable=int((part.columns.translated & (part.columns.operators == UNREADABLE)).sum()),
        undecided=int((~part.columns.decided).sum()),
        withheld=int(part.away(settings.delta).sum()),
        failed=int((~part.columns.translated).sum()),
    )


def withheld(data: Labelled, settings: MeasureSettings) -> tuple[KeptBack, ...]:
    """What deployment keeps back whatever the score, by reason."""
    reasons = data.reasons(settings.delta)
    wrong = reasons.counts(data.wrong)
    kept = [(reason, rows) for reason, rows in reasons.counts().items() if reason is not None]
    kept.sort(key=lambda item: -item[1])
    return tuple(KeptBack(reason.value, rows, wrong[reason]) for reason, rows in kept)


def auroc(data: Labelled, settings: MeasureSettings) -> tuple[Ranking, ...]:
    """AUROC of each channel with a (cluster) bootstrap interval, and within equal size."""
    return tuple(
        _ranking(name, part, channel, settings)
        for name, part in parts(data)
        for channel in ordered(part.channels)
    )


def _ranking(name: str, part: Labelled, channel: str, settings: MeasureSettings) -> Ranking:
    scores = part.scores(channel)
    interval = metrics.bootstrap_auroc(
        scores, part.wrong, clusters=part.clusters, seed=settings.seed, draws=settings.bootstrap
    )
    if interval is None:  # labels of one kind only: there is nothing to rank
        return Ranking(name, channel, None, None, None, None, None)
    within = metrics.auroc_within(scores, part.wrong, _strata(part))
    return Ranking(
        name, channel, interval.value, interval.low, interval.high, within, not interval.informative
    )


def _strata(part: Labelled) -> npt.NDArray[np.int64]:
    """Rows of one tier with candidates of one size have one number, counted in the order of first rows."""
    sizes = part.columns.operators.astype(np.int64) - UNREADABLE
    pairs = part.columns.tier.codes.astype(np.int64) * (int(sizes.max(initial=0)) + 1) + sizes
    return renumbered(pairs)


def ordered(channels: Sequence[str]) -> list[str]:
    """Known channels in their usual order, then the others."""
    known = [c for c in KNOWN_CHANNELS if c in channels]
    return [*known, *(c for c in channels if c not in known)]


def missing_channels(data: Labelled) -> list[str]:
    return [c for c in KNOWN_CHANNELS if c not in data.channels]


def margins(data: Labelled, settings: MeasureSettings) -> tuple[Margin, ...]:
    """How much the fusion is above the best single channel, resampled together."""
    out: list[Margin] = []
    for name, part in parts(data):
        single = [c for c in (SELF_CONSISTENCY, BACK_TRANSLATION) if c in part.channels]
        values = {c: metrics.auroc(part.scores(c), part.wrong) for c in single}
        best = max((c for c in single if values[c] is not None), key=lambda c: values[c] or 0.0, default=None)
        if best is None:
            continue
        for fused in (c for c in (FUSION, "default") if c in part.channels):
            interval = metrics.bootstrap_difference(
                part.scores(fused),
                part.scores(best),
                part.wrong,
                clusters=part.clusters,
                seed=settings.seed,
                draws=settings.bootstrap,
            )
            if interval is not None:
                out.append(Margin(name, fused, best, interval.value, interval.low, interval.high))
    return tuple(out)


def floors(data: Labelled, settings: MeasureSettings) -> tuple[ChannelFloor, ...]:
    """The smallest certifiable alpha of each channel, by the unit that the data calls for."""
    out: list[ChannelFloor] = []
    for name, part in parts(data):
        unit, away = units(part)[0], part.away(settings.delta)
        for channel in ordered(part.channels):
            rule = make_rule(part.scores(channel), part.wrong, part.clusters, away, 1)
            out.append(ChannelFloor(name, channel, count(part, unit), rule.floor, unit))
    return tuple(out)


def selection(data: Labelled, settings: MeasureSettings) -> tuple[Selection, ...]:
    """Score to selection, tiers merged: AUROC, acceptance at 0.10 over resplits, floor, over pairs."""
    data = thinned(data, RESPLIT_ROWS, settings.seed)
    if len(data) < 2:
        return ()
    splits = resplit.draw_pairs(len(data), resplits=settings.resplits, seed=settings.seed)
    ranked = data.translated
    away = data.away(settings.delta)
    out: list[Selection] = []
    for channel in ordered(data.channels):
        scores = data.scores(channel)
        result = resplit.resplit(scores, data.wrong, splits, alphas=[0.10], unit="pair", deferred=away)
        cell = resplit.cells(result, result.crc, weighting="pair")[0]
        floor = make_rule(scores, data.wrong, None, away, 1).floor
        out.append(
            Selection(channel, metrics.auroc(ranked.scores(channel), ranked.wrong), cell.acceptance, floor)
        )
    return tuple(out)


def complementarity(data: Labelled) -> tuple[Complementarity, ...]:
    """Do the two signals see different errors?"""
    if SELF_CONSISTENCY not in data.channels:
        return ()
    return tuple(_complementarity(name, part) for name, part in parts(data))


def _complementarity(name: str, part: Labelled) -> Complementarity:
    consistent, wrong = part.scores(SELF_CONSISTENCY) == 0, part.wrong
    others = (c for c in (BACK_TRANSLATION, "default") if c in part.channels)
    return Complementarity(
        group=name,
        inconsistent=float((~consistent).mean()),
        error_if_inconsistent=float(wrong[~consistent].mean()) if (~consistent).any() else None,
        error_if_consistent=float(wrong[consistent].mean()) if consistent.any() else None,
        unanimous_errors=int((wrong & consistent).sum()),
        auroc={c: metrics.auroc(part.scores(c)[consistent], wrong[consistent]) for c in others},
    )


def sweep(data: Labelled) -> tuple[Mixed, ...]:
    """AUROC of lambda * S_bt + (1 - lambda) * S_sc."""
    if not {BACK_TRANSLATION, SELF_CONSISTENCY} <= set(data.channels):
        return ()
    out: list[Mixed] = []
    for name, part in parts(data):
        bt, sc = part.scores(BACK_TRANSLATION), part.scores(SELF_CONSISTENCY)
        for step in range(21):
            weight = step / 20
            out.append(Mixed(name, weight, metrics.auroc(weight * bt + (1 - weight) * sc, part.wrong)))
    return tuple(out)


def rules_at(data: Labelled, channel: str, alpha: float, delta: float) -> dict[str, Threshold]:
    """Feasible rules by tier, by the unit that the data calls for."""
    made = {
        name: make_rule(part.scores(channel), part.wrong, part.clusters, part.away(delta), alpha)
        for name, part in parts(data)
    }
    return {name: rule for name, rule in made.items() if isinstance(rule, Threshold)}
