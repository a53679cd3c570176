"""Many instructions: side by side, written in the order of the input, safe to stop at any moment.

Beside ``OUT`` stand ``OUT.run.json`` (what the file was made with: a rerun with anything else is refused),
``OUT.ahead.jsonl`` (results that are ready before their turn; removed at the end) and ``OUT.timings.jsonl``
(what differs from run to run). ``OUT`` itself only ever grows by whole lines, and its first n lines belong to
the first n lines of the input; so a rerun goes on after the last line, and ends with the file of an
undisturbed run. Lines that failed are done again by a rerun: ``OUT`` is set back to the first of them, and what
follows it waits ahead.
"""

from __future__ import annotations

import asyncio
import contextlib
from array import array
from collections import Counter, deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from assent.errors import AssentError, DataError, PolicyError
from assent.io import lines
from assent.io.files import write_atomically
from assent.io.lines import Appender, count_lines, encode, read_rows, scan_rows

if TYPE_CHECKING:
    from assent.ledger.entries import Body

WINDOW = 4
"""Results may be this many times the concurrency ahead of the slowest one."""
_LONGEST_ID = 10_000
"""Characters of an id that is repeated in an error line."""
_WRAPPED = 100
"""Bytes that the place of a result takes while it waits ahead."""


@dataclass(frozen=True, slots=True)
class Item:
    """One line of the input: its place among the lines that count, and what it says or what is wrong."""

    place: int
    line: int
    row: Body | DataError


@dataclass(frozen=True, slots=True)
class Done:
    """A line of the output, what took how long, and why it failed if it did."""

    row: Body
    timing: Body = field(default_factory=dict)
    failure: str | None = None


@dataclass(frozen=True, slots=True)
class BatchOutcome:
    """``done`` lines are in the file, ``new`` of them from this run; ``bad`` were no instruction.

    ``failures`` counts the causes for which lines of the whole file failed, the bad ones among them.
    """

    total: int
    done: int
    new: int
    bad: int
    failures: Mapping[str, int] = field(default_factory=dict)

    @property
    def complete(self) -> bool:
        return self.done == self.total


Work = Callable[[Item], Awaitable[Done]]
Watch = Callable[[Done], None]


def sidecar(out: Path, name: str) -> Path:
    """The file ``OUT.NAME`` beside an output."""
    return out.with_name(f"{out.name}.{name}")


def survey(path: Path) -> tuple[int, frozenset[int]]:
    """Number of lines that count, and the lines whose id was there before; eight bytes a line are kept."""
    hashes, count = array("Q"), 0
    for _, row in scan_rows(path):
        count += 1
        if not isinstance(row, DataError) and "id" in row:
            hashes.append(_hash(row["id"]))
    if len(np.unique(np.frombuffer(hashes, dtype=np.uint64))) == len(hashes):
        return count, frozenset()
    seen: set[str] = set()
    twice: set[int] = set()
    for number, row in scan_rows(path):
        if not isinstance(row, DataError) and "id" in row:
            if str(row["id"]) in seen:
                twice.add(number)
            seen.add(str(row["id"]))
    return count, frozenset(twice)


def _hash(identity: object) -> int:
    return int.from_bytes(blake2b(str(identity).encode(), digest_size=8).digest(), "big")


def items(path: Path, twice: frozenset[int]) -> Iterator[Item]:
    """The lines of the input in order; a repeated id is wrong, for results are found again by id."""
    for place, (line, row) in enumerate(scan_rows(path)):
        if line in twice and not isinstance(row, DataError):
            row = DataError(f"the id {row['id']!r} occurs before", file=str(path), line=line)
        yield Item(place, line, row)


def error_line(item: Item, error: AssentError) -> Done:
    """What stands in the output for a line that could not be processed."""
    identity = {} if isinstance(item.row, DataError) or "id" not in item.row else {"id": item.row["id"]}
    if len(str(identity)) > _LONGEST_ID:
        identity = {}
    return Done({**identity, "line": item.line, "error": str(error)}, failure=str(error))


def is_error(row: Mapping[str, object]) -> bool:
    """Whether a stored line says why its input could not be processed (an instruction's own field may be ``error``)."""
    return "error" in row and "line" in row and "decision" not in row and "made_by" not in row


def failure_of(row: Mapping[str, object]) -> str | None:
    """Why a stored line failed: it was no instruction, or a model did not answer. None for lines that are done."""
    if is_error(row):
        return str(row["error"])
    evidence = row.get("evidence", row)
    cause = evidence.get("failure") if isinstance(evidence, Mapping) and "made_by" in evidence else None
    return None if cause is None else str(cause)


def _fitting(item: Item, done: Done) -> Done:
    """What came of a line, or an error in its place where it is longer than a line may be."""
    size = len(encode(done.row)) + _WRAPPED
    if size <= lines.LONGEST_LINE:
        return done
    return error_line(
        item, DataError(f"the result has {size} bytes, and a line at most {lines.LONGEST_LINE}")
    )


