"""``--engine ray``: a real cluster of two nodes on this machine, whose workers and nodes are killed."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import shops
from below import children, command_of
from kills import run_with_kills

from assent.cli import main
from assent.models import Spending, SpendingLimit
from assent.scale.crew import Crew
from assent.scale.till import Counter
from recordings import recording, write

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
    desk = till_of(joined, Spending(SpendingLimit(money=7.5)))
    found = done(Rays(joined, partial(shops.Calls, Counter(desk, 2)), 2), list(range(40)))
    assert [answer for answer, _ in found].count("called") == 7
    assert desk.money() == pytest.approx(7.0)


def test_collecting_on_a_cluster_writes_the_file_of_one_process(cluster: Any, tmp_path: Path) -> None:
    file = write(tmp_path / "in.jsonl", recording(8))
    one, many = tmp_path / "one.jsonl", tmp_path / "many.jsonl"
    assert main(["collect", str(file), "-o", str(one), "--quiet"]) == 0
    options = ["--engine", "ray", "--jobs", "2", "--address", cluster.address]
    assert main(["collect", str(file), "-o", str(many), "--quiet", *options]) == 0
    assert many.read_bytes() == one.read_bytes()


def test_checking_on_a_cluster_writes_the_file_of_one_process(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Findings and lock; the document is one of the tests of documents, cut short."""
    monkeypatch.chdir(tmp_path)
    pool = Path(__file__).parents[1] / "documents" / "data" / "pool.md"
    Path("pool.md").write_text("\n".join(pool.read_text("utf-8").split("\n")[:60]), "utf-8")
    crews = {"one": [], "many": ["--engine", "ray", "--jobs", "2", "--address", cluster.address]}
    found = {}
    for name, crew in crews.items():
        code = main(
            ["check", "pool.md", "--json", "-o", "out.json", "--lock", f"{name}.lock", "--quiet", *crew]
        )
        found[name] = code, Path("out.json").read_bytes(), Path(f"{name}.lock").read_bytes()
    assert found["one"] == found["many"]
    assert len(json.loads(found["one"][1])["requirements"]) > 10


def actors(process: subprocess.Popen[bytes]) -> list[int]:
    """The workers of the cluster that this process started, whoever drives them."""
    return [one for one in children(os.getpid()) if command_of(one).startswith("ray::Worker")]


def test_killed_workers_and_drivers_leave_the_file_of_an_undisturbed_run(
    cluster: Any, tmp_path: Path
) -> None:
    """As with --jobs: a server that honours the names of calls is paid once for each of them."""
    options = ["--engine", "ray", "--jobs", "2", "--address", cluster.address]
    found = run_with_kills(tmp_path, options, actors, idempotent="yes")
    print(f"\n{found.said()}")
    assert found.same and found.twice == 0


def test_an_address_is_for_a_cluster(tmp_path: Path) -> None:
    file = write(tmp_path / "in.jsonl", recording(1))
    assert main(["collect", str(file), "--quiet", "--address", "auto"]) == 2
