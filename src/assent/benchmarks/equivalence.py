"""How quickly, and how rightly, pairs of formulas are compared.

    assent bench equivalence                    random pairs
    assent bench equivalence --oracle DIR       pairs with known verdicts: DIR/*.tsv, two formulas and a verdict
    assent bench equivalence --recorded DIR     candidates against references: DIR/*.jsonl

A row a file: processor time of one comparison (median, 90 %, 99 %, largest), pairs a second, how many are equal,
different, unknown, and how many contradict the known verdict. Exit code 1 if one does.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assent.errors import DataError, FormulaError, UsageError

if TYPE_CHECKING:
    from assent.logic.ast import Formula

Pair = tuple["Formula", "Formula", str | None]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--oracle", type=Path, metavar="DIR", help="folder with .tsv files of known pairs")
    parser.add_argument("--recorded", type=Path, metavar="DIR", help="folder with .jsonl of translations")
    parser.add_argument("--budget", type=float, default=2.0, metavar="SECONDS", help="for one pair (2)")
    parser.add_argument("--limit", type=int, metavar="N", help="only the first N pairs of each file")
    parser.add_argument("--seed", type=int, default=0, help="of the random pairs")
    parser.add_argument("--json", action="store_true", help="the rows as JSON")


@dataclass
class EquivalenceRow:
    """What one set of pairs gave."""

    name: str
    seconds: list[float] = field(default_factory=list)
    verdicts: Counter[str] = field(default_factory=Counter)
    methods: Counter[str] = field(default_factory=Counter)
    wrong: int = 0
    unreadable: int = 0

    def compare(self, pair: Pair, budget: float) -> None:
        from assent.logic.equivalence import Verdict, equivalent

        a, b, known = pair
        start = time.thread_time()
        found = equivalent(a, b, budget=budget)
        self.seconds.append(time.thread_time() - start)
        self.verdicts[found.verdict] += 1
        self.methods[found.method] += 1
        self.wrong += known is not None and found.verdict is not Verdict.UNKNOWN and found.verdict != known

    def quantile(self, share: float) -> float:
        """Milliseconds that this share of the pairs stays within."""
        ranked = sorted(self.seconds)
        return 1000 * ranked[min(len(ranked) - 1, int(share * len(ranked)))]

    def as_json(self) -> dict[str, Any]:
        total = sum(self.seconds)
        return {
            "name": self.name,
            "pairs": len(self.seconds),
            "median_ms": self.quantile(0.5),
            "p90_ms": self.quantile(0.9),
            "p99_ms": self.quantile(0.99),
            "max_ms": self.quantile(1.0),
            "pairs_per_second": len(self.seconds) / total if total else None,
            **{verdict: self.verdicts[verdict] for verdict in ("equal", "different", "unknown")},
            "wrong": self.wrong,
            "unreadable": self.unreadable,
            "methods": dict(self.methods),
        }


def run(args: argparse.Namespace) -> int:
    from tqdm import tqdm

    rows = []
    for name, pairs in _sources(args):
        row = EquivalenceRow(name)
        for k, pair in enumerate(tqdm(pairs, desc=name, unit="pair", leave=False)):
            if args.limit is not None and k >= args.limit:
                break
            if pair is None:
                row.unreadable += 1
            else:
                row.compare(pair, args.budget)
        if row.seconds:
            rows.append(row)
    if args.json:
        print(json.dumps([row.as_json() for row in rows]))
    else:
        _print(rows)
    return int(any(row.wrong for row in rows))


def _print(rows: list[EquivalenceRow]) -> None:
    head = ("pairs", "median", "p90", "p99", "max", "pairs/s", "equal", "diff.", "unkn.", "wrong", "unread.")
    width = max(len(row.name) for row in rows)
    print(f"{'(times in ms)':<{width}}" + "".join(f"{text:>9}" for text in head))
    for row in rows:
        found = row.as_json()
        times = "".join(f"{found[key]:>9.2f}" for key in ("median_ms", "p90_ms", "p99_ms", "max_ms"))
        rate = f"{found['pairs_per_second'] or 0:>9.0f}"
        counts = [found[key] for key in ("equal", "different", "unknown", "wrong", "unreadable")]
        counted = "".join(f"{count:>9}" for count in counts)
        print(f"{row.name:<{width}}{found['pairs']:>9}{times}{rate}{counted}")


def _sources(args: argparse.Namespace) -> Iterator[tuple[str, Iterable[Pair | None]]]:
    if args.oracle is None and args.recorded is None:
        for name, logic, bound in (("ltl", "ltl", 0), ("stl small", "stl", 9), ("stl wide", "stl", 800)):
            yield f"random {name}", _random_pairs(logic, bound, args.seed)
        return
    for folder, ending, reader in ((args.oracle, "tsv", _known), (args.recorded, "jsonl", _recorded)):
        if folder is not None:
            files = sorted(folder.glob(f"*.{ending}"))
            if not files:
                raise UsageError(f"{folder} has no .{ending} files")
            for file in files:
                yield file.stem, reader(file)


def _read(first: str, second: str, logic: str, known: str | None) -> Pair | None:
    from assent.logic.parse import read

    try:
        return read(first, logic), read(second, logic), known
    except FormulaError:
        return None


def _known(file: Path) -> Iterator[Pair | None]:
    """Two formulas and a verdict a line; files whose name starts with ltl hold LTL, the others STL."""
    logic = "ltl" if file.name.startswith("ltl") else "stl"
    for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
        cells = line.split("\t")
        if len(cells) != 3 or cells[2] not in ("equal", "different"):
            raise DataError("a line is two formulas and equal/different", file=str(file), line=number)
        yield _read(cells[0], cells[1], logic, cells[2])


def _recorded(file: Path) -> Iterator[Pair | None]:
    """Every candidate, sample and system output against the reference of its row."""
    for line in file.read_text("utf-8").splitlines():
        row = json.loads(line)
        answers = [row.get("candidate"), *row.get("samples", ()), *row.get("outputs", {}).values()]
        if "reference" in row:
            for answer in answers:
                if isinstance(answer, str):
                    yield _read(row["reference"], answer, row.get("logic", "ltl"), None)


def _random_pairs(logic: str, bound: int, seed: int) -> Iterator[Pair]:
    """Half unrelated formulas, half a formula and the canonical form of its double negation."""
    from assent.logic.ast import Not
    from assent.logic.canonical import canonical
    from assent.logic.testing import random_formula

    rng = random.Random(seed)
    for k in range(300):
        size = rng.choice((5, 10, 15, 20))
        f = random_formula(rng, logic, operators=size, atoms=4, max_bound=bound or 1)
        if k % 2:
            yield f, random_formula(rng, logic, operators=size, atoms=4, max_bound=bound or 1), None
        else:
            yield f, Not(canonical(Not(f))), "equal"
