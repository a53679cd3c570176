"""How many model calls lazy scoring saves, with decisions that stay the same.

    assent bench lazy                   on recorded/llm_ltl.jsonl of ASSENT_SHARED (or of ../shared)
    assent bench lazy FILE              on recorded LTL translations with references

Recorded answers are served as a model that counts its calls, 8 for a full decision. For each alpha a policy is
made from the full scores and every case is decided again lazily. Exit code 1 if a decision differs.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from assent.calibrate.groups import group_rules
from assent.calibrate.recipe import Recipe
from assent.calibrate.rules import Threshold
from assent.errors import UsageError
from assent.io.lines import read_rows
from assent.logic.ast import Logic
from assent.models import Answer, FunctionModel, Prompt, Sampling
from assent.pipeline import Collector, collect
from assent.policy import Policy, withheld
from assent.prompting.judges import PromptedBackTranslator, PromptedJudge
from assent.prompting.translators import PromptedTranslator
from assent.records import Accepted, Evidence, Instruction, candidate_of

ALPHAS = (0.05, 0.10, 0.15, 0.20, 0.25, 0.30)
FULL = 8  # calls of a full decision: a translation, five samples, a back-translation, a judge
LTL = Logic.LTL


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", nargs="?", help="recorded LTL translations, JSON lines")
    parser.add_argument("--limit", type=int, metavar="N", help="every so many rows that N are left")
    parser.add_argument("--json", action="store_true", help="the rows as JSON")


def run(args: argparse.Namespace) -> int:
    rows = saved_calls(args.file, limit=args.limit)
    if args.json:
        print(json.dumps(rows))
    else:
        print(f"{'alpha':>6} {'unit':<8} {'calls':>6} {'saved':>6} {'at best':>8} {'accepted':>9}  same")
        for row in rows:
            print(
                f"{row['alpha']:>6.2f} {row['unit']:<8} {row['mean calls']:>6.2f} {row['share saved']:>6.3f} "
                f"{row['at best']:>8.3f} {row['accepted']:>9.3f}  {row['decisions identical']}"
            )
    return 0 if all(row["decisions identical"] for row in rows) else 1


def saved_calls(file: str | Path | None = None, *, limit: int | None = None) -> list[dict[str, Any]]:
    """A row for each unit and alpha: mean calls, share saved, the best possible share, are decisions the same?"""
    study = Study.of(recorded_rows(file or found(), limit))
    return [study.measured(unit, alpha) for unit in ("cluster", "pair") for alpha in ALPHAS]


def found() -> Path:
    """Recorded translations beside the checkout, or where ASSENT_SHARED says."""
    beside = Path(__file__).resolve().parents[3].parent / "shared"
    file = Path(os.environ.get("ASSENT_SHARED", beside)) / "recorded" / "llm_ltl.jsonl"
    if not file.is_file():
        raise UsageError(f"{file} is not there: name a FILE, or set ASSENT_SHARED to the folder of the data")
    return file


def recorded_rows(file: str | Path, limit: int | None = None) -> list[dict[str, Any]]:
    """The recorded cases, with candidates in our own spelling (what the back-translator is shown)."""
    rows = [row for _, row in read_rows(file, unique=True)]
    rows = rows if limit is None else rows[:: max(1, len(rows) // max(1, limit))]
    for row in rows:
        row["candidate"] = candidate_of(row["candidate"], LTL).text or row["candidate"]
        row["text"] += f" [{row['id']}]"  # sentences may occur twice; the recording is looked up by its text
    return rows


class Counting:
    """A model that counts its calls by task."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner
        self.name, self.version = inner.name, inner.version
        self.calls: dict[str, int] = {}

    async def generate(self, prompt: Prompt, sampling: Sampling) -> tuple[Answer, ...]:
        self.calls[prompt.task] = self.calls.get(prompt.task, 0) + sampling.n
        answers: tuple[Answer, ...] = await self.inner.generate(prompt, sampling)
        return answers

    @property
    def total(self) -> int:
        return sum(self.calls.values())


def recorded(rows: Sequence[dict[str, Any]]) -> Counting:
    """Recorded rows as a model. Ratings are looked up by the instruction alone: many rows share a formula, and
    each has its own English of it."""
    by_text = {row["text"]: row for row in rows}

    def answer(prompt: Prompt, sampling: Sampling) -> str:
        match prompt.task:
            case "translate":
                row = by_text[prompt.subject]
                return str(row["samples"][sampling.first] if sampling.temperature else row["candidate"])
            case "judge":
                ratings = by_text[prompt.subject]["judge"]
                return msgspec.json.encode({**ratings, "nonce": prompt.nonce}).decode()
            case _:
                return f"the English of {prompt.subject}"

    return Counting(FunctionModel(answer, name="recorded", threads=False))


