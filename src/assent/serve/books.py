"""The service's ledger: decisions before their answers are sent, and requests that must not be done twice.

A request with an idempotency key is claimed before it is worked on and kept with its answer in the same transaction
as its decision. Whoever repeats it, at any service on the same ledger, gets the kept answer, and waits while it is
under way elsewhere. A claim ends with its time, or at once where the process that made it is gone.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

import msgspec

from assent.ledger import Ledger, record, record_policy
from assent.ledger.entries import Body, Kind, digest
from assent.ledger.keep import Keep
from assent.ledger.queue import is_dead

T = TypeVar("T")
ANSWERS, CLAIMS = "requests", "request claims"
_MOST_CLAIMS = 1000
_OVER = " over"


class _Answer(msgspec.Struct, frozen=True):
    """A kept answer, and a digest of the request it belongs to."""

    request: str
    answer: Body


class _Claim(msgspec.Struct, frozen=True):
    """The process that works on a request, and the time at which its claim ends."""

    holder: str
    until: float


@dataclass(frozen=True, slots=True)
class Repeated:
    """A key that cannot be claimed: its answer is kept, ``other`` request has used it, or it is ``running``."""

    answer: Body | None = None
    other: bool = False
    running: bool = False


@dataclass(frozen=True, slots=True)
class Key:
    """An idempotency key of one client, with a digest of what was asked under it."""

    name: str
    request: str

    @classmethod
    def of(cls, who: str, key: str, request: object) -> Key:
        """The key of a client for a request; the same word from two clients gives two names."""
        return cls(digest([who, key]), digest(msgspec.to_builtins(request)))


class Books:
    """One connection that writes and one that reads, each with a thread of its own."""

    def __init__(self, where: str | None) -> None:
        self._folder = None if where is not None else tempfile.TemporaryDirectory(prefix="assent-ledger-")
        self.where = where or f"{self._folder.name if self._folder else ''}/ledger.db"
        self._writing = Ledger.open(self.where, create=True)
        self._reading = Ledger.open(self.where)
        self._writer, self._reader = ThreadPoolExecutor(1, "ledger"), ThreadPoolExecutor(1, "ledger-reads")
        self._holder = f"{socket.gethostname()}/{os.getpid()}/{secrets.token_hex(8)}"
        self._policies: dict[str, str] = {}

    async def write(self, work: Callable[[Ledger], T]) -> T:
        """Run ``work`` in the writer's thread and wait for it; calls run one after the other."""
        return await asyncio.get_running_loop().run_in_executor(self._writer, work, self._writing)

    async def read(self, work: Callable[[Ledger], T]) -> T:
        """Run ``work`` in the reader's thread and wait for it."""
        return await asyncio.get_running_loop().run_in_executor(self._reader, work, self._reading)

    async def keep(self, row: Body, policy: str, key: Key | None, answer: Callable[[str], Body]) -> Body:
        """Write a decision down with its policy; ``answer`` makes the answer of the decision's id.

        With a key the answer is kept under it in the same transaction; where one stands there already, that one counts.
        """

        def work(ledger: Ledger) -> Body:
            with ledger.writing():
                if policy not in self._policies:
                    self._policies[policy] = record_policy(ledger, policy)
                response = answer(record(ledger, row, policy=self._policies[policy]))
                if key is None:
                    return response
                text = msgspec.json.encode(_Answer(key.request, response)).decode()
                stored = Keep(ledger.db, ANSWERS).put({key.name: text})[key.name]
                return msgspec.json.decode(stored, type=_Answer).answer

        try:
            return await self.write(work)
        except BaseException:
            self._policies.clear()  # the transaction is rolled back, and with it policies it may have written
            raise

    async def claim(self, key: Key, seconds: float) -> Repeated | str:
        """Claim a request for so many seconds: the name of the claim if it is ours now, else what is known of it."""

        def work(ledger: Ledger) -> Repeated | str:
            with ledger.writing(f"request {key.name}"):
                text = Keep(ledger.db, ANSWERS).find([key.name]).get(key.name)
                if text is not None:
                    stored = msgspec.json.decode(text, type=_Answer)
                    return (
                        Repeated(answer=stored.answer)
                        if stored.request == key.request
                        else Repeated(other=True)
                    )
                return self._claim(Keep(ledger.db, CLAIMS), key, seconds)

        return await self.write(work)

    def _claim(self, claims: Keep, key: Key, seconds: float) -> Repeated | str:
        """Claim the first number of this key whose earlier claims have all ended; Repeated while one has not."""
        for number in range(_MOST_CLAIMS):
            name = f"{key.name} {number}"
            entries = claims.find([name, name + _OVER])
            if name not in entries:
                mine = msgspec.json.encode(_Claim(self._holder, time.time() + seconds)).decode()
                return name if claims.put({name: mine})[name] == mine else Repeated(running=True)
            if name + _OVER not in entries:
                last = msgspec.json.decode(entries[name], type=_Claim)
                if last.until > time.time() and not is_dead(last.holder):
                    return Repeated(running=True)
                claims.put({name + _OVER: ""})
        return Repeated(running=True)

    async def give_up(self, claim: str) -> None:
        """End a claim that led to no answer, so that the request can be repeated at once."""
        await self.write(lambda ledger: Keep(ledger.db, CLAIMS).put({claim + _OVER: ""}))

    def close(self) -> None:
        """Finish what is being written and close; a ledger of the service's own is removed."""
        for threads in (self._writer, self._reader):
            threads.shutdown(wait=True)
        self._writing.close()
        self._reading.close()
        if self._folder is not None:
            self._folder.cleanup()


def decisions(
    ledger: Ledger, *, after: int, limit: int, decision: str | None, logic: str | None
) -> tuple[list[Body], int | None]:
    """Decisions in the order they were made, behind position ``after``, and the position to go on from."""
    rows: list[Body] = []
    last = after
    while True:
        entries = ledger.db.rows(
            "SELECT seq, id, body FROM assent_entries WHERE kind = ? AND seq > ? ORDER BY seq LIMIT 500",
            (Kind.DECISION.value, last),
        )
        for seq, key, text in entries:
            last = int(seq or 0)
            body = msgspec.json.decode(str(text), type=dict)
            if decision in (None, body["decision"]) and logic in (None, body["logic"]):
                rows.append(_listed(ledger, str(key), body))
            if len(rows) == limit:
                return rows, last
        if len(entries) < 500:
            return rows, None


def _listed(ledger: Ledger, key: str, body: Body) -> Body:
    case = ledger.entry(Kind.INSTRUCTION, str(body["instruction"]))
    text = None if case is None else case.object().get("text")
    row = {"decision_id": key, "id": str(body.get("id", "")), "decision": body["decision"]}
    row |= {"logic": body["logic"], "text": text or ""}
    fields = ("formula", "english", "reason", "detail", "score", "threshold", "alpha", "cluster")
    return row | {name: body[name] for name in fields if body.get(name) is not None}


def decision(ledger: Ledger, key: str) -> Body | None:
    """One decision with its evidence, as it was answered; None if there is none."""
    entry = ledger.entry(Kind.DECISION, key)
    if entry is None:
        return None
    body = entry.object()
    evidence = ledger.entry(Kind.EVIDENCE, str(body["evidence"]))
    fields = {
        name: value for name, value in body.items() if name not in ("instruction", "candidate", "cluster")
    }
    return fields | {"decision_id": key, "evidence": {} if evidence is None else evidence.object()}
