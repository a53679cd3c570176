"""Which rule is made, and what it needs beside the data: one place for every way to calibrate a group."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import numpy.typing as npt
from msgspec import structs

from assent.calibrate import exact
from assent.calibrate.control import Labels, capped, cluster_crc, crc, pair_weighted_crc
from assent.calibrate.exact import MAX_TIE, Level
from assent.calibrate.means import cluster_high_probability
from assent.calibrate.rules import Infeasible, Rule
from assent.calibrate.selective import climb_grid, conditional, high_probability
from assent.errors import UsageError

Name = Literal["risk", "high-probability", "cluster-high-probability", "conditional", "pair-weighted"]
NOTHING_BELOW = "no score that passes the gate is at or below the ceiling"
NAMES: tuple[Name, ...] = (
    "risk",
    "high-probability",
    "cluster-high-probability",
    "conditional",
    "pair-weighted",
)
CERTAIN: tuple[Name, ...] = ("high-probability", "cluster-high-probability", "conditional")
"""The rules that hold with probability 1 - delta."""


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """``risk`` is conformal risk control over clusters where they are declared, else (or ``over_pairs``) over pairs.

    ``high-probability`` and ``conditional`` hold with probability 1 - ``delta`` and use one random member of each
    cluster; ``cluster-high-probability`` uses all members of each (domains as clusters); ``pair-weighted`` uses at
    most ``max_size`` of each. Scores above ``ceiling``, which is fixed beforehand, are never accepted, even where the
    promise would hold without it. ``simultaneous``: delta is for all groups at once (each is calibrated at delta
    divided by their number), not for each by itself.
    """

    alpha: Level
    name: Name = "risk"
    delta: Level | None = None
    over_pairs: bool = False
    max_size: int | None = None
    ceiling: float = 1.0
    seed: int = 0
    simultaneous: bool = False

    def __post_init__(self) -> None:
        exact.level(self.alpha)
        certain = self.name in CERTAIN
        if certain != (self.delta is not None):
            raise UsageError(f"the rule {self.name!r} {'needs a' if certain else 'takes no'} delta")
        if self.delta is not None and not 0 < exact.level(self.delta, "delta") < 1:
            raise UsageError(f"delta must lie between 0 and 1, not {self.delta}")
        if self.simultaneous and self.delta is None:
            raise UsageError("only a rule with a delta can hold for all groups at once")
        if (self.name == "pair-weighted") != (self.max_size is not None):
            needs = "needs" if self.max_size is None else "takes no"
            raise UsageError(f"the rule {self.name!r} {needs} largest size of a cluster")
        if not 0 <= self.ceiling <= 1:
            raise UsageError(f"scores lie between 0 and 1, and so does their ceiling, not at {self.ceiling}")
        if self.max_size is not None and (self.max_size < 1 or self.over_pairs):
            raise UsageError("pair-weighted calibrates over clusters of at most 1 or more members")

    def shared_by(self, groups: int) -> Recipe:
        """The recipe for one of so many groups: itself, or with its part of a simultaneous delta."""
        if not self.simultaneous or self.delta is None or groups < 2:
            return self
        return replace(self, delta=exact.level(self.delta, "delta") / groups)

    def make(
        self,
        scores: npt.NDArray[np.float64],
        wrong: npt.NDArray[np.bool_],
        *,
        clusters: Labels | None = None,
        deferred: npt.NDArray[np.bool_] | None = None,
        ties: npt.NDArray[np.int64] | None = None,
        fit: npt.ArrayLike | None = None,
    ) -> Rule:
        """The rule for one group; ``fit`` are scores of other rows, from which ``conditional`` takes its steps.

        ``deferred`` marks *every* row that is not accepted whatever its score: deferred by the gate, withheld by a
        doubt, failed. Withholding afterwards keeps a promise about joint risk, but not one about the error among the
        accepted: what is withheld may be what was right.
        """
        if self.ceiling == 1.0:
            return self._make(scores, wrong, clusters, deferred, ties, fit)
        top = exact.tick(self.ceiling)
        above = exact.ticks(scores) > top  # turned away beforehand, as by a gate
        away = above if deferred is None else above | deferred
        rule = self._make(scores, wrong, clusters, away, ties, fit)
        if isinstance(rule, Infeasible):
            return structs.replace(rule, reason=NOTHING_BELOW, advice=()) if away.all() else rule
        if exact.tick(rule.value) <= top:
            return rule
        return structs.replace(rule, value=top / exact.SCALE, tie=None if rule.tie is None else MAX_TIE)

    def _make(
        self,
        scores: npt.NDArray[np.float64],
        wrong: npt.NDArray[np.bool_],
        clusters: Labels | None,
        deferred: npt.NDArray[np.bool_] | None,
        ties: npt.NDArray[np.int64] | None,
        fit: npt.ArrayLike | None,
    ) -> Rule:
        inside = None if self.over_pairs and self.name != "risk" else clusters
        cap = {"high-probability": 1, "conditional": 1, "pair-weighted": self.max_size}.get(self.name)
        if inside is not None and cap is not None:
            here = capped(inside, cap, seed=self.seed)
            inside = np.asarray(inside)[here]
            scores, wrong = scores[here], wrong[here]
            deferred = None if deferred is None else deferred[here]
            ties = None if ties is None else ties[here]
        match self.name:
            case "high-probability":
                assert self.delta is not None
                return high_probability(
                    scores, wrong, alpha=self.alpha, delta=self.delta, deferred=deferred, ties=ties
                )
            case "cluster-high-probability":
                if inside is None or self.delta is None:
                    raise UsageError("high probability over clusters needs the cluster of every row")
                return cluster_high_probability(
                    scores, wrong, inside, alpha=self.alpha, delta=self.delta, deferred=deferred, ties=ties
                )
            case "conditional":
                return self._conditional(scores, wrong, deferred, ties, fit)
            case "pair-weighted":
                if inside is None or self.max_size is None:
                    raise UsageError("pair-weighted calibration needs the cluster of every row")
                return pair_weighted_crc(
                    scores,
                    wrong,
                    inside,
                    alpha=self.alpha,
                    max_size=self.max_size,
                    deferred=deferred,
                    ties=ties,
                )
            case _ if inside is None or self.over_pairs:
                return crc(scores, wrong, alpha=self.alpha, clusters=inside, deferred=deferred, ties=ties)
            case _:
                return cluster_crc(scores, wrong, inside, alpha=self.alpha, deferred=deferred, ties=ties)

    def _conditional(
        self,
        scores: npt.NDArray[np.float64],
        wrong: npt.NDArray[np.bool_],
        deferred: npt.NDArray[np.bool_] | None,
        ties: npt.NDArray[np.int64] | None,
        fit: npt.ArrayLike | None,
    ) -> Rule:
        assert self.delta is not None
        if ties is not None:
            raise UsageError("the conditional rule climbs fixed steps and breaks no ties")
        if fit is None:
            raise UsageError("the conditional rule needs scores of other rows, which fix its steps")
        passing = len(scores) if deferred is None else int((~deferred).sum())
        grid = climb_grid(fit, n=passing, alpha=self.alpha, delta=self.delta)
        return conditional(scores, wrong, grid, alpha=self.alpha, delta=self.delta, deferred=deferred)
