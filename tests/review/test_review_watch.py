"""Watching a ledger: healthy streams stay quiet, sick ones are found, and what is not known is not counted."""

from __future__ import annotations

import dataclasses
import json
import math
import subprocess
import sys
from pathlib import Path

import msgspec
import numpy as np
import pytest
from test_review_labels import _answer_all, _row

from assent.calibrate import crc
from assent.calibrate.betting import play
from assent.calibrate.watching import RiskWatch, watch_risk
from assent.ledger import Ledger, LedgerPlan, draw_new, record_all, record_policy
from assent.policy import Policy
from assent.review.labels import label_rows
from assent.review.watching import StreamRow, from_ledger, watched


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


def _line(
    n: int, cluster: str, wrong: float, *, drawn: bool = True, accepted: bool = True, q: float = 0.5
) -> StreamRow:
    return StreamRow(
        id=f"r{n}", logic="ltl", accepted=accepted, cluster=cluster, scores={"fused": 0.1}, deferred=False,
        censored=False, q=q, drawn=drawn, wrong=wrong, line=n,
    )  # fmt: skip


def test_a_cluster_counts_once_by_the_mean_of_its_members() -> None:
    """As if each cluster were one item whose loss is the mean; members that abstained lose nothing."""
    rng = np.random.default_rng(6)
    policy = _policy(rng)
    rows, means, taken = [], [], []
    for c in range(120):
        drawn = bool(rng.random() < 0.5)
        lost = [float(rng.random() < 0.3) for _ in range(3)]
        rows += [_line(4 * c + k, f"c{c}", w if drawn else math.nan, drawn=drawn) for k, w in enumerate(lost)]
        rows.append(_line(4 * c + 3, f"c{c}", math.nan, drawn=False, accepted=False, q=math.nan))
        means.append(sum(lost) / 4 / 0.5 if drawn else 0.0)
        taken.append(drawn)
    found = watched(rows, policy, file="stream")
    state = watch_risk(alpha="0.1", least=0.5)
    oracle = _played(state, np.array(means))
    assert (found.low, found.high) == oracle.interval()
    assert found.labels == 3 * sum(taken)
    shuffled = [
        rows[at] for at in rng.permutation(len(rows))
    ]  # members far apart are one cluster all the same
    assert watched(shuffled, policy, file="stream").labels == found.labels


def _played(state: RiskWatch, loss: np.ndarray) -> RiskWatch:
    """Bets on these losses directly, without draws or clusters."""
    rates, worst = np.asarray(state.rates), 1 / state.least
    over = play(
        state.over, loss[:, None] - rates, cap=0.5 / rates, hoped=rates / 4, spread=rates * worst, delta=0.025
    )
    under = play(
        state.under, rates - loss[:, None], cap=0.5 / (worst - rates), hoped=rates / 4,
        spread=rates * worst / 2, delta=0.025,
    )  # fmt: skip
    return msgspec.structs.replace(state, over=over, under=under)


def test_copies_of_a_row_do_not_make_the_bounds_narrower() -> None:
    """Ten copies of every row, in one cluster each: the same bounds. Counted by row they would be far narrower."""
    rng = np.random.default_rng(7)
    policy = _policy(rng)
    lost = [float(rng.random() < 0.2) for _ in range(60)]
    once = [_line(n, f"c{n}", w) for n, w in enumerate(lost)]
    copies = [_line(100 * k + n, f"c{n}", w) for k in range(10) for n, w in enumerate(lost)]
    alone = [dataclasses.replace(row, cluster=None) for row in copies]
    first, second, third = (watched(rows, policy, file="stream") for rows in (once, copies, alone))
    assert (first.low, first.high) == (second.low, second.high)
    assert third.high - third.low < first.high - first.low


def test_clusters_drawn_in_part_count_by_one_member_and_wait_as_a_whole() -> None:
    rng = np.random.default_rng(8)
    policy = _policy(rng)
    part = [_line(n, f"c{n // 2}", 0.0 if n % 2 else math.nan, drawn=bool(n % 2)) for n in range(80)]
    assert 0 < watched(part, policy, file="stream").labels < 40
    waits = [_line(n, f"c{n // 2}", math.nan if n == 41 else 0.0) for n in range(80)]
    assert watched(waits, policy, file="stream").labels == 40  # the cluster of 40 and 41 is not fed by half


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
