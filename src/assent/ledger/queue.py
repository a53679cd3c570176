"""The review queue: who looks at what, so that nobody is given what another has.

A look is leased to one session for a while. In PostgreSQL rows that others hold are skipped (``SKIP LOCKED``);
in SQLite a writer is alone. The two blind looks at an item go to two handles; a look that settles may be
taken by anyone. An answer and its place in the queue are one transaction.
"""

from __future__ import annotations

import os
import secrets
import socket
import time
from collections.abc import Collection
from dataclasses import dataclass

import msgspec

from assent.errors import UsageError
from assent.ledger.coin import place_of
from assent.ledger.database import LedgerError
from assent.ledger.entries import Contest, Draw, Kind, ReviewAnswer, ReviewLabel, Said, Undo, now
from assent.ledger.log import Ledger
from assent.ledger.settle import BLIND, Settled, live, looks_wanted, settle, standing

LEASE = 900.0
"""Seconds for which a look belongs to whoever took it."""


class TakenError(LedgerError):
    """The lease ran out and somebody else has the look now; the answer was kept as volunteered."""


@dataclass(frozen=True, slots=True)
class Session:
    """One run of a reviewer: the handle that answers carry, and a name that no other run has."""

    handle: str
    holder: str

    @classmethod
    def start(cls, handle: str) -> Session:
        """A new run; the name says on which machine and in which process, so that a dead one can be told."""
        if not handle.strip() or len(handle) > 64 or not handle.isprintable():
            raise UsageError("a reviewer's handle is 1 to 64 printable characters")
        return cls(handle, f"{socket.gethostname()}/{os.getpid()}/{secrets.token_hex(8)}")


@dataclass(frozen=True, slots=True)
class Task:
    """One look at one item (a draw's decision, or a plant)."""

    item: str
    look: int


def open_looks(ledger: Ledger, item: str) -> None:
    """Bring the queue in step with the log for one item. Inside the transaction that changed the log."""
    answers, contests = _answers(ledger, item)
    wanted = looks_wanted(_twice(ledger, item), answers, contests)
    there = {
        int(look or 0): answer
        for look, answer in ledger.db.rows("SELECT look, answer FROM assent_tasks WHERE item = ?", (item,))
    }
    place = place_of(ledger.secret, item)
    for look in sorted(wanted | set(there)):
        answer = answers[look].id if look in answers else None
        if look not in wanted:
            ledger.db.run("DELETE FROM assent_tasks WHERE item = ? AND look = ?", (item, look))
        elif look not in there:
            handle = answers[look].handle if look in answers else None
            ledger.db.run(
                "INSERT INTO assent_tasks (item, look, place, handle, answer) VALUES (?, ?, ?, ?, ?)",
                (item, look, place, handle, answer),
            )
        elif there[look] != answer:
            ledger.db.run(
                "UPDATE assent_tasks SET answer = ? WHERE item = ? AND look = ?", (answer, item, look)
            )


def rebuild(ledger: Ledger) -> None:
    """Bring the whole queue in step with the log; leases stay. May be stopped and begun again."""
    items = [draw.decision for draw in ledger.all(Draw, Kind.DRAW) if draw.picked]
    items += [plant.id for plant in ledger.each(Kind.PLANT)]
    for start in range(0, len(items), 100):
        with ledger.writing():
            for item in items[start : start + 100]:
                ledger.db.hold(f"item {item}")
                open_looks(ledger, item)


def claim(
    ledger: Ledger,
    session: Session,
    *,
    leave_out: Collection[str] = (),
    lease: float = LEASE,
    at: float | None = None,
) -> Task | None:
    """The next look for a session, leased to it; None where there is nothing for this handle now.

    ``leave_out`` are items that the session has skipped.
    """
    moment = time.time() if at is None else at
    without = f" AND item NOT IN ({','.join('?' * len(leave_out))})" if leave_out else ""
    with ledger.writing(f"claim {session.handle}"):
        found = ledger.db.rows(
            "SELECT item, look FROM assent_tasks t WHERE answer IS NULL AND (holder IS NULL OR until < ?)"
            f" AND (look > {BLIND} OR NOT EXISTS (SELECT 1 FROM assent_tasks o WHERE o.item = t.item"
            f" AND o.look <> t.look AND o.look <= {BLIND} AND o.handle = ?"
            " AND (o.answer IS NOT NULL OR o.until >= ?)))"
            f"{without} ORDER BY place, item, look LIMIT 1{ledger.db.skip_locked}",
            (moment, session.handle, moment, *sorted(leave_out)),
        )
        if not found:
            return None
        task = Task(str(found[0][0]), int(found[0][1] or 0))
        _lease(ledger, session, task, moment + lease)
        return task


