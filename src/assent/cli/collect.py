"""Gather evidence for many instructions, without deciding: one record a line, in the order of the input.

The file is what 'assent calibrate' and 'assent report' read. Rows that already hold a candidate, samples,
a back-translation or ratings keep them; only what is missing is asked for. With -o the run may be stopped at
any moment; the same command goes on where it was, and ends with the file of an undisturbed run.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from assent.cli.many import Bulk, LineShop, add_bulk, common_settings, dry_run, run_bulk, timing, work_of
from assent.cli.options import add_common, assembly
from assent.logic.ast import Logic

if TYPE_CHECKING:
    from assent.config.connect import Shared
    from assent.records import Evidence, Instruction


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_bulk(parser)
    add_common(parser, policy=False)


def run(args: argparse.Namespace) -> int:
    if args.dry_run:
        return dry_run(args)
    bulk = Bulk(
        make=shop,
        settings=lambda parts: common_settings("collect", args, parts, Logic),
        kind_of=lambda row: "failed" if row.get("failure") else "collected",
    )
    return run_bulk(args, bulk)


def shop(args: argparse.Namespace, shared: Shared | None) -> LineShop:
    """Models and the work of one line, from the options; each worker makes its own."""
    from assent.pipeline import collect
    from assent.pipeline.batch import Done
    from assent.records.rows import evidence_row

    parts = assembly(args, shared=shared)

    async def handle(case: Instruction, recorded: Evidence | None) -> Done:
        evidence = await collect(parts.collector, case, known=recorded)
        return Done(evidence_row(evidence), timing(evidence), evidence.failure)

    return LineShop(parts, work_of(args, parts.collector, handle))
