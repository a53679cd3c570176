"""Every answer is on disk before it is used, and no call is paid twice.

A SQLite file in WAL mode, safe with many processes. The key of an answer is the content address of model,
version, full prompt, sampling and sample index (``base.call_key``). Messages are stored once each, in however
many prompts they occur. The first answer stored under a key stays, and two processes that want the same at the same
moment ask once (``leases``).

A question is only asked if its answer can be kept: the lease is written first, and with it the disk is tried.

A commit reaches the operating system before ``put`` returns, so that a killed process loses nothing; a power
cut may lose the last moments (``synchronous=NORMAL``), but never the file.
"""

from __future__ import annotations

import asyncio
import hashlib
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import msgspec

from assent.errors import ConfigurationError, ModelError
from assent.models.base import Answer, PerLoop, Prompt, Sampling
from assent.models.grouped import Lookups, Writer
from assent.models.leases import SCHEMA as LEASES
from assent.models.leases import Leases

SCHEMA_VERSION = 1
_UNUSABLE = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN}
"""What no repetition heals: the disk is full or broken, the file may not be written."""
_SCHEMA = f"""
{LEASES}
CREATE TABLE IF NOT EXISTS texts (hash TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS calls (
    key TEXT PRIMARY KEY, name TEXT NOT NULL, version TEXT NOT NULL, task TEXT NOT NULL, logic TEXT NOT NULL,
    prompt TEXT NOT NULL, sampling TEXT NOT NULL, sample INTEGER NOT NULL,
    answer TEXT NOT NULL, made REAL NOT NULL
) WITHOUT ROWID;
"""
_INSERT = f"INSERT OR IGNORE INTO calls VALUES ({','.join('?' * 10)})"
A = TypeVar("A")
R = TypeVar("R")


class CachedCall(msgspec.Struct, frozen=True, kw_only=True):
    """What was asked: everything that the key is made of."""

    key: str
    name: str
    version: str
    prompt: Prompt
    sampling: Sampling
    sample: int


Pairs: TypeAlias = Sequence[tuple[CachedCall, Answer]]


class CachedRow(msgspec.Struct, frozen=True, kw_only=True):
    """One answer as exported; ``RecordedModel`` replays such rows."""

    key: str
    name: str
    version: str
    task: str
    logic: str
    messages: list[dict[str, str]]
    sampling: dict[str, Any]
    sample: int
    answer: Answer
    made: float


class Stats(msgspec.Struct, frozen=True, kw_only=True):
    """Contents of a cache, by model and task."""

    answers: int
    bytes: int
    by_model: dict[str, int]
    by_task: dict[str, int]
    prompt_tokens: int
    completion_tokens: int


class Paid(msgspec.Struct, frozen=True, kw_only=True):
    """What the answers of one model took, as far as the endpoint said."""

    name: str
    calls: int
    prompt_tokens: int
    completion_tokens: int


