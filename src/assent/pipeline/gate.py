"""The gate: is this instruction worded like those that were calibrated on? Asked before any model call.

D(x) is the mean Euclidean distance of the normalised embedding to the k nearest of a fixed reference set; m
further instructions calibrate it; p(x) = (1 + #{i: D(x_i) >= D(x)})/(m + 1), or the same over clusters.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from assent.calibrate.pvalue import GateRule, gate_rule
from assent.errors import ModelError, PolicyError, UsageError
from assent.policy.policy import GateSettings
from assent.records import GateReading, Instruction
from assent.vocabulary import Vocabulary

NEIGHBOURS = 10
DELTA = 0.05
MINIMUM = 20
STEPS = 2.0**20
"""Entries of unit vectors are multiples of 1/STEPS, so that sums of their squares are exact in double precision."""

Vectors = NDArray[np.float32]


class Embedder(Protocol):
    """Sentences to vectors, one row each; ``name`` goes into the fingerprint."""

    @property
    def name(self) -> str: ...

    def embed(self, texts: list[str]) -> Vectors: ...


class View(Protocol):
    """What of an instruction is compared, as text; ``name`` goes into the fingerprint."""

    @property
    def name(self) -> str: ...

    def __call__(self, case: Instruction, vocabulary: Vocabulary | None) -> str: ...


@dataclass(frozen=True)
class Gate:
    """``distances`` and ``clusters`` come from calibration; ``reference`` holds one unit vector a row."""

    embedder: Embedder
    reference: Vectors
    distances: tuple[float, ...]
    clusters: tuple[str, ...] | None = None
    neighbours: int = NEIGHBOURS
    delta: float = DELTA
    view: View | None = None

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
        return (
            fingerprint(self.reference)
            if self.view is None
            else f"{self.view.name} {fingerprint(self.reference)}"
        )

    def read(self, text: str) -> GateReading:
        """How far an instruction is, and how unusual that is."""
        distance = float(distances(vectors(self.embedder, [text]), self.reference, self.neighbours)[0])
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
            reference=fingerprint(self.reference),
            view="text" if self.view is None else self.view.name,
            joint=joint,
        )

    @classmethod
    def thawed(
        cls, stored: GateSettings, embedder: Embedder, reference: Vectors, view: View | None = None
    ) -> Gate:
        """The gate of a policy; another reference set than the one it was calibrated with is refused."""
        if fingerprint(reference) != stored.reference:
            raise PolicyError(
                "the policy's gate was calibrated with another reference set than the one given"
            )
        if stored.view != ("text" if view is None else view.name):
            raise PolicyError(
                f"the policy's gate compares the {stored.view} of instructions, which is not to be had here"
            )
        return cls(
            embedder, reference, stored.distances, stored.clusters, stored.neighbours, stored.delta, view
        )


def build(
    embedder: Embedder,
    reference: Sequence[str],
    calibration: Sequence[str],
    *,
    clusters: Sequence[str] | None = None,
    neighbours: int = NEIGHBOURS,
    delta: float = DELTA,
    view: View | None = None,
) -> Gate:
    """A gate from two disjoint lists of instructions, as the texts that ``view`` makes of them."""
    sets = {"the gate's reference set": reference, "its calibration": calibration}
    from assent.calibrate.leakage import refuse_overlap

    refuse_overlap({name: ({"text": text} for text in texts) for name, texts in sets.items()})
    if len(reference) < neighbours:
        raise UsageError(f"the gate looks at {neighbours} neighbours and has {len(reference)} references")
    known = vectors(embedder, list(reference))
    away = distances(vectors(embedder, list(calibration)), known, neighbours) if calibration else np.zeros(0)
    return Gate(
        embedder,
        known,
        tuple(float(distance) for distance in away),
        None if clusters is None else tuple(clusters),
        neighbours,
        delta,
        view,
    )


def vectors(embedder: Embedder, texts: list[str]) -> Vectors:
    """Unit vectors; a vector without direction is a failure of the embedder."""
    found = np.asarray(embedder.embed(texts), dtype=np.float32)
    if found.ndim != 2 or len(found) != len(texts):
        raise ModelError(f"the embedder {embedder.name} gave an array of shape {found.shape}")
    wide = found.astype(np.float64)
    norms = np.sqrt((wide * wide).sum(axis=1, keepdims=True))
    if not np.isfinite(found).all() or not (norms > 0).all():
        raise ModelError(f"the embedder {embedder.name} gave a vector without direction")
    unit: Vectors = (np.rint(wide / norms * STEPS) / STEPS).astype(np.float32)
    return unit


def distances(points: Vectors, reference: Vectors, neighbours: int) -> NDArray[np.float64]:
    """Mean distance of each point to its nearest references.

    One point at a time, and with sums that are exact since all terms are multiples of one small step: a reading must
    depend neither on what else is in the batch nor on the order in which a machine adds.
    """
    known = reference.astype(np.float64)
    result = np.empty(len(points))
    for row, point in enumerate(points):
        apart = known - point.astype(np.float64)
        away = np.sqrt((apart * apart).sum(axis=1))
        result[row] = math.fsum(np.partition(away, neighbours - 1)[:neighbours]) / neighbours
    return result


def fingerprint(reference: Vectors) -> str:
    """A short name for a set of vectors."""
    digest = hashlib.sha256(np.ascontiguousarray(reference, dtype=np.float32).tobytes())
    return f"{len(reference)}x{reference.shape[1]}:{digest.hexdigest()[:16]}"
