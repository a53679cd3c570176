"""A formula on a recorded trace: is it true, by how much, and where is it broken first?

    assent evaluate 'G(door_open -> F[0,5] alarm_on)' trace.csv
    assent evaluate 'G(speed < 30)' trace.csv --json
    assent evaluate 'F[0,2.5] ready' log.csv --period 0.5     resample first: the last value counts

The first column of the file is time, in the formula's unit; every other column is a name: numbers, or true and false
(1 and 0). Commas, semicolons or tabs. Where sampling is regular and the bounds are whole numbers of samples, each
sample is a step; otherwise each value lasts until the next one (dense time). The trace ends with its last sample.

Exit code: 0 it holds, 3 it does not, 1 the formula or the file cannot be read.
"""

from __future__ import annotations

import argparse
import json
from fractions import Fraction
from typing import TYPE_CHECKING

from assent.cli import Exit
from assent.cli.bulk import add_formula_arguments, period, read_formulas

if TYPE_CHECKING:
    from assent.logic.recorded import Outcome


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("formula", metavar="FORMULA", help="a formula")
    parser.add_argument("trace", metavar="TRACE.csv", help="a recorded trace")
    parser.add_argument(
        "--period", type=period, metavar="P", help="resample: one sample every P units of time"
    )
    add_formula_arguments(parser)


def run(args: argparse.Namespace) -> int:
    from assent.io.traces import read_trace
    from assent.logic.recorded import on_trace
    from assent.records.formulas import evaluated

    (formula,), _ = read_formulas([args.formula], args.logic)
    table = read_trace(args.trace)
    outcome = on_trace(formula, table.times, table.columns, period=args.period)
    print(json.dumps(evaluated(outcome)) if args.json else _text(outcome))
    return Exit.DONE if outcome.holds else Exit.ABSTAINED


def _text(outcome: Outcome) -> str:
    lines = ["holds" if outcome.holds else f"does not hold; first broken at time {outcome.first_violation:g}"]
    if outcome.robustness is not None:
        lines.append(f"robustness {outcome.robustness:g}")
    sampled = "at irregular times" if outcome.period is None else f"at a period of {_number(outcome.period)}"
    kind = "one a step" if outcome.time == "discrete" else "each lasting until the next (dense time)"
    lines.append(f"{outcome.samples} samples {sampled}, {kind}")
    if outcome.open_end:
        lines.append("the trace ends before every window does: what was to happen later has not happened")
    return "\n".join(lines)


def _number(value: Fraction) -> str:
    from assent.logic.render import decimal

    return decimal(value)
