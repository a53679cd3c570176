"""The log: only added to, the same on both databases, refused where it is something else."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from assent.errors import UsageError
from assent.ledger import (
    Draw,
    Kind,
    Ledger,
    LedgerError,
    LedgerPlan,
    draw_new,
    record,
    record_all,
    record_policy,
    volunteer,
)
from assent.ledger.database import connect
from assent.ledger.keep import Keep
from assent.ledger.postgres import without_password
from assent.ledger.queue import remaining
from assent.ledger.schema import MIGRATIONS, VERSION, migrate
from ledger_places import decision


def test_the_same_decision_is_kept_once(place: str) -> None:
    with Ledger.open(place, create=True) as ledger:
        policy = record_policy(ledger, "{}")
        first = record(ledger, decision(1), policy=policy)
        assert record(ledger, decision(1), policy=policy) == first
        assert record(ledger, decision(2), policy=policy) != first
        assert ledger.counts() == {"decision": 2, "evidence": 2, "instruction": 2, "policy": 1}
    with Ledger.open(place) as ledger:
        entry = ledger.entry(Kind.DECISION, first)
        assert entry is not None
        assert entry.object()["candidate"] == "G p"


def test_an_entry_cannot_be_changed_or_removed(place: str) -> None:
    with Ledger.open(place, create=True) as ledger:
        key = record(ledger, decision(1))
        for statement in ("UPDATE assent_entries SET body = '{}'", "DELETE FROM assent_entries"):
            with pytest.raises(LedgerError, match="append-only"):
                ledger.db.run(statement)
        with pytest.raises(LedgerError, match="another content"):
            ledger.append(Kind.DECISION, key, "", {})
        assert ledger.counts()["decision"] == 1


def test_a_transaction_is_kept_whole_or_not_at_all(place: str) -> None:
    with Ledger.open(place, create=True) as ledger:
        with pytest.raises(LedgerError):
            record_all(ledger, [decision(1), {"decision": "maybe"}])
        assert ledger.is_empty()


@pytest.mark.parametrize("version", range(1, VERSION))
def test_an_older_ledger_becomes_a_newer_one_with_its_queue(place: str, version: int) -> None:
    """What version ``version`` of the tables held is there afterwards, and drawn items are in the queue."""
    with Ledger.open(place, create=True) as ledger:
        record_all(ledger, [decision(n, accepted=n % 2 == 0) for n in range(20)])
        draw_new(ledger, LedgerPlan(audit="1", abstained="1", twice="0.5"))
        expected = (ledger.counts(), remaining(ledger))
        for later in ("TABLE assent_tasks", "TABLE assent_kept", "INDEX assent_entries_kind")[version - 1 :]:
            ledger.db.run(f"DROP {later}")
        ledger.db.run("UPDATE assent_meta SET value = ? WHERE key = 'version'", (str(version),))
    with Ledger.open(place) as ledger:
        assert ledger.migrated_from == version
        assert (ledger.counts(), remaining(ledger)) == expected


def test_a_newer_ledger_is_refused(place: str) -> None:
    with Ledger.open(place, create=True) as ledger:
        ledger.db.run("UPDATE assent_meta SET value = '99' WHERE key = 'version'")
    with pytest.raises(LedgerError, match="newer version"):
        Ledger.open(place)


def test_migrations_can_be_taken_one_at_a_time(place: str) -> None:
    db = connect(place)
    for version in range(1, len(MIGRATIONS) + 1):
        assert migrate(db, upto=version) == version - 1
    db.close()
    with Ledger.open(place) as ledger:
        assert ledger.is_empty()


def test_what_is_not_a_ledger_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no ledger"):
        Ledger.open(tmp_path / "none.db")
    other = tmp_path / "other.db"
    with sqlite3.connect(other) as db:
        db.execute("CREATE TABLE calls (a)")
    with pytest.raises(LedgerError, match="not a ledger"):
        Ledger.open(other)
    text = tmp_path / "text.db"
    text.write_text("not a database, " * 100)
    with pytest.raises(LedgerError, match="not a database"):
        Ledger.open(text)
    with pytest.raises(LedgerError):
        Ledger.open(tmp_path / "no" / "folder.db", create=True)


def test_no_server_is_an_error_without_the_password() -> None:
    pytest.importorskip("psycopg", reason="psycopg (the postgres extra) is not installed")
    with pytest.raises(LedgerError) as caught:
        Ledger.open("postgresql://me:hush@127.0.0.1:1/x")
    assert "hush" not in str(caught.value)
    assert without_password("postgresql:///x?a=b&password=hush") == "postgresql:///x?a=b&password=***"
    assert without_password("postgresql://me:hush@h:1/x?a=b") == "postgresql://me:***@h:1/x?a=b"


def test_volunteered_labels_are_kept_apart(place: str) -> None:
    with Ledger.open(place, create=True) as ledger:
        key = record(ledger, decision(1))
        volunteer(ledger, key, handle="ann", formula="F p", wrong=True, how="translate --ask")
        assert ledger.counts()["label"] == 1
        assert list(ledger.all(Draw, Kind.DRAW)) == []
        with pytest.raises(LedgerError, match="no decision"):
            volunteer(ledger, "x", handle="ann", formula=None, wrong=True, how="")


def test_the_first_answer_under_a_key_stays(place: str) -> None:
    with Ledger.open(place, create=True) as one, Ledger.open(place) as two:
        keep, other = Keep(one.db, "calls"), Keep(two.db, "calls")
        assert keep.put({"a": "1", "b": "2"}) == {"a": "1", "b": "2"}
        assert other.put({"b": "3", "c": "4"}) == {"b": "2", "c": "4"}
        assert keep.find(["a", "b", "c", "d"]) == {"a": "1", "b": "2", "c": "4"}
        assert Keep(one.db, "elsewhere").find(["a"]) == {}
