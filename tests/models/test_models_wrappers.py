"""Retries, limits, spending: on a clock of our own, so that nothing waits."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.errors import BudgetError, ModelError, UsageError
from assent.models import (
    Answer,
    FunctionModel,
    Limited,
    Limits,
    Metered,
    Patience,
    Prices,
    Prompt,
    Retrying,
    Sampling,
    Spending,
    SpendingLimit,
)
from assent.models.spending import estimate, tokens_of

ASK = Prompt.of("Say it.")


class Clock:
    """Time that passes only when somebody sleeps; sleepers wake in order."""

    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds
        await asyncio.sleep(0)


def failing(*errors: ModelError | None) -> tuple[FunctionModel, list[int]]:
    """A model that fails with these errors one after another, then answers."""
    calls: list[int] = []

    def function(prompt: Prompt, sampling: Sampling) -> str:
        calls.append(sampling.first)
        error = errors[len(calls) - 1] if len(calls) <= len(errors) else None
        if error is not None:
            raise error
        return "G a"

    return FunctionModel(function, threads=False), calls


def passing(after: float | None = None) -> ModelError:
    return ModelError("busy", retry=True, retry_after=after)


def test_what_passes_is_tried_again_and_waits_grow() -> None:
    clock = Clock()
    model, calls = failing(passing(), passing(), passing())
    patience = Patience(attempts=4, first_wait=1.0)
    (answer,) = asyncio.run(Retrying(model, patience, clock.sleep).generate(ASK, Sampling()))
    assert answer.text == "G a"
    assert len(calls) == 4
    for wait, ceiling in zip(clock.slept, (1, 2, 4), strict=True):
        assert ceiling / 2 <= wait <= ceiling


@pytest.mark.parametrize("error", [ModelError("wrong key"), BudgetError("broke")])
def test_what_cannot_pass_is_not_tried_again(error: ModelError) -> None:
    model, calls = failing(error)
    with pytest.raises(type(error)):
        asyncio.run(Retrying(model, sleep=Clock().sleep).generate(ASK, Sampling()))
    assert len(calls) == 1


def test_patience_ends() -> None:
    model, calls = failing(*[passing()] * 10)
    with pytest.raises(ModelError) as caught:
        asyncio.run(Retrying(model, Patience(attempts=3), Clock().sleep).generate(ASK, Sampling()))
    assert len(calls) == 3
    assert "3 attempts" in caught.value.__notes__[0]


@given(st.floats(0, 59), st.integers(1, 5), st.integers(0, 99))
def test_never_sooner_than_the_server_asks(after: float, attempt: int, seed: int) -> None:
    wait = Patience(attempts=6).wait(attempt, passing(after), random.Random(seed))
    assert wait is not None
    assert wait >= after


def test_a_server_that_asks_for_an_hour_is_given_up() -> None:
    assert Patience(longest=60).wait(1, passing(3600), random.Random(0)) is None


def test_no_more_calls_at_once_than_allowed() -> None:
    running, most = 0, 0

    async def slow(prompt: Prompt, sampling: Sampling) -> str:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0.001)
        running -= 1
        return "x"

    async def main() -> None:
        model = Limited(FunctionModel(slow), Limits(concurrency=3))
        await asyncio.gather(*(model.generate(ASK, Sampling()) for _ in range(20)))

    asyncio.run(main())
    assert most == 3


def starts(limits: Limits, count: int, model: Callable[[Clock], FunctionModel]) -> list[float]:
    """When each of many calls, made one after another, began."""
    clock = Clock()
    limited = Limited(model(clock), limits, clock, clock.sleep)

    async def main() -> None:
        for _ in range(count):
            await limited.generate(ASK, Sampling(max_tokens=100))

    asyncio.run(main())
    return began


began: list[float] = []


def noting(clock: Clock, tokens: int = 10) -> FunctionModel:
    began.clear()

    def function(prompt: Prompt, sampling: Sampling) -> Answer:
        began.append(clock.now)
        return Answer(text="x", prompt_tokens=0, completion_tokens=tokens)

    return FunctionModel(function, threads=False)


@given(st.integers(6, 600), st.integers(20, 200))
def test_requests_a_minute_hold_in_every_minute(rate: int, count: int) -> None:
    times = starts(Limits(requests_per_minute=rate), count, noting)
    for start in times:
        within = sum(start <= time < start + 60 for time in times)
        assert within <= rate * 7 / 6 + 2


def test_tokens_a_minute_are_counted_as_used_not_as_feared() -> None:
    # 6000 tokens a minute, 10 used a call (107 feared): about ten calls a second go through.
    times = starts(Limits(tokens_per_minute=6000), 800, noting)
    spent = 10 * sum(time < times[0] + 60 for time in times)
    assert 5000 <= spent <= 7100


def test_one_retry_after_makes_everybody_wait() -> None:
    clock = Clock()
    model, _ = failing(passing(after=30.0))
    limited = Limited(model, Limits(), clock, clock.sleep)

    async def main() -> None:
        with pytest.raises(ModelError):
            await limited.generate(ASK, Sampling())
        await limited.generate(ASK, Sampling())

    asyncio.run(main())
    assert clock.now >= 30.0


@pytest.mark.parametrize("wrong", [{"concurrency": 0}, {"requests_per_minute": 0}, {"tokens_per_minute": -1}])
def test_limits_are_positive(wrong: dict[str, int]) -> None:
    with pytest.raises(UsageError):
        Limits(**wrong)


@given(
    st.integers(0, 3000),
    st.lists(st.tuples(st.integers(0, 200), st.booleans()), max_size=30),
    st.integers(1, 9),
)
def test_a_budget_is_never_overrun(tokens: int, script: list[tuple[int, bool]], workers: int) -> None:
    """Whatever the calls cost (within what they asked for) and however many run at once."""
    spending = Spending(SpendingLimit(tokens=tokens))
    todo = iter(script)
    outcomes: list[str] = []

    async def function(prompt: Prompt, sampling: Sampling) -> Answer:
        await asyncio.sleep(0)
        said, fails = current.pop()
        if fails:
            raise ModelError("down")
        return Answer(text="x", prompt_tokens=1, completion_tokens=said)

    current: list[tuple[int, bool]] = []
    model = Metered(FunctionModel(function), spending, Prices(1.0, 2.0))

    async def worker() -> None:
        for step in todo:
            current.append(step)
            try:
                await model.generate(ASK, Sampling(max_tokens=200))
                outcomes.append("answered")
            except BudgetError:
                current.remove(step)
                outcomes.append("stopped")
            except ModelError:
                outcomes.append("failed")

    async def main() -> None:
        await asyncio.gather(*(worker() for _ in range(workers)))

    asyncio.run(main())
    spent = spending.spent()
    assert spent.prompt_tokens + spent.completion_tokens <= tokens
    assert spent.failed == outcomes.count("failed")
    assert spent.calls == outcomes.count("failed") + outcomes.count("answered")
    assert spent.money == pytest.approx((spent.prompt_tokens * 1.0 + spent.completion_tokens * 2.0) / 1e6)
    # Nothing stays set aside: the rest of the budget can still be used.
    rest = tokens - spent.prompt_tokens - spent.completion_tokens
    spending.hold(rest, 0.0)


def test_models_of_different_prices_share_a_budget() -> None:
    spending = Spending(budget=SpendingLimit(money=1.0))
    double = FunctionModel(
        lambda p, s: Answer(text="x", prompt_tokens=5, completion_tokens=100), threads=False
    )
    cheap, dear = Metered(double, spending, Prices(0, 1000.0)), Metered(double, spending, Prices(0, 8000.0))
    sampling = Sampling(max_tokens=100)

    async def main() -> None:
        await cheap.generate(ASK, sampling)
        await dear.generate(ASK, sampling)
        await cheap.generate(ASK, sampling)
        await cheap.generate(ASK, sampling)

    with pytest.raises(BudgetError, match=r"budget of 1\.0 money"):
        asyncio.run(main())
    assert spending.spent().money == pytest.approx(1.0)


def test_an_estimate_is_an_upper_bound_of_the_calls() -> None:
    sampling = Sampling(max_tokens=50, n=5)
    made = estimate([(ASK, sampling), (ASK, Sampling(max_tokens=10))], Prices(1e6, 1e6))
    assert made.calls == 6
    assert made.completion_tokens == 260
    assert made.prompt_tokens == 6 * tokens_of(ASK)
    assert made.money == made.prompt_tokens + made.completion_tokens
