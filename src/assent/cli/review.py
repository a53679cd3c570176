"""Review what was drawn: the instruction, its readings in unambiguous English, one key a decision.

assent review LEDGER --audit 0.1 --abstained 0.3     draw by this plan, then review what was drawn
assent review LEDGER --as ann                        go on, under a name of your own
assent review LEDGER --answers FILE                  answers from lines: {"id", "formula"|"none"|"unsayable"|"skip"}
assent review LEDGER --cards                         the open cards as JSON lines, for a front end of your own

LEDGER is a file or a postgresql:// address. The plan is fixed before anybody looks and written down with every draw;
without --audit and --abstained the plan of the last time goes on. Every answer is on disk before the next card.
"""

from __future__ import annotations

import argparse
import getpass
import json
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

from assent.cli import Exit
from assent.cli.options import run_async
from assent.errors import AssentError
from assent.ledger.draws import USUAL

if TYPE_CHECKING:
    from assent.config.build import Assembly
    from assent.ledger import Ledger, LedgerPlan
    from assent.logic.ast import Formula
    from assent.review.card import Card
    from assent.review.terminal import Translate


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("ledger", metavar="LEDGER", help="a file, or a postgresql:// address")
    parser.add_argument(
        "--as", dest="handle", metavar="HANDLE", help="reviewer's name (default: your user name)"
    )
    parser.add_argument(
        "--audit", metavar="Q", help=f"probability that an accepted formula is drawn ({USUAL['audit']})"
    )
    parser.add_argument(
        "--abstained", metavar="Q", help=f"probability that an abstention is drawn ({USUAL['abstained']})"
    )
    parser.add_argument("--twice", metavar="Q", help="share of the drawn shown to two reviewers, blind (0.1)")
    parser.add_argument(
        "--plants", metavar="Q", help="known wrong formulas mixed in, for each one drawn (0.05)"
    )
    parser.add_argument("--vocabulary", metavar="FILE", help="names for English that is typed ('e')")
    parser.add_argument("--config", metavar="FILE", help="whose translator reads English that is typed")
    parser.add_argument("--answers", metavar="FILE", help="answers from a file ('-' is stdin)")
    parser.add_argument("--cards", action="store_true", help="print the open cards as JSON lines and stop")
    parser.add_argument("--json", action="store_true", help="--answers: what came of it, as JSON")


def run(args: argparse.Namespace) -> int:
    from assent.ledger import Ledger, draw_new
    from assent.review.plants import plant

    with Ledger.open(args.ledger) as ledger:
        plan = _plan(ledger, args)
        drawn = draw_new(ledger, plan)
        plant(ledger, plan)
        if drawn.considered and not (args.cards or args.json):
            print(
                f"{drawn.considered} new decisions, {drawn.picked} of them drawn for review", file=sys.stderr
            )
        if args.cards:
            return _cards(ledger)
        handle = args.handle or getpass.getuser()
        return _file(ledger, handle, args) if args.answers else _loop(ledger, handle, args)


def _plan(ledger: Ledger, args: argparse.Namespace) -> LedgerPlan:
    from assent.ledger.draws import next_plan

    return next_plan(ledger, audit=args.audit, abstained=args.abstained, twice=args.twice, plants=args.plants)


def _cards(ledger: Ledger) -> int:
    from assent.io.lines import encode
    from assent.ledger.queue import waiting
    from assent.review.card import card_of

    for task in waiting(ledger):
        sys.stdout.buffer.write(encode(card_of(ledger, task)))
    return Exit.DONE


def _file(ledger: Ledger, handle: str, args: argparse.Namespace) -> int:
    from assent.cli.options import input_file
    from assent.io.lines import read_rows
    from assent.review.given import take

    with input_file(args.answers) as path:
        found = asdict(take(ledger, handle, read_rows(path), file=args.answers))
    if args.json:
        print(json.dumps(found))
    else:
        print(", ".join(f"{count} {name}" for name, count in found.items()))
        if found["volunteered"]:
            print(
                "what was not drawn is kept as volunteered: it may train, and never calibrates",
                file=sys.stderr,
            )
    return Exit.DONE


def _loop(ledger: Ledger, handle: str, args: argparse.Namespace) -> int:
    from assent.review.screen import keys
    from assent.review.session import Review
    from assent.review.terminal import Loop

    review = Review.start(ledger, handle)
    with keys(sys.stdout) as pressed:
        Loop(review, pressed, sys.stdout, _translator(args)).run()
    return Exit.DONE


def _translator(args: argparse.Namespace) -> Translate:
    """Free English into a formula by the translator of the configuration, made when it is first asked."""
    made: list[Assembly] = []

    def translate(text: str, card: Card) -> Formula | None:
        from assent.config.build import Options, assemble
        from assent.logic.ast import Logic
        from assent.prompting import Transcript
        from assent.records import Candidate, Instruction

        if not made:
            made.append(assemble(Options(config=args.config, vocabulary=args.vocabulary)))
        who = made[0].collector
        case = Instruction(id=card.id, text=text, logic=Logic(card.logic), domain=card.domain)

        async def ask() -> Candidate:
            return await who.translator.first(case, who.vocabulary(case), Transcript())

        try:
            return run_async(ask).formula
        except AssentError:
            return None

    return translate
