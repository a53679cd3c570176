"""The gate's p-value: how unusual is an instruction among those that calibrate the gate?

A distance is compared with m calibration distances; p = (1 + those at least as far)/(m + 1), or with clusters
the sum of their shares in place of the count. An instruction with p < delta is deferred.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from assent.calibrate import exact
from assent.calibrate.control import Labels
from assent.calibrate.exact import SCALE, Flags, Level
from assent.errors import DataError, UsageError


@dataclass(frozen=True)
class GateRule:
    """The distinct calibration distances in ticks, rising, and the p-value at each of them."""

    delta: Fraction
    units: int
    steps: tuple[int, ...]
    values: tuple[Fraction, ...]

    def p_value(self, distance: float) -> Fraction:
        """Exact; 1/(m + 1) beyond every calibration distance."""
        at = bisect_left(self.steps, _tick(distance))
        return self.values[at] if at < len(self.values) else Fraction(1, self.units + 1)

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
        if any(value.denominator > self.units + 1 for value in self.values):
            return float(self.delta)
        return (-(-(self.delta * (self.units + 1)) // 1) - 1) / (self.units + 1)


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
    shares = (
        [Fraction(1)] * len(keys)
        if numbers is None
        else [Fraction(1, int(m)) for m in np.bincount(numbers)[numbers]]
    )
    steps: list[int] = []
    running: list[Fraction] = []
    total = Fraction(0)
    for at in np.argsort(-keys, kind="stable"):
        total += shares[at]
        key = int(keys[at])
        if steps and steps[-1] == key:
            running[-1] = (1 + total) / (units + 1)
        else:
            steps.append(key)
            running.append((1 + total) / (units + 1))
    return GateRule(level, units, tuple(reversed(steps)), tuple(reversed(running)))


def _tick(distance: float) -> int:
    if not (distance >= 0 and distance < 2**30):
        raise DataError(f"distance {distance} is not a finite number from 0 up")
    return round(distance * SCALE)
