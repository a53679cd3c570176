"""The collector: what is asked, what is kept, and that every failure of a model becomes an abstention."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from pipeline_doubles import (
    GOOD,
    LTL,
    collector_for,
    infeasible,
    policy_for,
    rated,
    scripted,
    threshold,
)
from test_pipeline_gate import Hashed, texts

from assent.errors import BudgetError, DataError, ModelError, PolicyError, UsageError
from assent.models import RecordedModel
from assent.pipeline import Collector, SelectiveTranslator, collect, gate
from assent.pipeline.clarify import clarify
from assent.policy import decide
from assent.prompting.translators import FunctionTranslator
from assent.records import Abstained, Accepted, Evidence, Instruction, candidate_of
from assent.records.rows import evidence_of, evidence_row
from assent.vocabulary import Entry, Vocabulary

CASE = Instruction(id="a", text="after a always b", logic=LTL)


def collected(said: dict[str, Any], **more: Any) -> Evidence:
    return asyncio.run(collect(collector_for(scripted({**GOOD, **said})), CASE, **more))


def test_full_evidence_is_eight_calls_and_holds_them_all() -> None:
    model = scripted(GOOD)
    found = asyncio.run(collect(collector_for(model), CASE))
    assert model.calls == {"translate": 6, "back_translate": 1, "judge": 1}
    assert found.failure is None and found.tier == "D2"
    assert {score.name: score.value for score in found.scores} == {
        "back_translation": 0.0,
        "self_consistency": 0.0,
        "fusion": 0.0,
    }
    assert [call.role for call in found.calls] == ["translate"] * 6 + ["back_translate", "judge"]
    assert all(call.prompt in found.prompts for call in found.calls)
    assert any("after a always b" in text for text in found.prompts.values())


def test_scores_are_exact_rationals() -> None:
    found = collected({"judge": rated(80)})
    assert (
        found.score("back_translation") == 0.2 and found.score("fusion") == 0.1
    )  # 1 - 0.8 is not 0.2 in floats


@pytest.mark.parametrize(
    ("said", "step"),
    [
        ({"translate": ModelError("down")}, "translation"),
        ({"translate": "   "}, "translation"),
        ({"samples": ModelError("down")}, "samples"),
        ({"back_translate": ModelError("down")}, "back-translation"),
        ({"back_translate": "..."}, "back-translation"),
        ({"judge": ModelError("down")}, "judge"),
        ({"judge": "very good!"}, "judge"),
        ({"judge": rated(101)}, "judge"),
        ({"judge": {**rated(90), "overall_meaning": "90"}}, "judge"),
        ({"judge": {**rated(90), "overall_meaning": 90.5}}, "judge"),
        ({"judge": {**rated(90), "overall_meaning": True}}, "judge"),
        ({"judge": {"logical_structure": 100}}, "judge"),
        ({"judge": RuntimeError("a bug in somebody's model")}, "judge"),
    ],
)
def test_whatever_a_model_does_wrong_abstains(said: dict[str, Any], step: str) -> None:
    found = collected(said)
    assert found.failure is not None and found.failure.startswith(f"{step}: ")
    policy = policy_for(found.made_by, {"D2": threshold(0.0)})
    for evidence in (found, collected(said, policy=policy)):
        decision = decide(evidence, policy=policy)
        assert isinstance(decision, Abstained) and decision.reason == "failed"


def test_unreadable_candidate_costs_no_judge() -> None:
    model = scripted({**GOOD, "translate": "G(a -> "})
    found = asyncio.run(collect(collector_for(model), CASE))
    assert found.failure is None and found.score("back_translation") == 1.0
    assert "judge" not in model.calls and "back_translate" not in model.calls
    policy = policy_for(found.made_by, {"D2": threshold(1.0)})
    decision = decide(found, policy=policy)
    assert isinstance(decision, Abstained) and decision.reason == "unreadable"


def test_budget_and_operator_errors_pass() -> None:
    with pytest.raises(BudgetError):
        collected({"judge": BudgetError("used up")})


def test_gate_comes_first_and_costs_nothing() -> None:
    built = gate.build(Hashed(), texts("lift", 60), [f"lift case {i}" for i in range(100)])
    model = scripted(GOOD)
    collector = collector_for(model, gates={LTL: built})
    policy = policy_for(collector.made_by(LTL), {"D2": threshold(1.0)}, gate=built.frozen())
    strange = Instruction(id="s", text="poem about spring", logic=LTL)
    decision = asyncio.run(SelectiveTranslator(collector, {LTL: policy}).decide(strange))
    assert isinstance(decision, Abstained) and decision.reason == "out-of-domain" and model.total == 0
    known = Instruction(id="k", text="lift me", logic=LTL)
    assert isinstance(asyncio.run(SelectiveTranslator(collector, {LTL: policy}).decide(known)), Accepted)


def test_infeasible_group_costs_one_call() -> None:
    model = scripted(GOOD)
    collector = collector_for(model)
    policy = policy_for(collector.made_by(LTL), {"D2": infeasible()})
    decision = asyncio.run(SelectiveTranslator(collector, {LTL: policy}).decide(CASE))
    assert isinstance(decision, Abstained) and decision.reason == "infeasible" and model.total == 1


def test_other_policy_is_refused_before_any_call() -> None:
    model = scripted(GOOD)
    collector = collector_for(model)
    policy = policy_for({**collector.made_by(LTL), "judge": "another"}, {"D2": threshold(1.0)})
    with pytest.raises(PolicyError, match="another judge"):
        asyncio.run(SelectiveTranslator(collector, {LTL: policy}).decide(CASE))
    with pytest.raises(PolicyError, match="no policy for stl"):
        SelectiveTranslator(collector, {LTL: policy}).translate("x", "stl")
    assert model.total == 0


def test_recorded_parts_are_not_asked_for_again() -> None:
    row = {
        **{"id": "r", "logic": "ltl", "text": "x", "candidate": "F a", "samples": ["F a"] * 5},
        **{"back_translation": "At some time a.", "judge": rated(90), "holdout": "utt"},
    }
    model = scripted(GOOD)
    found = asyncio.run(collect(collector_for(model), CASE, known=evidence_of(row)))
    assert model.total == 0 and found.score("fusion") == 0.05 and found.made_by["translator"] == "recorded"
    del row["judge"]
    found = asyncio.run(collect(collector_for(model), CASE, known=evidence_of(row)))
    assert model.calls == {"judge": 1}


def test_failed_or_censored_records_are_asked_for_again() -> None:
    model = scripted(GOOD)
    collector = collector_for(model)
    for flaw in ({"failure": "judge: down"}, {"censored": ["fusion"], "scores": {"fusion": 0.0}}):
        row = {**{"id": "r", "logic": "ltl", "text": "x", "candidate": "F a", "samples": ["F a"]}, **flaw}
        before = model.total
        found = asyncio.run(collect(collector, CASE, known=evidence_of(row)))
        assert model.total == before + 8 and not found.censored and found.failure is None


def test_retries_of_unusable_answers_do_not_take_another_samples_number() -> None:
    asked: list[tuple[int, float]] = []

    def answer(prompt: Any, sampling: Any) -> str:
        asked.append((sampling.first, sampling.temperature))
        return "" if prompt.task == "translate" and sampling.first in (1, 2) else "F a"

    from assent.models import FunctionModel
    from assent.prompting.translators import PromptedTranslator

    translator = PromptedTranslator(FunctionModel(answer, threads=False))
    collector = Collector(translator=translator)
    found = asyncio.run(collect(collector, CASE))
    assert found.failure is None
    assert sorted(asked[1:]) == [(n, 1.0) for n in (0, 1, 2, 3, 4, 1001, 1002)]


def test_vocabulary_is_chosen_by_domain() -> None:
    lift = Vocabulary(propositions=(Entry("door"), Entry("alarm")))
    drone = Vocabulary(propositions=(Entry("airborne"),))
    translator = FunctionTranslator(lambda text, logic, number: "F door", name="f")
    collector = Collector(translator=translator, vocabularies={"lift": lift, "drone": drone})
    for domain, readable in (("lift", True), ("drone", False)):
        case = Instruction(id="1", text="x", logic=LTL, domain=domain)
        found = asyncio.run(collect(collector, case))
        assert found.draft is not None and (found.draft.primary.formula is not None) == readable
    for domain in (None, "car"):
        with pytest.raises(DataError, match="no vocabulary"):
            asyncio.run(collect(collector, Instruction(id="1", text="x", logic=LTL, domain=domain)))


def test_round_trip_needs_both_halves() -> None:
    with pytest.raises(UsageError):
        Collector(translator=FunctionTranslator(lambda *_: "F a", name="f"), judge=object())  # type: ignore[arg-type]


def test_function_that_returns_nonsense_fails() -> None:
    translator = FunctionTranslator(lambda *_: 3, name="f")  # type: ignore[arg-type, return-value]
    found = asyncio.run(collect(Collector(translator=translator), CASE))
    assert found.failure is not None and "int" in found.failure


def test_abstention_gives_readings_and_a_trace_that_tells_them_apart() -> None:
    said = {**GOOD, "samples": ["F G b", "G(a -> F b)", "F G b", "F(G(b))", "(("], "judge": rated(40)}
    found = asyncio.run(collect(collector_for(scripted(said)), CASE))
    assert found.score("self_consistency") == 0.4
    decision = decide(found, policy=policy_for(found.made_by, {"D2": threshold(0.1)}))
    assert isinstance(decision, Abstained)
    helped = clarify(decision)
    wanted = [(3, candidate_of("F G b", LTL).formula), (2, candidate_of("G(a -> F b)", LTL).formula)]
    assert [(reading.votes, reading.formula) for reading in helped.readings] == wanted
    assert all(reading.english for reading in helped.readings) and helped.difference
    assert "3 of 5" in helped.detail


def test_a_stored_record_decides_like_the_fresh_one() -> None:
    found = collected({"judge": rated(77)})
    again = evidence_of(evidence_row(found))
    policy = policy_for(found.made_by, {"D2": threshold(0.115)})
    assert isinstance(decide(found, policy=policy), Accepted)
    assert isinstance(decide(again, policy=policy), Accepted)


def test_replaying_recorded_rows_as_a_model() -> None:
    row = {**{"id": "a", "text": CASE.text, "candidate": "F a", "samples": ["F a"] * 5}, "judge": rated(90)}
    model = RecordedModel([{**row, "back_translation": "At some time a."}])
    found = asyncio.run(collect(collector_for(model), CASE))
    assert found.failure is None and found.score("fusion") == 0.05
