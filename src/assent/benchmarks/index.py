"""How the gate finds the nearest of a large reference set: by looking at all, by our index, by others.

    assent bench index                          10^4 and 10^5 vectors
    assent bench index --up-to 1000000          ... 10^6 (--from 1000000: only these; 2 GB, five minutes)
    assent bench index --others                 graphs of usearch and faiss beside, where they are installed

Vectors of 256 numbers: mixtures of two of the shipped reference vectors and a little noise. A row a size and a way to
search: seconds to build, queries a second, share of the true ten nearest that are found, how far the p-values are from
those of the exact search (999 calibration points, scored by the same search), how many of the verdicts at 0.05 are
others, and megabytes of the index in memory (the vectors themselves, 1,024 bytes each, stay on disk with an index).
Times are seconds of processor time in one thread.
"""

from __future__ import annotations

import argparse
import json
import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
Numbers = NDArray[np.int64]
NEIGHBOURS, CALIBRATION, DELTA = 10, 999, 0.05
NOISE = 0.02


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--up-to", type=int, default=100_000, metavar="N", help="the largest set (100000)")
    parser.add_argument(
        "--from", dest="first", type=int, default=10_000, metavar="N", help="the smallest set"
    )
    parser.add_argument("--points", type=int, default=500, metavar="N", help="that are searched for (500)")
    parser.add_argument("--probes", type=int, default=0, metavar="N", help="cells to look into (as shipped)")
    parser.add_argument("--others", action="store_true", help="usearch and faiss graphs beside")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true", help="the rows as JSON")


@dataclass(frozen=True)
class Way:
    """A way to search: candidates of one point; what it took to build, and its bytes in memory."""

    name: str
    near: Callable[[Vectors], Numbers]
    seconds: float
    size: int


@dataclass(frozen=True)
class SearchTask:
    """The vectors, the points that calibrate, those that are searched for, and the true nearest of the latter."""

    known: Vectors
    calibration: Vectors
    points: Vectors


def run(args: argparse.Namespace) -> int:
    from threadpoolctl import threadpool_limits

    rows: list[dict[str, Any]] = []
    size = args.first
    with threadpool_limits(1):
        while size <= args.up_to:
            task = _task(size, args.points, args.seed)
            truth: tuple[list[Numbers], NDArray[np.float64]] | None = None
            for way in _ways(task, args):
                row, found = _measured(way, task, truth)
                truth = truth or found
                rows.append({"vectors": size, **row})
                if not args.json:
                    print("  ".join(f"{key} {_said(value)}" for key, value in rows[-1].items()), flush=True)
            size *= 10
    if args.json:
        print(json.dumps(rows))
    return 0


