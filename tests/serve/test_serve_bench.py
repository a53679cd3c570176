"""The benchmark of the service measures what it says: real requests, counted errors, every process."""

from __future__ import annotations

import json
import socket
import subprocess
import sys

import pytest

pytest.importorskip("uvicorn", reason="the service is not installed (assent[serve])")

from assent.benchmarks import _wrk
from assent.benchmarks.serve import _grown
from assent.cli.bench import names
from assent.errors import UsageError
from assent.serve.run import listening


def test_answers_are_not_held_back() -> None:
    """asyncio sets TCP_NODELAY only where the socket says that it is TCP: without it answers took 40 ms more."""
    with listening("127.0.0.1", 0) as sock:
        sock.listen()
        with socket.create_connection(sock.getsockname()) as client, sock.accept()[0] as served:
            assert sock.proto == served.proto == socket.IPPROTO_TCP
            assert client.fileno() >= 0


def test_figures_are_read_and_their_absence_is_an_error() -> None:
    found = _wrk._figures("Running 1s test\nFIGURES 200 2000000 3 1500 9000 12000 2\n", 0.5)
    assert found["per_second"] == 100 and found["failed"] == 3 and found["refused"] == 2
    assert (found["p50_ms"], found["p99_ms"], found["max_ms"], found["client_share"]) == (1.5, 9, 12, 0.5)
    with pytest.raises(UsageError):
        _wrk._figures("unable to connect", 0.0)


def test_a_leak_has_a_slope_and_warming_up_has_none() -> None:
    assert _grown([100.0 + 2 * k for k in range(11)], 60)["mb_per_minute"] == pytest.approx(2)
    assert _grown([100.0, 180.0, *[190.0] * 9], 60)["mb_per_minute"] == pytest.approx(0)


def test_helpers_are_no_benchmarks() -> None:
    assert "serve" in names() and not [name for name in names() if name.startswith("_")]


@pytest.mark.skipif(not _wrk.is_there(), reason="wrk is not installed")
def test_it_loads_a_service_and_counts() -> None:
    command = [sys.executable, "-m", "assent", "bench", "serve", "--only", "verbs", "memory", "--memory", "2"]
    command += ["--seconds", "2", "--connections", "4", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=280)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    for verb in ("translate", "compare", "review", "memory load"):
        assert found[verb]["requests"] > 0 and found[verb]["failed"] == 0, verb
        assert 0 < found[verb]["p50_ms"] <= found[verb]["p99_ms"] <= found[verb]["max_ms"]
    assert {"memory, front", "memory, worker 1", "memory, worker 2"} <= set(found)
    assert found["translate"]["workers_processor_ms"] > found["translate"]["front_processor_ms"] > 0
