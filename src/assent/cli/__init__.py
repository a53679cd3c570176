"""The command line. One module a verb; only the verb that is called is imported, so that start-up is quick.

A verb module has ``add_arguments(parser)`` and ``run(args) -> int`` (an exit code of ``Exit``).
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import sys
from collections.abc import Sequence
from enum import IntEnum
from importlib import import_module
from pathlib import Path

from assent import __version__
from assent.errors import AssentError, DataError

VERBS = {
    "translate": "turn one instruction into a vouched formula, or abstain",
    "batch": "decide many instructions",
    "collect": "gather evidence for many instructions (no decision)",
    "calibrate": "make a policy from recorded translations",
    "feasibility": "what can be promised with how many labels",
    "report": "every table and figure from recorded translations",
    "explain": "a formula as a tree, in canonical form and in English",
    "compare": "do two formulas mean the same? If not, a trace that tells them apart",
    "evaluate": "a formula on a recorded trace: is it true, by how much, where is it broken first",
    "export": "a formula for another tool",
    "train": "fine-tune the embedded models on your own pairs",
    "bench": "measure speed and quality on this machine",
    "init": "write a commented configuration file",
    "doctor": "check configuration, models, cache and policy",
    "check": "decide the requirements of documents, and what they say together",
    "vocabulary": "propose the names of documents, for a person to edit",
    "review": "answer what was drawn for review, one key a decision",
    "certify": "how many of the accepted formulas may be wrong, from what was drawn and answered",
    "plan": "how many answers buy which promise",
    "watch": "can a policy still be trusted?",
    "ledger": "statistics, evidence, export and import of a ledger",
    "cache": "statistics, pruning and export of the call cache",
    "serve": "the same over HTTP: decisions, formulas, the review queue, pages",
    "mcp": "tools for agents, on stdio or over HTTP (Model Context Protocol)",
    "lsp": "a language server: what 'check' says, in an editor while documents are written",
    "completion": "completion of verbs and options for bash, zsh or fish",
}


class Exit(IntEnum):
    """Exit codes that scripts rely on."""

    DONE = 0
    ERROR = 1
    USAGE = 2
    ABSTAINED = 3
    UNKNOWN = 4


def _overview() -> str:
    width = max(map(len, VERBS))
    return "verbs:\n" + "\n".join(f"  {name:<{width}}  {text}" for name, text in VERBS.items())


def main(argv: Sequence[str] | None = None) -> int:
    """Run one verb; errors raised on purpose become one message on stderr and an exit code."""
    if sys.stderr is None:  # closed by the caller; messages must not end up among the data
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 (for the life of the process)
    if sys.stdout is None:
        print("assent: standard output is closed: there is nowhere to write to", file=sys.stderr)
        return Exit.ERROR
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A name that the terminal cannot show is escaped, not a crash.
        sys.stdout.reconfigure(errors="backslashreplace")
    from assent.cli.terminal import guarded

    with guarded():
        return _run(list(sys.argv[1:] if argv is None else argv))


def _run(arguments: list[str]) -> int:
    from assent.cli.terminal import Parser, say_error

    top = Parser(
        prog="assent",
        usage="assent VERB [options]",
        description="English instructions into temporal logic: vouched for, or withheld.",
        epilog=_overview() + "\n\n'assent VERB --help' explains a verb.",
    )
    top.add_argument("--version", action="version", version=f"assent {__version__}")
    top.add_argument("verb", choices=VERBS, metavar="VERB", help=argparse.SUPPRESS)
    if not arguments:
        top.print_help()
        return Exit.USAGE
    verb = top.parsed(arguments[:1]).verb
    module = import_module(f"assent.cli.{verb}")
    parser = Parser(prog=f"assent {verb}", description=module.__doc__)
    module.add_arguments(parser)
    try:
        code = int(module.run(parser.parsed(arguments[1:])))
        sys.stdout.flush()  # a full disk is found here, not when the interpreter ends
        return code
    except AssentError as error:
        say_error(f"assent {verb}", error, as_json="--json" in arguments)
        return error.exit_code
    except KeyboardInterrupt:
        print(f"assent {verb}: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:  # the reader went away (``| head``)
        _silence()
        return Exit.DONE
    except OSError as error:
        _silence()
        say_error(f"assent {verb}", _reported(error), as_json="--json" in arguments)
        return Exit.ERROR


def _silence() -> None:
    """Nothing more can be written to standard output; keep the interpreter from trying at exit."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _reported(error: OSError) -> AssentError:
    """What the system refused, as an error of ours: a full disk behind standard output, a file without rights."""
    return DataError(error.strerror or str(error), file=str(error.filename or "standard output"))
