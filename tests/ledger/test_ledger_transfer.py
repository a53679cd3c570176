"""Out as JSON lines and in again: nothing is lost, and what is damaged is refused as a whole."""

from __future__ import annotations

import json

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_ledger_queue import STEPS, Step, _follow, filled, said

from assent.errors import DataError
from assent.ledger import Kind, Ledger, LedgerPlan, draw_new, record, record_policy, volunteer
from assent.ledger.queue import Session, claim, give
from assent.ledger.transfer import export, load, stats
from ledger_places import NewPlace, decision

TEXT = st.text(st.characters(codec="utf-8"), max_size=30)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)


def _queue(ledger: Ledger) -> list[tuple[object, ...]]:
    return sorted(ledger.db.rows("SELECT item, look, place, answer FROM assent_tasks"), key=str)


def _round_trip(one: Ledger, place: str) -> None:
    lines = list(export(one))
    with Ledger.open(place, create=True) as other:
        assert load(other, lines) == sum(one.counts().values())
        assert list(export(other)) == lines
        assert (other.secret, _queue(other), other.counts()) == (one.secret, _queue(one), one.counts())
        assert load(other, lines) == 0
        assert list(export(other)) == lines


def test_whatever_was_done_comes_back(new_place: NewPlace) -> None:
    @settings(max_examples=15)
    @given(steps=STEPS)
    def check(steps: list[Step]) -> None:
        place = new_place()
        _follow(steps, place)
        with Ledger.open(place) as ledger:
            _round_trip(ledger, new_place())

    check()


def test_whatever_a_decision_holds_comes_back(new_place: NewPlace) -> None:
    """Any text (control characters, zero bytes, emoji) and any JSON in evidence, policies and labels."""

    @settings(max_examples=25)
    @given(text=TEXT, more=st.dictionaries(TEXT, JSON, max_size=3), policy=TEXT)
    def check(text: str, more: dict[str, object], policy: str) -> None:
        with Ledger.open(new_place(), create=True) as ledger:
            row = decision(1)
            row["evidence"] |= more | {"text": text, "formula": "G p", "cluster": text or "c"}
            key = record(ledger, row, policy=record_policy(ledger, policy))
            volunteer(ledger, key, handle="ann", formula=text, wrong=False, how=policy)
            draw_new(ledger, LedgerPlan(audit="1", abstained="1"))
            stored = ledger.entry(Kind.DECISION, key)
            assert stored is not None
            evidence = ledger.entry(Kind.EVIDENCE, stored.object()["evidence"])
            assert evidence is not None
            assert evidence.object() == msgspec.json.decode(msgspec.json.encode(row["evidence"]))
            _round_trip(ledger, new_place())

    check()


def test_two_ledgers_can_be_put_together_unless_they_contradict(new_place: NewPlace) -> None:
    with filled(new_place(), 3) as one, Ledger.open(new_place(), create=True) as other:
        record(other, decision("x"))
        assert load(other, export(one)) == sum(one.counts().values())
        assert other.counts()["decision"] == 4
    with filled(new_place(), 1) as one, filled(new_place(), 1) as other:
        before = list(export(other))
        with pytest.raises(DataError, match="another content"):  # drawn in both, by different coins
            load(other, export(one), file="f.jsonl")
        assert list(export(other)) == before


@pytest.mark.parametrize(
    "spoil",
    [
        lambda lines: lines[1:],
        lambda lines: [b'{"format":"x"}\n', *lines[1:]],
        lambda lines: [json.dumps(json.loads(lines[0]) | {"schema": 99}).encode(), *lines[1:]],
        lambda lines: [json.dumps(json.loads(lines[0]) | {"secret": "ab"}).encode(), *lines[1:]],
        lambda lines: [*lines[:-1], lines[-1][:-5]],
        lambda lines: [*lines, b'{"kind":"gossip","id":"1","subject":"","body":{}}\n'],
        lambda lines: [*lines, b'{"kind":"answer","id":"1","subject":"","body":{}}\n'],
        lambda lines: [*lines, b'{"kind":"decision","id":"1","subject":"","body":[]}\n'],
    ],
)
def test_a_damaged_export_is_refused_as_a_whole(new_place: NewPlace, spoil: object) -> None:
    with filled(new_place(), 2) as one, Ledger.open(new_place(), create=True) as other:
        session = Session.start("ann")
        task = claim(one, session)
        assert task is not None
        give(one, session, said(task, "ann"))
        with pytest.raises(DataError, match=r"f\.jsonl:"):
            load(other, spoil(list(export(one))), file="f.jsonl")  # type: ignore[operator]
        assert other.is_empty()


def test_stats_count_what_is_there(place: str) -> None:
    with filled(place, 4) as ledger:
        session = Session.start("ann")
        task = claim(ledger, session)
        assert task is not None
        give(ledger, session, said(task, "ann"))
        found = stats(ledger)
        assert found["entries"] == {
            "answer": 1,
            "decision": 4,
            "draw": 4,
            "evidence": 4,
            "instruction": 4,
            "plan": 1,
        }
        assert (found["looks_waiting"], found["looks_answered"], found["reviewers"]) == (3, 1, 1)
