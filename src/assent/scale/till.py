"""One budget and one rate for workers in several processes: kept in one place, asked before every call.

``Till`` is the one place. In a worker, ``Purse`` stands for its budget where ``Spending`` stands in a single process,
and ``Tap`` for one of its rates where ``Bucket`` does. A worker that cannot reach the till makes no call.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.managers import BaseManager
from typing import Protocol

from assent.errors import BudgetError
from assent.models import Answer, Prices, Prompt, Spending
from assent.models.limits import Bucket
from assent.models.spending import charges


class Desk(Protocol):
    """What a worker may ask the till; plain values only, for they cross the border of a process."""

    def hold(self, tokens: int, money: float) -> str | None: ...

    def release(self, tokens: int, money: float) -> None: ...

    def book(self, prompt_tokens: int, completion_tokens: int, money: float) -> None: ...

    def take(self, name: str, per_minute: float, amount: float) -> float: ...

    def give_back(self, name: str, amount: float) -> None: ...


class Till:
    """The budget and the rates of a run; several threads may ask."""

    def __init__(self, spending: Spending) -> None:
        self.spending = spending
        self._buckets: dict[str, Bucket] = {}
        self._lock = threading.Lock()

    def hold(self, tokens: int, money: float) -> str | None:
        """Set aside the worst case of a call; why not, where the budget does not cover it."""
        with self._lock:
            try:
                self.spending.hold(tokens, money)
            except BudgetError as error:
                return str(error)
            return None

    def release(self, tokens: int, money: float) -> None:
        with self._lock:
            self.spending.release(tokens, money)

    def book(self, prompt_tokens: int, completion_tokens: int, money: float) -> None:
        """Add what a call took to the totals."""
        with self._lock:
            self.spending.prompt_tokens += prompt_tokens
            self.spending.completion_tokens += completion_tokens
            self.spending.money += money

    def take(self, name: str, per_minute: float, amount: float) -> float:
        """Take from a rate; the seconds to wait."""
        with self._lock:
            return self._buckets.setdefault(name, Bucket(per_minute)).take(amount)

    def give_back(self, name: str, amount: float) -> None:
        with self._lock:
            if name in self._buckets:
                self._buckets[name].give_back(amount)

    def forget_held(self) -> None:
        """Workers died: what they had set aside will not be released by them. Calls that were begun stay counted."""
        with self._lock:
            self.spending.forget_held()

    def money(self) -> float:
        """What was spent so far."""
        with self._lock:
            return self.spending.money


@dataclass(slots=True)
class Purse(Spending):
    """``Spending`` in a worker: the budget is the till's; hits and failures are counted here, for nobody's budget."""

    desk: Desk = field(kw_only=True)

    def hold(self, tokens: int, money: float) -> None:
        refused = self.desk.hold(tokens, money)
        if refused is not None:
            raise BudgetError(refused)

    def release(self, tokens: int, money: float) -> None:
        self.desk.release(tokens, money)

    def charge(self, prompt: Prompt, answers: Iterable[Answer], prices: Prices) -> None:
        self.desk.book(*charges(prompt, answers, prices))


class Tap(Bucket):
    """``Bucket`` in a worker: the level is the till's."""

    def __init__(self, desk: Desk, name: str, per_minute: float | None) -> None:
        super().__init__(per_minute)
        self._desk, self._name, self._per_minute = desk, name, per_minute

    def take(self, amount: float) -> float:
        if self._per_minute is None:
            return 0.0
        return self._desk.take(self._name, self._per_minute, amount)

    def give_back(self, amount: float) -> None:
        if self._per_minute is not None:
            self._desk.give_back(self._name, amount)


@dataclass(frozen=True)
class Counter:
    """What workers are given of a till: the desk, and how many of them share each model's calls at once."""

    desk: Desk
    workers: int

    def spending(self) -> Spending:
        return Purse(desk=self.desk)

    def bucket(self, name: str, per_minute: float | None) -> Bucket:
        return Tap(self.desk, name, per_minute)


class _Manager(BaseManager):
    """Serves a till on a socket file of this machine to the processes that this one starts."""


@contextmanager
def served(till: Till) -> Iterator[Desk]:
    """A desk that may be pickled into processes which are started meanwhile."""
    _Manager.register("till", callable=_Held(till), exposed=_EXPOSED)
    manager = _Manager()
    server = manager.get_server()
    threading.Thread(target=_serve, args=(server.serve_forever,), daemon=True).start()
    client = _Manager(address=server.address, authkey=manager._authkey)  # type: ignore[attr-defined]
    client.connect()
    try:
        yield client.till()  # type: ignore[attr-defined]
    finally:
        server.stop_event.set()  # type: ignore[attr-defined]


_EXPOSED = ("hold", "release", "book", "take", "give_back")


@dataclass(frozen=True)
class _Held:
    till: Till

    def __call__(self) -> Till:
        return self.till


def _serve(forever: Callable[[], None]) -> None:
    try:
        forever()
    except SystemExit:  # its way to say that it has ended
        return
