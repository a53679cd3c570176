"""Batches that are killed, interrupted and lied to: nothing lost, nothing paid twice, nothing wrongly accepted."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from server import Running, running

from assent.calibrate.rules import Threshold
from assent.config.build import Options, assemble
from assent.io.lines import write_rows
from assent.logic.ast import Logic
from assent.policy.policy import Policy

CONFIG = """
second_opinion = false  # the answers of the double belong to no text
concurrency = {concurrency}
policies = ["policy.json"]
lazy = {lazy}
[models.double]
kind = "openai"
name = "double"
version = "1"
base_url = "{url}"
timeout = {timeout}
concurrency = {concurrency}
attempts = 10
[translator]
model = "double"
[back_translator]
model = "double"
[judge]
model = "double"
"""
SHAPES = ("G(a{n} -> F b{n})", "F a{n}", "a{n} U (b{n} & c)", "G(a{n} | b{n} | c | d)")


def prepare(folder: Path, url: str, count: int, *, lazy: bool = True, timeout: float = 30.0) -> Path:
    """A configuration, a policy that fits it and an input; the folder is a run of its own (own cache)."""
    folder.mkdir()
    settings = {"url": url, "lazy": str(lazy).lower(), "concurrency": 16, "timeout": timeout}
    (folder / "assent.toml").write_text(CONFIG.format(**settings).replace("policies", "# policies"))
    parts = assemble(Options(config=str(folder / "assent.toml")))
    rule = Threshold(
        value=0.2, alpha=0.1, n=200, floor=0.01, kind="crc", unit="pair", accepted=0.5, risk=0.05
    )
    made_by = parts.collector.made_by(Logic.LTL)
    rules = {"D2": rule, "D3": rule}
    Policy(alpha=0.1, rules=rules, fingerprint=made_by, channel="fusion").save(folder / "policy.json")
    (folder / "assent.toml").write_text(CONFIG.format(**settings))
    write_rows(folder / "in.jsonl", [{"id": f"i{n}", "logic": "ltl", "text": text(n)} for n in range(count)])
    return folder


def text(n: int) -> str:
    return f"instruction number {n}"


@contextlib.contextmanager
def server(folder: Path, count: int, **options: Any) -> Iterator[Running]:
    answers = {text(n): SHAPES[n % len(SHAPES)].format(n=n) for n in range(count)}
    (folder / "answers.json").write_text(json.dumps(answers))
    with running(answers=folder / "answers.json", **options) as double:
        yield double


def start(folder: Path, *more: str) -> subprocess.Popen[bytes]:
    argv = [sys.executable, "-m", "assent", "batch", "in.jsonl", "-o", "out.jsonl", "--config", "assent.toml"]
    # A shell that runs the tests in the background has them ignore Ctrl-C; the program under test must hear it.
    return subprocess.Popen(
        [*argv, "--quiet", *more],
        cwd=folder,
        stderr=subprocess.PIPE,
        preexec_fn=_hear_interrupts,  # noqa: PLW1509
    )


def _hear_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def finish(folder: Path) -> list[dict[str, Any]]:
    process = start(folder)
    _, said = process.communicate(timeout=1000)
    assert process.returncode == 0, said.decode()
    assert not list(folder.glob("*.ahead.jsonl"))
    return [json.loads(line) for line in (folder / "out.jsonl").read_bytes().splitlines()]


def kill_at_random(tmp_path: Path, *, kills: int, count: int, latency: float) -> None:
    rng = random.Random(kills)
    with server(tmp_path, count, latency=latency) as double:
        whole = finish(prepare(tmp_path / "whole", double.base_url, count))
        paid = double.stats()["served"]
        folder = prepare(tmp_path / "killed", double.base_url, count)
        for _ in range(kills):
            # A moment of the work, not of the clock: after so many answers, then a little later. The server keeps the
            # rest back, so that the batch cannot be over before a kill that comes late on a busy machine.
            goal = double.stats()["served"] + rng.randrange(int(paid / kills * 0.9))
            double.hold(goal)
            process = start(folder)
            while double.stats()["served"] < goal and process.poll() is None:
                time.sleep(0.01)
            time.sleep(rng.uniform(0, 2 * latency))
            assert process.poll() is None, "the batch was over before its kill"
            process.send_signal(signal.SIGKILL)
            process.communicate()
        double.hold(None)
        assert len(finish(folder)) == len(whole) == count
        repeated = double.stats().get("repeated", 0)
    assert (folder / "out.jsonl").read_bytes() == (tmp_path / "whole" / "out.jsonl").read_bytes()
    assert [row["id"] for row in whole] == [f"i{n}" for n in range(count)]
    assert {row["decision"] for row in whole} == {"accepted", "abstained"}
    # The second folder has a cache of its own, so all its calls were served before, once, for the first.
    print(f"\n{kills} kills, {paid} calls undisturbed, {repeated - paid} more with them")
    assert repeated - paid <= 16 * kills


def test_killed_batches_end_like_undisturbed_ones(tmp_path: Path) -> None:
    kill_at_random(tmp_path, kills=5, count=60, latency=0.05)


@pytest.mark.slow
@pytest.mark.timeout(3000)
def test_fifty_kills(tmp_path: Path) -> None:
    kill_at_random(tmp_path, kills=50, count=600, latency=0.1)


def test_a_kill_repeats_at_most_the_calls_in_flight(tmp_path: Path) -> None:
    count = 40
    with server(tmp_path, count, latency=0.05) as double:
        folder = prepare(tmp_path / "run", double.base_url, count)
        process = start(folder)
        while double.stats().get("served", 0) < 60 and process.poll() is None:
            time.sleep(0.02)
        process.kill()
        process.communicate()
        time.sleep(0.2)
        finish(folder)
        stats = double.stats()
    # Sixteen calls at once: no more than those can have been answered without being stored.
    assert stats.get("repeated", 0) <= 16


def test_interrupt_says_how_to_go_on(tmp_path: Path) -> None:
    count = 40
    with server(tmp_path, count, latency=0.4) as double:
        folder = prepare(tmp_path / "run", double.base_url, count)
        for stop in (signal.SIGINT, signal.SIGTERM):
            process = start(folder)
            before = double.stats().get("served", 0)
            while double.stats().get("served", 0) < before + 20 and process.poll() is None:
                time.sleep(0.02)
            process.send_signal(stop)
            _, said = process.communicate(timeout=20)
            assert process.returncode == 130, said
            assert b"goes on from here" in said and b"Traceback" not in said
        assert len(finish(folder)) == count
        assert len({row["id"] for row in finish(folder)}) == count


def misbehaving(tmp_path: Path, count: int, faults: str, **options: Any) -> None:
    with server(tmp_path, count) as good:
        right = {row["id"]: row for row in finish(prepare(tmp_path / "good", good.base_url, count))}
    with server(tmp_path, count, faults=faults, stall=0.2, **options) as bad:
        folder = prepare(tmp_path / "bad", bad.base_url, count)
        # The same model by name and version: only the address differs.
        found = finish(folder)
        stats = bad.stats()
    assert [row["id"] for row in found] == [f"i{n}" for n in range(count)]
    assert stats.get("repeated", 0) == 0
    assert sum(stats.get(name, 0) for name in ("429", "500", "reset", "half", "types", "empty")) > 0
    accepted = 0
    for row in found:
        expected = right[row["id"]]
        if row["decision"] == "accepted":
            assert expected["decision"] == "accepted" and row["formula"] == expected["formula"]
            accepted += 1
        elif expected["decision"] == "accepted":
            assert row["reason"] in ("failed", "unreadable", "suspicious")
    print(
        f"\n{count} instructions, {stats['requests']} requests, {stats['served']} served, {accepted} accepted"
    )
    assert accepted > 0.3 * count


def test_faults_end_as_retry_or_abstention(tmp_path: Path) -> None:
    misbehaving(tmp_path, 50, "passing,cut,nonsense")


@pytest.mark.slow
@pytest.mark.timeout(3000)
def test_two_thousand_instructions_against_a_misbehaving_server(tmp_path: Path) -> None:
    misbehaving(tmp_path, 2000, "passing,cut,nonsense")


def test_output_of_other_settings_is_refused(tmp_path: Path) -> None:
    count = 4
    with server(tmp_path, count) as double:
        folder = prepare(tmp_path / "run", double.base_url, count)
        finish(folder)
        text_ = (folder / "assent.toml").read_text()
        (folder / "assent.toml").write_text(text_.replace("lazy = true", "lazy = false"))
        process = start(folder)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 1 and b"other settings" in said


def test_budget_stops_cleanly_and_a_larger_one_goes_on(tmp_path: Path) -> None:
    count = 30
    with server(tmp_path, count) as double:
        whole = finish(prepare(tmp_path / "whole", double.base_url, count))
        folder = prepare(tmp_path / "run", double.base_url, count)
        config = (folder / "assent.toml").read_text()
        (folder / "assent.toml").write_text(config + "[budget]\ncalls = 25\n")
        process = start(folder)
        _, said = process.communicate(timeout=60)
        assert process.returncode == 1 and b"budget" in said
        (folder / "assent.toml").write_text(config)
        assert finish(folder) == whole


def test_key_never_reaches_the_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = "sk-very-secret-0123456789"
    monkeypatch.setenv("DOUBLE_KEY", secret)
    with server(tmp_path, 3, faults="echo", share=1.0, most=99) as double:
        folder = prepare(tmp_path / "run", double.base_url, 3)
        config = (folder / "assent.toml").read_text()
        (folder / "assent.toml").write_text(
            config.replace('version = "1"', 'version = "1"\nkey_variable = "DOUBLE_KEY"')
        )
        process = start(folder)
        _, stderr = process.communicate(timeout=100)
    # A refused key heals by no repetition: the run stops at once, and says which variable it came from.
    assert process.returncode == 1 and b"401" in stderr and b"DOUBLE_KEY" in stderr
    assert secret.encode() not in stderr and not (folder / "out.jsonl").read_bytes()
    for path in folder.rglob("*"):
        if path.is_file():
            assert secret.encode() not in path.read_bytes(), path
    assert os.environ["DOUBLE_KEY"] == secret


def test_two_processes_with_one_cache_ask_each_question_once(tmp_path: Path, place: str) -> None:
    """Two batches of the same lines, each in a folder of its own as on two machines, counted at the server."""
    count = 12
    with server(tmp_path, count, latency=0.05) as double:
        whole = finish(prepare(tmp_path / "alone", double.base_url, count))
        alone = double.stats()["paid"]
        folders = [prepare(tmp_path / name, double.base_url, count) for name in ("one", "two")]
        for folder in folders:
            with (folder / "assent.toml").open("a") as stream:
                stream.write(f'[cache]\npath = "{place}"\n')
        runs = [start(folder) for folder in folders]
        for run in runs:
            _, said = run.communicate(timeout=300)
            assert run.returncode == 0, said.decode()
        stats = double.stats()
        assert stats["paid"] == 2 * alone  # one run's worth for both: "alone" has a cache of its own
        assert place.partition("?")[0] not in (folders[0] / "out.jsonl.run.json").read_text()
    for folder in folders:
        rows = [json.loads(line) for line in (folder / "out.jsonl").read_bytes().splitlines()]
        assert [row["decision"] for row in rows] == [row["decision"] for row in whole]
        assert not (folder / ".assent" / "cache.sqlite").exists()
