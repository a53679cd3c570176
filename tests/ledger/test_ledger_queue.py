"""The queue against a naive model of it, on both databases: nobody is given what another has."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assent.errors import UsageError
from assent.ledger import (
    Draw,
    Kind,
    Ledger,
    LedgerPlan,
    ReviewAnswer,
    ReviewLabel,
    Said,
    draw_new,
    record_all,
)
from assent.ledger.entries import Contest, now
from assent.ledger.queue import (
    Session,
    TakenError,
    Task,
    claim,
    contest,
    give,
    last_answer,
    rebuild,
    release_dead,
    remaining,
    settled,
    undo,
)
from assent.ledger.settle import ReviewState
from ledger_places import NewPlace, decision

LEASE = 10.0


def said(task: Task, handle: str, wrong: bool | None = False, kind: Said = Said.FORMULA) -> ReviewAnswer:
    return ReviewAnswer(
        id=secrets.token_hex(16),
        item=task.item,
        look=task.look,
        handle=handle,
        said=kind,
        made=now(),
        wrong=wrong,
        formula="G p" if kind is Said.FORMULA else None,
    )


def filled(place: str, items: int, twice: str = "0") -> Ledger:
    ledger = Ledger.open(place, create=True)
    record_all(ledger, [decision(n) for n in range(items)])
    draw_new(ledger, LedgerPlan(audit="1", abstained="1", twice=twice))
    return ledger


def test_two_sessions_never_hold_the_same_look(place: str) -> None:
    with filled(place, 6) as ledger:
        a, b, c = Session.start("ann"), Session.start("bob"), Session.start("ann")
        tasks = [claim(ledger, session) for session in (a, b, c, a, b, c)]
        assert len(set(tasks)) == 6
        assert claim(ledger, a) is None


def test_a_double_review_goes_to_two_handles(place: str) -> None:
    with filled(place, 1, twice="1") as ledger:
        a, b = Session.start("ann"), Session.start("bob")
        first = claim(ledger, a)
        assert first is not None
        assert claim(ledger, Session.start("ann")) is None
        second = claim(ledger, b)
        assert second is not None
        assert (first.item, {first.look, second.look}) == (second.item, {1, 2})
        give(ledger, a, said(first, "ann"))
        assert claim(ledger, a) is None


def test_a_disagreement_is_settled_by_a_third_look(place: str) -> None:
    with filled(place, 1, twice="1") as ledger:
        a, b, c = (Session.start(name) for name in ("ann", "bob", "cy"))
        for session, wrong in ((a, False), (b, True)):
            task = claim(ledger, session)
            assert task is not None
            give(ledger, session, said(task, session.handle, wrong))
        assert (settled(ledger, task.item).state, settled(ledger, task.item).wrong) == (
            ReviewState.DISPUTED,
            True,
        )
        third = claim(ledger, c)
        assert third is not None
        assert third.look == 3
        give(ledger, c, said(third, "cy", False))
        assert (settled(ledger, task.item).state, settled(ledger, task.item).wrong) == (
            ReviewState.SETTLED,
            False,
        )


def test_agreement_after_an_undo_closes_the_third_look(place: str) -> None:
    with filled(place, 1, twice="1") as ledger:
        a, b = Session.start("ann"), Session.start("bob")
        for session, wrong in ((a, False), (b, True)):
            task = claim(ledger, session)
            assert task is not None
            give(ledger, session, said(task, session.handle, wrong))
        assert remaining(ledger) == (1, 2)
        answer = last_answer(ledger, "bob")
        assert answer is not None
        again = undo(ledger, b, answer)
        assert again == Task(task.item, answer.look)
        give(ledger, b, said(again, "bob", False))
        assert remaining(ledger) == (0, 2)
        assert settled(ledger, task.item).state is ReviewState.SETTLED


def test_a_contest_opens_a_look_and_only_its_answer_settles(place: str) -> None:
    with filled(place, 1) as ledger:
        a = Session.start("ann")
        task = claim(ledger, a)
        assert task is not None
        answer = said(task, "ann", False)
        give(ledger, a, answer)
        contest(ledger, Session.start("bob"), answer, "the pump is meant")
        assert settled(ledger, task.item).wrong
        look = claim(ledger, a)
        assert look == Task(task.item, 3)
        give(ledger, a, said(look, "ann", True))
        assert (settled(ledger, task.item).state, settled(ledger, task.item).wrong) == (
            ReviewState.SETTLED,
            True,
        )
        undo(ledger, a, answer)
        with pytest.raises(UsageError):
            contest(ledger, a, answer, "")


def test_an_answer_after_the_lease_is_kept_and_not_counted(place: str) -> None:
    with filled(place, 1) as ledger:
        a, b = Session.start("ann"), Session.start("bob")
        task = claim(ledger, a, lease=LEASE, at=0.0)
        assert task is not None
        assert claim(ledger, b, at=LEASE) is None
        assert claim(ledger, b, at=LEASE + 0.1) == task
        with pytest.raises(TakenError):
            give(ledger, a, said(task, "ann"))
        give(ledger, b, said(task, "bob", True))
        assert [label.handle for label in ledger.all(ReviewLabel, Kind.LABEL)] == ["ann"]
        assert [answer.handle for answer in ledger.all(ReviewAnswer, Kind.ANSWER)] == ["bob"]


def test_a_late_answer_counts_where_nobody_took_the_look(place: str) -> None:
    with filled(place, 1) as ledger:
        a = Session.start("ann")
        task = claim(ledger, a, lease=LEASE, at=0.0)
        assert task is not None
        give(ledger, a, said(task, "ann"))
        assert settled(ledger, task.item).state is ReviewState.SETTLED


def test_what_a_dead_run_held_is_given_back_to_its_handle_only(place: str) -> None:
    with filled(place, 2) as ledger:
        import socket

        dead = Session("ann", f"{socket.gethostname()}/{2**22 + 7}/x")
        elsewhere = Session("ann", "another-machine/1/x")
        assert claim(ledger, dead) is not None
        assert claim(ledger, elsewhere) is not None
        assert release_dead(ledger, Session.start("bob")) == 0
        assert release_dead(ledger, Session.start("ann")) == 1
        assert claim(ledger, Session.start("bob")) is not None
        assert claim(ledger, Session.start("bob")) is None


@pytest.mark.parametrize("handle", ["", "  ", "a\nb", "x" * 65])
def test_a_handle_is_a_short_printable_name(handle: str) -> None:
    with pytest.raises(UsageError):
        Session.start(handle)


class Model:
    """The naive queue: everything recomputed from the list of what happened."""

    def __init__(self, twice: dict[str, bool]) -> None:
        self.twice = twice
        self.answers: list[ReviewAnswer] = []
        self.undone: set[str] = set()
        self.contests: list[Contest] = []
        self.leases: dict[Task, tuple[Session, float]] = {}

    def live(self, item: str) -> dict[int, ReviewAnswer]:
        return {
            a.look: a
            for a in self.answers
            if a.item == item and a.id not in self.undone and a.said is not Said.SKIP
        }

    def wanted(self, item: str) -> set[int]:
        answers = self.live(item)
        looks = {1, 2} if self.twice[item] else {1}
        doubts = sum(c.item == item and c.answer not in self.undone for c in self.contests)
        if not doubts and {1, 2} <= set(answers) and answers[1].wrong != answers[2].wrong:
            doubts = 1
        return looks | set(range(3, 3 + doubts)) | set(answers)

    def may_have(self, session: Session, at: float) -> set[Task]:
        free = set()
        for item in self.twice:
            answers = self.live(item)
            for look in self.wanted(item) - set(answers):
                holder = self.leases.get(Task(item, look))
                if holder is not None and holder[1] >= at:
                    continue
                other = 3 - look
                seen = other in answers and answers[other].handle == session.handle
                lease = self.leases.get(Task(item, other))
                held = other not in answers and lease is not None and lease[1] >= at
                if look <= 2 and (seen or (held and lease is not None and lease[0].handle == session.handle)):
                    continue
                free.add(Task(item, look))
        return free


Step = tuple[str, int, int, int]
STEPS = st.lists(
    st.tuples(
        st.sampled_from(
            ["claim", "claim", "give", "give", "give", "skip", "undo", "contest", "wait", "rebuild"]
        ),
        st.integers(0, 3),
        st.integers(0, 9),
        st.integers(0, 1),
    ),
    max_size=40,
)


def test_the_queue_does_what_a_naive_one_does(new_place: NewPlace) -> None:
    @settings(max_examples=40)
    @given(steps=STEPS)
    def check(steps: list[Step]) -> None:
        _follow(steps, new_place())

    check()


def _follow(steps: list[Step], place: str) -> None:
    with filled(place, 3, twice="0.5") as ledger:
        model = Model({draw.decision: draw.twice for draw in ledger.all(Draw, Kind.DRAW)})
        sessions = [Session.start(name) for name in ("ann", "ann", "bob", "cy")]
        moment = [1000.0]
        for verb, who, which, flag in steps:
            _STEPS[verb](ledger, model, sessions[who], which, bool(flag), moment)
            _compare(ledger, model)


def _claim(
    ledger: Ledger, model: Model, session: Session, which: int, flag: bool, moment: list[float]
) -> None:
    free = model.may_have(session, moment[0])
    got = claim(ledger, session, lease=LEASE, at=moment[0])
    assert (got is None) == (not free)
    if got is not None:
        assert got in free
        model.leases[got] = (session, moment[0] + LEASE)


def _held(model: Model, session: Session, which: int) -> Task | None:
    mine = [
        task
        for task, (holder, _) in model.leases.items()
        if holder == session and task.look not in model.live(task.item)
    ]
    return mine[which % len(mine)] if mine else None


def _give(
    ledger: Ledger, model: Model, session: Session, which: int, flag: bool, moment: list[float]
) -> None:
    task = _held(model, session, which)
    if task is None or task.look not in model.wanted(task.item):
        return
    answer = said(task, session.handle, flag, Said.FORMULA if which % 2 else Said.NONE)
    give(ledger, session, answer)
    model.answers.append(answer)
    model.leases.pop(task)


def _skip(
    ledger: Ledger, model: Model, session: Session, which: int, flag: bool, moment: list[float]
) -> None:
    task = _held(model, session, which)
    if task is not None:
        answer = said(task, session.handle, None, Said.SKIP)
        give(ledger, session, answer)
        model.answers.append(answer)
        model.leases.pop(task)


def _undo(
    ledger: Ledger, model: Model, session: Session, which: int, flag: bool, moment: list[float]
) -> None:
    answer = last_answer(ledger, session.handle)
    mine = [a for a in model.answers if a.handle == session.handle and a.id not in model.undone]
    assert answer == (mine[-1] if mine else None)
    if answer is None:
        return
    task = undo(ledger, session, answer, lease=LEASE, at=moment[0])
    model.undone.add(answer.id)
    if task is not None:
        assert task == Task(answer.item, answer.look)
        model.leases[task] = (session, moment[0] + LEASE)


def _contest(
    ledger: Ledger, model: Model, session: Session, which: int, flag: bool, moment: list[float]
) -> None:
    given = [a for item in model.twice for a in model.live(item).values()]
    if given:
        model.contests.append(contest(ledger, session, given[which % len(given)], "why"))


def _wait(
    ledger: Ledger, model: Model, session: Session, which: int, flag: bool, moment: list[float]
) -> None:
    moment[0] += LEASE + 1 if flag else 1


def _rebuild(
    ledger: Ledger, model: Model, session: Session, which: int, flag: bool, moment: list[float]
) -> None:
    rebuild(ledger)


_STEPS: dict[str, Callable[..., None]] = {
    "claim": _claim,
    "give": _give,
    "skip": _skip,
    "undo": _undo,
    "contest": _contest,
    "wait": _wait,
    "rebuild": _rebuild,
}


def _compare(ledger: Ledger, model: Model) -> None:
    expected: dict[tuple[Any, Any], Any] = {}
    for item in model.twice:
        answers = model.live(item)
        for look in model.wanted(item):
            expected[item, look] = answers[look].id if look in answers else None
        last = settled(ledger, item)
        settling = [look for look in model.wanted(item) if look > 2]
        if not answers or any(look not in answers for look in settling):
            assert last.wrong
        else:
            assert last.wrong == answers[max(answers)].wrong
    found = {(i, k): a for i, k, a in ledger.db.rows("SELECT item, look, answer FROM assent_tasks")}
    assert found == expected
