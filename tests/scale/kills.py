"""Ten workers and two drivers of a run are killed at random moments; how the run ends is counted at the server."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from below import command_of
from test_faults_batch import finish, prepare, server, start

Process = subprocess.Popen[bytes]
COUNT, KILLS, DRIVERS, LATENCY = 150, 10, 2, 0.05
SIDE_BY_SIDE = 16
"""Calls that may be in flight at once, by the configuration of the tests of faults."""


@dataclass(frozen=True)
class Outcome:
    """What an undisturbed run paid, what the killed one paid beyond that, and what it asked again for nothing."""

    paid: int
    twice: int
    again: int
    same: bool

    def said(self) -> str:
        return (
            f"{KILLS} workers and {DRIVERS} drivers killed: of {self.paid} calls "
            f"{self.twice} paid twice, {self.again} asked again"
        )


def run_with_kills(
    tmp_path: Path, options: list[str], workers: Callable[[Process], list[int]], *, idempotent: str
) -> Outcome:
    """A batch with ``options`` whose ``workers`` and driver are killed, beside one of a single process."""
    rng = random.Random(5)
    with server(tmp_path, COUNT, latency=LATENCY) as quiet:
        whole = finish(prepare(tmp_path / "whole", quiet.base_url, COUNT))
        paid = quiet.stats()["paid"]
    assert len(whole) == COUNT
    with server(tmp_path, COUNT, latency=LATENCY, idempotent=idempotent) as double:
        folder = prepare(tmp_path / "killed", double.base_url, COUNT)
        process, killed, drivers = start(folder, *options), 0, 0
        while killed < KILLS or drivers < DRIVERS:
            _moved_on(process, double, rng.randrange(2, paid // 16))
            if drivers < DRIVERS and killed >= KILLS // DRIVERS * (drivers + 1):
                _end(process, workers)
                drivers += 1
                process = start(folder, *options)
            elif alive := workers(process):
                os.kill(rng.choice(alive), signal.SIGKILL)
                killed += 1
        _, said = process.communicate(timeout=400)
        assert process.returncode == 0, said.decode()
        stats = double.stats()
    same = (folder / "out.jsonl").read_bytes() == (tmp_path / "whole" / "out.jsonl").read_bytes()
    return Outcome(paid, stats["paid"] - paid, stats["replayed"], same)


def _moved_on(process: Process, double: Any, answers: int) -> None:
    """Wait until so many more answers were served; a run that is over before its kill is a bad test."""
    goal = double.stats()["served"] + answers
    while double.stats()["served"] < goal:
        assert process.poll() is None, f"over before its kill: {process.communicate()[1].decode()}"
        time.sleep(0.005)


def _end(process: Process, workers: Callable[[Process], list[int]]) -> None:
    """Kill the driver; its workers must end with it."""
    below = {pid: command_of(pid) for pid in workers(process)}
    process.kill()
    process.communicate()
    until = time.monotonic() + 60
    while any(command_of(pid) == command for pid, command in below.items()):
        assert time.monotonic() < until, "workers outlived their driver"
        time.sleep(0.02)
