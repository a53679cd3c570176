"""Lazy scoring: the same decision with fewer calls, on every recorded case and on random ones."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pipeline_doubles import GOOD, LTL, collector_for, policy_for, rated, scripted, threshold

from assent.benchmarks.lazy import ALPHAS, FULL, Study, different, recorded_rows
from assent.errors import DataError
from assent.pipeline import collect
from assent.policy import decide
from assent.records import Accepted, Instruction
from assent.records.rows import evidence_row
from assent.scoring import CHANNELS, ScoreSpan, consistency_bounds, span


@pytest.fixture(scope="module")
def study(shared: Path) -> Study:
    made = Study.of(recorded_rows(shared / "recorded" / "llm_ltl.jsonl"))
    assert made.model.total == FULL * len(made.rows) and not any(evidence.failure for evidence in made.full)
    return made


def test_identical_decisions_with_fewer_calls(study: Study, capsys: pytest.CaptureFixture[str]) -> None:
    """An acceptance has all its calls, so that none can rest on one that would have failed: only abstentions save.
    What can be saved at all is saved."""
    saved: dict[float, float] = {}
    for alpha in ALPHAS:
        row = study.measured("cluster", alpha)
        assert row["decisions identical"]
        saved[alpha] = row["share saved"]
        with capsys.disabled():
            print(
                f"\nalpha {alpha:.2f}: accepted {row['accepted']:.3f}, calls saved {saved[alpha]:.3f}, "
                f"at best {row['at best']:.3f}",
                end="",
            )
        assert row["at best"] - 0.03 < saved[alpha] <= row["at best"]
    assert saved[min(ALPHAS)] > saved[max(ALPHAS)] > 0  # the stricter, the more is withheld early


@pytest.mark.parametrize("unit", ["pair", "cluster"])
@pytest.mark.parametrize("channel", ["fusion", "back_translation", "self_consistency"])
def test_identical_decisions_in_every_channel(study: Study, channel: str, unit: str) -> None:
    for alpha in ALPHAS:
        policy = study.policy(channel, unit, alpha)
        some = study.full[::3]
        lazy = [asyncio.run(collect(study.collector, e.instruction, policy=policy, known=e)) for e in some]
        assert different(lazy, some, policy) == []


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
    full = asyncio.run(collect(collector, case))
    lazy = asyncio.run(collect(collector, case, policy=policy))
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
                low, high = consistency_bounds(largest, seen, total)
                reached = [
                    1 - Fraction(max((start + rest).count(label) for label in start + rest), total)
                    for rest in completions(seen, total, max(start, default=-1) + 1)
                ]
                assert min(reached) == low
                assert max(reached) <= high


def test_a_channel_lies_between_its_values_at_the_ends_of_its_parts() -> None:
    spans = {"back_translation": ScoreSpan(Fraction(1, 5), Fraction(1, 5)), "self_consistency": ScoreSpan()}
    where = span(CHANNELS["fusion"], spans)
    assert (where.low, where.high) == (Fraction(1, 10), Fraction(3, 5))


def test_calibration_refuses_censored_scores(tmp_path: Path) -> None:
    from assent.evaluate.labels import load

    collector = collector_for(scripted({**GOOD, "judge": rated(20)}))
    policy = policy_for(collector.made_by(LTL), {"D2": threshold(0.1)})
    case = Instruction(id="a", text="x", logic=LTL, reference="F a")
    evidence = asyncio.run(collect(collector, case, policy=policy))
    assert evidence.censored == ("self_consistency", "fusion")
    (tmp_path / "x.jsonl").write_bytes(msgspec.json.encode(evidence_row(evidence)) + b"\n")
    with pytest.raises(DataError, match="lazy"):
        load(tmp_path / "x.jsonl")
