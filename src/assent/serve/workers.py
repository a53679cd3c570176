"""The processes that compute: one job each at a time, so that a hard formula stalls nobody but itself.

A job that is past its deadline costs its worker: the process is killed and a new one started. A worker that dies
under a job (killed, out of memory) is replaced, and whoever asked is told to ask again; a job that never reached its
worker goes to another. Nothing waits without bound.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from assent.errors import ConfigurationError
from assent.ledger.entries import Body
from assent.scale.processes import ONE_THREAD
from assent.serve import frames
from assent.serve.problems import Problem

WORKER = ("-P", "-m", "assent.serve.worker")
"""What Python is told to run as a worker."""
STARTING = 120.0
"""Seconds for a worker to load its models."""
PAUSE = 0.5
"""Seconds before another worker is started in the place of one that could not start."""


@dataclass
class _Job:
    frame: bytes
    until: float
    answer: asyncio.Future[Any] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class Pool:
    """Workers and the line before them."""

    def __init__(
        self,
        setup: Body,
        *,
        size: int,
        waiting: int,
        deadline: float,
        command: Sequence[str] = WORKER,
    ) -> None:
        self._setup, self.size, self._most, self.deadline = dict(setup), size, waiting, deadline
        self._command = command
        self._line: asyncio.Queue[_Job] = asyncio.Queue()
        self._places: list[asyncio.Task[None]] = []
        self._processes: set[asyncio.subprocess.Process] = set()
        self._endings: set[asyncio.Task[None]] = set()
        self._seconds = 0.2
        self.alive = 0
        self.restarts = 0
        self.busy = 0
        self.closing = False

    @property
    def waiting(self) -> int:
        """Jobs that no worker has begun."""
        return self._line.qsize()

    @property
    def pids(self) -> list[int]:
        """The processes at work, for those who watch them."""
        return [process.pid for process in self._processes]

    async def start(self) -> None:
        """Start every worker; ConfigurationError if the first cannot be made ready."""
        first = await self._spawn()
        self._places = [asyncio.create_task(self._place(first if k == 0 else None)) for k in range(self.size)]

    async def do(
        self, verb: str, body: object, *, deadline: float | None = None, patient: bool = False
    ) -> Any:
        """Have a job done; Problem if the line is full (unless ``patient``), it takes too long, or its worker dies."""
        if self.closing:
            raise Problem.busy(503, "stopping", "the service is being stopped", 5)
        if not patient and self.waiting >= self._most:
            raise Problem.busy(
                429, "busy", f"{self.waiting} requests are waiting already", self.expected_wait
            )
        seconds = self.deadline if deadline is None else deadline
        job = _Job(frames.pack([verb, body]), time.monotonic() + seconds)
        self._line.put_nowait(job)
        try:
            async with asyncio.timeout_at(asyncio.get_running_loop().time() + seconds + PAUSE):
                return await job.answer
        except TimeoutError:
            raise _too_long(seconds) from None

    @property
    def expected_wait(self) -> float:
        """Seconds until a job that came now would be begun, by the recent ones."""
        return min(60.0, self._seconds * (self.waiting + 1) / self.size)

    async def close(self) -> None:
        """Finish what was taken, then end the workers; safe to call twice."""
        self.closing = True
        give_up = time.monotonic() + self.deadline
        while (self.waiting or self.busy) and time.monotonic() < give_up:
            await asyncio.sleep(0.02)
        for place in self._places:
            place.cancel()
        await asyncio.gather(*self._places, return_exceptions=True)
        await asyncio.gather(*self._endings)

    # ---- one place -------------------------------------------------------------------------------------------

    async def _place(self, process: asyncio.subprocess.Process | None) -> None:
        """Keep one worker at work for ever, a new one in the place of each that ends."""
        while True:
            try:
                process = process or await self._spawn()
            except (ConfigurationError, OSError):
                await asyncio.sleep(PAUSE)
                continue
            self.alive += 1
            try:
                await self._serve(process)
            finally:
                self.alive -= 1
                await self._end(process)
            process, self.restarts = None, self.restarts + 1

    async def _serve(self, process: asyncio.subprocess.Process) -> None:
        """Jobs for one worker until it has to be replaced."""
        ended = asyncio.create_task(process.wait())
        try:
            while True:
                taking = asyncio.create_task(self._line.get())
                try:
                    await asyncio.wait({taking, ended}, return_when=asyncio.FIRST_COMPLETED)
                finally:
                    if not taking.done():
                        taking.cancel()
                if not taking.done() or taking.cancelled():
                    return
                if not await self._job(process, taking.result()):
                    return
        finally:
            ended.cancel()

    async def _job(self, process: asyncio.subprocess.Process, job: _Job) -> bool:
        """Do one job; whether the worker is still good afterwards."""
        if job.answer.done():  # whoever asked went away
            return True
        remaining = job.until - time.monotonic()
        if remaining <= 0:
            _settle(job, Problem.busy(503, "busy", "no worker was free in time", self.expected_wait))
            return True
        begun = time.monotonic()
        self.busy += 1
        try:
            async with asyncio.timeout(remaining):
                await _send(process, job.frame)
                kind, result = await _answer(process)
        except _Unsent:  # it had died before: nobody has begun this job, so the next worker does it
            self._line.put_nowait(job)
            return False
        except TimeoutError:
            _settle(job, _too_long(self.deadline))
            return False
        except (asyncio.IncompleteReadError, OSError, ValueError):
            _settle(job, Problem.busy(503, "worker-died", "the worker at this request died: ask again", 1))
            return False
        finally:
            self.busy -= 1
            self._seconds += 0.1 * (time.monotonic() - begun - self._seconds)
        _settle(job, result if kind == frames.DONE else _problem(result))
        return True

    async def _spawn(self) -> asyncio.subprocess.Process:
        """A worker that has loaded its models."""
        process = await self._process()
        self._processes.add(process)
        try:
            async with asyncio.timeout(STARTING):
                await _send(process, frames.pack(self._setup))
                kind, result = await _answer(process)
        except BaseException as error:
            await self._end(process)
            if isinstance(error, TimeoutError | asyncio.IncompleteReadError | OSError):
                raise ConfigurationError("a worker could not be started (its message is above)") from error
            raise
        if kind != frames.READY:
            await self._end(process)
            raise ConfigurationError(str(result.get("detail", "a worker could not be started")))
        return process

    async def _process(self) -> asyncio.subprocess.Process:
        """A new process; if nobody wants it any more before it is there, it is ended and not left behind."""
        environment = {**ONE_THREAD, **os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        starting = asyncio.create_task(
            asyncio.create_subprocess_exec(
                sys.executable,
                *self._command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                env=environment,
            )
        )
        try:
            return await asyncio.shield(starting)
        except asyncio.CancelledError:
            await self._end(await starting)
            raise

    async def _end(self, process: asyncio.subprocess.Process) -> None:
        """Kill a process and see it off; ``close`` waits for that also where whoever asked for it is cancelled."""
        self._processes.discard(process)
        ending = asyncio.create_task(_see_off(process))
        self._endings.add(ending)
        ending.add_done_callback(self._endings.discard)
        await asyncio.shield(ending)


async def _see_off(process: asyncio.subprocess.Process) -> None:
    with contextlib.suppress(ProcessLookupError):
        process.kill()
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(PAUSE):
            await process.communicate()  # both pipes closed, or their ends would outlive the loop
    await process.wait()


class _Unsent(OSError):
    """A frame did not reach its worker whole."""


async def _send(process: asyncio.subprocess.Process, frame: bytes) -> None:
    assert process.stdin is not None
    try:
        process.stdin.write(frame)
        await process.stdin.drain()
    except OSError as error:
        raise _Unsent(str(error)) from error
    if process.stdin.transport.is_closing():  # nobody reads there any more; drain() does not say so
        raise _Unsent("its input is closed")


async def _answer(process: asyncio.subprocess.Process) -> tuple[str, Any]:
    assert process.stdout is not None
    head = await process.stdout.readexactly(frames.HEAD.size)
    kind, result = frames.unpack(await process.stdout.readexactly(frames.length_of(head)))
    return str(kind), result


def _settle(job: _Job, result: object) -> None:
    if job.answer.done():
        return
    if isinstance(result, Problem):
        job.answer.set_exception(result)
    else:
        job.answer.set_result(result)


def _problem(row: Body) -> Problem:
    more = {key: value for key, value in row.items() if key not in ("status", "kind", "detail", "headers")}
    return Problem(row["status"], row["kind"], row["detail"], headers=row.get("headers"), **more)


def _too_long(seconds: float) -> Problem:
    return Problem(504, "deadline", f"not done within {seconds:g} seconds")
