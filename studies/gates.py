"""The gate's power against shifted streams, for each embedder, and its false deferral without shift.

For every pair of streams the home stream is cut into three equal parts at random, again and again: reference, calibration
and test. The gate is the product's: mean distance to the ten nearest references, a conformal p-value, deferred below delta.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

import embeddings
import numpy as np
import numpy.typing as npt
import streams
from streams import Shift

from assent.calibrate.rules import gate_rule
from assent.config.build import embedded_embed
from assent.evaluate.table import Between
from assent.pipeline.gate import NEIGHBOURS

DELTA = 0.05
SEED = 20260101
RESPLITS = 50
SHIPPED = "wordllama (shipped)"
OWN = "our own encoder"
Vectors = npt.NDArray[np.float32]


def vectors(texts: Sequence[str]) -> tuple[dict[str, Vectors], list[str]]:
    """Vectors by embedder, and what is missing here, with the reason."""
    found: dict[str, Vectors] = {SHIPPED: np.asarray(embedded_embed()(list(texts)), dtype=np.float32)}
    missing = []
    try:
        found[OWN] = embeddings.own_encoder(texts)[1]
    except (ImportError, OSError) as error:
        missing.append(f"{OWN} ({error})")
    for name, shown in (("minilm", "MiniLM"), ("mpnet", "mpnet")):
        known = embeddings.stored(name)
        keys = [embeddings.key(text) for text in texts]
        lacking = sum(key not in known for key in keys)
        if lacking:
            missing.append(
                f"{shown} (vectors of {lacking} of {len(keys)} sentences are missing: "
                f"python studies/embeddings.py --fetch {name})"
            )
        else:
            found[shown] = np.array([known[key] for key in keys])
    return found, missing


@dataclass(frozen=True)
class FalseDeferral:
    """The share deferred without shift, with the middle 95 % of the resplits, by embedder."""

    stream: str
    sentences: int
    embedders: Annotated[Mapping[str, Between], "{}"]


@dataclass(frozen=True)
class Moved:
    """The share deferred of one shifted stream, by embedder."""

    shift: str
    calibrated_on: str
    stream: str
    embedders: Annotated[Mapping[str, float], "{}"]


@dataclass(frozen=True)
class GatePower:
    """One embedder: false deferral with an interval, and the mean share deferred by kind of shift."""

    embedder: str
    false_deferral: float
    low: float
    high: float
    kinds: Annotated[Mapping[str, float], "{}"]
    mean_of_the_kinds: float


def power() -> tuple[list[FalseDeferral], list[Moved], list[GatePower], list[str]]:
    """False deferral by home stream, power by shift, a summary by embedder; and what is missing."""
    known = streams.streams()
    shifts = streams.shifts(known)
    texts = streams.texts_of(known)
    place = {text: i for i, text in enumerate(texts)}
    by_name, missing = vectors(texts)
    false: dict[str, dict[str, npt.NDArray[np.float64]]] = {}
    moved: dict[Shift, dict[str, float]] = {}
    for name, all_vectors in by_name.items():
        for home in dict.fromkeys(shift.home for shift in shifts):
            mine = [shift for shift in shifts if shift.home == home]
            inside = all_vectors[[place[text] for text in known[home]]]
            outside = [all_vectors[[place[t] for t in known[shift.away][: streams.AWAY]]] for shift in mine]
            same, away = _deferred(inside, outside)
            false.setdefault(home, {})[name] = same
            for shift, share in zip(mine, away, strict=True):
                moved.setdefault(shift, {})[name] = share
    return _false(false, known), _moved(moved), _summary(false, moved), missing


def _deferred(
    inside: Vectors, outside: Sequence[Vectors]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Share deferred in each resplit without shift, and the mean share of each shifted stream."""
    rng = np.random.default_rng(SEED)
    n = len(inside)
    everything = np.concatenate([inside, *outside]).astype(np.float64)
    apart = np.sqrt(np.clip(2 - 2 * everything @ everything[:n].T, 0, None))
    ends = np.cumsum([n, *(len(part) for part in outside)])
    same, away = [], []
    for _ in range(RESPLITS):
        reference, calibration, test = np.array_split(rng.permutation(n), 3)
        near = np.partition(apart[:, reference], NEIGHBOURS - 1, axis=1)[:, :NEIGHBOURS].mean(axis=1)
        rule = gate_rule(near[calibration], delta=DELTA)
        same.append(float(np.mean(rule.defers_all(near[test]))))
        away.append(
            [
                float(np.mean(rule.defers_all(near[a:b])))
                for a, b in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True)
            ]
        )
    return np.array(same), np.array(away).mean(axis=0)


def _false(
    found: dict[str, dict[str, npt.NDArray[np.float64]]], known: dict[str, list[str]]
) -> list[FalseDeferral]:
    def interval(shares: npt.NDArray[np.float64]) -> Between:
        low, high = np.quantile(shares, [0.025, 0.975])
        return Between(float(shares.mean()), float(low), float(high))

    return [
        FalseDeferral(home, len(known[home]), {name: interval(shares) for name, shares in by_name.items()})
        for home, by_name in found.items()
    ]


def _moved(found: dict[Shift, dict[str, float]]) -> list[Moved]:
    return [Moved(shift.kind, shift.home, shift.away, by_name) for shift, by_name in found.items()]


def _summary(
    false: dict[str, dict[str, npt.NDArray[np.float64]]], moved: dict[Shift, dict[str, float]]
) -> list[GatePower]:
    out: list[GatePower] = []
    for name in next(iter(moved.values())):
        kinds: dict[str, list[float]] = {}
        for shift, shares in moved.items():
            kinds.setdefault(shift.kind, []).append(shares[name])
        every = np.array([by_name[name].mean() for by_name in false.values()])
        mean, half = float(every.mean()), 1.96 * float(every.std(ddof=1) / np.sqrt(len(every)))
        means = {kind: float(np.mean(shares)) for kind, shares in kinds.items()}
        out.append(
            GatePower(name, mean, mean - half, mean + half, means, float(np.mean(list(means.values()))))
        )
    return out


def verdict(rows: Sequence[GatePower]) -> str:
    """What the figures say about the shipped embedder."""
    order = sorted(rows, key=lambda row: -row.mean_of_the_kinds)
    ranks = ", ".join(f"{row.embedder} {row.mean_of_the_kinds:.3f}" for row in order)
    fixed = [row.embedder for row in order if row.embedder != OWN]
    place = "the strongest" if fixed[0] == SHIPPED else f"number {fixed.index(SHIPPED) + 1}"
    text = f"Mean share deferred over the kinds of shift: {ranks}. "
    if order[0].embedder == OWN:
        text += (
            "Our own encoder is ahead, but it changes with every training run and with it every gate, and the run-time "
            "library does not give its states away. "
        )
    return text + (
        f"Among the embedders that stay as they are, the shipped one is {place} of {len(fixed)}, and the only one that "
        "needs no network to run (16 MB, thousands of sentences a second)."
    )
