"""The call cache in a ledger's PostgreSQL database, for workers on several machines.

A row is the digest of a request and its answer; messages are stored once each. The first answer under a key stays. It
is committed before anything else is done with it. Who is to ask holds an advisory lock, which ends with the answer,
with a failure, or with its connection; whoever finds it held waits for the answer, but not without end.

Needs a connection of its own: a pool that hands one connection to several clients (per statement or transaction) loses
the locks.
"""

from __future__ import annotations

import asyncio
import hashlib
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import TypeAlias, TypeVar

import msgspec

from assent.errors import ConfigurationError
from assent.ledger.database import LedgerError
from assent.ledger.keep import Keep
from assent.ledger.locks import HoldingPostgres
from assent.ledger.postgres import without_password
from assent.ledger.schema import migrate
from assent.models.base import Answer, PerLoop
from assent.models.cache import CachedCall, CachedRow, Paid, Pairs, Stats
from assent.models.grouped import Writer

WAIT = 300.0
"""Seconds to wait for an answer that another asks for; then it is asked for here as well."""
RECONNECT = 20.0
"""Seconds to wait for a server that was there before: answers that are paid for are to be kept."""
_CALLS, _TEXTS = "calls", "texts"
_FIRST_WAIT, _LONGEST_WAIT = 0.02, 0.5
Answers: TypeAlias = dict[str, Answer]
P = TypeVar("P")
R = TypeVar("R")


class _Answered(msgspec.Struct, frozen=True):
    """Of a stored row, the answer."""

    answer: Answer


