"""A ledger from wherever it is: a database, or a file of exported lines read into memory."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from assent.ledger.database import is_address
from assent.ledger.log import Ledger


@contextmanager
def opened(where: str) -> Iterator[Ledger]:
    """Open for reading. Exported lines become a ledger of their own that is gone afterwards."""
    path = Path(where)
    if not is_address(where) and path.is_file() and not is_database(path):
        from assent.ledger.transfer import load

        with Ledger.open(":memory:", create=True) as ledger, path.open("rb") as lines:
            load(ledger, lines, file=where)
            yield ledger
        return
    with Ledger.open(where) as ledger:
        yield ledger


def is_database(path: Path) -> bool:
    """Whether a file is a SQLite database."""
    with path.open("rb") as stream:
        return stream.read(15) == b"SQLite format 3"