class Cache:
    """The store; ``Cached`` puts it in front of a model. ``path=None`` keeps it in memory."""

    def __init__(self, path: Path | str | None = None, *, busy_seconds: float = 60.0) -> None:
        self.path = None if path is None else Path(path)
        self._busy = busy_seconds
        # One thread writes, so that the event loop never waits for a commit or for another process. Lookups have a
        # connection of their own: in WAL mode a reader waits for nobody, and waking a thread costs more than ten
        # lookups (and milliseconds on a busy machine).
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="assent-cache")
        self._connection: sqlite3.Connection | None = None
        self._reader: sqlite3.Connection | None = None
        self._writer = PerLoop(lambda: Writer(self._write))
        self.leases = Leases(self._submit, self._find, self.path)
        self._lookups = PerLoop(lambda: Lookups(lambda keys: self._guard(self._read, keys)))
        self._known: set[str] = set()
        self._generation = -1

    async def find(self, keys: Sequence[str]) -> dict[str, Answer]:
        """The answers that are there, by key."""
        if self._reader is None:  # opening may wait for another process
            await asyncio.get_running_loop().run_in_executor(self._thread, self._guard, self._find, keys)
        return await self._lookups.get().find(keys)

    async def put(self, calls: Sequence[CachedCall], answers: Sequence[Answer]) -> tuple[Answer, ...]:
        """Store answers; what is stored afterwards (an earlier answer stays) is returned."""
        return await self._writer.get().put(list(zip(calls, answers, strict=True)))

    async def flush(self) -> None:
        """Wait until everything handed to ``put`` is stored."""
        await self._writer.get().idle()

    async def _write(self, groups: Sequence[Pairs]) -> list[tuple[Answer, ...]]:
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._guard, self._put, groups)

    def stats(self) -> Stats:
        return self._now(self._stats)

    def paid(self) -> list[Paid]:
        """What all answers took, by model; each answer counts as a call."""
        return self._now(self._paid)

    def rows(self) -> Iterator[CachedRow]:
        """Every answer with its prompt, in the order of the keys, a page at a time."""
        last, page = "", [""]
        while page:
            page = self._now(partial(self._page, after=last))
            for key in page:
                row = self._now(partial(self._row, key=key))
                if row is not None:
                    yield row
            last = page[-1] if page else last

    def prune(
        self, *, before: float | None = None, name: str | None = None, version: str | None = None
    ) -> int:
        """Remove answers made before a time, or of a model; how many."""
        return self._now(lambda db: self._prune(db, before, name, version))

    def close(self) -> None:
        """Close the file; the cache opens it again when it is next used."""
        self._thread.submit(self._close).result()

    # ---- everything below runs in the cache's own thread, but for lookups ----

    def _now(self, work: Callable[[sqlite3.Connection], R]) -> R:
        return self._submit(work).result()

    def _submit(self, work: Callable[[sqlite3.Connection], R]) -> Future[R]:
        return self._thread.submit(self._guard, lambda db, _: work(db), None)

    def _guard(self, work: Callable[[sqlite3.Connection, A], R], argument: A) -> R:
        """Sqlite's errors become ours: the operator's, but for a file that others keep locked."""
        try:
            return work(self._open(), argument)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF in _UNUSABLE:
                raise ConfigurationError(
                    f"the cache cannot be used ({error}): make room, or give it another place (cache.path)",
                    file=str(self.path),
                ) from error
            raise ModelError(f"the cache {self.path} cannot be used: {error}") from error
        except (sqlite3.DatabaseError, msgspec.MsgspecError) as error:
            raise ConfigurationError(
                f"the cache is damaged ({error}); move it away and rerun", file=str(self.path)
            ) from error

    def _open(self) -> sqlite3.Connection:
        if self._connection is not None:
            return self._connection
        if self.path is not None:
            try:
                self.path.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise ConfigurationError(
                    f"no place for a cache: {error.strerror}", file=str(self.path)
                ) from error
        db = self._connect()
        _write_ahead(db, self._busy)
        db.execute("PRAGMA synchronous=NORMAL")
        schema_version = db.execute("PRAGMA user_version").fetchone()[0]
        if schema_version not in (0, SCHEMA_VERSION):
            db.close()
            raise ConfigurationError(
                f"made by another version of assent (schema {schema_version}, not {SCHEMA_VERSION}); use another file",
                file=str(self.path),
            )
        db.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} PRAGMA user_version={SCHEMA_VERSION}; COMMIT;")
        self._connection = db
        self._reader = db if self.path is None else self._connect()
        return db

    def _connect(self) -> sqlite3.Connection:
        db = sqlite3.connect(
            self.path or ":memory:", timeout=self._busy, isolation_level=None, check_same_thread=False
        )
        db.execute(f"PRAGMA busy_timeout={int(self._busy * 1000)}")
        return db

    def _close(self) -> None:
        for db in (self._reader, self._connection):
            if db is not None:
                db.close()
        self._reader = self._connection = None

    def _read(self, db: sqlite3.Connection, keys: Sequence[str]) -> dict[str, Answer]:
        return self._find(self._reader or db, keys)

    def _find(self, db: sqlite3.Connection, keys: Sequence[str]) -> dict[str, Answer]:
        marks = ",".join("?" * len(keys))
        rows = db.execute(f"SELECT key, answer FROM calls WHERE key IN ({marks})", list(keys))
        return {key: msgspec.json.decode(answer, type=Answer) for key, answer in rows}

    def _put(self, db: sqlite3.Connection, groups: Sequence[Pairs]) -> list[tuple[Answer, ...]]:
        db.execute("BEGIN IMMEDIATE")
        try:
            self._forget_if_changed(db)
            stored = self._insert(db, groups)
        except BaseException:
            db.execute("ROLLBACK")
            self._known.clear()
            raise
        db.execute("COMMIT")
        return stored

    def _forget_if_changed(self, db: sqlite3.Connection) -> None:
        """Texts known to be stored need not be written again, unless another process has pruned since."""
        generation = db.execute("PRAGMA data_version").fetchone()[0]
        if generation != self._generation:
            self._generation = generation
            self._known.clear()

    def _insert(self, db: sqlite3.Connection, groups: Sequence[Pairs]) -> list[tuple[Answer, ...]]:
        pairs = [pair for group in groups for pair in group]
        new = {
            _hash(message.content): message.content
            for call, _ in pairs
            for message in call.prompt.messages
            if _hash(message.content) not in self._known
        }
        db.executemany("INSERT OR IGNORE INTO texts VALUES (?, ?)", new.items())
        self._known.update(new)
        self.leases.give_back(db, [call.key for call, _ in pairs])
        now = time.time()
        if db.executemany(_INSERT, [_values(call, answer, now) for call, answer in pairs]).rowcount == len(
            pairs
        ):
            return [tuple(answer for _, answer in group) for group in groups]
        # Another process was first with some of them, or a key came twice: what is stored counts.
        return [tuple(self._find(db, [call.key])[call.key] for call, _ in group) for group in groups]

    def _stats(self, db: sqlite3.Connection) -> Stats:
        by_model: dict[str, int] = {}
        for name, version, count in db.execute("SELECT name, version, count(*) FROM calls GROUP BY 1, 2"):
            by_model[f"{name} {version}".strip()] = count
        by_task = dict(db.execute("SELECT task, count(*) FROM calls GROUP BY 1").fetchall())
        prompt_tokens, completion_tokens = db.execute(
            "SELECT coalesce(sum(json_extract(answer, '$.prompt_tokens')), 0),"
            " coalesce(sum(json_extract(answer, '$.completion_tokens')), 0) FROM calls"
        ).fetchone()
        pages, size = (
            db.execute("PRAGMA page_count").fetchone()[0],
            db.execute("PRAGMA page_size").fetchone()[0],
        )
        return Stats(
            answers=sum(by_task.values()),
            bytes=pages * size,
            by_model=by_model,
            by_task=by_task,
            prompt_tokens=prompt_tokens,
            completion_tokens=completion_tokens,
        )

    def _paid(self, db: sqlite3.Connection) -> list[Paid]:
        rows = db.execute(
            "SELECT name, count(*), coalesce(sum(json_extract(answer, '$.prompt_tokens')), 0),"
            " coalesce(sum(json_extract(answer, '$.completion_tokens')), 0) FROM calls GROUP BY 1"
        )
        return [
            Paid(name=name, calls=calls, prompt_tokens=prompt_tokens, completion_tokens=completion_tokens)
            for name, calls, prompt_tokens, completion_tokens in rows
        ]

    def _page(self, db: sqlite3.Connection, after: str) -> list[str]:
        return [
            row[0]
            for row in db.execute("SELECT key FROM calls WHERE key > ? ORDER BY key LIMIT 500", (after,))
        ]

    def _row(self, db: sqlite3.Connection, key: str) -> CachedRow | None:
        columns = db.execute(
            "SELECT name, version, task, logic, prompt, sampling, sample, answer, made"
            " FROM calls WHERE key = ?",
            (key,),
        ).fetchone()
        if columns is None:
            return None
        name, version, task, logic, prompt, sampling, sample, answer, made = columns
        messages = []
        for role, digest in msgspec.json.decode(prompt, type=list[tuple[str, str]]):
            body = db.execute("SELECT body FROM texts WHERE hash = ?", (digest,)).fetchone()
            messages.append({"role": role, "content": body[0] if body else ""})
        return CachedRow(
            key=key,
            name=name,
            version=version,
            task=task,
            logic=logic,
            messages=messages,
            sampling=msgspec.json.decode(sampling),
            sample=sample,
            answer=msgspec.json.decode(answer, type=Answer),
            made=made,
        )

    def _prune(
        self, db: sqlite3.Connection, before: float | None, name: str | None, version: str | None
    ) -> int:
        clauses = [("made < ?", before), ("name = ?", name), ("version = ?", version)]
        filters = [(clause, value) for clause, value in clauses if value is not None]
        where = " AND ".join(clause for clause, _ in filters) or "1"
        self._known.clear()
        removed = db.execute(f"DELETE FROM calls WHERE {where}", [value for _, value in filters]).rowcount
        db.execute(
            "DELETE FROM texts WHERE hash NOT IN"
            " (SELECT json_extract(turn.value, '$[1]') FROM calls, json_each(calls.prompt) AS turn)"
        )
        db.execute("VACUUM")
        return removed


def _write_ahead(db: sqlite3.Connection, patience: float) -> None:
    """Switch to WAL. The switch itself does not wait for other processes, so it is tried again."""
    give_up = time.monotonic() + patience
    while True:
        try:
            db.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError:
            if time.monotonic() > give_up:
                raise
            time.sleep(0.02)
        else:
            return


def _values(call: CachedCall, answer: Answer, made: float) -> tuple[str | int | float, ...]:
    """A row of the table ``calls``."""
    turns = [(message.role, _hash(message.content)) for message in call.prompt.messages]
    return (
        call.key,
        call.name,
        call.version,
        call.prompt.task,
        call.prompt.logic,
        msgspec.json.encode(turns).decode(),
        _sampling(call.sampling.only(0)),
        call.sample,
        msgspec.json.encode(answer).decode(),
        made,
    )


@lru_cache(maxsize=4096)
def _sampling(sampling: Sampling) -> str:
    return msgspec.json.encode(sampling).decode()


@lru_cache(maxsize=4096)
def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
