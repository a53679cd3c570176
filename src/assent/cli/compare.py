"""Do two formulas mean the same? If not, a trace on which exactly one of them holds.

    assent compare 'G (p -> F q)' 'G (!p | F q)'
    assent compare 'F[0,5] p' 'F[0,6] p' --json
    assent compare -        two formulas a line with a tab between; one JSON object a line comes out

Exit code: 0 equal, 3 different (elsewhere 3 is an abstention; nothing abstains here), 4 unknown (the budget was too
small). Unknown never means equal.
"""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from assent.cli import Exit
from assent.cli.bulk import STDIN, add_formula_arguments, bulk, read_formulas, save, speaks_unicode
from assent.errors import FormulaError, UsageError
from assent.logic.ast import Atom, Formula, atoms
from assent.logic.semantics import Trace

if TYPE_CHECKING:
    from assent.ledger.entries import Body


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("first", metavar="A", help="a formula, or - for bulk use")
    parser.add_argument("second", metavar="B", nargs="?", help="another formula")
    add_formula_arguments(parser)
    parser.add_argument(
        "--level",
        choices=["exact", "canonical"],
        default="exact",
        help="exact decides (default); canonical only rewrites",
    )
    parser.add_argument(
        "--budget",
        type=float,
        metavar="SECONDS",
        help="after which the answer is unknown (default: a number of steps, about 2 s, the same on every machine)",
    )
    parser.add_argument(
        "--finite", action="store_true", help="over finite words (LTLf) instead of infinite ones"
    )
    parser.add_argument("--axioms", action="store_true", help="use facts between spatial relations")
    parser.add_argument("--svg", metavar="FILE", help="draw the trace that tells them apart")


def run(args: argparse.Namespace) -> int:
    if args.budget is not None and not args.budget > 0:
        raise UsageError("--budget must be a positive number of seconds")
    if args.first == STDIN and args.second is None:
        if args.svg:
            raise UsageError("--svg draws one trace; it does not go with -")
        return bulk(lambda line: _pair(line, args))
    if args.second is None:
        raise UsageError("two formulas are needed (or - to read pairs from stdin)")
    (a, b), logic = read_formulas([args.first, args.second], args.logic)
    answer, witness = _compare(a, b, args)
    if args.svg and witness is not None:
        from assent.logic.draw import timing_svg

        save(args.svg, timing_svg(witness, _rows(a, b, witness)))
    if args.json:
        print(json.dumps(answer))
    else:
        print(f"{answer['verdict']} ({logic}; method: {answer['method']})")
        if witness is not None:
            _show(a, b, witness)
    return {"equal": Exit.DONE, "different": Exit.ABSTAINED}.get(answer["verdict"], Exit.UNKNOWN)


def _pair(line: str, args: argparse.Namespace) -> Body:
    if line.count("\t") != 1:
        raise FormulaError("two formulas with one tab between them are needed", text=line)
    first, second = line.split("\t")
    try:
        (a, b), _ = read_formulas([first, second], args.logic)
    except FormulaError as error:
        # Columns count in the line, also for the formula behind the tab.
        if error.text == second != first:
            error.column += len(first) + 1
        raise
    return _compare(a, b, args)[0]


def _compare(a: Formula, b: Formula, args: argparse.Namespace) -> tuple[Body, Trace | None]:
    from assent.records.formulas import compared

    return compared(a, b, level=args.level, budget=args.budget, finite=args.finite, axioms=args.axioms)


def _rows(a: Formula, b: Formula, witness: Trace) -> list[Atom]:
    return list(dict.fromkeys([*atoms(a), *atoms(b), *(atom for state in witness.states for atom in state)]))


def _show(a: Formula, b: Formula, witness: Trace) -> None:
    from assent.logic.draw import timing_text
    from assent.logic.semantics import holds

    print()
    print(timing_text(witness, _rows(a, b, witness), plain=not speaks_unicode()))
    which, other = ("first", "second") if holds(a, witness) else ("second", "first")
    print(f"\nOn this trace the {which} formula holds and the {other} does not.")
