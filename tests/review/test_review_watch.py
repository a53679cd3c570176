"""Watching a ledger: healthy streams stay quiet, sick ones are found, and what is not known is not counted."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from test_review_labels import _answer_all, _row

from assent.calibrate import crc
from assent.ledger import Ledger, LedgerPlan, draw_new, record_all, record_policy
from assent.policy import Policy
from assent.review.labels import label_rows
from assent.review.watching import from_ledger, watched


def _policy(rng: np.random.Generator) -> Policy:
    scores = np.round(rng.random(300), 2)
    rule = crc(scores, rng.random(300) < scores / 3, alpha=0.1)
    return Policy(
        alpha=0.1, rules={"D2": rule}, fingerprint={}, channel="fused", scores=tuple(scores.tolist())
    )


def _stream(place: str, policy: Policy, scores: np.ndarray, error: float, seed: int) -> None:
    """Accepted below 0.6; a share ``error`` of the accepted wrong; a third audited, every answer given."""
    rng = np.random.default_rng(seed)
    with Ledger.open(place, create=True) as ledger:
        key = record_policy(ledger, policy.to_json())
        made = [_row(n, float(s), accepted=s <= 0.6) for n, s in enumerate(scores)]
        record_all(ledger, made, policy=key)
        draw_new(ledger, LedgerPlan(audit="0.5", abstained="0.5", twice="0", plants="0"))
        _answer_all(ledger, {f"r{n}": bool(rng.random() < error) for n in range(len(scores))})


def _watch(place: str) -> tuple[int, dict[str, object]]:
    done = subprocess.run(
        [sys.executable, "-m", "assent", "watch", place, "--json"],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, json.loads(done.stdout)


def test_a_healthy_stream_is_quiet(place: str) -> None:
    rng = np.random.default_rng(3)
    _stream(place, _policy(rng), np.sort(np.round(rng.random(250), 2)), 0.02, 1)
    code, found = _watch(place)
    assert (code, found["ok"], found["troubles"]) == (0, True, [])
    (seen,) = found["policies"].values()  # type: ignore[attr-defined]
    assert seen["items"] == 250
    assert seen["labels"] > 50
    assert seen["low"] <= 0.6 * 0.02 <= seen["high"]


@pytest.mark.parametrize(
    ("power", "error", "said"), [(4.0, 0.02, "scores have changed"), (1.0, 0.9, "joint risk")]
)
def test_a_sick_stream_is_found(tmp_path: Path, power: float, error: float, said: str) -> None:
    rng = np.random.default_rng(4)
    place = str(tmp_path / "l.db")
    _stream(place, _policy(rng), np.round(rng.random(250) ** power, 2), error, 2)
    code, found = _watch(place)
    assert code == 1
    assert any(said in trouble for trouble in found["troubles"])  # type: ignore[attr-defined]


def test_the_bounds_stop_at_the_first_item_that_waits(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    policy = _policy(rng)
    with Ledger.open(tmp_path / "l.db", create=True) as ledger:
        record_all(
            ledger,
            [_row(n, 0.1, accepted=True) for n in range(50)],
            policy=record_policy(ledger, policy.to_json()),
        )
        draw_new(ledger, LedgerPlan(audit="1", abstained="1", twice="0"))
        rows = list(from_ledger(label_rows(ledger)))
        assert watched(rows, policy, file="l").labels == 0
        _answer_all(ledger, {f"r{n}": False for n in range(50)})
        rows = list(from_ledger(label_rows(ledger)))
        assert watched(rows, policy, file="l").labels == 50


def test_a_ledger_without_policies_has_nothing_to_watch(tmp_path: Path) -> None:
    with Ledger.open(tmp_path / "l.db", create=True) as ledger:
        record_all(ledger, [_row(1, 0.1, accepted=True)])
    done = subprocess.run(
        [sys.executable, "-m", "assent", "watch", str(tmp_path / "l.db")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "nothing to watch" in done.stderr
