"""One rule a group. A group is a fixed function of instruction and candidate, the same at run time.

A group whose rule is infeasible abstains: handing it the pooled rule would break the promise inside the
group. Only groups named beforehand, or chosen by their *size*, may share a rule, and that rule is
calibrated on their union and promises what it promises for the union. A group never seen in calibration
abstains.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from assent.calibrate import exact
from assent.calibrate.control import Labels
from assent.calibrate.metrics import expected_acceptance
from assent.calibrate.recipe import Recipe
from assent.calibrate.rules import Expected, Infeasible, Rule
from assent.errors import DataError, UsageError


@dataclass(frozen=True)
class GroupRules:
    """Rules by name; ``fallback`` sends groups that share a rule to its name. ``expected`` where it was measured."""

    rules: dict[str, Rule]
    fallback: dict[str, str] = field(default_factory=dict)
    expected: dict[str, Expected] = field(default_factory=dict)

    def rule_for(self, group: str) -> Rule:
        """The rule of a group; an unseen group is infeasible."""
        name = self.fallback.get(group, group)
        return self.rules[name] if name in self.rules else unseen(group, self.rules)


def unseen(group: str, rules: Mapping[str, Rule]) -> Infeasible:
    """The rule of a group that calibration never saw: abstain, and say so."""
    some = next(iter(rules.values()), None)
    return Infeasible(
        reason=f"group {group!r} has no calibration rows",
        alpha=some.alpha if some else 0.0,
        n=0,
        floor=1.0,
        kind=some.kind if some else "crc",
        unit=some.unit if some else "pair",
        advice=(f"label rows of group {group!r} and calibrate again; calibrated groups: {', '.join(rules)}",),
    )


def small_groups(groups: Sequence[str], minimum: int, *, name: str = "other") -> dict[str, str]:
    """Send every group of fewer than ``minimum`` rows to ``name``; by size alone, never by labels."""
    sizes = Counter(groups)
    if name in sizes:
        raise UsageError(f"a group is already called {name!r}: choose another name for the shared rule")
    return {group: name for group, size in sizes.items() if size < minimum}


def group_rules(
    scores: npt.ArrayLike,
    losses: npt.ArrayLike,
    groups: Sequence[str],
    *,
    recipe: Recipe,
    clusters: Labels | None = None,
    fallback: Mapping[str, str] | None = None,
    deferred: npt.ArrayLike | None = None,
    ties: npt.ArrayLike | None = None,
    fit: Mapping[str, npt.ArrayLike] | None = None,
    draws: int = 0,
) -> GroupRules:
    """Calibrate each group by itself, by one recipe. ``fit`` has scores of other rows by group.

    With ``draws``, the acceptance to expect is measured by making each rule again from that many resamples.
    """
    values = np.asarray(scores, dtype=np.float64)
    wrong = exact.flags(losses, len(values))
    if len(groups) != len(values):
        raise DataError(f"{len(values)} scores but {len(groups)} groups: one group for each score is needed")
    sent = dict(fallback or {})
    names = np.array([sent.get(group, group) for group in groups], dtype=object)
    labels = None if clusters is None else np.array([str(c) for c in clusters], dtype=object)
    away, marks = (None if given is None else np.asarray(given) for given in (deferred, ties))
    steps: dict[str, list[npt.ArrayLike]] = {}
    for group, found in (fit or {}).items():
        steps.setdefault(sent.get(group, group), []).append(found)
    rules: dict[str, Rule] = {}
    expected: dict[str, Expected] = {}
    for name in dict.fromkeys(names.tolist()):
        here = np.flatnonzero(names == name)
        other = None if fit is None else np.concatenate([np.zeros(0), *map(np.asarray, steps.get(name, []))])

        def make(
            rows: npt.NDArray[np.int64], inside: Labels | None, other: npt.ArrayLike | None = other
        ) -> Rule:
            hidden, marked = (None if part is None else part[rows] for part in (away, marks))
            return recipe.make(
                values[rows], wrong[rows], clusters=inside, deferred=hidden, ties=marked, fit=other
            )

        rules[name] = make(here, None if labels is None else labels[here])
        if draws:
            expected[name] = expected_acceptance(
                lambda at, numbers, here=here, make=make: make(here[at], None if labels is None else numbers),  # type: ignore[misc]
                values[here],
                seed=recipe.seed,
                clusters=None if labels is None else labels[here],
                draws=draws,
                deferred=None if away is None else away[here],
                ties=None if marks is None else marks[here],
            )
    return GroupRules(rules, sent, expected)
