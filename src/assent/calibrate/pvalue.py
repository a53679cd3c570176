"""The gate's p-value: how unusual is an instruction among those that calibrate the gate?

A distance is compared with m calibration distances; p = (1 + those at least as far)/(m + 1), or with clusters
the sum of their shares in place of the count. An instruction with p < delta is deferred.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from assent.calibrate import exact
from assent.calibrate.exact import SCALE, Flags, Level
from assent.errors import DataError, UsageError

if TYPE_CHECKING:
    from assent.calibrate.control import Labels


@dataclass(frozen=True)
class GateRule:
    """The distinct calibration distances in ticks, rising, and how much of the calibration lies at or beyond.

    Amounts are whole numbers: one unit (an instruction, or a cluster) weighs ``whole``.
    """

    delta: Fraction
    units: int
    whole: int
    steps: tuple[int, ...]
    beyond: tuple[int, ...]

    def p_value(self, distance: float) -> Fraction:
        """Exact; 1/(m + 1) beyond every calibration distance."""
        at = bisect_left(self.steps, _tick(distance))
        amount = self.beyond[at] if at < len(self.beyond) else 0
        return Fraction(self.whole + amount, self.whole * (self.units + 1))

    def defers(self, distance: float) -> bool:
        """Strictly p < delta."""
        return self.p_value(distance) < self.delta

    def defers_all(self, distances: npt.ArrayLike) -> Flags:
        """``defers`` for many distances."""
        return np.array(
            [self.defers(float(d)) for d in np.asarray(distances, dtype=np.float64)], dtype=np.bool_
        )

    @property
    def false_deferral(self) -> float:
        """A bound on the share of ordinary instructions that are deferred."""
        if self.whole > 1:
            return float(self.delta)
        return (math.ceil(self.delta * (self.units + 1)) - 1) / (self.units + 1)


def gate_rule(distances: npt.ArrayLike, *, delta: Level, clusters: Labels | None = None) -> GateRule:
    """Calibrate the gate; an error if it could never defer at this delta."""
    level = exact.level(delta, "delta")
    values = np.asarray(distances, dtype=np.float64)
    if values.ndim != 1 or not np.isfinite(values).all() or (len(values) and values.min() < 0):
        raise DataError("gate distances must be one row of finite numbers from 0 up")
    numbers, units = exact.codes(clusters, len(values)) if clusters is not None else (None, len(values))
    if not Fraction(1, units + 1) < level:
        what = "clusters" if clusters is not None else "instructions"
        remedy = f"use at least {int(1 / level)} {what}" if level > 0 else "delta must be above 0"
        raise UsageError(
            f"a gate calibrated on {units} {what} can never defer at delta = {float(level):g}: {remedy}"
        )
    keys = np.array([_tick(float(v)) for v in values], dtype=np.int64)
    sizes = np.ones(len(keys), dtype=np.int64) if numbers is None else np.bincount(numbers)[numbers]
    whole = math.lcm(*(int(m) for m in np.unique(sizes)))
    steps: list[int] = []
    beyond: list[int] = []
    total = 0
    for at in np.argsort(-keys, kind="stable").tolist():
        total += whole // int(sizes[at])
        if steps and steps[-1] == keys[at]:
            beyond[-1] = total
        else:
            steps.append(int(keys[at]))
            beyond.append(total)
    return GateRule(level, units, whole, tuple(reversed(steps)), tuple(reversed(beyond)))


def _tick(distance: float) -> int:
    if not (distance >= 0 and distance < 2**30):
        raise DataError(f"distance {distance} is not a finite number from 0 up")
    return round(distance * SCALE)
