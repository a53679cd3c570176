"""How much the second model and ALIGN are heard when readings are put in order: ``rerank.json``, on the bench's fit part.

python training/fit_rerank.py [--weights DIR]
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path

from judging import ROOT, bench_names, bench_rows, domain_rows

from assent.embedded import Embedded
from assent.embedded.rerank import FILE, Weights
from assent_train.rows import load
from assent_train.weigh import choose_weights

BENCH = ROOT / "bench"
MOST_ALIGN = 0.1
"""ALIGN sees first mentions only and misleads on utterances of letters: on Lang2LTL's dev half 0.4 costs six points."""


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--weights", type=Path, default=ROOT / "src/assent/weights")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every N-th row (quicker)")
    args = parser.parse_args()
    names = bench_names()
    rows = []
    for logic in ("ltl", "stl", "spatial"):
        ids = {case["id"] for case in bench_rows(logic, ["fit"])}
        rows += [row for row in load(BENCH / f"{logic}.jsonl", None, names, None)[0] if row.id in ids]
    ids = {case["id"] for logic in ("ltl", "stl", "spatial") for case in domain_rows(logic, ["fit"])}
    rows += [row for row in load(BENCH / "domains/requirements.jsonl", None, names, None)[0] if row.id in ids]
    rows = rows[:: args.every]
    file = args.weights / FILE
    file.write_text(
        json.dumps(asdict(Weights())), encoding="utf-8"
    )  # as the translator orders them by itself
    models = Embedded(args.weights)
    weights: Weights = choose_weights(
        models.translator, models.panel, rows, otherwise=Weights(), most_align=MOST_ALIGN
    )
    file.write_text(json.dumps(asdict(weights)) + "\n", encoding="utf-8")
    print(f"{len(rows)} rows: {weights}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
