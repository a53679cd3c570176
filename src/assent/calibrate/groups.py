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
from msgspec import structs

from assent.calibrate import exact
from assent.calibrate.control import Labels
from assent.calibrate.exact import Flags
from assent.calibrate.heldout import FOLDS, REPEATS, held_out
from assent.calibrate.metrics import expected_acceptance
from assent.calibrate.recipe import Recipe
from assent.calibrate.rules import Expected, Rule, unseen
from assent.errors import DataError, UsageError

Ints = npt.NDArray[np.int64]
MANY = 1000
"""So many groups are measured more coarsely."""
FEWEST_DRAWS, MOST_RULES = 10, 200_000
"""Resamples for each group at least, and about how many rules are made for all of them together."""


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

    With ``draws``, what to expect is measured: acceptance by making each rule again from that many resamples (fewer
    where there are thousands of groups), risk and error among the accepted out of sample (``heldout``). A recipe with
    a delta holds it in each group by itself, so that in one of G groups it fails with up to G delta, or, if
    ``simultaneous``, in all of them at once.
    """
    data = _Rows.of(scores, losses, groups, clusters, fallback, deferred, ties)
    steps: dict[str, list[npt.ArrayLike]] = {}
    for group, found in (fit or {}).items():
        steps.setdefault(data.sent.get(group, group), []).append(found)
    parts = data.parts()
    own = recipe.shared_by(len(parts))
    most = min(draws, max(FEWEST_DRAWS, MOST_RULES // max(1, len(parts))))
    rules: dict[str, Rule] = {}
    expected: dict[str, Expected] = {}
    for name, here in parts.items():
        other = None if fit is None else np.concatenate([np.zeros(0), *map(np.asarray, steps.get(name, []))])
        rule = data.make(own, here, data.inside(here), other)
        if recipe.simultaneous and recipe.delta is not None:
            whole = float(exact.level(recipe.delta, "delta"))
            rule = structs.replace(rule, delta=whole, groups=len(parts))
        rules[name] = rule
        if draws:
            expected[name] = data.expect(own, here, other, most, REPEATS if len(parts) <= MANY else 1)
    return GroupRules(rules, data.sent, expected)


@dataclass(frozen=True)
class _Rows:
    """The calibration rows of all groups, checked."""

    values: npt.NDArray[np.float64]
    wrong: Flags
    names: list[str]
    labels: npt.NDArray[np.object_] | None
    away: npt.NDArray[np.bool_] | None
    marks: npt.NDArray[np.int64] | None
    sent: dict[str, str]

    @classmethod
    def of(
        cls,
        scores: npt.ArrayLike,
        losses: npt.ArrayLike,
        groups: Sequence[str],
        clusters: Labels | None,
        fallback: Mapping[str, str] | None,
        deferred: npt.ArrayLike | None,
        ties: npt.ArrayLike | None,
    ) -> _Rows:
        values = np.asarray(scores, dtype=np.float64)
        wrong = exact.flags(losses, len(values))
        if len(groups) != len(values):
            raise DataError(
                f"{len(values)} scores but {len(groups)} groups: one group for each score is needed"
            )
        sent = dict(fallback or {})
        names = [sent.get(group, group) for group in groups]
        labels = None if clusters is None else np.array([str(c) for c in clusters], dtype=object)
        away = None if deferred is None else exact.flags(deferred, len(values), "deferral")
        return cls(values, wrong, names, labels, away, None if ties is None else np.asarray(ties), sent)

    def parts(self) -> dict[str, Ints]:
        """The positions of each group, in the order of their first rows; one sort for all of them."""
        codes, count = exact.codes(self.names, len(self.names))
        order = np.argsort(codes, kind="stable")
        ends = np.searchsorted(codes[order], np.arange(count), side="right")
        return {self.names[rows[0]]: rows for rows in np.split(order, ends[:-1]) if len(rows)}

    def inside(self, rows: Ints) -> Labels | None:
        return None if self.labels is None else self.labels[rows]

    def make(self, recipe: Recipe, rows: Ints, inside: Labels | None, fit: npt.ArrayLike | None) -> Rule:
        hidden = None if self.away is None else self.away[rows]
        marked = None if self.marks is None else self.marks[rows]
        return recipe.make(
            self.values[rows], self.wrong[rows], clusters=inside, deferred=hidden, ties=marked, fit=fit
        )

    def expect(
        self, recipe: Recipe, here: Ints, fit: npt.ArrayLike | None, draws: int, repeats: int
    ) -> Expected:
        """Acceptance over resamples; risk and error among the accepted over held-out folds."""

        def again(at: Ints, numbers: Ints) -> Rule:
            return self.make(recipe, here[at], None if self.labels is None else numbers, fit)

        away, marks = (None if part is None else part[here] for part in (self.away, self.marks))
        resampled = expected_acceptance(
            again,
            self.values[here],
            seed=recipe.seed,
            clusters=self.inside(here),
            draws=draws,
            deferred=away,
            ties=marks,
        )
        outside = held_out(
            again,
            self.values[here],
            self.wrong[here],
            seed=recipe.seed,
            clusters=self.inside(here),
            deferred=away,
            ties=marks,
            folds=FOLDS if repeats > 1 else FOLDS // 2,
            repeats=repeats,
        )
        return structs.replace(resampled, risk=outside.risk, error=outside.error, unit=outside.unit)
