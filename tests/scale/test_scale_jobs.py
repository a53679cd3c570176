"""``--jobs``: the file of one process, whoever made its lines, whatever was killed meanwhile."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from below import children, command_of
from test_faults_batch import finish, prepare, server, start

from assent.cli import main
from assent.ledger import Kind, Ledger
from recordings import recording, write


def workers(pid: int) -> list[int]:
    return [one for one in children(pid) if "spawn_main" in command_of(one)]


def recorded(folder: Path, count: int) -> Path:
    rows = recording(count)
    path = write(folder / "in.jsonl", rows)
    with path.open("a") as stream:
        stream.write("no JSON\n" + json.dumps(rows[3]) + "\n" + json.dumps({"id": "new", "text": 7}) + "\n")
    return path


@pytest.mark.parametrize("jobs", [2, 3])
def test_collecting_with_jobs_writes_the_file_of_one_process(tmp_path: Path, jobs: int) -> None:
    file = recorded(tmp_path, 60)
    assert main(["collect", str(file), "-o", str(tmp_path / "one.jsonl"), "--quiet"]) == 1
    assert (
        main(["collect", str(file), "-o", str(tmp_path / "many.jsonl"), "--quiet", "--jobs", str(jobs)]) == 1
    )
    for name in ("one.jsonl", "many.jsonl"):
        rows = [json.loads(line) for line in (tmp_path / name).read_text().splitlines()]
        assert [row["failure"] for row in rows if "failure" in row] == [], name
    assert (tmp_path / "many.jsonl").read_bytes() == (tmp_path / "one.jsonl").read_bytes()
    assert (tmp_path / "many.jsonl.run.json").read_bytes() == (tmp_path / "one.jsonl.run.json").read_bytes()
    assert not list(tmp_path.glob("*.ahead.jsonl"))


def test_a_run_of_one_process_goes_on_with_two(tmp_path: Path) -> None:
    file = write(tmp_path / "in.jsonl", recording(40))
    one, cut = tmp_path / "one.jsonl", tmp_path / "cut.jsonl"
    assert main(["collect", str(file), "-o", str(one), "--quiet"]) == 0
    assert main(["collect", str(file), "-o", str(cut), "--quiet"]) == 0
    lines = cut.read_bytes().splitlines(keepends=True)
    cut.write_bytes(b"".join(lines[:11]) + lines[11][:40])  # as a kill leaves it
    assert main(["collect", str(file), "-o", str(cut), "--quiet", "--jobs", "2"]) == 0
    assert cut.read_bytes() == one.read_bytes()


def test_the_ledger_has_every_decision_once(tmp_path: Path) -> None:
    count = 12
    with server(tmp_path, count) as double:
        folder = prepare(tmp_path / "run", double.base_url, count)
        for name, more in (("one", []), ("many", ["--jobs", "2"])):
            process = start(folder, "--ledger", f"{name}.db", *more)
            assert process.wait(200) == 0
            for file in list(folder.glob("out.jsonl*")):
                file.rename(folder / file.name.replace("out", name))
    assert (folder / "one.jsonl").read_bytes() == (folder / "many.jsonl").read_bytes()
    ids = [json.loads(line)["decision_id"] for line in (folder / "many.jsonl").read_bytes().splitlines()]
    assert len(set(ids)) == count
    with Ledger.open(str(folder / "many.db")) as ledger:
        assert all(ledger.entry(Kind.DECISION, one) is not None for one in ids)


@pytest.mark.parametrize("idempotent", ["yes", "no"])
def test_killed_workers_and_drivers_leave_the_file_of_an_undisturbed_run(
    tmp_path: Path, idempotent: str
) -> None:
    """Ten workers and two drivers are killed. What was in flight is asked again: of a server that honours the names of
    calls nothing is paid twice; of another one only what was in flight.
    """
    count, kills, latency = 150, 10, 0.05
    rng = random.Random(5)
    with server(tmp_path, count, latency=latency) as quiet:
        whole = finish(prepare(tmp_path / "whole", quiet.base_url, count))
        paid = quiet.stats()["paid"]
    with server(tmp_path, count, latency=latency, idempotent=idempotent) as double:
        folder = prepare(tmp_path / "killed", double.base_url, count)
        process, killed, drivers = start(folder, "--jobs", "2"), 0, 0
        while killed < kills or drivers < 2:
            process = _moved_on(process, double, folder, rng.randrange(2, paid // 16))
            if drivers < 2 and killed >= 5 * (drivers + 1):
                _end(process)
                drivers += 1
                process = start(folder, "--jobs", "2")
            elif alive := workers(process.pid):
                os.kill(rng.choice(alive), signal.SIGKILL)
                killed += 1
        _, said = process.communicate(timeout=200)
        assert process.returncode == 0, said.decode()
        stats = double.stats()
    assert (folder / "out.jsonl").read_bytes() == (tmp_path / "whole" / "out.jsonl").read_bytes()
    assert len(whole) == count
    twice, again = stats["paid"] - paid, stats["replayed"]
    print(
        f"\n{killed} workers and {drivers} drivers killed: of {paid} calls {twice} paid twice, {again} asked again"
    )
    assert twice == 0 if idempotent == "yes" else twice <= 16 * (kills + 2)


def _moved_on(
    process: subprocess.Popen[bytes], double: Any, folder: Path, answers: int
) -> subprocess.Popen[bytes]:
    """Wait until so many more answers were served; a run that is over before its kill is a bad test."""
    goal = double.stats()["served"] + answers
    while double.stats()["served"] < goal:
        assert process.poll() is None, f"over before its kill: {process.communicate()[1].decode()}"
        time.sleep(0.005)
    return process


def _end(process: subprocess.Popen[bytes]) -> None:
    below = workers(process.pid)
    process.kill()
    process.communicate()
    until = time.monotonic() + 20
    while any("spawn_main" in command_of(pid) for pid in below):
        assert time.monotonic() < until, "workers outlived their driver"
        time.sleep(0.02)


def test_the_budget_holds_for_all_workers_together(tmp_path: Path) -> None:
    count = 40
    with server(tmp_path, count, latency=0.01) as double:
        folder = prepare(tmp_path / "run", double.base_url, count)
        config = (folder / "assent.toml").read_text()
        (folder / "assent.toml").write_text(config + "[budget]\ncalls = 30\n")
        process = start(folder, "--jobs", "2")
        process.communicate(timeout=200)
        assert process.returncode == 1
        assert double.stats()["served"] <= 30


def test_more_workers_than_calls_at_once_are_refused(tmp_path: Path) -> None:
    folder = prepare(tmp_path / "run", "http://127.0.0.1:9/v1", 3)
    said = subprocess.run(
        [sys.executable, "-m", "assent", "batch", "in.jsonl", "--config", "assent.toml", "--jobs", "17"],
        cwd=folder,
        capture_output=True,
        check=False,
    )
    assert said.returncode == 1 and b"allows 16 calls at once" in said.stderr