def _said(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else f"{value:,}" if isinstance(value, int) else value


def _task(size: int, points: int, seed: int) -> SearchTask:
    from assent.embedded import shipped

    anchors = np.concatenate([np.load(file) for file in sorted((shipped() / "gate").glob("*.npy"))])
    rng = np.random.default_rng(seed)
    parts = [_drawn(rng, anchors, min(65_536, size - at)) for at in range(0, size, 65_536)]
    return SearchTask(np.concatenate(parts), _drawn(rng, anchors, CALIBRATION), _drawn(rng, anchors, points))


def _drawn(rng: np.random.Generator, anchors: Vectors, count: int) -> Vectors:
    from assent.pipeline.gate import STEPS

    one, other = rng.integers(0, len(anchors), (2, count))
    weight = rng.random((count, 1))
    mixed = weight * anchors[one] + (1 - weight) * anchors[other]
    mixed += rng.normal(0, NOISE, mixed.shape)
    mixed /= np.linalg.norm(mixed, axis=1, keepdims=True)
    return np.asarray(np.rint(mixed * STEPS) / STEPS, dtype=np.float32)


def _ways(task: SearchTask, args: argparse.Namespace) -> Iterator[Way]:
    """The exact one first."""
    from assent.pipeline.gate import Exact

    start = time.process_time()
    exact = Exact(task.known)
    yield Way("exact", exact.near, time.process_time() - start, task.known.nbytes)
    yield from _ours(task, args.probes)
    if args.others:
        yield from _usearch(task)
        yield from _graph(task)


def _ours(task: SearchTask, probes: int) -> Iterator[Way]:
    from assent.scale.index import PROBES, made

    with tempfile.TemporaryDirectory() as folder:
        start = time.process_time()
        kept = made(
            Path(folder) / "index",
            (task.known[at : at + 65_536] for at in range(0, len(task.known), 65_536)),
            source="bench",
            embedder="bench",
            exact_below=0,
            probes=probes or PROBES,
        )
        took = time.process_time() - start
        size = (Path(folder) / "index" / "index.faiss").stat().st_size
        yield Way(
            f"cells, {kept.about.probes} of {kept.about.cells}",
            lambda p: kept.candidates(p, NEIGHBOURS),
            took,
            size,
        )


def _usearch(task: SearchTask) -> Iterator[Way]:
    try:
        from usearch.index import Index
    except ImportError:
        return
    index = Index(ndim=task.known.shape[1], metric="cos", dtype="f16", connectivity=16, expansion_add=128)
    start = time.process_time()
    index.add(np.arange(len(task.known)), task.known, threads=1)
    took = time.process_time() - start
    for wide in (64, 256):
        index.expansion_search = wide
        yield Way(
            f"usearch graph, {wide}",
            lambda p: np.asarray(index.search(p, 4 * NEIGHBOURS, threads=1).keys, dtype=np.int64),
            took,
            int(index.memory_usage),
        )


def _graph(task: SearchTask) -> Iterator[Way]:
    try:
        import faiss
    except ImportError:
        return
    index: Any = faiss.index_factory(task.known.shape[1], "HNSW16,SQ8")
    index.hnsw.efConstruction = 128
    start = time.process_time()
    index.train(task.known[:100_000])
    index.add(task.known)
    took = time.process_time() - start
    size = len(faiss.serialize_index(index))
    for wide in (64, 256):
        index.hnsw.efSearch = wide
        yield Way(f"faiss graph, {wide}", lambda p: index.search(p[None], 4 * NEIGHBOURS)[1][0], took, size)


Found = tuple[list[Numbers], NDArray[np.float64]]


def _measured(way: Way, task: SearchTask, truth: Found | None) -> tuple[dict[str, Any], Found]:
    from assent.calibrate.rules import gate_rule

    rule = gate_rule([_distance(task, p, way.near(p)) for p in task.calibration], delta=DELTA)
    start = time.process_time()
    near = [way.near(point) for point in task.points]
    away = [_distance(task, p, found) for p, found in zip(task.points, near, strict=True)]
    took = time.process_time() - start
    p_values = np.array([float(rule.p_value(one)) for one in away])
    nearest = [_nearest(task, p, found) for p, found in zip(task.points, near, strict=True)]
    true, true_p = truth or (nearest, p_values)
    apart = np.abs(p_values - true_p)
    row = {
        "search": way.name,
        "build_seconds": round(way.seconds, 2),
        "queries_per_second": round(len(away) / took),
        "recall": round(sum(len(set(a) & set(b)) for a, b in zip(near, true, strict=True)) / NEIGHBOURS / len(near), 4),
        "p_mean_change": round(float(apart.mean()), 5),
        "p_largest_change": round(float(apart.max()), 5),
        "verdicts_changed": int(((p_values < DELTA) != (true_p < DELTA)).sum()),
        "megabytes": round(way.size / 1e6),
        "peak_megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }  # fmt: skip
    return row, (true, true_p)


def _distance(task: SearchTask, point: Vectors, near: Numbers) -> float:
    from assent.samebits import nearest_mean

    return nearest_mean(point, task.known[near], NEIGHBOURS)


def _nearest(task: SearchTask, point: Vectors, near: Numbers) -> Numbers:
    """The nearest of the candidates."""
    apart = task.known[near].astype(np.float64) - point.astype(np.float64)
    return np.asarray(near[np.argsort((apart * apart).sum(axis=1))[:NEIGHBOURS]])
