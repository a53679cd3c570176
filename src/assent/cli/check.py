"""Check requirement documents: each requirement decided, and what they say together.

Markdown, text, CSV, TSV, XLSX, JSON lines, needs.json, Doorstop, StrictDoc and ReqIF are read; names come from
--vocabulary, from the document, or from a file beside it (pump.md: pump.vocabulary.toml). With --lock only what
changed is asked again; with --locked nothing is asked, and whatever is suspect, not vouched for or found fails,
except notices (unconstrained).
Exit: 0 all vouched and nothing found, 3 a requirement is not vouched for or something was found (a conflict, a
duplicate, ...) even where all are vouched for, 1 error, 2 usage.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from assent.cli import Exit
from assent.cli.crews import add_crew, hands
from assent.cli.options import Progress, add_common, assembly, run_async
from assent.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from assent.config.connect import Shared
    from assent.documents.checking import Checked, Checker
    from assent.documents.desk import CheckDesk
    from assent.documents.lock import Lock
    from assent.documents.together import Noted, Studies
    from assent.documents.written import Document

FORMATS = ("table", "html", "csv", "json", "sarif", "github", "junit")
LOCK = "assent.lock"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", metavar="FILE", nargs="+", help="documents; a folder is one of Doorstop")
    add_common(parser)
    parser.add_argument(
        "--from", dest="form", metavar="FORMAT", help="what the files are, whatever their names"
    )
    parser.add_argument(
        "--columns", metavar="MAP", help="columns of tables, attributes of ReqIF: id=Req,text=Statement"
    )
    parser.add_argument("--lock", metavar="FILE", nargs="?", const=LOCK,
                        help="keep decisions there and ask only what changed (default: assent.lock)")  # fmt: skip
    parser.add_argument(
        "--locked", action="store_true", help="ask nothing: fail on what is suspect or abstained"
    )
    parser.add_argument("--looked", metavar="ID", action="append", default=[],
                        help="a person looked at this suspect; 'all' for every one")  # fmt: skip
    parser.add_argument("--vouch", metavar="ID=FORMULA", action="append", default=[],
                        help="a person vouches: a formula, or the number of a reading")  # fmt: skip
    parser.add_argument("--as", dest="handle", metavar="HANDLE", help="who looked or vouches")
    parser.add_argument("--only-vouched", action="store_true",
                        help="compare vouched formulas only (without: candidates, too, marked)")  # fmt: skip
    parser.add_argument("--budget", type=steps, metavar="STEPS",
                        help="steps of the decider for each requirement (default: 60000)")  # fmt: skip
    parser.add_argument("--format", choices=FORMATS, default="table", help="what is written (default: table)")
    parser.add_argument("--json", action="store_true", help="the same as --format json")
    parser.add_argument("-o", "--output", metavar="OUT", help="where it is written (default: stdout)")
    parser.add_argument(
        "--ledger", metavar="FILE|URL", help="keep every decision there (see 'assent review')"
    )
    parser.add_argument("--write-back", action="store_true",
                        help="write vouched formulas into needs.json, Doorstop, StrictDoc, ReqIF files")  # fmt: skip
    parser.add_argument("--quiet", action="store_true", help="no progress bar")
    add_crew(parser)


def steps(text: str) -> int:
    """A number of steps: a whole number from 1 up."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"must be a whole number from 1 up, not {text!r}")
    return int(text)


def run(args: argparse.Namespace) -> int:
    from assent.documents.cells import column_map
    from assent.documents.findings import found_in
    from assent.documents.outputs import written
    from assent.documents.readers import FORMATS as READ
    from assent.documents.readers import read_documents
    from assent.documents.together import Studies
    from assent.documents.writeback import refuse_unwritable, write_back
    from assent.io.files import checked_target

    _refuse(args, READ)
    if args.output is not None:
        checked_target(args.output)
    columns = column_map(args.columns)
    documents = read_documents(args.files, form=args.form, columns=columns)
    if args.write_back:
        refuse_unwritable(documents)
    checked, lock = _checked(args, documents)
    studies = Studies(None if lock is None else lock.studies)
    findings = found_in(
        checked, strict=args.locked, only_vouched=args.only_vouched, budget=args.budget, studies=studies
    )
    if lock is not None and not args.locked:
        _save(lock, checked, studies)
    if args.write_back:
        changed = write_back(documents, checked, columns)
        print(f"assent check: formulas written to {changed} files", file=sys.stderr)
    form = "json" if args.json else args.format
    _write(args.output, written(form, _with_behaviours(args, checked, form), findings))
    return _exit(checked, [noted for noted in findings if not (args.locked and noted.notice)])


