"""Answers by key, beside the log: the place for a call cache that several services share.

The first answer under a key stays, whoever comes second. What is kept here is no evidence and is not exported.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assent.ledger.database import Database


class Keep:
    """One room of a ledger's database; rooms do not see one another."""

    def __init__(self, db: Database, room: str) -> None:
        self._db, self._room = db, room

    def find(self, keys: Sequence[str]) -> dict[str, str]:
        """What is there, by key."""
        found: dict[str, str] = {}
        for start in range(0, len(keys), 500):
            part = keys[start : start + 500]
            rows = self._db.rows(
                f"SELECT key, body FROM assent_kept WHERE room = ? AND key IN ({','.join('?' * len(part))})",
                (self._room, *part),
            )
            found.update((str(key), str(body)) for key, body in rows)
        return found

    def put(self, items: Mapping[str, str]) -> dict[str, str]:
        """Store; what stands under the keys afterwards."""
        with self._db.writing():
            for key in sorted(
                items
            ):  # one order for everybody, so that two writers never wait for each other
                self._db.run(
                    "INSERT INTO assent_kept (room, key, body) VALUES (?, ?, ?) ON CONFLICT (room, key) DO NOTHING",
                    (self._room, key, items[key]),
                )
            return self.find(list(items))
