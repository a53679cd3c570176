"""How much memory evidence takes that is calibrated on and reported: peak of a process of its own, by rows.

    assent bench rows                           10^5 rows as JSON lines
    assent bench rows --up-to 1000000           ... and 10^6
    assent bench rows --form parquet            a table instead
    assent bench rows --recording FILE          rows made from recorded ones (default: from a few made by rule)
    assent bench rows --agreeing                samples that are all alike, so that nothing is to be decided about their
                                                meaning, which takes most of the time

Each row is one of the recorded ones with an id, a wording and a cluster of its own. A line a size and verb: peak
megabytes of the process that runs 'assent calibrate' or 'assent report', seconds of its processor time, and bytes of
the file. The files are made for the run and not kept.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from assent.errors import DataError

MEMBERS = 4
"""Rows of a cluster."""
LAUNCHER = """
import json, os, subprocess, sys
process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
_, status, used = os.wait4(process.pid, 0)
print(json.dumps([os.waitstatus_to_exitcode(status), used.ru_maxrss, used.ru_utime + used.ru_stime]))
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--up-to", type=int, default=100_000, metavar="N", help="the largest file (100000)")
    parser.add_argument("--from", dest="first", type=int, default=100_000, metavar="N", help="the smallest")
    parser.add_argument("--form", choices=("jsonl", "parquet"), default="jsonl")
    parser.add_argument("--recording", metavar="FILE", help="recorded rows to make them from")
    parser.add_argument("--agreeing", action="store_true", help="samples like the candidate, quick to read")
    parser.add_argument("--verb", choices=("calibrate", "report"), action="append", help="only this one")
    parser.add_argument("--json", action="store_true", help="the rows as JSON")


def run(args: argparse.Namespace) -> int:
    some = few(args.recording)
    if args.agreeing:
        some = [{**row, "samples": [row["candidate"]] * len(row["samples"])} for row in some]
    rows: list[dict[str, Any]] = []
    size = args.first
    while size <= args.up_to:
        with tempfile.TemporaryDirectory() as folder:
            file = _file(some, size, Path(folder), args.form)
            for verb in args.verb or ("calibrate", "report"):
                peak, seconds = measured(_command(verb, file, Path(folder)))
                rows.append(
                    {
                        "rows": size,
                        "verb": verb,
                        "form": args.form,
                        "peak_megabytes": round(peak),
                        "seconds": round(seconds, 1),
                        "file_megabytes": round(file.stat().st_size / 1e6),
                    }
                )
                if not args.json:
                    print("  ".join(f"{key} {value}" for key, value in rows[-1].items()), flush=True)
        size *= 10
    if args.json:
        print(json.dumps(rows))
    return 0


def few(recording: str | None) -> list[dict[str, Any]]:
    """The rows that others are made from: recorded ones, or some made by rule."""
    from assent.io.lines import read_rows

    if recording is not None:
        return [row for _, row in read_rows(recording)]
    right, wrong = "G (a -> F (b & c))", "G (a -> F b)"
    return [
        {
            "id": f"r{number}",
            "logic": "ltl",
            "text": "whenever a holds, b and c hold together some time later",
            "reference": right,
            "candidate": wrong if number % 4 == 0 else right,
            "samples": [right] * (5 - number % 3) + [wrong] * (number % 3),
            "back_translation": "If a is true at some point, then b and c are true at a later point.",
            "judge": dict.fromkeys(
                ("logical_structure", "temporal_operators", "time_constraints", "overall_meaning"),
                60 + number * 7 % 41,
            ),
            "system": "made by rule",
        }
        for number in range(40)
    ]


def made(some: list[dict[str, Any]], count: int) -> Iterator[dict[str, Any]]:
    """So many rows, each with an id, a wording and a cluster of its own."""
    for number in range(count):
        row = some[number % len(some)]
        copy = number // len(some)
        yield {
            **{key: value for key, value in row.items() if key != "checksum"},
            "id": f"{row['id']}-{copy}",
            "text": f"{row['text']} ({number})",
            "cluster": f"{row.get('cluster', number % len(some) // MEMBERS)}-{copy}",
        }


def _file(some: list[dict[str, Any]], count: int, folder: Path, form: str) -> Path:
    from assent.io.lines import encode

    lines = folder / "rows.jsonl"
    with lines.open("wb") as stream:
        stream.writelines(map(encode, made(some, count)))
    if form == "jsonl":
        return lines
    from assent.scale.tables import write_parquet

    write_parquet(lines, folder / "rows.parquet")
    lines.unlink()
    return folder / "rows.parquet"


def _command(verb: str, file: Path, folder: Path) -> list[str]:
    start = [sys.executable, "-m", "assent", verb, str(file)]
    if verb == "calibrate":
        return [*start, "--alpha", "0.2", "-o", str(folder / "policy.json"), "--json"]
    return [*start, "-o", str(folder / "report"), "--no-default", "--no-gate", "--resplits", "20", "--json"]


def measured(command: list[str]) -> tuple[float, float]:
    """Peak megabytes and processor seconds of a command; DataError with its words if it fails.

    The system counts the memory of whoever starts a program as the program's: a small process starts it.
    """
    with tempfile.TemporaryFile() as said:
        found = subprocess.run(
            [sys.executable, "-c", LAUNCHER, *command], stdout=subprocess.PIPE, stderr=said, check=True
        )
        code, peak, seconds = json.loads(found.stdout)
        if code:
            said.seek(0)
            raise DataError(said.read().decode(errors="replace")[-2000:])
    return peak / (1024 * 1024 if sys.platform == "darwin" else 1024), seconds