def claim_item(ledger: Ledger, session: Session, item: str, *, lease: float = LEASE) -> Task | None:
    """An open look at one item, leased; None where there is none, or this handle has answered it already."""
    moment = time.time()
    with ledger.writing(f"claim {session.handle}"):
        found = ledger.db.rows(
            "SELECT look FROM assent_tasks t WHERE item = ? AND answer IS NULL AND (holder IS NULL OR until < ?)"
            " AND NOT EXISTS (SELECT 1 FROM assent_tasks o WHERE o.item = t.item AND o.handle = ?"
            f" AND (o.answer IS NOT NULL OR o.until >= ?)) ORDER BY look LIMIT 1{ledger.db.skip_locked}",
            (item, moment, session.handle, moment),
        )
        if not found:
            return None
        task = Task(item, int(found[0][0] or 0))
        _lease(ledger, session, task, moment + lease)
        return task


def held(ledger: Ledger, session: Session, item: str | None = None, *, lease: float = LEASE) -> Task | None:
    """The look that a session holds (at ``item``), its lease begun anew; None where it holds none."""
    moment = time.time()
    only, values = ("", ()) if item is None else (" AND item = ?", (item,))
    with ledger.writing(f"claim {session.handle}"):
        found = ledger.db.rows(
            f"SELECT item, look FROM assent_tasks WHERE answer IS NULL AND holder = ? AND until >= ?{only}"
            " ORDER BY place, item, look LIMIT 1",
            (session.holder, moment, *values),
        )
        if not found:
            return None
        task = Task(str(found[0][0]), int(found[0][1] or 0))
        _lease(ledger, session, task, moment + lease)
        return task


def _lease(ledger: Ledger, session: Session, task: Task, until: float) -> bool:
    return (
        ledger.db.run(
            "UPDATE assent_tasks SET handle = ?, holder = ?, until = ? WHERE item = ? AND look = ?",
            (session.handle, session.holder, until, task.item, task.look),
        )
        == 1
    )


def release(ledger: Ledger, session: Session, task: Task) -> None:
    """Give a look back unanswered."""
    with ledger.writing():
        _release(ledger, "item = ? AND look = ? AND holder = ?", (task.item, task.look, session.holder))


def release_dead(ledger: Ledger, session: Session) -> int:
    """Give back what runs of this handle on this machine held when they died; how many looks that were."""
    host, freed = socket.gethostname(), 0
    with ledger.writing():
        held = ledger.db.rows(
            "SELECT DISTINCT holder FROM assent_tasks WHERE answer IS NULL AND handle = ?", (session.handle,)
        )
        for (holder,) in held:
            if holder is not None and is_dead(str(holder), host):
                freed += _release(ledger, "holder = ?", (str(holder),))
    return freed


def is_dead(holder: str, host: str | None = None) -> bool:
    """Whether a holder (``host/process/name``) ran on this machine and its process is gone."""
    host = socket.gethostname() if host is None else host
    there, _, rest = holder.rpartition("/")[0].rpartition("/")
    if there != host or not rest.isdigit():
        return False
    try:
        os.kill(int(rest), 0)
    except ProcessLookupError:
        return True
    except (PermissionError, OverflowError):
        return False
    return False


def _release(ledger: Ledger, condition: str, values: tuple[str | int, ...]) -> int:
    return ledger.db.run(
        "UPDATE assent_tasks SET handle = NULL, holder = NULL, until = NULL "
        f"WHERE answer IS NULL AND {condition}",
        values,
    )


def give(ledger: Ledger, session: Session, answer: ReviewAnswer) -> None:
    """Write an answer down: on disk, and counted once, when this returns.

    Where the lease ran out and another has the look, the answer becomes a volunteered label, and ``TakenError``
    says so.
    """
    task = (answer.item, answer.look)
    with ledger.writing(f"item {answer.item}"):
        if answer.said is Said.SKIP:
            ledger.append(Kind.ANSWER, answer.id, answer.item, answer)
            _release(ledger, "item = ? AND look = ? AND holder = ?", (*task, session.holder))
            return
        taken = ledger.db.run(
            "UPDATE assent_tasks SET answer = ?, until = NULL, holder = NULL "
            "WHERE item = ? AND look = ? AND holder = ? AND answer IS NULL",
            (answer.id, *task, session.holder),
        )
        if taken:
            ledger.append(Kind.ANSWER, answer.id, answer.item, answer)
            open_looks(ledger, answer.item)
        elif ledger.entry(Kind.DRAW, answer.item) is not None:
            _volunteer(ledger, answer)
    if not taken:
        raise TakenError("somebody else took this item over meanwhile: your answer is kept as volunteered")


