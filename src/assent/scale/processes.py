"""The cores of one machine: a pool of processes of the standard library.

A worker that dies (killed, out of memory) takes the pool with it, as the standard library has it: the pool is made
anew and what was under way is done again, a few times. Workers end with their parent, however it ends.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import pickle
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import connection
from typing import Any

from assent.errors import AssentError, ModelError, UsageError
from assent.scale.crew import Failed, Maker, Result, Shop, chunk_done

ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
"""Environment of a worker. The matrices are small: threads of its own would only take the core of the next worker."""
TRIES = 12
"""How often some items are begun before they are given up: each time a worker died over them or beside them."""


class Processes:
    """An engine of ``workers`` processes; ``lost`` is told when a pool died and is made anew."""

    def __init__(self, maker: Maker[Any, Any], workers: int, lost: Callable[[], None] = lambda: None) -> None:
        if workers < 1:
            raise UsageError(f"there must be at least one worker, not {workers}")
        self._maker, self._workers, self._lost = pickle.dumps(maker), workers, lost
        self._context = multiprocessing.get_context("spawn")
        self._open, self._shut = self._context.Pipe(duplex=False)
        self._pool: ProcessPoolExecutor | None = None

    @property
    def workers(self) -> int:
        return self._workers

    async def do(self, items: list[Any]) -> Result:
        """The results, or the error of ours. ModelError when workers died over them again and again."""
        for _ in range(TRIES):
            pool = self._running()
            try:
                return await asyncio.wrap_future(pool.submit(_work, items))
            except BrokenProcessPool:
                self._replace(pool)
            except RuntimeError:  # the pool was replaced between the look and the order
                if self._pool is pool:
                    raise
        raise ModelError(f"the worker processes ended {TRIES} times over the same lines")

    def _running(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(
                self._workers,
                mp_context=self._context,
                initializer=_begin,
                initargs=(self._maker, self._open),
            )
        return self._pool

    def _replace(self, broken: ProcessPoolExecutor) -> None:
        if self._pool is broken:
            self._pool = None
            broken.shutdown(wait=False)
            self._lost()

    def close(self) -> None:
        """End the workers at once; what they were doing is given up. Safe to call twice."""
        self._shut.close()
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None
        self._open.close()


# ---- everything below runs in a worker -------------------------------------------------------------------

_made: list[tuple[Shop[Any, Any] | Failed, asyncio.Runner]] = []


def _begin(maker: bytes, end: connection.Connection) -> None:
    for name, value in ONE_THREAD.items():  # before the maker loads numpy, which reads them once
        os.environ.setdefault(name, value)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent hears it, and says what is to be done
    threading.Thread(target=_end_with_parent, args=(end,), daemon=True).start()
    try:
        shop: Shop[Any, Any] | Failed = pickle.loads(maker)()
    except AssentError as error:
        shop = Failed.of(error)
    _made.append((shop, asyncio.Runner()))


def _end_with_parent(end: connection.Connection) -> None:
    """End this process when the parent has ended or wants it; answers that have arrived are on disk already."""
    parent = multiprocessing.parent_process()
    connection.wait([end, *([] if parent is None else [parent.sentinel])])
    os._exit(1)


def _work(items: list[Any]) -> Result:
    ((shop, runner),) = _made
    if isinstance(shop, Failed):
        return shop
    try:
        return runner.run(chunk_done(shop, items))
    except AssentError as error:
        return Failed.of(error)
