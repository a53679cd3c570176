"""How quickly very many formulas fall into classes of equal meaning.

    assent bench classes                        10^3 and 10^4 formulas
    assent bench classes --up-to 1000000        ... 10^6

Random LTL formulas of one to five operators over four names, so that many say the same in other words. A row a size:
classes, decisions made, pairs that needed none, seconds of processor time, formulas and classes a second, memory.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import time
from typing import Any


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--up-to", type=int, default=10_000, metavar="N", help="the largest number (10000)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true", help="the rows as JSON")


def run(args: argparse.Namespace) -> int:
    from assent.logic.testing import random_formula
    from assent.scale.classes import Classes

    rng, classes = random.Random(args.seed), Classes(steps=20_000)
    rows: list[dict[str, Any]] = []
    size, spent = 1000, 0.0
    while size <= args.up_to:
        while classes.total < size:
            some = [
                random_formula(rng, "ltl", operators=rng.randrange(1, 6), atoms=4)
                for _ in range(min(1000, size - classes.total))
            ]
            start = time.process_time()
            for formula in some:
                classes.add(formula)
            spent += time.process_time() - start
        rows.append(
            {
                "formulas": classes.total,
                "classes": len(classes),
                "decisions": classes.compared,
                "pairs_avoided": classes.avoided,
                "seconds": round(spent, 2),
                "formulas_per_second": round(classes.total / spent),
                "classes_per_second": round(len(classes) / spent),
                "peak_megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
            }
        )
        if not args.json:
            print("  ".join(f"{key} {value:,}" for key, value in rows[-1].items()), flush=True)
        size *= 10
    if args.json:
        print(json.dumps(rows))
    return 0
