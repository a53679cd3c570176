"""The index of a gate: p-values hold although it misses neighbours; other files than were written are refused."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from assent.calibrate.rules import gate_rule
from assent.errors import ConfigurationError, PolicyError
from assent.pipeline import gate
from assent.pipeline.gate import STEPS
from assent.scale import index

Vectors = NDArray[np.float32]
SIZE, NEIGHBOURS = 12, 10


def drawn(rng: np.random.Generator, count: int, size: int = SIZE) -> Vectors:
    made = rng.normal(size=(count, size)) + 2.0 * rng.integers(0, 2, (count, 1)) * np.eye(size)[0]
    made /= np.linalg.norm(made, axis=1, keepdims=True)
    return np.asarray(np.rint(made * STEPS) / STEPS, dtype=np.float32)


def by_hand(points: Vectors, known: Vectors, neighbours: int) -> list[float]:
    """The distances as they were computed before there was a rough look: every reference, in double precision."""
    result = []
    for point in points:
        apart = known.astype(np.float64) - point.astype(np.float64)
        away = np.sqrt((apart * apart).sum(axis=1))
        result.append(math.fsum(np.partition(away, neighbours - 1)[:neighbours]) / neighbours)
    return result


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 300), st.integers(1, 40), st.booleans(), st.integers(1, 12))
def test_the_exact_search_has_the_bits_of_looking_at_all(
    seed: int, count: int, size: int, twins: bool, neighbours: int
) -> None:
    rng = np.random.default_rng(seed)
    known = drawn(rng, max(count, neighbours), size)
    points = drawn(rng, 3, size)
    if twins:  # ties, and references that are the point itself or a hair's breadth from it
        known = np.concatenate(
            [known, known[: len(known) // 2], points[:1], points[:1] + np.float32(1 / STEPS)]
        )
    assert gate.distances(points, known, neighbours).tolist() == by_hand(points, known, neighbours)


def test_the_exact_search_has_the_bits_of_looking_at_all_for_the_shipped_gates() -> None:
    from assent.embedded import shipped

    for file in sorted((shipped() / "gate").glob("*.npy")):
        known = np.load(file)
        points = np.concatenate([known[::97], drawn(np.random.default_rng(1), 20, known.shape[1])])
        assert gate.distances(points, known, NEIGHBOURS).tolist() == by_hand(points, known, NEIGHBOURS)


@pytest.fixture
def poor(tmp_path: Path) -> index.Kept:
    """An index that looks into one cell of many: it misses much."""
    pytest.importorskip("faiss", reason="needs the extra [index]")
    known = drawn(np.random.default_rng(3), 3000)
    return index.made(
        tmp_path / "index", [known[:1000], known[1000:]], source="s", embedder="e", exact_below=0, probes=1
    )


def recall(kept: index.Kept, points: Vectors) -> float:
    exact = gate.Exact(np.array(kept.vectors))
    hits = [
        len(set(kept.candidates(p, NEIGHBOURS)) & set(exact.near(p, NEIGHBOURS)[:NEIGHBOURS])) for p in points
    ]
    return sum(hits) / NEIGHBOURS / len(points)


RUNS, M = 3000, 39
WRONG = 1e-6
"""How often the test below fails although all is well, at most, for each of its levels."""


def simulated(calibrating: NDArray[np.float64], stream: NDArray[np.float64]) -> NDArray[np.float64]:
    """The p-value of one fresh point in each run, with a calibration of its own."""
    known = calibrating.reshape(RUNS, M)
    return np.array([float(gate_rule(a, delta=0.05).p_value(b)) for a, b in zip(known, stream, strict=True)])


def excess(p_values: NDArray[np.float64], level: float) -> float:
    """How improbable so many p-values up to a level are, if no more than that share is to be expected."""
    from scipy.stats import binom

    return float(binom.sf((p_values <= level + 1e-12).sum() - 1, RUNS, level))


def test_p_values_hold_with_an_index_that_misses_neighbours(poor: index.Kept) -> None:
    """3,000 calibrations of 39 points and a fresh point each: P(p <= u) <= u, whatever the index misses."""
    rng = np.random.default_rng(7)
    points = drawn(rng, RUNS * (M + 1))
    assert recall(poor, points[:200]) < 0.8
    away = poor.distances(points, NEIGHBOURS)
    p_values = simulated(away[RUNS:], away[:RUNS])
    for level in (0.025, 0.05, 0.1, 0.25, 0.5):
        assert excess(p_values, level) > WRONG, (level, (p_values <= level).mean())
    # The other way round the test has teeth: calibrated by the exact search and asked by the index, it does not hold.
    exact = gate.distances(points[RUNS:], np.array(poor.vectors), NEIGHBOURS)
    mixed = simulated(exact, away[:RUNS])
    assert excess(mixed, 0.05) < WRONG


def test_distances_are_never_too_small_and_alone_as_in_a_crowd(poor: index.Kept) -> None:
    points = drawn(np.random.default_rng(8), 60)
    away = poor.distances(points, NEIGHBOURS)
    assert (away >= gate.distances(points, np.array(poor.vectors), NEIGHBOURS)).all()
    assert away.tolist() == [poor.distances(point[None], NEIGHBOURS)[0] for point in points]
    again = index.opened(poor.folder, source="s", embedder="e")
    assert again.name == poor.name and again.distances(points, NEIGHBOURS).tolist() == away.tolist()


def test_more_cells_are_opened_where_one_has_too_few(poor: index.Kept) -> None:
    point = drawn(np.random.default_rng(9), 1)[0]
    assert len(poor.candidates(point, 200)) >= 200
    assert len(poor.candidates(point, 3000)) == 3000


def test_a_small_set_has_no_index_and_the_name_of_a_set_in_memory(tmp_path: Path) -> None:
    known = drawn(np.random.default_rng(1), 50)
    kept = index.made(tmp_path / "small", [known], source="s", embedder="e")
    assert not kept.indexed and gate.fingerprint(kept.vectors) == gate.fingerprint(known)
    assert kept.name.startswith(gate.fingerprint(known))


def test_another_set_another_embedder_and_damage_are_refused(poor: index.Kept) -> None:
    for other in ({"source": "t", "embedder": "e"}, {"source": "s", "embedder": "f"}):
        with pytest.raises(ConfigurationError, match="another"):
            index.opened(poor.folder, **other)
    for name in ("vectors.f32", "index.faiss"):
        file = poor.folder / name
        whole = file.read_bytes()
        file.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
        with pytest.raises(ConfigurationError, match="not what was written"):
            index.opened(poor.folder, source="s", embedder="e")
        file.write_bytes(whole)
    (poor.folder / "about.json").write_text("{}")
    with pytest.raises(ConfigurationError, match="not an index"):
        index.opened(poor.folder, source="s", embedder="e")


class Letters:
    """An embedder: how often each of a few letters occurs."""

    name = "letters@1"

    def embed(self, texts: list[str]) -> Vectors:
        return np.array(
            [[1.0 + t.count(letter) for letter in "abcdefghijkl"] for t in texts], dtype=np.float32
        )


def test_a_policy_brings_its_index_back_and_refuses_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the configuration: the folder is made once, used again, and part of what a policy is for."""
    pytest.importorskip("faiss", reason="needs the extra [index]")
    from assent.config import settings as configuration
    from assent.config.references import fresh_gate, references

    monkeypatch.setattr(
        index.made, "__kwdefaults__", {**(index.made.__kwdefaults__ or {}), "exact_below": 100}
    )
    rng = np.random.default_rng(2)
    words = ["".join(rng.choice(list("abcdefghijkl"), 30)) for _ in range(460)]
    (tmp_path / "known.jsonl").write_text("".join(json.dumps({"text": w}) + "\n" for w in words[:400]))
    (tmp_path / "more.jsonl").write_text("".join(json.dumps({"text": w}) + "\n" for w in words[400:]))
    (tmp_path / "assent.toml").write_text(
        '[translator]\nmodel = "embedded"\n[gate]\nreference = "known.jsonl"\nindex = "kept"\n'
        'calibration = "more.jsonl"\n'
    )
    cfg = configuration.load(tmp_path / "assent.toml")
    assert cfg.gate is not None
    known, search = references(cfg, cfg.gate, Letters())
    assert search is not None
    made = fresh_gate(cfg, cfg.gate, Letters(), known, search)
    assert "ivf" in made.name and made.frozen().reference == search.name
    again = references(cfg, cfg.gate, Letters())
    thawed = gate.Gate.thawed(made.frozen(), Letters(), again[0], search=again[1])
    assert thawed.read("abc abc abc") == made.read("abc abc abc")
    with pytest.raises(PolicyError, match="index"):
        gate.Gate.thawed(made.frozen(), Letters(), known)
    (tmp_path / "known.jsonl").write_text((tmp_path / "known.jsonl").read_text() + '{"text": "abc"}\n')
    with pytest.raises(ConfigurationError, match="another reference set"):
        references(cfg, cfg.gate, Letters())
