"""What the tables look like, and how an older ledger becomes a newer one.

``assent_entries`` is the ledger: a log that is only added to. ``assent_tasks`` is the queue, made from the log
and kept in step with it. ``assent_kept`` is a store of answers by key beside the log.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable

from assent.ledger.database import Database, LedgerError

Migration = Callable[[Database], list[str]]


def _log(db: Database) -> list[str]:
    return [
        f"CREATE TABLE assent_entries (seq {db.number}, kind TEXT NOT NULL, id TEXT NOT NULL, subject TEXT NOT NULL, "
        "body TEXT NOT NULL, UNIQUE (kind, id))",
        "CREATE INDEX assent_entries_subject ON assent_entries (kind, subject)",
        *db.guard_log("assent_entries"),
    ]


def _queue(db: Database) -> list[str]:
    return [
        "CREATE TABLE assent_tasks (item TEXT NOT NULL, look INTEGER NOT NULL, place TEXT NOT NULL, handle TEXT, "
        "holder TEXT, until DOUBLE PRECISION, answer TEXT, PRIMARY KEY (item, look))",
        "CREATE INDEX assent_tasks_open ON assent_tasks (place, item, look) WHERE answer IS NULL",
    ]


def _kept(db: Database) -> list[str]:
    return [
        "CREATE TABLE assent_kept (room TEXT NOT NULL, key TEXT NOT NULL, body TEXT NOT NULL, "
        "PRIMARY KEY (room, key))"
    ]


def _by_kind(db: Database) -> list[str]:
    """All entries of a kind in order, without sorting them anew for every page."""
    return ["CREATE INDEX assent_entries_kind ON assent_entries (kind, seq)"]


MIGRATIONS: tuple[Migration, ...] = (_log, _queue, _kept, _by_kind)
VERSION = len(MIGRATIONS)


def migrate(db: Database, *, upto: int = VERSION) -> int:
    """Bring the tables to this version in one transaction; the version they had. A newer one is refused."""
    if "assent_meta" in db.tables() and meta(db, "version") == str(upto):
        return upto  # nothing to do, and no need to wait for a writer
    with db.writing("schema"):
        if "assent_meta" not in db.tables():
            db.run("CREATE TABLE assent_meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)")
            db.run("INSERT INTO assent_meta VALUES ('version', '0')")
            db.run("INSERT INTO assent_meta VALUES ('secret', ?)", (secrets.token_hex(32),))
        had = _number(db)
        if had > VERSION:
            raise LedgerError(
                f"{db.where}: written by a newer version of assent (schema {had}, this one knows {VERSION}): "
                "update assent"
            )
        for migration in MIGRATIONS[had:upto]:
            for statement in migration(db):
                db.run(statement)
        if had < upto:
            db.run("UPDATE assent_meta SET value = ? WHERE key = 'version'", (str(upto),))
        return had


def _number(db: Database) -> int:
    found = meta(db, "version")
    if not found.isdecimal():
        raise LedgerError(f"{db.where}: damaged: {found!r} is no schema version")
    return int(found)


def meta(db: Database, key: str) -> str:
    """A value that belongs to the whole ledger."""
    found = db.rows("SELECT value FROM assent_meta WHERE key = ?", (key,))
    if not found:
        raise LedgerError(f"{db.where}: damaged: it has no {key}")
    return str(found[0][0])
