"""What more lines and more processes do to the cost of one: the ratios of docs/scale.md, in one run.

    assent bench scale                                      10^3 and 10^4 lines; minutes
    assent bench scale --up-to 1000000 --lines 100000       what the documentation asks for; hours on two cores
    assent bench scale --part cost --part queue             only these

cost      processor time of 'assent collect' for one line whose translations and judgements are recorded (no model
          runs), by the length of the file, without that of starting: the largest over the smallest should stay
          below 1.2
workers   decisions a second of 'assent batch --engine ray' with the embedded models: two workers over one (1.7 wanted)
overhead  seconds a line of '--engine ray --jobs 2' over those of '--jobs 2', for recorded lines (1.15 at most wanted);
          beside it the same for the whole commands, with starting and ending
queue     how long a line of a batch is under way, from being read to being written, while all places are taken: models
          that answer after 20 ms, 16 lines side by side, 64 waiting; median and 99th percentile

Rates of workers are taken between the tenth part of the lines and the last, so that starting does not count, and at the
niceness of this command, which Ray's workers otherwise add 15 to (RAY_worker_niceness). What needs
Ray is left out, and said, where it is not installed. Ratios depend on what else runs: the load is printed with them.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import astuple, dataclass
from importlib.util import find_spec
from pathlib import Path
from statistics import fmean, median
from typing import Any

from assent.errors import DataError

PARTS = ("cost", "workers", "overhead", "queue")
SIDE_BY_SIDE, ANSWER_SECONDS = 16, 0.02
TENTH = 10
REPEATS, SHORT = 7, 10_000
"""Files shorter than this are measured so often; the median counts."""
NOBODY = """concurrency = 16
[models.nobody]
kind = "openai"
name = "nobody"
base_url = "http://127.0.0.1:9/v1"
[translator]
model = "nobody"
[back_translator]
model = "nobody"
[judge]
model = "nobody"
"""
"""Models that are never asked: all that they would say is recorded."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--part", choices=PARTS, action="append", help="only this one (may be repeated)")
    parser.add_argument(
        "--up-to", type=int, default=10_000, metavar="N", help="longest file of 'cost' (10000)"
    )
    parser.add_argument("--lines", type=int, default=2_000, metavar="N", help="lines of 'overhead' (2000)")
    parser.add_argument(
        "--rounds",
        type=int,
        choices=(1, 2, 4),
        default=1,
        help="of 'overhead', in turn and the other way round",
    )
    parser.add_argument("--decisions", type=int, default=60, metavar="N", help="of 'workers' (60)")
    parser.add_argument("--queue", type=int, default=2_000, metavar="N", help="lines of 'queue' (2000)")
    parser.add_argument("--json", action="store_true", help="the rows as JSON")


def run(args: argparse.Namespace) -> int:
    rows: list[dict[str, Any]] = []
    for part in args.part or PARTS:
        for row in _measured(part, args):
            rows.append({"part": part, **row, "load": round(os.getloadavg()[0], 1)})
            if not args.json:
                print("  ".join(f"{key} {value}" for key, value in rows[-1].items()), flush=True)
    if args.json:
        print(json.dumps(rows))
    return 0


def _measured(part: str, args: argparse.Namespace) -> Iterator[dict[str, Any]]:
    if part in ("workers", "overhead") and find_spec("ray") is None:
        yield {"left_out": "Ray is not installed (assent[ray])"}
        return
    with tempfile.TemporaryDirectory() as folder:
        match part:
            case "cost":
                yield from _cost(args.up_to, Path(folder))
            case "workers":
                yield from _workers(args.decisions, Path(folder))
            case "overhead":
                yield from _overhead(args.lines, args.rounds, Path(folder))
            case _:
                yield _queue(args.queue, Path(folder))


# ---- own cost ---------------------------------------------------------------------------------------------


def _cost(up_to: int, folder: Path) -> Iterator[dict[str, Any]]:
    from assent.benchmarks.rows import measured

    def once(count: int) -> float:
        file = _recorded(folder, count)
        took = measured(_collect(file, folder / f"out{count}.jsonl"))[1]
        for old in folder.glob(f"*{count}.jsonl*"):
            old.unlink()
        return took

    def seconds(count: int) -> float:  # starting varies by a tenth of a second, which is much for few lines
        return median(once(count) for _ in range(REPEATS if count < SHORT else 1))

    once(1)  # what is read from disk once
    start, each = seconds(1), []
    size = 1000
    while size <= up_to:
        each.append(1000 * (seconds(size) - start) / size)
        yield {"lines": size, "milliseconds_a_line": round(each[-1], 3)}
        size *= 10
    if each:
        yield {"largest_over_smallest": round(max(each) / min(each), 3), "wanted": "1.2 at most"}


def _recorded(folder: Path, count: int) -> Path:
    from assent.benchmarks.rows import few, made
    from assent.io.lines import encode

    path = folder / f"in{count}.jsonl"
    with path.open("wb") as stream:
        stream.writelines(map(encode, made(few(None), count)))
    return path


def _collect(file: Path, out: Path) -> list[str]:
    config = file.parent / "assent.toml"
    config.write_text(NOBODY, encoding="utf-8")
    return [*_assent("collect", file, out), "--config", str(config), "--quiet"]


def _assent(verb: str, file: Path, out: Path) -> list[str]:
    return [sys.executable, "-m", "assent", verb, str(file), "-o", str(out)]


# ---- workers ----------------------------------------------------------------------------------------------


