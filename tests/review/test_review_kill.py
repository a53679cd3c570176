"""kill -9 in the middle of reviewing: no answer lost, none doubled."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import time

import pytest
from review_cases import rows
from review_program import COMMAND

from assent.ledger import Kind, Ledger, LedgerPlan, ReviewAnswer, draw_new, record_all
from assent.ledger.queue import remaining

KEYS = 25
"""Keys that a run gets, each at least five lines on the screen: on a busy machine a kill comes late, and a run with
keys for every item would have answered them all by then. With its keys used up it waits, and is killed there."""


def _killed_run(place: str, rng: random.Random) -> int:
    """Answer as fast as possible until killed, at work or waiting; how many answers were said to be kept."""
    process = subprocess.Popen(
        [*COMMAND, place, "--as", "ann"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b"".join(rng.choice([b"0\n", b"1\n", b"d\n"]) for _ in range(KEYS)))
    process.stdin.flush()
    lines = [process.stdout.readline() for _ in range(rng.randint(1, 5 * KEYS))]
    time.sleep(rng.random() * 0.01)
    os.kill(process.pid, signal.SIGKILL)
    out = (b"".join(lines) + process.communicate()[0]).decode(errors="replace")
    assert process.returncode == -signal.SIGKILL, "it was over before its kill"
    return out.count("kept: ")


def _check(place: str, acknowledged: int, kills: int) -> None:
    with Ledger.open(place) as ledger:
        answers = list(ledger.all(ReviewAnswer, Kind.ANSWER))
        assert len({answer.item for answer in answers}) == len(answers)
        # Said to be kept is kept; of each killed run one more may be on disk whose message was never written.
        assert acknowledged <= len(answers) <= acknowledged + kills
        assert remaining(ledger)[1] == len(answers)


def _kill(place: str, kills: int, items: int) -> None:
    assert kills * KEYS < items
    with Ledger.open(place, create=True) as ledger:
        record_all(ledger, rows(items))
        draw_new(ledger, LedgerPlan(audit="1", abstained="1", twice="0", plants="0"))
    rng, acknowledged = random.Random(7), 0
    for number in range(1, kills + 1):
        acknowledged += _killed_run(place, rng)
        _check(place, acknowledged, number)
    assert acknowledged > 0
    subprocess.run([*COMMAND, place, "--as", "ann"], input=b"0\n" * items, capture_output=True, check=True)
    with Ledger.open(place) as ledger:
        answers = list(ledger.all(ReviewAnswer, Kind.ANSWER))
        assert len(answers) == len({answer.item for answer in answers}) == items
        assert remaining(ledger) == (0, items)


def test_four_kills(place: str) -> None:
    _kill(place, 4, 200)


@pytest.mark.slow
@pytest.mark.timeout(3000)
def test_fifty_kills(place: str) -> None:
    _kill(place, 50, 1500)
