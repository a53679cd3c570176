"""Turn the last checkpoint of a run into what the package ships.

    python training/export.py runs/translator            -> src/assent/weights/translator/ (CTranslate2, int8)
                                                            and assent-train's checkpoints/translator.pt (for `assent train`;
                                                            runs/spatial and runs/second likewise)
    python training/export.py runs/reverse --to DIR      -> DIR/reverse/

The moving average of the weights is exported, not the last step; where the run has an ``earlier.pt`` (a checkpoint put
aside before the rate rose again), the mean of both averages.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from assent_train import checkpoints
from assent_train.convert import export
from assent_train.loop import load

WEIGHTS = Path(__file__).resolve().parent.parent / "src" / "assent" / "weights"
STARTS = frozenset(["translator", "spatial", "second"])
"""Runs whose weights are shipped in half precision, too: what `assent train` starts from."""


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("run", type=Path, nargs="+")
    parser.add_argument("--to", type=Path, default=WEIGHTS)
    args = parser.parse_args()
    for run in args.run:
        state = load(run / "checkpoint.pt")
        if (run / "earlier.pt").exists():
            before, now = load(run / "earlier.pt").average.state_dict(), state.average.state_dict()
            state.average.load_state_dict({name: (before[name] + now[name]) / 2 for name in now})
        folder = export(
            state,
            args.to,
            run.name,
            halves=checkpoints() if run.name in STARTS and args.to == WEIGHTS else None,
        )
        size = sum(file.stat().st_size for file in folder.iterdir())
        print(
            f"{folder}: {size / 1e6:.1f} MB, step {state.step}, {state.seconds / 60:.0f} minutes of training"
        )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
