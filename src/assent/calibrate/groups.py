"""One rule a group. A group is a fixed function of instruction and candidate, the same at run time.

A group whose rule is infeasible abstains: handing it the pooled rule would break the promise inside the
group. Only groups named beforehand, or chosen by their *size*, may share a rule, and that rule is
calibrated on their union and promises what it promises for the union. A group never seen in calibration
abstains.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

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


@dataclass(frozen=True)
class GroupColumn:
    """The group of each row as the place of its name."""

    names: tuple[str, ...]
    codes: npt.NDArray[Any]

    @classmethod
    def of(cls, groups: Sequence[str] | GroupColumn) -> GroupColumn:
        if isinstance(groups, GroupColumn):
            return groups
        return cls(tuple(dict.fromkeys(groups)), exact.codes(groups, len(groups))[0])

    def __len__(self) -> int:
        return len(self.codes)

    def sent(self, other: Mapping[str, str]) -> GroupColumn:
        """The same rows where some groups go to others; each name once."""
        names = [other.get(name, name) for name in self.names]
        places = {name: place for place, name in enumerate(dict.fromkeys(names))}
        table = np.array([places[name] for name in names], dtype=np.min_scalar_type(len(names)))
        return GroupColumn(tuple(places), table[self.codes])

    def equal(self, name: str) -> Flags:
        """Which rows are in a group."""
        return np.asarray(np.array([one == name for one in self.names])[self.codes], dtype=np.bool_)


def small_groups(groups: Sequence[str] | GroupColumn, minimum: int, *, name: str = "other") -> dict[str, str]:
    """Send every group of fewer than ``minimum`` rows to ``name``; by size alone, never by labels."""
    column = GroupColumn.of(groups).sent({})
    counts = np.bincount(column.codes, minlength=len(column.names))
    first = exact.firsts(column.codes, len(column.names))
    sizes = {column.names[at]: int(counts[at]) for at in np.argsort(first).tolist() if counts[at]}
    if name in sizes:
        raise UsageError(f"a group is already called {name!r}: choose another name for the shared rule")
    return {group: name for group, size in sizes.items() if size < minimum}


def group_rules(
    scores: npt.ArrayLike,
    losses: npt.ArrayLike,
    groups: Sequence[str] | GroupColumn,
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
    for name, rows in parts.items():
        part = data.part(rows)
        other = None if fit is None else np.concatenate([np.zeros(0), *map(np.asarray, steps.get(name, []))])
        rule = part.make(own, other)
        if recipe.simultaneous and recipe.delta is not None:
            whole = float(exact.level(recipe.delta, "delta"))
            rule = structs.replace(rule, delta=whole, groups=len(parts))
        rules[name] = rule
        if draws:
            expected[name] = part.expect(own, other, most, REPEATS if len(parts) <= MANY else 1)
    return GroupRules(rules, data.sent, expected)


@dataclass(frozen=True)
class _Rows:
    """The calibration rows of all groups, checked."""

    values: npt.NDArray[np.float64]
    wrong: Flags
    groups: GroupColumn
    labels: Ints | None
    away: npt.NDArray[np.bool_] | None
    marks: npt.NDArray[np.int64] | None
    sent: dict[str, str]

    @classmethod
    def of(
        cls,
        scores: npt.ArrayLike,
        losses: npt.ArrayLike,
        groups: Sequence[str] | GroupColumn,
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
        column = GroupColumn.of(groups).sent(sent)
        labels = None if clusters is None else _numbers(clusters)
        away = None if deferred is None else exact.flags(deferred, len(values), "deferral")
        return cls(values, wrong, column, labels, away, None if ties is None else np.asarray(ties), sent)

    def parts(self) -> dict[str, Ints]:
        """The positions of each group, in the order of their first rows; one sort for all of them."""
        codes, names = self.groups.codes, self.groups.names
        order = np.argsort(codes, kind="stable")
        order = order.astype(np.int32) if len(order) < 1 << 31 else order
        ends = np.searchsorted(codes[order], np.arange(len(names)), side="right")
        parts = [rows for rows in np.split(order, ends[:-1]) if len(rows)]  # views of one array
        return {names[codes[rows[0]]]: rows for rows in sorted(parts, key=lambda rows: int(rows[0]))}

    def part(self, rows: Ints) -> _Part:
        """One group by itself; nothing is copied where there is no other."""
        if len(rows) == len(self.values):
            inside = None if self.labels is None else exact.renumbered(self.labels)
            return _Part(self.values, self.wrong, inside, self.away, self.marks)
        return _Part(
            self.values[rows],
            self.wrong[rows],
            None if self.labels is None else exact.renumbered(self.labels[rows]),
            None if self.away is None else self.away[rows],
            None if self.marks is None else self.marks[rows],
        )


@dataclass(frozen=True)
class _Part:
    """The rows of one group; ``inside`` are their clusters, numbered in the order in which they first occur."""

    values: npt.NDArray[np.float64]
    wrong: Flags
    inside: Ints | None
    away: Flags | None
    marks: Ints | None

    def make(self, recipe: Recipe, fit: npt.ArrayLike | None) -> Rule:
        return recipe.make(
            self.values, self.wrong, clusters=self.inside, deferred=self.away, ties=self.marks, fit=fit
        )

    def expect(self, recipe: Recipe, fit: npt.ArrayLike | None, draws: int, repeats: int) -> Expected:
        """Acceptance over resamples; risk and error among the accepted over held-out folds."""

        def again(at: npt.NDArray[np.integer[Any]], numbers: Ints) -> Rule:
            away, marks = (None if part is None else part[at] for part in (self.away, self.marks))
            inside = None if self.inside is None else numbers
            return recipe.make(
                self.values[at], self.wrong[at], clusters=inside, deferred=away, ties=marks, fit=fit
            )

        resampled = expected_acceptance(
            again,
            self.values,
            seed=recipe.seed,
            clusters=self.inside,
            draws=draws,
            deferred=self.away,
            ties=self.marks,
        )
        outside = held_out(
            again,
            self.values,
            self.wrong,
            seed=recipe.seed,
            clusters=self.inside,
            deferred=self.away,
            ties=self.marks,
            folds=FOLDS if repeats > 1 else FOLDS // 2,
            repeats=repeats,
        )
        return structs.replace(resampled, risk=outside.risk, error=outside.error, unit=outside.unit)


def _numbers(clusters: Labels) -> Ints:
    """Clusters as whole numbers: by their names, and as they are where they are whole numbers already."""
    if isinstance(clusters, np.ndarray) and clusters.dtype.kind in "iu":
        return clusters.astype(np.int64, copy=False)
    known: dict[str, int] = {}
    return np.fromiter((known.setdefault(str(c), len(known)) for c in clusters), dtype=np.int64)