class LedgerCache:
    """What ``assent.models.Cache`` is for one machine, by the address of a database. Errors are ConfigurationError."""

    def __init__(self, url: str, *, wait_seconds: float = WAIT, reconnect_seconds: float = RECONNECT) -> None:
        self._url, self._reconnect = url, reconnect_seconds
        self.where = without_password(url)
        # One thread does everything, in order, so that the event loop never waits for the server.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="assent-cache")
        self._db: HoldingPostgres | None = None
        self._corner = ""
        self._sound = False
        self.leases = Turns(self, wait_seconds)
        self._lookups = PerLoop(lambda: Writer(partial(self._together, self._find_each)))
        self._writer = PerLoop(lambda: Writer(partial(self._together, self._put)))
        self._claims = PerLoop(lambda: Writer(partial(self._together, self._claim)))

    async def find(self, keys: Sequence[str]) -> Answers:
        """The answers that are there, by key."""
        return await self._lookups.get().put(keys)

    async def put(self, calls: Sequence[CachedCall], answers: Sequence[Answer]) -> tuple[Answer, ...]:
        """Store answers; what is stored afterwards (an earlier answer stays) is returned."""
        return await self._writer.get().put(list(zip(calls, answers, strict=True)))

    async def claim(self, keys: Sequence[str]) -> tuple[Answers, bool]:
        """The answers that are there, and whether the rest is held by us now."""
        return await self._claims.get().put(keys)

    def give_back(self, keys: Sequence[str]) -> None:
        """Stop holding keys, without waiting for it."""
        self._submit(lambda db: db.let_go(self._names(keys)))

    async def flush(self) -> None:
        """Wait until everything handed to ``put`` is stored."""
        await self._writer.get().idle()

    def stats(self) -> Stats:
        return self._submit(self._stats).result()

    def paid(self) -> list[Paid]:
        """What all answers took, by model; each answer counts as a call."""
        return self._submit(_paid).result()

    def rows(self) -> Iterator[CachedRow]:
        """Every answer with its prompt, in the order of the keys, a page at a time."""
        db = self._submit(lambda db: db).result()
        with self._as_configuration_error():
            for row, _ in _stored(db):
                yield _with_texts(db, row)

    def prune(
        self, *, before: float | None = None, name: str | None = None, version: str | None = None
    ) -> int:
        """Remove answers made before a time, or of a model; how many."""

        def chosen(row: CachedRow) -> bool:
            matches = (before is None or row.made < before, name in (None, row.name))
            return all(matches) and version in (None, row.version)

        return self._submit(partial(_prune, chosen)).result()

    def close(self) -> None:
        """Close the connection, and with it give back every key; the cache connects again when it is next used."""
        self._thread.submit(self._close).result()

    async def _together(
        self, work: Callable[[Sequence[P], HoldingPostgres], list[R]], groups: Sequence[P]
    ) -> list[R]:
        return await asyncio.wrap_future(self._submit(partial(work, groups)))

    def _submit(self, work: Callable[[HoldingPostgres], R]) -> Future[R]:
        return self._thread.submit(self._run, work)

    # ---- everything below runs in the cache's own thread ----

    def _run(self, work: Callable[[HoldingPostgres], R]) -> R:
        """Work on the database, again if the connection broke: everything here may be done twice."""
        give_up = time.monotonic() + self._reconnect
        with self._as_configuration_error():
            while True:
                try:
                    return work(self._open())
                except LedgerError:
                    self._sound = False
                    if self._db is None or not self._db.broken or time.monotonic() > give_up:
                        raise
                    time.sleep(_FIRST_WAIT)

    @contextmanager
    def _as_configuration_error(self) -> Iterator[None]:
        """Errors of the database, and of rows that cannot be decoded, as ConfigurationError."""
        try:
            yield
        except LedgerError as error:
            raise ConfigurationError(f"the cache cannot be used ({error})", key="cache.path") from error
        except msgspec.MsgspecError as error:
            raise ConfigurationError(
                f"the cache is damaged ({error}): {self.where}; prune it, or use another", key="cache.path"
            ) from error

    def _open(self) -> HoldingPostgres:
        if self._db is None:
            db = HoldingPostgres(self._url)
            try:
                migrate(db)
                self._corner = str(db.rows("SELECT current_schema()")[0][0])
            except BaseException:
                db.close()
                raise
            self._db = db
        return self._db

    def _close(self) -> None:
        if self._db is not None:
            self._db.close()
        self._db, self._sound = None, False

    def _names(self, keys: Sequence[str]) -> dict[str, str]:
        """The names of the advisory locks of keys, with the schema in them: locks are shared by a whole database."""
        return {f"call {self._corner} {key}": key for key in keys}

    def _find_each(self, groups: Sequence[Sequence[str]], db: HoldingPostgres) -> list[Answers]:
        answers = _find(db, groups)
        return [{key: answers[key] for key in keys if key in answers} for keys in groups]

    def _claim(self, groups: Sequence[Sequence[str]], db: HoldingPostgres) -> list[tuple[Answers, bool]]:
        """For each group the stored answers, and whether all missing keys are held by us now.

        Keys are locked before answers are looked up: an answer is stored before its key is released, so none is missed.
        """
        if not self._sound:
            _try_writing(db)
            self._sound = True
        names = self._names([key for keys in groups for key in keys])
        new = db.try_hold(names)
        try:
            answers, free, claims = _find(db, groups), {names[name] for name in new}, []
            for keys in groups:
                missing = {key for key in keys if key not in answers}
                ours = missing <= free
                free -= missing if ours else set()
                claims.append(({key: answers[key] for key in keys if key in answers}, ours))
            db.let_go(self._names(list(free)))
        except BaseException:
            db.let_go(new)
            raise
        return claims

    def _put(self, groups: Sequence[Pairs], db: HoldingPostgres) -> list[tuple[Answer, ...]]:
        pairs = [pair for group in groups for pair in group]
        texts: dict[str, str] = {}
        bodies: dict[str, str] = {}
        now = time.time()
        for call, answer in pairs:
            for message in call.prompt.messages:
                texts[_hash(message.content)] = msgspec.json.encode(message.content).decode()
            bodies.setdefault(call.key, msgspec.json.encode(_row(call, answer, now)).decode())
        with db.writing_with("calls"):
            Keep(db, _TEXTS).put(texts)
            stored = Keep(db, _CALLS).put(bodies)
        db.let_go(self._names(list(bodies)))
        answers = {key: msgspec.json.decode(body, type=_Answered).answer for key, body in stored.items()}
        return [tuple(answers[call.key] for call, _ in group) for group in groups]

    def _stats(self, db: HoldingPostgres) -> Stats:
        models, tasks, sums = Counter[str](), Counter[str](), Counter[str]()
        for row, size in _stored(db):
            models[f"{row.name} {row.version}".strip()] += 1
            tasks[row.task] += 1
            sums += Counter(
                size=size, asked=row.answer.prompt_tokens or 0, said=row.answer.completion_tokens or 0
            )
        return Stats(
            answers=tasks.total(),
            bytes=sums["size"] + sum(len(body.encode()) for _, body in Keep(db, _TEXTS).each()),
            by_model=dict(models),
            by_task=dict(tasks),
            prompt_tokens=sums["asked"],
            completion_tokens=sums["said"],
        )


