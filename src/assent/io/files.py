"""Files that are there whole or not at all, and files of others that are read within bounds.

Whatever is wrong with a file (no such folder, a full disk, a pipe where a file is meant, text that is not UTF-8)
becomes one error that names the file; nothing half-written stays behind.
"""

from __future__ import annotations

import io
import json
import os
import stat
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import IO, Any

from assent.errors import AssentError, ConfigurationError, DataError, UsageError

LONGEST_FILE = 64_000_000
"""Bytes of a file that is read whole (files of rows are streamed instead)."""
MOST_LINKS = 40
LONGEST_SETTINGS = 4_000_000
"""Bytes of a file with settings (TOML or JSON)."""
_BOM = b"\xef\xbb\xbf"


def write_atomically(path: str | Path, content: bytes) -> None:
    """Write beside, flush to disk, then rename over: a reader sees the old or the new file, never a part.

    A link is followed. Raises DataError if the file cannot be written; what was there before stays.
    """
    target = checked_target(path)
    temporary = None
    try:
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}"[:200] + ".")
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        Path(temporary).chmod(0o666 & ~_umask())
        Path(temporary).replace(target)
    except BaseException as error:
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise unwritable(path, error) from error
        raise


def cache_folder(name: str) -> Path:
    """Where what can be computed again is kept for this user."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path("~/.cache").expanduser()) / "assent" / name


def checked_target(path: str | Path) -> Path:
    """Where a file is to be written, links followed; DataError if no file can be there."""
    try:
        target = Path(os.path.realpath(path))
        mode = target.stat().st_mode
    except FileNotFoundError:
        if not target.parent.is_dir():
            raise DataError(
                f"cannot be written: the folder {target.parent} does not exist", file=str(path)
            ) from None
        return target
    except (OSError, ValueError) as error:
        raise unwritable(path, error) from error
    if stat.S_ISDIR(mode):
        raise DataError("cannot be written: it is a folder; give the name of a file", file=str(path))
    if not stat.S_ISREG(mode):
        raise DataError(
            "cannot be written: it is a device, a pipe or a socket; give the name of a file", file=str(path)
        )
    if _names_a_handle(Path(path)):
        raise DataError(
            "cannot be written: it is what a process has open; give the name of a file", file=str(path)
        )
    return target


def _names_a_handle(path: Path) -> bool:
    """Whether a name stands for what a process has open (``/dev/stdout``): what belongs beside it would be in /dev."""
    for _ in range(MOST_LINKS):
        folder = path.parent.resolve()
        if folder.is_relative_to("/proc"):
            return True
        if not path.is_symlink():
            return False
        path = folder / path.readlink()
    return False


def unwritable(path: str | Path, error: OSError | ValueError) -> DataError:
    """The error for a file that the system does not let us write."""
    said = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return DataError(f"cannot be written: {said}", file=str(path))


def read_bytes(path: str | Path, *, most: int = LONGEST_FILE) -> bytes:
    """A whole file without a byte-order mark; DataError if it cannot be read or is longer than ``most``."""
    try:
        with Path(path).open("rb") as stream:
            content = stream.read(most + 1)
    except (OSError, ValueError) as error:
        said = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise DataError(f"cannot be read: {said}", file=str(path)) from error
    if len(content) > most:
        raise DataError(f"is longer than {most} bytes; it was not read", file=str(path))
    return content.removeprefix(_BOM)


def read_text(path: str | Path, *, most: int = LONGEST_FILE) -> str:
    """A whole text file; DataError, with the line, if it is not UTF-8."""
    return text_of(read_bytes(path, most=most), file=str(path))


def text_of(content: bytes, *, file: str, line: int = 1) -> str:
    """Bytes as text; DataError with the line (``line`` is the first one's number) and the byte if not UTF-8."""
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        where = line + content.count(b"\n", 0, error.start)
        column = error.start - (content.rfind(b"\n", 0, error.start) + 1) + 1
        guess = " (UTF-16?)" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else ""
        raise DataError(
            f"not UTF-8 text{guess}: the byte 0x{content[error.start]:02x} at place {column}; save it as UTF-8",
            file=file,
            line=where,
        ) from None


def read_settings(path: str | Path, *, toml: bool | None = None) -> dict[str, Any]:
    """A table of settings from a ``.toml`` or ``.json`` file (``toml`` says which, whatever the name).

    ConfigurationError if it is none, or too deep.
    """
    file = str(path)
    try:
        text = read_text(path, most=LONGEST_SETTINGS)
        is_toml = file.endswith(".toml") if toml is None else toml
        found = tomllib.loads(text) if is_toml else _json(text)
    except DataError as error:
        raise ConfigurationError(_without_file(error), file=file) from error
    except RecursionError:
        raise ConfigurationError("nested too deeply to be read", file=file) from None
    except ValueError as error:  # both libraries' errors, and numbers with too many digits
        name = "TOML" if is_toml else "JSON"
        raise ConfigurationError(f"cannot be read as {name}: {str(error)[:300]}", file=file) from error
    if not isinstance(found, dict):
        raise ConfigurationError("not a table of settings", file=file)
    return found


def _json(text: str) -> Any:
    """What a JSON text holds; ValueError where it is none, has a key twice or half a character (``\\ud800`` alone)."""
    found = json.loads(text, object_pairs_hook=without_repeats)
    if "\\u" in text:
        json.dumps(found, ensure_ascii=False).encode()
    return found


def without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The entries of a JSON object (for ``json.loads``); ValueError if a key occurs twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for place, key in enumerate(keys) if key in keys[:place])
        raise ValueError(f"the key {twice[:60]!r} occurs twice in one object")
    return found


def _without_file(error: AssentError) -> str:
    """The message of a DataError about a whole file, without the name that the next error puts in front."""
    where, line = getattr(error, "file", None), getattr(error, "line", None)
    said = str(error).removeprefix(f"{where}:{line}: ").removeprefix(f"{where}: ")
    return said if line is None else f"line {line}: {said}"


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current


def standard_input() -> IO[bytes]:
    """Standard input as bytes; UsageError if it is closed."""
    stream = sys.stdin
    if stream is None or stream.closed:
        raise UsageError("standard input is closed: there is nothing to read")
    if not hasattr(stream, "buffer"):  # text put in its place by a program that calls us
        return io.BytesIO(stream.read().encode())
    return stream.buffer
