"""Texts and the number that each was given first, exactly, however many there are: most of them on disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assent.errors import DataError

if TYPE_CHECKING:
    import sqlite3

AT_ONCE = 10_000
"""Texts in memory; when there are so many, they go to a temporary file that nobody else sees."""
PAGES = 1_000
"""Kilobytes of that file that are held in memory."""


class Numbering:
    """Which number a text was given when it was first seen; what is kept in memory does not grow with the texts."""

    def __init__(self, at_once: int = AT_ONCE) -> None:
        self._recent: dict[bytes, int] = {}
        self._at_once = at_once
        self._disk: sqlite3.Connection | None = None

    def setdefault(self, text: str, number: int) -> int:
        """The number of a text: the one it has, else this one from now on. DataError if the disk has no room."""
        key = text.encode("utf-8", "surrogatepass")
        found = self._recent.get(key)
        if found is None:
            found = self._filed(key)
        if found is not None:
            return found
        if len(self._recent) >= self._at_once:
            self._file()
        self._recent[key] = number
        return number

    def _filed(self, key: bytes) -> int | None:
        if self._disk is None:
            return None
        row = self._disk.execute("SELECT number FROM texts WHERE text = ?", (key,)).fetchone()
        return None if row is None else int(row[0])

    def _file(self) -> None:
        """The recent texts go to the file, in order, so that neighbours are written together."""
        import sqlite3

        try:
            if self._disk is None:
                # No name: a file of its own in the temporary folder, which goes with the connection.
                self._disk = sqlite3.connect("", isolation_level=None, check_same_thread=False)
                for setting in (
                    f"cache_size = -{PAGES}",
                    "journal_mode = OFF",
                    "synchronous = OFF",
                    "temp_store = FILE",
                ):
                    self._disk.execute(f"PRAGMA {setting}")
                self._disk.execute("CREATE TABLE texts (text BLOB PRIMARY KEY, number INTEGER) WITHOUT ROWID")
                self._disk.execute("BEGIN")
            self._disk.executemany("INSERT INTO texts VALUES (?, ?)", sorted(self._recent.items()))
        except sqlite3.Error as error:
            raise DataError(
                f"the ids and clusters cannot be kept in the temporary folder: {error}"
            ) from error
        self._recent.clear()
