"""The ledger itself: a log of entries that is only added to."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, TypeVar

import msgspec

from assent.errors import UsageError
from assent.ledger.database import Database, LedgerError, connect, is_address
from assent.ledger.entries import TYPES, Body, Kind, canonical
from assent.ledger.schema import VERSION, meta, migrate

PAGE = 500
S = TypeVar("S", bound=msgspec.Struct)


class LogEntry(NamedTuple):
    """One line of the log. ``subject`` is what it is about: the decision of a draw, the item of an answer."""

    seq: int
    kind: Kind
    id: str
    subject: str
    body: bytes

    def object(self) -> Body:
        found = msgspec.json.decode(self.body)
        assert isinstance(found, dict)
        return found


class Ledger:
    """An open ledger; ``with Ledger.open(...)`` closes it."""

    def __init__(self, db: Database) -> None:
        self.db = db
        self.migrated_from = migrate(db)
        self.secret = bytes.fromhex(meta(db, "secret"))

    @classmethod
    def open(cls, where: str | Path, *, create: bool = False) -> Ledger:
        """The ledger at a path or address; a file that is not there is made only on demand."""
        name = str(where)
        if not is_address(name) and not create and not Path(name).is_file():
            raise UsageError(f"there is no ledger at {name!r}")
        db = connect(name)
        try:
            ledger = cls(db)
            if 0 < ledger.migrated_from < VERSION:
                from assent.ledger.queue import rebuild

                rebuild(ledger)
            return ledger
        except BaseException:
            db.close()
            raise

    @property
    def where(self) -> str:
        """Path or address, fit to be shown."""
        return self.db.where

    def writing(self, name: str | None = None) -> contextlib.AbstractContextManager[None]:
        """One transaction around several entries."""
        return self.db.writing(name)

    def append(self, kind: Kind, key: str, subject: str, body: Body | msgspec.Struct) -> bool:
        """Add an entry; False if the very same is there already. Another body under its key is an error."""
        return self.append_bytes(kind, key, subject, canonical(body))

    def append_bytes(self, kind: Kind, key: str, subject: str, body: bytes) -> bool:
        """``append`` for a body that is encoded already."""
        text = body.decode()
        added = self.db.run(
            "INSERT INTO assent_entries (kind, id, subject, body) VALUES (?, ?, ?, ?) "
            "ON CONFLICT (kind, id) DO NOTHING",
            (kind.value, key, subject, text),
        )
        if added == 1:
            return True
        there = self.entry(kind, key)
        if there is None or there.body != body or there.subject != subject:
            raise LedgerError(f"{self.where}: the {kind} {key} is there with another content")
        return False

    def entry(self, kind: Kind, key: str) -> LogEntry | None:
        """The entry of an id, if it is there."""
        found = self._read("kind = ? AND id = ?", (kind.value, key))
        return found[0] if found else None

    def about(self, kind: Kind, subject: str) -> list[LogEntry]:
        """Every entry of a kind about something, in the order they were made."""
        return self._read("kind = ? AND subject = ?", (kind.value, subject))

    def each(self, kind: Kind | None = None) -> Iterator[LogEntry]:
        """Every entry (of a kind) in order, a page at a time."""
        last = 0
        condition, values = ("seq > ?", ()) if kind is None else ("seq > ? AND kind = ?", (kind.value,))
        while True:
            page = self._read(condition, (last, *values), limit=PAGE)
            yield from page
            if len(page) < PAGE:
                return
            last = page[-1].seq

    def get(self, type_: type[S], kind: Kind, key: str) -> S | None:
        """The entry of an id as its struct."""
        found = self.entry(kind, key)
        return None if found is None else self.convert(found, type_)

    def all(self, type_: type[S], kind: Kind) -> Iterator[S]:
        """Every entry of a kind as its struct."""
        return (self.convert(entry, type_) for entry in self.each(kind))

    def convert(self, entry: LogEntry, type_: type[S]) -> S:
        """An entry as its struct; one that does not fit is damage."""
        try:
            return msgspec.json.decode(entry.body, type=type_)
        except msgspec.MsgspecError as error:
            raise LedgerError(f"{self.where}: damaged: {entry.kind} {entry.id}: {error}") from error

    def counts(self) -> dict[str, int]:
        """How many entries of each kind there are."""
        found = self.db.rows("SELECT kind, count(*) FROM assent_entries GROUP BY kind ORDER BY kind")
        return {str(kind): int(count or 0) for kind, count in found}

    def is_empty(self) -> bool:
        return not self.db.rows("SELECT 1 FROM assent_entries LIMIT 1")

    def _read(
        self, condition: str, values: Sequence[str | int], *, limit: int | None = None
    ) -> list[LogEntry]:
        rows = self.db.rows(
            f"SELECT seq, kind, id, subject, body FROM assent_entries WHERE {condition} ORDER BY seq"
            + ("" if limit is None else f" LIMIT {limit}"),
            values,
        )
        return [
            LogEntry(int(seq or 0), Kind(str(kind)), str(key), str(subject), str(body).encode())
            for seq, kind, key, subject, body in rows
        ]

    def close(self) -> None:
        self.db.close()

    def __enter__(self) -> Ledger:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def check_body(kind: Kind, body: bytes) -> None:
    """Raise ``ValueError`` unless a body fits its kind."""
    expected = TYPES.get(kind)
    try:
        found = msgspec.json.decode(body) if expected is None else msgspec.json.decode(body, type=expected)
    except msgspec.MsgspecError as error:
        raise ValueError(str(error)) from error
    if expected is None and not isinstance(found, dict):
        raise ValueError("not an object")
