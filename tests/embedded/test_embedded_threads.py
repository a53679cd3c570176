"""Small products run on one thread, whichever thread asks: more of them wait for one another longer than they work."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

threadpoolctl = pytest.importorskip("threadpoolctl")

from assent.embedded import Embedded  # noqa: E402
from assent.embedded.seq2seq import one_thread  # noqa: E402


def counted() -> list[int]:
    return [
        library["num_threads"] for library in threadpoolctl.threadpool_info() if library["user_api"] == "blas"
    ]


def in_a_thread(work: Callable[[], object]) -> None:
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()


def test_one_thread_in_whichever_thread_asks_and_as_before_afterwards() -> None:
    before, seen = counted(), []

    def work() -> None:
        with one_thread(), one_thread():
            seen.append(counted())

    work()  # the main thread asks first, and may hold the library's control
    in_a_thread(work)
    in_a_thread(work)
    work()
    assert seen == [[1] * len(before)] * 4
    assert counted() == before


def test_what_a_program_has_set_is_put_back() -> None:
    with threadpoolctl.threadpool_limits(limits=1, user_api="blas"):
        before = counted()
        in_a_thread(lambda: Embedded().lift("The door is always open.", "ltl"))
        assert counted() == before


def test_instructions_are_linked_on_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    import assent.embedded as room

    seen: list[list[int]] = []
    real = room.linkings

    def watched(*args: object) -> object:
        seen.append(counted())
        return real(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(room, "linkings", watched)
    models = Embedded()
    in_a_thread(lambda: models.lift("The door is always open.", "ltl"))
    assert seen == [[1] * len(counted())]
