"""Turn the last checkpoint of a run into what the package ships.

    python training/export.py runs/translator            -> src/assent/weights/translator/ (CTranslate2, int8)
                                                            and src/assent/weights/translator.pt (for `assent train`)
    python training/export.py runs/second --to DIR       -> DIR/second/

The moving average of the weights is exported, not the last step.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch

from assent.train.convert import convert
from assent.train.loop import load

WEIGHTS = Path(__file__).resolve().parent.parent / "src" / "assent" / "weights"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("run", type=Path, nargs="+")
    parser.add_argument("--to", type=Path, default=WEIGHTS)
    args = parser.parse_args()
    for run in args.run:
        state = load(run / "checkpoint.pt")
        folder = args.to / run.name
        convert(state.average, state.source.tokens, state.target.tokens, folder)
        size = sum(file.stat().st_size for file in folder.iterdir())
        print(
            f"{folder}: {size / 1e6:.1f} MB, step {state.step}, {state.seconds / 60:.0f} minutes of training"
        )
        if run.name == "translator":
            halves = {name: value.half() for name, value in state.average.state_dict().items()}
            content = {
                "shape": state.average.shape.to_dict(),
                "source": state.source.tokens,
                "target": state.target.tokens,
                "average": halves,
            }
            torch.save(content, args.to / "translator.pt")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
