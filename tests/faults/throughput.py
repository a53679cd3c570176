"""How much of a bare client's rate is left with cache, retries, limits and spending around the model?

    python tests/faults/throughput.py [--calls 2000] [--concurrency 64] [--latency 0.2] [--rounds 3]

The server runs in its own process and answers after 200 ms. The bare loop uses the same client (httpx, one
connection a call), the same request bodies and as many workers; rounds alternate, so that a busy machine slows
both. ``pooled`` is one httpx client with its own pool, as most programs use it. Prints JSON.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import httpx
from server import running

from assent.models import Cache, Limits, Prompt, Sampling, Spending, close, stack
from assent.models.lanes import Lanes
from assent.models.openai import OpenAIModel
from assent.prompting import prompts

SAMPLING = Sampling(max_tokens=128, seed=1)


async def spread(work: Callable[[Prompt], Awaitable[object]], todo: list[Prompt], workers: int) -> float:
    """Calls a second with this many workers."""
    queue = iter(todo)

    async def worker() -> None:
        for prompt in queue:
            await work(prompt)

    start = time.perf_counter()
    await asyncio.gather(*(worker() for _ in range(workers)))
    return len(todo) / (time.perf_counter() - start)


async def post(client: httpx.AsyncClient, base_url: str, prompt: Prompt) -> None:
    body = OpenAIModel("double", base_url=base_url)._request(prompt, SAMPLING)
    headers = {"Content-Type": "application/json"}
    response = await client.post(f"{base_url}/chat/completions", content=body, headers=headers)
    response.json()["choices"][0]["message"]["content"]


async def bare(base_url: str, todo: list[Prompt], workers: int) -> float:
    lanes = Lanes()

    async def call(prompt: Prompt) -> None:
        async with lanes.lend() as client:
            await post(client, base_url, prompt)

    rate = await spread(call, todo, workers)
    await lanes.close()
    return rate


async def pooled(base_url: str, todo: list[Prompt], workers: int) -> float:
    pool = httpx.Limits(max_connections=None, max_keepalive_connections=None)
    async with httpx.AsyncClient(timeout=60, limits=pool) as client:
        return await spread(lambda prompt: post(client, base_url, prompt), todo, workers)


async def ours(base_url: str, todo: list[Prompt], workers: int, folder: Path) -> tuple[float, int]:
    spending = Spending()
    inner = OpenAIModel("double", base_url=base_url)
    with tempfile.TemporaryDirectory(dir=folder) as place:
        cache = Cache(Path(place) / "cache.db")
        model = stack(inner, cache=cache, limits=Limits(concurrency=workers), spending=spending)
        rate = await spread(lambda prompt: model.generate(prompt, SAMPLING), todo, workers)
        await close(model)
    return rate, spending.calls


def measure(calls: int, workers: int, latency: float, rounds: int) -> dict[str, float]:
    todo = [prompts.translation(f"Whenever p{i} holds, q{i} follows.", "ltl") for i in range(calls)]
    ratios, plain, full = [], [], []
    with running(latency=latency) as server, tempfile.TemporaryDirectory() as folder:
        asyncio.run(bare(server.base_url, todo[:workers], workers))
        common = asyncio.run(pooled(server.base_url, todo[: 4 * workers], workers))
        for _ in range(rounds):
            plain.append(asyncio.run(bare(server.base_url, todo, workers)))
            rate, made = asyncio.run(ours(server.base_url, todo, workers, Path(folder)))
            assert made == calls
            full.append(rate)
            ratios.append(full[-1] / plain[-1])
    return {
        "ideal": workers / latency,
        "pooled": common,
        "bare": statistics.median(plain),
        "assent": statistics.median(full),
        "ratio": statistics.median(ratios),
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--calls", type=int, default=2000)
    parser.add_argument("--concurrency", type=int, default=64)
    parser.add_argument("--latency", type=float, default=0.2)
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    print(json.dumps(measure(args.calls, args.concurrency, args.latency, args.rounds)))
