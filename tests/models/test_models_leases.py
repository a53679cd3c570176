"""Several processes with one cache ask each question once; where answers cannot be kept, nothing is asked."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from assent.config.connect import open_cache
from assent.errors import ConfigurationError, ModelError
from assent.models import Cache, Cached, FunctionModel, Prompt, Sampling
from assent.models import leases as leases_module
from assent.models.cached import Store

RUNNER = """
import asyncio, os, random, sys, time
from assent.config.connect import open_cache
from assent.models import FunctionModel, Prompt, Sampling, stack

folder, place, questions, pause = sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4])

async def said(prompt, sampling):
    log = os.open(folder + "/asked", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.write(log, (prompt.subject + " " + str(sampling.first) + "\\n").encode())
    os.close(log)
    await asyncio.sleep(pause * (1 + random.random()) / 2)
    return "G " + prompt.subject + str(random.random())

async def main():
    model = stack(FunctionModel(said, name="m"), cache=open_cache(place))
    order = list(range(questions))
    if sys.argv[5:] == ["shuffled"]:
        random.shuffle(order)
    async def one(i):
        answers = await model.generate(Prompt.of(f"q{i}"), Sampling(temperature=1.0, n=2))
        return i, [answer.text for answer in answers]
    for i, texts in sorted(await asyncio.gather(*map(one, order))):
        print(i, *texts)
    await model.close()

asyncio.run(main())
"""


def started(folder: Path, place: str, questions: int, pause: float, *more: str) -> subprocess.Popen[str]:
    argv = [sys.executable, "-c", RUNNER, str(folder), place, str(questions), str(pause), *more]
    return subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def asked(folder: Path) -> list[str]:
    return (folder / "asked").read_text().splitlines() if (folder / "asked").exists() else []


def test_three_processes_ask_each_question_once(tmp_path: Path, place: str) -> None:
    runs = [started(tmp_path, place, 120, 0.05, *order) for order in ((), ("shuffled",), ())]
    outputs = []
    for run in runs:
        out, err = run.communicate(timeout=120)
        assert run.returncode == 0, err
        outputs.append(out)
    assert len(asked(tmp_path)) == len(set(asked(tmp_path))) == 240
    assert outputs[0] == outputs[1] == outputs[2]


def test_a_killed_process_holds_nobody_up(tmp_path: Path, place: str) -> None:
    run = started(tmp_path, place, 5, 600.0)
    until = time.monotonic() + 60
    while len(asked(tmp_path)) < 10 and time.monotonic() < until:
        time.sleep(0.05)
    os.kill(run.pid, signal.SIGKILL)
    run.communicate()
    start = time.monotonic()
    again = started(tmp_path, place, 5, 0.0)
    _, err = again.communicate(timeout=60)
    assert again.returncode == 0, err
    assert time.monotonic() - start < leases_module.SECONDS - 5
    assert len(asked(tmp_path)) == 20


async def asks(cache: Store, function: Callable[[Prompt, Sampling], object]) -> str:
    model = Cached(FunctionModel(function, name="m", threads=False), cache)  # type: ignore[arg-type]
    return (await model.generate(Prompt.of("q"), Sampling()))[0].text


def test_a_failure_gives_the_lease_back(place: str) -> None:
    def fails(prompt: Prompt, sampling: Sampling) -> str:
        raise ModelError("down")

    async def main() -> str:
        first, second = open_cache(place), open_cache(place)
        with pytest.raises(ModelError, match="down"):
            await asks(first, fails)
        start = time.monotonic()
        said = await asks(second, lambda prompt, sampling: "G a")
        assert time.monotonic() - start < 5
        first.close()
        second.close()
        return said

    assert asyncio.run(main()) == "G a"


def test_a_long_question_keeps_its_lease_and_a_lost_one_runs_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leases_module, "SECONDS", 1.0)
    calls = []

    async def slow(prompt: Prompt, sampling: Sampling) -> str:
        calls.append(prompt)
        await asyncio.sleep(3.5)
        return "G slow"

    async def main() -> list[str]:
        first, second = Cache(tmp_path / "c"), Cache(tmp_path / "c")
        both = await asyncio.gather(asks(first, slow), asks(second, slow))
        first.close()
        second.close()
        return both

    assert asyncio.run(main()) == ["G slow", "G slow"]
    assert len(calls) == 1
    # A lease of another machine that is not renewed any more is void after its time.
    with sqlite3.connect(tmp_path / "c") as db:
        assert db.execute("SELECT count(*) FROM leases").fetchone() == (0,)
        db.execute("DELETE FROM calls")
        db.execute("INSERT INTO leases VALUES (?, ?, ?)", (_key(), "elsewhere\n1\n2\n3", time.time() + 0.8))
    start = time.monotonic()
    cache = Cache(tmp_path / "c")
    assert asyncio.run(asks(cache, lambda prompt, sampling: "G new")) == "G new"
    assert 0.3 < time.monotonic() - start < 5


def _key() -> str:
    from assent.models import call_key

    return call_key("m", "1", Prompt.of("q"), Sampling(), 0)


def test_wrong_clocks_and_strange_owners_hold_nobody_up(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "c")
    cache.stats()
    for owner, until in (("elsewhere\n1\n2\n3", time.time() + 1e6), ("nonsense", time.time() + 20)):
        with sqlite3.connect(tmp_path / "c") as db:
            db.execute("DELETE FROM calls")
            db.execute("INSERT OR REPLACE INTO leases VALUES (?, ?, ?)", (_key(), owner, until))
        start = time.monotonic()
        assert asyncio.run(asks(cache, lambda prompt, sampling: "G a")) == "G a"
        assert time.monotonic() - start < 5


def test_a_nearly_full_disk_stops_before_anything_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leases_module.shutil, "disk_usage", lambda path: SimpleNamespace(free=10_000_000))
    calls: list[Prompt] = []
    with pytest.raises(ConfigurationError, match="only 10 MB are free"):
        asyncio.run(asks(Cache(tmp_path / "c"), lambda prompt, sampling: calls.append(prompt)))
    assert calls == []


FULL = """
import asyncio, resource, sys
from assent.config.connect import open_cache
from assent.errors import ConfigurationError
from assent.models import Cache, FunctionModel, Prompt, Sampling, stack

async def main():
    cache, asked = Cache(sys.argv[1]), []
    def said(prompt, sampling):
        asked.append(prompt)
        return "G a " * 2000
    model = stack(FunctionModel(said, threads=False), cache=cache)
    await model.generate(Prompt.of("first"), Sampling())
    resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000))
    for i in range(1000):
        try:
            await model.generate(Prompt.of(f"q{i}"), Sampling())
        except ConfigurationError as error:
            failed_at = len(asked)
            for j in range(20):
                try:
                    await model.generate(Prompt.of(f"later{j}"), Sampling())
                except ConfigurationError:
                    pass
            print(i, failed_at, len(asked), error)
            return
asyncio.run(main())
"""


def test_a_full_disk_is_the_operators_and_ends_the_spending(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(tmp_path / "c")],
        check=True,
        capture_output=True,
        text=True,
        timeout=120,
    )
    i, failed_at, asked_in_all, said = done.stdout.split(maxsplit=3)
    assert int(i) > 3 and "cache cannot be used" in said
    # At most the answer that hit the limit was lost; afterwards nothing is asked any more.
    assert int(failed_at) <= int(i) + 2
    assert int(asked_in_all) == int(failed_at)


def test_a_cache_that_may_not_be_written(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "c")
    assert asyncio.run(asks(cache, lambda prompt, sampling: "G a")) == "G a"
    cache.close()
    (tmp_path / "folder").mkdir()
    with pytest.raises(ConfigurationError, match="cache cannot be used"):
        asyncio.run(asks(Cache(tmp_path / "folder"), lambda prompt, sampling: "G a"))
