"""Fine-tune the embedded translator and judge on your own labelled pairs (needs torch: 'assent[train]').

FILE holds cases, one JSON object a line, with "text", "reference" and, where they differ, "logic" and
"domain". Whole groups of formulas that are the same but for names and numbers are held out, and the accuracy
that is printed is measured on them alone, before and after. DIR then holds weights for 'weights = "DIR"' in a
configuration. The same command goes on where a stopped run was. What was trained on is remembered in DIR (as
hashes), so that it is refused for calibration.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from typing import Any

from assent.cli import Exit


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="cases with references, JSON lines")
    parser.add_argument("-o", "--output", metavar="DIR", required=True, help="where the new weights go")
    parser.add_argument("--logic", choices=("ltl", "stl", "spatial"), help="for rows that name none")
    parser.add_argument("--vocabulary", metavar="FILE", help="names of the domain (JSON or TOML)")
    parser.add_argument("--domain", metavar="NAME", help="which section of the vocabulary")
    parser.add_argument(
        "--held-out", type=float, default=0.2, metavar="SHARE", help="share of formulas held out (0.2)"
    )
    parser.add_argument("--minutes", type=float, default=25.0, help="longest time to train (25)")
    parser.add_argument(
        "--threads", type=int, default=1, help="processor threads (1; more pay on an idle machine only)"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true", help="the result as one JSON object")


def run(args: argparse.Namespace) -> int:
    from assent.errors import MissingExtraError, UsageError

    try:
        import torch

        from assent_train.session import train_on
    except ImportError as error:
        raise MissingExtraError("assent train", "train") from error
    if not 0 < args.held_out < 1:
        raise UsageError(f"--held-out is a share between 0 and 1, not {args.held_out}")
    if not args.minutes > 0:
        raise UsageError(f"--minutes is the longest time to train, above 0, not {args.minutes}")
    from assent.vocabulary import Vocabulary, load_sections

    torch.set_num_threads(max(1, args.threads))
    sections: dict[str, Vocabulary] = load_sections(args.vocabulary) if args.vocabulary else {}
    if len(sections) == 1:
        sections[""] = next(iter(sections.values()))
    result = train_on(
        args.file,
        args.output,
        logic=args.logic,
        sections=sections,
        domain=args.domain,
        held_out=args.held_out,
        minutes=args.minutes,
        seed=args.seed,
    )
    if args.json:
        print(json.dumps(result))
    else:
        low, high = result["gain_interval"]
        print(f"trained on {result['train']} rows for {result['minutes']} minutes")
        if result["skipped"] or result["refused"]:
            print(
                f"not used: {result['skipped']} rows whose names or numbers are not in the text, "
                f"{result['refused']} that 'assent translate' refuses"
            )
        print(
            f"held out: {result['held_out']} rows, {result['held_out_clusters']} formulas never seen in training"
        )
        for fold in result["folds"]:
            print(_fold_line(fold))
        print(f"right before {result['before']:.3f}, after {result['after']:.3f}")
        print(f"gain {result['gain']:+.3f}, 95 % interval [{low:+.3f}, {high:+.3f}]")
        print(f"weights in {args.output}: use them with  weights = {args.output!r}  in a configuration")
        sys.stdout.flush()
    return Exit.DONE


def _fold_line(fold: Mapping[str, Any]) -> str:
    """One part in a line: rows that became right and wrong by folds, and what was made of that."""
    changes = (
        f"{fold['part']}: {fold['won']} of {fold['rows']} rows became right by folds, {fold['lost']} wrong"
    )
    if not fold["share"]:
        return f"{changes}: no clear gain, they stay as shipped"
    if fold["share"] < 1:
        return f"{changes}: the new weights are {fold['share']:.0%} of the way from the shipped ones"
    return f"{changes}: learnt"
