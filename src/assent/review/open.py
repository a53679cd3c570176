"""A ledger from wherever it is: a database, or a file of exported lines read into memory."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from assent.errors import DataError
from assent.ledger.database import is_address
from assent.ledger.log import Ledger


@contextmanager
def opened(where: str) -> Iterator[Ledger]:
    """Open for reading. Exported lines become a ledger of their own that is gone afterwards."""
    path = Path(where)
    if not is_address(where) and path.is_file() and not is_database(path):
        from assent.ledger.transfer import load_file

        with Ledger.open(":memory:", create=True) as ledger:
            load_file(ledger, path, file=where)
            yield ledger
        return
    with Ledger.open(where) as ledger:
        yield ledger


def is_database(path: Path) -> bool:
    """Whether a file is a SQLite database; DataError if it cannot be read."""
    try:
        with path.open("rb") as stream:
            return stream.read(15) == b"SQLite format 3"
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror}", file=str(path)) from error
