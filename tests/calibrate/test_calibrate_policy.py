"""Policies: round trip, and refusal of everything damaged, newer or made for something else."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from assent.calibrate import Infeasible, Threshold, crc, group_rules, split
from assent.calibrate.fusion import Fusion
from assent.calibrate.metrics import risk_coverage
from assent.calibrate.recipe import Recipe
from assent.calibrate.rules import Expected
from assent.errors import DataError, PolicyError
from assent.policy import Policy
from assent.policy.policy import GateSettings as Gate

FINGERPRINT = {"translator": "embedded 1", "prompts": "3f2a", "judge": "embedded 1", "equivalence": "exact"}
SCORES = [k / 40 for k in range(40)] * 2
LOSSES = [int(k > 25) for k in range(40)] * 2


def policy() -> Policy:
    groups = ["D2"] * 40 + ["D3"] * 38 + ["D9"] * 2
    made = group_rules(SCORES, LOSSES, groups, recipe=Recipe(alpha="0.1"), fallback={"D9": "few"})
    return Policy(
        alpha=0.1,
        rules=made.rules,
        fallback=made.fallback,
        fingerprint=FINGERPRINT,
        channel="fusion",
        fusion=Fusion(kind="mean", channels=("a", "b"), weights=(0.5, 0.5)),
        gate=Gate(neighbours=10, delta=0.05, distances=(0.1, 0.2), reference="sha256:00"),
        curves={"D2": risk_coverage(SCORES[:40], LOSSES[:40], points=10)},
        expected={"D2": Expected(acceptance=0.7, low=0.6, high=0.8)},
        provenance={"file": "recorded.jsonl"},
        tie_secret="s",
    )


def test_round_trip(tmp_path: Path) -> None:
    made, path = policy(), tmp_path / "policy.json"
    made.save(path)
    assert Policy.load(path) == made
    assert Policy.load(path, FINGERPRINT) == made
    raw = json.loads(path.read_text())
    assert raw["schema"] == 1 and raw["alpha"] == 0.1 and raw["fingerprint"] == FINGERPRINT
    assert raw["rules"]["D2"]["threshold"] == made.rules["D2"].value
    assert "infeasible" in raw["rules"]["few"] and {"n", "floor"} <= raw["rules"]["few"].keys()
    assert isinstance(made.rule_for("D2"), Threshold)
    assert made.rule_for("D9") is made.rules["few"]
    assert isinstance(made.rule_for("D7"), Infeasible)


def test_decisions_survive_the_file(tmp_path: Path) -> None:
    """Thresholds that are no short decimals accept the same scores after a round trip."""
    scores = [k / 7 for k in range(8)] * 5
    rule = crc(scores, [int(s > 0.5) for s in scores], alpha=0.1)
    made = Policy(alpha=0.1, rules={"g": rule}, fingerprint={}, channel="c")
    again = Policy.from_json(made.to_json()).rule_for("g")
    assert [again.accepts(s) for s in scores] == [rule.accepts(s) for s in scores]
    assert any(rule.accepts(s) for s in scores) and not all(rule.accepts(s) for s in scores)


@pytest.mark.parametrize("part", list(FINGERPRINT))
def test_anything_else_is_refused(part: str) -> None:
    with pytest.raises(PolicyError, match=f"calibrated for another {part}: .*other"):
        Policy.from_json(policy().to_json(), {**FINGERPRINT, part: "other"})
    with pytest.raises(PolicyError, match=f"another {part}"):
        Policy.from_json(policy().to_json(), {k: v for k, v in FINGERPRINT.items() if k != part})
    with pytest.raises(PolicyError, match="another gate"):
        policy().check({**FINGERPRINT, "gate": "new"})


def test_newer_is_refused() -> None:
    raw = json.loads(policy().to_json())
    with pytest.raises(PolicyError, match="newer version"):
        Policy.from_json(json.dumps({**raw, "schema": 2, "surprise": 1}))
    with pytest.raises(PolicyError, match="no schema 0"):
        Policy.from_json(json.dumps({**raw, "schema": 0}))


@pytest.mark.parametrize(
    "change",
    [
        {"alpha": 0.2},
        {"alpha": "0.1"},
        {"surprise": 1},
        {"rules": {}},
        {"rules": {"D2": {"rule": "threshold", "threshold": 7.0}}},
        {"rules": None},
        {"fingerprint": None},
        {"checksum": "0"},
        {"fallback": {"D9": "nowhere"}},
    ],
)
def test_damage_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(PolicyError, match=r"damaged|no rule"):
        Policy.from_json(json.dumps({**json.loads(policy().to_json()), **change}))


def test_every_truncation_is_refused() -> None:
    text = policy().to_json()
    for end in range(0, len(text) - 2, 97):
        with pytest.raises(PolicyError):
            Policy.from_json(text[:end])


@pytest.mark.parametrize("text", ["", "[]", "{}", "null", '{"schema": "1"}', '{"schema": true}', "\x00"])
def test_what_is_no_policy(text: str) -> None:
    with pytest.raises(PolicyError):
        Policy.from_json(text)


def test_a_changed_threshold_is_refused() -> None:
    raw = json.loads(policy().to_json())
    raw["rules"]["D2"]["threshold"] = 0.99
    with pytest.raises(PolicyError, match="checksum"):
        Policy.from_json(json.dumps(raw))


def test_the_baseline_cannot_be_a_policy() -> None:
    with pytest.raises(PolicyError, match="baseline"):
        Policy(alpha=0.1, rules={"g": split(SCORES, LOSSES, alpha=0.1)}, fingerprint={}, channel="c")


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match="cannot read"):
        Policy.load(tmp_path / "none.json")


def test_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "policy.json"
    policy().save(path)
    before = path.read_text()

    def fail(_: int) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(DataError, match="cannot be written"):
        policy().save(path)
    assert path.read_text() == before
    assert [p.name for p in tmp_path.iterdir()] == ["policy.json"]
