"""Every table and figure from recorded translations, in one run.

FILE holds recorded translations or evidence as JSON lines (docs/cli.md). Labels come from the exact decider. The
folder gets report.json, report.md, every table as CSV and LaTeX, every figure as SVG and PNG, and index.html.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from itertools import islice
from typing import TYPE_CHECKING

from assent.cli.options import add_where, progress_bar, rows_file
from assent.errors import AssentError, UsageError

if TYPE_CHECKING:
    from assent.evaluate.report import Embed
    from assent.policy.labelled import Labelled

CHUNK = 32
"""Rows that the embedded judge scores at once."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file", metavar="FILE", help="recorded translations or evidence, JSON lines or a table"
    )
    add_where(parser)
    parser.add_argument("-o", "--output", metavar="DIR", required=True, help="the folder to write")
    parser.add_argument(
        "--logic",
        choices=("ltl", "stl", "spatial"),
        help="rows of this logic only; also for rows that name none",
    )
    parser.add_argument("--system", metavar="NAME", help="the candidate, where rows have 'outputs'")
    parser.add_argument("--labels", choices=("exact", "canonical"), default="exact")
    parser.add_argument(
        "--channel", help="the score to calibrate (default: the one that 'calibrate' would take)"
    )
    parser.add_argument("--resplits", type=int, default=100)
    parser.add_argument("--seed", type=int, default=20260101)
    parser.add_argument(
        "--vocabulary", metavar="FILE", help="names for the embedded judge, by the rows' domain"
    )
    parser.add_argument(
        "--domain", metavar="NAME", help="section of the vocabulary for rows without a domain"
    )
    parser.add_argument("--no-gate", action="store_true", help="leave out the drift tables (no embeddings)")
    parser.add_argument("--no-default", action="store_true", help="do not score with the embedded judge")
    parser.add_argument("--paper", action="store_true", help="show the paper's figures beside")
    parser.add_argument("--json", action="store_true", help="print report.json to stdout, too")


def run(args: argparse.Namespace) -> int:
    from pathlib import Path

    from assent.cli import Exit
    from assent.evaluate import folder, plots, published, report
    from assent.evaluate.labels import load
    from assent.evaluate.measure import MeasureSettings

    if args.resplits < 2:
        raise UsageError("--resplits must be at least 2")
    if args.seed < 0:
        raise UsageError("--seed must be a whole number from 0 up")
    folder.refuse_folder(args.output)
    paper = published.load() if args.paper else None
    if (missing := plots.missing()) is not None:
        _say(f"tables without figures, {missing}")
    with rows_file(args.file, args.where) as file:  # rows are looked at again until the tables are made
        data = load(
            file,
            logic=args.logic,
            system=args.system,
            level=args.labels,
            progress=lambda rows: progress_bar(rows, "labels", "rows"),
        )
        data, channel = _channel(data, args)
        tables = report.make(
            data,
            MeasureSettings(channel=channel, resplits=args.resplits, seed=args.seed),
            embed=None if args.no_gate else _embedder(),
            title=f"{Path(args.file).stem}{f' ({args.system})' if args.system else ''}",
            paper=paper,
            say=_say,
        )
    place = folder.write(tables, args.output)
    if args.json:
        print(tables.to_json(), end="")
    else:
        summary = [asdict(row) for row in tables.numbers.compliance_summary]
        print(json.dumps(summary, ensure_ascii=False))
        print(f"{place}/index.html")
    return Exit.DONE


def _channel(data: Labelled, args: argparse.Namespace) -> tuple[Labelled, str]:
    """The rows with the embedded judge's scores, and the channel that the tables are about."""
    from assent.policy.make import default_channel

    failed = int((~data.columns.translated).sum())
    if failed == len(data):
        raise UsageError("no row has a translation")
    if failed:
        _say(
            f"{failed} of {len(data)} rows have no translation: they count as abstentions and are not ranked"
        )
    deployed = default_channel(data) if args.channel is None else None
    if not args.no_default:
        data = _with_default(data, args.vocabulary, args.domain)
    channel = deployed or default_channel(data, args.channel)
    why = "'assent calibrate' would threshold by default" if deployed else "--channel names"
    _say(f"the tables are about the channel {channel}, which {why}")
    return data, channel


def _say(step: str) -> None:
    print(f"assent report: {step}", file=sys.stderr)


def _with_default(data: Labelled, vocabulary: str | None, domain: str | None) -> Labelled:
    """The channel ``default`` and the second opinion, if the embedded judge is here: without it a report goes on, and
    says so."""
    from assent.config.build import embedded_scorer
    from assent.scoring import DEFAULT, SECOND_OPINION

    if DEFAULT in data.channels:
        return data
    ranked = data.translated
    try:
        scorer = embedded_scorer(vocabulary, domain)
        values: dict[str, list[float]] = {}
        rows = iter(ranked.rows)
        for _ in progress_bar(range(0, len(ranked), CHUNK), "embedded judge", f"x {CHUNK} rows"):
            for name, some in scorer([row.evidence for row in islice(rows, CHUNK)]).items():
                values.setdefault(name, []).extend(some)
    except (AssentError, ImportError, OSError) as error:
        if vocabulary is not None:  # it was asked for, and is not to be left out silently
            raise
        _say(f"without the channel {DEFAULT!r}: {error}")
        return data
    if SECOND_OPINION in data.channels:
        values.pop(SECOND_OPINION, None)
    _say_second(values.get(SECOND_OPINION, ()), ranked)
    more = {}
    translated = data.columns.translated.tolist()
    for name, found in values.items():
        scored = iter(found)
        more[name] = [next(scored) if is_translated else 1.0 for is_translated in translated]
    return data.with_scores(more)


def _say_second(values: Sequence[float], ranked: Labelled) -> None:
    """What the second opinion would doubt of rows that were recorded without one; the tables do not count it."""
    if not values:
        return
    from assent.scoring import CLEARLY_WRONG

    doubted = [value > CLEARLY_WRONG for value in values]
    wrong = [found for found, is_wrong in zip(doubted, ranked.wrong.tolist(), strict=True) if is_wrong]
    right = len(doubted) - len(wrong), sum(doubted) - sum(wrong)
    _say(
        f"the rows have no second opinion; it would doubt {sum(wrong)} of {len(wrong)} wrong formulas and {right[1]} "
        f"of {right[0]} right ones ('assent collect' adds it to the rows, and then it counts)"
    )


def _embedder() -> Embed | None:
    """The embedder of the gate, if it is here: without it there are no drift tables, and the report says so."""
    from assent.config.build import embedded_embed

    try:
        embed = embedded_embed()
        embed(["is it here?"])
    except (AssentError, ImportError, OSError) as error:
        _say(f"without the drift tables: {error}")
        return None
    return embed
