"""What a network takes sentences for, beside what they mean: rows for ``train.py NAME --contrasts FILE``.

    python training/make_contrasts.py translator -n 60000 -o runs/contrasts/translator.pickle [--written 0.7]

Pairs are drawn as for training; the shipped network of that name reads each one. Runs on every core.
"""

from __future__ import annotations

import argparse
import os
import pickle
import sys
import time
from collections.abc import Sequence
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import ctranslate2

from assent_train.batches import Pair
from assent_train.contrast import Contrast, contrasts
from train import RECIPES, ROOT, forward_pairs

LONGEST = 160
"""Tokens of a reading."""


def read(part: tuple[int, list[Pair]], folder: Path, drop: float) -> list[Contrast]:
    """One part, read in batches (the package's own search reads one sentence at a time, which takes forty times as long)."""
    model = ctranslate2.Translator(str(folder), inter_threads=1, intra_threads=1, compute_type="int8")

    def readings(sources: Sequence[Sequence[str]], wide: int) -> list[list[tuple[str, ...]]]:
        found = model.translate_batch(
            [list(source) for source in sources],
            beam_size=wide,
            num_hypotheses=wide,
            max_batch_size=32,
            max_decoding_length=LONGEST,
        )
        return [[tuple(tokens) for tokens in one.hypotheses] for one in found]

    seed, pairs = part
    return list(contrasts(readings, pairs, drop=drop, seed=seed))


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("name", choices=[name for name, recipe in RECIPES.items() if not recipe.backward])
    parser.add_argument("-n", type=int, default=60_000, help="sentences")
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--written", type=float, default=0.7, help="share of the written corpus")
    parser.add_argument("--newest", type=int, default=0, metavar="N", help="draw more of the last N rows")
    parser.add_argument(
        "--drop", type=float, default=0.1, help="share of the words that the network is not shown"
    )
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    folder = ROOT / "src/assent/weights" / args.name
    drawn = forward_pairs(9_000_000 + args.seed, args.n, RECIPES[args.name].logics, args.written, args.newest)
    starts = range(0, len(drawn), 200)
    parts = [(args.seed * 1_000_003 + start, drawn[start : start + 200]) for start in starts]
    began, rows = time.monotonic(), []
    with get_context("fork").Pool(os.cpu_count()) as pool:
        for part in pool.imap(partial(read, folder=folder, drop=args.drop), parts):
            rows += part
            if len(rows) % 5000 < 200:
                print(f"{len(rows)} rows, {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    args.output.parent.mkdir(parents=True, exist_ok=True)
    args.output.write_bytes(pickle.dumps(rows, protocol=5))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
