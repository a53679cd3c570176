"""Watching a stream against the policy it ran under."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from assent.calibrate import crc
from assent.cli.watch import watched
from assent.errors import DataError, PolicyError
from assent.policy import Policy


def policy(rng: np.random.Generator) -> Policy:
    scores = np.round(rng.random(300), 2)
    rule = crc(scores, rng.random(300) < scores / 3, alpha=0.1)
    return Policy(
        alpha=0.1, rules={"D2": rule}, fingerprint={}, channel="fusion", scores=tuple(scores.tolist())
    )


def stream(path: Path, scores: np.ndarray, **more: object) -> str:
    rows = [
        {
            "id": str(k),
            "decision": "accepted",
            "evidence": {"logic": "ltl", "scores": {"fusion": float(s)}, **more},
        }
        for k, s in enumerate(scores)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def test_same_scores_are_quiet_and_others_ring(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    made = {"ltl": policy(rng)}
    calm = stream(tmp_path / "calm.jsonl", np.round(rng.random(400), 2))
    assert "no sign of drift in 400 items" in watched(calm, made)
    changed = stream(tmp_path / "changed.jsonl", np.round(rng.random(400) ** 0.3, 2))
    with pytest.raises(PolicyError, match="calibrate again"):
        watched(changed, made)
    one = stream(tmp_path / "cluster.jsonl", np.ones(400), cluster="a")
    assert "in 1 items" in watched(one, made)
    lazy = stream(tmp_path / "lazy.jsonl", np.ones(3), censored=["fusion"])
    with pytest.raises(DataError, match=r"lazy.jsonl:1: .*--full"):
        watched(lazy, made)


def test_late_labels(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    made = {"ltl": policy(rng)}
    path = Path(stream(tmp_path / "late.jsonl", np.round(rng.random(300), 2)))
    rows = [json.loads(line) for line in path.read_text().splitlines()]

    def labelled(rate: float, **more: float) -> str:
        marked = [{**row, "wrong": int(rng.random() < rate), **more} for row in rows]
        path.write_text("".join(json.dumps(row) + "\n" for row in marked))
        return watched(str(path), made)

    assert "by 300 labels" in labelled(0.08, q=1)
    with pytest.raises(PolicyError, match=r"risk is at least 0\.\d+, above alpha"):
        labelled(0.3, q=1)
    with pytest.raises(DataError, match=r"late\.jsonl:1: .*probability"):
        labelled(0.08)
