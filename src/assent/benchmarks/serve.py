"""What the service costs: latency and throughput on loopback, beside the library in the same run.

    assent bench serve                                    10 seconds of each load, 64 connections, two workers
    assent bench serve --seconds 60 --connections 64      the long one
    assent bench serve --memory 600                       and memory of every process, each minute for ten of them
    assent bench serve --only overhead workers            some of the parts: overhead workers verbs memory

Figures: p50 and p99 in milliseconds and requests a second for translate, compare and the review queue (a card and its
answer are two requests); the overhead of the service over the library at one connection, by turns with the same
sentences, one thread each; how much more two workers do than one, and how much more two processes of the library do
than one on this machine (no service can do better), with what each process spends on a request. Every sentence is
another one, so that nothing is remembered. The load is made by wrk (Debian: apt install wrk). Exit code 1 if a request
failed. Needs assent[serve].
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import itertools
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias
from urllib.parse import urlsplit

from assent.benchmarks import _wrk
from assent.benchmarks._wrk import WrkLoad
from assent.scale.processes import ONE_THREAD

NAMES = {
    "propositions": [
        {"name": name, "says": says}
        for name, says in (("door_open", "door open"), ("alarm_on", "alarm on"), ("pump_on", "pump running"))
    ],
    "time_unit": "s",
}
SENTENCES = (
    "Whenever the door is open, the alarm is on within @N@ seconds.",
    "The alarm is on within @N@ seconds.",
    "If the pump is running, the door is open for @N@ seconds.",
    "The pump is running until the alarm is on, within @N@ seconds.",
)
COMPARED = {"first": "G (a -> F[0,@N@] b)", "second": "G (!a | F[0,@N@] b)", "logic": "stl"}

REVIEWERS = 4
PARTS = ("overhead", "workers", "verbs", "memory")
Figures: TypeAlias = dict[str, float]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seconds", type=float, default=10.0, help="of each load (10)")
    parser.add_argument("--connections", type=int, default=64, metavar="N", help="at once (64)")
    parser.add_argument("--one", type=int, default=60, metavar="N", help="requests at one connection (60)")
    parser.add_argument(
        "--ledger", metavar="FILE|URL", help="decisions go there (default: a file that is removed)"
    )
    parser.add_argument("--memory", type=float, default=0.0, metavar="SECONDS", help="load for memory (none)")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS, help="some of the parts (all)")
    parser.add_argument("--json", action="store_true", help="the figures as JSON")


def run(args: argparse.Namespace) -> int:
    os.environ.update(
        ONE_THREAD
    )  # as the workers have it, and before anything here loads a library that asks
    bench = Bench(args)
    with tempfile.TemporaryDirectory() as folder:
        bench.run(args.ledger or str(Path(folder) / "ledger.db"))
    print(json.dumps(bench.found) if args.json else _table(bench.found))
    return 1 if any(part.get("failed") for part in bench.found.values()) else 0


def _table(found: dict[str, Figures]) -> str:
    return "\n".join(
        f"{name:<24} " + "  ".join(f"{key} {value:.4g}" for key, value in part.items())
        for name, part in found.items()
    )


class Bench:
    """The parts that are wanted, one after the other; ``found`` are the figures."""

    def __init__(self, args: argparse.Namespace) -> None:
        self._args = args
        self._numbers = itertools.count(1)
        self.found: dict[str, Figures] = {}

    def run(self, ledger: str) -> None:
        """Measure; what was found is in ``found`` afterwards."""
        wanted = set(self._args.only)
        if "overhead" in wanted:
            with _service(1, ledger) as (address, pid):
                self.found["one connection"] = beside_the_library(address, pid, self._args.one, self._numbers)
        if "workers" in wanted:
            self._workers(ledger)
        if "verbs" in wanted:
            self._verbs(ledger)
        if "memory" in wanted and self._args.memory:
            with _service(2, ledger) as (address, pid):
                self._memory(address, pid)

    def _workers(self, ledger: str) -> None:
        for workers, name in ((1, "one worker"), (2, "two workers")):
            with _service(workers, ledger) as (address, pid):
                self.found[f"translate, {name}"] = self._asked(address, pid, self._translate())
        one, two = self.found["translate, one worker"], self.found["translate, two workers"]
        self.found["two workers to one"] = {"ratio": two["per_second"] / max(one["per_second"], 1e-9)}
        alone, both = (library_rate(count, self._args.seconds) for count in (1, 2))
        self.found["the library itself"] = {
            "one_process_per_second": alone,
            "two_processes_per_second": both,
            "ratio": both / alone,
        }

    def _verbs(self, ledger: str) -> None:
        with _service(2, ledger) as (address, pid):
            self.found["translate"] = self._asked(address, pid, self._translate())
            compared = WrkLoad.posting("/v1/compare", [COMPARED], next(self._numbers))
            self.found["compare"] = self._asked(address, pid, compared)
            _draw(address)
            self.found["review"] = self._asked(address, pid, WrkLoad.reviewing(), REVIEWERS)

    def _translate(self) -> WrkLoad:
        first = next(self._numbers)
        self._numbers = itertools.count(first + 50_000)  # no other load has these sentences
        bodies: list[object] = [{"text": text, "logic": "stl", "vocabulary": NAMES} for text in SENTENCES]
        return WrkLoad.posting("/v1/translate", bodies, first)

    def _asked(self, address: str, pid: int, load: WrkLoad, connections: int | None = None) -> Figures:
        """A load, and what the service's processes spent on each request."""
        _wait(
            address, "assent_workers_busy 0", "assent_jobs_waiting 0"
        )  # the load before left requests behind
        before = {one: _processor(one) for one in _family(pid)}
        found = _wrk.ask(address, load, connections or self._args.connections, self._args.seconds)
        spent = {one: _processor(one) - seconds for one, seconds in before.items()}
        each = 1000 / max(found["requests"], 1)
        found["front_processor_ms"] = each * spent.pop(pid, 0.0)
        found["workers_processor_ms"] = each * sum(spent.values())
        return found

    def _memory(self, address: str, pid: int) -> None:
        """Resident megabytes of every process at the start and each minute under load, and how fast they grow."""
        seconds, taken = self._args.memory, []
        load = self._translate()
        done = threading.Event()

        def ask() -> None:
            try:
                self.found["memory load"] = _wrk.ask(address, load, self._args.connections, seconds)
            finally:
                done.set()

        asking = threading.Thread(target=ask)
        taken.append(_megabytes(pid))
        asking.start()
        while not done.wait(min(60.0, seconds / 10)):
            taken.append(_megabytes(pid))
        asking.join()
        for place, name in enumerate(("front", *(f"worker {k + 1}" for k in range(len(taken[0]) - 1)))):
            self.found[f"memory, {name}"] = _grown([row[place] for row in taken], min(60.0, seconds / 10))