@dataclass(frozen=True)
class Study:
    """Recorded rows, the pipeline over them, and its full evidence with labels."""

    rows: Sequence[dict[str, Any]]
    model: Counting
    collector: Collector
    full: Sequence[Evidence]
    wrong: Sequence[bool]

    @classmethod
    def of(cls, rows: Sequence[dict[str, Any]]) -> Study:
        model = recorded(rows)
        collector = Collector(
            translator=PromptedTranslator(model),
            back_translator=PromptedBackTranslator(model),
            judge=PromptedJudge(model),
        )
        full = asyncio.run(_collect(collector, rows, None))
        return cls(rows, model, collector, full, _labels(full, rows))

    def collect(self, policy: Policy | None) -> list[Evidence]:
        """Every case again: with a policy lazily."""
        return asyncio.run(_collect(self.collector, self.rows, policy))

    def policy(self, channel: str, unit: str, alpha: float) -> Policy:
        scores = [1.0 if (value := evidence.score(channel)) is None else value for evidence in self.full]
        groups = [evidence.tier or "unreadable" for evidence in self.full]
        clusters = None if unit == "pair" else [str(row["cluster"]) for row in self.rows]
        away = [withheld(evidence, delta=None) is not None for evidence in self.full]
        recipe = Recipe(alpha=alpha)
        rules = group_rules(
            scores, list(self.wrong), groups, recipe=recipe, clusters=clusters, deferred=away
        ).rules
        return Policy(alpha=alpha, rules=rules, fingerprint=self.collector.made_by(LTL), channel=channel)

    def measured(self, unit: str, alpha: float) -> dict[str, Any]:
        policy = self.policy("fusion", unit, alpha)
        before = self.model.total
        lazy = self.collect(policy)
        calls, whole = self.model.total - before, FULL * len(self.rows)
        decisions = [policy.decide(evidence) for evidence in lazy]
        return {
            "alpha": alpha,
            "unit": unit,
            "mean calls": calls / len(self.rows),
            "share saved": 1 - calls / whole,
            "at best": 1 - sum(fewest(evidence, policy) for evidence in self.full) / whole,
            "accepted": sum(isinstance(decision, Accepted) for decision in decisions) / len(decisions),
            "decisions identical": not different(lazy, self.full, policy),
        }


async def _collect(
    collector: Collector, rows: Sequence[dict[str, Any]], policy: Policy | None
) -> list[Evidence]:
    cases = (Instruction(id=str(row["id"]), text=row["text"], logic=LTL) for row in rows)
    return [await collect(collector, case, policy=policy) for case in cases]


def _labels(full: Sequence[Evidence], rows: Sequence[dict[str, Any]]) -> list[bool]:
    from assent.evaluate.labels import label
    from assent.records import parse

    pairs = zip(full, rows, strict=True)
    return [label(evidence.formula, parse(row["reference"], LTL)).wrong for evidence, row in pairs]


def different(lazy: Sequence[Evidence], full: Sequence[Evidence], policy: Policy) -> list[str]:
    """Ids of the cases whose decision, reason or formula is not that of full scoring."""
    found = []
    for one, other in zip(lazy, full, strict=True):
        lazily, fully = policy.decide(one), policy.decide(other)
        same = type(lazily) is type(fully) and all(
            getattr(lazily, what, None) == getattr(fully, what, None) for what in ("reason", "formula")
        )
        if not same:
            found.append(one.instruction.id)
    return found


def fewest(evidence: Evidence, policy: Policy) -> int:
    """The fewest calls that prove the decision of one case, had one known beforehand which to make.

    No strategy whose decisions are always those of full scoring can do with less.
    """
    from assent.logic.equivalence import cluster

    draft, judged = evidence.draft, evidence.score("back_translation")
    rule = None if evidence.tier is None else policy.rule_for(evidence.tier)
    if not isinstance(rule, Threshold) or draft is None or judged is None:
        return 1
    total, least_calls = len(draft.samples), FULL
    for asked in range(total + 1):
        sizes = Counter(cluster([sample.formula for sample in draft.samples[:asked]])).values()
        largest = max(sizes, default=0)
        low = 1 - (largest + total - asked) / total
        for cost, least in ((0, 0.0), (2, judged)):
            whole = asked == total and cost == 2  # an acceptance has all its scores
            if whole or not rule.accepts((least + low) / 2):
                least_calls = min(least_calls, 1 + asked + cost)
    return least_calls
