"""What a ledger holds, and the whole of it as JSON lines and back.

assent ledger add LEDGER decisions.jsonl    keep decisions that 'batch' or 'translate --json' wrote (--policy FILE)
assent ledger stats LEDGER                  how many decisions, draws, answers
assent ledger export LEDGER > all.jsonl     every entry; the first line holds the secret of the draws
assent ledger bundle LEDGER ID -o e.html    the evidence for one decision as one page (or .json)
assent ledger import LEDGER all.jsonl       add them, all or none, to a new or an existing ledger

LEDGER is a file or a postgresql:// address. The export is private: with the secret, future draws can be foretold.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from assent.cli import Exit
from assent.cli.options import input_file
from assent.errors import UsageError

if TYPE_CHECKING:
    from assent.ledger import Ledger


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", choices=("add", "stats", "bundle", "export", "import"))
    parser.add_argument("ledger", metavar="LEDGER", help="a file, or a postgresql:// address")
    parser.add_argument("file", metavar="FILE|ID", nargs="?", help="add, import: a file; bundle: an id")
    parser.add_argument("-o", "--output", metavar="FILE", help="export, bundle: where it goes (stdout)")
    parser.add_argument("--policy", metavar="FILE", help="add: the policy that decided")
    parser.add_argument("--json", action="store_true", help="add, stats and import: as JSON")


def run(args: argparse.Namespace) -> int:
    from assent.ledger import Ledger

    if (args.file is None) == (args.action in ("add", "import", "bundle")):
        raise UsageError(
            "'add', 'import' and 'bundle' take one thing more than the ledger, the others do not"
        )
    does = {"add": _add, "stats": _stats, "bundle": _bundle, "export": _export, "import": _import}
    with Ledger.open(args.ledger, create=args.action in ("add", "import")) as ledger:
        does[args.action](ledger, args)
    return Exit.DONE


def _add(ledger: Ledger, args: argparse.Namespace) -> None:
    from assent.errors import DataError
    from assent.io.files import read_text
    from assent.io.lines import read_rows
    from assent.ledger import LedgerError, record, record_policy

    before = ledger.counts().get("decision", 0)
    with ledger.writing(), input_file(args.file) as path:
        policy = None if args.policy is None else record_policy(ledger, read_text(args.policy))
        for line, row in read_rows(path):
            try:
                record(ledger, row, policy=policy)
            except LedgerError as error:
                raise DataError(str(error), file=args.file, line=line) from error
    new = ledger.counts().get("decision", 0) - before
    print(json.dumps({"new": new}) if args.json else f"{new} new decisions")


def _stats(ledger: Ledger, args: argparse.Namespace) -> None:
    from assent.ledger.transfer import stats

    found = stats(ledger)
    if args.json:
        print(json.dumps(found))
        return
    print(f"{found['ledger']} (schema {found['schema']})")
    for name, count in found["entries"].items():
        print(f"  {name:<12} {count:>8}")
    print(f"  looks: {found['looks_answered']} answered, {found['looks_waiting']} waiting")


def _bundle(ledger: Ledger, args: argparse.Namespace) -> None:
    from assent.io.files import write_atomically
    from assent.io.lines import encode
    from assent.review.bundle import bundle
    from assent.review.page import bundle_page

    found = bundle(ledger, args.file)
    if args.output is None:
        sys.stdout.buffer.write(encode(found))
        return
    path = Path(args.output)
    if path.suffix not in (".html", ".json"):
        raise UsageError("a bundle is written as .html or as .json")
    write_atomically(path, bundle_page(found).encode() if path.suffix == ".html" else encode(found))


def _export(ledger: Ledger, args: argparse.Namespace) -> None:
    from assent.io.files import write_atomically
    from assent.ledger.transfer import export

    if args.output is not None:
        write_atomically(Path(args.output), b"".join(export(ledger)))
        return
    for line in export(ledger):
        sys.stdout.buffer.write(line)
    sys.stdout.buffer.flush()


def _import(ledger: Ledger, args: argparse.Namespace) -> None:
    from assent.ledger.transfer import load_file

    with input_file(args.file) as path:
        new = load_file(ledger, path, file=args.file)
    print(json.dumps({"new": new}) if args.json else f"{new} new entries")
