"""The tables of one translator on one set, and those of the bench."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np
import sources
from page import Part, Study, compact

from assent.calibrate.metrics import oracle_acceptance
from assent.calibrate.rules import Unit
from assent.config.build import embedded_embed, load_policies, shipped_policies
from assent.evaluate import measure, published, report
from assent.evaluate.measure import MeasureSettings
from assent.evaluate.rows import Numbers
from assent.logic.english import english
from assent.policy import decide
from assent.policy.labelled import Labelled, LabelledRow
from assent.policy.policy import Policy
from assent.records import Accepted, Decision, Reason

SEED = 20260101
RESPLITS = 100
LEDGER = (0.05, 0.10)


def translator(name: str, data: Labelled, channel: str) -> Future[Sequence[Part]]:
    """Every table of SPEC section 7 for one translator on one set, made in another process."""
    return sources.pool().submit(measured, name, data, channel)


def measured(name: str, data: Labelled, channel: str) -> list[Part]:
    if not 0 < data.wrong.sum() < len(data):
        return []
    settings = MeasureSettings(channel=channel, seed=SEED, resplits=RESPLITS, bootstrap=300)
    made = report.make(data, settings, embed=embedded_embed(), title=name, draw=False)
    numbers = chosen(made.numbers, measure.units(data)[0], drift=len(data.tiers) <= 3)
    shown = report.tables(made.about, numbers)
    if len(made.about.logics) == 1:
        shown = published.beside(shown, numbers, made.about.logics[0], published.load())
    return [
        compact(
            replace(
                table,
                name=f"{name.replace(' ', '_')}_{table.name}",
                title=f"{name}: {table.title}",
                without=WITHOUT.get(table.name, ()),
            )
        )
        for table in sorted((t for t in shown if t.name in WANTED), key=lambda t: WANTED.index(t.name))
        if table.records
    ]


WANTED = (
    "overview", "withheld", "auroc", "margins", "selection", "compliance", "compliance_summary", "executed",
    "exceedances", "ledger", "unpromised", "complementarity", "labels", "conflict_summary", "typology", "drift",
)  # fmt: skip
WITHOUT = {"executed": ("unit",), "exceedances": ("unit",), "labels": ("ids",), "drift": ("se",)}
"""Columns that the page leaves out."""


def chosen(numbers: Numbers, unit: Unit, *, drift: bool) -> Numbers:
    """The rows that the page shows: those of the unit that the data calls for, and two alphas of the ledger."""
    return replace(
        numbers,
        compliance=tuple(row for row in numbers.compliance if row.unit == unit),
        executed=tuple(row for row in numbers.executed if row.unit == unit),
        exceedances=tuple(row for row in numbers.exceedances if row.unit == unit),
        ledger=tuple(row for row in numbers.ledger if row.alpha in LEDGER),
        drift=numbers.drift if drift else (),
    )


REGISTERS = ("formal", "ears", "casual")


@dataclass(frozen=True)
class Accuracy:
    """Exact equivalence of the candidate; nothing readable counts as wrong."""

    set: str
    rows: int
    right: float
    unreadable: float
    undecided: int
    tiers: Annotated[Mapping[str, float], "{}"]


def accuracy(name: str, data: Labelled) -> Accuracy:
    by_tier = {
        tier.split()[-1]: float(1 - part.wrong.mean()) for tier, part in measure.parts(data) if tier != "all"
    }
    return Accuracy(
        set=name,
        rows=len(data),
        right=float(1 - data.wrong.mean()),
        unreadable=float(np.mean([row.evidence.formula is None for row in data.rows])),
        undecided=sum(not row.label.decided for row in data.rows),
        tiers=by_tier if len(by_tier) <= 3 else {},
    )


@dataclass(frozen=True)
class Shipped:
    """A shipped policy on the test domains; all but ``rows`` and ``error`` averaged by cluster."""

    logic: str
    alpha: float
    register: str
    rows: int
    error: float
    risk: float
    se: float
    over: Annotated[bool, "over alpha + 3 s.e."]
    acceptance: float
    share_of_oracle: float
    error_among_accepted: float


def of_register(data: Labelled, register: str | None) -> Labelled:
    return data.where(
        lambda row: register is None or row.evidence.instruction.extra.get("register") == register
    )


def shipped(data: dict[str, Labelled]) -> list[Shipped]:
    """The shipped policies on the test domains."""
    return [
        _shipped(policy, part, alpha, register)
        for alpha in (0.05, 0.10, 0.20)
        for logic, policy in load_policies(shipped_policies(), alpha).items()
        for register in (*REGISTERS, None)
        if len(part := of_register(data[logic.value], register))
    ]


def _shipped(policy: Policy, part: Labelled, alpha: float, register: str | None) -> Shipped:
    accepted = np.array([isinstance(decide(row.evidence, policy=policy), Accepted) for row in part.rows])
    codes = part.clusters if part.clusters is not None else np.arange(len(part))
    means = np.bincount(codes, accepted & part.wrong) / np.bincount(codes)
    risk, se = float(means.mean()), float(means.std(ddof=1) / np.sqrt(len(means)))
    share = float((np.bincount(codes, accepted) / np.bincount(codes)).mean())
    error = float((np.bincount(codes, part.wrong) / np.bincount(codes)).mean())
    return Shipped(
        logic=part.rows[0].evidence.instruction.logic.value,
        alpha=alpha,
        register=register or "all",
        rows=len(part),
        error=float(part.wrong.mean()),
        risk=risk,
        se=se,
        over=bool(risk > alpha + 3 * se),
        acceptance=share,
        share_of_oracle=share / oracle_acceptance(error, alpha),
        error_among_accepted=risk / share if share else 0.0,
    )


def examples(data: dict[str, Labelled]) -> str:
    """One accepted and one withheld translation a logic, of our own bench, step by step."""
    blocks = []
    for logic, policy in load_policies(shipped_policies(), 0.10).items():
        seen: set[bool] = set()
        for row in data[logic.value].rows:
            decision = decide(row.evidence, policy=policy)
            if _telling(row, decision) and isinstance(decision, Accepted) not in seen:
                seen.add(isinstance(decision, Accepted))
                blocks.append(_steps(row, decision))
    return "\n\n".join(blocks)


def _telling(row: LabelledRow, decision: Decision) -> bool:
    """A right candidate that was accepted, or a wrong one that its score withheld."""
    if row.evidence.draft is None or decision.score is None:
        return False
    if isinstance(decision, Accepted):
        return not row.label.wrong
    return row.label.wrong and decision.reason is Reason.SUSPICIOUS


def _steps(row: LabelledRow, decision: Decision) -> str:
    """One decision, step by step."""
    case, draft, reading = row.evidence.instruction, row.evidence.draft, row.evidence.gate
    assert draft is not None and draft.primary.formula is not None
    accepted = isinstance(decision, Accepted)
    kind, sign = ("accepted", "at most") if accepted else ("withheld", "above")
    limit = decision.threshold
    bound = "the limit for anything readable" if limit is None else f"the threshold {limit:.4f}"
    channels = ", ".join(f"{name} {value:.4f}" for name, value in sorted(row.scores.items()))
    gate = "no gate" if reading is None else f"p = {reading.p_value:.3f} at distance {reading.distance:.3f}"
    samples = len({sample.formula for sample in draft.samples})
    lines = [
        f"**{case.logic.value.upper()}, {kind}.** “{case.text}”",
        f"0. Gate: {gate}; passed.",
        f"1. Translated: `{draft.primary.text}`, in English: {english(draft.primary.formula)}",
        f"2. Sampled: {samples} distinct formulas among {len(draft.samples)} samples.",
        f"3. Judged: {json.dumps(row.evidence.judge)}; scores {channels}.",
        f"4. Decided: score {decision.score:.4f} is {sign} {bound} of group "
        f"{row.evidence.tier} at alpha = 0.10: {kind}.",
        f"5. Checked against the reference `{case.reference}`: the candidate is "
        f"{'wrong' if row.label.wrong else 'right'}.",
    ]
    return "  \n".join(lines)


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
