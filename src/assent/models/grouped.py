"""Work for the cache, done together: what is asked in one turn of the event loop is one read, and what arrives
while a commit is under way shares the next one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar

from assent.models.base import Answer

P = TypeVar("P")
R = TypeVar("R")


class Lookups:
    """Lookups of one turn of the event loop share one read."""

    MOST = 500  # keys in one statement; sqlite allows a few more

    def __init__(self, read: Callable[[Sequence[str]], dict[str, Answer]]) -> None:
        self._read = read
        self._waiting: list[tuple[Sequence[str], asyncio.Future[dict[str, Answer]]]] = []

    async def find(self, keys: Sequence[str]) -> dict[str, Answer]:
        loop = asyncio.get_running_loop()
        answers: asyncio.Future[dict[str, Answer]] = loop.create_future()
        if not self._waiting:
            loop.call_soon(self._look)
        self._waiting.append((keys, answers))
        return await answers

    def _look(self) -> None:
        batch, self._waiting = self._waiting, []
        keys = [key for asked_keys, _ in batch for key in asked_keys]
        try:
            by_key: dict[str, Answer] = {}
            for place in range(0, len(keys), self.MOST):
                by_key |= self._read(keys[place : place + self.MOST])
        except Exception as error:  # whoever waits must hear of it, whatever it is
            for _, answers in batch:
                if not answers.done():
                    answers.set_exception(error)
            return
        for asked_keys, answers in batch:
            if not answers.done():
                answers.set_result({key: by_key[key] for key in asked_keys if key in by_key})


class Writer(Generic[P, R]):
    """What arrives while a commit is under way shares the next one."""

    def __init__(self, write: Callable[[Sequence[P]], Awaitable[list[R]]]) -> None:
        self._write = write
        self._waiting: list[tuple[P, asyncio.Future[R]]] = []
        self._task: asyncio.Task[None] | None = None

    async def put(self, pairs: P) -> R:
        stored: asyncio.Future[R] = asyncio.get_running_loop().create_future()
        self._waiting.append((pairs, stored))
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._drain())
        return await stored

    async def idle(self) -> None:
        if self._task is not None:
            await asyncio.wait([self._task])

    async def _drain(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting, []
            try:
                answers = await self._write([pairs for pairs, _ in batch])
            except BaseException as error:
                for _, stored in batch:
                    if not stored.done():
                        stored.set_exception(error)
                if not isinstance(error, Exception):
                    raise
            else:
                for (_, stored), answer in zip(batch, answers, strict=True):
                    if not stored.done():
                        stored.set_result(answer)
