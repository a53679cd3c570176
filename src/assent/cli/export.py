"""A formula for another tool: complete enough to run, with the instruction as a comment.

assent export 'G (door_open -> F[0,5] alarm)' --to rtamt
assent export 'F[0,0.5] alarm' --to rtamt --period 0.1     a sample every 0.1 time units
assent export --list      what each target takes
assent export - --to spot one formula a line; one JSON object a line comes out
"""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from assent.cli import Exit
from assent.cli.bulk import STDIN, add_formula_arguments, bulk, period, read_formulas, save
from assent.errors import UsageError

if TYPE_CHECKING:
    from assent.ledger.entries import Body


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("formula", metavar="FORMULA", nargs="?", help="a formula, or - for bulk use")
    parser.add_argument("--to", metavar="TARGET", help="the tool to write for")
    parser.add_argument("--list", action="store_true", help="the targets and the fragment each one takes")
    parser.add_argument("--instruction", metavar="TEXT", help="goes into the text as a comment")
    parser.add_argument(
        "--period",
        type=period,
        metavar="P",
        help="time between two samples of a tool that counts steps, in the formula's unit (1, and said)",
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="write there instead of stdout")
    add_formula_arguments(parser)


def run(args: argparse.Namespace) -> int:
    from assent.logic.export import TARGETS

    if args.list:
        if args.json:
            rows = [{"target": t.name, "tool": t.tool, "fragment": t.fragment} for t in TARGETS.values()]
            print(json.dumps(rows))
        else:
            width = max(map(len, TARGETS))
            print("\n".join(f"{t.name:<{width}}  {t.tool}: {t.fragment}" for t in TARGETS.values()))
        return Exit.DONE
    if args.formula is None or args.to is None:
        raise UsageError("a formula and --to TARGET are needed (or --list)")
    if args.formula == STDIN:
        return bulk(lambda line: _exported(line, args))
    row = _exported(args.formula, args)
    text = json.dumps(row) + "\n" if args.json else row["text"]
    if args.output:
        save(args.output, text)
    else:
        print(text, end="")
    return Exit.DONE


def _exported(text: str, args: argparse.Namespace) -> Body:
    from assent.records.formulas import exported

    (formula,), _ = read_formulas([text], args.logic)
    return exported(formula, args.to, instruction=args.instruction, period=args.period)
