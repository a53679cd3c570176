"""``--jobs``: the file of one process, whoever made its lines, whatever was killed meanwhile."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from below import children, command_of
from kills import DRIVERS, KILLS, SIDE_BY_SIDE, run_with_kills
from test_faults_batch import prepare, server, start

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
    found = run_with_kills(
        tmp_path, ["--jobs", "2"], lambda process: workers(process.pid), idempotent=idempotent
    )
    print(f"\n{found.said()}")
    assert found.same
    assert found.twice == 0 if idempotent == "yes" else found.twice <= SIDE_BY_SIDE * (KILLS + DRIVERS)


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
