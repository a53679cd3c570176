"""One thread with a loop of its own: whatever takes long is done there, and the server answers meanwhile."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import TypeVar

T = TypeVar("T")


class LoopWorker:
    """Coroutines are run in their order of arrival, side by side where they wait; cancelling one is safe."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="assent-lsp", daemon=True)
        self._thread.start()

    def start(self, work: Coroutine[object, None, T]) -> Future[T]:
        """Run a coroutine in the worker's thread; cancelling the future cancels it."""
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def close(self, last: Coroutine[object, None, None], patience: float = 2.0) -> None:
        """Run ``last`` for at most ``patience`` seconds and stop the loop; what is under way is given up."""
        future = self.start(last)
        try:
            future.result(patience)
        except TimeoutError:
            future.cancel()  # busy with something long: the thread ends with the process
        self._loop.call_soon_threadsafe(self._loop.stop)