def _volunteer(ledger: Ledger, answer: ReviewAnswer) -> None:
    label = ReviewLabel(
        id=answer.id,
        decision=answer.item,
        handle=answer.handle,
        said=answer.said,
        how="came after the lease",
        made=answer.made,
        wrong=answer.wrong,
        formula=answer.formula,
    )
    ledger.append(Kind.LABEL, label.id, label.decision, label)


def last_answer(ledger: Ledger, handle: str) -> ReviewAnswer | None:
    """The latest answer of a handle that stands; what an undo takes back."""
    # Newest first, a page at a time: the log may be long and the answer is near its end.
    before = 1 << 62
    while True:
        found = ledger.db.rows(
            "SELECT seq, body FROM assent_entries e WHERE kind = 'answer' AND seq < ? AND NOT EXISTS "
            "(SELECT 1 FROM assent_entries u WHERE u.kind = 'undo' AND u.id = e.id) ORDER BY seq DESC LIMIT 100",
            (before,),
        )
        for seq, body in found:
            before = int(seq or 0)
            answer = msgspec.json.decode(str(body), type=ReviewAnswer)
            if answer.handle == handle:
                return answer
        if len(found) < 100:
            return None


def undo(
    ledger: Ledger, session: Session, answer: ReviewAnswer, *, lease: float = LEASE, at: float | None = None
) -> Task | None:
    """Take an answer back; its look belongs to the session again, or None where another has it by now."""
    if answer.handle != session.handle:
        raise UsageError("only one's own answers can be taken back; another's can be contested")
    moment = time.time() if at is None else at
    task = Task(answer.item, answer.look)
    with ledger.writing(f"item {answer.item}"):
        if not ledger.append(
            Kind.UNDO,
            answer.id,
            answer.item,
            Undo(answer=answer.id, handle=session.handle, made=now()),
        ):
            return None
        free = ledger.db.rows(
            "SELECT 1 FROM assent_tasks WHERE item = ? AND look = ? "
            "AND (answer = ? OR (answer IS NULL AND (holder IS NULL OR holder = ? OR until < ?)))",
            (task.item, task.look, answer.id, session.holder, moment),
        )
        open_looks(ledger, answer.item)
        return task if free and _lease(ledger, session, task, moment + lease) else None


def contest(ledger: Ledger, session: Session, answer: ReviewAnswer, why: str) -> Contest:
    """Doubt an answer, one's own or another's: one more look is opened, and settles it."""
    made = Contest(
        id=secrets.token_hex(16),
        item=answer.item,
        answer=answer.id,
        handle=session.handle,
        why=why,
        made=now(),
    )
    with ledger.writing(f"item {answer.item}"):
        if ledger.entry(Kind.ANSWER, answer.id) is None or ledger.entry(Kind.UNDO, answer.id) is not None:
            raise UsageError("there is no such answer to contest")
        ledger.append(Kind.CONTEST, made.id, made.item, made)
        open_looks(ledger, made.item)
    return made


def settled(ledger: Ledger, item: str) -> Settled:
    """What the answers about an item come to."""
    answers, contests = _answers(ledger, item)
    return settle(_twice(ledger, item), answers, contests)


def waiting(ledger: Ledger) -> list[Task]:
    """Every look that is still wanted, in the order of the queue; nothing is leased."""
    found = ledger.db.rows(
        "SELECT item, look FROM assent_tasks WHERE answer IS NULL ORDER BY place, item, look"
    )
    return [Task(str(item), int(look or 0)) for item, look in found]


def remaining(ledger: Ledger) -> tuple[int, int]:
    """How many looks are still wanted, and how many are answered."""
    ((waiting, done),) = ledger.db.rows("SELECT count(*) - count(answer), count(answer) FROM assent_tasks")
    return int(waiting or 0), int(done or 0)


def _answers(ledger: Ledger, item: str) -> tuple[dict[int, ReviewAnswer], int]:
    given = [ledger.convert(entry, ReviewAnswer) for entry in ledger.about(Kind.ANSWER, item)]
    undone = {entry.id for entry in ledger.about(Kind.UNDO, item)}
    contests = [ledger.convert(entry, Contest) for entry in ledger.about(Kind.CONTEST, item)]
    return live(given, undone), standing(contests, undone)


def _twice(ledger: Ledger, item: str) -> bool:
    draw = ledger.get(Draw, Kind.DRAW, item)
    return draw is not None and draw.twice
