"""A formula as a tree, in canonical form and in English, with a warning if it says nothing or too much.

    assent explain 'globally [3,12] ( prop_1 imply finally prop_2 )'
    assent explain 'G (p -> F q)' --json --svg tree.svg
    assent explain -        one formula a line; one JSON object a line comes out

Exit code: 0 explained, 1 the formula (with -, some line) cannot be read.
"""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from assent.cli import Exit
from assent.cli.bulk import STDIN, add_formula_arguments, bulk, read_formulas, save, speaks_unicode
from assent.errors import UsageError
from assent.logic.ast import Formula
from assent.logic.english.say import UNIT

if TYPE_CHECKING:
    from assent.ledger.entries import Body


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("formula", metavar="FORMULA", help="a formula, or - for bulk use")
    add_formula_arguments(parser)
    parser.add_argument(
        "--unit", help=f"how the English calls a unit of time (the vocabulary's, else {UNIT})"
    )
    parser.add_argument("--vocabulary", metavar="FILE", help="names of your project: its time unit is said")
    parser.add_argument("--domain", metavar="NAME", help="section of the vocabulary")
    parser.add_argument("--svg", metavar="FILE", help="draw the tree")
    parser.add_argument(
        "--budget", type=float, default=2.0, metavar="SECONDS", help="for the search behind warnings (2)"
    )


def run(args: argparse.Namespace) -> int:
    if not args.budget > 0:
        raise UsageError("--budget must be a positive number of seconds")
    args.unit = args.unit or _unit(args.vocabulary, args.domain)
    if args.formula == STDIN:
        if args.svg:
            raise UsageError("--svg draws one formula; it does not go with -")
        return bulk(lambda line: _explained(line, args)[1])
    formula, row = _explained(args.formula, args)
    if args.svg:
        from assent.logic.draw import tree_svg

        save(args.svg, tree_svg(formula))
    print(json.dumps(row) if args.json else _text(row))
    return Exit.DONE


def _unit(vocabulary: str | None, domain: str | None) -> str:
    if vocabulary is None:
        return UNIT
    from assent.vocabulary import load_vocabulary

    return load_vocabulary(vocabulary, domain).unit_words


def _explained(text: str, args: argparse.Namespace) -> tuple[Formula, Body]:
    from assent.records.formulas import explained

    (formula,), logic = read_formulas([text], args.logic)
    row = explained(formula, logic, unit=args.unit, budget=args.budget, plain=not speaks_unicode())
    return formula, row if not args.json and args.formula != STDIN else {
        k: v for k, v in row.items() if k != "tree"
    }


def _text(row: Body) -> str:
    counts = f"{row['size']} operators ({row['temporal']} temporal), depth {row['depth']}"
    lines = [
        ("formula", row["formula"]),
        ("English", row["english"]),
        ("canonical", row["canonical"]),
        ("logic", f"{row['logic']}, tier {row['tier']}"),
        ("size", f"{counts}, {len(row['atoms'])} atoms: {', '.join(row['atoms'])}"),
        *(("warning", warning) for warning in row["warnings"]),
    ]
    table = "\n".join(f"{name:<10} {text}" for name, text in lines)
    return f"{table}\n\n{row['tree']}"
