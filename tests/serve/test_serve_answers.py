"""What the service answers on the embedded default: the same as the verbs, in the shapes that it publishes."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import msgspec
import pytest
from served import NAMES, TEXT, Served

import assent
from assent.serve import replies
from assent.serve.openapi import document
from assent.serve.table import OPERATIONS


def test_translate_answers_what_the_verb_prints(service: Served, tmp_path: Any) -> None:
    found = service.translate(id="1")
    assert found.status_code == 200 and found.headers["x-request-id"]
    row = found.json()
    names = tmp_path / "names.json"
    names.write_text(json.dumps(NAMES))
    printed = subprocess.run(
        [sys.executable, "-m", "assent", "translate", TEXT, "--vocabulary", str(names), "--json"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert {k: v for k, v in row.items() if k != "decision_id"} == json.loads(printed.stdout)
    assert msgspec.convert(row, replies.DecisionAnswer).decision_id == row["decision_id"]
    kept = service.http.get(f"/v1/decisions/{row['decision_id']}").json()
    assert kept["evidence"] == row["evidence"] and kept["formula"] == row["formula"]


def test_an_abstention_says_why_and_what_was_not_read(service: Served) -> None:
    row = service.translate("The frobnicator is never ever open, sort of.").json()
    found = msgspec.convert(row, replies.DecisionAnswer)
    assert isinstance(found, replies.AbstainedAnswer) and found.reason and found.detail and found.advice
    for span in found.unread:
        assert row["evidence"]["text"][span.start : span.end] == span.text


def test_recorded_fields_of_a_request_are_ignored(service: Served) -> None:
    plain = service.translate(id="same").json()
    told = service.translate(
        id="same", candidate="F door_open", samples=["F door_open"] * 5, scores={"default": 0.0}, made_by={}
    ).json()
    assert told == plain


def test_formulas(service: Served) -> None:
    assert service.post("/v1/compare", {"first": "G p", "second": "!F !p"}).json()["verdict"] == "equal"
    apart = service.post("/v1/compare", {"first": "G p", "second": "F p"}).json()
    assert apart["verdict"] == "different" and apart["witness"]["first_holds"] is False
    said = service.post("/v1/explain", {"formula": "F[0,5] p", "unit": "seconds"}).json()
    assert said["english"] == assent.english("F[0,5] p", unit="seconds") and said["logic"] == "stl"
    made = service.post("/v1/export", {"formula": "G p", "target": "spot", "instruction": "always p"}).json()
    assert made["text"] == str(assent.export("G p", "spot", instruction="always p"))
    targets = service.http.get("/v1/export/targets").json()["targets"]
    assert {"spot", "rtamt"} <= {row["target"] for row in targets}


def test_policies(service: Served) -> None:
    found = service.http.get("/v1/policy").json()["policies"]
    assert {row["logic"] for row in found} == {"ltl", "stl", "spatial"}
    (one,) = service.http.get("/v1/policy", params={"logic": "stl", "alpha": "0.05"}).json()["policies"]
    assert one["alpha"] == 0.05 and "promise" in one["described"]
    assert service.http.get("/v1/policy", params={"alpha": "0.07"}).status_code == 422


def test_a_batch_streams_in_order(service: Served) -> None:
    cases = [{"id": f"r{k}", "text": TEXT} for k in range(3)]
    body = {
        "cases": [*cases, "The alarm is never on.", {"text": "x", "domain": "nowhere"}],
        "vocabulary": {"a": NAMES},
    }
    with service.http.stream("POST", "/v1/batch", json=body) as found:
        assert found.headers["content-type"] == "application/x-ndjson"
        rows = [json.loads(line) for line in found.iter_lines()]
    assert [row["id"] for row in rows] == ["r0", "r1", "r2", "4", "5"]
    assert all(row["decision_id"] for row in rows[:4])
    assert msgspec.convert(rows[4], replies.FailedLine).line == 5 and "nowhere" in rows[4]["error"]


def test_a_batch_of_lines_as_events(service: Served) -> None:
    lines = "\n".join(json.dumps({"id": f"e{k}", "text": "Always p."}) for k in range(2))
    found = service.http.post(
        "/v1/batch?logic=ltl",
        content=lines,
        headers={"Content-Type": "application/x-ndjson", "Accept": "text/event-stream"},
    )
    events = [part.split("\n") for part in found.text.strip().split("\n\n")]
    assert [event[0] for event in events] == ["event: decision", "event: decision", "event: done"]
    assert json.loads(events[1][2].removeprefix("data: "))["id"] == "e1"
    assert json.loads(events[2][2].removeprefix("data: ")) == {"lines": 2, "failed": 0}


def test_decisions_come_in_pages(service: Served) -> None:
    for number in range(3):
        service.translate(id=f"page{number}")
    seen, after = [], 0
    while after is not None:
        page = service.http.get("/v1/decisions", params={"limit": 2, "after": after}).json()
        assert len(page["decisions"]) <= 2
        seen += [row["decision_id"] for row in page["decisions"]]
        after = page["next"]
    assert len(seen) == len(set(seen)) and len(seen) >= 3
    assert service.http.get(f"/v1/decisions/{'0' * 32}").status_code == 404


def test_state_and_counters(service: Served) -> None:
    assert service.http.get("/healthz").json()["status"] == "ok"
    assert service.http.get("/readyz").status_code == 200
    service.translate()
    text = service.http.get("/metrics").text
    assert 'assent_requests_total{route="/v1/translate",status="200"}' in text
    assert "assent_workers_alive 1" in text and 'assent_decisions_total{decision="accepted"' in text


def test_the_document_is_published_with_every_path(service: Served) -> None:
    found = service.http.get("/openapi.json").json()
    assert found == json.loads(msgspec.json.encode(document(OPERATIONS)))
    assert found["openapi"].startswith("3.1")
    assert {(op.path, op.method.lower()) for op in OPERATIONS} == {
        (path, method) for path, methods in found["paths"].items() for method in methods
    }
    page = service.http.get("/docs")
    assert "/v1/translate" in page.text and "<script" not in page.text
    assert "default-src 'self'" in page.headers["content-security-policy"]


@pytest.mark.parametrize("op", [op for op in OPERATIONS if op.asked is not None], ids=lambda op: op.name)
def test_every_example_is_accepted(service: Served, op: Any) -> None:
    msgspec.convert(op.asked, op.body)
    assert service.http.request(op.method, op.path, json=op.asked).status_code == 200
    if op.answered is not None:
        msgspec.convert(op.answered, op.answer)
