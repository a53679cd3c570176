"""What an endpoint says about itself is held against the policy: another model is never decided on by its rules."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pipeline_doubles import GOOD, LTL, collector_for, policy_for, threshold

from assent.calibrate.recipe import Recipe
from assent.cli import main
from assent.errors import UsageError
from assent.evaluate.labels import load
from assent.io.lines import write_rows
from assent.models import Answer, Compared, FunctionModel, Prompt, Sampling, stack
from assent.pipeline import Collector, SelectiveTranslator, collect
from assent.policy import decide
from assent.policy.make import PolicyPlan, make_policy
from assent.policy.policy import Policy
from assent.records import Abstained, Accepted, Evidence, Instruction, Reason
from assent.records.rows import evidence_of, evidence_row

CASE = Instruction(id="1", text="whenever a, b follows", logic=LTL, reference="G(a -> F b)")


class Endpoint:
    """A model that says which one it is; ``served`` may change between calls, by task."""

    def __init__(self, served: str = "m-1", backend: str = "", **by_task: str) -> None:
        self.served, self.backend, self.by_task, self.calls = served, backend, by_task, 0

    def answer(self, prompt: Prompt, sampling: Sampling) -> Answer:
        self.calls += 1
        said: Any = GOOD[prompt.task]
        text = said if isinstance(said, str) else json.dumps({**said, "nonce": prompt.nonce})
        served = self.by_task.get(prompt.task, self.served)
        return Answer(text=text, model_version=served, backend=self.backend)

    def collector(self, compared: Compared = "model") -> Collector:
        return collector_for(stack(FunctionModel(self.answer, threads=False), compared=compared))

    def evidence(self, compared: Compared = "model") -> Evidence:
        return asyncio.run(collect(self.collector(compared), CASE))


def policy(evidence: Evidence, **reported: str) -> Policy:
    import msgspec

    made = policy_for(evidence.made_by, {"D2": threshold(0.3)})
    return msgspec.structs.replace(made, reported=reported)


def calibrated(tmp_path: Path, *rows: Evidence) -> Policy:
    cases = [replace(row.instruction, id=str(n)) for n, row in enumerate(rows)]
    lines = [evidence_row(replace(r, instruction=c)) for r, c in zip(rows, cases, strict=True)]
    write_rows(tmp_path / "evidence.jsonl", lines)
    plan = PolicyPlan(recipe=Recipe(alpha=0.3), channel="fusion")
    return make_policy(load(tmp_path / "evidence.jsonl"), plan)


def test_the_policy_remembers_who_answered_and_refuses_another(tmp_path: Path) -> None:
    before = Endpoint("m-1").evidence()
    assert before.reported == {"translate": "m-1", "back_translate": "m-1", "judge": "m-1"}
    made = calibrated(tmp_path, *[before] * 60)
    assert made.reported == before.reported
    made = Policy.from_json(made.to_json())
    assert isinstance(decide(before, policy=made), Accepted)
    later = decide(Endpoint("m-2").evidence(), policy=made)
    assert isinstance(later, Abstained) and later.reason is Reason.FAILED
    assert "reports m-2 for back_translate, and reported m-1" in later.detail


@pytest.mark.parametrize("role", ["translate", "back_translate", "judge"])
def test_each_role_is_compared(role: str) -> None:
    reference = Endpoint("m-1").evidence()
    made = policy(reference, **reference.reported)
    found = decide(Endpoint("m-1", **{role: "m-2"}).evidence(), policy=made)
    assert isinstance(found, Abstained) and f"for {role}" in found.detail


def test_a_change_in_the_middle_of_an_instruction_is_seen() -> None:
    reference = Endpoint("m-1").evidence()

    class Changing(Endpoint):
        def answer(self, prompt: Prompt, sampling: Sampling) -> Answer:
            self.served = "m-2" if sampling.first == 3 else "m-1"
            return super().answer(prompt, sampling)

    evidence = Changing().evidence()
    assert evidence.reported["translate"] == "m-1 + m-2"
    assert isinstance(decide(evidence, policy=policy(reference, **reference.reported)), Abstained)


def test_what_is_not_known_on_both_sides_is_not_compared() -> None:
    silent, speaking = Endpoint("").evidence(), Endpoint("m-1").evidence()
    assert silent.reported == {}
    assert isinstance(decide(silent, policy=policy(speaking, **speaking.reported)), Accepted)
    assert isinstance(decide(speaking, policy=policy(silent)), Accepted)


def test_how_much_is_compared_can_be_chosen() -> None:
    def found(compared: Compared, served: str, backend: str) -> Evidence:
        return Endpoint(served, backend).evidence(compared)

    for compared, other, accepted in (
        ("model", ("m-1", "fp-2"), True),
        ("model", ("m-2", "fp-1"), False),
        ("exact", ("m-1", "fp-1"), True),
        ("exact", ("m-1", "fp-2"), False),
        ("ignore", ("m-2", "fp-2"), True),
    ):
        level: Compared = compared  # type: ignore[assignment]
        reference = found(level, "m-1", "fp-1")
        decision = decide(found(level, *other), policy=policy(reference, **reference.reported))
        assert isinstance(decision, Accepted) is accepted, (compared, other)


def test_nothing_more_is_paid_for_once_another_model_answers() -> None:
    reference = Endpoint("m-1").evidence()
    made = policy(reference, **reference.reported)
    endpoint = Endpoint("m-2")
    decision = SelectiveTranslator(endpoint.collector(), {LTL: made}).translate(CASE.text)
    assert isinstance(decision, Abstained) and decision.reason is Reason.FAILED
    assert "m-2" in decision.detail
    assert endpoint.calls == 1


def test_calibration_refuses_rows_of_two_models(tmp_path: Path) -> None:
    rows = [Endpoint("m-1").evidence()] * 30 + [Endpoint("m-2").evidence()] * 30
    with pytest.raises(UsageError, match="changed its model"):
        calibrated(tmp_path, *rows)


def test_a_line_of_evidence_keeps_it() -> None:
    evidence = Endpoint("m-1").evidence()
    assert evidence_of(evidence_row(evidence)).reported == evidence.reported
    assert {call.model.partition("@")[2] for call in evidence.calls} == {"m-1"}


def test_doctor_finds_an_endpoint_that_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "reporting_function.py").write_text(
        "from assent.models import Answer\n"
        "def f(prompt, sampling):\n    return Answer(text='ok', model_version='m-2')\n"
    )
    config = """
policies = ["policy.json"]
[models.m]
kind = "python"
function = "reporting_function:f"
feed = "prompt"
[translator]
model = "m"
"""
    Path("a.toml").write_text(config.replace("policies", "# policies"))
    from assent.config.build import Options, assemble

    made_by = assemble(Options(config="a.toml")).collector.made_by(LTL)
    Path("a.toml").write_text(config)
    rules = {"D2": threshold(0.3)}
    for served, exit_code in (("m-1", 1), ("m-2", 0)):
        made = Policy(
            alpha=0.1,
            rules=rules,
            fingerprint=made_by,
            channel="self_consistency",
            reported={"translate": served},
        )
        made.save("policy.json")
        assert main(["doctor", "--config", "a.toml"]) == exit_code
        out = capsys.readouterr().out
        assert ("FAIL  model m: calibrated with another model" in out) is (exit_code == 1), out
    assert "reports m-2" in out
