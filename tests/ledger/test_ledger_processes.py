"""Several processes on one ledger: made once, drawn once, every look answered once."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

from assent.ledger import Draw, Kind, Ledger, ReviewAnswer
from assent.ledger.queue import remaining

HERE = Path(__file__).parent
ITEMS = 40


def test_five_processes_answer_every_look_once(place: str) -> None:
    paths = os.pathsep.join([str(HERE.parent), *sys.path])
    command = [sys.executable, str(HERE / "ledger_worker.py"), place]
    workers = [
        subprocess.Popen(
            [*command, handle, str(ITEMS)], stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": paths}
        )
        for handle in ("ann", "ann", "bob", "bob", "cy")
    ]
    acknowledged = [
        line for worker in workers for line in worker.communicate(timeout=240)[0].decode().split()
    ]
    assert [worker.returncode for worker in workers] == [0] * 5
    with Ledger.open(place) as ledger:
        answers = list(ledger.all(ReviewAnswer, Kind.ANSWER))
        assert sorted(answer.id for answer in answers) == sorted(acknowledged)
        assert ledger.counts()["decision"] == ledger.counts()["draw"] == ITEMS
        assert max(Counter((a.item, a.look) for a in answers).values()) == 1
        assert max(Counter((a.item, a.handle) for a in answers if a.look <= 2).values()) == 1
        assert remaining(ledger) == (0, len(answers))
        picked = [draw for draw in ledger.all(Draw, Kind.DRAW) if draw.picked]
        assert {a.item for a in answers} == {draw.decision for draw in picked}
