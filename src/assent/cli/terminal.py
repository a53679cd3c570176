"""What a person sees: text of others is spelt out before it reaches a terminal, and verdicts have a colour there.

Pipes and files get the text as it is. Colours follow https://no-color.org: none with NO_COLOR, on TERM=dumb or off a
terminal.
"""

from __future__ import annotations

import contextlib
import os
import re
import sys
from collections.abc import Iterator, Mapping
from typing import Any, TextIO, cast

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
