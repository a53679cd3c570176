"""Gather evidence for many instructions, without deciding: one record a line, in the order of the input.

The file is what 'assent calibrate' and 'assent report' read. Rows that already hold a candidate, samples,
a back-translation or ratings keep them; only what is missing is asked for. With -o the run may be stopped at
any moment; the same command goes on where it was, and ends with the file of an undisturbed run.
"""

from __future__ import annotations

import argparse
from collections import Counter

from assent.cli.many import add_bulk, digest, dry_run, run_bulk, timing
from assent.cli.options import add_common, assembly


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_bulk(parser)
    add_common(parser, policy=False)


def run(args: argparse.Namespace) -> int:
    from assent.logic.ast import Logic
    from assent.pipeline import collect
    from assent.pipeline.batch import Done
    from assent.records import Evidence, Instruction
    from assent.records.rows import evidence_row

    if args.dry_run:
        return dry_run(args)
    parts = assembly(args)
    counts: Counter[str] = Counter()

    async def handle(case: Instruction, known: Evidence | None) -> Done:
        evidence = await collect(parts.collector, case, known=known)
        counts["failed" if evidence.failure else "collected"] += 1
        return Done(evidence_row(evidence), timing(evidence), evidence.failure)

    def describe() -> dict[str, str]:
        said = {name: str(count) for name, count in counts.items()}
        return said | ({"cost": f"{parts.money:.4f}"} if parts.money else {})

    settings = {
        "verb": "collect",
        "logic": args.logic,
        "system": args.system,
        "made_by": {logic.value: parts.collector.made_by(logic) for logic in Logic},
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
        close=parts.close,
    )
