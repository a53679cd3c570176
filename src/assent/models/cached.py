"""A model behind a cache: a hit costs no call, a miss is stored before it is used."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from assent.models.base import Answer, Compared, Model, Prompt, Sampling, Wrapper, call_key, checked
from assent.models.cache import CachedCall
from assent.models.spending import Spending


class Claims(Protocol):
    """Who asks what, among all who share a cache (``leases`` says more)."""

    async def claim(self, keys: Sequence[str]) -> dict[str, Answer]: ...

    def renewed(self, keys: Sequence[str]) -> AbstractContextManager[None]: ...


class Store(Protocol):
    """What a cache is to a model: ``Cache`` is one in a file."""

    @property
    def leases(self) -> Claims: ...

    async def find(self, keys: Sequence[str]) -> dict[str, Answer]: ...

    async def put(self, calls: Sequence[CachedCall], answers: Sequence[Answer]) -> tuple[Answer, ...]: ...

    async def flush(self) -> None: ...

    def close(self) -> None: ...


class Cached(Wrapper):
    """Looks every sample up by itself; what is missing is asked for, one call a sample.

    With ``split=False`` neighbouring missing samples are asked for in one call, for models that draw many at
    once cheaply. Equal calls in flight at the same moment are made once, also by several processes with one cache.
    """

    def __init__(
        self,
        inner: Model,
        cache: Store,
        *,
        spending: Spending | None = None,
        split: bool = True,
        compared: Compared = "model",
    ) -> None:
        self.inner, self.cache, self.compared = inner, cache, compared
        self._spending, self._split = spending, split
        self._flights: dict[tuple[str, ...], asyncio.Task[tuple[Answer, ...]]] = {}

    async def generate(self, prompt: Prompt, sampling: Sampling) -> tuple[Answer, ...]:
        keys = {
            index: call_key(self.name, self.version, prompt, sampling, index) for index in sampling.indices
        }
        stored = await self.cache.find(list(keys.values()))
        if self._spending is not None:
            self._spending.hits += len(stored)
        missing = [index for index, key in keys.items() if key not in stored]
        flights = []
        for run in self._runs(missing):
            calls = [
                CachedCall(
                    key=keys[index],
                    name=self.name,
                    version=self.version,
                    prompt=prompt,
                    sampling=sampling,
                    sample=index,
                )
                for index in run
            ]
            flights.append((calls, self._flight(calls)))
        landed: list[tuple[Answer, ...] | BaseException]
        if len(flights) == 1:  # nearly always, and gathering would take longer than the rest
            landed = [await asyncio.shield(flights[0][1])]
        else:
            # All land before an error is raised: answers on their way are paid, and are kept.
            waits = (asyncio.shield(task) for _, task in flights)
            landed = await asyncio.gather(*waits, return_exceptions=True)
        for (calls, _), answers in zip(flights, landed, strict=True):
            if isinstance(answers, BaseException):
                raise answers
            stored |= {call.key: answer for call, answer in zip(calls, answers, strict=True)}
        return tuple(stored[key] for key in keys.values())

    def _runs(self, missing: Sequence[int]) -> list[list[int]]:
        runs: list[list[int]] = []
        for index in missing:
            if runs and not self._split and runs[-1][-1] == index - 1:
                runs[-1].append(index)
            else:
                runs.append([index])
        return runs

    def _flight(self, calls: Sequence[CachedCall]) -> asyncio.Task[tuple[Answer, ...]]:
        key = tuple(call.key for call in calls)
        task = self._flights.get(key)
        if task is None or task.done() or task.get_loop() is not asyncio.get_running_loop():
            task = asyncio.create_task(self._fetch(calls))
            self._flights[key] = task
            task.add_done_callback(lambda landed: self._land(key, landed))
        return task

    def _land(self, key: tuple[str, ...], task: asyncio.Task[tuple[Answer, ...]]) -> None:
        if self._flights.get(key) is task:
            del self._flights[key]
        if not task.cancelled():
            task.exception()  # seen here, so that a flight whose callers all left does not warn

    async def _fetch(self, calls: Sequence[CachedCall]) -> tuple[Answer, ...]:
        """The answers to calls: what another process has stored meanwhile, the rest asked for and stored."""
        answers = await self.cache.leases.claim([call.key for call in calls])
        if self._spending is not None:
            self._spending.hits += len(answers)
        missing = {call.sample: call for call in calls if call.key not in answers}
        with self.cache.leases.renewed([call.key for call in missing.values()]):
            for run in self._runs(list(missing)):
                run_calls = [missing[index] for index in run]
                answers |= zip((call.key for call in run_calls), await self._ask(run_calls), strict=True)
        return tuple(answers[call.key] for call in calls)

    async def _ask(self, calls: Sequence[CachedCall]) -> tuple[Answer, ...]:
        sampling = calls[0].sampling.only(calls[0].sample).many(len(calls))
        answers = checked(await self.inner.generate(calls[0].prompt, sampling), sampling, self.name)
        return await self.cache.put(calls, answers)

    async def close(self) -> None:
        """Stop the calls in flight; answers that have arrived are stored first."""
        loop = asyncio.get_running_loop()
        flights = [task for task in self._flights.values() if task.get_loop() is loop]
        for task in flights:
            task.cancel()
        await asyncio.gather(*flights, return_exceptions=True)
        await self.cache.flush()
        self.cache.close()
