"""Names held by a connection to PostgreSQL: an advisory lock ends with its connection, however that ends."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from assent.ledger.database import Row
from assent.ledger.postgres import Postgres, lock_number

if TYPE_CHECKING:
    import psycopg

_NOTICE = b"SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3"
"""The server notices within half a minute that a machine is gone, and not after hours."""


class HoldingPostgres(Postgres):
    """A connection that holds names without waiting for them; a name that it holds itself is not free either."""

    def __init__(self, url: str) -> None:
        self._held: set[str] = set()
        self._lost = False
        super().__init__(url)

    @property
    def broken(self) -> bool:
        """Whether the connection is gone; the next statement makes a new one."""
        return self._db.closed

    def _connect(self) -> psycopg.Connection[Row]:
        made = super()._connect()
        made.execute(_NOTICE)
        self._lost = True
        return made

    def try_hold(self, names: Collection[str]) -> set[str]:
        """Hold those of the names that nobody holds; which ones."""
        self._hold_again()
        return self._try(set(names) - self._held)

    def let_go(self, names: Collection[str]) -> None:
        """Stop holding names; what this connection does not hold is passed over."""
        if not self.broken:
            mine = self._held & set(names)
            if mine:
                self.rows(
                    "SELECT pg_advisory_unlock(k) FROM unnest(CAST(? AS bigint[])) AS k", (_array(mine),)
                )
        self._held -= set(names)

    @contextlib.contextmanager
    def writing_with(self, name: str) -> Iterator[None]:
        """A transaction beside others of this kind, but not beside ``writing(name)``."""
        with self.writing():
            self.rows("SELECT pg_advisory_xact_lock_shared(?)", (lock_number(name),))
            yield

    def _hold_again(self) -> None:
        """What was held by a connection that was lost is held by the new one, unless another was quicker."""
        self.rows("SELECT 1")  # makes the connection
        if self._lost:
            before, self._held, self._lost = self._held, set(), False
            self._try(before)

    def _try(self, names: set[str]) -> set[str]:
        if not names:
            return set()
        numbers = {lock_number(name): name for name in names}
        found = self.rows(
            "SELECT k, pg_try_advisory_lock(k) FROM unnest(CAST(? AS bigint[])) AS k", (_array(names),)
        )
        new = {numbers[int(number or 0)] for number, free in found if free}
        self._held |= new
        return new


def _array(names: Collection[str]) -> str:
    return "{" + ",".join(str(lock_number(name)) for name in sorted(names)) + "}"
