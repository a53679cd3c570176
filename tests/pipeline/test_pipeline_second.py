"""The second opinion: what others translated or judge is also looked at by models that obey no text."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pipeline_doubles import GOOD, LTL, collector_for, policy_for, rated, scripted, threshold

from assent.cli import main
from assent.config.build import Options, assemble, embedded_models
from assent.config.settings import KINDS, template
from assent.embedded.roles import SecondOpinion
from assent.errors import ConfigurationError, PolicyError
from assent.evaluate.labels import load
from assent.io.lines import read_rows, write_rows
from assent.logic.ast import Logic
from assent.logic.parse import read
from assent.pipeline import Collector, SelectiveTranslator, collect
from assent.policy import decide
from assent.policy.make import fingerprint_of
from assent.policy.policy import Policy
from assent.prompting import Opinion, Transcript
from assent.prompting.translators import FunctionTranslator
from assent.records import Abstained, Accepted, Candidate, Draft, Evidence, Instruction, Score
from assent.records.rows import evidence_of, evidence_row
from assent.scoring import CLEARLY_WRONG, NOT_ASKED, SECOND, SECOND_OPINION, doubts, scores
from assent.vocabulary import Entry, Vocabulary

CASE = Instruction(id="a", text="Whenever a, later b.", logic=LTL)
ALL = dict.fromkeys(("D2", "D3", "D4"), threshold(1.0))


class Fixed:
    """A second opinion that says what it was told to, and counts how often it is asked."""

    def __init__(self, value: float, why: str | None = None) -> None:
        self.value, self.why, self.asked = value, why, 0

    def identity(self, logic: Logic) -> Mapping[str, str]:
        return {SECOND_OPINION: "embedded@1"}

    async def score(
        self,
        case: Instruction,
        draft: Draft,
        vocabulary: Vocabulary | None,
        known: Mapping[str, float],
        transcript: Transcript,
    ) -> Opinion:
        self.asked += 1
        transcript.note(SECOND_OPINION, "embedded@1", case.text, str(self.value))
        return Opinion(scores={SECOND_OPINION: self.value}, doubts=(self.why,) if self.why else ())


def evidence(value: float | None, **more: object) -> Evidence:
    found = () if value is None else (Score(SECOND_OPINION, value),)
    formula = read("G(a -> F b)", "ltl")
    draft = Draft(Candidate("G(a -> F b)", formula))
    return replace(Evidence(instruction=CASE, draft=draft, scores=found), **more)  # type: ignore[arg-type]


# ---- the doubt ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [0.0, 0.5, CLEARLY_WRONG])
def test_nothing_is_said_up_to_the_cut(value: float) -> None:
    assert doubts(evidence(value)) == ()


@pytest.mark.parametrize("value", [CLEARLY_WRONG + 1e-9, 0.99, 1.0])
def test_a_clear_contradiction_is_a_doubt(value: float) -> None:
    (doubt,) = doubts(evidence(value))
    assert doubt.startswith(SECOND) and "read the instruction otherwise" in doubt
    assert doubts(evidence(value, doubts=(doubt,))) == (doubt,)  # a stored doubt is not said twice


def test_what_is_noted_is_not_said_again() -> None:
    why = f"{SECOND}the embedded models cannot check the formula"
    assert doubts(evidence(1.0, doubts=(why,))) == (why,)


def test_evidence_without_one_is_as_before_unless_one_was_to_be_asked() -> None:
    assert doubts(evidence(None)) == ()
    assert doubts(evidence(None, made_by={SECOND_OPINION: "embedded@1"})) == (NOT_ASKED,)


def test_a_candidate_that_cannot_be_read_has_the_highest_score() -> None:
    unread = Evidence(instruction=CASE, draft=Draft(Candidate("((", None, "no")))
    assert SECOND_OPINION not in scores(unread)
    assert scores(replace(unread, made_by={SECOND_OPINION: "x"}))[SECOND_OPINION] == 1.0


# ---- in the pipeline ----------------------------------------------------------------------------------------------


def decided(collector: Collector, policy: Policy, *, lazy: bool = True) -> Accepted | Abstained:
    translator = SelectiveTranslator(collector, {LTL: policy}, lazy=lazy, helpful=False)
    return asyncio.run(translator.decide(CASE))


def test_it_decides_against_agreeing_samples_and_full_marks() -> None:
    for value, kind in ((0.3, Accepted), (0.99, Abstained)):
        collector = collector_for(scripted({**GOOD, "judge": rated(100)}), second_opinion=Fixed(value))
        decision = decided(collector, policy_for(collector.made_by(LTL), ALL))
        assert type(decision) is kind
        assert decision.evidence.score(SECOND_OPINION) == value
        if isinstance(decision, Abstained):
            assert decision.reason == "suspicious" and "second opinion" in decision.detail
        stored = evidence_row(decision.evidence)
        assert stored["scores"][SECOND_OPINION] == value
        assert stored["made_by"][SECOND_OPINION] == f"embedded@1 up to {CLEARLY_WRONG:g}"
        assert evidence_of(json.loads(json.dumps(stored))).made_by == decision.evidence.made_by


def test_policies_with_and_without_it_are_told_apart() -> None:
    model = scripted(GOOD)
    plain, asked = collector_for(model), collector_for(model, second_opinion=Fixed(0.1))
    with pytest.raises(
        PolicyError, match=r"(?s)policy is for none.*'assent collect' adds it.*second_opinion = false"
    ):
        decided(asked, policy_for(plain.made_by(LTL), ALL))
    with pytest.raises(PolicyError, match=r"this run has none; remove second_opinion = false"):
        decided(plain, policy_for(asked.made_by(LTL), ALL))


def test_evidence_without_it_abstains_under_a_policy_that_has_it() -> None:
    model = scripted(GOOD)
    plain, asked = collector_for(model), collector_for(model, second_opinion=Fixed(0.1))
    old = asyncio.run(collect(plain, CASE))
    policy = policy_for(asked.made_by(LTL), ALL)
    decision = decide(old, policy=policy)
    assert isinstance(decision, Abstained) and decision.reason == "failed"
    assert "no second opinion was recorded" in decision.detail
    assert isinstance(decide(old, policy=policy_for(plain.made_by(LTL), ALL)), Accepted)


@settings(max_examples=40)
@given(
    st.lists(st.sampled_from(["G(a -> F b)", "F a", "(("]), min_size=5, max_size=5),
    st.sampled_from([0, 50, 90, 100]),
    st.sampled_from([0.0, CLEARLY_WRONG, 0.99]),
    st.integers(0, 10),
    st.sampled_from(["fusion", "back_translation", "self_consistency"]),
)
def test_lazy_scoring_decides_the_same(
    samples: list[str], rating: int, value: float, limit: int, channel: str
) -> None:
    model = scripted({**GOOD, "samples": samples, "judge": rated(rating)})
    collector = collector_for(model, second_opinion=Fixed(value))
    policy = policy_for(collector.made_by(LTL), {"D2": threshold(limit / 10)}, channel=channel)
    one, other = decided(collector, policy), decided(collector, policy, lazy=False)
    assert type(one) is type(other)
    if isinstance(one, Abstained) and isinstance(other, Abstained):
        assert one.reason == other.reason


def test_recorded_translations_are_asked_about_once() -> None:
    second = Fixed(0.99)
    collector = Collector(translator=FunctionTranslator(lambda *_: "", name="nobody"), second_opinion=second)
    row = {
        "id": "a",
        "text": CASE.text,
        "logic": "ltl",
        "candidate": "G(a -> F b)",
        "samples": [],
        "system": "x",
    }
    known = evidence_of(row)
    found = asyncio.run(collect(collector, known.instruction, known=known))
    assert second.asked == 1 and found.made_by["translator"] == "recorded x"
    assert [doubt[: len(SECOND)] for doubt in found.doubts] == [SECOND]
    again = asyncio.run(collect(collector, known.instruction, known=found))
    assert second.asked == 1 and again.doubts == found.doubts and again.made_by == found.made_by
    other = replace(found, made_by={**found.made_by, SECOND_OPINION: "embedded@0 up to 0.5"})
    second.value = 0.1  # weights of another version: asked again, and what the old ones noted is dropped
    fresh = asyncio.run(collect(collector, known.instruction, known=other))
    assert second.asked == 2 and fresh.doubts == () and fresh.score(SECOND_OPINION) == 0.1


def test_what_it_translated_and_judged_itself_needs_none() -> None:
    own = {"translator": "embedded@1", "judge": "embedded@1"}
    collector = Collector(translator=FunctionTranslator(lambda *_: "", name="f"), second_opinion=Fixed(0.9))
    assert collector.seconded_by(LTL, own) == {}
    for part in own:
        assert SECOND_OPINION in collector.seconded_by(LTL, {**own, part: "other@1"})
    assert SECOND_OPINION not in assemble(Options()).collector.made_by(LTL)


def test_a_second_opinion_that_breaks_is_a_failure() -> None:
    class Broken(Fixed):
        async def score(self, *_: object) -> Opinion:  # type: ignore[override]
            raise RuntimeError("no memory")

    collector = collector_for(scripted(GOOD), second_opinion=Broken(0.1))
    decision = decided(collector, policy_for(collector.made_by(LTL), ALL))
    assert isinstance(decision, Abstained) and decision.reason == "failed"
    assert "second opinion" in decision.detail and "no memory" in decision.detail


def test_rows_that_cannot_be_read_calibrate_with_the_others(tmp_path: Path) -> None:
    """They are rows of the same run, although nobody is asked about them."""
    collector = assemble(Options()).collector
    rows = []
    for number, candidate in enumerate(("G(a -> F b)", "((")):
        row = {"id": str(number), "text": CASE.text, "logic": "ltl", "candidate": candidate, "system": "x"}
        known = evidence_of({**row, "samples": [], "reference": "G(a -> F b)"})
        rows.append(evidence_row(asyncio.run(collect(collector, known.instruction, known=known))))
    (tmp_path / "x.jsonl").write_bytes(b"".join(msgspec.json.encode(row) + b"\n" for row in rows))
    found = fingerprint_of(load(tmp_path / "x.jsonl"))
    assert found["judge"] == found[SECOND_OPINION].split()[0]


# ---- the embedded models in it ------------------------------------------------------------------------------------


HALL = Vocabulary(
    propositions=(Entry("door_open", "door open"), Entry("alarm_on", "alarm on"), Entry("moving"))
)


@pytest.mark.parametrize(
    ("text", "logic", "names", "right", "wrong"),
    [
        ("The door is never open while moving.", "ltl", HALL, "G(moving -> !door_open)", "G(moving -> door_open)"),
        ("Whenever the door is open, the alarm is on within 5 s.", "stl", HALL,
         "G(door_open -> F[0,5] alarm_on)", "G(alarm_on -> F[0,5] door_open)"),
        ("prop_1 holds until prop_2 holds", "ltl", None, "prop_1 U prop_2", "prop_2 U prop_1"),
        ("The cup is always left of the plate.", "spatial", None, "G(leftOf(cup, plate))", "G(rightOf(cup, plate))"),
    ],
)  # fmt: skip
def test_right_and_wrong_formulas(
    text: str, logic: str, names: Vocabulary | None, right: str, wrong: str
) -> None:
    second = SecondOpinion(embedded_models())
    assert second.of(text, Logic(logic), read(right, logic), names)[0] <= CLEARLY_WRONG
    assert second.of(text, Logic(logic), read(wrong, logic), names)[0] > CLEARLY_WRONG


@pytest.mark.parametrize(
    ("text", "formula", "names", "why"),
    [
        ("The door is never open.", "G !moving", HALL, "'moving', which the instruction does not mention"),
        ("prop_1 holds", "F prop_2", None, "name your names with a vocabulary"),
        ("The alarm is on within 5 s.", "F[0,6] alarm_on", HALL, "add to the vocabulary"),
        ("word " * 500, "G moving", HALL, "not one requirement"),
    ],
)
def test_what_cannot_be_checked_is_doubted(
    text: str, formula: str, names: Vocabulary | None, why: str
) -> None:
    second = SecondOpinion(embedded_models())
    value, said = second.of(text, Logic.STL, read(formula, "stl"), names)
    assert value == 1.0 and said is not None and said.startswith(SECOND) and why in said


# ---- through a configuration --------------------------------------------------------------------------------------


RATINGS = ("logical_structure", "temporal_operators", "time_constraints", "overall_meaning")
FUNCTIONS = f"""
formula = "G(moving -> !door_open)"
def translate(text): return formula
def say(formula): return "Just what was said."
def judge(text, english): return dict.fromkeys({RATINGS!r}, 100)
"""
SECTIONS = "".join(
    f'[models.{role}]\nkind = "python"\nfunction = "second_functions:{name}"\n[{role}]\nmodel = "{role}"\n'
    for role, name in (("translator", "translate"), ("back_translator", "say"), ("judge", "judge"))
)
TEXT = "The door is never open while moving."


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "second_functions.py").write_text(FUNCTIONS)
    (tmp_path / "names.json").write_text(json.dumps({"propositions": ["door_open", "moving"]}))
    yield tmp_path
    sys.modules.pop("second_functions", None)


def configure(settings: str = "", policy: str = "policy.json") -> None:
    """Write a.toml, and a policy that accepts every score under it."""
    common = f'vocabulary = "names.json"\n{settings}\n'
    Path("a.toml").write_text(common + SECTIONS)
    made_by = assemble(Options(config="a.toml")).collector.made_by(LTL)
    if not Path(policy).exists():
        policy_for(made_by, ALL).save(policy)
    Path("a.toml").write_text(f'policies = ["{policy}"]\n{common}{SECTIONS}')


def translated(capsys: pytest.CaptureFixture[str], formula: str, text: str) -> dict[str, object]:
    import second_functions  # type: ignore[import-not-found]

    second_functions.formula = formula
    main(["translate", text, "--config", "a.toml", "--json"])
    return dict(json.loads(capsys.readouterr().out))


def test_models_that_obey_are_contradicted(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    configure()
    right = translated(capsys, "G(moving -> !door_open)", TEXT)
    assert right["decision"] == "accepted"
    wrong = translated(capsys, "G(moving -> door_open)", "While moving, the door is never open.")
    assert wrong["decision"] == "abstained" and wrong["reason"] == "suspicious"
    assert "which obey no text, read the instruction otherwise" in str(wrong["detail"])
    assert wrong["readings"]  # what to choose from is still shown


def test_it_can_be_switched_off(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    configure("second_opinion = false")
    assert translated(capsys, "G(moving -> door_open)", TEXT)["decision"] == "accepted"
    assert main(["doctor", "--config", "a.toml", "--offline"]) == 0
    assert "second opinion: off" in capsys.readouterr().out
    configure(policy="policy.json")  # switched on again, the policy of before does not fit
    assert main(["translate", f"{TEXT} ", "--config", "a.toml"]) != 0
    assert "calibrated for another second_opinion" in capsys.readouterr().err
    assert main(["doctor", "--config", "a.toml", "--offline"]) == 1
    assert "second opinion: off" not in capsys.readouterr().out


def test_collected_calibrated_and_decided_with_it(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Rows that it doubts count as the abstentions that they are."""
    configure()
    import second_functions

    second_functions.formula = "G(moving -> door_open)"
    reference = "G(moving -> !door_open)"
    cases = [{"id": f"c{i}", "text": f"{TEXT}{' ' * i}", "reference": reference} for i in range(40)]
    write_rows("cases.jsonl", [{**case, "logic": "ltl"} for case in cases])
    argv = ["collect", "cases.jsonl", "-o", "evidence.jsonl", "--config", "a.toml", "--quiet"]
    assert main(argv) == 0
    assert all(SECOND in " ".join(row["doubts"]) for _, row in read_rows("evidence.jsonl"))
    argv = [
        "calibrate",
        "evidence.jsonl",
        "--alpha",
        "0.1",
        "--channel",
        "fusion",
        "-o",
        "new.json",
        "--json",
    ]
    capsys.readouterr()
    assert main(argv) == 0
    policy = json.loads(capsys.readouterr().out)
    assert policy["provenance"]["withheld"] == {"suspicious": 40}
    assert policy["fingerprint"][SECOND_OPINION].startswith("embedded@")


def test_every_template_has_the_key(tmp_path: Path) -> None:
    for kind in KINDS:
        assert "\nsecond_opinion = true\n" in template(kind)
    (tmp_path / "a.toml").write_text(template("embedded"))
    collector = assemble(Options(config=str(tmp_path / "a.toml"))).collector
    assert SECOND_OPINION not in collector.made_by(LTL)


def test_a_misspelt_key_is_refused(folder: Path) -> None:
    Path("a.toml").write_text(f"second_opinon = false\n{SECTIONS}")
    with pytest.raises(ConfigurationError, match="second_opinon"):
        assemble(Options(config="a.toml"))
