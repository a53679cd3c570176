"""One worker process: jobs come in on standard input, results go out on standard output, until the input ends.

Started by ``assent.serve.workers``; the first message says what the service was told.
"""

from __future__ import annotations

import os
import signal
import sys
import traceback
from typing import TYPE_CHECKING, Any, BinaryIO

from assent.errors import AssentError
from assent.serve import frames
from assent.serve.problems import Problem, problem_of

if TYPE_CHECKING:
    from assent.ledger.entries import Body
    from assent.serve.work import Workshop


def main() -> int:
    """Serve until the service goes away, however it ends."""
    for ignored in (signal.SIGINT, signal.SIGTERM):  # the service says when to stop: it closes the pipe
        signal.signal(ignored, signal.SIG_IGN)
    jobs = sys.stdin.buffer
    results = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever else prints must not end up among the results
    setup = _next(jobs)
    if setup is None:
        return 0
    try:
        from assent.serve.work import Workshop

        workshop = Workshop.made(setup)
    except AssentError as error:
        _send(results, frames.FAILED, _row(problem_of(error)))
        return 1
    _send(results, frames.READY, {})
    while (job := _next(jobs)) is not None:
        verb, body = job
        _send(results, *_done(workshop, str(verb), body))
    workshop.close()
    return 0


def _done(workshop: Workshop, verb: str, body: Body) -> tuple[str, object]:
    """The result of one job; an error of ours becomes a problem, any other one a 500 with its trace in the log."""
    try:
        return frames.DONE, workshop.do(verb, body)
    except Problem as problem:
        return frames.PROBLEM, _row(problem)
    except AssentError as error:
        return frames.PROBLEM, _row(problem_of(error))
    except Exception:
        traceback.print_exc()
        return frames.PROBLEM, _row(
            Problem(500, "internal", "the worker met an error: see the service's log")
        )


def _row(problem: Problem) -> dict[str, object]:
    return {
        **problem.more,
        "status": problem.status,
        "kind": problem.kind,
        "detail": problem.detail,
        "headers": problem.headers,
    }


def _next(stream: BinaryIO) -> Any:
    """The next message; None at the end of the stream, also in the middle of a message."""
    head = stream.read(frames.HEAD.size)
    if len(head) < frames.HEAD.size:
        return None
    size = frames.length_of(head)
    body = stream.read(size)
    return None if len(body) < size else frames.unpack(body)


def _send(stream: BinaryIO, kind: str, result: object) -> None:
    try:
        stream.write(frames.pack([kind, result]))
        stream.flush()
    except BrokenPipeError:  # the service is gone
        sys.exit(0)


if __name__ == "__main__":
    sys.exit(main())
