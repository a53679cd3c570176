"""Loss curves of runs: ``python training/curves.py runs/translator ...`` writes ``curves.svg`` beside each log."""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import matplotlib as mpl

mpl.use("svg")
import matplotlib.pyplot as plt


def main(folders: list[str]) -> int:
    for folder in map(Path, folders):
        with (folder / "log.csv").open(encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        minutes = [float(row["seconds"]) / 60 for row in rows]
        figure, left = plt.subplots(figsize=(6, 3.5))
        left.plot(minutes, [float(row["loss"]) for row in rows], label="loss, training")
        left.plot(minutes, [float(row["held_out_loss"]) for row in rows], label="loss, held out")
        left.set(xlabel="minutes of training", ylabel="nats a token", yscale="log", title=folder.name)
        right = left.twinx()
        right.plot(minutes, [float(row["held_out_exact"]) for row in rows], "k--", label="sentences right")
        right.set(ylabel="held-out sentences, every token first", ylim=(0, 1))
        left.legend(loc="center right")
        figure.tight_layout()
        figure.savefig(folder / "curves.svg")
        print(folder / "curves.svg")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
