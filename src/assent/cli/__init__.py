"""The command line. One module a verb; only the verb that is called is imported, so that start-up is quick.

A verb module has ``add_arguments(parser)`` and ``run(args) -> int`` (an exit code of ``Exit``).

Text of others is spelt out before it reaches a terminal, and verdicts have a colour there; pipes and files get the text
as it is. Colours follow https://no-color.org: none with NO_COLOR, on TERM=dumb or off a terminal. Errors are said to a
person, or with --json to a program.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from enum import IntEnum
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn, TextIO, cast

from assent import __version__
from assent.errors import AssentError, DataError, UsageError, kind_of
from assent.io import for_terminal

_GREEN, _YELLOW, _RED, _PLAIN = "\x1b[32m", "\x1b[33m", "\x1b[31m", "\x1b[0m"
_COLOURS: Mapping[str, str] = {
    **dict.fromkeys(("accepted", "equal", "ok"), _GREEN),
    **dict.fromkeys(("abstained", "different", "unknown", "warning", "Note"), _YELLOW),
    **dict.fromkeys(("FAIL", "NOT VOUCHED FOR"), _RED),
}
_VERDICT = re.compile(rf"^(?:{'|'.join(_COLOURS)})\b", re.MULTILINE)
"""A verdict is the first word of a line; text of others that begins a line with one gains a colour, nothing else."""


class Terminal:
    """A text stream to a terminal that escapes control characters in what is written; all else is the stream's own."""

    def __init__(self, inner: TextIO, *, colours: bool) -> None:
        self._inner, self._colours, self._fresh = inner, colours, True

    def write(self, text: str) -> int:
        # A progress bar returns to the beginning of its line before and after what it says; nothing else may.
        body = text.strip("\r")
        begin = len(text) - len(text.lstrip("\r"))
        spelt = for_terminal(body)
        if self._colours:
            spelt = self._coloured(spelt)
        self._fresh = body.endswith("\n") if body else self._fresh
        self._inner.write("\r" * begin + spelt + "\r" * (len(text) - begin - len(body)))
        return len(text)

    def _coloured(self, text: str) -> str:
        if self._fresh:
            return _VERDICT.sub(_painted, text)
        first, end, rest = text.partition("\n")
        return first + end + _VERDICT.sub(_painted, rest)

    def __getattr__(self, name: str) -> object:
        return getattr(self._inner, name)


def _painted(match: re.Match[str]) -> str:
    return f"{_COLOURS[match.group()]}{match.group()}{_PLAIN}"


def wants_colours(environment: Mapping[str, str]) -> bool:
    """Whether the person at the terminal takes colours."""
    return not environment.get("NO_COLOR") and environment.get("TERM") != "dumb"


@contextlib.contextmanager
def guarded() -> Iterator[None]:
    """Inside, standard output and standard error are ``Terminal`` streams where they are terminals."""
    streams = sys.stdout, sys.stderr
    colours = wants_colours(os.environ)

    def guard(stream: TextIO) -> TextIO:
        return cast(TextIO, Terminal(stream, colours=colours)) if stream.isatty() else stream

    sys.stdout, sys.stderr = guard(sys.stdout), guard(sys.stderr)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = streams


_ABOUT = ("file", "line", "key", "column", "expected")
"""What errors may know beside their message."""


class Parser(argparse.ArgumentParser):
    """argparse, but a logic may be written in capitals, and wrong usage is said as JSON to those who want JSON."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        settings.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        super().__init__(*args, **settings)
        self.as_json = False

    def add_argument(self, *names: Any, **settings: Any) -> argparse.Action:
        if "--logic" in names:
            settings.setdefault("type", _lower)
        return super().add_argument(*names, **settings)

    def error(self, message: str) -> NoReturn:
        if self.as_json or "--json" in sys.argv:
            say_error(self.prog, UsageError(message), as_json=True)
            raise SystemExit(UsageError.exit_code)
        super().error(for_terminal(message))

    def parsed(self, arguments: Sequence[str]) -> argparse.Namespace:
        """The options; exits with a message if they are wrong."""
        self.as_json = "--json" in arguments
        return self.parse_args(arguments)


def _lower(text: str) -> str:
    return text.lower()


def say_error(where: str, error: AssentError, *, as_json: bool) -> None:
    """One error on stderr: a message, or ``{"error": {"kind", "message", ...}}`` on one line."""
    if not as_json:
        print(f"{where}: {for_terminal(str(error))}", file=sys.stderr)
        return
    details = {name: value for name in _ABOUT if (value := getattr(error, name, None)) is not None}
    row = {"kind": kind_of(error), "message": str(error), "exit_code": int(error.exit_code), **details}
    print(json.dumps({"error": row}), file=sys.stderr)


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
    with guarded():
        return _run(list(sys.argv[1:] if argv is None else argv))


def _run(arguments: list[str]) -> int:
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
    except (
        BrokenPipeError
    ):  # the reader went away (``| head``): not everything was said, so this is no success
        _silence()
        return Exit.ERROR
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
