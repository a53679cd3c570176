"""Every table and figure from recorded translations, in one run.

FILE holds recorded translations or evidence as JSON lines (docs/cli.md). Labels come from the exact decider. The
folder gets report.json, report.md, every table as CSV and LaTeX, every figure as SVG and PNG, and index.html.
"""

from __future__ import annotations

import argparse
import json
import sys


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="recorded translations or evidence, JSON lines")
    parser.add_argument("-o", "--output", metavar="DIR", required=True, help="the folder to write")
    parser.add_argument("--logic", choices=("ltl", "stl", "spatial"), help="for rows that do not say")
    parser.add_argument("--system", metavar="NAME", help="the candidate, where rows have 'outputs'")
    parser.add_argument("--labels", choices=("exact", "canonical"), default="exact")
    parser.add_argument("--channel", default="fusion", help="the score to calibrate (default: fusion)")
    parser.add_argument("--resplits", type=int, default=100)
    parser.add_argument("--seed", type=int, default=20260101)
    parser.add_argument("--no-gate", action="store_true", help="leave out the drift tables (no embeddings)")
    parser.add_argument("--no-default", action="store_true", help="do not score with the embedded judge")
    parser.add_argument("--json", action="store_true", help="print report.json to stdout, too")


def run(args: argparse.Namespace) -> int:
    from pathlib import Path

    from tqdm import tqdm

    from assent.build import embedded_embed, embedded_scorer
    from assent.cli import Exit
    from assent.errors import UsageError
    from assent.experiments import report
    from assent.experiments.measure import Settings
    from assent.learn import load

    if args.resplits < 2:
        raise UsageError("--resplits must be at least 2")
    data = load(
        args.file,
        logic=args.logic,
        system=args.system,
        level=args.labels,
        scorer=None if args.no_default else embedded_scorer(),
        progress=lambda rows: tqdm(rows, desc="labels", unit=" rows", file=sys.stderr, disable=None),
    )
    channel = args.channel if args.channel in data.channels else _instead(args.channel, data.channels)
    settings = Settings(channel=channel, resplits=args.resplits, seed=args.seed)
    made = report.make(
        data,
        settings,
        embed=None if args.no_gate else embedded_embed(),
        title=f"{Path(args.file).stem}{f' ({args.system})' if args.system else ''}",
        say=lambda step: print(f"assent report: {step}", file=sys.stderr),
    )
    folder = report.write(made, args.output)
    if args.json:
        print(made.to_json(), end="")
    else:
        print(json.dumps(made.rows["compliance_summary"], ensure_ascii=False))
        print(f"{folder}/index.html")
    return Exit.DONE


def _instead(wanted: str, there: tuple[str, ...]) -> str:
    """Where no judge was recorded the fusion cannot be made; self-consistency then stands alone."""
    from assent.errors import UsageError

    for name in ("back_translation", "self_consistency", "default"):
        if wanted == "fusion" and name in there:
            print(f"assent report: no fusion in these rows, using {name}", file=sys.stderr)
            return name
    raise UsageError(f"the channel {wanted!r} is not in every row; there are: {', '.join(there)}")
