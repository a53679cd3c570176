"""The cache, in a file and in PostgreSQL: no call twice, nothing used before it is on disk, many processes, replay."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from assent.cli import main as command_line
from assent.config.connect import open_cache
from assent.errors import ConfigurationError, ModelError
from assent.ledger.database import connect, is_address
from assent.ledger.keep import Keep
from assent.models import (
    Cache,
    Cached,
    FunctionModel,
    Limits,
    Prompt,
    RecordedModel,
    Sampling,
    Spending,
    close,
    stack,
)
from assent.prompting import prompts

ASK = Prompt.of("Say it.")


class Counting:
    """A model that numbers its answers."""

    def __init__(self) -> None:
        self.calls: list[tuple[int, int]] = []
        self.name, self.version = "counting", "1"

    async def generate(self, prompt: Prompt, sampling: Sampling) -> tuple:  # type: ignore[type-arg]
        self.calls.append((sampling.first, sampling.n))
        await asyncio.sleep(0.002)
        double = FunctionModel(lambda p, s: f"{len(self.calls)}:{s.first}", threads=False)
        return await double.generate(prompt, sampling)


def texts(model: Cached, prompt: Prompt = ASK, **sampling: object) -> list[str]:
    answers = asyncio.run(model.generate(prompt, Sampling(**sampling)))  # type: ignore[arg-type]
    return [answer.text for answer in answers]


def test_a_hit_costs_no_call_even_after_a_restart(place: str) -> None:
    inner, spending = Counting(), Spending()
    first = texts(Cached(inner, open_cache(place)), n=3, temperature=1.0)
    again = Cached(inner, open_cache(place), spending=spending)
    assert texts(again, n=3, temperature=1.0) == first
    assert texts(again, n=2, first=1, temperature=1.0) == first[1:]
    assert len(inner.calls) == 3
    assert spending.spent().hits == 5


def test_only_missing_samples_are_asked_for(place: str) -> None:
    inner = Counting()
    model = Cached(inner, open_cache(place), split=False)
    texts(model, n=1, first=2)
    texts(model, n=6)
    assert inner.calls == [(2, 1), (0, 2), (3, 3)]


def test_equal_calls_in_flight_are_made_once(place: str) -> None:
    inner = Counting()

    async def main() -> None:
        model = Cached(inner, open_cache(place))
        said = await asyncio.gather(*(model.generate(ASK, Sampling(n=2)) for _ in range(10)))
        assert len(set(said)) == 1

    asyncio.run(main())
    assert len(inner.calls) == 2


def test_an_error_is_not_stored_and_its_neighbours_are(place: str) -> None:
    broken = True

    def function(prompt: Prompt, sampling: Sampling) -> str:
        if sampling.first == 1 and broken:
            raise ModelError("down")
        calls.append(sampling.first)
        return "x"

    calls: list[int] = []
    model = Cached(FunctionModel(function), open_cache(place))
    with pytest.raises(ModelError, match="down"):
        texts(model, n=4)
    assert sorted(calls) == [0, 2, 3]
    broken = False
    assert texts(model, n=4) == ["x"] * 4
    assert sorted(calls) == [0, 1, 2, 3]


def test_a_caller_who_leaves_does_not_waste_the_call(place: str) -> None:
    inner = Counting()
    model = Cached(inner, open_cache(place))

    async def main() -> None:
        leaving = asyncio.create_task(model.generate(ASK, Sampling()))
        await asyncio.sleep(0.001)
        leaving.cancel()
        await asyncio.sleep(0.1)
        await model.generate(ASK, Sampling())

    asyncio.run(main())
    assert len(inner.calls) == 1


def test_too_few_answers_are_an_error() -> None:
    class Short(Counting):
        async def generate(self, prompt: Prompt, sampling: Sampling) -> tuple:  # type: ignore[type-arg]
            return ()

    with pytest.raises(ModelError, match="gave 0 answers"):
        texts(Cached(Short(), Cache()))


WRITER = """
import asyncio, os, sys
from assent.config.connect import open_cache
from assent.models import Cached, FunctionModel, Prompt, Sampling
async def main(path, tag, count):
    double = FunctionModel(lambda p, s: f"{tag}:{p.subject}", threads=False)
    model = Cached(double, open_cache(path))
    for i in range(count):
        (answer,) = await model.generate(Prompt.of(f"question {i}"), Sampling())
        print(i, answer.text, flush=True)
asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
"""


def writer(path: str, tag: str, count: int) -> subprocess.Popen[str]:
    argv = [sys.executable, "-c", WRITER, path, tag, str(count)]
    return subprocess.Popen(argv, stdout=subprocess.PIPE, text=True)


def test_many_processes_agree(place: str) -> None:
    """Six processes ask the same at the same time; whoever stores first, all use the same answer."""
    processes = [writer(place, tag, 40) for tag in "abcdef"]
    outputs = [process.communicate(timeout=120)[0] for process in processes]
    assert all(process.returncode == 0 for process in processes)
    assert len(set(outputs)) == 1
    assert open_cache(place).stats().answers == 40


def test_what_a_killed_process_used_is_on_disk(place: str) -> None:
    """Every answer that was printed before kill -9 is there afterwards."""
    for round_ in range(4):
        process = writer(place, f"r{round_}", 100_000)
        assert process.stdout is not None
        seen = [process.stdout.readline() for _ in range(20 * (round_ + 1))]
        os.kill(process.pid, signal.SIGKILL)
        seen += process.stdout.read().splitlines()
        process.wait()
        stored = {row.messages[0]["content"]: row.answer.text for row in open_cache(place).rows()}
        for line in seen[:-1]:
            number, text = line.strip().split(" ", 1)
            assert stored[f"question {number}"] == text


def test_export_replays_exactly(tmp_path: Path, place: str, capsys: pytest.CaptureFixture[str]) -> None:
    model = Cached(Counting(), open_cache(place))
    questions = [prompts.translation(f"text {i}", "ltl") for i in range(3)]
    said = [texts(model, question, n=2, temperature=1.0) for question in questions]
    assert command_line(["cache", "export", "--file", place]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 6
    export = tmp_path / "calls.jsonl"
    export.write_text("\n".join(lines))
    replay = RecordedModel.from_file(export, name="counting", version="1")
    for question, expected in zip(questions, said, strict=True):
        answers = asyncio.run(replay.generate(question, Sampling(n=2, temperature=1.0)))
        assert [answer.text for answer in answers] == expected
    row = next(row for row in map(json.loads, lines) if row["sample"] == 1)
    assert row["messages"][0]["role"] == "system"
    assert row["messages"][-1]["content"].startswith("Sentence: ")


def texts_in(place: str) -> int:
    """How many different messages a cache holds."""
    if is_address(place):
        with contextlib.closing(connect(place)) as db:
            return len(list(Keep(db, "texts").each()))
    with sqlite3.connect(place) as file:
        return int(file.execute("SELECT count(*) FROM texts").fetchone()[0])


def test_messages_are_stored_once(place: str) -> None:
    model = Cached(Counting(), open_cache(place))
    for i in range(50):
        texts(model, prompts.translation(f"text {i}", "ltl"))
    shared = len(prompts.translation("", "ltl").messages) - 1
    assert texts_in(place) == shared + 50


def test_prune_by_age_and_model(place: str, capsys: pytest.CaptureFixture[str]) -> None:
    model = Cached(Counting(), open_cache(place))
    texts(model, n=3)
    cache = open_cache(place)
    assert cache.prune(before=time.time() - 60) == 0
    assert cache.prune(name="another") == 0
    assert command_line(["cache", "prune", "--file", place]) == 2
    assert command_line(["cache", "prune", "--file", place, "--model", "counting"]) == 0
    assert "3 answers removed" in capsys.readouterr().out
    assert texts_in(place) == 0
    # The process that was running all the while writes its texts again.
    texts(model, n=1)
    (row,) = open_cache(place).rows()
    assert row.messages == [{"role": "user", "content": "Say it."}]


def test_stats(tmp_path: Path, place: str, capsys: pytest.CaptureFixture[str]) -> None:
    texts(Cached(Counting(), open_cache(place)), n=3)
    assert command_line(["cache", "stats", "--json", "--file", place]) == 0
    stats = json.loads(capsys.readouterr().out)
    assert (stats["answers"], stats["by_model"], stats["by_task"]) == (3, {"counting 1": 3}, {"ask": 3})
    assert command_line(["cache", "stats", "--file", place]) == 0
    assert "counting 1" in capsys.readouterr().out
    assert command_line(["cache", "stats", "--file", str(tmp_path / "none.db")]) == 2
    assert not (tmp_path / "none.db").exists()


def test_a_damaged_or_foreign_file_is_refused(tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.db"
    damaged.write_bytes(b"this is no database, and it is longer than a header of one " * 100)
    with pytest.raises(ConfigurationError, match="damaged"):
        texts(Cached(Counting(), Cache(damaged)))
    newer = tmp_path / "newer.db"
    with sqlite3.connect(newer) as db:
        db.execute("PRAGMA user_version=99")
    with pytest.raises(ConfigurationError, match="schema 99"):
        texts(Cached(Counting(), Cache(newer)))


def test_an_answer_that_cannot_be_stored_is_not_used(tmp_path: Path) -> None:
    file = tmp_path / "c.db"
    model = Cached(Counting(), Cache(file, busy_seconds=0.2))
    texts(model, Prompt.of("before"))
    blocker = sqlite3.connect(file, isolation_level=None)
    blocker.execute("BEGIN EXCLUSIVE")
    with pytest.raises(ModelError, match="locked"):
        texts(model)
    blocker.execute("ROLLBACK")
    assert texts(model)


def test_close_releases_and_reopens(place: str) -> None:
    model = Cached(Counting(), open_cache(place))
    first = texts(model)
    asyncio.run(close(model))
    assert texts(model) == first


def test_lookups_and_stores_of_one_moment_are_done_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fifty callers at once: a few reads and commits, each caller gets its own answer, and all are on disk by then."""
    reads, commits = [], []
    read, put = Cache._find, Cache._put
    monkeypatch.setattr(Cache, "_find", lambda *a: reads.append(len(a[2])) or read(*a))
    monkeypatch.setattr(Cache, "_put", lambda *a: commits.append(len(a[2])) or put(*a))

    async def answer(prompt: Prompt, sampling: Sampling) -> str:
        await asyncio.sleep(0.01)
        return prompt.subject

    cache = Cache(tmp_path / "c.db")
    model = stack(FunctionModel(answer), cache=cache, limits=Limits(concurrency=100))

    async def one(number: int) -> None:
        (said,) = await model.generate(Prompt.of(f"question {number}"), Sampling())
        assert said.text == f"question {number}"
        outside = sqlite3.connect(tmp_path / "c.db")
        found = outside.execute("SELECT count(*) FROM calls WHERE answer LIKE ?", (f'%"{said.text}"%',))
        assert found.fetchone() == (1,)
        outside.close()

    async def main() -> None:
        await one(50)  # opens the file
        reads.clear()
        commits.clear()
        await asyncio.gather(*(one(number) for number in range(50)))
        await close(model)

    asyncio.run(main())
    assert sum(commits) == 50 and len(commits) < 25
    assert max(reads) == 50


def test_a_cache_that_cannot_be_read_any_more_is_an_error_for_all_who_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = Cache(tmp_path / "c.db")
    assert asyncio.run(cache.find(["a"])) == {}
    monkeypatch.setattr(Cache, "_read", lambda *a: 1 / 0)

    async def main() -> list[object]:
        return list(await asyncio.gather(*(cache.find([key]) for key in "abc"), return_exceptions=True))

    assert [type(found) for found in asyncio.run(main())] == [ZeroDivisionError] * 3
