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

from assent.calibrate.control import Labels, capped, cluster_crc, crc
from assent.calibrate.exact import Level
from assent.calibrate.rules import Infeasible, Rule
from assent.calibrate.selective import high_probability
from assent.errors import DataError, UsageError


@dataclass(frozen=True)
class GroupRules:
    """Rules by name; ``fallback`` sends groups that share a rule to its name."""

    rules: dict[str, Rule]
    fallback: dict[str, str] = field(default_factory=dict)

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
    alpha: Level,
    clusters: Labels | None = None,
    fallback: Mapping[str, str] | None = None,
    over_pairs: bool = False,
    deferred: npt.ArrayLike | None = None,
    ties: npt.ArrayLike | None = None,
    delta: Level | None = None,
    seed: int = 0,
) -> GroupRules:
    """Calibrate each group by itself; over clusters if they are declared, unless ``over_pairs`` insists.

    With ``delta`` each rule is the high-probability one, on one random member of each cluster.
    """
    values, wrong = np.asarray(scores), np.asarray(losses)
    if len(groups) != len(values):
        raise DataError(f"{len(values)} scores but {len(groups)} groups: one group for each score is needed")
    sent = dict(fallback or {})
    names = np.array([sent.get(group, group) for group in groups], dtype=object)
    labels = None if clusters is None else np.array([str(c) for c in clusters], dtype=object)
    away, marks = (None if given is None else np.asarray(given) for given in (deferred, ties))
    rules: dict[str, Rule] = {}
    for name in dict.fromkeys(names.tolist()):
        here = np.flatnonzero(names == name)
        if delta is not None and labels is not None and not over_pairs:
            here = here[capped(labels[here], 1, seed=seed)]
        hidden = None if away is None else away[here]
        marked = None if marks is None else marks[here]
        inside = None if labels is None else labels[here]
        if delta is not None:
            rules[name] = high_probability(
                values[here], wrong[here], alpha=alpha, delta=delta, deferred=hidden, ties=marked
            )
        elif inside is None or over_pairs:
            rules[name] = crc(
                values[here], wrong[here], alpha=alpha, clusters=inside, deferred=hidden, ties=marked
            )
        else:
            rules[name] = cluster_crc(
                values[here], wrong[here], inside, alpha=alpha, deferred=hidden, ties=marked
            )
    return GroupRules(rules, sent)
