"""What checking a large document costs: the first run, a run after a few changes, and a locked run in CI.

    assent bench documents                          1,000 requirements, 20 of them changed
    assent bench documents --requirements 200 --changed 5

The requirements are those of the checkout's bench (domains that are not kept for tests; timing only), in one CSV file
with one vocabulary a domain, through ``assent check`` as a user runs it, start included. Seconds are wall-clock time
and processor time of the program. Exit code 1 if a run fails, or if anything but what was changed is suspect.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from assent.errors import UsageError

BENCH = Path(__file__).resolve().parents[3] / "bench" / "domains"
KEPT = "test"
"""The part of the bench that is left alone."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--requirements", type=int, default=1000, metavar="N", help="of the document (1000)")
    parser.add_argument("--changed", type=int, default=20, metavar="N", help="before the second run (20)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="which are changed")
    parser.add_argument("--json", action="store_true", help="the figures as JSON")


def run(args: argparse.Namespace) -> int:
    if args.requirements < 1 or not 0 <= args.changed <= args.requirements:
        raise UsageError("--requirements is at least 1, and --changed at most as many")
    rows = _rows(args.requirements)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        found: dict[str, Any] = {"requirements": len(rows), "changed": args.changed}
        found["first"] = _checked(place, rows, "--lock")
        changed = set(random.Random(args.seed).sample(range(len(rows)), args.changed))
        again = [
            (i, _other(t), g, d) if n in changed else (i, t, g, d) for n, (i, t, g, d) in enumerate(rows)
        ]
        found["second"] = _checked(place, again, "--lock")
        found["locked"] = _checked(place, again, "--locked")
        found["lock_kb"] = round((place / "assent.lock").stat().st_size / 1000)
    if args.json:
        print(json.dumps(found))
    else:
        for name in ("first", "second", "locked"):
            print(f"{name:<8}" + "  ".join(f"{key} {value}" for key, value in found[name].items()))
        print(f"lock     {found['lock_kb']} kB")
    done = all(found[name]["exit"] in (0, 3) for name in ("first", "second", "locked"))
    return 0 if done and found["second"]["suspects"] == args.changed == found["locked"]["suspects"] else 1


def _other(text: str) -> str:
    """The same requirement in other words."""
    return f"In this installation, {text[:1].lower()}{text[1:]}"


def kept_rows() -> list[dict[str, Any]]:
    """LTL and STL rows of the bench, domain by domain, without the domains that are kept for tests."""
    from assent.io.files import read_settings
    from assent.io.lines import read_rows

    if not BENCH.is_dir():
        raise UsageError(f"{BENCH} is not there: this benchmark runs in a checkout")
    kept = {name for name, part in read_settings(BENCH / "partition.json").items() if part == KEPT}
    rows = (row for _, row in read_rows(BENCH / "requirements.jsonl"))
    return [row for row in rows if row["domain"] not in kept and row["logic"] != "spatial"]


def _rows(count: int) -> list[tuple[str, str, str, str]]:
    """Ids, texts, logics and domains, domain by domain."""
    known = [(str(row["id"]), row["text"], row["logic"], row["domain"]) for row in kept_rows()]
    if count > len(known):
        raise UsageError(f"there are {len(known)} requirements")
    return known[:count]


def _checked(place: Path, rows: Sequence[tuple[str, str, str, str]], mode: str) -> dict[str, Any]:
    """One run of the verb; what it took and gave."""
    with (place / "document.csv").open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerows([("id", "text", "logic", "domain"), *rows])
    command = [
        sys.executable,
        "-m",
        "assent",
        "check",
        "document.csv",
        "--vocabulary",
        str(BENCH / "vocabulary.json"),
    ]
    command += [mode, "--format", "json", "-o", "out.json", "--quiet"]
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(command, cwd=place, capture_output=True, text=True, check=False)
    seconds, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 3):
        raise UsageError(f"the run failed: {done.stderr.strip()[-500:]}")
    shown = json.loads((place / "out.json").read_text("utf-8"))
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {
        "seconds": round(seconds, 1),
        "processor": round(used, 1),
        "vouched": sum(row["decision"] == "accepted" for row in shown["requirements"]),
        "findings": len(shown["findings"]),
        "suspects": sum(row["kind"] == "suspect" for row in shown["findings"]),
        "undecided": sum(not row.get("decided", True) for row in shown["findings"]),
        "exit": done.returncode,
    }
