"""Work for several processes at once: items in one by one, a few at a time to whoever is free, results one by one.

An engine (``processes``, ``rays``) has workers, each with a shop of its own that was made by the same picklable maker.
Who writes the results, in which order, and what a rerun does again is not decided here: the crew stands where the
work of one process would stand.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from assent.errors import AssentError

T = TypeVar("T")
R = TypeVar("R")
T_contra = TypeVar("T_contra", contravariant=True)
R_co = TypeVar("R_co", covariant=True)


class Shop(Protocol[T_contra, R_co]):
    """What a worker has: the work itself, how many items side by side, and how it is closed."""

    @property
    def concurrency(self) -> int: ...

    @property
    def work(self) -> Callable[[T_contra], Awaitable[R_co]]: ...

    async def close(self) -> None: ...


Maker = Callable[[], Shop[T, R]]
"""Makes a shop in a worker; it must be picklable (a function of a module, or a ``partial`` of one)."""


@dataclass(frozen=True, slots=True)
class Failed:
    """An error of ours on its way from a worker; ``again`` makes it the error that it was."""

    kind: type[AssentError]
    arguments: tuple[Any, ...]
    state: dict[str, Any]

    @classmethod
    def of(cls, error: AssentError) -> Failed:
        return cls(type(error), error.args, dict(error.__dict__))

    def again(self) -> AssentError:
        error = self.kind.__new__(self.kind)
        Exception.__init__(error, *self.arguments)
        error.__dict__.update(self.state)
        return error


Result = list[Any] | Failed
"""The results of some items, in their order, or the error of ours that ended the work on them."""


async def chunk_done(shop: Shop[T, R], items: Sequence[T]) -> list[R]:
    """The results of some items in their order, ``shop.concurrency`` of them side by side."""
    slots = asyncio.Semaphore(shop.concurrency)

    async def one(item: T) -> R:
        async with slots:
            return await shop.work(item)

    tasks = [asyncio.create_task(one(item)) for item in items]
    try:
        return [await task for task in tasks]
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


class Engine(Protocol):
    """Workers somewhere. ``do`` gives the results of some items, whatever becomes of single workers meanwhile."""

    @property
    def workers(self) -> int: ...

    async def do(self, items: list[Any]) -> Result: ...

    def close(self) -> None: ...


GROWN, TURN = 8, 0.5
"""Chunks grow to so many times their first size while one takes less than so many seconds."""


@dataclass
class Crew(Generic[T, R]):
    """``work`` of one item by whichever worker is free; some go to a worker at once, ``chunk`` of them at first.

    Where items take little time, chunks grow, so that sending them costs little beside the work.
    """

    engine: Engine
    chunk: int
    ahead: int = 2
    _grown: int = 1
    _waiting: deque[tuple[T, asyncio.Future[R]]] = field(default_factory=deque)
    _under_way: set[asyncio.Task[None]] = field(default_factory=set)
    _woken: bool = False

    @property
    def concurrency(self) -> int:
        """Items that may be with the crew at once: what its workers have, and what waits here for each of them."""
        return self.engine.workers * (self.ahead + 1) * self.chunk * GROWN

    async def work(self, item: T) -> R:
        """The result of one item; raises the error of ours that ended it."""
        loop = asyncio.get_running_loop()
        place: asyncio.Future[R] = loop.create_future()
        self._waiting.append((item, place))
        if not self._woken:  # after those that come in the same turn of the loop
            self._woken = True
            loop.call_soon(self._send)
        return await place

    def _send(self) -> None:
        self._woken = False
        while self._waiting and len(self._under_way) < self.engine.workers * self.ahead:
            some = [self._waiting.popleft() for _ in range(min(self._share(), len(self._waiting)))]
            task = asyncio.create_task(self._done(some))
            self._under_way.add(task)
            task.add_done_callback(self._landed)

    def _share(self) -> int:
        """No worker gets everything while others wait for work: at the end the chunks grow smaller."""
        return max(1, min(self.chunk * self._grown, len(self._waiting) // self.engine.workers))

    def _learn(self, count: int, seconds: float) -> None:
        """Full chunks that took little time make the next ones larger, slow ones smaller; never below the first."""
        if count == self.chunk * self._grown and seconds < TURN and self._grown < GROWN:
            self._grown *= 2
        elif seconds > 4 * TURN and self._grown > 1:
            self._grown //= 2

    def _landed(self, task: asyncio.Task[None]) -> None:
        self._under_way.discard(task)
        self._send()

    async def _done(self, some: list[tuple[T, asyncio.Future[R]]]) -> None:
        begun = asyncio.get_running_loop().time()
        try:
            found = await self.engine.do([item for item, _ in some])
        except BaseException as error:
            _fail(some, error)
            if not isinstance(error, Exception):
                raise
            return
        if isinstance(found, Failed):
            _fail(some, found.again())
            return
        self._learn(len(some), asyncio.get_running_loop().time() - begun)
        for (_, place), result in zip(some, found, strict=True):
            if not place.done():
                place.set_result(result)

    async def close(self) -> None:
        """Stop what is under way and end the workers."""
        tasks = list(self._under_way)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.to_thread(self.engine.close)


def _fail(some: Sequence[tuple[Any, asyncio.Future[Any]]], error: BaseException) -> None:
    for _, place in some:
        if not place.done():
            if isinstance(error, asyncio.CancelledError):
                place.cancel()
            else:
                place.set_exception(error)
