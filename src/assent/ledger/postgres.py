"""The ledger in PostgreSQL, for several people and services at once. Needs ``assent[postgres]`` (psycopg)."""

from __future__ import annotations

import contextlib
import hashlib
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlsplit, urlunsplit

from assent.errors import MissingExtraError
from assent.ledger.database import Database, LedgerError, Row, Value

if TYPE_CHECKING:
    import psycopg


class Postgres(Database):
    """A connection to a server; a connection that was lost is made anew before the next transaction."""

    number = "BIGSERIAL PRIMARY KEY"
    skip_locked = " FOR UPDATE SKIP LOCKED"

    def __init__(self, url: str) -> None:
        super().__init__()
        try:
            import psycopg
        except ImportError:
            raise MissingExtraError("a ledger in PostgreSQL", "postgres") from None
        self._driver = psycopg
        self._url = url
        self.where = without_password(url)
        self._db = self._connect()

    def _connect(self) -> psycopg.Connection[Row]:
        try:
            return self._driver.connect(self._url, autocommit=True)
        except self._driver.Error as error:
            said = str(error).strip().replace(self._url, self.where)
            raise LedgerError(f"{self.where}: no connection: {said}") from error

    def run(self, sql: str, values: Sequence[Value] = ()) -> int:
        with self._lock, self._said():
            return self._execute(sql, values).rowcount

    def rows(self, sql: str, values: Sequence[Value] = ()) -> list[Row]:
        with self._lock, self._said():
            return self._execute(sql, values).fetchall()

    def _execute(self, sql: str, values: Sequence[Value]) -> psycopg.Cursor[Row]:
        if self._depth == 0 and self._db.closed:
            self._db = self._connect()
        # All statements are written in this package; what users bring in is a value, never part of the text.
        return self._db.execute(sql.replace("%", "%%").replace("?", "%s").encode(), tuple(values))

    def tables(self) -> set[str]:
        found = self.rows("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()")
        return {str(name) for (name,) in found}

    def close(self) -> None:
        self._db.close()

    def guard_log(self, table: str) -> list[str]:
        return [
            f"CREATE OR REPLACE FUNCTION {table}_fixed() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RAISE EXCEPTION 'the ledger is append-only'; END $$",
            f"CREATE OR REPLACE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
            f"FOR EACH STATEMENT EXECUTE FUNCTION {table}_fixed()",
        ]

    def hold(self, name: str) -> None:
        self.rows("SELECT pg_advisory_xact_lock(?)", (lock_number(name),))

    def _begin(self, reading: bool) -> None:
        with self._said():
            if self._db.closed:
                self._db = self._connect()
            try:
                self._db.execute(_START[reading])
            except self._driver.OperationalError:  # the server went away since; nothing was begun
                self._db.close()
                self._db = self._connect()
                self._db.execute(_START[reading])

    def _end(self, kept: bool) -> None:
        if kept:
            with self._said():
                self._db.execute(b"COMMIT")
        elif not self._db.closed:
            with contextlib.suppress(self._driver.Error):  # what went wrong is already on its way up
                self._db.execute(b"ROLLBACK")

    @contextlib.contextmanager
    def _said(self) -> Iterator[None]:
        try:
            yield
        except self._driver.Error as error:
            raise LedgerError(f"{self.where}: {str(error).strip()}") from error


_START = {False: b"BEGIN", True: b"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"}


def lock_number(name: str) -> int:
    """The number under which PostgreSQL locks a name."""
    return int.from_bytes(hashlib.blake2b(f"assent {name}".encode(), digest_size=8).digest(), signed=True)


def without_password(url: str) -> str:
    """The address as it may be shown, whether the password stands before the host or among the options."""
    url = re.sub(r"(?i)(?<=[?&])((?:ssl)?password)=[^&]*", r"\1=***", url)
    parts = urlsplit(url)
    if parts.password is None:
        return url
    return urlunsplit(parts._replace(netloc=parts.netloc.replace(f":{parts.password}@", ":***@", 1)))
