"""Where the names of a formula come from: what a policy remembers of it, and what it does with others."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import msgspec
import pytest
from pipeline_doubles import GOOD, collector_for, infeasible, policy_for, scripted, threshold

from assent.calibrate.recipe import Recipe
from assent.errors import PolicyError
from assent.logic.ast import Logic
from assent.pipeline import SelectiveTranslator, collect
from assent.policy import decide
from assent.policy.labelled import Label, Labelled, LabelledRow
from assent.policy.make import PolicyPlan, make_policy
from assent.policy.policy import PROPOSED, VOCABULARY, WRITTEN, Policy
from assent.records import (
    Abstained,
    Accepted,
    Draft,
    Evidence,
    Instruction,
    Score,
    candidate_of,
    is_identifier,
)
from assent.records.rows import decision_row, evidence_of, evidence_row
from assent.vocabulary import Entry, Vocabulary

MADE = {"logic": "ltl", "translator": "x@1"}
CASE = Instruction(id="a", text="a then b", logic=Logic.LTL)
MINE = Vocabulary(propositions=(Entry("a"), Entry("b")))
OTHER = Vocabulary(propositions=(Entry("a"), Entry("b", says="bell")))


def evidence(names: str | None, *, score: float = 0.1, **more: object) -> Evidence:
    fields = {
        "instruction": CASE,
        "draft": Draft(candidate_of("G(a -> F b)", Logic.LTL)),
        "scores": (Score("fusion", score),),
        "made_by": MADE | ({} if names is None else {VOCABULARY: names}),
    }
    return Evidence(**{**fields, **more})  # type: ignore[arg-type]


def policy(*known: str, any_vocabulary: bool = False, limit: float = 0.2) -> Policy:
    plain = policy_for(MADE, {"D2": threshold(limit), "D3": infeasible()})
    return msgspec.structs.replace(plain, vocabularies=known, any_vocabulary=any_vocabulary)


def test_a_vocabulary_has_the_digest_of_its_entries() -> None:
    assert MINE.digest == Vocabulary(propositions=(Entry("a"), Entry("b"))).digest
    assert len({MINE.digest, OTHER.digest, msgspec.structs.replace(MINE, time_unit="ms").digest}) == 3


def test_the_vocabulary_of_the_calibration_is_used_without_a_word() -> None:
    found = decide(evidence(MINE.digest), policy=policy(MINE.digest))
    assert isinstance(found, Accepted) and found.warnings == ()
    assert "warnings" not in decision_row(found)


@pytest.mark.parametrize("names", [OTHER.digest, WRITTEN, None])
def test_another_vocabulary_is_refused_or_pointed_out(names: str | None) -> None:
    with pytest.raises(PolicyError, match="another vocabulary"):
        decide(evidence(names), policy=policy(MINE.digest))
    found = decide(evidence(names), policy=policy(MINE.digest, any_vocabulary=True))
    assert isinstance(found, Accepted) and "other vocabularies" in found.warnings[0]
    assert decision_row(found)["warnings"]


def test_names_proposed_from_the_text_need_a_calibration_with_such_names() -> None:
    for any_vocabulary in (False, True):
        found = decide(evidence(PROPOSED), policy=policy(MINE.digest, any_vocabulary=any_vocabulary))
        assert isinstance(found, Abstained) and found.reason == "infeasible"
        assert "--vocabulary" in found.detail
    assert isinstance(decide(evidence(PROPOSED), policy=policy(PROPOSED)), Accepted)
    assert isinstance(decide(evidence(WRITTEN), policy=policy(PROPOSED)), Accepted)


def test_a_policy_of_rows_that_do_not_say_asks_nothing() -> None:
    for names in (None, PROPOSED, MINE.digest):
        assert isinstance(decide(evidence(names), policy=policy()), Accepted)


def test_a_limit_that_screens_nothing_is_said() -> None:
    found = decide(evidence(MINE.digest, score=1.0), policy=policy(MINE.digest, limit=1.0))
    assert isinstance(found, Accepted) and "is the ceiling (1)" in found.warnings[0]


def test_a_doubt_withholds_whatever_the_score_and_the_limit() -> None:
    for limit in (0.2, 1.0):
        doubtful = evidence(None, score=0.0, doubts=("the formula leaves out the number 5",))
        found = decide(doubtful, policy=policy(limit=limit))
        assert isinstance(found, Abstained) and found.reason == "suspicious"
        assert "number 5" in found.detail
    assert evidence_of(evidence_row(doubtful)).doubts == doubtful.doubts


@pytest.mark.parametrize(
    ("part", "name", "expected"),
    [
        ("prop_1", "prop_1", True),
        ("A", "a", True),
        ("p1", "p1", True),
        ("door", "door_open", False),
        ("below", "below", False),
        ("rains", "rains", False),
    ],
)
def test_what_is_an_identifier(part: str, name: str, expected: bool) -> None:
    assert is_identifier(part, name) is expected


def test_evidence_says_where_its_names_are_from() -> None:
    for vocabularies, expected in (({}, PROPOSED), ({"": MINE}, MINE.digest)):
        collector = collector_for(scripted(GOOD), vocabularies=vocabularies)
        assert asyncio.run(collect(collector, CASE)).made_by[VOCABULARY] == expected


def test_a_foreign_vocabulary_is_refused_before_any_call() -> None:
    model = scripted(GOOD)
    collector = collector_for(model, vocabularies={"": OTHER})
    made = msgspec.structs.replace(policy(MINE.digest), fingerprint=collector.made_by(Logic.LTL))
    with pytest.raises(PolicyError, match="another vocabulary"):
        asyncio.run(SelectiveTranslator(collector, {Logic.LTL: made}).decide(CASE))
    assert model.total == 0


def test_no_score_is_paid_for_where_names_are_only_proposed() -> None:
    model = scripted(GOOD)
    collector = collector_for(model)
    made = msgspec.structs.replace(
        policy(MINE.digest, any_vocabulary=True), fingerprint=collector.made_by(Logic.LTL)
    )
    found = asyncio.run(SelectiveTranslator(collector, {Logic.LTL: made}).decide(CASE))
    assert isinstance(found, Abstained) and found.readings
    assert model.total == 1


def test_a_record_that_lost_its_samples_is_not_taken_for_a_full_one() -> None:
    collector = collector_for(scripted(GOOD))
    made_by = collector.made_by(Logic.LTL)
    assert made_by["samples"] == "5"
    full = asyncio.run(collect(collector, CASE))
    assert full.draft is not None
    lost = replace(full, draft=Draft(full.draft.primary))
    again = asyncio.run(collect(collector, CASE, known=lost))
    made = msgspec.structs.replace(policy(), fingerprint=made_by)
    assert isinstance(decide(asyncio.run(collect(collector, CASE, known=full)), policy=made), Accepted)
    with pytest.raises(PolicyError, match="samples"):
        decide(again, policy=made)


def test_make_policy_remembers_all_vocabularies_or_none() -> None:
    def rows(*names: str | None) -> Labelled:
        made = [
            LabelledRow(evidence(name), Label(False, False), "D2", {"fusion": 0.1})
            for name in names
            for _ in range(20)
        ]
        return Labelled(tuple(made))

    def remembered(*names: str | None) -> tuple[str, ...]:
        return make_policy(rows(*names), PolicyPlan(recipe=Recipe(alpha=0.2), channel="fusion")).vocabularies

    assert remembered(MINE.digest, OTHER.digest) == tuple(sorted((MINE.digest, OTHER.digest)))
    assert remembered(MINE.digest, None) == ()
