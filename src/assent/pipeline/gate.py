"""The gate: is this instruction worded like those that were calibrated on? Asked before any model call.

D(x) is the mean Euclidean distance of the normalised embedding to the k nearest of a fixed reference set; m
further instructions calibrate it; p(x) = (1 + #{i: D(x_i) >= D(x)})/(m + 1), or the same over clusters.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from assent.calibrate.rules import GateRule, gate_rule
from assent.errors import ModelError, PolicyError, UsageError
from assent.policy.policy import GateSettings
from assent.prompting import EmbedderRole
from assent.records import GateReading, Instruction
from assent.samebits import nearest_mean
from assent.vocabulary import Vocabulary

NEIGHBOURS = 10
DELTA = 0.05
MINIMUM = 20
STEPS = 2.0**20
"""Entries of unit vectors are multiples of 1/STEPS, so that sums of their squares are exact in double precision."""

AT_ONCE = 65_536
"""Rows that are turned into double precision at once."""

Vectors = NDArray[np.float32]


class Search(Protocol):
    """How the nearest of a large reference set are found; ``name`` says which set, and how, to the last bit."""

    @property
    def name(self) -> str: ...

    def distances(self, points: Vectors, neighbours: int) -> NDArray[np.float64]: ...


class View(Protocol):
    """What of an instruction is compared, as text; ``name`` goes into the fingerprint."""

    @property
    def name(self) -> str: ...

    def __call__(self, case: Instruction, vocabulary: Vocabulary | None) -> str: ...


@dataclass(frozen=True)
class Gate:
    """``distances`` and ``clusters`` come from calibration; ``reference`` holds one unit vector a row.

    With ``search`` (an index of the reference set) calibration and stream are scored by that one: the p-value holds
    for any fixed score, also for one that misses some of the nearest.
    """

    embedder: EmbedderRole
    reference: Vectors
    distances: tuple[float, ...]
    clusters: tuple[str, ...] | None = None
    neighbours: int = NEIGHBOURS
    delta: float = DELTA
    view: View | None = None
    search: Search | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.neighbours <= len(self.reference):
            raise UsageError(
                f"the gate looks at {self.neighbours} neighbours and has {len(self.reference)} references"
            )
        if self.rule.units < MINIMUM:
            raise UsageError(
                f"a gate is calibrated on at least {MINIMUM} instructions or clusters, better 200"
            )

    @cached_property
    def rule(self) -> GateRule:
        """Distances to p-values; refuses a gate that could never defer."""
        return gate_rule(self.distances, delta=self.delta, clusters=self.clusters)

    @property
    def name(self) -> str:
        """What the readings depend on besides the embedder: the reference set, and what is compared with it."""
        return self.known if self.view is None else f"{self.view.name} {self.known}"

    @cached_property
    def known(self) -> str:
        """The reference set, and the index if it is searched by one."""
        return fingerprint(self.reference) if self.search is None else self.search.name

    @cached_property
    def _searched(self) -> Exact | Search:
        return self.search or Exact(self.reference)

    def read(self, text: str) -> GateReading:
        """The distance of a text to the reference set, and its p-value among the calibration's distances."""
        distance = float(self._searched.distances(vectors(self.embedder, [text]), self.neighbours)[0])
        return GateReading(distance, float(self.rule.p_value(distance)))

    def measure(self, case: Instruction, vocabulary: Vocabulary | None) -> GateReading:
        """``read`` of what is to be compared of an instruction: its text, or its wording without names and numbers."""
        return self.read(case.text if self.view is None else self.view(case, vocabulary))

    def frozen(self, *, joint: bool = False) -> GateSettings:
        """The part of the gate that a policy stores."""
        return GateSettings(
            neighbours=self.neighbours,
            delta=self.delta,
            distances=self.distances,
            clusters=self.clusters,
            reference=self.known,
            view="text" if self.view is None else self.view.name,
            joint=joint,
        )

    @classmethod
    def thawed(
        cls,
        stored: GateSettings,
        embedder: EmbedderRole,
        reference: Vectors,
        view: View | None = None,
        search: Search | None = None,
    ) -> Gate:
        """The gate of a policy; another reference set or index than the one it was calibrated with is refused."""
        if (fingerprint(reference) if search is None else search.name) != stored.reference:
            raise PolicyError(
                "the policy's gate was calibrated with another reference set (or index of it) than the one given"
            )
        if stored.view != ("text" if view is None else view.name):
            raise PolicyError(
                f"the policy's gate compares the {stored.view} of instructions, which is not to be had here"
            )
        return cls(
            embedder,
            reference,
            stored.distances,
            stored.clusters,
            stored.neighbours,
            stored.delta,
            view,
            search,
        )


