"""What the formula verbs share: reading a formula, one formula a line from stdin, writing a file."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction

from assent.cli import Exit
from assent.errors import AssentError, DataError, FormulaError
from assent.io.files import standard_input, write_atomically
from assent.io.lines import bounded_lines
from assent.io.traces import number_of
from assent.logic.ast import Formula, Logic
from assent.logic.parse import read_together

STDIN = "-"


def add_formula_arguments(parser: argparse.ArgumentParser) -> None:
    """``--logic`` and ``--json``, the same for every verb that takes formulas."""
    parser.add_argument(
        "--logic",
        choices=[str(logic) for logic in Logic],
        help="which logic the formula is of (otherwise the first of ltl, stl, spatial that reads it)",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object instead of text")


def period(text: str) -> Fraction:
    """A sampling period, exactly as it is written."""
    number = number_of(text)
    if number is None or number <= 0:
        raise argparse.ArgumentTypeError(f"a sampling period is a positive number, not {text!r}")
    return number


def read_formulas(texts: Iterable[str], logic: str | None) -> tuple[list[Formula], Logic]:
    """Formulas of one logic: the given one, or the first that reads them all."""
    return read_together(list(texts), None if logic is None else Logic(logic))


def bulk(answer: Callable[[str], Mapping[str, object]]) -> int:
    """One JSON object for every line of stdin, in order; a line that fails gives its error in its place."""
    from tqdm import tqdm

    failed = False
    row: Mapping[str, object]
    for line in tqdm(_lines(), file=sys.stderr, disable=None, unit=" formulas", leave=False):
        try:
            row = answer(_decoded(line))
        except AssentError as error:
            failed, row = True, error_row(error)
        print(json.dumps(row), flush=sys.stdout.isatty())
    return Exit.ERROR if failed else Exit.DONE


def error_row(error: AssentError) -> dict[str, object]:
    """``{"error", "column"}``, and what was expected there if that is known."""
    if not isinstance(error, FormulaError):
        return {"error": str(error), "column": 1}
    row: dict[str, object] = {"error": error.message, "column": error.column}
    return row | ({"expected": error.expected} if error.expected else {})


def _lines() -> Iterator[bytes | DataError]:
    for line in bounded_lines(standard_input(), "standard input"):
        yield line if isinstance(line, DataError) else line.rstrip(b"\r\n")


def _decoded(line: bytes | DataError) -> str:
    if isinstance(line, DataError):
        raise line
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise FormulaError("the line is not UTF-8", column=error.start + 1) from None


def speaks_unicode() -> bool:
    """Whether stdout can show the signs that drawings use."""
    try:
        "█·├─└│".encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True


def save(path: str, text: str) -> None:
    """Write a file whole or not at all; DataError says why not."""
    write_atomically(path, text.encode("utf-8", "backslashreplace"))
