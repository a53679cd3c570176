"""JSON lines: read leniently with file and line, write strictly so that a killed run can go on.

What users hand in may have blank lines, a byte-order mark, Windows line ends and fields that we do not know;
what is wrong is reported with file and line. What we write is one complete line per ``write`` call; a line
cut off by a crash is dropped when the file is opened again.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import IO, Any

import msgspec

from assent.errors import DataError
from assent.io.files import write_atomically

_encoder = msgspec.json.Encoder(order=None)


def scan_rows(path: str | Path) -> Iterator[tuple[int, dict[str, Any] | DataError]]:
    """Every line as an object or as what is wrong with it, streamed; blank lines are skipped."""
    file = str(path)
    try:
        stream: IO[bytes] = Path(path).open("rb")  # noqa: SIM115 (closed by the ``with`` below)
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror}", file=file) from error
    with stream:
        for number, line in enumerate(stream, start=1):
            if number == 1:
                line = line.removeprefix(b"\xef\xbb\xbf")
            if not line.strip():
                continue
            yield number, _decode(line, file, number)


def _decode(line: bytes, file: str, number: int) -> dict[str, Any] | DataError:
    try:
        row = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        half = "" if line.endswith(b"\n") else "the last line is cut off (was its writer stopped?): "
        return DataError(f"{half}not valid JSON: {error}", file=file, line=number)
    if not isinstance(row, dict):
        return DataError("not a JSON object", file=file, line=number)
    return row


def read_rows(path: str | Path, *, unique: bool = False) -> Iterator[tuple[int, dict[str, Any]]]:
    """Line numbers and objects; the first bad line raises. ``unique`` refuses an id that occurs twice."""
    seen: dict[Any, int] = {}
    for number, row in scan_rows(path):
        if isinstance(row, DataError):
            raise row
        if unique and "id" in row:
            first = seen.setdefault(str(row["id"]), number)
            if first != number:
                raise DataError(f"the id {row['id']!r} is taken by line {first}", file=str(path), line=number)
        yield number, row


def encode(row: Any) -> bytes:
    """One line, with its line end."""
    return _encoder.encode(row) + b"\n"


def write_rows(path: str | Path, rows: Iterable[Any]) -> None:
    """A whole file at once: the old one stays until the new one is complete."""
    write_atomically(path, b"".join(encode(row) for row in rows))


class Appender:
    """A JSON-lines file that grows. Opening drops a half last line; each row is one write to the system."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        try:
            self._handle = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        except OSError as error:
            raise DataError(f"cannot be written: {error.strerror}", file=str(path)) from error
        _lock(self._handle, self.path)
        os.ftruncate(self._handle, _complete_length(self._handle))

    def append(self, row: Any) -> None:
        line = memoryview(encode(row))
        while line:
            line = line[os.write(self._handle, line) :]

    def sync(self) -> None:
        """Wait until everything is on disk."""
        os.fsync(self._handle)

    def cut(self, length: int) -> None:
        """Keep the first ``length`` bytes."""
        os.ftruncate(self._handle, length)
        os.fsync(self._handle)

    def close(self) -> None:
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1

    def __enter__(self) -> Appender:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _lock(handle: int, path: Path) -> None:
    """One writer at a time; the lock goes with the process, however it ends."""
    try:
        import fcntl
    except ImportError:  # a system without advisory locks
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(handle)
        raise DataError("another run is writing this file", file=str(path)) from error


def _complete_length(handle: int) -> int:
    """How many bytes of a file end in a line end, found from the back."""
    end = os.fstat(handle).st_size
    block = 1 << 16
    while end > 0:
        start = max(0, end - block)
        at = os.pread(handle, end - start, start).rfind(b"\n")
        if at >= 0:
            return start + at + 1
        end = start
    return 0
