"""The ledger in one SQLite file: write-ahead log, one writer at a time, every commit on disk before it returns."""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from assent.ledger.database import Database, LedgerError, Row, Value

APPLICATION = 0x41535345
"""Written into the file's header, so that another program's file is not taken for a ledger."""
PATIENCE = 60.0
"""Seconds that a writer waits for another one."""


class Sqlite(Database):
    """A connection to one file."""

    number = "INTEGER PRIMARY KEY AUTOINCREMENT"
    skip_locked = ""  # a writing transaction is alone in the file

    def __init__(self, path: str) -> None:
        super().__init__()
        self.where = path
        with self._said():
            try:
                self._db = sqlite3.connect(
                    path, timeout=PATIENCE, isolation_level=None, check_same_thread=False
                )
            except sqlite3.OperationalError as error:
                raise LedgerError(f"{path}: cannot be opened: {error}") from error
            self._identify(Path(path))
            self._write_ahead()
            self._db.execute("PRAGMA synchronous=FULL")

    def _identify(self, path: Path) -> None:
        """Refuse a file that is something else; an empty one becomes a ledger."""
        if self._application() == APPLICATION:
            return
        with self.writing():  # another process may be making it at this moment
            found = self._application()
            if found == APPLICATION:
                return
            if found != 0 or self.tables():
                raise LedgerError(f"{path}: this SQLite file is not a ledger; use another name")
            self._db.execute(f"PRAGMA application_id={APPLICATION}")

    def _application(self) -> int:
        return int(self._db.execute("PRAGMA application_id").fetchone()[0])

    def _write_ahead(self) -> None:
        """Switch to WAL; the switch does not wait for other processes by itself."""
        give_up = time.monotonic() + PATIENCE
        while True:
            try:
                self._db.execute("PRAGMA journal_mode=WAL")
            except sqlite3.OperationalError:
                if time.monotonic() > give_up:
                    raise
                time.sleep(0.02)
            else:
                return

    def run(self, sql: str, values: Sequence[Value] = ()) -> int:
        with self._lock, self._said():
            return self._db.execute(sql, tuple(values)).rowcount

    def rows(self, sql: str, values: Sequence[Value] = ()) -> list[Row]:
        with self._lock, self._said():
            return self._db.execute(sql, tuple(values)).fetchall()

    def tables(self) -> set[str]:
        return {str(name) for (name,) in self.rows("SELECT name FROM sqlite_master WHERE type='table'")}

    def close(self) -> None:
        self._db.close()

    def guard_log(self, table: str) -> list[str]:
        return [
            f"CREATE TRIGGER IF NOT EXISTS {table}_no_{what.lower()} BEFORE {what} ON {table} "
            "BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END"
            for what in ("UPDATE", "DELETE")
        ]

    def hold(self, name: str) -> None:
        """Nothing to do: a writing transaction is alone in the file."""

    def _begin(self, reading: bool) -> None:
        with self._said():
            self._db.execute("BEGIN" if reading else "BEGIN IMMEDIATE")

    def _end(self, kept: bool) -> None:
        with self._said():
            if self._db.in_transaction:
                self._db.execute("COMMIT" if kept else "ROLLBACK")

    @contextlib.contextmanager
    def _said(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise LedgerError(f"{self.where}: {error}") from error
