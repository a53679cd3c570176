"""A ledger as JSON lines and back, without loss.

The first line names the format and holds the secret of the coins; every other line is one entry. Leases and
the queue are not written: the queue is made again from the log.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from assent.errors import DataError
from assent.io.lines import bounded_lines
from assent.ledger.database import LedgerError
from assent.ledger.entries import Body, Kind, Said
from assent.ledger.log import Ledger, check_body
from assent.ledger.queue import rebuild, remaining
from assent.ledger.schema import VERSION, meta

FORMAT = "assent-ledger"


class _Line(msgspec.Struct, frozen=True):
    """One exported entry; the body is kept as it was written."""

    kind: Kind
    id: str
    subject: str
    body: msgspec.Raw


def export(ledger: Ledger) -> Iterator[bytes]:
    """Every line, with its line end, as of one moment."""
    yield msgspec.json.encode({"format": FORMAT, "schema": VERSION, "secret": ledger.secret.hex()}) + b"\n"
    with ledger.db.snapshot():
        for entry in ledger.each():
            line = _Line(entry.kind, entry.id, entry.subject, msgspec.Raw(entry.body))
            yield msgspec.json.encode(line) + b"\n"


def fingerprint(ledger: Ledger) -> str:
    """A digest of every entry in order: two ledgers with the same one hold the same."""
    made = hashlib.blake2b(digest_size=16)
    with ledger.db.snapshot():
        for entry in ledger.each():
            for part in (entry.kind.encode(), entry.id.encode(), entry.subject.encode(), entry.body):
                made.update(len(part).to_bytes(8, "big") + part)
    return made.hexdigest()


def load_file(ledger: Ledger, path: Path, *, file: str) -> int:
    """``load`` from a file, which is called ``file`` in errors; no line is read without end."""
    try:
        with path.open("rb") as stream:
            return load(ledger, bounded_lines(stream, file), file=file)
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror}", file=file) from error


def load(ledger: Ledger, lines: Iterable[bytes | DataError], *, file: str | None = None) -> int:
    """Add what was exported, all of it or nothing; how many entries were new.

    An empty ledger becomes the exported one, secret and all. In another, entries that are there already are
    passed over, and one that is there with another content is an error.
    """
    new = 0
    with ledger.writing("draw"):
        empty = ledger.is_empty()
        for number, line in enumerate(lines, start=1):
            if isinstance(line, DataError):
                raise line
            if not line.strip():
                continue
            try:
                if number == 1:
                    _header(ledger, line, take=empty)
                else:
                    new += _entry(ledger, line)
            except (ValueError, msgspec.MsgspecError, RecursionError) as error:
                raise DataError(f"not a line of a ledger: {error}", file=file, line=number) from error
            except LedgerError as error:
                raise DataError(str(error), file=file, line=number) from error
    ledger.secret = bytes.fromhex(meta(ledger.db, "secret"))
    rebuild(ledger)
    return new


def _header(ledger: Ledger, line: bytes, *, take: bool) -> None:
    head = msgspec.json.decode(line)
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        raise ValueError(f'the first line must be {{"format": "{FORMAT}", ...}}')
    if not isinstance(head.get("schema"), int) or head["schema"] > VERSION:
        raise ValueError(
            f"written by a newer version (schema {head.get('schema')}, this one knows {VERSION})"
        )
    secret = bytes.fromhex(str(head.get("secret")))
    if len(secret) != 32:
        raise ValueError("the secret must have 32 bytes")
    if take:
        ledger.db.run("UPDATE assent_meta SET value = ? WHERE key = 'secret'", (secret.hex(),))


def _entry(ledger: Ledger, line: bytes) -> bool:
    found = msgspec.json.decode(line, type=_Line)
    body = bytes(found.body)
    check_body(found.kind, body)
    return ledger.append_bytes(found.kind, found.id, found.subject, body)


def stats(ledger: Ledger) -> Body:
    """How much of what there is."""
    waiting, answered = remaining(ledger)
    said: dict[str, int] = dict.fromkeys(Said, 0)
    handles: set[str] = set()
    for entry in ledger.each(Kind.ANSWER):
        body = entry.object()
        said[body["said"]] += 1
        handles.add(body["handle"])
    return {
        "ledger": ledger.where,
        "schema": VERSION,
        "entries": ledger.counts(),
        "looks_waiting": waiting,
        "looks_answered": answered,
        "answers": said,
        "reviewers": len(handles),
    }
