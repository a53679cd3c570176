"""Ways in which a wrong formula could slip through: each was one once, or nearly so."""

from __future__ import annotations

import asyncio
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import pytest
from pipeline_doubles import GOOD, LTL, collector_for, policy_for, rated, scripted, threshold

from assent.config.build import ShippedGates
from assent.embedded.seq2seq import Hypothesis
from assent.embedded.translator import EmbeddedTranslator
from assent.errors import ConfigurationError, DataError, ModelError, PolicyError
from assent.io.lines import write_rows
from assent.lift import lift
from assent.pipeline import SelectiveTranslator, collect
from assent.pipeline.batch import Done, Item, run, sidecar
from assent.policy import decide
from assent.policy.policy import GateSettings as Gate
from assent.records import Abstained, Accepted, Evidence, Instruction, Score
from assent.records.rows import evidence_of, evidence_row
from assent.vocabulary import Entry, Vocabulary, load_vocabulary

CASE = Instruction(id="1", text="whenever a, later b", logic=LTL)
ROW = {"id": "1", "logic": "ltl", "text": CASE.text}


def decided(said: dict[str, Any], row: dict[str, Any], made_by: dict[str, str] | None = None) -> Any:
    """The decision on a row under a policy for the scripted model, or for another maker."""
    collector = collector_for(scripted(said))
    policy = policy_for(made_by or collector.made_by(LTL), {"D2": threshold(0.1)})
    known = evidence_of({**ROW, **row})
    return asyncio.run(SelectiveTranslator(collector, {LTL: policy}).decide(CASE, known))


def test_scores_without_a_candidate_are_not_those_of_the_next_candidate() -> None:
    doubtful = {**GOOD, "judge": rated(0)}
    for claim in ({"scores": {"fusion": 0.0}}, {"judge": rated(100)}):
        found = decided(doubtful, {"candidate": None, **claim})
        assert isinstance(found, Abstained) and found.reason == "suspicious"


def test_a_record_that_another_judge_completes_is_not_its_makers() -> None:
    """The row says that policy's judge made it, but has no rating; the judge that is asked is another one."""
    made_by = {**collector_for(scripted(GOOD)).made_by(LTL), "judge": "a better judge"}
    row = {"candidate": "G(a -> F b)", "samples": ["G(a -> F b)"] * 5, "made_by": made_by}
    with pytest.raises(PolicyError, match="another judge"):
        decided(GOOD, row, made_by)


def test_a_record_with_fewer_samples_than_it_claims_is_refused() -> None:
    made_by = collector_for(scripted(GOOD)).made_by(LTL)
    row = {
        "candidate": "G(a -> F b)",
        "judge": rated(90),
        "back_translation": "b follows a",
        "made_by": made_by,
    }
    whole = decided(GOOD, {**row, "samples": ["G(a -> F b)"] * 5})
    assert isinstance(whole, Accepted)
    with pytest.raises(PolicyError, match="another samples"):
        decided(GOOD, {**row, "samples": ["G(a -> F b)"]})


def test_a_lower_bound_never_accepts_under_another_policy() -> None:
    """Lazy scoring stops at a lower bound where one policy withholds; a laxer policy must not accept by it."""
    doubtful = {**GOOD, "judge": rated(40), "samples": ["G a", "F a", "G b", "F b", "a"]}
    collector = collector_for(scripted(doubtful))
    strict, lax = (policy_for(collector.made_by(LTL), {"D2": threshold(limit)}) for limit in (0.1, 0.5))
    lazy = asyncio.run(collect(collector, CASE, policy=strict))
    full = asyncio.run(collect(collector, CASE))
    assert lazy.censored and lazy.score("fusion") <= 0.5 < full.score("fusion")  # type: ignore[operator]
    for evidence in (lazy, evidence_of(msgspec.json.decode(msgspec.json.encode(evidence_row(lazy))))):
        assert isinstance(decide(evidence, policy=lax), Abstained)


def test_an_acceptance_always_has_all_its_scores() -> None:
    """Calibration counts a failed row as an abstention; an acceptance must not come before a call that would fail."""
    collector = collector_for(scripted(GOOD))
    policy = policy_for(collector.made_by(LTL), {"D2": threshold(0.45)})
    evidence = asyncio.run(collect(collector, CASE, policy=policy))
    assert not evidence.censored and isinstance(decide(evidence, policy=policy), Accepted)
    failing = {**GOOD, "samples": [*GOOD["samples"][:4], ModelError("time-out")]}
    collector = collector_for(scripted(failing))
    late = decide(asyncio.run(collect(collector, CASE, policy=policy)), policy=policy)
    assert isinstance(late, Abstained) and late.reason == "failed"


