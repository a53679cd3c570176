"""How many answers buy which promise, simulated on your own scores. A plan is no promise.

assent plan LEDGER                                from the answers so far: which alpha after how many more
assent plan --scale 1e6 --local --workers 32      what so many instructions take (docs/scale.md)
assent plan --accepted 300 --at-most 0.05         audits for a certificate of 300 accepted formulas
assent plan LEDGER --accepted 300                 the same if they are wrong as often as the ledger's answers say

Fix alpha and the probabilities before you look at labels: a plan made from rows that calibrate must not choose them.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from fractions import Fraction

from assent.cli import Exit, scaled
from assent.errors import UsageError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("ledger", metavar="LEDGER", nargs="?", help="a file, or a postgresql:// address")
    parser.add_argument("--audit", metavar="Q", help="probability that an accepted formula is drawn")
    parser.add_argument("--abstained", metavar="Q", help="probability that an abstention is drawn")
    parser.add_argument(
        "--alpha", metavar="A", action="append", help="a promise to plan for; may be repeated"
    )
    parser.add_argument(
        "--delta", metavar="D", default="0.1", help="for the anytime rule and the certificate (0.1)"
    )
    parser.add_argument("--logic", help="only decisions in this logic")
    parser.add_argument("--accepted", type=int, metavar="N", help="a document with N accepted formulas")
    parser.add_argument(
        "--at-most", metavar="SHARE", default="0.05", help="with --accepted: wrong at most (0.05)"
    )
    parser.add_argument("--confidence", default="0.95", metavar="P", help="with --accepted: how sure (0.95)")
    parser.add_argument("--quick", action="store_true", help="fewer and shorter simulated streams")
    parser.add_argument("--json", action="store_true", help="as JSON")
    scaled.add_arguments(parser)


def run(args: argparse.Namespace) -> int:
    if args.scale is not None:
        if args.ledger is not None or args.accepted is not None:
            raise UsageError("--scale plans by itself: leave LEDGER and --accepted out")
        return scaled.run(args)
    if args.ledger is None and args.accepted is None:
        raise UsageError(
            "plan for a ledger, for a document with --accepted N, or for a document like a ledger"
        )
    if args.accepted is not None and args.accepted < 1:
        raise UsageError("--accepted is a whole number from 1 up")
    return _document(args) if args.ledger is None else _ledger(args)


def _document(args: argparse.Namespace) -> int:
    from assent.calibrate import exact
    from assent.calibrate.certificate import audits_needed

    aim = int(exact.level(args.at_most, "--at-most") * args.accepted)
    rows = [
        {"wrong_found": wrong, "answers": answers}
        for wrong in range(4)
        if (answers := audits_needed(args.accepted, aim, args.confidence, wrong=wrong)) is not None
    ]
    if args.json:
        print(json.dumps({"accepted": args.accepted, "at_most": aim, "rows": rows}))
        return Exit.DONE
    print(f"at most {aim} of {args.accepted} accepted formulas wrong ({args.confidence} confidence):")
    for row in rows:
        share = Fraction(row["answers"], args.accepted)
        print(
            f"  {row['answers']} answers if {_found(row['wrong_found'])} wrong (--audit {float(share):.3f})"
        )
    return Exit.DONE


def _found(wrong: int) -> str:
    return "none of them is" if wrong == 0 else "1 of them is" if wrong == 1 else f"{wrong} of them are"


def _ledger(args: argparse.Namespace) -> int:
    from assent.calibrate.planner import ALPHAS, say
    from assent.ledger import Ledger, LedgerPlan
    from assent.ledger.draws import last_plan
    from assent.review.labels import label_rows
    from assent.review.planning import Population

    with Ledger.open(args.ledger) as ledger:
        before = last_plan(ledger)
        population = Population.of(label_rows(ledger, logic=args.logic))
    if before is None:
        raise UsageError("nothing has been drawn yet: run 'assent review' first")
    draws = LedgerPlan(audit=args.audit or before.audit, abstained=args.abstained or before.abstained)
    alphas = args.alpha or [str(alpha) for alpha in ALPHAS]
    rows = population.plan(draws, alphas=alphas, delta=args.delta, quick=args.quick, document=args.accepted)
    if args.json:
        print(json.dumps({"answers": population.answers, "rows": [asdict(row) for row in rows]}))
        return Exit.DONE
    print(
        f"{population.answers} answers so far; drawn: {draws.audit} of the accepted, {draws.abstained} of the abstained"
    )
    for row in rows:
        reach = f"{row.answers} answers of {row.items} items" if row.answers is not None else "not in reach"
        print(
            f"  {row.rule:<12} alpha {row.alpha:<5g} {reach}; accepts {row.acceptance:.2f} of {row.attainable:.2f}"
        )
    print(say(rows, "audited", population.answers))
    return Exit.DONE
