"""The review queue over HTTP: leases by handle, undo, contests, choices that calibrate nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from served import Served, served

from assent.ledger import Kind, Ledger, LedgerPlan, draw_new, record
from assent.review.labels import label_rows
from ledger_places import decision

EVERYTHING = LedgerPlan(audit="1", abstained="1", twice="0", plants="0")


@pytest.fixture
def queue(tmp_path: Path) -> Iterator[tuple[Served, str]]:
    """A service on a ledger with six decisions, all of them drawn."""
    where = str(tmp_path / "ledger.db")
    with Ledger.open(where, create=True) as ledger:
        for number in range(6):
            record(ledger, decision(number, accepted=number % 2 == 0))
        draw_new(ledger, EVERYTHING)
    with served(tmp_path, "--ledger", where) as found:
        yield found, where


def following(service: Served, handle: str, *skip: str) -> Any:
    found = service.http.get("/v1/review/next", params={"handle": handle, "skip": ",".join(skip)})
    assert found.status_code == 200, found.text
    return found.json()


def say(service: Served, handle: str, item: str, **what: Any) -> Any:
    return service.post("/v1/review/answers", {"item": item, "handle": handle, **what})


def test_ten_steps_of_a_review(queue: tuple[Served, str]) -> None:
    service, where = queue
    first = following(service, "ann")["card"]
    assert following(service, "ann")["card"] == first  # a page that was closed finds its card again
    other = following(service, "bob")["card"]
    assert other["item"] != first["item"]

    taken = say(service, "bob", first["item"], formula="G p")  # two reviewers with the same item
    assert taken.status_code == 409 and taken.json()["kind"] == "taken"

    done = say(service, "ann", first["item"], look=first["look"], formula="G p").json()
    assert done["status"] == "answered"
    again = say(service, "ann", first["item"], formula="F p")
    assert again.status_code == 409

    second = following(service, "ann")["card"]
    assert say(service, "ann", second["item"], skip=True).json()["status"] == "skipped"
    third = following(service, "ann", second["item"])["card"]
    assert third["item"] not in (first["item"], second["item"], other["item"])
    assert say(service, "ann", third["item"], none=True).json()["status"] == "answered"

    undone = service.post("/v1/review/undo", {"handle": "ann"}).json()
    assert undone["card"]["item"] == third["item"] and undone["answered"] == 1
    undone = service.post("/v1/review/undo", {"handle": "ann"}).json()  # the skip
    undone = service.post("/v1/review/undo", {"handle": "ann"}).json()
    assert undone["card"]["item"] == first["item"] and undone["answered"] == 0
    assert service.post("/v1/review/undo", {"handle": "ann"}).status_code == 409

    assert say(service, "ann", first["item"], formula="F p").json()["status"] == "answered"
    (doubt,) = service.http.get("/v1/review/contestable", params={"handle": "bob"}).json()["answers"]
    assert doubt["formula"] == "F p"
    why = "<script>alert(1)</script>"
    contested = service.post("/v1/review/contest", {"handle": "bob", "answer": doubt["answer"], "why": why})
    assert contested.status_code == 200
    assert service.post("/v1/review/contest", {"answer": "nothing like it"}).status_code == 404
    with Ledger.open(where) as ledger:
        assert [entry.object()["why"] for entry in ledger.each(Kind.CONTEST)] == [why]


def test_everything_is_answered_and_then_there_is_nothing(queue: tuple[Served, str]) -> None:
    service, where = queue
    for _ in range(6):
        card = following(service, "ann")["card"]
        assert say(service, "ann", card["item"], formula="G p").status_code == 200
    found = following(service, "ann")
    assert found["card"] is None and (found["waiting"], found["answered"]) == (0, 6)
    with Ledger.open(where) as ledger:
        assert ledger.counts()["answer"] == 6


def test_wrong_answers_are_refused(queue: tuple[Served, str]) -> None:
    service, _ = queue
    item = following(service, "ann")["card"]["item"]
    assert say(service, "ann", item).status_code == 422
    assert say(service, "ann", item, none=True, skip=True).status_code == 422
    assert say(service, "ann", item, formula="G (").status_code == 422
    assert say(service, "ann", "no such item", formula="G p").status_code == 422
    assert service.http.get("/v1/review/next", params={"handle": "a\tb"}).status_code == 422
    assert following(service, "ann")["card"]["item"] == item  # still there to be answered


def test_a_choice_is_kept_marked_and_calibrates_nothing(tmp_path: Path) -> None:
    where = str(tmp_path / "ledger.db")
    with served(tmp_path, "--ledger", where) as service:
        row = service.translate("The frobnicator is never ever open, sort of.", logic="ltl").json()
        asked = {"decision_id": row["decision_id"]}
        by_person = service.post("/v1/resolve", {**asked, "formula": "G !door_open"}).json()
        by_agent = service.post("/v1/resolve", {**asked, "formula": "G !door_open", "by": "agent"}).json()
        neither = service.post("/v1/resolve", {**asked, "none": True}).json()
        assert not by_person["calibrates"] and by_agent["how"] == "chosen by an agent"
        assert neither["formula"] is None
        assert service.post("/v1/resolve", asked).status_code == 422
        assert service.post("/v1/resolve", {"decision_id": "0" * 32, "none": True}).status_code == 404
        drawn = service.post("/v1/review/plan", {"audit": "1", "abstained": "1"}).json()
        assert drawn["considered"] == 1
    with Ledger.open(where) as ledger:
        assert ledger.counts()["label"] == 3
        assert [row.answered for row in label_rows(ledger)] == [False]  # nobody was asked: nothing calibrates
