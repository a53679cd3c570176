"""The command line. One module a verb; only the verb that is called is imported, so that start-up is quick.

A verb module has ``add_arguments(parser)`` and ``run(args) -> int`` (an exit code of ``Exit``).
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence
from enum import IntEnum
from importlib import import_module

from assent import __version__
from assent.errors import AssentError

VERBS = {
    "translate": "turn one instruction into a vouched formula, or abstain",
    "batch": "decide many instructions",
    "collect": "gather evidence for many instructions (no decision)",
    "calibrate": "make a policy from recorded translations",
    "feasibility": "what can be promised with how many labels",
    "report": "every table and figure from recorded translations",
    "explain": "a formula as a tree, in canonical form and in English",
    "compare": "do two formulas mean the same? If not, a trace that tells them apart",
    "export": "a formula for another tool",
    "train": "fine-tune the embedded models on your own pairs",
    "bench": "measure speed and quality on this machine",
    "init": "write a commented configuration file",
    "doctor": "check configuration, models, cache and policy",
    "review": "answer what was drawn for review, one key a decision",
    "certify": "how many of the accepted formulas may be wrong, from what was drawn and answered",
    "plan": "how many answers buy which promise",
    "watch": "can a policy still be trusted?",
    "ledger": "statistics, evidence, export and import of a ledger",
    "cache": "statistics, pruning and export of the call cache",
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
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A name that the terminal cannot show is escaped, not a crash.
        sys.stdout.reconfigure(errors="backslashreplace")
    arguments = list(sys.argv[1:] if argv is None else argv)
    top = argparse.ArgumentParser(
        prog="assent",
        usage="assent VERB [options]",
        description="English instructions into temporal logic: vouched for, or withheld.",
        epilog=_overview() + "\n\n'assent VERB --help' explains a verb.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"assent {__version__}")
    top.add_argument("verb", choices=VERBS, metavar="VERB", help=argparse.SUPPRESS)
    if not arguments:
        top.print_help()
        return Exit.USAGE
    verb = top.parse_args(arguments[:1]).verb
    module = import_module(f"assent.cli.{verb}")
    parser = argparse.ArgumentParser(
        prog=f"assent {verb}",
        description=module.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    module.add_arguments(parser)
    try:
        return int(module.run(parser.parse_args(arguments[1:])))
    except AssentError as error:
        print(f"assent {verb}: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print(f"assent {verb}: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # The reader went away (``| head``); say nothing, and keep the interpreter from saying it at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return Exit.DONE