@pytest.mark.parametrize("value", [float("nan"), -0.1, 1.1, float("inf")])
def test_no_score_outside_its_range_is_ever_made(value: float) -> None:
    with pytest.raises(ValueError, match="must lie in"):
        Evidence(instruction=CASE, scores=(Score("fusion", value),))


class _OneAnswer:
    """A sequence model that says the same tokens whatever it reads."""

    def __init__(self, *tokens: str) -> None:
        self.tokens = tokens

    def best(self, sources: Any, n: int = 1, **options: Any) -> list[list[Hypothesis]]:
        return [[Hypothesis(self.tokens, -0.1)] for _ in sources]


def test_a_formula_about_nothing_is_no_translation() -> None:
    for tokens in (("true",), ("G", "!", "false")):
        model = EmbeddedTranslator(_OneAnswer(*tokens))  # type: ignore[arg-type]
        assert model.readings(lift("12, 34, 56", "ltl")) == []


def test_the_same_words_under_another_vocabulary_are_read_again() -> None:
    """Names and numbers are put back after the model: two domains may share words and not what they mean."""
    model = EmbeddedTranslator(_OneAnswer("F[", "0", "N1", "P1"))  # type: ignore[arg-type]
    found = []
    for unit, name in (("s", "alarm_on"), ("min", "alarm_on"), ("min", "siren_on")):
        names = Vocabulary(propositions=(Entry(name, "the alarm is on"),), time_unit=unit)
        (reading,) = model.readings(lift("the alarm is on within 2 minutes", "stl", names))
        found.append((reading.formula.within.high, reading.formula.arg.name))  # type: ignore[union-attr]
    assert found == [(Fraction(120), "alarm_on"), (Fraction(2), "alarm_on"), (Fraction(2), "siren_on")]


@pytest.mark.parametrize("ahead", [False, True])
def test_a_run_does_not_go_on_with_an_edited_input(tmp_path: Path, ahead: bool) -> None:
    """The ids are the same; the text that one of them stands for is not."""
    inputs, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"

    async def work(item: Item) -> Done:
        assert isinstance(item.row, dict)
        return Done({"id": item.row["id"], "evidence": {"text": item.row["text"]}})

    def go() -> Any:
        return asyncio.run(run(inputs, out, work, settings={}))

    write_rows(inputs, [{"id": "1", "text": "open the door"}, {"id": "2", "text": "never stop"}])
    go()
    assert go().new == 0
    if ahead:
        write_rows(
            sidecar(out, "ahead.jsonl"),
            [{"place": 1, "row": {"id": "2", "evidence": {"text": "never stop"}}}],
        )
        out.write_bytes(out.read_bytes().splitlines(keepends=True)[0])
    write_rows(inputs, [{"id": "1", "text": "open the door"}, {"id": "2", "text": "always stop"}])
    with pytest.raises(DataError, match="another text"):
        go()


def test_a_policy_for_one_recorded_system_is_not_one_for_another() -> None:
    row = {**ROW, "outputs": {"one": "G(a -> F b)", "other": "G(!a | F b)"}, "judge": rated(100)}
    collector = collector_for(scripted(GOOD))
    made_by = {system: collector_evidence(collector, row, system).made_by for system in ("one", "other")}
    policy = policy_for(made_by["one"], {"D2": threshold(1.0)})
    assert isinstance(decide(collector_evidence(collector, row, "one"), policy=policy), Accepted)
    with pytest.raises(PolicyError, match="another translator"):
        decide(collector_evidence(collector, row, "other"), policy=policy)


def collector_evidence(collector: Any, row: dict[str, Any], system: str) -> Evidence:
    known = evidence_of(row, system=system)
    found: Evidence = asyncio.run(collect(collector, known.instruction, known=known))
    return found


@pytest.mark.parametrize(
    "entries",
    [
        ["Door_open", "door_open"],
        [{"name": "red_cup", "says": "the cup"}, {"name": "blue_cup", "says": "The cup"}],
        [{"name": "gate", "says": "door open"}, "door_open"],
    ],
)
def test_names_that_no_instruction_can_tell_apart_are_refused(tmp_path: Path, entries: list[Any]) -> None:
    for kind in ("propositions", "objects"):
        file = tmp_path / f"{kind}.json"
        file.write_bytes(msgspec.json.encode({kind: entries}))
        with pytest.raises(ConfigurationError, match=r"case only|tell them apart"):
            load_vocabulary(file)


def test_a_gate_without_its_reference_set_is_refused() -> None:
    gate = Gate(neighbours=3, delta=0.05, distances=(0.1,) * 30, reference="30x4:elsewhere")
    policy = policy_for({"logic": "ltl"}, {"D2": threshold(1.0)}, gate=gate)
    with pytest.raises(PolicyError, match="reference set"):
        ShippedGates({LTL: policy})[LTL]