async def run(
    path: Path,
    out: Path,
    work: Work,
    *,
    settings: Mapping[str, object],
    concurrency: int = 8,
    watch: Watch | None = None,
    keep_failed: bool = False,
) -> BatchOutcome:
    """Do ``work`` for every line of ``path`` that ``out`` does not have yet, or has as a failure."""
    total, twice = survey(path)
    _claim(out, settings)
    with Appender(out) as output, Appender(sidecar(out, "timings.jsonl")) as timings:
        done = count_lines(out)
        if done > total:
            raise DataError(
                f"has {done} lines, and {path} only {total}: not the output of this input", file=str(out)
            )
        ahead_path = sidecar(out, "ahead.jsonl")
        with Appender(ahead_path) as ahead:
            if not keep_failed:
                done = _set_back(out, output, ahead, done)
            waiting = ((place, row) for place, row in _ahead(ahead_path) if place >= done)
            ready = {place: row for place, row in waiting if keep_failed or failure_of(row) is None}
            _compare_inputs(path, out, twice, ready)
            pending = (item for item in items(path, twice) if item.place >= done)
            new = 0
            async for result in _ordered(pending, work, ready, ahead, concurrency):
                output.append(result.row)
                if result.timing:
                    timings.append(result.timing)
                new += 1
                if watch is not None:
                    watch(result)
        ahead_path.unlink(missing_ok=True)
    bad, failures = _failures(out)
    return BatchOutcome(total=total, done=done + new, new=new, bad=bad, failures=failures)


def _set_back(out: Path, output: Appender, ahead: Appender, done: int) -> int:
    """Cut the output before its first failed line; good lines behind it wait ahead. The number of lines left.

    What waits is on disk before anything is cut, so that a kill in between loses nothing.
    """
    first, offset, position = None, 0, 0
    with out.open("rb") as stream:
        for place, line in enumerate(stream):
            row = msgspec.json.decode(line)
            failed = failure_of(row) is not None
            if failed and first is None:
                first, offset = place, position
            elif not failed and first is not None:
                ahead.append({"place": place, "row": row})
            position += len(line)
    if first is None:
        return done
    ahead.sync()
    output.cut(offset)
    return first


async def _ordered(
    pending: Iterator[Item], work: Work, ready: dict[int, Body], ahead: Appender, concurrency: int
) -> AsyncIterator[Done]:
    """Results in the order of the input; each is on disk as soon as it is there, in place or ahead."""
    running: dict[int, asyncio.Task[Done]] = {}
    waiting: deque[Item] = deque()
    turn: int | None = None
    slots = asyncio.Semaphore(concurrency)

    async def result_of(item: Item) -> Done:
        if item.place in ready:
            return Done(ready.pop(item.place))
        async with slots:
            result = _fitting(item, await work(item))
        if item.place != turn:
            ahead.append({"place": item.place, "row": result.row})
        return result

    try:
        while True:
            while len(waiting) < WINDOW * concurrency and (item := next(pending, None)) is not None:
                waiting.append(item)
                running[item.place] = asyncio.create_task(result_of(item))
            if not waiting:
                return
            item = waiting.popleft()
            turn = item.place
            yield await running.pop(item.place)
    finally:
        for task in running.values():
            task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.gather(*running.values(), return_exceptions=True)


def _claim(out: Path, settings: Mapping[str, object]) -> None:
    """The output belongs to one input, one configuration and one policy; anything else is refused."""
    note = sidecar(out, "run.json")
    text = msgspec.json.format(msgspec.json.encode(settings, order="deterministic"), indent=2) + b"\n"
    if note.exists():
        if note.read_bytes() != text:
            raise PolicyError(
                f"{out} was begun with other settings (see {note}): choose another output or remove both"
            )
    elif out.exists() and out.stat().st_size:
        raise DataError("exists and was not written by this verb: choose another output", file=str(out))
    else:
        write_atomically(note, text)


def _failures(out: Path) -> tuple[int, Counter[str]]:
    """Lines that are no instruction, and the causes of all failures: the exit code speaks for the whole file."""
    bad, causes = 0, Counter[str]()
    for _, row in read_rows(out):
        cause = failure_of(row)
        if cause is not None:
            causes[cause] += 1
            bad += is_error(row)
    return bad, causes


def _ahead(path: Path) -> Iterator[tuple[int, Body]]:
    for _, row in read_rows(path):
        yield row["place"], row["row"]


_SAME = ("text", "logic", "domain")


def _compare_inputs(path: Path, out: Path, twice: frozenset[int], ready: dict[int, Body]) -> None:
    """The input may have been edited since: what was written must still be about what its line says."""
    stored = scan_rows(out)
    last = max(ready, default=-1)
    for item in items(path, twice):
        number, row = next(stored, (0, None))
        if isinstance(row, DataError):
            raise row
        if row is None and item.place > last:
            return
        row = ready.get(item.place) if row is None else row
        if row is None or is_error(row):
            continue
        if (difference := _difference(item, row)) is not None:
            where = str(out) if number else str(sidecar(out, "ahead.jsonl"))
            raise DataError(f"{difference}: the input was changed since", file=where, line=number or None)


def _difference(item: Item, row: Body) -> str | None:
    """What an output row says that its line of the input does not; None if they belong together."""
    case = {} if isinstance(item.row, DataError) else item.row
    expected = case.get("id", item.line)
    if str(row.get("id")) != str(expected):
        return f"holds {row.get('id')!r} where the input has {expected!r}"
    evidence = row["evidence"] if isinstance(row.get("evidence"), dict) else row
    for key in _SAME:
        if case.get(key) is not None and str(evidence.get(key)) != str(case[key]):
            return f"{expected!r} was made for another {key}"
    return None
