"""Who is asking what: two processes with one cache ask the same question once.

Before a question is asked, its key is leased in the cache file; whoever finds it leased waits for the answer instead
of asking. A lease ends with the answer, with a failure, when its process is gone, or when it was not renewed in time.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import sqlite3
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Protocol, TypeAlias, TypeVar

from assent.errors import ConfigurationError
from assent.models.base import Answer, PerLoop
from assent.models.grouped import Writer

SCHEMA = """
CREATE TABLE IF NOT EXISTS leases (
    key TEXT PRIMARY KEY, owner TEXT NOT NULL, until REAL NOT NULL
) WITHOUT ROWID;
"""
SECONDS = 30.0
"""A lease that was not renewed for so long is void."""
MIN_FREE = 32_000_000
"""Bytes that must be free where the cache is, or nothing is asked."""
_FIRST_WAIT, _LONGEST_WAIT = 0.02, 0.5
"""Seconds between two looks at what another process asks for."""

Keys: TypeAlias = Sequence[str]
Answers: TypeAlias = dict[str, Answer]

R = TypeVar("R")


class Submit(Protocol):
    """Runs work on the cache file in the cache's own thread."""

    def __call__(self, work: Callable[[sqlite3.Connection], R], /) -> Future[R]: ...


class Leases:
    """The leases of one cache file.

    ``submit`` runs work on the file in the cache's thread, ``find`` looks answers up. Without a path (a cache in
    memory) there is nobody to share with, and nothing is leased.
    """

    def __init__(
        self,
        submit: Submit,
        find: Callable[[sqlite3.Connection, Keys], Answers],
        path: Path | None,
    ) -> None:
        self._submit, self._find, self._path = submit, find, path
        self._owner = _owner()
        self._claims = PerLoop(lambda: Writer(self._write))

    async def claim(self, keys: Keys) -> Answers:
        """The answers that are there by now; what is missing is leased to the caller, who is to ask for it.

        Waits while another process asks for one of them. Raises ConfigurationError where answers cannot be kept.
        """
        if self._path is None:
            return {}
        delay = _FIRST_WAIT
        while True:
            answers, ours = await self._claims.get().put(keys)
            if ours:
                return answers
            await asyncio.sleep(delay)
            delay = min(2 * delay, _LONGEST_WAIT)

    @contextmanager
    def renewed(self, keys: Keys) -> Iterator[None]:
        """Keep the leases while a question is under way; give them back if it fails. A stored answer ends its own."""
        loop = asyncio.get_running_loop()
        timers: list[asyncio.TimerHandle] = []

        def renew() -> None:
            self._later(self._take, keys)
            timers[:] = [loop.call_later(SECONDS / 3, renew)]

        timers.append(loop.call_later(SECONDS / 3, renew))
        try:
            yield
        except BaseException:
            self._later(self.give_back, keys)
            raise
        finally:
            timers[0].cancel()

    def give_back(self, db: sqlite3.Connection, keys: Keys) -> None:
        """End our leases on the keys."""
        db.executemany("DELETE FROM leases WHERE key = ? AND owner = ?", [(key, self._owner) for key in keys])

    def _later(self, work: Callable[[sqlite3.Connection, Keys], None], keys: Keys) -> None:
        """Change leases without waiting for it; where that fails they run out by themselves."""
        if self._path is not None:
            self._submit(lambda db: work(db, keys))

    async def _write(self, groups: Sequence[Keys]) -> list[tuple[Answers, bool]]:
        return await asyncio.wrap_future(self._submit(partial(self._claim, groups)))

    # ---- everything below runs in the cache's own thread ----

    def _claim(self, groups: Sequence[Keys], db: sqlite3.Connection) -> list[tuple[Answers, bool]]:
        """For each group the answers that are there, and whether the rest is leased to us now."""
        self._check_room()
        claims = []
        db.execute("BEGIN IMMEDIATE")
        try:
            for keys in groups:
                answers = self._find(db, keys)
                missing = [key for key in keys if key not in answers]
                claims.append((answers, not missing or self._taken(db, missing)))
        except BaseException:
            db.execute("ROLLBACK")
            raise
        db.execute("COMMIT")
        return claims

    def _taken(self, db: sqlite3.Connection, keys: Keys) -> bool:
        """Lease the keys unless one of them is leased."""
        if _held(db, keys):
            return False
        self._take(db, keys)
        return True

    def _take(self, db: sqlite3.Connection, keys: Keys) -> None:
        """Lease the keys, or renew their leases."""
        until = time.time() + SECONDS
        rows = [(key, self._owner, until) for key in keys]
        db.executemany("INSERT OR REPLACE INTO leases VALUES (?, ?, ?)", rows)

    def _check_room(self) -> None:
        """ConfigurationError if less than ``MIN_FREE`` bytes are free where the cache is."""
        free = MIN_FREE if self._path is None else shutil.disk_usage(self._path.parent).free
        if free < MIN_FREE:
            raise ConfigurationError(
                f"only {free // 1_000_000} MB are free where the cache is, too few to keep what is paid for;"
                " nothing more was asked: make room, or give it another place (cache.path)",
                file=str(self._path),
            )


def _held(db: sqlite3.Connection, keys: Keys) -> bool:
    """Is one of the keys leased?"""
    now = time.time()
    marks = ",".join("?" * len(keys))
    rows = db.execute(f"SELECT owner, until FROM leases WHERE key IN ({marks})", list(keys)).fetchall()
    # A lease from the far future was written by a clock that was wrong.
    return any(now <= until <= now + 2 * SECONDS and not _gone(name) for name, until in rows)


def _owner() -> str:
    """A name for this process that tells it from one that had its number before, or has it on another machine."""
    pid = os.getpid()
    return "\n".join((_here(), str(pid), _started(pid), uuid.uuid4().hex))


def _here() -> str:
    return socket.gethostname()


def _started(pid: int) -> str:
    """When a process began, where the system tells; empty if it does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        return ""


def _gone(name: str) -> bool:
    """Is the owner a process of this machine that has ended? False if that cannot be known."""
    try:
        host, pid, started, _ = name.split("\n")
        number = int(pid)
    except ValueError:
        return True  # nothing that we wrote
    if host != _here():
        return False
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return True
    except OSError:
        pass
    return bool(started) and _started(number) != started
