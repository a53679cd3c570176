"""What a person types and sees: the parser of every verb, errors, colours, and text of others made harmless.

Text of others is spelt out before it reaches a terminal, and verdicts have a colour there; pipes and files get the text
as it is. Colours follow https://no-color.org: none with NO_COLOR, on TERM=dumb or off a terminal. Errors are said to a
person, or with --json to a program.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NoReturn, TextIO, cast

from assent.errors import AssentError, UsageError, kind_of
from assent.io.shown import for_terminal

_GREEN, _YELLOW, _RED, _PLAIN = "\x1b[32m", "\x1b[33m", "\x1b[31m", "\x1b[0m"
_COLOURS: Mapping[str, str] = {
    **dict.fromkeys(("accepted", "equal", "ok"), _GREEN),
    **dict.fromkeys(("abstained", "different", "unknown", "warning", "Note"), _YELLOW),
    **dict.fromkeys(("FAIL", "NOT VOUCHED FOR"), _RED),
}
_VERDICT = re.compile(rf"^(?:{'|'.join(_COLOURS)})\b", re.MULTILINE)
"""A verdict is the first word of a line; text of others that begins a line with one gains a colour, nothing else."""


class Terminal:
    """A text stream to a terminal. Whatever is written is spelt out; everything else is the stream's own."""

    def __init__(self, inner: TextIO, *, colours: bool) -> None:
        self._inner, self._colours, self._fresh = inner, colours, True

    def write(self, text: str) -> int:
        # A progress bar returns to the beginning of its line before and after what it says; nothing else may.
        body = text.strip("\r")
        begin = len(text) - len(text.lstrip("\r"))
        shown = for_terminal(body)
        if self._colours:
            shown = self._coloured(shown)
        self._fresh = body.endswith("\n") if body else self._fresh
        self._inner.write("\r" * begin + shown + "\r" * (len(text) - begin - len(body)))
        return len(text)

    def _coloured(self, text: str) -> str:
        if self._fresh:
            return _VERDICT.sub(_painted, text)
        first, end, rest = text.partition("\n")
        return first + end + _VERDICT.sub(_painted, rest)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


def _painted(found: re.Match[str]) -> str:
    return f"{_COLOURS[found.group()]}{found.group()}{_PLAIN}"


def wants_colours(environment: Mapping[str, str]) -> bool:
    """Whether the person at the terminal takes colours."""
    return not environment.get("NO_COLOR") and environment.get("TERM") != "dumb"


@contextlib.contextmanager
def guarded() -> Iterator[None]:
    """Standard output and standard error, as far as they are terminals, spell out what is written to them."""
    kept = sys.stdout, sys.stderr
    colours = wants_colours(os.environ)

    def guard(stream: TextIO) -> TextIO:
        return cast(TextIO, Terminal(stream, colours=colours)) if stream.isatty() else stream

    sys.stdout, sys.stderr = guard(sys.stdout), guard(sys.stderr)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = kept


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
    known = {name: value for name in _ABOUT if (value := getattr(error, name, None)) is not None}
    row = {"kind": kind_of(error), "message": str(error), "exit_code": int(error.exit_code), **known}
    print(json.dumps({"error": row}), file=sys.stderr)
