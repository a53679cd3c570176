"""One small seam over two databases: a SQLite file, or PostgreSQL by URL.

SQL is written once, with ``?`` for a value; what the two spell differently (how a row number is made, how a
reader skips what another holds) is an attribute here. Both keep what was committed when a process is killed.
"""

from __future__ import annotations

import contextlib
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from assent.errors import AssentError

Value: TypeAlias = str | int | float | None
Row: TypeAlias = tuple[Value, ...]


class LedgerError(AssentError):
    """A ledger that cannot be opened, is damaged, or is asked for something it must not do."""


class Database(ABC):
    """One connection. ``writing`` is a transaction: all of it is kept, or nothing. Safe between threads."""

    where: str
    number: str
    """The type of a row number that the database counts up itself."""
    skip_locked: str
    """What ends a SELECT that passes over rows another transaction holds."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._depth = 0

    @abstractmethod
    def run(self, sql: str, values: Sequence[Value] = ()) -> int:
        """Execute; how many rows it touched."""

    @abstractmethod
    def rows(self, sql: str, values: Sequence[Value] = ()) -> list[Row]:
        """Execute; what it found."""

    @abstractmethod
    def tables(self) -> set[str]:
        """The names of the tables that are there."""

    @abstractmethod
    def close(self) -> None:
        """Give the connection back; using the object afterwards is an error."""

    @abstractmethod
    def guard_log(self, table: str) -> list[str]:
        """Statements that make a table append-only: changing or removing a row is an error afterwards."""

    @abstractmethod
    def _begin(self, reading: bool) -> None: ...

    @abstractmethod
    def _end(self, kept: bool) -> None: ...

    @abstractmethod
    def hold(self, name: str) -> None:
        """Inside a transaction: wait until no other one holds this name, and hold it to the end."""

    @contextlib.contextmanager
    def writing(self, name: str | None = None) -> Iterator[None]:
        """A transaction; inside another one, a part of it. ``name`` keeps out others who ask for the same."""
        with self._transaction(reading=False):
            if name is not None:
                self.hold(name)
            yield

    @contextlib.contextmanager
    def snapshot(self) -> Iterator[None]:
        """A reading transaction that sees one state, whatever others write meanwhile."""
        with self._transaction(reading=True):
            yield

    @contextlib.contextmanager
    def _transaction(self, reading: bool) -> Iterator[None]:
        with self._lock:
            if self._depth == 0:
                self._begin(reading)
            self._depth += 1
            kept = False
            try:
                yield
                kept = True
            finally:
                self._depth -= 1
                if self._depth == 0:
                    self._end(kept)


def connect(where: str) -> Database:
    """The database at a path or a ``postgresql://`` address."""
    if where.startswith(("postgresql://", "postgres://")):
        from assent.ledger.postgres import Postgres

        return Postgres(where)
    from assent.ledger.sqlite import Sqlite

    return Sqlite(where)


def is_address(where: str) -> bool:
    """Whether a ledger is named by an address rather than by a file."""
    return where.startswith(("postgresql://", "postgres://"))
