"""A formula as a tree, in canonical form and in English, with a warning if it says nothing or too much.

    assent explain 'globally [3,12] ( prop_1 imply finally prop_2 )'
    assent explain 'G (p -> F q)' --json --svg tree.svg
    assent explain -        one formula a line; one JSON object a line comes out

Exit code: 0 explained, 1 the formula (with -, some line) cannot be read.
"""

from __future__ import annotations

import argparse
import json
from typing import Any

from assent.cli import Exit
from assent.cli.bulk import STDIN, add_formula_arguments, bulk, read_formulas, save, speaks_unicode
from assent.errors import UsageError
from assent.logic.ast import Formula, atoms, children, size, temporal_count
from assent.logic.english.words import UNIT


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("formula", metavar="FORMULA", help="a formula, or - for bulk use")
    add_formula_arguments(parser)
    parser.add_argument("--unit", default=UNIT, help=f"how the English calls a unit of time ({UNIT})")
    parser.add_argument("--svg", metavar="FILE", help="draw the tree")
    parser.add_argument(
        "--budget", type=float, default=2.0, metavar="SECONDS", help="for the search behind warnings (2)"
    )


def run(args: argparse.Namespace) -> int:
    if not args.budget > 0:
        raise UsageError("--budget must be a positive number of seconds")
    if args.formula == STDIN:
        if args.svg:
            raise UsageError("--svg draws one formula; it does not go with -")
        return bulk(lambda line: _explained(line, args)[1])
    formula, row = _explained(args.formula, args)
    if args.svg:
        from assent.logic.draw import tree_svg

        save(args.svg, tree_svg(formula))
    print(json.dumps(row) if args.json else _text(formula, row))
    return Exit.DONE


def _explained(text: str, args: argparse.Namespace) -> tuple[Formula, dict[str, Any]]:
    from assent.logic.canonical import canonical
    from assent.logic.english import english
    from assent.logic.render import write
    from assent.records import tier_of

    (formula,), logic = read_formulas([text], args.logic)
    return formula, {
        "logic": str(logic),
        "formula": write(formula),
        "words": write(formula, "words"),
        "english": english(formula, unit=args.unit),
        "canonical": write(canonical(formula)),
        "size": size(formula),
        "temporal": temporal_count(formula),
        "depth": _depth(formula),
        "atoms": [write(atom) for atom in atoms(formula)],
        "tier": tier_of(logic, formula),
        "warnings": _warnings(formula, args.budget),
    }


def _depth(formula: Formula) -> int:
    level, count = list(children(formula)), 0
    while level:
        level, count = [part for node in level for part in children(node)], count + 1
    return count


def _warnings(formula: Formula, budget: float) -> list[str]:
    """What a person should know before trusting it: it is always true, never true, or has idle parts."""
    from assent.logic.equivalence.sanity import warnings

    return list(warnings(formula, budget=budget))


def _text(formula: Formula, row: dict[str, Any]) -> str:
    from assent.logic.draw import tree_text

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
    return f"{table}\n\n{tree_text(formula, plain=not speaks_unicode())}"