def _grown(series: list[float], step: float) -> Figures:
    """Megabytes at each look, and the slope of the line through the second half of them."""
    half = series[len(series) // 2 :]
    minutes = [k * step / 60 for k in range(len(half))]
    slope = statistics.linear_regression(minutes, half).slope if len(half) > 1 else 0.0
    return {**{f"{k * step / 60:.0f}min": value for k, value in enumerate(series)}, "mb_per_minute": slope}


@contextlib.contextmanager
def _service(workers: int, ledger: str) -> Iterator[tuple[str, int]]:
    """A service as a process of its own: its address and process, when every worker can take a job."""
    command = [sys.executable, "-m", "assent", "serve", "--port", "0", "--workers", str(workers)]
    process = subprocess.Popen(
        [*command, "--ledger", ledger, "--waiting", "1000", "--deadline", "120"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    try:
        address = process.stdout.readline().strip()
        _wait(address, f"assent_workers_alive {workers}")
        yield address, process.pid
    finally:
        process.terminate()
        process.wait(180)
        process.stdout.close()


def _text(number: int) -> str:
    return SENTENCES[number % len(SENTENCES)].replace("@N@", str(number))


def _connection(address: str) -> http.client.HTTPConnection:
    return http.client.HTTPConnection(urlsplit(address).netloc, timeout=180)


def _get(address: str, path: str) -> str:
    with contextlib.closing(_connection(address)) as connection:
        connection.request("GET", path)
        return connection.getresponse().read().decode()


def _wait(address: str, *lines: str) -> None:
    """Until every one of these lines is among the counters."""
    while not set(lines) <= set(_get(address, "/metrics").splitlines()):
        time.sleep(0.1)


def _post(connection: http.client.HTTPConnection, path: str, body: object) -> None:
    """Ask and take the answer; RuntimeError if it is no answer."""
    connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
    answer = connection.getresponse()
    content = answer.read()
    if answer.status != 200:
        raise RuntimeError(f"{path}: {answer.status} {content[:200]!r}")


def _draw(address: str) -> None:
    with contextlib.closing(_connection(address)) as connection:
        _post(connection, "/v1/review/plan", {"audit": "1", "abstained": "1", "twice": "0", "plants": "0"})


def beside_the_library(address: str, pid: int, count: int, numbers: Iterator[int]) -> Figures:
    """The same kinds of sentences by turns through the service and through the library, one at a time."""
    import assent

    ours: list[float] = []
    theirs: list[float] = []
    with assent.load("stl", vocabulary=NAMES) as local, contextlib.closing(_connection(address)) as there:
        for number in itertools.islice(numbers, 8):  # both warm
            local(_text(number))
            _post(there, "/v1/translate", {"text": _text(number), "logic": "stl", "vocabulary": NAMES})
        for number in itertools.islice(numbers, count):
            begun = time.perf_counter()
            local(_text(number))
            between = time.perf_counter()
            _post(there, "/v1/translate", {"text": _text(number), "logic": "stl", "vocabulary": NAMES})
            ours.append(between - begun)
            theirs.append(time.perf_counter() - between)
    library, service = statistics.median(ours), statistics.median(theirs)
    return {
        "library_ms": 1000 * library,
        "service_ms": 1000 * service,
        "p99_ms": 1000 * sorted(theirs)[int(0.99 * (count - 1))],
        "overhead": service / library - 1,
        "overhead_of_means": sum(theirs) / sum(ours) - 1,
    }


_ALONE = """
import sys, time, itertools
import assent
from assent.benchmarks.serve import NAMES, _text
with assent.load("stl", vocabulary=NAMES) as local:
    numbers = itertools.count(int(sys.argv[1]))
    for _ in range(8):
        local(_text(next(numbers)))
    print("ready", flush=True)
    sys.stdin.readline()
    end, done = time.perf_counter() + float(sys.argv[2]), 0
    while time.perf_counter() < end:
        local(_text(next(numbers)))
        done += 1
    print(done, flush=True)
"""


def library_rate(processes: int, seconds: float) -> float:
    """Decisions a second that so many processes of the library make beside one another."""
    started = [
        subprocess.Popen(
            [sys.executable, "-c", _ALONE, str(1_000_000 + 100_000 * k), str(seconds)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for k in range(processes)
    ]
    for process in started:
        assert process.stdout is not None
        process.stdout.readline()
    for process in started:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    done = sum(int(process.communicate()[0]) for process in started)
    return done / seconds


def _family(pid: int) -> list[int]:
    """A process and its children, where the system tells."""
    children = Path(f"/proc/{pid}/task/{pid}/children")
    return [pid, *(int(child) for child in children.read_text().split())] if children.exists() else []


def _megabytes(pid: int) -> list[float]:
    """Resident memory of a process and of each of its children."""
    pages = [int(Path(f"/proc/{one}/statm").read_text().split()[1]) for one in _family(pid)]
    return [count * os.sysconf("SC_PAGE_SIZE") / 1e6 for count in pages]


def _processor(pid: int) -> float:
    """Processor seconds of a process, user and system."""
    row = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(row[11]) + int(row[12])) / os.sysconf("SC_CLK_TCK")
