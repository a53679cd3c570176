"""Fit the judge's local decisions (ALIGN) on written and synthetic pairs: ``src/assent/weights/align.npz``.

python training/fit_align.py [--pairs N] [--to FILE]
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch

from assent_train.align import fit
from train import ALL, forward_pairs

WEIGHTS = Path(__file__).resolve().parent.parent / "src" / "assent" / "weights"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pairs", type=int, default=80_000)
    parser.add_argument("--to", type=Path, default=WEIGHTS / "align.npz")
    args = parser.parse_args()
    torch.set_num_threads(1)
    args.to.parent.mkdir(parents=True, exist_ok=True)
    for kind, share in fit(forward_pairs(4_000_001, args.pairs, ALL, 0.5), args.to).items():
        print(f"{kind:8} {share:.3f} of held-out choices guessed")
    print(f"{args.to}: {args.to.stat().st_size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
