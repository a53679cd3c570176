"""How much the second model is heard when readings are put in order: ``rerank.json``, on rows not trained on.

python training/fit_rerank.py [--weights DIR]
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from judging import ROOT, bench_names, fit_rows

from assent.embedded import Embedded
from assent.embedded.opinions import FILE, Weights
from assent.errors import AssentError
from assent.logic.parse import read
from assent_train.rows import LabelledPair
from assent_train.weigh import choose_weights


def labelled(models: Embedded, rows: Sequence[dict[str, Any]]) -> Iterator[LabelledPair]:
    """The rows that lifting can read."""
    names = bench_names()
    for row in rows:
        try:
            lifted = models.lift(row["text"], row["logic"], names[row["domain"]])
        except AssentError:
            continue
        yield LabelledPair(row["id"], lifted, read(row["reference"], row["logic"]), None, row["cluster"])


def _stored(weights: Weights) -> str:
    """The weights as the file has them; conventions are a project's own."""
    return json.dumps({"second": weights.second}) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--weights", type=Path, default=ROOT / "src/assent/weights")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every N-th row (quicker)")
    args = parser.parse_args()
    file = args.weights / FILE
    file.write_text(_stored(Weights()), encoding="utf-8")  # as the translator orders them by itself
    models = Embedded(args.weights)
    chosen = [row for logic in ("ltl", "stl", "spatial") for row in fit_rows(logic)][:: args.every]
    rows = list(labelled(models, chosen))
    weights: Weights = choose_weights(models.translator, models.second.model, rows, otherwise=Weights())
    file.write_text(_stored(weights), encoding="utf-8")
    print(f"{len(rows)} rows: {weights}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
