"""The parser of every verb, and how errors are said: to a person, or with --json to a program."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from assent.errors import AssentError, UsageError, kind_of
from assent.io.shown import for_terminal

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
