"""Nothing acknowledged is lost, nothing is done twice: keys, kills, two services on one ledger."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from served import NAMES, TEXT, Served, served

from assent.ledger import Kind, Ledger
from assent.serve.books import Books, Key, Repeated
from ledger_places import NewPlace, decision


def kept(where: str) -> list[dict[str, Any]]:
    with Ledger.open(where) as ledger:
        return [{**entry.object(), "key": entry.id} for entry in ledger.each(Kind.DECISION)]


def workers_of(service: Served) -> list[int]:
    """The processes that compute for a service."""
    path = Path(f"/proc/{service.process.pid}/task/{service.process.pid}/children")
    if not path.exists():
        pytest.skip("this system does not tell the children of a process")
    return [int(pid) for pid in path.read_text().split()]


def kill(pid: int) -> None:
    """End a process at once, and wait until it is dead, all its threads too: a signal under way is no death yet."""
    os.kill(pid, signal.SIGKILL)
    process = Path(f"/proc/{pid}")
    until = time.monotonic() + 30
    while time.monotonic() < until:
        try:
            state = (process / "stat").read_text().rpartition(")")[2].split()[0]
            if state == "Z" and len(list((process / "task").iterdir())) == 1:
                return
        except (FileNotFoundError, ProcessLookupError):
            return
        time.sleep(0.001)
    raise AssertionError(f"process {pid} does not die")


def test_a_repeated_request_is_neither_decided_nor_kept_twice(place: str, tmp_path: Path) -> None:
    with served(tmp_path, "--ledger", place) as service:
        first = service.translate(key="order-1")
        with ThreadPoolExecutor(8) as threads:
            again = list(threads.map(lambda _: service.translate(key="order-1").json(), range(8)))
        assert all(row == first.json() for row in again)
        other = service.translate("The alarm is never on.", key="order-1")
        assert other.status_code == 422 and other.json()["kind"] == "key-reused"
        with ThreadPoolExecutor(8) as threads:  # all at once, none of them first
            rows = list(threads.map(lambda _: service.translate(key="order-2").json(), range(8)))
        assert len({row["decision_id"] for row in rows}) == 1
        text = service.http.get("/metrics").text
        assert 'assent_decisions_total{decision="accepted",logic="stl"} 2' in text
    assert len(kept(place)) == 2


def test_a_repetition_after_a_restart_finds_its_answer(place: str, tmp_path: Path) -> None:
    with served(tmp_path, "--ledger", place) as service:
        first = service.translate(key="k").json()
        service.stop(signal.SIGKILL)
    with served(tmp_path, "--ledger", place) as service:
        assert service.translate(key="k").json() == first
    assert len(kept(place)) == 1


def test_two_services_on_one_ledger(new_place: NewPlace, tmp_path: Path) -> None:
    where = new_place()
    with served(tmp_path, "--ledger", where) as one, served(tmp_path, "--ledger", where) as other:
        asks = [(service, f"key-{k % 6}") for k in range(24) for service in (one, other)]
        with ThreadPoolExecutor(8) as threads:
            rows = list(threads.map(lambda ask: (ask[1], ask[0].translate(key=ask[1])), asks))
        assert {row.status_code for _, row in rows} == {200}
        answers: dict[str, set[str]] = {}
        for key, row in rows:
            answers.setdefault(key, set()).add(row.text)
        assert len(answers) == 6 and all(len(found) == 1 for found in answers.values())
    assert len(kept(where)) == 6


def test_claims(place: str) -> None:
    """Who dies or gives up is followed at once; who is at work is waited for; a late answer does not count."""

    async def main() -> None:
        books = Books(place)
        key = Key.of("me", "k", {"text": "x"})
        claim = await books.claim(key, 60)
        assert isinstance(claim, str)
        assert await books.claim(key, 60) == Repeated(running=True)
        await books.give_up(claim)
        second = await books.claim(key, -1)
        assert isinstance(second, str) and second != claim
        assert isinstance(await books.claim(key, 60), str)  # the second one's time was over
        answer = await books.keep(
            decision(1), "policy", key, lambda made: {"decision_id": made, "by": "first"}
        )
        late = await books.keep(decision(1), "policy", key, lambda made: {"decision_id": made, "by": "late"})
        assert answer["by"] == "first" and late == answer
        assert await books.claim(key, 60) == Repeated(answer=answer)
        assert await books.claim(Key.of("me", "k", {"text": "y"}), 60) == Repeated(other=True)
        assert isinstance(
            await books.claim(Key.of("you", "k", {"text": "x"}), 60), str
        )  # another client's key
        books.close()

    asyncio.run(main())


def test_a_killed_worker_is_told_and_replaced(tmp_path: Path) -> None:
    where = str(tmp_path / "ledger.db")
    with served(tmp_path, "--ledger", where, "--workers", "2") as service:
        statuses: Counter[int] = Counter()
        acknowledged: list[str] = []

        def one(number: int) -> None:
            found = service.translate(id=f"w{number}")
            statuses[found.status_code] += 1
            if found.status_code == 200:
                acknowledged.append(found.json()["decision_id"])
            else:
                assert found.json()["kind"] == "worker-died" and found.headers["retry-after"]

        with ThreadPoolExecutor(4) as threads:
            work = [threads.submit(one, k) for k in range(40)]
            for _ in range(2):
                time.sleep(0.4)
                kill(workers_of(service)[0])
            for job in work:
                job.result()
        assert set(statuses) <= {200, 503} and statuses[200] >= 30
        assert service.translate().status_code == 200
    there = {row["key"] for row in kept(where)}
    assert set(acknowledged) <= there


def test_a_worker_that_was_dead_before_costs_nobody_an_answer(tmp_path: Path) -> None:
    with served(tmp_path, "--workers", "2") as service:
        for _ in range(5):
            for pid in workers_of(service):
                kill(pid)
            found = service.translate()
            assert found.status_code == 200, found.text


def test_too_much_at_once_is_429_and_everything_else_is_answered(tmp_path: Path) -> None:
    where = str(tmp_path / "ledger.db")
    with served(tmp_path, "--ledger", where, "--waiting", "2") as service:
        with ThreadPoolExecutor(16) as threads:
            found = list(threads.map(lambda k: service.translate(id=f"m{k}"), range(48)))
        statuses = Counter(row.status_code for row in found)
        assert set(statuses) == {200, 429}
        assert all(int(row.headers["retry-after"]) >= 1 for row in found if row.status_code == 429)
    assert len(kept(where)) == statuses[200]


def test_a_deadline_that_nobody_can_meet(tmp_path: Path) -> None:
    where = str(tmp_path / "ledger.db")
    with served(tmp_path, "--ledger", where, "--deadline", "0.002") as service:
        assert service.translate().status_code in (503, 504)
        assert service.http.get("/healthz").status_code == 200
    assert kept(where) == []


def test_a_polite_stop_finishes_what_was_accepted(tmp_path: Path) -> None:
    where = str(tmp_path / "ledger.db")
    with served(tmp_path, "--ledger", where) as service:
        with ThreadPoolExecutor(6) as threads:
            work = [threads.submit(service.translate, id=f"s{k}") for k in range(6)]
            time.sleep(0.15)
            service.process.send_signal(signal.SIGTERM)
            found = []
            for job in work:
                try:
                    found.append(job.result())
                except httpx.TransportError:  # it came too late: nothing was accepted
                    continue
        assert service.process.wait(250) == 0
        done = [row.json()["decision_id"] for row in found if row.status_code == 200]
        assert {row.status_code for row in found} <= {200, 503} and done
    assert set(done) <= {row["key"] for row in kept(where)}


@pytest.mark.slow
def test_ten_thousand_lines(tmp_path: Path) -> None:
    """In order, every one of them answered; most name a domain that is not there, so that they cost nothing."""
    where = str(tmp_path / "ledger.db")
    cases = [
        {"id": f"l{k}", "text": "The alarm is never on.", "domain": "home" if k % 500 == 0 else "nowhere"}
        for k in range(10_000)
    ]
    body = {"cases": cases, "vocabulary": {"home": NAMES}, "logic": "ltl"}
    decided = count = 0
    with (
        served(tmp_path, "--ledger", where, "--workers", "2") as service,
        service.http.stream("POST", "/v1/batch", json=body) as lines,
    ):
        for count, line in enumerate(lines.iter_lines(), start=1):
            row = json.loads(line)
            assert row["id"] == f"l{count - 1}"
            decided += "decision" in row
            assert ("error" in row) == ((count - 1) % 500 != 0)
    assert (count, decided) == (10_000, 20) and len(kept(where)) == 20


@pytest.mark.slow
@pytest.mark.timeout(2400)
def test_kill_nine_under_load(new_place: NewPlace, tmp_path: Path) -> None:
    """Ten times: no acknowledged decision is lost, none is doubled; what broke off is asked again under its key."""
    where, chance = new_place(), random.Random(7)
    acknowledged: dict[str, str] = {}
    keys = [f"k{number}" for number in range(60)]
    for round_ in range(10):
        with served(tmp_path, "--ledger", where, "--workers", "2") as service:
            open_ = [key for key in keys if key not in acknowledged]
            stop_after = chance.uniform(0.05, 1.0)

            def ask(key: str, service: Served = service) -> None:
                body = {"text": TEXT, "vocabulary": NAMES}
                try:
                    found = httpx.post(
                        f"{service.address}/v1/translate",
                        json=body,
                        headers={"Idempotency-Key": key},
                        timeout=60,
                    )
                except httpx.TransportError:
                    return
                if found.status_code == 200:
                    acknowledged.setdefault(key, found.json()["decision_id"])
                    assert acknowledged[key] == found.json()["decision_id"]

            with ThreadPoolExecutor(6) as threads:
                for key in (*open_, *chance.sample(sorted(acknowledged), min(5, len(acknowledged)))):
                    threads.submit(ask, key)
                time.sleep(stop_after)
                service.process.kill()
        there = {row["key"] for row in kept(where)}
        assert set(acknowledged.values()) <= there, f"lost in round {round_}"
    with served(tmp_path, "--ledger", where, "--workers", "2") as service:
        for key in keys:
            found = service.translate(key=key)
            assert found.status_code == 200
            assert acknowledged.setdefault(key, found.json()["decision_id"]) == found.json()["decision_id"]
    rows = kept(where)
    assert len(rows) == len(keys) and {row["key"] for row in rows} == set(acknowledged.values())


def test_a_ledger_that_goes_away_is_said_without_its_place(tmp_path: Path) -> None:
    where = tmp_path / "secret-place.db"
    with served(tmp_path, "--ledger", str(where)) as service:
        assert service.translate().status_code == 200
        with Ledger.open(where) as ledger:
            ledger.db.run("DROP TABLE assent_kept")
        found = service.translate(key="k")
        assert found.status_code == 503 and found.json()["kind"] == "ledger" and found.headers["retry-after"]
        assert "secret-place" not in found.text and "secret-place" in service.log.read_text()
        assert service.translate().status_code == 200