class Turns:
    """Who asks what: of all who share the cache, one at a time for a key."""

    def __init__(self, cache: LedgerCache, wait_seconds: float) -> None:
        self._cache, self._wait = cache, wait_seconds

    async def claim(self, keys: Sequence[str]) -> Answers:
        """The answers that are there by now; what is missing the caller is to ask for.

        Waits while another asks for one of them, so long at most as the cache was told.
        """
        delay, give_up = _FIRST_WAIT, time.monotonic() + self._wait
        while True:
            claim = asyncio.ensure_future(self._cache.claim(keys))
            try:
                answers, ours = await asyncio.shield(claim)
            except asyncio.CancelledError:
                claim.add_done_callback(partial(self._unwanted, keys))
                raise
            if ours or time.monotonic() > give_up:
                return answers
            await asyncio.sleep(delay)
            delay = min(2 * delay, _LONGEST_WAIT)

    def _unwanted(self, keys: Sequence[str], claim: asyncio.Future[tuple[Answers, bool]]) -> None:
        """Give back what a claim got whose caller was cancelled meanwhile."""
        if not claim.cancelled() and claim.exception() is None and claim.result()[1]:
            self._cache.give_back(keys)

    @contextmanager
    def renewed(self, keys: Sequence[str]) -> Iterator[None]:
        """While a question is under way its key is held by the connection; if it fails, the key is given back."""
        try:
            yield
        except BaseException:
            self._cache.give_back(keys)
            raise


def _find(db: HoldingPostgres, groups: Sequence[Sequence[str]]) -> Answers:
    bodies = Keep(db, _CALLS).find(list({key for keys in groups for key in keys}))
    return {key: msgspec.json.decode(body, type=_Answered).answer for key, body in bodies.items()}


def _try_writing(db: HoldingPostgres) -> None:
    """LedgerError if the database cannot be written to: found out before a call is paid for."""
    keep, name = Keep(db, "trials"), uuid.uuid4().hex
    with db.writing():
        keep.put({name: ""})
        keep.remove([name])


def _row(call: CachedCall, answer: Answer, made: float) -> CachedRow:
    """What is stored of a call; messages stand in it by their digests."""
    return CachedRow(
        key=call.key,
        name=call.name,
        version=call.version,
        task=call.prompt.task,
        logic=call.prompt.logic,
        messages=[{"role": turn.role, "content": _hash(turn.content)} for turn in call.prompt.messages],
        sampling=msgspec.to_builtins(call.sampling.only(0)),
        sample=call.sample,
        answer=answer,
        made=made,
    )


def _stored(db: HoldingPostgres) -> Iterator[tuple[CachedRow, int]]:
    """Every row as it is stored, and its size in bytes."""
    for _, body in Keep(db, _CALLS).each():
        yield msgspec.json.decode(body, type=CachedRow), len(body.encode())


def _with_texts(db: HoldingPostgres, row: CachedRow) -> CachedRow:
    bodies = Keep(db, _TEXTS).find([turn["content"] for turn in row.messages])
    texts = {digest: msgspec.json.decode(body, type=str) for digest, body in bodies.items()}
    messages = [{"role": turn["role"], "content": texts.get(turn["content"], "")} for turn in row.messages]
    return msgspec.structs.replace(row, messages=messages)


def _paid(db: HoldingPostgres) -> list[Paid]:
    sums: dict[str, Counter[str]] = {}
    for row, _ in _stored(db):
        prompt, completion = row.answer.prompt_tokens or 0, row.answer.completion_tokens or 0
        sums.setdefault(row.name, Counter()).update(
            calls=1, prompt_tokens=prompt, completion_tokens=completion
        )
    return [
        Paid(name=name, **{field: counts[field] for field in ("calls", "prompt_tokens", "completion_tokens")})
        for name, counts in sorted(sums.items())
    ]


def _prune(chosen: Callable[[CachedRow], bool], db: HoldingPostgres) -> int:
    removed, used = list[str](), set[str]()
    with db.writing("calls"):
        for row, _ in _stored(db):
            if chosen(row):
                removed.append(row.key)
            else:
                used.update(turn["content"] for turn in row.messages)
        Keep(db, _CALLS).remove(removed)
        texts = Keep(db, _TEXTS)
        texts.remove([digest for digest, _ in texts.each() if digest not in used])
    return len(removed)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
