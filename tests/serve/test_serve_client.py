"""``assent.Client`` gives what the local door gives, and repeats what passes."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any, ClassVar

import pytest
from served import NAMES, TEXT, Served

import assent
from assent.errors import DataError, FormulaError, FragmentError, ServiceError, UsageError
from assent.records.rows import decision_of, decision_row

TEXTS = (
    TEXT,
    "The alarm is never on.",
    "Frobnicate the door, sort of.",
    "The door is open until the alarm is on.",
)


@pytest.fixture(scope="module")
def client(service: Served) -> Iterator[assent.Client]:
    with assent.Client(service.address) as made:
        yield made


def plain(decision: Any) -> dict[str, Any]:
    row = decision_row(decision)
    row["evidence"] = {k: v for k, v in row["evidence"].items() if k not in ("id", "checksum")}
    return {key: value for key, value in row.items() if key != "id"}


@pytest.mark.parametrize("text", TEXTS)
def test_decisions_are_those_of_the_local_door(client: assent.Client, text: str) -> None:
    with assent.load(vocabulary=NAMES) as local:
        ours = local(text)
    theirs = client(text, vocabulary=NAMES)
    assert type(theirs) is type(ours) and plain(theirs) == plain(ours)
    again = decision_of(decision_row(ours))
    assert decision_row(again) == decision_row(ours)
    assert replace(again, evidence=ours.evidence) == ours  # evidence is stored without the seconds it took
    if isinstance(ours, assent.Abstained):
        assert isinstance(theirs, assent.Abstained)
        assert theirs.readings == ours.readings and theirs.unread == ours.unread


def test_what_is_no_decision_is_refused() -> None:
    for row in (
        {},
        {"decision": "accepted"},
        {"evidence": {"id": "1", "logic": "ltl", "text": "x"}, "alpha": 0.1},
    ):
        with pytest.raises(DataError):
            decision_of(row)


def test_batch_and_await(client: assent.Client) -> None:
    names = assent.Vocabulary(propositions=())
    found = list(client.batch([TEXT, {"id": "b", "text": "Always p."}], vocabulary=NAMES))
    assert [decision.evidence.instruction.id for decision in found] == ["1", "b"]
    decision = asyncio.run(client.decide("Always p.", logic="LTL", vocabulary=names))
    assert decision.evidence.instruction.logic == "ltl"
    with pytest.raises(DataError, match="nowhere"):
        list(client.batch([{"text": "x", "domain": "nowhere"}], vocabulary={"here": NAMES}))


@pytest.mark.parametrize(
    ("first", "second"),
    [("G p", "!F !p"), ("G p", "F p"), ("F[0,5] p", "F[0,6] p"), ("G (a -> F b)", "G (a & F b)")],
)
def test_formulas_are_those_of_the_local_door(client: assent.Client, first: str, second: str) -> None:
    assert client.compare(first, second) == assent.compare(first, second)
    assert client.explain(first) == assent.explain(first)
    assert client.export(first, _targets()[0]) == assent.export(first, _targets()[0])


def test_exports_take_a_sampling_period(client: assent.Client) -> None:
    for period in (0.5, 0.1, 5):
        assert client.export("F[0,5] p", "rtamt", period=period) == assent.export(
            "F[0,5] p", "rtamt", period=period
        )
    with pytest.raises(FragmentError, match="a sampling period of 5 "):
        client.export("F[0,5] p", "rtamt", period=2)
    with pytest.raises(UsageError, match="takes no sampling period"):
        client.export("F[0,5] p", "breach", period=1)


def _targets() -> list[str]:
    from assent.logic.export import TARGETS

    def takes(name: str) -> bool:
        try:
            return all(str(assent.export(text, name)) for text in ("G p", "F[0,5] p", "G (a -> F b)"))
        except FragmentError:
            return False

    return [name for name in TARGETS if takes(name)]


@pytest.mark.parametrize("formula", ["G(speed < 3)", "F[0,2] (speed > 2)", "G (on -> F[0,1] (speed > 1))"])
def test_traces_are_evaluated_as_at_the_local_door(client: assent.Client, formula: str) -> None:
    trace = {"time": [0, 1, 2, 3], "speed": [1, 2.5, 4, 0.5], "on": [True, False, True, True]}
    assert client.evaluate(formula, trace) == assent.evaluate(formula, trace)
    assert client.evaluate(formula, trace, period=0.5) == assent.evaluate(formula, trace, period=0.5)
    with pytest.raises(FragmentError):
        client.evaluate("G (missing < 3)", trace)
    with pytest.raises(DataError):
        client.evaluate(formula, {"time": [0, 1], "speed": [1]})


def test_errors_are_those_of_the_local_door(client: assent.Client) -> None:
    with pytest.raises(FormulaError) as ours:
        assent.explain("G (p &")
    with pytest.raises(FormulaError) as theirs:
        client.explain("G (p &")
    assert (theirs.value.column, theirs.value.message) == (ours.value.column, ours.value.message)
    with pytest.raises(UsageError):
        client.export("G p", "nothing")
    with pytest.raises(UsageError, match=r"0\.07"):
        client(TEXT, alpha=0.07)
    with pytest.raises(ServiceError, match="does not answer"):
        assent.Client("http://127.0.0.1:9", attempts=1)("x")


def test_choices_and_decisions(client: assent.Client) -> None:
    decision, key = client.translate("Frobnicate the door, sort of.", vocabulary=NAMES)
    assert isinstance(decision, assent.Abstained)
    assert client.resolve(key, assent.read("F door_open")) != client.resolve(key, None)
    assert key in {row["decision_id"] for row in client.decisions(decision="abstained")}
    assert {row["logic"] for row in client.policy()} == {"ltl", "stl", "spatial"}


class _Flaky(BaseHTTPRequestHandler):
    """Answers 503 twice, then breaks off, then answers; remembers the keys it saw."""

    keys: ClassVar[list[str | None]] = []

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        _Flaky.keys.append(self.headers["Idempotency-Key"])
        if len(_Flaky.keys) == 3:
            self.connection.close()
            return
        body = b'{"label": "done"}' if len(_Flaky.keys) == 4 else b"{}"
        self.send_response(200 if len(_Flaky.keys) == 4 else 503)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        return


def test_what_passes_is_repeated_under_one_key() -> None:
    server = HTTPServer(("127.0.0.1", 0), _Flaky)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        with assent.Client(f"http://127.0.0.1:{server.server_port}") as client:
            assert client._post("/v1/resolve", {}, {"Idempotency-Key": "k"}) == {"label": "done"}
        assert _Flaky.keys == ["k"] * 4
    finally:
        server.shutdown()
        server.server_close()
