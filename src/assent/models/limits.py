"""Calls at once, requests a minute, tokens a minute."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from assent.errors import ModelError, UsageError
from assent.models.base import Answer, Model, PerLoop, Prompt, Sampling, Wrapper
from assent.models.retry import Patience, asks_to_wait
from assent.models.spending import tokens_of, tokens_used


@dataclass(frozen=True, slots=True)
class Limits:
    """None means no limit."""

    concurrency: int = 16
    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None

    def __post_init__(self) -> None:
        rates = (self.requests_per_minute, self.tokens_per_minute)
        if self.concurrency < 1 or any(rate is not None and not rate > 0 for rate in rates):
            raise UsageError("limits are positive: concurrency, requests_per_minute, tokens_per_minute")


class Bucket:
    """A leaky bucket that may go into debt: who takes first waits first, whatever the amounts.

    It holds ten seconds' worth, so that a minute never sees more than its rate by more than a sixth.
    """

    def __init__(self, per_minute: float | None, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = None if per_minute is None else per_minute / 60.0
        self._clock = clock
        self._capacity = 0.0 if self._rate is None else max(1.0, self._rate * 10.0)
        self._level, self._seen = self._capacity, clock()

    def take(self, amount: float) -> float:
        """Take an amount; the seconds to wait before using it."""
        if self._rate is None:
            return 0.0
        now = self._clock()
        self._level = min(self._capacity, self._level + (now - self._seen) * self._rate)
        self._seen = now
        self._level -= amount
        return max(0.0, -self._level / self._rate)

    def give_back(self, amount: float) -> None:
        """Correct an estimate (a negative amount takes more)."""
        self._level = min(self._capacity, self._level + amount)


@dataclass(slots=True)
class Limited(Wrapper):
    """A model that is never asked faster than its limits.

    ``buckets`` (requests, tokens) stand in for its own where several processes share the rates.
    A ``Retry-After`` makes all callers wait; one beyond the patience makes all calls fail at once until it is over.
    """

    inner: Model
    limits: Limits = field(default_factory=Limits)
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    patience: Patience = field(default_factory=Patience)
    buckets: tuple[Bucket, Bucket] | None = None
    _slots: PerLoop[asyncio.Semaphore] = field(init=False)
    _requests: Bucket = field(init=False)
    _tokens: Bucket = field(init=False)
    _not_before: float = field(init=False, default=0.0)

    def __post_init__(self) -> None:
        self._slots = PerLoop(lambda: asyncio.Semaphore(self.limits.concurrency))
        self._requests, self._tokens = self.buckets or (
            Bucket(self.limits.requests_per_minute, self.clock),
            Bucket(self.limits.tokens_per_minute, self.clock),
        )

    async def generate(self, prompt: Prompt, sampling: Sampling) -> tuple[Answer, ...]:
        async with self._slots.get():
            required = self._not_before - self.clock()
            if self.patience.too_long(required):
                raise asks_to_wait(f"{self.name} is not asked", required, self.patience)
            estimate = tokens_of(prompt) + sampling.n * sampling.max_tokens
            wait = max(self._requests.take(1), self._tokens.take(estimate), required)
            if wait > 0:
                await self.sleep(wait)
            try:
                answers = await self.inner.generate(prompt, sampling)
            except ModelError as error:
                if error.retry_after is not None:
                    self._not_before = max(self._not_before, self.clock() + error.retry_after)
                raise
            self._tokens.give_back(estimate - tokens_used(prompt, answers))
            return answers
