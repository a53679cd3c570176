"""Nothing that fails is ever accepted; every reason is told apart; the policy must fit."""

from __future__ import annotations

import math

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pipeline_doubles import infeasible, policy_for, threshold

from assent.errors import PolicyError
from assent.logic import ast
from assent.logic.ast import Logic
from assent.policy import decide
from assent.policy.policy import GateSettings as Gate
from assent.records import (
    Abstained,
    Accepted,
    Candidate,
    Draft,
    Evidence,
    GateReading,
    Instruction,
    Score,
    candidate_of,
    parse,
    tier_of,
)
from assent.records.rows import decision_row, evidence_of, evidence_row

MADE = {"logic": "ltl", "translator": "x@1"}
CASE = Instruction(id="a", text="a then b", logic=Logic.LTL, extra={"register": "casual"})
GATE = Gate(neighbours=1, delta=0.05, distances=(0.1,) * 30, reference="r")


def evidence(score: float | None = 0.1, **more: object) -> Evidence:
    fields = {
        "instruction": CASE,
        "draft": Draft(candidate_of("G(a -> F b)", Logic.LTL)),
        "scores": () if score is None else (Score("fusion", score),),
        "made_by": MADE,
    }
    return Evidence(**{**fields, **more})  # type: ignore[arg-type]


POLICY = policy_for(MADE, {"D2": threshold(0.2), "D3": infeasible()})


def test_accepts_at_the_threshold_and_not_above() -> None:
    at = decide(evidence(0.2), policy=POLICY)
    assert isinstance(at, Accepted) and at.threshold == 0.2 and at.formula and at.english
    above = decide(evidence(math.nextafter(0.2, 1) + 1e-8), policy=POLICY)
    assert isinstance(above, Abstained) and above.reason == "suspicious" and above.score is not None


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"failure": "judge: down"}, "failed"),
        ({"draft": None}, "failed"),
        ({"score": None}, "failed"),
        ({"draft": Draft(Candidate("((", None, "broken"))}, "unreadable"),
        ({"draft": Draft(candidate_of("G(a -> F(b & c))", Logic.LTL))}, "infeasible"),
        ({"draft": Draft(candidate_of("G(a -> F(b & c & d))", Logic.LTL))}, "infeasible"),
        ({"score": 0.9}, "suspicious"),
    ],
)
def test_every_failure_abstains_with_its_reason(change: dict[str, object], reason: str) -> None:
    found = decide(evidence(**change), policy=POLICY)  # type: ignore[arg-type]
    assert isinstance(found, Abstained)
    assert found.reason == reason and found.detail
    row = decision_row(found)
    assert row["decision"] == "abstained" and "formula" not in row


def test_gate_defers_strictly_below_delta() -> None:
    gated = policy_for(MADE, {"D2": threshold(1.0)}, gate=GATE)
    far = decide(evidence(0.0, gate=GateReading(3.0, 0.0499)), policy=gated)
    assert isinstance(far, Abstained) and far.reason == "out-of-domain"
    assert isinstance(decide(evidence(0.0, gate=GateReading(3.0, 0.05)), policy=gated), Accepted)
    with pytest.raises(PolicyError, match="no gate reading"):
        decide(evidence(0.0), policy=gated)


def test_policy_for_other_models_is_refused() -> None:
    with pytest.raises(PolicyError, match="translator"):
        decide(evidence(made_by={**MADE, "translator": "y@1"}), policy=POLICY)
    with pytest.raises(PolicyError, match="logic"):
        decide(evidence(made_by={**MADE, "logic": "stl"}), policy=POLICY)
    with pytest.raises(PolicyError, match="judge"):
        decide(evidence(made_by={**MADE, "judge": "new"}), policy=POLICY)


def test_fallback_is_used_where_it_is_declared() -> None:
    shared = policy_for(MADE, {"rest": threshold(0.2)}, fallback={"D2": "rest"})
    assert isinstance(decide(evidence(0.1), policy=shared), Accepted)


@given(st.floats(allow_nan=True, allow_infinity=True))
def test_a_score_outside_the_unit_interval_cannot_exist(value: float) -> None:
    if 0 <= value <= 1:
        assert Score("x", value).value == value
    else:
        with pytest.raises(ValueError, match="must lie in"):
            Score("x", value)


@given(st.floats(0, 1), st.floats(0, 1))
def test_decision_is_monotone_in_the_score(low: float, limit: float) -> None:
    policy = policy_for(MADE, {"D2": threshold(limit)})
    accepted = isinstance(decide(evidence(low), policy=policy), Accepted)
    # Scores are compared in ticks of 1e-9: between equal ticks either order is the same score.
    assert accepted == (round(low * 10**9) <= round(limit * 10**9))


def test_evidence_survives_the_disk() -> None:
    whole = evidence(
        0.25,
        draft=Draft(
            candidate_of("G(a -> F b)", Logic.LTL),
            (candidate_of("((", Logic.LTL), candidate_of("F b", Logic.LTL)),
        ),
        gate=GateReading(0.5, 0.25),
        back_translation="Whenever a, b.",
        judge={"logical_structure": 90},
        censored=("fusion",),
    )
    row = msgspec.json.decode(msgspec.json.encode(evidence_row(whole)))
    assert (
        row["register"] == "casual" and row["samples"] == ["((", "F b"] and row["scores"] == {"fusion": 0.25}
    )
    assert evidence_of(row) == whole


@pytest.mark.parametrize(
    ("logic", "formula", "group"),
    [
        ("ltl", "F a", "D2"),
        ("ltl", "true", "D2"),
        ("ltl", "a U (b & c)", "D3"),
        ("ltl", "G(a & b & c & a)", "D3"),
        ("ltl", "a | b | c | d | e", "D4"),
        ("stl", "G[0,3](x > 3 & y < 2 & x > 3)", "D2"),
        ("spatial", "touch(a, b)", "D2"),
        ("spatial", "G(touch(a, b) & leftOf(a, c) & above(d, e) & below(f, g))", "D2"),
        ("spatial", "G(F(touch(a, b)))", "D3"),
        ("spatial", "G(F(touch(a, b))) & F(above(a, b))", "D4"),
    ],
)
def test_groups_are_functions_of_the_candidate(logic: str, formula: str, group: str) -> None:
    assert tier_of(Logic(logic), parse(formula, Logic(logic))) == group


def test_names_outside_the_vocabulary_are_unreadable() -> None:
    assert candidate_of("G(door -> F alarm)", Logic.LTL, frozenset({"door", "alarm"})).formula is not None
    stranger = candidate_of("G(door -> F bell)", Logic.LTL, frozenset({"door", "alarm"}))
    assert stranger.formula is None and "bell" in str(stranger.error)
    far = parse("G(dist(cup, plate) <= 0.3 & touch(cup, tray))", Logic.SPATIAL)
    assert ast.names(far) == {"cup", "plate", "tray"}
    assert ast.names(parse("F(abs(x - y) <= 2)", Logic.STL)) == {"x", "y"}