def _with_behaviours(args: argparse.Namespace, checked: Checked, form: str) -> Checked:
    """Behaviours are looked for where they are shown only: it takes as long as looking for findings."""
    if form != "html":
        return checked
    from assent.documents.behaviours import behaviours_of

    behaviours = behaviours_of(checked, only_vouched=args.only_vouched, budget=args.budget)
    return replace(checked, behaviours=behaviours)


def _refuse(args: argparse.Namespace, readable: Collection[str]) -> None:
    """Options that do not go together, before anything is read."""
    if args.form is not None and args.form not in readable:
        raise UsageError(f"--from {args.form!r}: one of {', '.join(readable)}")
    if (args.looked or args.vouch) and (args.locked or args.lock is None):
        raise UsageError("--looked and --vouch change a lock: use them with --lock and without --locked")
    if (args.looked or args.vouch) and not args.handle:
        raise UsageError("--looked and --vouch need --as HANDLE: the lock keeps who it was")


def _checked(args: argparse.Namespace, documents: Sequence[Document]) -> tuple[Checked, Lock | None]:
    from assent.documents.checking import Checker, CheckSettings
    from assent.documents.lock import Lock
    from assent.documents.vouching import looked_at, vouched_for
    from assent.pipeline.book import Book

    place = args.lock or (LOCK if args.locked else None)
    lock = None if place is None else Lock.open(place, must_exist=args.locked)
    settings = CheckSettings(logic=args.logic, vocabulary=args.vocabulary, domain=args.domain)
    checker = Checker(
        parts=desk(args, None).parts,
        settings=settings,
        lock=lock,
        book=None if args.ledger is None or args.locked else Book(args.ledger),
    )
    if args.locked:
        return checker.locked(documents), lock
    checked = _asked(args, checker, documents)
    checked = vouched_for(checked, args.vouch, args.handle)
    return looked_at(checked, args.looked, args.handle), lock


def desk(args: argparse.Namespace, shared: Shared | None) -> CheckDesk:
    """Models and policies from the options; each worker makes its own. Names come with the questions."""
    from assent.documents.desk import CheckDesk

    options = argparse.Namespace(**{**vars(args), "vocabulary": None, "domain": None})
    return CheckDesk(assembly(options, shared=shared))


def _asked(args: argparse.Namespace, checker: Checker, documents: Sequence[Document]) -> Checked:
    from assent.documents.desk import CheckDesk

    total = checker.waiting(checker.prepare(documents))
    bar = Progress(total, 0, dict, quiet=args.quiet)

    async def main() -> Checked:
        with hands(args, desk, checker.parts, CheckDesk(checker.parts)) as crew:
            try:
                return await replace(checker, crew=crew).run(documents, bar.step)
            finally:
                await crew.close()
                if checker.book is not None:
                    checker.book.close()

    try:
        return run_async(main)
    finally:
        bar.close()


def _save(lock: Lock, checked: Checked, studies: Studies) -> None:
    from assent.documents.checking import locked_entries

    for entry in checked.gone:
        print(f"assent check: {entry.shown} is no longer in {entry.file}; it left the lock", file=sys.stderr)
    lock.save(locked_entries(lock, checked.rows), checked.files, studies.used.values())


def _write(output: str | None, text: str) -> None:
    if output is None:
        sys.stdout.write(text)
        return
    from assent.io.files import write_atomically

    write_atomically(output, text.encode("utf-8", "backslashreplace"))


def _exit(checked: Checked, findings: Sequence[Noted]) -> int:
    if not checked.rows:
        print("assent check: no requirement was found, so nothing was checked", file=sys.stderr)
        return Exit.ERROR
    if any(row.judgement.reason == "failed" for row in checked.rows):
        return Exit.ERROR
    vouched = all(row.judgement.vouched for row in checked.rows)
    return Exit.DONE if vouched and not findings else Exit.ABSTAINED
