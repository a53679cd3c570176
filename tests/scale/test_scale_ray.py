"""``--engine ray``: a real cluster of two nodes on this machine, whose workers and nodes are killed."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import shops
from below import children, command_of
from test_faults_batch import finish, prepare, server, start

from assent.models import Budget, Spending
from assent.scale.crew import Crew
from assent.scale.till import Counter

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
ray = pytest.importorskip("ray", reason="needs the extra [ray]")
pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]
STORE = 80 * 1024 * 1024


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Two nodes with a processor each; workers find the modules of these tests."""
    from ray.cluster_utils import Cluster

    here = str(Path(__file__).parent)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([here, os.environ.get("PYTHONPATH", "")]))
    monkeypatch.setenv("RAY_worker_niceness", "0")  # Ray's 15 starves workers on a busy machine
    made = Cluster(
        initialize_head=True,
        head_node_args={"num_cpus": 1, "object_store_memory": STORE, "include_dashboard": False},
    )
    made.add_node(num_cpus=1, object_store_memory=STORE)
    try:
        yield made
    finally:
        ray.shutdown()
        made.shutdown()


def done(engine: Any, items: list[Any], meanwhile: Any = None) -> list[Any]:
    async def main() -> list[Any]:
        crew: Crew[Any, Any] = Crew(engine, 3)
        try:
            tasks = [asyncio.ensure_future(crew.work(item)) for item in items]
            if meanwhile is not None:
                await tasks[len(items) // 4]
                meanwhile()  # in this thread: Ray's own tools for tests set signals
            return await asyncio.gather(*tasks, return_exceptions=True)
        finally:
            await crew.close()

    return asyncio.run(main())


def test_a_worker_and_a_node_are_lost_and_nothing_else(cluster: Any, tmp_path: Path) -> None:
    from assent.scale.rays import Rays, connected

    joined = connected(cluster.address)
    items = [*range(10), "die once", *range(10, 60)]
    engine = Rays(joined, partial(shops.make, str(tmp_path), 0.05), 2)

    def lose_a_node() -> None:
        cluster.remove_node(cluster.worker_nodes.copy().pop(), allow_graceful=False)
        cluster.add_node(num_cpus=1, object_store_memory=STORE)

    found = done(engine, items, lose_a_node)
    expected = [(n, n * n) for n in range(10)] + ["lived"] + [(n, n * n) for n in range(10, 60)]
    assert found == expected and (tmp_path / "died").exists()


def test_one_budget_for_the_cluster(cluster: Any) -> None:
    from assent.scale.rays import Rays, connected, till_of

    joined = connected(cluster.address)
    desk = till_of(joined, Spending(Budget(money=7.5)))
    found = done(Rays(joined, partial(shops.Calls, Counter(desk, 2)), 2), list(range(40)))
    assert [answer for answer, _ in found].count("called") == 7
    assert desk.money() == pytest.approx(7.0)


def test_batches_on_a_cluster_end_like_those_of_one_process(cluster: Any, tmp_path: Path) -> None:
    """Workers are killed, a driver is killed; the file is the one of an undisturbed single process."""
    count, rng = 40, random.Random(1)
    options = ("--engine", "ray", "--jobs", "2", "--address", cluster.address)
    with server(tmp_path, count, latency=0.05) as double:
        finish(prepare(tmp_path / "whole", double.base_url, count))
        paid = double.stats()["served"]
        folder = prepare(tmp_path / "killed", double.base_url, count)
        killed = 0
        for driver in (True, False):
            process = start(folder, *options)
            for part in (3, 2):
                goal = double.stats()["served"] + paid // 6
                while double.stats()["served"] < goal and process.poll() is None:
                    time.sleep(0.02)
                assert process.poll() is None, process.communicate()[1].decode()
                alive = actors()
                assert alive, f"no actor to kill in part {part}"
                os.kill(rng.choice(alive), signal.SIGKILL)
                killed += 1
            if driver:
                process.kill()
                process.communicate()
        _, said = process.communicate(timeout=300)
        assert process.returncode == 0, said.decode()
        repeated = double.stats().get("repeated", 0) - paid
    assert (folder / "out.jsonl").read_bytes() == (tmp_path / "whole" / "out.jsonl").read_bytes()
    print(f"\n{killed} workers and a driver killed: {repeated} of {paid} calls made again")
    assert repeated <= 16 * (killed + 1)


def actors() -> list[int]:
    """The processes in which workers of this test's own cluster live: below this process, and named so by Ray."""
    return [pid for pid in children(os.getpid()) if command_of(pid).startswith("ray::Worker")]


def test_no_cluster_at_an_address_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text('{"id":"1","text":"x","candidate":"a","logic":"ltl"}\n')
    command = ["collect", "in.jsonl", "--engine", "ray", "--address", "127.0.0.1:1"]
    said = subprocess.run(
        [sys.executable, "-m", "assent", *command],
        cwd=tmp_path,
        capture_output=True,
        check=False,
        env={**os.environ, "RAY_gcs_rpc_server_connect_timeout_s": "2"},
    )
    assert said.returncode == 2 and b"no Ray cluster at" in said.stderr, said.stderr.decode()
