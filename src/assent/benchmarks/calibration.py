"""How quickly labelled scores become rules, and a compliance matrix.

    assent bench calibration            54 cells x 100 resplits x 2 methods, and a million scores
    assent bench calibration --json

The matrix has nine groups of 350 synthetic pairs and six alphas; each of its units is timed by itself, and a
plain loop that calls one rule after the other on the first resplits must find the same risks. Times are processor
seconds on one core. Exit code 1 if the loop disagrees or a target (2 s a matrix, 0.5 s a million) is missed.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from assent.calibrate.exact import Flags
from assent.calibrate.rules import Unit

if TYPE_CHECKING:
    from assent.calibrate.resplit import Resplits, Splits
    from assent.calibrate.rules import Rule

ALPHAS = (0.05, 0.10, 0.15, 0.20, 0.25, 0.30)
GROUPS, PAIRS = 9, 350
MATRIX_SECONDS, MILLION_SECONDS = 2.0, 0.5
UNITS: tuple[Unit, Unit] = ("pair", "cluster")


@dataclass(frozen=True)
class Data:
    """One group: scores with many ties, as ratings of a judge have."""

    scores: npt.NDArray[np.float64]
    wrong: Flags
    clusters: npt.NDArray[np.int64]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--resplits", type=int, default=100, metavar="N", help="of each cell (100)")
    parser.add_argument("--loop", type=int, default=5, metavar="N", help="resplits of the plain loop (5)")
    parser.add_argument(
        "--scores", type=int, default=1_000_000, metavar="N", help="calibrated at once (a million)"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true", help="the rows as JSON")


def run(args: argparse.Namespace) -> int:
    rows = [matrix(unit, args.resplits, args.loop, args.seed) for unit in UNITS]
    rows += [million(unit, args.scores, args.seed) for unit in UNITS]
    if args.json:
        print(json.dumps(rows))
    else:
        for row in rows:
            print(
                "  ".join(
                    f"{key} {value:.4g}" if isinstance(value, float) else f"{key} {value}"
                    for key, value in row.items()
                )
            )
    return 0 if all(row["met"] and row.get("same", True) for row in rows) else 1


def draw(n: int, clusters: int, rng: np.random.Generator) -> Data:
    wrong = rng.random(n) < 0.3
    scores = np.clip(rng.normal(0.15 + 0.2 * wrong, 0.15), 0, 1)
    return Data(np.round(scores, 3), wrong, rng.integers(0, clusters, n))


def _timed(work: Callable[[], Any]) -> tuple[float, Any]:
    start = time.process_time()
    made = work()
    return time.process_time() - start, made


def matrix(unit: Unit, resplits: int, loop: int, seed: int) -> dict[str, Any]:
    """All cells at once, and the first resplits of them one rule at a time."""
    rng = np.random.default_rng(seed)
    groups = [draw(PAIRS, 90, rng) for _ in range(GROUPS)]
    seconds, found = _timed(lambda: [_at_once(data, unit, resplits, seed) for data in groups])
    slowly, same = _timed(
        lambda: all(
            _same(data, made, unit, min(loop, resplits)) for data, made in zip(groups, found, strict=True)
        )
    )
    return {
        "what": f"matrix over {unit}s",
        "cells": GROUPS * len(ALPHAS),
        "resplits": resplits,
        "seconds": seconds,
        "plain_loop_seconds": slowly * resplits / min(loop, resplits),
        "times_faster": slowly * resplits / min(loop, resplits) / seconds,
        "same": same,
        "met": seconds < MATRIX_SECONDS,
    }


def _at_once(data: Data, unit: Unit, resplits: int, seed: int) -> tuple[Splits, Resplits]:
    from assent.calibrate import resplit

    if unit == "cluster":
        splits = resplit.draw_clusters(data.clusters, resplits=resplits, seed=seed)
    else:
        splits = resplit.draw_pairs(len(data.scores), resplits=resplits, seed=seed)
    result = resplit.resplit(
        data.scores, data.wrong, splits, alphas=ALPHAS, unit=unit, clusters=data.clusters
    )
    for outcome in (result.crc, result.split):
        resplit.cells(result, outcome, weighting=unit)
    return splits, result


def _same(data: Data, made: tuple[Splits, Resplits], unit: Unit, loop: int) -> bool:
    """Does one rule after the other leave the same risk on each test part?"""
    from assent.calibrate.control import split

    splits, result = made
    agree = True
    for k in range(loop):
        calibration, test = splits.calibration[k], splits.test[k]
        for column, alpha in enumerate(ALPHAS):
            rules = (
                _rule(data, calibration, unit, alpha),
                split(data.scores[calibration], data.wrong[calibration], alpha=alpha),
            )
            for rule, outcome in zip(rules, (result.crc, result.split), strict=True):
                accepted = np.array([rule.accepts(float(score)) for score in data.scores[test]])
                risk = float((accepted & data.wrong[test]).mean())
                agree = agree and abs(risk - outcome.risk[k, column]) < 1e-9
    return bool(agree)


def _rule(data: Data, part: Flags, unit: Unit, alpha: float) -> Rule:
    from assent.calibrate.control import cluster_crc, crc

    scores, wrong = data.scores[part], data.wrong[part]
    return (
        cluster_crc(scores, wrong, data.clusters[part], alpha=alpha)
        if unit == "cluster"
        else crc(scores, wrong, alpha=alpha)
    )


def million(unit: Unit, n: int, seed: int) -> dict[str, Any]:
    """One rule from very many scores."""
    data = draw(n, max(1, n // 5), np.random.default_rng(seed))
    everything = np.ones(n, dtype=np.bool_)
    seconds, _ = _timed(lambda: _rule(data, everything, unit, 0.1))
    return {"what": f"{n} scores over {unit}s", "seconds": seconds, "met": seconds < MILLION_SECONDS}
