"""Real systems on human utterances: every recorded system as the translator, the others as its samples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import sources
from page import Study
from streams import FAMILIES

from assent.calibrate import metrics
from assent.calibrate.control import cluster_crc
from assent.calibrate.rules import Threshold
from assent.config.build import embedded_embed
from assent.evaluate import drift, measure
from assent.evaluate.measure import Rows, Settings
from assent.policy.labelled import Labelled, Row

SEED = 20260101
HOLDOUTS = ("utt", "formula", "type")
CHANNELS = ("default", "self_consistency", "size")
LEAST = 40
"""Rows of a pattern that is left out and tested on."""


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
        study.table(f"systems_{name}", title, [row for tables in made for row in tables[name]], notes)
    if "gpt3_ft" in found:
        title = "A shift that no gate on instructions can see (fine-tuned GPT-3)"
        study.table("unseen_shift", title, unseen_shift(found["gpt3_ft"]))
    return found


def of_holdout(data: Labelled, holdout: str) -> Labelled:
    return data.where(lambda row: row.evidence.instruction.extra.get("holdout") == holdout)


def measured(job: tuple[str, str, Labelled]) -> dict[str, Rows]:
    """AUROC, compliance, cells and ledger of one system on one hold-out."""
    system, holdout, data = job
    settings = Settings(channel="default", seed=SEED, bootstrap=200)
    unit = measure.units(data)[0]
    cells = [row for row in measure.compliance(data, settings) if row["unit"] == unit]
    who = {"system": system, "holdout": holdout}
    return {
        "auroc": [_auroc(data, who)],
        "compliance": [row for tier in data.tiers for row in _matrix(cells, tier, who)],
        "summary": [_counted(cells, who)],
        "ledger": [
            {**who, **{k: row[k] for k in ("group", "alpha", "acceptance", "oracle", "share of oracle",
                                           "errors per 150", "no selection per 150")}}
            for row in measure.ledger(cells, data)
            if row["alpha"] in (0.05, 0.10)
        ],
    }  # fmt: skip


def _auroc(data: Labelled, who: dict[str, str]) -> dict[str, str | int | float | None]:
    row: dict[str, str | int | float | None] = {**who, "rows": len(data), "error": float(data.wrong.mean())}
    for channel in CHANNELS:
        found = metrics.bootstrap_auroc(
            data.scores(channel), data.wrong, clusters=data.clusters, seed=SEED, draws=200
        )
        row[channel] = None if found is None else f"{found.value:.3f} [{found.low:.3f}, {found.high:.3f}]"
    return row


def _matrix(cells: Rows, tier: str, who: dict[str, str]) -> Rows:
    out: Rows = []
    for method in ("crc", "split"):
        line: dict[str, str | int | float | bool | None] = {**who, "group": tier, "method": method}
        for cell in (c for c in cells if (c["group"], c["method"]) == (tier, method)):
            text = f"{cell['risk']:.3f} ± {cell['se']:.3f} {cell['mark']} ({cell['exceedances']})"
            line[f"α = {cell['alpha']:.2f}"] = "abst." if cell["mark"] == "abst." else text
        out.append(line)
    return out


def _counted(cells: Rows, who: dict[str, str]) -> dict[str, str | int | float | bool | None]:
    row: dict[str, str | int | float | bool | None] = {**who}
    for method in ("crc", "split"):
        mine = [c for c in cells if c["method"] == method]
        feasible = [c for c in mine if c["mark"] != "abst."]
        row |= {
            f"{method}: cells": len(mine),
            f"{method}: feasible": len(feasible),
            f"{method}: over one s.e.": sum(c["mark"] == "✗" for c in feasible),
            f"{method}: over three s.e.": sum(bool(c["over_three_se"]) for c in feasible),
        }
    return row


def unseen_shift(data: Labelled) -> Rows:
    """Calibrated on new utterances, used on new patterns: the sentences are the same, only the translator's training
    differs."""
    utt, kind = of_holdout(data, "utt"), of_holdout(data, "type")
    rows: Rows = []
    if utt.clusters is None or kind.clusters is None:
        return rows
    for channel in ("self_consistency", "default"):
        rule = cluster_crc(utt.scores(channel), utt.wrong, utt.clusters, alpha=0.10)
        if isinstance(rule, Threshold):
            for name, part in (("utt (same)", utt), ("type (shifted)", kind)):
                accepted = rule.accepts_all(part.scores(channel))
                rows.append({"channel": channel, "stream": name, "risk": float((accepted & part.wrong).mean()),
                             "acceptance": float(accepted.mean()), "alpha": 0.10})  # fmt: skip
    return rows


# ---- pattern to pattern ---------------------------------------------------------------------------------


def pattern_of(row: Row) -> str:
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


def patterns(job: tuple[str, Labelled]) -> tuple[Rows, Rows]:
    """Between kinds of patterns, and from all patterns but one to that one; without and with the gate."""
    name, data = job
    families = {pattern: family for family, members in FAMILIES.items() for pattern in members}
    settings = Settings(channel="default", seed=SEED)
    kinds = replace(
        data, rows=tuple(replace(row, tier=families.get(pattern_of(row), "others")) for row in data.rows)
    )
    between, _ = drift.drift(kinds, settings, embedded_embed())
    first = _beside(name, between)
    at = np.array([pattern_of(row) for row in data.rows])
    second: Rows = []
    for pattern in sorted(set(at)):
        if (at == pattern).sum() < LEAST:
            continue
        tiers = tuple(
            replace(row, tier=pattern if p == pattern else "others")
            for row, p in zip(data.rows, at, strict=True)
        )
        rows, _ = drift.drift(replace(data, rows=tiers), settings, embedded_embed())
        wanted = [r for r in rows if (r["calibrated_on"], r["tested_on"]) == ("others", pattern)]
        second += _beside(name, wanted)
    return first, second


def _beside(name: str, rows: Rows) -> Rows:
    """The row without the gate and the one with it as one."""
    out: Rows = []
    for plain in (row for row in rows if not row["gated"]):
        gated = next(
            row
            for row in rows
            if row["gated"] and all(row[k] == plain[k] for k in ("calibrated_on", "tested_on"))
        )
        out.append(
            {
                "translator": name,
                "calibrated on": plain["calibrated_on"],
                "tested on": plain["tested_on"],
                "risk": plain["risk"],
                "se": plain["se"],
                "acceptance": plain["acceptance"],
                "gated: risk": gated["risk"],
                "gated: se": gated["se"],
                "gated: acceptance": gated["acceptance"],
                "deferred": gated["deferred"],
            }
        )
    return out
