"""What the service costs: latency and throughput on loopback, beside the library in the same run.

    assent bench serve                                    10 seconds of each load, 64 connections, two workers
    assent bench serve --seconds 60 --connections 64      the long one
    assent bench serve --memory 600                       and how far memory grows over ten minutes of it

Figures: p50 and p99 in milliseconds and requests a second for translate, compare and the review queue; the overhead of
the service over the library at one connection, in time and in processor time (which a busy machine does not change);
how much more two workers do than one. Every sentence is another one, so that nothing is remembered. Exit code 1 if a
request failed. Needs assent[serve].
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import itertools
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

import httpx

NAMES = {
    "propositions": [
        {"name": name, "says": says}
        for name, says in (("door_open", "door open"), ("alarm_on", "alarm on"), ("pump_on", "pump running"))
    ],
    "time_unit": "s",
}
SENTENCES = (
    "Whenever the door is open, the alarm is on within {n} seconds.",
    "The alarm is on within {n} seconds.",
    "If the pump is running, the door is open for {n} seconds.",
    "The pump is running until the alarm is on, within {n} seconds.",
)
Ask = Callable[[httpx.AsyncClient, int], Awaitable[httpx.Response]]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seconds", type=float, default=10.0, help="of each load (10)")
    parser.add_argument("--connections", type=int, default=64, metavar="N", help="at once (64)")
    parser.add_argument("--one", type=int, default=60, metavar="N", help="requests at one connection (60)")
    parser.add_argument(
        "--ledger", metavar="FILE|URL", help="decisions go there (default: a file that is removed)"
    )
    parser.add_argument("--memory", type=float, default=0.0, metavar="SECONDS", help="load for memory (none)")
    parser.add_argument("--json", action="store_true", help="the figures as JSON")


def run(args: argparse.Namespace) -> int:
    numbers = itertools.count(1)
    with tempfile.TemporaryDirectory() as folder:
        ledger = args.ledger or str(Path(folder) / "ledger.db")
        with _service(1, ledger) as (address, pid):
            found = {"one connection": asyncio.run(_beside_the_library(address, pid, args.one, numbers))}
            single = asyncio.run(_load(address, _translate, numbers, args.connections, args.seconds))
        with _service(2, ledger) as (address, pid):
            double = asyncio.run(_load(address, _translate, numbers, args.connections, args.seconds))
            found |= {"translate, one worker": single, "translate, two workers": double}
            found["two workers to one"] = {"ratio": double["per_second"] / max(single["per_second"], 1e-9)}
            found["compare"] = asyncio.run(_load(address, _compare, numbers, args.connections, args.seconds))
            asyncio.run(_draw(address))
            found["review"] = asyncio.run(_load(address, _review, numbers, 4, args.seconds))
            if args.memory:
                found["memory"] = asyncio.run(_memory(address, pid, numbers, args))
    print(json.dumps(found) if args.json else _table(found))
    return 1 if any(part.get("failed") for part in found.values()) else 0


def _table(found: dict[str, dict[str, float]]) -> str:
    return "\n".join(
        f"{name:<24} " + "  ".join(f"{key} {value:.4g}" for key, value in part.items())
        for name, part in found.items()
    )


@contextlib.contextmanager
def _service(workers: int, ledger: str) -> Iterator[tuple[str, int]]:
    """A service as a process of its own: its address and process."""
    command = [sys.executable, "-m", "assent", "serve", "--port", "0", "--workers", str(workers)]
    process = subprocess.Popen(
        [*command, "--ledger", ledger, "--waiting", "1000", "--deadline", "120"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    try:
        yield process.stdout.readline().strip(), process.pid
    finally:
        process.terminate()
        process.wait(180)
        process.stdout.close()


def _text(number: int) -> str:
    return SENTENCES[number % len(SENTENCES)].format(n=number)


async def _translate(client: httpx.AsyncClient, number: int) -> httpx.Response:
    return await client.post(
        "/v1/translate", json={"text": _text(number), "logic": "stl", "vocabulary": NAMES}
    )


async def _compare(client: httpx.AsyncClient, number: int) -> httpx.Response:
    body = {"first": f"G (a -> F[0,{number}] b)", "second": f"G (!a | F[0,{number}] b)", "logic": "stl"}
    return await client.post("/v1/compare", json=body)


async def _review(client: httpx.AsyncClient, number: int) -> httpx.Response:
    """One card and its answer; each connection is a reviewer of its own."""
    handle = f"bench{number % 4}"
    found = await client.get("/v1/review/next", params={"handle": handle})
    card = found.json().get("card") if found.status_code == 200 else None
    if card is None:
        return found
    body = {"item": card["item"], "look": card["look"], "handle": handle, "none": True}
    return await client.post("/v1/review/answers", json=body)


async def _draw(address: str) -> None:
    async with httpx.AsyncClient(base_url=address, timeout=180) as client:
        plan = {"audit": "1", "abstained": "1", "twice": "0", "plants": "0"}
        (await client.post("/v1/review/plan", json=plan)).raise_for_status()


async def _beside_the_library(address: str, pid: int, count: int, numbers: Iterator[int]) -> dict[str, float]:
    """The same kinds of sentences by turns through the service and through the library, one at a time."""
    import assent

    ours: list[float] = []
    theirs: list[float] = []
    with assent.load("stl", vocabulary=NAMES) as local:
        local(_text(next(numbers)))
        async with httpx.AsyncClient(base_url=address, timeout=180) as client:
            await _translate(client, next(numbers))
            there, here = _processor(pid), 0.0
            for _ in range(count):
                number = next(numbers)
                begun, spent = time.perf_counter(), time.process_time()
                local(_text(number))
                between = time.perf_counter()
                here += time.process_time() - spent
                (await _translate(client, number)).raise_for_status()
                ours.append(between - begun)
                theirs.append(time.perf_counter() - between)
            there = _processor(pid) - there
    library, service = statistics.median(ours), statistics.median(theirs)
    return {
        "library_ms": 1000 * library,
        "service_ms": 1000 * service,
        "p99_ms": 1000 * sorted(theirs)[int(0.99 * (count - 1))],
        "overhead": service / library - 1,
        "library_processor_ms": 1000 * here / count,
        "service_processor_ms": 1000 * there / count,
        "processor_overhead": there / here - 1,
    }


async def _load(
    address: str, ask: Ask, numbers: Iterator[int], connections: int, seconds: float
) -> dict[str, float]:
    """Every connection asks again as soon as it is answered."""
    times: list[float] = []
    failed = 0
    end = time.perf_counter() + seconds

    async def one(client: httpx.AsyncClient, lane: int) -> None:
        nonlocal failed
        while time.perf_counter() < end:
            begun = time.perf_counter()
            number = lane if ask is _review else next(numbers)
            try:
                failed += (await ask(client, number)).status_code != 200
            except httpx.HTTPError:
                failed += 1
            times.append(time.perf_counter() - begun)

    begun = time.perf_counter()
    async with _client(address, connections) as client:
        await asyncio.gather(*(one(client, lane) for lane in range(connections)))
    spent = time.perf_counter() - begun
    times.sort()
    return {
        "requests": len(times),
        "failed": failed,
        "per_second": len(times) / spent,
        "p50_ms": 1000 * times[len(times) // 2],
        "p99_ms": 1000 * times[int(0.99 * (len(times) - 1))],
    }


@contextlib.asynccontextmanager
async def _client(address: str, connections: int) -> AsyncIterator[httpx.AsyncClient]:
    limits = httpx.Limits(max_connections=connections, max_keepalive_connections=connections)
    async with httpx.AsyncClient(base_url=address, timeout=180, limits=limits) as client:
        yield client


async def _memory(
    address: str, pid: int, numbers: Iterator[int], args: argparse.Namespace
) -> dict[str, float]:
    """Megabytes that service and workers hold after a tenth of the time, and at the end."""
    first = await _load(address, _translate, numbers, args.connections, args.memory / 10)
    early = _megabytes(pid)
    second = await _load(address, _translate, numbers, args.connections, 0.9 * args.memory)
    late = _megabytes(pid)
    failed = first["failed"] + second["failed"]
    return {"early_mb": early, "late_mb": late, "grown_mb": late - early, "failed": failed}


def _family(pid: int) -> list[int]:
    """A process and its children, where the system tells."""
    children = Path(f"/proc/{pid}/task/{pid}/children")
    return [pid, *(int(child) for child in children.read_text().split())] if children.exists() else []


def _megabytes(pid: int) -> float:
    """Resident memory of a process and its children."""
    pages = sum(int(Path(f"/proc/{one}/statm").read_text().split()[1]) for one in _family(pid))
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def _processor(pid: int) -> float:
    """Processor seconds of a process and its children, user and system."""
    fields = (Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split() for one in _family(pid))
    return sum(int(row[11]) + int(row[12]) for row in fields) / os.sysconf("SC_CLK_TCK")
