"""JSON lines: read leniently with file and line, write strictly so that a killed run can go on.

What users hand in may have blank lines, a byte-order mark, Windows line ends and fields that we do not know;
what is wrong is reported with file and line. What we write is one complete line per ``write`` call; a line
cut off by a crash is dropped when the file is opened again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import IO, Any

import msgspec

from assent.errors import DataError
from assent.io.files import checked_target, text_of, unwritable, without_repeats, write_atomically

LONGEST_LINE = 16_000_000
"""Bytes of a line that is read."""
LONGEST_SKIPPED = 256_000_000
"""Bytes of a longer line that are passed over to find its end; a file without line ends is not read to its end."""
LONGEST_STREAM = 1_000_000_000
"""Bytes of standard input that are kept on disk for the time of a run; files are streamed and may be longer."""
_PIECE = 1 << 20
_encoder = msgspec.json.Encoder(order=None)


def scan_rows(path: str | Path) -> Iterator[tuple[int, dict[str, Any] | DataError]]:
    """Every line as an object or as what is wrong with it, streamed; blank lines are skipped.

    A line that is longer than ``LONGEST_LINE`` is an error in its place, and passed over; one that has no end within
    ``LONGEST_SKIPPED`` is the last.
    """
    return ((number, row) for number, _, row in placed_rows(path))


def placed_rows(path: str | Path) -> Iterator[tuple[int, int, dict[str, Any] | DataError]]:
    """``scan_rows`` with the byte at which each line begins: ``row_at`` finds it again."""
    file = str(path)
    try:
        stream: IO[bytes] = Path(path).open("rb")  # noqa: SIM115 (closed by the ``with`` below)
    except (OSError, ValueError) as error:
        raise _unreadable(error, file) from error
    with stream:
        place = 0
        for number, line in enumerate(bounded_lines(stream, file), start=1):
            if isinstance(line, DataError):
                yield number, place, line
            elif line.strip():
                yield number, place, _decode(line, file, number)
            place = _position(stream)


def _position(stream: IO[bytes]) -> int:
    return stream.tell() if stream.seekable() else 0


def row_at(stream: IO[bytes], place: int, file: str, number: int) -> dict[str, Any]:
    """The row whose line begins at a byte; DataError if there is none."""
    stream.seek(place)
    line = stream.readline(LONGEST_LINE + 1)
    row = _decode(line.removeprefix(b"\xef\xbb\xbf") if place == 0 else line, file, number)
    if isinstance(row, DataError):
        raise row
    return row


def bounded_lines(stream: IO[bytes], file: str) -> Iterator[bytes | DataError]:
    """The lines of a stream, without a byte-order mark; one that is too long is an error, and passed over.

    Raises DataError if the stream cannot be read.
    """
    number = 0
    while line := _read_line(stream, file):
        number += 1
        if len(line) <= LONGEST_LINE:
            yield line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line
            continue
        ended = line.endswith(b"\n") or _pass_over(stream, file)
        what = "was not read" if ended else "and the rest were not read"
        yield DataError(f"the line is longer than {LONGEST_LINE} bytes; it {what}", file=file, line=number)
        if not ended:
            return


def _pass_over(stream: IO[bytes], file: str) -> bool:
    """Read to the end of a line and keep nothing of it; False if none is found within ``LONGEST_SKIPPED`` bytes."""
    passed = 0
    while passed < LONGEST_SKIPPED:
        piece = _read_line(stream, file, _PIECE)
        passed += len(piece)
        if not piece or piece.endswith(b"\n"):
            return True
    return False


def count_lines(path: Path) -> int:
    """How many lines a file has; DataError if it cannot be read or has a line without end."""
    count = 0
    try:
        with path.open("rb") as stream:
            for line in bounded_lines(stream, str(path)):
                if isinstance(line, DataError):
                    raise line
                count += 1
    except OSError as error:
        raise _unreadable(error, str(path)) from error
    return count


def keep_stream(stream: IO[bytes], path: Path, file: str, *, most: int | None = None) -> None:
    """Copy a stream to a file; DataError beyond ``most`` bytes (``LONGEST_STREAM``), or if the disk has no room.

    A line that is too long is copied cut, so that whoever reads the file says so in its place.
    """
    limit, size = LONGEST_STREAM if most is None else most, 0
    with _writing(path, file), path.open("wb") as kept:
        while line := _read_line(stream, file):
            size += len(line)
            if size > limit:
                raise DataError(
                    f"longer than {limit:,} bytes; nothing of it was used. Put it in a file: files are streamed",
                    file=file,
                )
            kept.write(line)
            if len(line) > LONGEST_LINE and not line.endswith(b"\n"):
                if not _pass_over(stream, file):
                    raise DataError("a line has no end; nothing of it was used", file=file)
                kept.write(b"\n")


def _read_line(stream: IO[bytes], file: str, most: int | None = None) -> bytes:
    """A line, cut behind the longest that is taken; DataError if the stream cannot be read."""
    try:
        return stream.readline(LONGEST_LINE + 1 if most is None else most)
    except (OSError, ValueError) as error:
        raise _unreadable(error, file) from error


@contextmanager
def _writing(path: Path, file: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        said = error.strerror or str(error)
        raise DataError(f"cannot be kept in {path.parent}: {said}", file=file) from error


def _unreadable(error: OSError | ValueError, file: str) -> DataError:
    said = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return DataError(f"cannot be read: {said}", file=file)


def _decode(line: bytes, file: str, number: int) -> dict[str, Any] | DataError:
    try:
        row = msgspec.json.decode(text_of(line, file=file, line=number))
    except DataError as error:
        return error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        half = "" if line.endswith(b"\n") else "the last line is cut off (was its writer stopped?): "
        said = "nested too deeply" if isinstance(error, RecursionError) else str(error)[:300]
        return DataError(f"{half}not valid JSON: {said}", file=file, line=number)
    if not isinstance(row, dict):
        return DataError("not a JSON object", file=file, line=number)
    return row if _encoder.encode(row) == line.strip() else _unrepeated(row, line, file, number)


def _unrepeated(row: dict[str, Any], line: bytes, file: str, number: int) -> dict[str, Any] | DataError:
    """The row, if no key of it occurs twice: nobody can say which of two values was meant.

    A row that is written again byte for byte (ours are) has no such key.
    """
    try:
        json.loads(line, object_pairs_hook=without_repeats, parse_int=str, parse_float=str)
    except RecursionError:
        return DataError("not valid JSON: nested too deeply", file=file, line=number)
    except ValueError as error:
        return DataError(str(error), file=file, line=number)
    return row


def read_rows(path: str | Path, *, unique: bool = False) -> Iterator[tuple[int, dict[str, Any]]]:
    """Line numbers and objects; the first bad line raises. ``unique`` refuses an id that occurs twice."""
    return ((number, row) for number, _, row in read_placed(path, unique=unique))


def read_placed(path: str | Path, *, unique: bool = False) -> Iterator[tuple[int, int, dict[str, Any]]]:
    """``read_rows`` with the byte at which each line begins.

    With ``unique``, ids are told apart by ``Numbering``: of many most are on disk.
    """
    from assent.io.numbering import Numbering  # who writes rows needs none

    seen = Numbering()
    for number, place, row in placed_rows(path):
        if isinstance(row, DataError):
            raise row
        if unique and "id" in row and (first := seen.setdefault(str(row["id"]), number)) < number:
            raise DataError(f"the id {row['id']!r} is taken by line {first}", file=str(path), line=number)
        yield number, place, row


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
        self._handle = -1
        target = checked_target(path)
        with self._reported():
            self._handle = os.open(target, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NONBLOCK, 0o666)
        _lock(self._handle, self.path)
        self._end = 0
        try:
            with self._reported():
                self._end = _complete_length(self._handle)
                os.ftruncate(self._handle, self._end)
        except DataError:
            self.close()
            raise

    def append(self, row: Any) -> None:
        """Write a row; DataError if it cannot be kept (a full disk, a deleted file, too long). No half row stays."""
        line = memoryview(encode(row))
        if len(line) > LONGEST_LINE:  # whoever reads the file would give it up here, with all that follows
            raise DataError(
                f"a row of {len(line)} bytes is not written: a line has at most {LONGEST_LINE}",
                file=str(self.path),
            )
        with self._reported():
            if os.fstat(self._handle).st_nlink == 0:
                raise DataError("was deleted while it was being written", file=str(self.path))
            whole = self._end + len(line)
            try:
                while line:
                    line = line[os.write(self._handle, line) :]
            except OSError:
                os.ftruncate(self._handle, self._end)
                raise
            self._end = whole

    def sync(self) -> None:
        """Wait until everything is on disk."""
        with self._reported():
            os.fsync(self._handle)

    def cut(self, length: int) -> None:
        """Keep the first ``length`` bytes."""
        with self._reported():
            os.ftruncate(self._handle, length)
            os.fsync(self._handle)
        self._end = min(self._end, length)

    @contextmanager
    def _reported(self) -> Iterator[None]:
        """The system's errors as ours, with the name of the file."""
        try:
            yield
        except OSError as error:
            raise unwritable(self.path, error) from error

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
    """How many bytes of a file end in a line end, found from the back; OSError if its last line has no end."""
    whole = end = os.fstat(handle).st_size
    block = 1 << 16
    while end > 0:
        if whole - end > LONGEST_LINE:
            raise OSError(0, f"its last line is longer than {LONGEST_LINE} bytes: this is no file of rows")
        start = max(0, end - block)
        at = os.pread(handle, end - start, start).rfind(b"\n")
        if at >= 0:
            return start + at + 1
        end = start
    return 0
