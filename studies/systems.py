"""Real systems on human utterances: every recorded system as the translator, the others as its samples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Annotated, Any

import numpy as np
import sources
from page import Study
from streams import FAMILIES

from assent.calibrate import metrics
from assent.calibrate.rules import Threshold
from assent.config.build import embedded_embed
from assent.evaluate import compliance, drift, measure, report
from assent.evaluate.measure import MeasureSettings
from assent.evaluate.rows import Acceptance, Drifted, MatrixLine, OverBudget
from assent.evaluate.table import Between
from assent.policy.labelled import Labelled, LabelledRow

SEED = 20260101
HOLDOUTS = ("utt", "formula", "type")
CHANNELS = ("default", "self_consistency", "size")
LEAST = 40
"""Rows of a pattern that is left out and tested on."""


@dataclass(frozen=True)
class Who:
    """Which system, on which hold-out."""

    system: str
    holdout: str


@dataclass(frozen=True)
class SystemRanking(Who):
    rows: int
    error: float
    auroc: Annotated[Mapping[str, Between | None], "{}"]


@dataclass(frozen=True)
class SystemLine(MatrixLine, Who):
    """A line of the compliance matrix of one system."""


@dataclass(frozen=True)
class SystemBudget(OverBudget, Who):
    """Cells of one system over their budget."""


@dataclass(frozen=True)
class SystemAcceptance(Acceptance, Who):
    """Acceptance of one system against the oracle."""


@dataclass(frozen=True)
class SystemTables:
    """The rows of one system on one hold-out."""

    auroc: tuple[SystemRanking, ...]
    compliance: tuple[SystemLine, ...]
    summary: tuple[SystemBudget, ...]
    ledger: tuple[SystemAcceptance, ...]


def part(study: Study) -> dict[str, Labelled]:
    path = sources.SHARED / "recorded" / "lang2ltl_systems.jsonl"
    study.section(
        "Real systems on human utterances (recorded)",
        "Lang2LTL's systems; each as the translator, the others as its samples. Hold-outs: utt, new utterances; formula, "
        "formulas never seen in its training; type, patterns never seen.",
    )
    found: dict[str, Labelled] = {}
    for system in sources.systems(path):
        found[system] = study.timed(
            f"recorded system {system}", partial(sources.recorded_system, path, system)
        )
    jobs = [
        (system, holdout, held)
        for system, data in found.items()
        for holdout in HOLDOUTS
        if len(held := of_holdout(data, holdout)) and 0 < held.wrong.sum() < len(held)
    ]
    made = study.timed("tables of the systems", lambda: list(sources.each(measured, jobs)))
    for name, title, notes in (
        ("auroc", "Lang2LTL systems: AUROC by channel", ("95 % cluster bootstrap; a cluster is one base utterance.",)),
        ("compliance", "Lang2LTL systems: compliance of 'default' by cluster",
         ("Mean joint risk ± s.e. over 100 resplits, the mark, and in brackets the resplits of 100 over alpha.",)),
        ("summary", "Lang2LTL systems: cells over budget, all tiers and alphas", ()),
        ("ledger", "Lang2LTL systems: acceptance against the oracle, and executed errors", ()),
    ):  # fmt: skip
        rows = [row for tables in made for row in getattr(tables, name)]
        study.table(f"systems_{name}", title, rows, notes, without=("unit", "uninformative", "no selection"))
    if "gpt3_ft" in found:
        title = "A shift that no gate on instructions can see (fine-tuned GPT-3)"
        study.table("unseen_shift", title, unseen_shift(found["gpt3_ft"]))
    return found


def of_holdout(data: Labelled, holdout: str) -> Labelled:
    return data.where(lambda row: row.evidence.instruction.extra.get("holdout") == holdout)


def measured(job: tuple[str, str, Labelled]) -> SystemTables:
    """AUROC, compliance, cells and ledger of one system on one hold-out."""
    system, holdout, data = job
    settings = MeasureSettings(channel="default", seed=SEED, bootstrap=200)
    unit = measure.units(data)[0]
    cells = tuple(row for row in compliance.compliance(data, settings) if row.unit == unit)
    return SystemTables(
        auroc=(
            SystemRanking(
                system=system,
                holdout=holdout,
                rows=len(data),
                error=float(data.wrong.mean()),
                auroc=_auroc(data),
            ),
        ),
        compliance=tuple(
            SystemLine(system=system, holdout=holdout, **_fields(row))
            for row in report.matrix(cells, above=True)
        ),
        summary=(
            SystemBudget(system=system, holdout=holdout, **_fields(compliance.over_budget(cells, unit))),
        ),
        ledger=tuple(
            SystemAcceptance(system=system, holdout=holdout, **_fields(row))
            for row in compliance.ledger(cells)
            if row.alpha in (0.05, 0.10)
        ),
    )


def _fields(row: MatrixLine | OverBudget | Acceptance) -> dict[str, Any]:
    return {part.name: getattr(row, part.name) for part in fields(row)}


def _auroc(data: Labelled) -> dict[str, Between | None]:
    found = {
        channel: metrics.bootstrap_auroc(
            data.scores(channel), data.wrong, clusters=data.clusters, seed=SEED, draws=200
        )
        for channel in CHANNELS
    }
    return {
        channel: None if interval is None else Between(interval.value, interval.low, interval.high)
        for channel, interval in found.items()
    }


@dataclass(frozen=True)
class Shifted:
    """One rule on the stream that it was made for, and on another."""

    channel: str
    stream: str
    risk: float
    acceptance: float
    alpha: float


def unseen_shift(data: Labelled) -> list[Shifted]:
    """Calibrated on new utterances, used on new patterns: the sentences are the same, only the translator's training
    differs."""
    utt, kind = of_holdout(data, "utt"), of_holdout(data, "type")
    rows: list[Shifted] = []
    if utt.clusters is None or kind.clusters is None:
        return rows
    for channel in ("self_consistency", "default"):
        rule = measure.make_rule(utt.scores(channel), utt.wrong, utt.clusters, utt.away(None), 0.10)
        if isinstance(rule, Threshold):
            for name, part in (("utt (same)", utt), ("type (shifted)", kind)):
                accepted = rule.accepts_all(part.scores(channel)) & ~part.away(None)
                risk = float((accepted & part.wrong).mean())
                rows.append(Shifted(channel, name, risk, float(accepted.mean()), 0.10))
    return rows


# ---- pattern to pattern ---------------------------------------------------------------------------------


def pattern_of(row: LabelledRow) -> str:
    case = row.evidence.instruction
    return str(case.extra.get("pattern") or case.group)


def patterns_part(study: Study, streams: Sequence[tuple[str, Labelled]]) -> None:
    study.section(
        "Pattern to pattern on Lang2LTL",
        "Calibrated on some patterns of requirement, used on others, at alpha = 0.10: the promise does not hold there, and "
        "the question is what the gate sees of it. Risk is counted by cluster, over 100 resplits.",
    )
    jobs = [(name, data) for name, data in streams if 0 < data.wrong.sum() < len(data)]
    made = study.timed("pattern to pattern", lambda: list(sources.each(patterns, jobs)))
    study.table(
        "families", "Kind of pattern to kind of pattern, alpha = 0.10", [r for rows, _ in made for r in rows]
    )
    study.table(
        "left_out", "All patterns but one, then that one, alpha = 0.10", [r for _, rows in made for r in rows]
    )


@dataclass(frozen=True)
class PatternShift:
    """Calibrated on some patterns, used on others, without and with the gate."""

    translator: str
    calibrated_on: str
    tested_on: str
    risk: float
    se: float
    acceptance: float
    gated_risk: Annotated[float, "gated: risk"]
    gated_se: Annotated[float, "gated: se"]
    gated_acceptance: Annotated[float, "gated: acceptance"]
    deferred: float


def patterns(job: tuple[str, Labelled]) -> tuple[list[PatternShift], list[PatternShift]]:
    """Between kinds of patterns, and from all patterns but one to that one; without and with the gate."""
    name, data = job
    families = {pattern: family for family, members in FAMILIES.items() for pattern in members}
    settings = MeasureSettings(channel="default", seed=SEED)
    kinds = replace(
        data, rows=tuple(replace(row, tier=families.get(pattern_of(row), "others")) for row in data.rows)
    )
    between, _ = drift.drift(kinds, settings, embedded_embed())
    first = _beside(name, between)
    at = np.array([pattern_of(row) for row in data.rows])
    second: list[PatternShift] = []
    for pattern in sorted(set(at)):
        if (at == pattern).sum() < LEAST:
            continue
        tiers = tuple(
            replace(row, tier=pattern if p == pattern else "others")
            for row, p in zip(data.rows, at, strict=True)
        )
        rows, _ = drift.drift(replace(data, rows=tiers), settings, embedded_embed())
        wanted = [r for r in rows if (r.calibrated_on, r.tested_on) == ("others", pattern)]
        second += _beside(name, wanted)
    return first, second


def _beside(name: str, rows: Sequence[Drifted]) -> list[PatternShift]:
    """The row without the gate and the one with it as one."""
    behind = {(row.calibrated_on, row.tested_on): row for row in rows if row.gated}
    return [
        PatternShift(
            translator=name,
            calibrated_on=plain.calibrated_on,
            tested_on=plain.tested_on,
            risk=plain.risk,
            se=plain.se,
            acceptance=plain.acceptance,
            gated_risk=gated.risk,
            gated_se=gated.se,
            gated_acceptance=gated.acceptance,
            deferred=gated.deferred,
        )
        for plain in rows
        if not plain.gated
        for gated in (behind[plain.calibrated_on, plain.tested_on],)
    ]
