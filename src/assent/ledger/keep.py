"""Answers by key, beside the log: the place for a call cache that several services share.

The first answer under a key stays, whoever comes second. What is kept here is no evidence and is not exported.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from assent.ledger.database import Database

PAGE = 500
"""Keys in one statement."""


class Keep:
    """One room of a ledger's database; rooms do not see one another."""

    def __init__(self, db: Database, room: str) -> None:
        self._db, self._room = db, room

    def find(self, keys: Sequence[str]) -> dict[str, str]:
        """What is there, by key."""
        found: dict[str, str] = {}
        for start in range(0, len(keys), PAGE):
            part = keys[start : start + PAGE]
            rows = self._db.rows(
                f"SELECT key, body FROM assent_kept WHERE room = ? AND key IN ({','.join('?' * len(part))})",
                (self._room, *part),
            )
            found.update((str(key), str(body)) for key, body in rows)
        return found

    def put(self, items: Mapping[str, str]) -> dict[str, str]:
        """Store; what stands under the keys afterwards."""
        # One order for everybody, so that two writers never wait for each other.
        values = [(self._room, key, items[key]) for key in sorted(items)]
        with self._db.writing():
            for start in range(0, len(values), 200):
                part = values[start : start + 200]
                self._db.run(
                    f"INSERT INTO assent_kept (room, key, body) VALUES {','.join(['(?, ?, ?)'] * len(part))} "
                    "ON CONFLICT (room, key) DO NOTHING",
                    [value for row in part for value in row],
                )
            return self.find(list(items))

    def each(self) -> Iterator[tuple[str, str]]:
        """Every key with what it holds, in the order of the keys, a page at a time."""
        last, full = "", True
        while full:
            found = self._db.rows(
                f"SELECT key, body FROM assent_kept WHERE room = ? AND key > ? ORDER BY key LIMIT {PAGE}",
                (self._room, last),
            )
            for key, body in found:
                last = str(key)
                yield last, str(body)
            full = len(found) == PAGE

    def remove(self, keys: Sequence[str]) -> None:
        """Forget what stands under the keys."""
        for start in range(0, len(keys), PAGE):
            part = keys[start : start + PAGE]
            self._db.run(
                f"DELETE FROM assent_kept WHERE room = ? AND key IN ({','.join('?' * len(part))})",
                (self._room, *part),
            )
