"""Calibrate on a file of recorded translations, then decide on new ones, without calling any model.

    python examples/offline_calibration.py RECORDED.jsonl [ALPHA]

Rows: {"id", "logic", "text", "reference", "candidate", "samples", "judge", "cluster"?}, from any source. Half of the
clusters (or rows) calibrate, the other half is decided on, and the share that was accepted and wrong is printed
beside alpha.
"""

from __future__ import annotations

import random
import sys
from itertools import compress
from pathlib import Path

from assent.calibrate.recipe import Recipe
from assent.evaluate.labels import load
from assent.policy.make import PolicyPlan, make_policy
from assent.records import Accepted


def main(file: str, alpha: str = "0.10") -> None:
    rows = load(file, system=Path(file).stem)
    units = sorted({row.cluster or row.id for row in rows.rows})
    random.Random(0).shuffle(units)
    chosen = set(units[: len(units) // 2])
    inside = [(row.cluster or row.id) in chosen for row in rows.rows]
    calibration = rows.take(compress(range(len(rows)), inside))
    test = rows.take(compress(range(len(rows)), (not flag for flag in inside)))
    policy = make_policy(calibration, PolicyPlan(recipe=Recipe(alpha=alpha), channel="fusion"))

    accepted = wrong = 0
    for row, is_wrong in zip(test.rows, test.wrong, strict=True):
        if isinstance(policy.decide(row.evidence), Accepted):
            accepted += 1
            wrong += int(is_wrong)
    print(f"calibrated on {len(calibration)} rows, decided on {len(test)}")
    print(f"error of the translator {test.wrong.mean():.3f}, accepted {accepted / len(test):.3f}")
    print(f"accepted and wrong {wrong / len(test):.3f} (alpha {alpha}; per new formula, on average)")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(*sys.argv[1:3])
