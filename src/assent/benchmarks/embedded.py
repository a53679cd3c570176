"""What the embedded models cost: a decision when warm, the first one from a cold start, a batch, the installation.

    assent bench embedded                       on the checkout's bench
    assent bench embedded FILE --vocabulary V   on instructions of one's own, JSON lines

A decision is all of it: gate, translation, five samples, back-translation, judge, rule. The batch is cut in parts, one
for each process, start included. Exit code 1 if the median decision takes 100 ms or the cold start 2.5 s, if the batch
manages fewer than 30 instructions a second with two processes, or if the installation has 400 MB (on an idle machine).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path
from statistics import median
from typing import Any

import assent
from assent.errors import UsageError

LIMITS = {"decision_ms": 100.0, "cold_start_s": 2.5, "installed_mb": 400.0}
LEAST_PER_SECOND = 30.0
COLD_STARTS = 3
MB = 1e6
BENCH = Path(__file__).resolve().parents[3] / "bench"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", nargs="?", help="instructions, JSON lines")
    parser.add_argument("--vocabulary", metavar="FILE", help="their names")
    parser.add_argument("--decisions", type=int, default=150, metavar="N", help="to time one by one (150)")
    parser.add_argument("--batch", type=int, default=600, metavar="N", help="instructions of the batch (600)")
    parser.add_argument("--processes", type=int, default=2, metavar="N", help="of the batch (2)")
    parser.add_argument("--json", action="store_true", help="the figures as JSON")


def run(args: argparse.Namespace) -> int:
    rows, vocabulary = _instructions(args.file, args.vocabulary)
    found: dict[str, Any] = {
        **_decisions(_spread(rows, args.decisions), vocabulary),
        "cold_start_s": _cold_start(rows[0], vocabulary),
        **_batch(_spread(rows, args.batch), vocabulary, max(1, args.processes)),
    }
    parts = installed()
    found["installed_mb"] = sum(parts.values())
    if args.json:
        print(json.dumps({**found, "installed_mb_by_part": parts}))
    else:
        print("\n".join(f"{name:<22} {value:.4g}" for name, value in found.items()))
        print("\n".join(f"  {name:<20} {size:.1f} MB" for name, size in parts.items()))
    slow = found["instructions_per_second"] < LEAST_PER_SECOND and args.processes >= 2
    return 1 if slow or any(found[name] >= most for name, most in LIMITS.items()) else 0


def installed() -> dict[str, float]:
    """Megabytes of the package and of all that it needs without extras, largest first."""
    sizes = {"assent": _megabytes(Path(assent.__file__).parent.rglob("*"))}
    waiting = ["assent"]
    while waiting:
        for line in metadata.requires(waiting.pop()) or ():
            name, _, marker = line.partition(";")
            name = re.sub(r"[-_.]+", "-", re.split(r"[^A-Za-z0-9._-]", name.strip(), maxsplit=1)[0]).lower()
            if "extra" in marker or name in sizes:
                continue
            try:
                files = metadata.files(name) or ()
            except metadata.PackageNotFoundError:  # for another system or version
                continue
            sizes[name] = _megabytes(Path(str(file.locate())) for file in files)
            waiting.append(name)
    return dict(sorted(sizes.items(), key=lambda item: -item[1]))


def _megabytes(files: Iterable[Path]) -> float:
    return sum(file.stat().st_size for file in files if file.is_file()) / MB


def _instructions(file: str | None, vocabulary: str | None) -> tuple[list[dict[str, Any]], str | None]:
    from assent.io.lines import read_rows

    if file is not None:
        rows = [row for _, row in read_rows(file)]
    elif BENCH.is_dir():
        rows = [row for logic in ("ltl", "stl", "spatial") for _, row in read_rows(BENCH / f"{logic}.jsonl")]
        vocabulary = vocabulary or str(BENCH / "vocabulary.json")
    else:
        raise UsageError(f"{BENCH} is not there: name a FILE of instructions")
    if not rows:
        raise UsageError(f"{file} holds no instructions")
    return rows, vocabulary


def _spread(rows: list[dict[str, Any]], count: int) -> list[dict[str, Any]]:
    """So many rows, evenly from all."""
    count = max(1, min(count, len(rows)))
    return [rows[i * len(rows) // count] for i in range(count)]


def _decisions(rows: list[dict[str, Any]], vocabulary: str | None) -> dict[str, float]:
    from assent.config.build import Options, assemble
    from assent.records.rows import instruction_of

    selective = assemble(Options(vocabulary=vocabulary, lazy=False)).selective()

    async def main() -> list[float]:
        await selective.decide(instruction_of(rows[0]))  # everything is loaded when first used
        times = []
        for row in rows:
            start = time.perf_counter()
            await selective.decide(instruction_of(row))
            times.append(1000 * (time.perf_counter() - start))
        return sorted(times)

    times = asyncio.run(main())
    return {
        "decisions": len(times),
        "decision_ms": median(times),
        "decision_ms_95": times[int(0.95 * len(times))],
    }


def _cold_start(row: dict[str, Any], vocabulary: str | None) -> float:
    options = [f"--logic={row.get('logic', 'ltl')}"]
    options += [f"--vocabulary={vocabulary}"] if vocabulary else []
    options += [f"--domain={row['domain']}"] if "domain" in row else []
    times = []
    for _ in range(COLD_STARTS):
        start = time.perf_counter()
        subprocess.run(
            [sys.executable, "-m", "assent", "translate", row["text"], *options],
            capture_output=True,
            check=False,
        )
        times.append(time.perf_counter() - start)
    return median(times)


def _batch(rows: list[dict[str, Any]], vocabulary: str | None, processes: int) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        started = []
        start = time.perf_counter()
        for number in range(processes):
            part = Path(folder) / f"{number}.jsonl"
            part.write_text(
                "".join(json.dumps(row) + "\n" for row in rows[number::processes]), encoding="utf-8"
            )
            command = [sys.executable, "-m", "assent", "batch", str(part), "-o", f"{part}.out", "--quiet"]
            command += [f"--vocabulary={vocabulary}"] if vocabulary else []
            started.append(subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE))
        errors = [process.communicate()[1].decode() for process in started]
        seconds = time.perf_counter() - start
        if any(process.returncode for process in started):
            raise UsageError(f"the batch failed: {''.join(errors).strip()[-500:]}")
    return {"batch": len(rows), "processes": processes, "instructions_per_second": len(rows) / seconds}
