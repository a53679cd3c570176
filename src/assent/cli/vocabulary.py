"""Propose the names of documents, for a person to edit: propositions, signals with their units, other wordings.

The file can be used at once with --vocabulary, or kept beside the document (pump.md: pump.vocabulary.toml). It is made
from words, not understood: check every name. An existing file is not overwritten.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from assent.cli import Exit
from assent.errors import UsageError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", metavar="FILE", nargs="+", help="documents, as for 'assent check'")
    parser.add_argument(
        "-o", "--output", metavar="V", help="a new .toml or .json file (default: TOML to stdout)"
    )
    parser.add_argument(
        "--from", dest="form", metavar="FORMAT", help="what the files are, whatever their names"
    )
    parser.add_argument("--columns", metavar="MAP", help="columns of tables: id=Req,text=Statement")
    parser.add_argument("--json", action="store_true", help="JSON instead of TOML (without other wordings)")


def run(args: argparse.Namespace) -> int:
    import msgspec

    from assent.documents.cells import column_map
    from assent.documents.proposal import as_toml, proposed
    from assent.documents.readers import FORMATS, read_documents
    from assent.io.files import checked_target, write_atomically

    if args.form is not None and args.form not in FORMATS:
        raise UsageError(f"--from {args.form!r}: one of {', '.join(FORMATS)}")
    if args.output is not None and checked_target(args.output).exists():
        raise UsageError(f"{args.output} is there already: a vocabulary that was edited is not overwritten")
    documents = read_documents(args.files, form=args.form, columns=column_map(args.columns))
    proposal = proposed(requirement for document in documents for requirement in document.requirements)
    if not proposal.entries:
        raise UsageError(f"no names were found in {', '.join(args.files)}")
    as_json = args.json or (args.output is not None and Path(args.output).suffix == ".json")
    text = (
        msgspec.json.format(msgspec.json.encode(proposal.vocabulary), indent=2).decode() + "\n"
        if as_json
        else as_toml(proposal)
    )
    if args.output is None:
        sys.stdout.write(text)
    else:
        write_atomically(args.output, text.encode())
        print(f"assent vocabulary: {len(proposal.entries)} names in {args.output}", file=sys.stderr)
    return Exit.DONE
