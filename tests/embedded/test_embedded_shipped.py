"""The shipped weights: right on plain sentences, repeatable, and unmoved by nonsense."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assent.calibrate.rules import Threshold
from assent.embedded import Embedded, shipped
from assent.embedded.judge import dimensions
from assent.errors import AssentError, ModelError
from assent.logic.ast import Logic
from assent.logic.canonical import canonical_key
from assent.logic.dialect import check
from assent.logic.equivalence import Verdict, equivalent
from assent.logic.mutate import mutations
from assent.logic.parse import read
from assent.policy.policy import Policy
from assent.vocabulary import Entry, Vocabulary

DOOR = Vocabulary(
    propositions=(Entry("door_open", "door open"), Entry("alarm", "alarm"), Entry("moving", "moving"))
)


@pytest.mark.parametrize(
    ("text", "logic", "formula"),
    [
        ("Whenever the door is open, the alarm is on.", "ltl", "G (door_open -> alarm)"),
        ("The alarm must never be on.", "ltl", "G ! alarm"),
        ("Sooner or later the door is open.", "ltl", "F door_open"),
        ("The door stays closed until the alarm is on.", "ltl", "! door_open W alarm"),
        (
            "Whenever the door is open, the alarm must be on within 5 seconds.",
            "stl",
            "G (door_open -> F[0,5] alarm)",
        ),
        ("For the first 10 seconds the alarm must be on.", "stl", "G[0,10] alarm"),
    ],
)
def test_plain_sentences(models: Embedded, text: str, logic: str, formula: str) -> None:
    answer = models.translate(models.lift(text, logic, DOOR))
    assert answer is not None
    assert canonical_key(answer.formula) == canonical_key(read(formula, logic))


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("visit a at least twice", "F(a & (a U (!a & (!a U (F a)))))"),
        ("move to a at least three times", "F(a & F(!a & F(a & F(!a & F a))))"),
        ("visiting a more than once is prohibited", "!(F(a & (a U (!a & (!a U (F a))))))"),
        ("you are allowed to go to a at most twice", "!F(a & F(!a & F(a & F(!a & F a))))"),
    ],
)
def test_counted_visits(models: Embedded, text: str, formula: str) -> None:
    """Their formulas hold untils that no other sentence has (!a U (F a)), so that a rule about untils may lose them."""
    answer = models.translate(models.lift(text, "ltl", None))
    assert answer is not None
    assert equivalent(answer.formula, read(formula, "ltl")).verdict is Verdict.EQUAL


def test_draws_and_judgements_can_be_repeated(models: Embedded) -> None:
    lifted = models.lift(
        "Whenever the door is open the alarm is on or it stops moving eventually", "ltl", DOOR
    )
    again = Embedded()
    assert models.samples(lifted, range(5)) == again.samples(lifted, range(5))
    assert models.samples(lifted, range(3, 5)) == again.samples(lifted, range(5))[3:]
    formula = read("G (door_open -> alarm)", "ltl")
    assert models.judge(lifted, formula) == again.judge(lifted, formula)
    assert models.version == again.version


def test_the_judge_suspects_mutations(models: Embedded) -> None:
    text, reference = (
        "Whenever the door is open, the alarm must be on within 5 seconds.",
        "G (door_open -> F[0,5] alarm)",
    )
    lifted, formula = models.lift(text, "stl", DOOR), read(reference, "stl")
    right = models.judge(lifted, formula, disagreement=0.0)
    for mutation in mutations(formula, seed=1):
        wrong = models.judge(lifted, mutation.formula, disagreement=0.0)
        assert wrong.score > right.score, mutation
        assert wrong.agreement[mutation.dimension] < right.agreement[mutation.dimension], mutation


def test_a_formula_about_something_else_is_suspicious(models: Embedded) -> None:
    lifted = models.lift("The alarm must never be on.", "ltl", DOOR)
    right = models.judge(lifted, read("G ! alarm", "ltl"))
    assert models.judge(lifted, read("G ! sprinkler", "ltl")).score > max(0.5, right.score)


@settings(max_examples=25)
@given(
    text=st.one_of(
        st.text(max_size=60),
        st.lists(
            st.sampled_from("if until prop_7 not ( ) 5 🙂 a b door open 99 -3 , .".split()), max_size=40
        ).map(" ".join),
    ),
    logic=st.sampled_from(list(Logic)),
)
def test_nonsense_gives_a_formula_of_the_logic_or_nothing(models: Embedded, text: str, logic: Logic) -> None:
    try:
        lifted = models.lift(text, logic)
    except AssentError:
        return
    answer = models.translate(lifted)
    if answer is None:
        return
    check(answer.formula, logic)
    found = models.judge(lifted, answer.formula)
    assert 0.0 <= found.score <= 1.0
    assert set(found.agreement) == set(dimensions(logic))


def test_back_translation_names_what_the_formula_names(models: Embedded) -> None:
    said = models.english(read("G (door_open -> F[0,5] alarm)", "stl"), "stl")
    assert "door open" in said.lower()
    assert "5" in said


def test_vectors_are_unit_and_alike_for_like_sentences(models: Embedded) -> None:
    vectors = models.embedder.embed(["the door is open", "the door is closed", "def f(x): return x", ""])
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2]


def test_broken_weights_are_refused(tmp_path: object) -> None:
    from pathlib import Path

    from assent.embedded.judge import read_rule
    from assent.embedded.seq2seq import Seq2Seq

    folder = Path(str(tmp_path))
    with pytest.raises(ModelError):
        Seq2Seq(folder / "nowhere")
    (folder / "judge.json").write_text("{}")
    with pytest.raises(ModelError):
        read_rule(folder / "judge.json")


@pytest.mark.parametrize("path", sorted((shipped() / "policies").glob("*.json")), ids=lambda path: path.stem)
def test_shipped_policies_are_for_these_weights_and_accept_nothing_more_likely_wrong_than_right(
    models: Embedded, path: Path
) -> None:
    policy = Policy.load(path)
    assert policy.fingerprint["translator"] == policy.fingerprint["judge"] == f"embedded@{models.version}"
    assert all(rule.value <= 0.5 for rule in policy.rules.values() if isinstance(rule, Threshold))


def test_the_version_knows_how_readings_are_searched_for(
    models: Embedded, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assent.embedded.SEARCH", (1, 2, 3))
    assert Embedded().version != models.version


def test_an_instruction_is_lifted_once_for_each_vocabulary(models: Embedded) -> None:
    other = Vocabulary(propositions=(Entry("gate_open", "door open"),))
    text = "the door open must hold always"
    first = models.lift(text, "ltl", DOOR)
    assert models.lift(text, Logic.LTL, DOOR) is first
    assert models.lift(text, "ltl", other).names != first.names
    assert models.lift(text, "stl", DOOR).logic is Logic.STL
