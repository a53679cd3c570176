"""The tables of one translator on one set, and those of the bench."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import replace
from typing import Any

import numpy as np
import sources
from page import Part, Study, one

from assent.calibrate.metrics import oracle_acceptance
from assent.config.build import embedded_embed, load_policies, shipped_policies
from assent.evaluate import measure, report
from assent.evaluate.measure import Rows, Settings
from assent.evaluate.table import Cell, Table
from assent.logic.english import english
from assent.policy import decide
from assent.policy.labelled import Labelled
from assent.records import Accepted, Reason

SEED = 20260101
RESPLITS = 100
LEDGER = (0.05, 0.10)


def translator(name: str, data: Labelled, channel: str) -> Future[Sequence[Part]]:
    """Every table of SPEC section 7 for one translator on one set, made in another process."""
    return sources.pool().submit(measured, name, data, channel)


def measured(name: str, data: Labelled, channel: str) -> list[Part]:
    if not 0 < data.wrong.sum() < len(data):
        return []
    settings = Settings(channel=channel, seed=SEED, resplits=RESPLITS, bootstrap=300)
    made = report.make(data, settings, embed=embedded_embed(), title=name, draw=False)
    unit = measure.units(data)[0]

    def mine(row: dict[str, Cell]) -> bool:
        return row["unit"] == unit or str(row.get("method", "")).startswith("paper")

    wanted: list[tuple[str, Callable[[dict[str, Cell]], bool], tuple[str, ...]]] = [
        ("overview", lambda _: True, ()),
        ("auroc", lambda _: True, ()),
        ("margins", lambda _: True, ()),
        ("selection", lambda _: True, ()),
        ("compliance", mine, ()),
        ("compliance_summary", lambda _: True, ()),
        ("executed", mine, ("unit",)),
        ("exceedances", mine, ("unit",)),
        ("ledger", lambda row: row["alpha"] in LEDGER, ()),
        ("complementarity", lambda _: True, ()),
        ("labels", lambda _: True, ("ids",)),
        ("conflict_summary", lambda _: True, ()),
        ("typology", lambda _: True, ()),
        ("drift", lambda _: len(data.tiers) <= 3, ("se",)),
    ]
    known = {table.name for table in made.tables}
    out: list[Part] = []
    for kind, keep, without in wanted:
        if kind in known:
            table = narrowed(one(made.tables, kind), keep, without)
            if table.rows:
                key = f"{name.replace(' ', '_')}_{kind}"
                out.append(replace(table, name=key, title=f"{name}: {table.title}"))
    return out


def narrowed(table: Table, keep: Callable[[dict[str, Cell]], bool], without: Sequence[str]) -> Table:
    """The rows to keep, without some columns and without those that are empty in every row."""
    rows = [row for row in table.records() if keep(row)]
    columns = [c for c in table.columns if c not in without and any(row[c] is not None for row in rows)]
    return Table.of(table.name, table.title, rows, columns, table.notes) if rows else replace(table, rows=())


REGISTERS = ("formal", "ears", "casual")


def accuracy(name: str, data: Labelled) -> dict[str, Any]:
    """Exact equivalence of the candidate; nothing readable counts as wrong."""
    by_tier = {
        tier.split()[-1]: float(1 - part.wrong.mean()) for tier, part in measure.parts(data) if tier != "all"
    }
    return {
        "set": name,
        "rows": len(data),
        "right": float(1 - data.wrong.mean()),
        "unreadable": float(np.mean([row.evidence.formula is None for row in data.rows])),
        "undecided": sum(not row.label.decided for row in data.rows),
        **(by_tier if len(by_tier) <= 3 else {}),
    }


def of_register(data: Labelled, register: str | None) -> Labelled:
    return data.where(
        lambda row: register is None or row.evidence.instruction.extra.get("register") == register
    )


def shipped(data: dict[str, Labelled]) -> Rows:
    """The shipped policies on the test domains."""
    rows: Rows = []
    for alpha in (0.05, 0.10, 0.20):
        for logic, policy in load_policies(shipped_policies(), alpha).items():
            for register in (*REGISTERS, None):
                sub = of_register(data[logic.value], register)
                if not len(sub):
                    continue
                accepted = np.array(
                    [isinstance(decide(row.evidence, policy=policy), Accepted) for row in sub.rows]
                )
                bad = accepted & sub.wrong
                codes = sub.clusters if sub.clusters is not None else np.arange(len(sub))
                means = np.bincount(codes, bad) / np.bincount(codes)
                se = float(means.std(ddof=1) / np.sqrt(len(means)))
                share = float((np.bincount(codes, accepted) / np.bincount(codes)).mean())
                oracle = oracle_acceptance(float(sub.wrong.mean()), alpha)
                rows.append(
                    {
                        "logic": logic.value,
                        "alpha": alpha,
                        "register": register or "all",
                        "rows": len(sub),
                        "error": float(sub.wrong.mean()),
                        "risk": float(means.mean()),
                        "se": se,
                        "over alpha + 3 s.e.": bool(means.mean() > alpha + 3 * se),
                        "acceptance": share,
                        "share of oracle": share / oracle,
                        "error among accepted": float(means.mean()) / share if share else 0.0,
                    }
                )
    return rows


def examples(data: dict[str, Labelled]) -> str:
    """One accepted and one withheld translation a logic, of our own bench, step by step."""
    blocks = []
    for logic, policy in load_policies(shipped_policies(), 0.10).items():
        seen: set[str] = set()
        for row in data[logic.value].rows:
            decision = decide(row.evidence, policy=policy)
            kind = "accepted" if isinstance(decision, Accepted) else "withheld"
            if isinstance(decision, Accepted):
                wanted = not row.label.wrong
            else:
                wanted = row.label.wrong and decision.reason is Reason.SUSPICIOUS
            draft = row.evidence.draft
            if kind in seen or not wanted or draft is None or decision.score is None:
                continue
            seen.add(kind)
            case = row.evidence.instruction
            samples = len({s.formula for s in draft.samples})
            told = english(draft.primary.formula)
            limit = decision.threshold
            bound = "the limit for anything readable" if limit is None else f"the threshold {limit:.4f}"
            sign = "at most" if kind == "accepted" else "above"
            channels = ", ".join(f"{name} {value:.4f}" for name, value in sorted(row.scores.items()))
            reading = row.evidence.gate
            gated = (
                "no gate"
                if reading is None
                else f"p = {reading.p_value:.3f} at distance {reading.distance:.3f}"
            )
            lines = [
                f"**{logic.value.upper()}, {kind}.** “{case.text}”",
                f"0. Gate: {gated}; passed.",
                f"1. Translated: `{draft.primary.text}`, in English: {told}",
                f"2. Sampled: {samples} distinct formulas among {len(draft.samples)} samples.",
                f"3. Judged: {json.dumps(row.evidence.judge)}; scores {channels}.",
                f"4. Decided: score {decision.score:.4f} is {sign} {bound} of group "
                f"{row.evidence.tier} at alpha = 0.10: {kind}.",
                f"5. Checked against the reference `{case.reference}`: the candidate is "
                f"{'wrong' if row.label.wrong else 'right'}.",
            ]
            blocks.append("  \n".join(lines))
    return "\n\n".join(blocks)


def domains_part(study: Study, data: dict[str, Labelled]) -> None:
    """The test domains of the bench: translator, shipped policies, scores, and two decisions step by step."""
    makers = {row.evidence.made_by.get("translator", "?") for part in data.values() for row in part.rows}
    study.section(
        "The embedded translator in domains it has not seen",
        f"Test domains of bench/domains, as recorded by {', '.join(sorted(makers))}; the domain is the cluster.",
    )
    rows = [
        accuracy(f"{logic} {register}", of_register(part, register))
        for logic, part in data.items()
        for register in REGISTERS
    ]
    study.table("domain_accuracy", "Translator on the test domains, with vocabulary", rows)
    study.table("shipped", "Shipped policies on the test domains", shipped(data))
    for logic, part in data.items():
        study.add(translator(f"domains {logic}", part, "default"))
    study.section(
        "Step by step", "Our own sentences, from the bench; gate, vocabulary and policy as shipped."
    )
    study.prose(examples(data))
