"""What only the cache in PostgreSQL can get wrong: locks, lost connections, rights."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from assent.config.calls import LedgerCache
from assent.config.connect import open_cache
from assent.config.settings import cache_place
from assent.errors import ConfigurationError
from assent.models import Cache, Cached, FunctionModel, Prompt, Sampling
from postgres_server import new_schema

_count = itertools.count()


@pytest.fixture
def url(server: str) -> str:
    return new_schema(server, f"c{os.getpid()}_{next(_count)}")


@contextlib.contextmanager
def connected(url: str) -> Iterator[Any]:
    import psycopg

    with psycopg.connect(url, autocommit=True) as db:
        yield db


class Slow:
    """A model that answers when it is told to."""

    name, version = "slow", "1"

    def __init__(self) -> None:
        self.calls, self.begun, self.go = 0, asyncio.Event(), asyncio.Event()

    async def generate(self, prompt: Prompt, sampling: Sampling) -> Any:
        self.calls += 1
        self.begun.set()
        await self.go.wait()
        return await FunctionModel(lambda p, s: f"G a{self.calls}", threads=False).generate(prompt, sampling)


ASK = Prompt.of("q")


def test_who_waits_gets_the_answer_of_the_other(url: str) -> None:
    async def main() -> None:
        inner, caches = Slow(), [open_cache(url) for _ in range(3)]
        flights = [asyncio.create_task(Cached(inner, cache).generate(ASK, Sampling())) for cache in caches]
        await asyncio.wait_for(inner.begun.wait(), 30)
        await asyncio.sleep(0.3)
        inner.go.set()
        assert len({answers[0].text for answers in await asyncio.gather(*flights)}) == 1
        assert inner.calls == 1
        for cache in caches:
            cache.close()

    asyncio.run(main())


def test_waiting_has_an_end_and_the_first_answer_stays(url: str) -> None:
    async def main() -> None:
        hangs, quick = Slow(), Slow()
        quick.go.set()
        first, second = LedgerCache(url), LedgerCache(url, wait_seconds=0.3)
        flight = asyncio.create_task(Cached(hangs, first).generate(ASK, Sampling()))
        await asyncio.wait_for(hangs.begun.wait(), 30)
        start = time.monotonic()
        (said,) = await Cached(quick, second).generate(ASK, Sampling())
        assert 0.3 <= time.monotonic() - start < 20 and quick.calls == 1
        hangs.calls = 7  # would answer otherwise
        hangs.go.set()
        assert (await flight)[0].text == said.text == "G a1"
        first.close()
        second.close()

    asyncio.run(main())


def test_a_connection_that_is_lost_in_the_middle_loses_no_answer(url: str) -> None:
    async def main() -> None:
        inner, cache = Slow(), LedgerCache(url)
        flight = asyncio.create_task(Cached(inner, cache).generate(ASK, Sampling()))
        await asyncio.wait_for(inner.begun.wait(), 30)
        with connected(url) as db:
            db.execute(
                "SELECT pg_terminate_backend(l.pid) FROM pg_locks l WHERE l.locktype = 'advisory' AND l.granted"
            )
        # Somebody else's question has it connect again, and hold again what it held.
        await Cached(FunctionModel(lambda p, s: "F b", threads=False), cache).generate(
            Prompt.of("r"), Sampling()
        )
        with connected(url) as db:
            assert db.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'").fetchone() == (1,)
        inner.go.set()
        (said,) = await flight
        cache.close()
        again = LedgerCache(url)
        assert (await Cached(inner, again).generate(ASK, Sampling()))[0].text == said.text
        assert inner.calls == 1
        again.close()

    asyncio.run(main())


def test_nothing_stays_held_when_callers_leave(url: str) -> None:
    async def main() -> None:
        inner, cache = Slow(), LedgerCache(url)
        for pause in (0.0, 0.001, 0.01, 0.1, 0.3):
            model = Cached(inner, cache)
            flight = asyncio.create_task(model._fetch([call_of("q")]))
            await asyncio.sleep(pause)
            flight.cancel()
            await asyncio.gather(flight, return_exceptions=True)
        give_up = time.monotonic() + 20
        with connected(url) as db:
            while db.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'").fetchone() != (0,):
                assert time.monotonic() < give_up
                await asyncio.sleep(0.05)
        cache.close()

    def call_of(text: str) -> Any:
        from assent.models.cache import CachedCall

        return CachedCall(
            key="k", name="slow", version="1", prompt=Prompt.of(text), sampling=Sampling(), sample=0
        )

    asyncio.run(main())


def asked_of(cache: LedgerCache) -> tuple[int, str]:
    """How often a model was asked, and what the error says."""
    calls: list[Prompt] = []

    def said(prompt: Prompt, sampling: Sampling) -> str:
        calls.append(prompt)
        return "G a"

    model = Cached(FunctionModel(said, threads=False), cache)
    with pytest.raises(ConfigurationError) as caught:
        asyncio.run(model.generate(ASK, Sampling()))
    return len(calls), str(caught.value)


def test_a_cache_that_cannot_be_used_stops_before_anything_is_asked(server: str, url: str) -> None:
    pytest.importorskip("psycopg", reason="psycopg (the postgres extra) is not installed")
    asked, said = asked_of(LedgerCache("postgresql://me:hush@127.0.0.1:1/x"))
    assert asked == 0 and "cannot be used" in said and "hush" not in said
    LedgerCache(url).stats()  # makes the tables
    asked, said = asked_of(LedgerCache(f"{url}%20-cdefault_transaction_read_only%3Don"))
    assert asked == 0 and "read-only" in said
    with connected(url) as db:
        db.execute("DROP TABLE assent_kept")
    asked, said = asked_of(LedgerCache(url))
    assert asked == 0 and "assent_kept" in said


def test_after_a_failed_write_nothing_more_is_asked(url: str) -> None:
    cache, calls = LedgerCache(url), list[str]()

    def said(prompt: Prompt, sampling: Sampling) -> str:
        calls.append(prompt.subject)
        if prompt.subject == "q2":
            with connected(url) as db:
                db.execute(
                    "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS "
                    "$$ BEGIN RAISE EXCEPTION 'no space left'; END $$"
                )
                db.execute(
                    "CREATE TRIGGER full_disk BEFORE INSERT ON assent_kept EXECUTE FUNCTION full_disk()"
                )
        return "G a"

    model = Cached(FunctionModel(said, threads=False), cache)
    failed = 0
    for number in range(8):
        try:
            asyncio.run(model.generate(Prompt.of(f"q{number}"), Sampling()))
        except ConfigurationError as error:
            assert "no space left" in str(error)
            failed += 1
    assert calls == ["q0", "q1", "q2"] and failed == 6
    cache.close()


def test_any_text_comes_back(url: str) -> None:
    text = "nul \x00, quote ' \" \\, per cent %s ?, \U0001f600"
    cache = open_cache(url)
    asyncio.run(
        Cached(FunctionModel(lambda p, s: text, threads=False), cache).generate(Prompt.of(text), Sampling())
    )
    (row,) = cache.rows()
    assert row.answer.text == text and row.messages[0]["content"] == text
    (paid,) = cache.paid()
    assert paid.calls == 1
    cache.close()


def test_places(tmp_path: Path) -> None:
    assert cache_place("a.db", tmp_path) == cache_place("sqlite:///a.db", tmp_path) == str(tmp_path / "a.db")
    assert cache_place("sqlite:////x/a.db", tmp_path) == "/x/a.db"
    address = "postgresql://me@host/db?options=-csearch_path%3Ds"
    assert cache_place(address, tmp_path) == address
    assert isinstance(open_cache(address), LedgerCache) and isinstance(open_cache(str(tmp_path / "c")), Cache)


def test_a_file_needs_nothing_of_the_ledger(tmp_path: Path) -> None:
    program = (
        "import sys; from assent.config.connect import open_cache; open_cache(sys.argv[1]).stats();"
        "assert not [name for name in sys.modules if name.startswith(('assent.ledger', 'psycopg'))]"
    )
    subprocess.run([sys.executable, "-c", program, str(tmp_path / "c")], check=True, timeout=120)
