"""The whole loop on one ledger: decide, draw, answer, calibrate from it; and what the naive loop would have done."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from assent.calibrate.rules import Threshold
from assent.cli import main
from assent.errors import UsageError
from assent.io.lines import read_rows
from assent.ledger import Ledger, LedgerPlan, draw_new, record_all, record_policy
from assent.policy import Policy
from assent.records import Accepted
from assent.records.rows import evidence_of
from assent.review.promise import policy_from
from assent.testing import lenient_policy
from recordings import rated, write

MADE_BY = {"logic": "ltl", "translator": "recorded a recorded model"}
ALPHA = 0.2


def evidence(number: int, rng: random.Random) -> tuple[dict[str, Any], bool]:
    """A row whose score is its probability of being wrong, and whether it is wrong."""
    score = rng.random() ** 2
    wrong = rng.random() < score
    row = {
        "id": f"r{number}",
        "logic": "ltl",
        "text": f"instruction {number}",
        "candidate": "G (a -> F b)",
        "samples": ["G (a -> F b)"] * 5,
        "judge": rated(100),
        "scores": {"default": score},
        "made_by": MADE_BY,
    }
    return row, wrong


def stream(path: Path, count: int, seed: int, *, answered: bool = True) -> list[tuple[dict[str, Any], bool]]:
    """A ledger with ``count`` decisions, drawn by plan; every drawn one is answered by the truth."""
    rng = random.Random(seed)
    rows = [evidence(number, rng) for number in range(count)]
    policy = lenient_policy(MADE_BY, alpha=ALPHA, limit=0.1)
    decisions = []
    for row, _ in rows:
        accepted = row["scores"]["default"] <= 0.1
        body = {
            "id": row["id"],
            "decision": "accepted" if accepted else "abstained",
            "score": row["scores"]["default"],
        }
        body |= {"formula": "G(a -> (F b))"} if accepted else {"reason": "suspicious", "detail": "score"}
        decisions.append({**body, "alpha": ALPHA, "evidence": {**row, "formula": "G(a -> (F b))"}})
    with Ledger.open(path, create=True) as ledger:
        record_all(ledger, decisions, policy=record_policy(ledger, policy.to_json()))
        draw_new(ledger, LedgerPlan(audit="0.4", abstained="0.6"))
    if answered:
        truth = {row["id"]: "F b" if wrong else "G (a -> F b)" for row, wrong in rows}
        answers = [{"id": key, "formula": formula} for key, formula in truth.items()]
        file = write(path.with_suffix(".answers.jsonl"), answers)
        assert main(
            [
                "review",
                str(path),
                "--as",
                "me",
                "--audit",
                "0.4",
                "--abstained",
                "0.6",
                "--answers",
                str(file),
            ]
        ) in (0, 1)
    return rows


def risk_of(policy: Policy, seed: int, count: int = 4000) -> tuple[float, float]:
    rng = random.Random(seed)
    accepted = wrong = 0
    for number in range(count):
        row, bad = evidence(number, rng)
        if isinstance(policy.decide(evidence_of(row)), Accepted):
            accepted += 1
            wrong += bad
    return wrong / count, accepted / count


def test_a_policy_from_draws_and_answers_keeps_its_promise(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    risks, shares = [], []
    for seed in range(4):
        path = tmp_path / f"{seed}.db"
        stream(path, 250, seed)
        with Ledger.open(path) as ledger:
            policy = policy_from(ledger, alpha="0.2", channel="default")
        assert (
            policy.rules["all"].kind == "audited"
            and policy.provenance["answered"] == policy.provenance["drawn"]
        )
        risk, share = risk_of(policy, 100 + seed)
        risks.append(risk)
        shares.append(share)
    # On average over calibrations; four of them, each with a standard deviation of about .04.
    assert sum(risks) / 4 <= 0.2 + 3 * 0.02 and min(shares) > 0.3
    capsys.readouterr()
    code = main(
        [
            "calibrate",
            "--from",
            str(tmp_path / "0.db"),
            "--alpha",
            "0.2",
            "--channel",
            "default",
            "-o",
            str(tmp_path / "p.json"),
        ]
    )
    assert code == 0 and "acceptance to expect" in capsys.readouterr().out
    assert Policy.load(tmp_path / "p.json").grouping == "all"


def test_alpha_may_be_chosen_after_looking_where_the_band_is_asked_for(tmp_path: Path) -> None:
    """Somebody takes the smallest alpha that accepts anything, and the largest limit of several: both hold."""
    path = tmp_path / "l.db"
    stream(path, 250, 5)
    with Ledger.open(path) as ledger:
        made = [
            policy_from(ledger, alpha=a / 50, delta="0.1", channel="default", afterwards=True)
            for a in range(1, 26)
        ]
        with pytest.raises(UsageError, match="give --delta"):
            policy_from(ledger, alpha="0.2", channel="default", afterwards=True)
        fixed = policy_from(ledger, alpha="0.3", channel="default").rules["all"]
    some = [policy for policy in made if isinstance(policy.rules["all"], Threshold)]
    assert 0 < len(some) < len(made) and {policy.rules["all"].kind for policy in some} == {"band"}
    for policy in some:
        assert risk_of(policy, 200, 2000)[0] <= policy.alpha
    (banded,) = (policy.rules["all"] for policy in made if policy.alpha == 0.3)
    assert banded.accepts(0.2) <= fixed.accepts(0.2)  # what it costs
    with Ledger.open(path) as ledger:
        other = record_policy(ledger, lenient_policy(MADE_BY, alpha=ALPHA, limit=0.2).to_json())
        row, _ = evidence(999, random.Random(9))
        body = {
            "id": "r999",
            "decision": "abstained",
            "reason": "suspicious",
            "detail": "score",
            "score": 0.9,
        }
        late = {**body, "alpha": ALPHA, "evidence": {**row, "formula": "G(a -> (F b))"}}
        record_all(ledger, [late], policy=other)
        draw_new(ledger, LedgerPlan(audit="0.4", abstained="0.6"))
        with pytest.raises(UsageError, match="several policies"):
            policy_from(ledger, alpha="0.3", delta="0.1", channel="default", afterwards=True)


def test_what_was_drawn_and_not_answered_counts_as_wrong(tmp_path: Path) -> None:
    stream(tmp_path / "a.db", 250, 1)
    stream(tmp_path / "b.db", 250, 1, answered=False)
    with Ledger.open(tmp_path / "a.db") as some, Ledger.open(tmp_path / "b.db") as none:
        answered = policy_from(some, alpha="0.2", channel="default").rules["all"]
        silent = policy_from(none, alpha="0.2", channel="default").rules["all"]
    assert silent.accepts(0.0) <= answered.accepts(0.0)
    assert getattr(silent, "value", -1.0) < answered.value  # type: ignore[union-attr]


def test_a_ledger_without_draws_is_refused(tmp_path: Path) -> None:
    with (
        Ledger.open(tmp_path / "x.db", create=True) as ledger,
        pytest.raises(UsageError, match="assent review"),
    ):
        policy_from(ledger, alpha="0.1")
    assert main(["calibrate", "--alpha", "0.1", "-o", str(tmp_path / "p.json")]) == 2


def test_batch_keeps_every_decision(tmp_path: Path) -> None:
    cases = write(
        tmp_path / "c.jsonl", [{"id": str(i), "logic": "ltl", "text": "always p1"} for i in range(3)]
    )
    out = tmp_path / "out.jsonl"
    main(["batch", str(cases), "-o", str(out), "--ledger", str(tmp_path / "l.db"), "--quiet"])
    ids = [row["decision_id"] for _, row in read_rows(out)]
    with Ledger.open(tmp_path / "l.db") as ledger:
        assert len(ids) == 3 and ledger.counts()["decision"] == 3
