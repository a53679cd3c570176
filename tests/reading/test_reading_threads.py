"""The grammar read by several threads at once: once, and without an error of the interpreter.

CPython 3.11 counts the depth of syntax trees for all threads together (python/cpython#106905): two threads that make
trees at the same moment may end in a SystemError, and a line of a batch that was first to need the grammar failed.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator

import pytest

from assent.reading import chart


@pytest.fixture
def hasty() -> Iterator[None]:
    """Threads take turns as often as they can; the grammar is not read yet."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    chart._read_once.cache_clear()
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("hasty")
def test_threads_that_need_the_grammar_at_once_get_one_grammar() -> None:
    found: list[object] = []
    barrier = threading.Barrier(6)

    def read() -> None:
        barrier.wait()
        try:
            found.append(chart.grammar())
        except BaseException as error:
            found.append(error)

    threads = [threading.Thread(target=read) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 6 and all(one is found[0] for one in found)
    assert isinstance(found[0], chart.RuleState)
