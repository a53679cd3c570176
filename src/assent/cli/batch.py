"""Decide many instructions: JSON lines in, one decision a line out, in the same order.

With -o the run may be stopped at any moment (Ctrl-C, kill -9, power): the same command goes on where it was, and
ends with the file of an undisturbed run. Rows that hold recorded translations or evidence are decided as they are.
"""

from __future__ import annotations

import argparse
import asyncio
from collections import Counter

from assent.cli.many import add_bulk, digest, dry_run, run_bulk, timing
from assent.cli.options import add_common, assembly


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_bulk(parser)
    add_common(parser)
    parser.add_argument(
        "--ledger", metavar="FILE|URL", help="keep every decision there (see 'assent review')"
    )
    parser.add_argument(
        "--full", action="store_true", help="all scores, not only those that a decision needs"
    )


def run(args: argparse.Namespace) -> int:
    from assent.pipeline.batch import Done
    from assent.pipeline.book import Book
    from assent.records import Evidence, Instruction
    from assent.records.rows import decision_row

    if args.dry_run:
        return dry_run(args)
    parts = assembly(args, lazy=False if args.full else None)
    selective = parts.selective()
    counts: Counter[str] = Counter()

    book = None if args.ledger is None else Book(args.ledger)

    async def handle(case: Instruction, known: Evidence | None) -> Done:
        decision = await selective.decide(case, known)
        row = decision_row(decision)
        if book is not None:  # on disk there before it is in the output
            row["decision_id"] = await asyncio.to_thread(book.write, decision, parts.policies[case.logic])
        counts[row["decision"]] += 1
        return Done(row, timing(decision.evidence), decision.evidence.failure)

    def describe() -> dict[str, str]:
        said = {name: str(count) for name, count in counts.items()}
        return said | ({"cost": f"{parts.money:.4f}"} if parts.money else {})

    async def close() -> None:
        await parts.close()
        if book is not None:
            book.close()

    settings = {
        "verb": "batch",
        "logic": args.logic,
        "system": args.system,
        "lazy": parts.lazy,
        "policies": {logic.value: digest(policy.to_json()) for logic, policy in parts.policies.items()},
        "made_by": {logic.value: parts.collector.made_by(logic) for logic in parts.policies},
        "vocabularies": digest(repr(sorted(parts.collector.vocabularies.items()))),
        "domain": parts.collector.domain,
    }
    return run_bulk(
        args,
        handle,
        parts.collector,
        settings=settings,
        concurrency=parts.concurrency,
        describe=describe,
        close=close,
    )
