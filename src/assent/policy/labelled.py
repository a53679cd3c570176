"""Labelled evidence as columns: what calibration and the tables are made from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal, Protocol

import numpy as np
import numpy.typing as npt

from assent.calibrate.exact import renumbered
from assent.errors import DataError, UsageError
from assent.policy.columns import Columns, Named, gathered
from assent.policy.decide import deferred
from assent.records import Evidence, GateReading, Reason

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


class FiledRows(Protocol):
    """Rows that stay in their file: read again, one by one, whenever they are looked at."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[LabelledRow]: ...

    def __getitem__(self, position: int, /) -> LabelledRow: ...

    def take(self, positions: npt.NDArray[np.int64]) -> FiledRows: ...

    def with_scores(self, more: Mapping[str, npt.NDArray[np.float64]]) -> FiledRows: ...


@dataclass(frozen=True)
class Labelled:
    """Labelled rows, and what every rule and table needs of them as columns.

    ``known`` are the columns where they were gathered when the rows were read; otherwise they are gathered once.
    """

    rows: tuple[LabelledRow, ...] | FiledRows
    level: Level = "exact"
    known: Columns | None = field(default=None, repr=False, compare=False)

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def columns(self) -> Columns:
        return gathered(self.rows) if self.known is None else self.known

    @property
    def wrong(self) -> npt.NDArray[np.bool_]:
        return self.columns.wrong if self.level == "exact" else self.columns.wrong_canonically

    @cached_property
    def clusters(self) -> npt.NDArray[np.int64] | None:
        """Cluster numbers, or None where no row declares a cluster; a file that mixes both is refused."""
        missing = np.flatnonzero(self.columns.cluster == 0)
        if len(missing) == len(self.rows):
            return None
        if len(missing):
            some = ", ".join(self.rows[int(at)].id for at in missing[:3])
            raise DataError(
                f"{len(missing)} of {len(self)} rows have no 'cluster' ({some} among them) and the "
                "others do: a rule over clusters needs it in every row, a rule over pairs in none"
            )
        return renumbered(self.columns.cluster)

    @property
    def channels(self) -> tuple[str, ...]:
        """Channels that every translated row has, in the order of first appearance."""
        translated = self.columns.translated
        return tuple(
            name for name, values in self.columns.scores.items() if not (values.missing() & translated).any()
        )

    def scores(self, channel: str) -> npt.NDArray[np.float64]:
        """One value a row; a row without a translation has 1, the most suspicious there is."""
        translated, column = self.columns.translated, self.columns.scores.get(channel)
        missing = int((translated if column is None else column.missing() & translated).sum())
        if missing:
            raise UsageError(
                f"the channel {channel!r} was not recorded in {missing} of {len(self)} rows; "
                f"complete channels: {', '.join(self.channels) or 'none'}"
            )
        return np.ones(len(self)) if column is None else np.where(translated, column.whole(), 1.0)

    def reasons(self, delta: float | None) -> Named[Reason | None]:
        """For each row, why deployment would keep it back whatever its score."""
        kept = self.columns.kept
        away = self._far(delta) & ~kept.equal(Reason.FAILED)
        if not away.any():
            return kept
        names = tuple(dict.fromkeys((*kept.names, Reason.OUT_OF_DOMAIN)))
        return Named(names, np.where(away, np.uint8(names.index(Reason.OUT_OF_DOMAIN)), kept.codes))

    def withheld(self, delta: float | None) -> list[Reason | None]:
        """``reasons`` as a list."""
        return self.reasons(delta).values()

    def away(self, delta: float | None) -> npt.NDArray[np.bool_]:
        """The same as flags: True where a row is an abstention whatever its score."""
        return np.asarray(~self.columns.kept.equal(None) | self._far(delta))

    def _far(self, delta: float | None) -> npt.NDArray[np.bool_]:
        """Which rows the gate defers at a level."""
        if delta is None:
            return np.zeros(len(self), dtype=np.bool_)
        column = self.columns.far
        values, which = np.unique(column.different, return_inverse=True)
        low = [not np.isnan(p) and deferred(GateReading(0.0, float(p)), delta) for p in values]
        return column.spread(np.array(low, dtype=np.bool_)[which])

    def where(self, keep: Callable[[LabelledRow], bool]) -> Labelled:
        return self.take(at for at, row in enumerate(self.rows) if keep(row))

    @property
    def translated(self) -> Labelled:
        """The rows that have a translation; a failed row has none."""
        flags = self.columns.translated
        return self if flags.all() else self.take(np.flatnonzero(flags))

    def take(self, positions: Iterable[int] | npt.NDArray[np.int64]) -> Labelled:
        at = positions if isinstance(positions, np.ndarray) else np.fromiter(positions, dtype=np.int64)
        rows = self.rows
        cut = tuple(rows[i] for i in at.tolist()) if isinstance(rows, tuple) else rows.take(at)
        return replace(self, rows=cut, known=self.columns.take(at))

    def with_scores(self, more: Mapping[str, Sequence[float]]) -> Labelled:
        """The same rows with further channels, one value a row."""
        added = {name: np.asarray(values, dtype=np.float64) for name, values in more.items()}
        rows: tuple[LabelledRow, ...] | FiledRows
        if isinstance(self.rows, tuple):
            rows = tuple(
                replace(row, scores={**row.scores, **{name: float(v[i]) for name, v in added.items()}})
                for i, row in enumerate(self.rows)
            )
        else:
            rows = self.rows.with_scores(added)
        return replace(self, rows=rows, known=self.columns.with_scores(added))

    @property
    def tiers(self) -> tuple[str, ...]:
        return tuple(sorted(self.columns.tier.present))
