"""Print pairs: ``python -m assent_train.corpus --seed 1 --n 20 --logic stl``."""

from __future__ import annotations

import argparse
from itertools import islice

from assent.logic.ast import Logic
from assent_train.corpus.generate import STYLES, pairs


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m assent_train.corpus", description="Print pairs of the corpus."
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--n", type=int, default=20)
    parser.add_argument("--logic", choices=[logic.value for logic in Logic])
    parser.add_argument("--style", choices=STYLES)
    args = parser.parse_args()
    logic = Logic(args.logic) if args.logic else None
    for pair in islice(pairs(args.seed, logic=logic, style=args.style), args.n):
        source, target = " ".join(pair.source), " ".join(pair.target)
        print(f"<{pair.logic.value}> {source}\t{target}\t{pair.style} {pair.family} {pair.tier}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
