"""Labels that come from use: who was looked at, with which probability, and what was found.

Whether somebody looks is our own coin, thrown before the item is shown, with a probability that may depend on
what is known by then (score, decision, cluster) and never on the label. Three things follow, and ``reviewed``
holds everyone to them. An item that could be accepted and whose probability is unknown is refused. A label
given without a draw (hand-picked, volunteered) does not count. An item drawn and never answered counts as
wrong.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from assent.calibrate import exact
from assent.calibrate.control import Labels
from assent.calibrate.exact import SCALE, Flags, Level, Ticks
from assent.errors import DataError, UsageError

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class DrawPlan:
    """The least probability with which an item is drawn, by score, fixed before the first draw.

    ``steps`` are (score in ticks, probability): items up to that score and above the step before are drawn with
    at least that probability. The last step ends at 1.
    """

    steps: tuple[tuple[int, Fraction], ...]

    @classmethod
    def of(cls, least: Level | Sequence[tuple[float, Level]]) -> DrawPlan:
        """One probability for all scores, or rising (score, probability) steps, the last at score 1."""
        given = [(1.0, least)] if isinstance(least, Level) else list(least)
        steps = tuple((exact.tick(top), exact.level(chance, "the probability")) for top, chance in given)
        tops = [top for top, _ in steps]
        if not steps or tops[-1] != SCALE or tops != sorted(set(tops)):
            raise UsageError("a plan of draws has rising scores, the last of them 1")
        if any(chance == 0 for _, chance in steps):
            raise UsageError(
                "an item that may be accepted must be drawn with a probability above 0: "
                "no number of labels speaks for what nobody ever looks at"
            )
        return cls(steps)

    @property
    def least(self) -> Fraction:
        """The least probability of all."""
        return min(chance for _, chance in self.steps)

    def up_to(self, key: int) -> Fraction:
        """The least probability of any item that scores at most ``key`` ticks."""
        below = [0, *(top + 1 for top, _ in self.steps)]
        return min(chance for start, (_, chance) in zip(below, self.steps, strict=False) if start <= key)

    def at(self, keys: Ticks) -> Floats:
        """The least probability at each score, as floats (for drawing and planning)."""
        where = np.searchsorted([top for top, _ in self.steps], keys)
        return np.array([float(chance) for _, chance in self.steps], dtype=np.float64)[where]


@dataclass(frozen=True)
class Reviewed:
    """A checked stream. ``bad`` marks what was drawn and is wrong or unanswered, and could be accepted."""

    keys: Ticks
    open: Flags
    """Rows that a threshold could accept; the others (deferred, withheld, failed) cost nothing."""
    drawn: Flags
    bad: Flags
    chances: tuple[Fraction, ...]
    which: Ints
    """For each row the place of its probability in ``chances`` (0 where the row is not open)."""
    clusters: Ints | None
    sizes: Ints
    """For each row the size of its cluster; 1 without clusters."""
    count: int
    """How many items, or clusters."""

    @property
    def answers(self) -> int:
        """How many items somebody had to look at."""
        return int(self.drawn.sum())

    @property
    def floats(self) -> Floats:
        """The probability of each row as a float; 1 where the row is not open."""
        return np.where(self.open, np.array([float(c) for c in self.chances] or [1.0])[self.which], 1.0)

    def averaged(self, rows: Floats) -> Floats:
        """One line a unit: the rows, or their means over each cluster in order of the clusters' first rows."""
        if self.clusters is None or not len(rows):
            return rows
        order = np.argsort(self.clusters, kind="stable")
        starts = np.flatnonzero(np.diff(self.clusters[order], prepend=-1))
        means = np.add.reduceat(rows[order], starts, axis=0) / self.sizes[order][starts][:, None]
        return means[np.argsort(order[starts], kind="stable")]

    def weights(self, *others: Fraction) -> tuple[npt.NDArray[Any], int]:
        """1/(probability x cluster size) of each bad row, in score order, as whole numbers of 1/scale; the scale.

        ``others`` are probabilities whose inverses must be whole in that scale too.
        """
        order = self._order()
        sizes = self.sizes[order]
        largest = int(sizes.max()) + 1 if len(sizes) else 1
        kinds, which = np.unique(self.which[order] * largest + sizes, return_inverse=True)
        parts = [(self.chances[kind // largest], kind % largest) for kind in kinds.tolist()]
        scale = math.lcm(*(q.numerator * size for q, size in parts), *(q.numerator for q in others))
        each = [scale * q.denominator // (q.numerator * size) for q, size in parts]
        # Sums stay exact: in 64 bits where they fit with room for the next item, else in whole numbers of any size.
        fits = sum(each, start=scale * 10**6) * (len(order) + 2) < 2**62
        table = np.array(each, dtype=np.int64 if fits else object)
        return table[which], scale

    def _order(self) -> Ints:
        bad = np.flatnonzero(self.bad)
        return bad[np.argsort(self.keys[bad], kind="stable")]

    @property
    def bad_keys(self) -> Ticks:
        """Scores of the bad rows, rising."""
        return self.keys[self._order()]


def reviewed(
    scores: npt.ArrayLike,
    drawn: npt.ArrayLike,
    answers: npt.ArrayLike,
    probabilities: npt.ArrayLike,
    *,
    plan: DrawPlan,
    clusters: Labels | None = None,
    deferred: npt.ArrayLike | None = None,
) -> Reviewed:
    """Check a reviewed stream. ``answers``: 1 wrong, 0 right, nan for none; read only where drawn.

    ``probabilities`` has the logged probability of every row that is not ``deferred``, drawn or not. Unknown or
    below the plan is an error that names the position.
    """
    keys = exact.ticks(scores)
    n = len(keys)
    took = exact.flags(drawn, n, "draw")
    kept = np.ones(n, dtype=np.bool_) if deferred is None else ~exact.flags(deferred, n, "deferral")
    chance = _checked(probabilities, keys, took, kept, plan)
    bad = took & kept & _called_wrong(answers, took)
    values, which = np.unique(chance[kept], return_inverse=True)
    places = np.zeros(n, dtype=np.int64)
    places[kept] = which
    numbered, sizes, count = None, np.ones(n, dtype=np.int64), n
    if clusters is not None:
        numbered, count = exact.codes(clusters, n)
        sizes = np.bincount(numbered, minlength=count)[numbered]
        _one_draw_each(numbered, count, took, chance, kept)
    levels = tuple(exact.level(value, "the probability") for value in values.tolist())
    return Reviewed(keys, kept, took, bad, levels, places, numbered, sizes, count)


def _checked(given: npt.ArrayLike, keys: Ticks, drawn: Flags, kept: Flags, plan: DrawPlan) -> Floats:
    chance = np.asarray(given, dtype=np.float64)
    if chance.shape != keys.shape:
        raise DataError(
            f"{len(keys)} scores but probabilities of shape {chance.shape}: one for each is needed"
        )
    unknown = kept & ~((chance > 0) & (chance <= 1))
    if unknown.any():
        at = int(np.argmax(unknown))
        raise DataError(
            f"the item at position {at} has no probability of being drawn ({chance[at]}): labels without one may "
            "train, never calibrate; draw items for review by a plan that is fixed beforehand"
        )
    below = kept & (chance < plan.at(keys))
    if below.any():
        at = int(np.argmax(below))
        raise DataError(f"the item at position {at} was drawn with {chance[at]}, less than the plan's least")
    missing = kept & (chance == 1) & ~drawn
    if missing.any():
        raise DataError(
            f"the item at position {int(np.argmax(missing))} was to be drawn for certain and was not"
        )
    return chance


def _called_wrong(answers: npt.ArrayLike, drawn: Flags) -> Flags:
    """Wrong, or drawn and unanswered. What stands at rows that were not drawn is not looked at."""
    given = np.asarray(answers, dtype=np.float64)
    if given.shape != drawn.shape:
        raise DataError(f"{len(drawn)} scores but answers of shape {given.shape}: one for each is needed")
    odd = drawn & ~np.isnan(given) & (given != 0) & (given != 1)
    if odd.any():
        at = int(np.argmax(odd))
        raise DataError(f"answer {given[at]} at position {at} is neither 0 (right), 1 (wrong) nor nan (none)")
    return np.not_equal(given, 0)


def _one_draw_each(codes: Ints, count: int, drawn: Flags, chance: Floats, kept: Flags) -> None:
    """Clusters are drawn whole: one coin, one probability. What is deferred costs nothing, drawn or not."""
    took = np.bincount(codes, weights=drawn & kept, minlength=count)
    if ((took > 0) & (took < np.bincount(codes, weights=kept, minlength=count))).any():
        raise DataError("a cluster was drawn in part: clusters are drawn whole")
    high, low = np.full(count, -np.inf), np.full(count, np.inf)
    np.maximum.at(high, codes[kept], chance[kept])
    np.minimum.at(low, codes[kept], chance[kept])
    if (high > low).any():
        raise DataError("members of one cluster have different probabilities: a cluster is drawn by one coin")
