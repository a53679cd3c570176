"""Cards as text, and the keys of a terminal: one key a press where there is a terminal, one line a key elsewhere."""

from __future__ import annotations

import os
import select
import shutil
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol, TextIO

from assent.review.card import Card

KEYS = (
    "[1-3] this one",
    "[0] none of these",
    "[e] type it",
    "[d] cannot be said in this logic",
    "[s] skip",
    "[u] undo",
    "[c] contest",
    "[q] stop",
)


class Keys(Protocol):
    """Where a reviewer's keys come from."""

    def key(self) -> str | None:
        """The next key; None at the end."""
        ...

    def line(self, prompt: str) -> str | None:
        """A line of text; None at the end."""
        ...


class Lines:
    """Keys from a file or a pipe: the first character of each line."""

    def __init__(self, source: TextIO, out: TextIO) -> None:
        self._source, self._out = source, out

    def key(self) -> str | None:
        while True:
            line = self._source.readline()
            if not line:
                return None
            if line.strip():
                return line.strip()[0]

    def line(self, prompt: str) -> str | None:
        self._out.write(prompt)
        self._out.flush()
        line = self._source.readline()
        return line.strip() if line else None


class ReviewTerminal:
    """Keys as they are pressed. What an arrow or function key sends is dropped: it holds digits."""

    def __init__(self, handle: int, out: TextIO) -> None:
        import termios

        self._handle, self._out = handle, out
        self._before = termios.tcgetattr(handle)

    def key(self) -> str | None:
        while True:
            found = os.read(self._handle, 1)
            if not found or found == b"\x04":  # end of input, Ctrl-D
                return None
            if found == b"\x1b":
                self._drop_sequence()
                continue
            if found.isascii() and found.decode().isprintable() and found != b" ":
                return found.decode()

    def _drop_sequence(self) -> None:
        """Read what follows an escape: one character, or after ``[`` and ``O`` all up to the final letter."""
        if self._soon() in (b"[", b"O"):
            while (found := self._soon()) is not None and not b"@" <= found <= b"~":
                pass

    def _soon(self) -> bytes | None:
        """The next byte, if it is there at once."""
        ready = select.select([self._handle], [], [], 0.05)[0]
        return os.read(self._handle, 1) or None if ready else None

    def line(self, prompt: str) -> str | None:
        import termios
        import tty

        termios.tcsetattr(self._handle, termios.TCSADRAIN, self._before)
        try:
            self._out.write(prompt)
            self._out.flush()
            found = os.read(self._handle, 65536)
        finally:
            tty.setcbreak(self._handle, termios.TCSADRAIN)
        return found.decode(errors="replace").strip() if found else None

    @contextmanager
    def raw(self) -> Iterator[None]:
        """Single keys, unechoed; the terminal is as it was afterwards, however this ends."""
        import termios
        import tty

        tty.setcbreak(self._handle, termios.TCSADRAIN)
        try:
            yield
        finally:
            termios.tcsetattr(self._handle, termios.TCSADRAIN, self._before)


@contextmanager
def keys(out: TextIO) -> Iterator[Keys]:
    """The keys of standard input."""
    if sys.stdin.isatty():
        terminal = ReviewTerminal(sys.stdin.fileno(), out)
        with terminal.raw():
            yield terminal
    else:
        yield Lines(sys.stdin, out)


def printable(text: str) -> str:
    """Text that cannot drive a terminal: control characters become a mark, line breaks become spaces."""
    flat = " ".join(text.split())
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in flat)


def shown(card: Card) -> str:
    """A card for a terminal."""
    width = max(40, min(100, shutil.get_terminal_size().columns))
    lines = [
        "",
        f"── {printable(card.id)} · {card.logic} ".ljust(width, "─"),
        *_wrapped(card.text, "  ", width),
        "",
    ]
    for choice in card.choices:
        lines += [
            *_wrapped(choice.english, "     ", width, first=f"  {choice.number}  "),
            *_wrapped(choice.formula, "     ", width),
        ]
    if not card.choices:
        lines.append("  There is no reading to choose from.")
    if card.names:
        names = ", ".join(f"{part!r} is {name}" for part, name in card.names.items())
        lines += ["", *_wrapped(f"Taken for names: {names}", "  ", width)]
    if card.unread:
        lines += ["", *_wrapped(f"Words not read: {', '.join(card.unread)}", "  ", width)]
    if card.difference is not None:
        true, false = (1, 2) if card.difference.first_holds else (2, 1)
        lines += ["", f"  1 and 2 differ here: {true} is true of this, {false} is not"]
        lines += [f"    {line}" for line in card.difference.text.splitlines()]
    return "\n".join([*lines, "", *_keys(width)])


def _keys(width: int) -> list[str]:
    """What each key does; none is cut in two."""
    lines = [""]
    for key in KEYS:
        longer = f"{lines[-1]}  {key}" if lines[-1] else key
        if len(longer) > width:
            lines.append(key)
        else:
            lines[-1] = longer
    return lines


def _wrapped(text: str, indent: str, width: int, *, first: str | None = None) -> list[str]:
    return textwrap.wrap(
        printable(text),
        width,
        initial_indent=indent if first is None else first,
        subsequent_indent=indent,
        break_on_hyphens=False,
    )
