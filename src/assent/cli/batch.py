"""Decide many instructions: JSON lines in, one decision a line out, in the same order.

With -o the run may be stopped at any moment (Ctrl-C, kill -9, power): the same command goes on where it was, and
ends with the file of an undisturbed run. Rows that hold recorded translations or evidence are decided as they are.
"""

from __future__ import annotations

import argparse
import asyncio
from typing import TYPE_CHECKING

from assent.cli.many import (
    Bulk,
    LineShop,
    add_bulk,
    common_settings,
    digest,
    dry_run,
    run_bulk,
    timing,
    work_of,
)
from assent.cli.options import add_common, assembly
from assent.logic.ast import Logic

if TYPE_CHECKING:
    from assent.config.build import Assembly
    from assent.config.connect import Shared
    from assent.ledger.entries import Body
    from assent.records import Evidence, Instruction


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
    from assent.pipeline.book import Book

    if args.dry_run:
        return dry_run(args)
    book = None if args.ledger is None else Book(args.ledger)

    async def keep(row: Body, parts: Assembly) -> None:
        """On disk in the ledger before it is in the output."""
        assert book is not None
        policy = parts.policies[Logic(row["evidence"]["logic"])]
        row["decision_id"] = await asyncio.to_thread(book.write_row, row, policy)

    bulk = Bulk(
        make=shop,
        settings=lambda parts: _settings(args, parts),
        kind_of=lambda row: str(row["decision"]),
        finish=None if book is None else keep,
        close=(lambda: None) if book is None else book.close,
    )
    return run_bulk(args, bulk)


def shop(args: argparse.Namespace, shared: Shared | None) -> LineShop:
    """Models, policies and the work of one line, from the options; each worker makes its own."""
    from assent.pipeline.batch import Done
    from assent.records.rows import decision_row

    parts = assembly(args, lazy=False if args.full else None, shared=shared)
    selective = parts.selective()

    async def handle(case: Instruction, recorded: Evidence | None) -> Done:
        decision = await selective.decide(case, recorded)
        return Done(decision_row(decision), timing(decision.evidence), decision.evidence.failure)

    return LineShop(parts, work_of(args, parts.collector, handle))


def _settings(args: argparse.Namespace, parts: Assembly) -> dict[str, object]:
    policies = {logic.value: digest(policy.to_json()) for logic, policy in parts.policies.items()}
    return {**common_settings("batch", args, parts, parts.policies), "lazy": parts.lazy, "policies": policies}
