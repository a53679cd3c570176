"""One thread with a loop of its own: whatever takes long is done there, and the server answers meanwhile."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

T = TypeVar("T")


class LoopWorker:
    """Coroutines are run in their order of arrival, side by side where they wait; cancelling one is safe."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="assent-lsp", daemon=True)
        self._thread.start()

    def start(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Begin something; the future has its result, and cancels it."""
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def close(self, last: Coroutine[Any, Any, None], patience: float = 2.0) -> None:
        """Do one last thing and end; what is under way is given up."""
        done = self.start(last)
        try:
            done.result(patience)
        except TimeoutError:
            done.cancel()  # busy with something long: the thread ends with the process
        self._loop.call_soon_threadsafe(self._loop.stop)