def build(
    embedder: EmbedderRole,
    reference: Sequence[str],
    calibration: Sequence[str],
    *,
    clusters: Sequence[str] | None = None,
    neighbours: int = NEIGHBOURS,
    delta: float = DELTA,
    view: View | None = None,
) -> Gate:
    """A gate from two disjoint lists of instructions, as the texts that ``view`` makes of them."""
    if len(reference) < neighbours:
        raise UsageError(f"the gate looks at {neighbours} neighbours and has {len(reference)} references")
    refuse_known(reference, calibration)
    reference_vectors = vectors(embedder, list(reference))
    return calibrated(
        embedder,
        reference_vectors,
        calibration,
        clusters=clusters,
        neighbours=neighbours,
        delta=delta,
        view=view,
    )


def refuse_known(reference: Iterable[str], calibration: Iterable[str]) -> None:
    """LeakageError where an instruction is to calibrate a gate and stands in its reference set."""
    from assent.calibrate.leakage import refuse_overlap

    sets = {"the gate's reference set": reference, "its calibration": calibration}
    refuse_overlap({name: ({"text": text} for text in texts) for name, texts in sets.items()})


def calibrated(
    embedder: EmbedderRole,
    reference: Vectors,
    calibration: Sequence[str],
    *,
    clusters: Sequence[str] | None = None,
    neighbours: int = NEIGHBOURS,
    delta: float = DELTA,
    view: View | None = None,
    search: Search | None = None,
) -> Gate:
    """A gate from reference vectors (with an index of them, or without) and the texts that calibrate it."""
    points = vectors(embedder, list(calibration)) if calibration else np.zeros((0, reference.shape[1]))
    away = (search or Exact(reference)).distances(points.astype(np.float32), neighbours)
    return Gate(
        embedder,
        reference,
        tuple(away.tolist()),
        None if clusters is None else tuple(clusters),
        neighbours,
        delta,
        view,
        search,
    )


def vectors(embedder: EmbedderRole, texts: list[str]) -> Vectors:
    """Unit vectors; a vector without direction is a failure of the embedder."""
    raw = np.asarray(embedder.embed(texts), dtype=np.float32)
    if raw.ndim != 2 or len(raw) != len(texts):
        raise ModelError(f"the embedder {embedder.name} gave an array of shape {raw.shape}")
    wide = raw.astype(np.float64)
    norms = np.sqrt((wide * wide).sum(axis=1, keepdims=True))
    if not np.isfinite(raw).all() or not (norms > 0).all():
        raise ModelError(f"the embedder {embedder.name} gave a vector without direction")
    unit: Vectors = (np.rint(wide / norms * STEPS) / STEPS).astype(np.float32)
    return unit


def distances(points: Vectors, reference: Vectors, neighbours: int) -> NDArray[np.float64]:
    """Mean distance of each point to its nearest references.

    One point at a time, and with sums that are exact since all terms are multiples of one small step: a reading must
    depend neither on what else is in the batch nor on the order in which a machine adds.
    """
    return Exact(reference).distances(points, neighbours)


class Exact:
    """Every reference is looked at: roughly, in single precision, and those that can be among the nearest exactly.

    The rough look is off by less than a bound that holds for every order of adding; what lies within twice of it is
    looked at again, so that the nearest are always among those.
    """

    def __init__(self, reference: Vectors) -> None:
        self._reference = reference
        parts = (reference[at : at + AT_ONCE].astype(np.float64) for at in range(0, len(reference), AT_ONCE))
        self._squares = np.concatenate([(part * part).sum(axis=1) for part in parts])
        self._longest = math.sqrt(float(self._squares.max()))

    def distances(self, points: Vectors, neighbours: int) -> NDArray[np.float64]:
        """The mean distance of each point to so many of its nearest."""
        means = [
            nearest_mean(point, self._reference[self.near(point, neighbours)], neighbours) for point in points
        ]
        return np.array(means, dtype=np.float64)

    def near(self, point: Vectors, neighbours: int = NEIGHBOURS) -> NDArray[np.int64]:
        """Indices of the nearest references, and of all that rounding might place among them."""
        length = math.sqrt(float((point.astype(np.float64) ** 2).sum()))
        off = (
            4 * len(point) * 2.0**-24 * self._longest * length
        )  # twice that of a dot product, and as much again
        rough = self._squares - 2.0 * (self._reference @ point).astype(np.float64)
        return np.flatnonzero(rough <= np.partition(rough, neighbours - 1)[neighbours - 1] + 2 * off)


def fingerprint(reference: Vectors) -> str:
    """A short name for a set of vectors."""
    digest = hashlib.sha256(np.ascontiguousarray(reference, dtype=np.float32).tobytes())
    return f"{len(reference)}x{reference.shape[1]}:{digest.hexdigest()[:16]}"
