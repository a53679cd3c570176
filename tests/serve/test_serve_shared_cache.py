"""Two services with one call cache in PostgreSQL: what both are asked at once is paid once, counted at the endpoint."""

from __future__ import annotations

import itertools
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from served import Served, served

from postgres_server import new_schema

sys.path.append(str(Path(__file__).parents[1] / "faults"))  # the double of a model server lives there
import test_faults_batch as faults
from server import Running

COUNT = 3
PATIENCE = 120.0
_number = itertools.count()


@pytest.fixture
def database(request: pytest.FixtureRequest) -> str:
    """The tests' own PostgreSQL; the test is skipped, with the reason, where there is none."""
    return str(request.getfixturevalue("server"))


def configured(folder: Path, endpoint: str, database: str) -> Path:
    """A configuration whose only model is the endpoint, and an empty cache for its answers."""
    file = faults.prepare(folder, endpoint, COUNT, timeout=PATIENCE) / "assent.toml"
    with file.open("a") as stream:
        stream.write(f'[cache]\npath = "{new_schema(database, f"calls{os.getpid()}_{next(_number)}")}"\n')
    return file


def decided(service: Served, number: int) -> dict[str, Any]:
    """The id is part of the instruction: samples are drawn by it, and a request without one is given a new id."""
    body = {"id": f"i{number}", "text": faults.text(number), "logic": "ltl"}
    answer = service.post("/v1/translate", body)
    assert answer.status_code == 200, answer.text
    row: dict[str, Any] = answer.json()
    return row


def both_at_once(double: Running, services: list[Served]) -> list[list[dict[str, Any]]]:
    """What each service decides, while the endpoint keeps its first answer back until all have been asked."""
    double.hold(0)
    with ThreadPoolExecutor(len(services)) as threads:
        first = [threads.submit(decided, service, 0) for service in services]
        give_up = time.monotonic() + PATIENCE
        while not double.stats()["requests"]:
            assert time.monotonic() < give_up, double.stats()
            time.sleep(0.02)
        time.sleep(2.0)  # whoever came second has every chance to ask as well
        assert not any(row.done() for row in first)
        double.hold(None)
        rows = [[row.result()] for row in first]
        for number in range(1, COUNT):
            more = list(threads.map(lambda service, at=number: decided(service, at), services))
            for found, row in zip(rows, more, strict=True):
                found.append(row)
    return rows


def test_two_services_pay_once_for_what_both_are_asked(tmp_path: Path, database: str) -> None:
    with faults.server(tmp_path, COUNT) as double:
        config = configured(tmp_path / "alone", double.base_url, database)
        with served(tmp_path, "--config", str(config)) as service:
            (expected,) = both_at_once(double, [service])
        alone = double.stats()
    assert alone["paid"] >= 3 * COUNT, "translator, back-translator and judge are asked about each"
    with faults.server(tmp_path, COUNT) as double:
        config = configured(tmp_path / "both", double.base_url, database)
        with (
            served(tmp_path, "--config", str(config)) as one,
            served(tmp_path, "--config", str(config)) as other,
        ):
            rows = both_at_once(double, [one, other])
        stats = double.stats()
    counted = ("requests", "paid", "bodies", "repeated")
    assert [stats[name] for name in counted] == [alone[name] for name in counted], "two asked more than one"
    for found in rows:
        assert [row["formula"] for row in found] == [row["formula"] for row in expected]
        assert {row["decision"] for row in found} == {"accepted"}
