"""Crews: every item once, in whatever order workers are done; dead workers, errors, one budget for all."""

from __future__ import annotations

import asyncio
import io
import random
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import shops
from hypothesis import given, settings
from hypothesis import strategies as st

from assent.cli.options import Progress
from assent.errors import BudgetError, DataError, MissingExtraError, ModelError
from assent.models import Spending, SpendingLimit
from assent.scale.crew import GROWN, TURN, Crew, Failed
from assent.scale.processes import Processes
from assent.scale.till import Counter, Till, served


class Pretended:
    """An engine without processes; notes what was asked and how much was under way."""

    def __init__(self, workers: int, seed: int) -> None:
        self.workers, self._rng = workers, random.Random(seed)
        self.asked: list[int] = []
        self.sizes: list[int] = []
        self.under_way = self.most = 0

    async def do(self, items: list[Any]) -> list[Any]:
        self.asked += items
        self.sizes.append(len(items))
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        for _ in range(self._rng.randrange(4)):
            await asyncio.sleep(0)
        self.under_way -= 1
        return [-item for item in items]

    def close(self) -> None:
        pass


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 60), st.integers(1, 4), st.integers(1, 7), st.integers(0, 99))
def test_every_item_is_asked_once_and_gets_its_own_result(
    count: int, workers: int, chunk: int, seed: int
) -> None:
    engine = Pretended(workers, seed)

    async def main() -> list[int]:
        crew: Crew[int, int] = Crew(engine, chunk)
        found = await asyncio.gather(*(crew.work(item) for item in range(1, count + 1)))
        await crew.close()
        return found

    assert asyncio.run(main()) == [-item for item in range(1, count + 1)]
    assert sorted(engine.asked) == list(range(1, count + 1))
    assert engine.most <= 2 * workers and max(engine.sizes, default=0) <= chunk * GROWN


class Timed(Pretended):
    """An engine whose chunks take the next of these times, and in the end the last one, by the crew's clock."""

    def __init__(self, times: list[float]) -> None:
        super().__init__(1, 0)
        self.times, self.now = times, 0.0

    async def do(self, items: list[Any]) -> list[Any]:
        self.now += self.times.pop(0) if len(self.times) > 1 else self.times[0]
        return await super().do(items)


@pytest.mark.parametrize(
    ("times", "first", "last"),
    [
        ([0.0], [3, 6, 12, 24, 24], 24),
        ([TURN], [3, 3, 3], 3),
        ([0.0, 0.0, 0.0, 4.1 * TURN], [3, 6, 12, 24, 12, 6, 3, 3], 3),
    ],
)
def test_chunks_grow_where_items_take_little_time_and_shrink_where_they_take_much(
    times: list[float], first: list[int], last: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = Timed(times)

    async def main() -> None:
        loop = asyncio.get_running_loop()
        monkeypatch.setattr(loop, "time", lambda: engine.now)
        crew: Crew[int, int] = Crew(engine, 3, ahead=1)
        await asyncio.gather(*(crew.work(item) for item in range(300)))
        monkeypatch.undo()
        await crew.close()

    asyncio.run(main())
    assert sorted(engine.asked) == list(range(300))
    assert engine.sizes[: len(first)] == first and max(engine.sizes[len(first) :], default=0) <= last


def test_what_a_run_cost_is_asked_for_when_the_bar_is_drawn_and_never_for_no_bar(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It may be an actor of a cluster that is asked; a hidden bar asked it for every line."""
    asked: list[int] = []

    def describe() -> dict[str, str]:
        asked.append(1)
        return {"cost": "1"}

    for quiet, most in ((True, 0), (False, 100)):
        shown = io.StringIO()
        monkeypatch.setattr(sys, "stderr", shown)
        monkeypatch.setattr(shown, "isatty", lambda: True)
        bar = Progress(10_000, 0, describe, quiet=quiet)
        for _ in range(10_000):
            bar.step()
        bar.close()
        assert len(asked) <= most and ("cost=1" in shown.getvalue()) is not quiet


def done(engine: Processes, items: list[Any], chunk: int = 2) -> list[Any]:
    async def main() -> list[Any]:
        crew: Crew[Any, Any] = Crew(engine, chunk)
        try:
            return await asyncio.gather(*map(crew.work, items), return_exceptions=True)
        finally:
            await crew.close()

    return asyncio.run(main())


def test_workers_do_the_work_and_their_errors_come_back_as_they_were() -> None:
    found = done(Processes(shops.make, 2), [*range(20), "wrong", "extra"], chunk=1)
    assert found[:20] == [(n, n * n) for n in range(20)]
    assert isinstance(found[20], DataError) and (found[20].file, found[20].line) == ("f", 3)
    assert str(found[20]) == "f:3: is wrong"
    assert isinstance(found[21], MissingExtraError) and "'.[that]'" in str(found[21])


def test_a_shop_that_cannot_be_made_is_an_error_and_no_endless_loop() -> None:
    (found,) = done(Processes(shops.refused, 1), [1])
    assert isinstance(found, MissingExtraError)


def test_a_dead_worker_is_replaced_and_nothing_is_lost(tmp_path: Path) -> None:
    lost: list[int] = []
    maker = partial(shops.make, str(tmp_path), 0.01)
    engine = Processes(maker, 2, lambda: lost.append(1))
    found = done(engine, [*range(10), "die once", *range(10, 30)])
    assert found == [(n, n * n) for n in range(10)] + ["lived"] + [(n, n * n) for n in range(10, 30)]
    assert lost


def test_lines_that_kill_every_worker_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assent.scale.processes.TRIES", 2)
    (found,) = done(Processes(shops.make, 1), ["die"])
    assert isinstance(found, ModelError) and "ended 2 times" in str(found)


def test_one_budget_and_one_rate_for_all_workers() -> None:
    """A call costs 1; a budget of 7.5 covers seven of forty, whoever makes them. The rate is shared, too."""
    till = Till(Spending(SpendingLimit(money=7.5)))
    with served(till) as desk:
        engine = Processes(partial(shops.Calls, Counter(desk, 2)), 2)
        found = done(engine, list(range(40)), chunk=3)
    said = [answer for answer, _ in found]
    assert said.count("called") == till.spending.calls == 7
    assert till.money() == pytest.approx(7.0)
    assert all("budget of 7.5 money" in answer for answer in said if answer != "called")
    # 600 a minute: ten seconds' worth is 100, so that forty wait for nothing; a tap of its own has one level.
    assert {wait for _, wait in found} == {0.0}
    assert till.take("m requests", 600.0, 1000.0) > (1000 + 40 - 100 - 1) / 10 - 60


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 50), st.booleans()), max_size=60),
    st.integers(0, 400),
)
def test_a_till_never_lets_held_and_spent_exceed_the_budget(calls: list[tuple[int, bool]], most: int) -> None:
    till = Till(Spending(SpendingLimit(tokens=most)))
    held: list[int] = []
    spent = 0
    for tokens, end in calls:
        if till.hold(tokens, 0.0) is None:
            held.append(tokens)
        else:
            assert spent + sum(held) + tokens > most
        if end and held:
            one = held.pop()
            till.book(one, 0, 0.0)
            till.release(one, 0.0)
            spent += one
        assert spent + sum(held) <= most


def test_failed_errors_keep_their_kind() -> None:
    error = Failed.of(BudgetError("used up", retry=True)).again()
    assert isinstance(error, BudgetError) and error.retry and str(error) == "used up"


def test_a_worker_computes_on_one_core(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    (threads,) = done(Processes(shops.make, 1), ["threads"])
    assert threads == {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "3"}, "what the user says comes first"
