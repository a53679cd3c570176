"""The real program: in a pseudo-terminal with single keys, or with lines through a pipe."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import sys
import time

COMMAND = [sys.executable, "-m", "assent", "review"]
INTERRUPTIBLE = [
    "env",
    "--default-signal=INT",
]  # a shell's background job hands on that it ignores interrupts
PROMPT = "[q] stop"


class Screen:
    """A program in a pseudo-terminal: press keys, wait for what it shows."""

    def __init__(self, *arguments: str) -> None:
        self._ours, theirs = pty.openpty()
        self.process = subprocess.Popen(
            [*INTERRUPTIBLE, *COMMAND, *arguments], stdin=theirs, stdout=theirs, stderr=theirs, close_fds=True
        )
        os.close(theirs)
        self.seen = ""

    def press(self, keys: str) -> None:
        os.write(self._ours, keys.encode())

    def until(self, text: str, seconds: float = 60.0) -> str:
        """What was shown up to and including a text, which is then forgotten."""
        give_up = time.monotonic() + seconds
        while text not in self.seen:
            assert time.monotonic() < give_up, f"never saw {text!r}, but:\n{self.seen[-2000:]}"
            if select.select([self._ours], [], [], 0.2)[0]:
                try:
                    part = os.read(self._ours, 65536)
                except OSError:  # the program has ended and closed its side
                    part = b""
                assert part or text in self.seen, f"ended before {text!r}:\n{self.seen[-2000:]}"
                self.seen += part.decode(errors="replace").replace("\r\n", "\n")
        before, found, self.seen = self.seen.partition(text)
        return before + found

    def end(self) -> int:
        code = self.process.wait(60)
        os.close(self._ours)
        return code


def choices(shown: str) -> dict[str, str]:
    """The formulas on a card by their number: the line under the English."""
    return dict(re.findall(r"^  ([123])  .*(?:\n     .*)*?\n     (.+)$", shown, flags=re.M))
