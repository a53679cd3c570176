"""Decisions on the stored evidence of the bench, under the rule as it was and as it is, each difference with its cause.

    python studies/corrections.py                    print the table
    python studies/corrections.py -o docs/corrections.md

The corrections are made one after the other, in the order of ``STEPS``; a decision that changes at a step is counted there.
The rule is conformal risk control over clusters, one for all tiers, from the rows that are then decided: what is compared is
the definitions, not how well they do.

The rule as it was: only what was noted as a doubt when the evidence was collected withholds a formula, and it does so after
the threshold was made, from all rows that have a translation, as if each of them could be accepted; a row that failed is in
no sample; rows that do not say who made them give a policy for anybody.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Annotated

sys.path.insert(0, str(Path(__file__).resolve().parent))

import numpy as np
import numpy.typing as npt
import sources

from assent.calibrate.rules import Threshold
from assent.errors import UsageError
from assent.evaluate.labels import load
from assent.evaluate.measure import make_rule
from assent.evaluate.table import Table
from assent.policy.labelled import Labelled
from assent.policy.make import default_channel, fingerprint_of

Flags = npt.NDArray[np.bool_]
SETS = ("bench_ltl", "bench_stl", "bench_spatial", "domains_ltl", "domains_stl", "domains_spatial")
ALPHAS = (0.05, 0.10, 0.20)


@dataclass(frozen=True)
class Definition:
    """What a rule counts; every correction turns one of these on."""

    outvoted: bool = False
    inside: bool = False
    failures: bool = False
    identity: bool = False


STEPS = (
    Definition(),
    Definition(outvoted=True),
    Definition(outvoted=True, inside=True),
    Definition(outvoted=True, inside=True, failures=True),
    Definition(outvoted=True, inside=True, failures=True, identity=True),
)


@dataclass(frozen=True)
class Correction:
    """How many decisions of one set each correction changed, at one alpha."""

    set: str
    alpha: float
    rows: int
    accepted_before: int
    accepted_now: int
    outvoted: int
    doubts_inside: Annotated[int, "doubts counted inside"]
    failures: Annotated[int, "failures counted"]
    identity: Annotated[int, "recorded identity"]


def accepted(data: Labelled, alpha: float, definition: Definition) -> Flags:
    """Which rows a rule made from these rows accepts, by one definition of what it counts."""
    nothing = np.zeros(len(data), dtype=np.bool_)
    if definition.identity and not identified(data):
        return nothing
    translated = np.array([row.translated for row in data.rows])
    away = data.away(None) if definition.outvoted else noted(data)
    sample = np.ones(len(data), dtype=np.bool_) if definition.failures else translated
    if not sample.any():
        return nothing
    scores = data.scores(default_channel(data))
    hidden = away if definition.inside else ~translated
    clusters = None if data.clusters is None else data.clusters[sample]
    rule = make_rule(scores[sample], data.wrong[sample], clusters, hidden[sample], alpha)
    return rule.accepts_all(scores) & ~away if isinstance(rule, Threshold) else nothing


def noted(data: Labelled) -> Flags:
    """Rows that were kept back before: failed, unreadable, or with a doubt in their evidence."""
    return np.array([row.evidence.formula is None or bool(row.evidence.doubts) for row in data.rows])


def identified(data: Labelled) -> bool:
    """Whether the rows say, all alike, who made them."""
    try:
        fingerprint_of(data)
    except UsageError:
        return False
    return True


def corrections(name: str, data: Labelled, alpha: float) -> Correction:
    """What each correction changed, one after the other."""
    decisions = [accepted(data, alpha, definition) for definition in STEPS]
    changed = [int((before != after).sum()) for before, after in pairwise(decisions)]
    return Correction(name, alpha, len(data), int(decisions[0].sum()), int(decisions[-1].sum()), *changed)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("-o", "--output", type=Path, help="the page to write (default: stdout)")
    args = parser.parse_args()
    rows = [
        corrections(name, data, alpha)
        for name in SETS
        for data in (load(sources.RECORDS / f"{name}.jsonl"),)
        for alpha in ALPHAS
    ]
    changed = sum(row.outvoted + row.doubts_inside + row.failures + row.identity for row in rows)
    decided = sum(row.rows for row in rows)
    note = f"{changed} changes of {decided} decisions. A decision that changes twice is counted twice."
    table = Table("corrections", "Decisions that changed, by correction", tuple(rows), (note,))
    about = (__doc__ or "").split("\n\n", 2)[2].replace("``STEPS``", "the columns")
    page = (
        "# What the corrections changed\n\nMade by `python studies/corrections.py`, from studies/records.\n\n"
        f"{about}\n{table.markdown()}"
    )
    if args.output is None:
        print(page)
    else:
        args.output.write_text(page, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
