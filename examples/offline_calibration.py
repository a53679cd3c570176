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

import msgspec

from assent.learn import load, make_policy
from assent.pipeline import decide
from assent.records import Accepted, Score


def main(file: str, alpha: str = "0.10") -> None:
    rows = load(file)
    units = sorted({row.cluster or row.id for row in rows.rows})
    random.Random(0).shuffle(units)
    chosen = set(units[: len(units) // 2])
    inside = [(row.cluster or row.id) in chosen for row in rows.rows]
    calibration = rows.take(compress(range(len(rows)), inside))
    test = rows.take(compress(range(len(rows)), (not flag for flag in inside)))
    logic = rows.rows[0].evidence.instruction.logic
    fingerprint = {"logic": logic.value, "translator": "recorded"}
    policy = make_policy(calibration, alpha=alpha, channel="fusion", fingerprint=fingerprint)

    accepted = wrong = 0
    for row, is_wrong in zip(test.rows, test.wrong, strict=True):
        scores = tuple(Score(name, value) for name, value in row.scores.items())
        evidence = msgspec.structs.replace(row.evidence, scores=scores, made_by=fingerprint)
        if isinstance(decide(evidence, policy=policy), Accepted):
            accepted += 1
            wrong += int(is_wrong)
    print(f"calibrated on {len(calibration)} rows, decided on {len(test)}")
    print(f"error of the translator {test.wrong.mean():.3f}, accepted {accepted / len(test):.3f}")
    print(f"accepted and wrong {wrong / len(test):.3f} (alpha {alpha}; per new formula, on average)")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(*sys.argv[1:3])
