"""What stands behind every door of the service (HTTP, pages, agents): the pool, the ledger, keys and counters."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import msgspec

from assent import __version__
from assent.ledger.entries import Body
from assent.serve import books
from assent.serve.books import Books, Key
from assent.serve.metrics import Metrics
from assent.serve.problems import Problem
from assent.serve.schema import BatchRequest, Case, TranslateRequest
from assent.serve.settings import Settings
from assent.serve.tokens import Tokens, Who
from assent.serve.work import Setup
from assent.serve.workers import Pool

_FIRST_LOOK, _LAST_LOOK = 0.02, 0.25
"""Seconds between two looks at a request that another one is working on."""
_SLACK = 5.0
"""Seconds that a claim lasts beyond the deadline of its work."""


@dataclass(frozen=True, slots=True)
class Line:
    """One result of a batch: an answer, or an error in its place."""

    row: Body
    failed: bool = False


class Service:
    """Made before the event loop runs; ``start`` and ``close`` inside it."""

    def __init__(self, settings: Settings) -> None:
        settings.check()
        self.settings, self.limits = settings, settings.limits
        self.tokens = Tokens.read(settings.token_file)
        self.books = Books(settings.ledger)
        self.metrics = Metrics()
        setup = Setup(
            config=settings.config,
            vocabulary=settings.vocabulary,
            domain=settings.domain,
            policies=settings.policies,
            alpha=settings.alpha,
            ledger=self.books.where,
        )
        self.pool = Pool(
            msgspec.to_builtins(setup),
            size=settings.workers,
            waiting=self.limits.waiting,
            deadline=self.limits.deadline,
        )
        gauge = self.metrics.gauge
        gauge("workers_alive", "workers that can take a job", lambda: self.pool.alive)
        gauge("workers_busy", "workers at a job", lambda: self.pool.busy)
        gauge("jobs_waiting", "jobs that wait for a worker", lambda: self.pool.waiting)
        gauge(
            "workers_replaced_total", "workers that died or were ended", lambda: self.pool.restarts, "counter"
        )

    async def start(self) -> None:
        """Start the workers; ConfigurationError if they cannot be."""
        await self.pool.start()

    async def close(self) -> None:
        """Finish what was accepted and stop; safe to call twice."""
        await self.pool.close()
        await asyncio.to_thread(self.books.close)

    @property
    def health(self) -> Body:
        """Whether the service can do anything now."""
        status = "stopping" if self.pool.closing else "ok" if self.pool.alive else "no worker"
        return {"status": status, "version": __version__}

    async def do(self, verb: str, body: object, *, deadline: float | None = None) -> Any:
        """What a worker's verb answers to ``body``; ``deadline`` in seconds where it is not the usual one.

        Problem if no worker is free, it takes too long, or the worker refuses the body.
        """
        return await self.pool.do(verb, msgspec.to_builtins(body), deadline=deadline)

    # ---- decisions -------------------------------------------------------------------------------------------

    async def translate(
        self, request: TranslateRequest, who: Who, *, key: str | None = None, patient: bool = False
    ) -> Body:
        """Decide one instruction; the decision is in the ledger when this returns.

        With a key, the same request repeated gives the same answer and is neither decided nor paid twice; the key with
        another request is a Problem.
        """
        if key is None:
            return await self._decide(request, secrets.token_hex(8), None, patient)
        client_key = Key.of(who.name, key, request)
        claim = await self._claimed(client_key)
        if not isinstance(claim, str):
            return claim
        try:
            return await self._decide(request, client_key.name[:16], client_key, patient)
        except BaseException:
            await asyncio.shield(self.books.give_up(claim))
            raise

    async def _claimed(self, key: Key) -> Body | str:
        """The kept answer of a request, or the claim to make it; waits while another is at it."""
        give_up = time.monotonic() + self.limits.deadline
        pause = _FIRST_LOOK
        while True:
            claim = await self.books.claim(key, self.limits.deadline + _SLACK)
            if isinstance(claim, str):
                return claim
            if claim.other:
                raise Problem(422, "key-reused", "this Idempotency-Key was used for another request")
            if claim.answer is not None:
                return claim.answer
            if time.monotonic() > give_up:
                raise Problem.busy(503, "under-way", "this request is being worked on", 2)
            await asyncio.sleep(pause)
            pause = min(_LAST_LOOK, 2 * pause)

    async def _decide(self, request: TranslateRequest, name: str, key: Key | None, patient: bool) -> Body:
        body = {**msgspec.to_builtins(request), "id": request.id or name}
        decided = await self.pool.do("translate", body, patient=patient)
        row = decided["row"]

        def answer(decision_id: str) -> Body:
            return {**row, "decision_id": decision_id, "policy": decided["said"]}

        response = await self.books.keep(row, decided["policy"], key, answer)
        reason = {} if "reason" not in row else {"reason": str(row["reason"])}
        self.metrics.count("decisions", decision=row["decision"], logic=row["evidence"]["logic"], **reason)
        return response

    async def batch(self, request: BatchRequest, who: Who, *, key: str | None = None) -> AsyncIterator[Line]:
        """Decisions for many instructions, in order, as they come; a case that fails gives its error in its place."""
        shared = {name: getattr(request, name) for name in ("logic", "vocabulary", "domain", "alpha")}
        waiting: list[asyncio.Task[Line]] = []

        async def decided(number: int, case: str | Case) -> Line:
            fields = {"text": case} if isinstance(case, str) else msgspec.to_builtins(case)
            case_request = msgspec.convert(
                {**_without_none(shared), "id": str(number), **fields}, TranslateRequest
            )
            line = None if key is None else f"{key}/{number}"
            try:
                return Line(await self.translate(case_request, who, key=line, patient=True))
            except Problem as problem:
                row = {"id": case_request.id, "line": number, "error": problem.detail, "kind": problem.kind}
                return Line(row, failed=True)

        try:
            for number, case in enumerate(request.cases, start=1):
                waiting.append(asyncio.create_task(decided(number, case)))
                if len(waiting) > 2 * self.pool.size:
                    yield await waiting.pop(0)
            while waiting:
                yield await waiting.pop(0)
        finally:
            for task in waiting:
                task.cancel()
            await asyncio.gather(*waiting, return_exceptions=True)

    async def decisions(self, *, after: int, limit: int, decision: str | None, logic: str | None) -> Body:
        """A page of decisions."""
        rows, last = await self.books.read(
            lambda ledger: books.decisions(ledger, after=after, limit=limit, decision=decision, logic=logic)
        )
        return {"decisions": rows, "next": last}

    async def decision(self, key: str) -> Body:
        """One decision with its evidence; Problem 404 if there is none."""
        row = await self.books.read(lambda ledger: books.decision(ledger, key))
        if row is None:
            raise Problem(404, "no-decision", f"there is no decision {key[:64]!r}")
        return row


def _without_none(fields: Body) -> Body:
    return {name: value for name, value in fields.items() if value is not None}
