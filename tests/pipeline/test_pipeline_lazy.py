"""Lazy scoring: the same decision with fewer calls, on every recorded case and on random ones."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pipeline_doubles import (
    GOOD,
    LTL,
    Counting,
    collector_for,
    policy_for,
    rated,
    recorded,
    scripted,
    threshold,
)

from assent.calibrate.groups import group_rules
from assent.calibrate.policy import Policy
from assent.calibrate.rules import Threshold
from assent.errors import DataError
from assent.logic.equivalence import cluster
from assent.pipeline import Collector, decide
from assent.records import Accepted, Evidence, Instruction, candidate_of, parse
from assent.rows import evidence_row
from assent.score.agreement import bounds
from assent.score.channels import CHANNELS, Span, settled, span

GRID = (0.05, 0.10, 0.15, 0.20, 0.25, 0.30)
FULL = 8  # calls of a full decision


def rows_of(shared: Path) -> list[dict[str, Any]]:
    """The recorded cases, with candidates in our own spelling (what the back-translator is shown)."""
    rows = [json.loads(line) for line in (shared / "recorded" / "llm_ltl.jsonl").read_text().splitlines()]
    for row in rows:
        row["candidate"] = candidate_of(row["candidate"], LTL).formula or row["candidate"]
        row["text"] += f" [{row['id']}]"  # two sentences occur twice; the recording is looked up by its text
    return rows


def collect_all(collector: Collector, rows: list[dict[str, Any]], policy: Policy | None) -> list[Evidence]:
    async def main() -> list[Evidence]:
        cases = (Instruction(id=row["id"], text=row["text"], logic=LTL) for row in rows)
        return [await collector.collect(case, policy=policy) for case in cases]

    return asyncio.run(main())


@cache
def _wrong(candidate: str | None, reference: str) -> bool:
    from assent.logic.equivalence import equivalent

    if candidate is None:
        return True
    return equivalent(parse(candidate, LTL), parse(reference, LTL)).verdict != "equal"


@pytest.fixture(scope="module")
def study(shared: Path) -> Study:
    rows = rows_of(shared)
    model = recorded(rows)
    collector = collector_for(model)
    full = collect_all(collector, rows, None)
    assert model.total == FULL * len(rows) and not any(evidence.failure for evidence in full)
    losses = [
        _wrong(e.draft.primary.formula if e.draft else None, row["reference"])
        for e, row in zip(full, rows, strict=True)
    ]
    return Study(rows, model, collector, full, losses)


@dataclass(frozen=True)
class Study:
    rows: list[dict[str, Any]]
    model: Counting
    collector: Collector
    full: list[Evidence]
    losses: list[bool]

    def policy(self, channel: str, unit: str, alpha: float) -> Policy:
        scores = [evidence.score(channel) for evidence in self.full]
        groups = [evidence.group or "unreadable" for evidence in self.full]
        clusters = None if unit == "pair" else [row["cluster"] for row in self.rows]
        rules = group_rules(scores, self.losses, groups, alpha=alpha, clusters=clusters).rules
        return policy_for(self.collector.made_by(LTL), rules, channel=channel)

    def same(self, lazy: list[Evidence], policy: Policy) -> int:
        """How many are accepted, all decisions being the same."""
        accepted = 0
        for one, other in zip(lazy, self.full, strict=True):
            lazily, fully = decide(one, policy=policy), decide(other, policy=policy)
            assert type(lazily) is type(fully)
            assert getattr(lazily, "reason", None) == getattr(fully, "reason", None)
            assert getattr(lazily, "formula", None) == getattr(fully, "formula", None)
            accepted += isinstance(lazily, Accepted)
        return accepted


def fewest(evidence: Evidence, policy: Policy) -> int:
    """The fewest calls that prove the decision of one case, had one known beforehand which to make.

    No strategy whose decisions are always those of full scoring can do with less.
    """
    group, draft, limit = evidence.group, evidence.draft, None
    assert draft is not None
    if group is not None and isinstance(rule := policy.rule_for(group), Threshold):
        limit = rule
    if limit is None:
        return 1
    judged = evidence.score("back_translation")
    assert judged is not None
    total, found = len(draft.samples), FULL
    for asked in range(total + 1):
        sizes = Counter(cluster([sample.tree(LTL) for sample in draft.samples[:asked]])).values()
        largest = max(sizes, default=0)
        low, high = 1 - (largest + total - asked) / total, 1 - max(largest, 1) / total
        for cost, (least, most) in ((0, (0.0, 1.0)), (2, (judged, judged))):
            if limit.accepts((most + high) / 2) or not limit.accepts((least + low) / 2):
                found = min(found, 1 + asked + cost)
    return found


def test_identical_decisions_with_fewer_calls(study: Study, capsys: pytest.CaptureFixture[str]) -> None:
    """How much can be saved depends on the threshold: below 0.1 no sample may differ, so that whatever is accepted
    needs all of its calls. What can be saved at all is saved."""
    whole = FULL * len(study.rows)
    saved: dict[float, float] = {}
    for alpha in GRID:
        policy = study.policy("fusion", "cluster", alpha)
        before = study.model.total
        accepted = study.same(collect_all(study.collector, study.rows, policy), policy)
        saved[alpha] = 1 - (study.model.total - before) / whole
        best = 1 - sum(fewest(evidence, policy) for evidence in study.full) / whole
        with capsys.disabled():
            share = accepted / len(study.rows)
            print(
                f"\nalpha {alpha:.2f}: accepted {share:.3f}, calls saved {saved[alpha]:.3f}, "
                f"at best {best:.3f}",
                end="",
            )
        assert saved[alpha] <= best
        assert saved[alpha] > best - 0.03
    assert saved[0.20] >= 0.4


@pytest.mark.parametrize("unit", ["pair", "cluster"])
@pytest.mark.parametrize("channel", ["fusion", "back_translation", "self_consistency"])
def test_identical_decisions_in_every_channel(study: Study, channel: str, unit: str) -> None:
    for alpha in GRID:
        policy = study.policy(channel, unit, alpha)
        lazy = [
            asyncio.run(study.collector.collect(e.instruction, policy=policy, known=e))
            for e in study.full[::3]
        ]
        Study(study.rows, study.model, study.collector, study.full[::3], []).same(lazy, policy)


@settings(max_examples=60)
@given(
    st.lists(st.sampled_from(["F a", "G a", "F F a", "(", "a U b"]), min_size=5, max_size=5),
    st.sampled_from([0, 20, 50, 80, 90, 99, 100]),
    st.integers(0, 40),
    st.sampled_from(["fusion", "back_translation", "self_consistency"]),
)
def test_identical_decisions_on_random_answers(
    samples: list[str], rating: int, limit: int, channel: str
) -> None:
    collector = collector_for(scripted({**GOOD, "samples": samples, "judge": rated(rating)}))
    case = Instruction(id="a", text="x", logic=LTL)
    policy = policy_for(collector.made_by(LTL), {"D2": threshold(limit / 40)}, channel=channel)
    full = asyncio.run(collector.collect(case))
    lazy = asyncio.run(collector.collect(case, policy=policy))
    assert len(lazy.calls) <= len(full.calls)
    one, other = decide(lazy, policy=policy), decide(full, policy=policy)
    assert type(one) is type(other)
    if channel in lazy.censored:
        bound, exact = lazy.score(channel), full.score(channel)
        assert bound is not None and exact is not None
        assert bound >= exact if isinstance(one, Accepted) else bound <= exact
    else:
        assert lazy.score(channel) == full.score(channel)


def completions(seen: int, total: int, labels: int) -> Iterator[tuple[int, ...]]:
    """Every way in which samples may fall into classes: restricted growth strings."""
    if seen == total:
        yield ()
        return
    for label in range(labels + 1):
        for rest in completions(seen + 1, total, max(labels, label + 1)):
            yield (label, *rest)


def test_bounds_are_tight() -> None:
    """Against brute force over all partitions: every end of every interval is reached, and nothing outside."""
    for total in (1, 2, 3, 5):
        for whole in completions(0, total, 0):
            for seen in range(total + 1):
                start = whole[:seen]
                largest = max((start.count(label) for label in start), default=0)
                low, high = bounds(largest, seen, total)
                reached = [
                    1 - Fraction(max((start + rest).count(label) for label in start + rest), total)
                    for rest in completions(seen, total, max(start, default=-1) + 1)
                ]
                assert min(reached) == low
                assert max(reached) <= high


def test_settled_asks_the_rule_at_both_ends() -> None:
    fusion = CHANNELS["fusion"]
    spans = {"back_translation": Span(Fraction(1, 5), Fraction(1, 5)), "self_consistency": Span()}
    where = span(fusion, spans)
    assert (where.low, where.high) == (Fraction(1, 10), Fraction(3, 5))
    assert settled(where, lambda score: score <= 0.6) is True
    assert settled(where, lambda score: score <= 0.09) is False
    assert settled(where, lambda score: score <= 0.3) is None


def test_calibration_refuses_censored_scores(tmp_path: Path) -> None:
    from assent.learn import load

    collector = collector_for(scripted({**GOOD, "judge": rated(20)}))
    policy = policy_for(collector.made_by(LTL), {"D2": threshold(0.1)})
    case = Instruction(id="a", text="x", logic=LTL, reference="F a")
    evidence = asyncio.run(collector.collect(case, policy=policy))
    assert evidence.censored == ("fusion",)
    (tmp_path / "x.jsonl").write_bytes(msgspec.json.encode(evidence_row(evidence)) + b"\n")
    with pytest.raises(DataError, match="lazy"):
        load(tmp_path / "x.jsonl")
