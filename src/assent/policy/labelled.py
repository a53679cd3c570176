"""Labelled evidence as columns: what calibration and the tables are made from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt

from assent.calibrate import exact
from assent.errors import DataError, UsageError
from assent.policy.decide import Withheld, deferred, withheld
from assent.records import Evidence

Level = Literal["exact", "canonical"]


@dataclass(frozen=True, slots=True)
class Label:
    """Whether a candidate says something else than its reference; ``decided`` is False where the budget ran out.

    Undecided is never right. ``wrong_canonically`` is the paper's weaker notion, kept for comparison.
    """

    wrong: bool
    wrong_canonically: bool
    decided: bool = True


@dataclass(frozen=True)
class LabelledRow:
    """One labelled translation; ``tier`` is the declared group of its instruction, else that of its reference."""

    evidence: Evidence
    label: Label
    tier: str
    scores: Mapping[str, float]

    @property
    def id(self) -> str:
        return self.evidence.instruction.id

    @property
    def text(self) -> str:
        return self.evidence.instruction.text

    @property
    def cluster(self) -> str | None:
        return self.evidence.instruction.cluster

    @property
    def translated(self) -> bool:
        """Whether there is an answer to score at all; a failed row has none."""
        return self.evidence.failure is None and self.evidence.draft is not None

    @cached_property
    def kept_back(self) -> bool:
        """Whether deployment would abstain whatever the score and without a gate: failed, unreadable or doubted."""
        return withheld(self.evidence, delta=None) is not None


@dataclass(frozen=True)
class Labelled:
    """Labelled rows as columns."""

    rows: tuple[LabelledRow, ...]
    level: Level = "exact"

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def wrong(self) -> npt.NDArray[np.bool_]:
        labels = (row.label for row in self.rows)
        flags = [label.wrong if self.level == "exact" else label.wrong_canonically for label in labels]
        return np.array(flags, dtype=np.bool_)

    @cached_property
    def clusters(self) -> npt.NDArray[np.int64] | None:
        """Cluster numbers, or None where no row declares a cluster; a file that mixes both is refused."""
        missing = [row.id for row in self.rows if row.cluster is None]
        if len(missing) == len(self.rows):
            return None
        if missing:
            raise DataError(
                f"{len(missing)} of {len(self)} rows have no 'cluster' ({', '.join(missing[:3])} among them) and the "
                "others do: a rule over clusters needs it in every row, a rule over pairs in none"
            )
        return exact.codes([str(row.cluster) for row in self.rows], len(self.rows))[0]

    @property
    def channels(self) -> tuple[str, ...]:
        """Channels that every translated row has, in the order of first appearance."""
        translated = [row for row in self.rows if row.translated]
        counts = Counter(name for row in translated for name in row.scores)
        return tuple(name for name, count in counts.items() if count == len(translated))

    def scores(self, channel: str) -> npt.NDArray[np.float64]:
        """One value a row; a row without a translation has 1, the most suspicious there is."""
        missing = sum(row.translated and channel not in row.scores for row in self.rows)
        if missing:
            raise UsageError(
                f"the channel {channel!r} was not recorded in {missing} of {len(self)} rows; "
                f"complete channels: {', '.join(self.channels) or 'none'}"
            )
        values = [row.scores[channel] if row.translated else 1.0 for row in self.rows]
        return np.array(values, dtype=np.float64)

    def withheld(self, delta: float | None) -> list[Withheld | None]:
        """For each row, what deployment would keep it back for whatever its score."""
        return [withheld(row.evidence, delta=delta) for row in self.rows]

    def away(self, delta: float | None) -> npt.NDArray[np.bool_]:
        """The same as flags: True where a row is an abstention whatever its score."""
        flags = [
            row.kept_back or (delta is not None and deferred(row.evidence.gate, delta)) for row in self.rows
        ]
        return np.array(flags, dtype=np.bool_)

    def where(self, keep: Callable[[LabelledRow], bool]) -> Labelled:
        return replace(self, rows=tuple(row for row in self.rows if keep(row)))

    def take(self, positions: Iterable[int]) -> Labelled:
        return replace(self, rows=tuple(self.rows[i] for i in positions))

    def with_scores(self, more: Mapping[str, Sequence[float]]) -> Labelled:
        """The same rows with further channels, one value a row."""
        rows = tuple(
            replace(row, scores={**row.scores, **{name: float(values[i]) for name, values in more.items()}})
            for i, row in enumerate(self.rows)
        )
        return replace(self, rows=rows)

    @property
    def tiers(self) -> tuple[str, ...]:
        return tuple(sorted({row.tier for row in self.rows}))
