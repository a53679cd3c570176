"""One thread for products of small matrices: more of them wait for one another longer than they work.

Results do not depend on it (``assent.samebits``); time does. What the process had set is put back afterwards.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any


class _OneThread:
    """Counts who is inside: the first one in sets one thread, the last one out puts back what was."""

    def __init__(self) -> None:
        self._lock, self._inside = threading.Lock(), 0
        self._limit: Any = None

    @cached_property
    def _controller(self) -> Any:
        import numpy as np  # noqa: F401 (its library must be loaded to be found)
        from threadpoolctl import ThreadpoolController

        return ThreadpoolController().select(user_api="blas")

    @contextmanager
    def __call__(self) -> Iterator[None]:
        """May be nested, and entered by several threads at once."""
        with self._lock:
            if self._inside == 0:
                self._limit = self._controller.limit(limits=1)
            self._inside += 1
        try:
            yield
        finally:
            with self._lock:
                self._inside -= 1
                if self._inside == 0:
                    self._limit.restore_original_limits()


one_thread = _OneThread()