def _workers(decisions: int, folder: Path) -> Iterator[dict[str, Any]]:
    from assent.io.lines import write_rows

    file = folder / "in.jsonl"
    said = ("the pump stops", "the valve opens", "the alarm rings", "the door closes", "the lamp is lit")
    texts = (f"Whenever {said[n % 5]}, {said[n // 5 % 5]} within {2 + n} seconds." for n in range(decisions))
    write_rows(file, [{"id": str(n), "logic": "stl", "text": text} for n, text in enumerate(texts)])
    rates: dict[int, float] = {}
    for workers in (1, 2):
        ray = ["--engine", "ray", "--jobs", str(workers), "--quiet"]
        command = [*_assent("batch", file, folder / f"out{workers}.jsonl"), *ray]
        rates[workers] = pace(command, decisions).rate
        yield {"workers": workers, "decisions_a_second": round(rates[workers], 2)}
    same = (folder / "out1.jsonl").read_bytes() == (folder / "out2.jsonl").read_bytes()
    yield {"two_over_one": round(rates[2] / rates[1], 2), "wanted": "1.7 at least", "same_bytes": same}


def _overhead(lines: int, rounds: int, folder: Path) -> Iterator[dict[str, Any]]:
    file, paces, same = _recorded(folder, lines), defaultdict[str, list[Pace]](list), True
    for number, engine in enumerate(
        ("processes", "ray", "ray", "processes")[: 2 * rounds] * max(1, rounds // 2)
    ):
        out = folder / f"out{number}.jsonl"
        found = pace([*_collect(file, out), "--engine", engine, "--jobs", "2"], lines)
        paces[engine].append(found)
        same = same and out.read_bytes() == (folder / "out0.jsonl").read_bytes()
        yield {"engine": engine, "lines": lines, **found.said()}
    plain, ray = paces["processes"], paces["ray"]
    yield {
        "ray_over_processes": round(fmean(1 / p.rate for p in ray) / fmean(1 / p.rate for p in plain), 3),
        "wanted": "1.15 at most",
        "whole_commands": round(fmean(p.whole for p in ray) / fmean(p.whole for p in plain), 3),
        "same_bytes": same,
    }


@dataclass(frozen=True)
class Pace:
    """Lines a second from the tenth part of them to the last; seconds to the first line, and of the whole command."""

    rate: float
    first: float
    whole: float

    def said(self) -> dict[str, float]:
        names = ("lines_a_second", "seconds_to_the_first_line", "seconds_in_all")
        return dict(zip(names, (round(value, 1) for value in astuple(self)), strict=True))


def pace(command: list[str], lines: int) -> Pace:
    """How fast a command writes its lines; DataError if it fails."""
    out = Grown(Path(command[command.index("-o") + 1]))
    first = max(1, lines // TENTH)
    begun: tuple[float, int] | None = None
    start, seen = time.perf_counter(), 0.0
    with tempfile.TemporaryFile() as said:
        alike = {"RAY_worker_niceness": "0", **os.environ}  # Ray's own 15 is for busy machines
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=said, env=alike)
        while out.lines() < lines and process.poll() is None:
            time.sleep(0.02)
            written, now = out.lines(), time.perf_counter()
            seen = seen or (now if written else 0.0)
            if begun is None and written >= first:
                begun = now, written
        end = time.perf_counter()
        if process.wait():
            said.seek(0)
            raise DataError(said.read().decode(errors="replace")[-2000:])
    if begun is None or begun[1] >= lines:
        raise DataError(f"{lines} lines were written at once: measure with more of them")
    return Pace((lines - begun[1]) / (end - begun[0]), seen - start, time.perf_counter() - start)


@dataclass
class Grown:
    """A file that others write; each look reads only what is new."""

    path: Path
    _read: int = 0
    _lines: int = 0

    def lines(self) -> int:
        """Lines that were written so far; 0 before there is a file."""
        try:
            with self.path.open("rb") as stream:
                stream.seek(self._read)
                new = stream.read()
        except OSError:
            return 0
        self._read += len(new)
        self._lines += new.count(b"\n")
        return self._lines


# ---- a full queue -----------------------------------------------------------------------------------------


def _queue(lines: int, folder: Path) -> dict[str, Any]:
    """A line is read when another is written and makes room: so long ago it was read as the window is long."""
    import numpy as np

    from assent.benchmarks.pipeline import selective_of
    from assent.errors import DataError as Bad
    from assent.pipeline.batch import WINDOW, Done, Item
    from assent.pipeline.batch import run as run_batch
    from assent.records.rows import decision_row, instruction_of

    selective, written = selective_of(ANSWER_SECONDS), list[float]()

    async def work(item: Item) -> Done:
        if isinstance(item.row, Bad):
            raise item.row
        return Done(decision_row(await selective.decide(instruction_of(item.row, line=item.line))))

    from assent.io.lines import write_rows

    file = folder / "in.jsonl"
    rows = ({"id": str(n), "logic": "ltl", "text": f"instruction {n}"} for n in range(lines))
    write_rows(file, rows)
    asyncio.run(
        run_batch(
            file,
            folder / "out.jsonl",
            work,
            settings={},
            concurrency=SIDE_BY_SIDE,
            watch=lambda _: written.append(time.perf_counter()),
        )
    )
    window = WINDOW * SIDE_BY_SIDE
    under_way = np.array(written[window:]) - np.array(written[:-window])
    middle, late = (1000 * float(np.quantile(under_way, share)) for share in (0.5, 0.99))
    return {"lines": lines, "median_milliseconds": round(middle, 1), "p99_milliseconds": round(late, 1)}
