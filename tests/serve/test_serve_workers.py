"""The pool: deadlines, deaths, back-pressure, and an orderly end. Workers are doubles that do what they are told."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assent.errors import ConfigurationError
from assent.serve.problems import Problem
from assent.serve.workers import Pool

DOUBLE = (str(Path(__file__).with_name("double_worker.py")),)


@asynccontextmanager
async def pool(size: int = 1, waiting: int = 8, deadline: float = 60.0) -> AsyncIterator[Pool]:
    made = Pool({}, size=size, waiting=waiting, deadline=deadline, command=DOUBLE)
    await made.start()
    try:
        yield made
    finally:
        await made.close()


async def refused(work: asyncio.Future[object] | asyncio.Task[object]) -> Problem:
    with pytest.raises(Problem) as found:
        await work
    return found.value


async def replaced(workers: Pool, count: int) -> None:
    """Wait until so many workers have ended and all places are taken again."""
    give_up = time.monotonic() + 60
    while workers.restarts < count or workers.alive < workers.size:
        assert time.monotonic() < give_up
        await asyncio.sleep(0.01)
    assert workers.restarts == count


def test_a_job_past_its_deadline_ends_and_others_go_on() -> None:
    async def main() -> None:
        async with pool(size=2, deadline=60) as workers:
            hard = asyncio.ensure_future(workers.do("wait", 600, deadline=4))
            for number in range(20):
                assert (await workers.do("echo", number))["body"] == number
            assert not hard.done(), "the others waited for the hard one"
            assert (await refused(hard)).status == 504
            assert (await workers.do("echo", 0))["body"] == 0
            await replaced(workers, 1)

    asyncio.run(main())


@pytest.mark.parametrize("verb", ["die", "garbage"])
def test_a_worker_that_dies_is_replaced(verb: str) -> None:
    async def main() -> None:
        async with pool() as workers:
            for _ in range(3):
                problem = await refused(asyncio.ensure_future(workers.do(verb, None)))
                assert problem.status == 503 and problem.headers["Retry-After"]
                assert (await workers.do("echo", "well"))["body"] == "well"
            assert workers.restarts == 3 and workers.alive == 1

    asyncio.run(main())


def test_an_idle_worker_that_is_killed_is_replaced() -> None:
    async def main() -> None:
        async with pool() as workers:
            (pid,) = workers.pids
            os.kill(pid, signal.SIGKILL)
            await replaced(workers, 1)
            assert (await workers.do("echo", 1))["pid"] != pid

    asyncio.run(main())


def test_beyond_the_line_jobs_are_refused_with_a_time_to_come_back() -> None:
    async def main() -> None:
        async with pool(waiting=2) as workers:
            running = asyncio.ensure_future(workers.do("wait", 0.3))
            await asyncio.sleep(0.05)
            queued = [asyncio.ensure_future(workers.do("echo", k)) for k in range(2)]
            await asyncio.sleep(0)
            problem = await refused(asyncio.ensure_future(workers.do("echo", 9)))
            assert problem.status == 429 and int(problem.headers["Retry-After"]) >= 1
            patient = asyncio.ensure_future(workers.do("echo", 10, patient=True))
            await asyncio.gather(running, *queued, patient)

    asyncio.run(main())


def test_what_was_accepted_is_finished_at_the_end() -> None:
    async def main() -> None:
        made = Pool({}, size=1, waiting=8, deadline=60.0, command=DOUBLE)
        await made.start()
        jobs = [asyncio.ensure_future(made.do("wait", 0.1)) for _ in range(3)]
        await asyncio.sleep(0)
        await made.close()
        assert len(await asyncio.gather(*jobs)) == 3
        assert (await refused(asyncio.ensure_future(made.do("echo", 1)))).status == 503

    asyncio.run(main())


def test_a_worker_that_cannot_start_is_said() -> None:
    async def main() -> None:
        made = Pool({"broken": True}, size=1, waiting=8, deadline=60.0, command=DOUBLE)
        with pytest.raises(ConfigurationError, match="could not be started"):
            await made.start()

    asyncio.run(main())


@settings(max_examples=15)
@given(st.lists(st.sampled_from(["echo", "wait", "die"]), min_size=1, max_size=12), st.integers(1, 3))
def test_every_job_has_exactly_one_end(verbs: list[str], size: int) -> None:
    """Whatever dies, each job ends: with its own result, or with a problem; deaths are counted, one each."""

    async def main() -> None:
        async with pool(size=size, waiting=20) as workers:
            jobs = [workers.do(verb, 0.001 * k) for k, verb in enumerate(verbs)]
            results = await asyncio.gather(*jobs, return_exceptions=True)
            for number, (verb, result) in enumerate(zip(verbs, results, strict=True)):
                if verb == "die":
                    assert isinstance(result, Problem) and result.status == 503
                else:
                    assert isinstance(result, dict) and result["body"] == 0.001 * number
            assert workers.restarts <= verbs.count("die")

    asyncio.run(main())
