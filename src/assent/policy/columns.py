"""Labelled rows as columns: a hundred bytes or two of each row, gathered in one pass.

What calibration and the tables need of every row stands here; the rows themselves may stay in their file.
"""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from assent.calibrate.leakage import normalised
from assent.logic.ast import size
from assent.policy.decide import withheld
from assent.policy.policy import VOCABULARY
from assent.records import Reason

if TYPE_CHECKING:
    from assent.policy.labelled import LabelledRow

Flags = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]
Pairs = tuple[tuple[str, str], ...]
H = TypeVar("H", bound=Hashable)
UNREADABLE = -1
"""The size of a candidate that cannot be read."""


@dataclass(frozen=True)
class Named(Generic[H]):
    """A column of few different values: each value once, and its number for each row."""

    names: tuple[H, ...]
    codes: npt.NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.codes)

    def take(self, at: npt.NDArray[np.int64]) -> Named[H]:
        return Named(self.names, self.codes[at])

    @property
    def present(self) -> list[H]:
        """The values that occur, in the order of their first rows."""
        codes, first = np.unique(self.codes, return_index=True)
        return [self.names[code] for code in codes[np.argsort(first)]]

    def values(self) -> list[H]:
        """The value of each row."""
        return [self.names[code] for code in self.codes.tolist()]

    def numbered(self) -> npt.NDArray[np.int64]:
        """The value of each row as a number, counted in the order of first rows."""
        _, first, inverse = np.unique(self.codes, return_index=True, return_inverse=True)
        rank = np.empty(len(first), dtype=np.int64)
        rank[np.argsort(first)] = np.arange(len(first))
        return rank[inverse]

    def equal(self, value: H) -> Flags:
        """Which rows have a value."""
        at = [number for number, name in enumerate(self.names) if name == value]
        return np.isin(self.codes, at)


@dataclass(frozen=True)
class Columns:
    """One entry a row in each; ``scores`` has NaN where a channel was not recorded or nothing was translated.

    ``kept`` says why deployment would keep the row back without a gate, ``far`` the gate's p-value (NaN: no reading),
    ``text`` a hash of logic and wording, ``operators`` the size of the candidate.
    """

    wrong: Flags
    wrong_canonically: Flags
    decided: Flags
    translated: Flags
    far: Floats
    text: npt.NDArray[np.uint64]
    operators: npt.NDArray[np.int32]
    kept: Named[Reason | None]
    tier: Named[str]
    candidate: Named[str | None]
    logic: Named[str]
    cluster: Named[str | None]
    register: Named[str | None]
    made_by: Named[Pairs]
    vocabulary: Named[str | None]
    reported: Named[Pairs]
    scores: Mapping[str, Floats]

    def take(self, positions: Iterable[int]) -> Columns:
        """The columns of some rows."""
        at = np.fromiter(positions, dtype=np.int64)
        cut: dict[str, Any] = {
            part.name: value.take(at) if isinstance(value, Named) else value[at]
            for part in fields(self)
            if part.name != "scores"
            for value in (getattr(self, part.name),)
        }
        return Columns(**cut, scores={name: values[at] for name, values in self.scores.items()})

    def with_scores(self, more: Mapping[str, Sequence[float] | Floats]) -> Columns:
        """Further channels; rows without a translation have none."""
        added = {
            name: np.where(self.translated, np.asarray(values, dtype=np.float64), np.nan)
            for name, values in more.items()
        }
        return replace(self, scores={**self.scores, **added})


class _Naming(Generic[H]):
    """Gathers a ``Named``."""

    def __init__(self) -> None:
        self._known: dict[H, int] = {}
        self._codes = array("i")

    def add(self, value: H) -> None:
        self._codes.append(self._known.setdefault(value, len(self._known)))

    def done(self) -> Named[H]:
        return Named(tuple(self._known), np.array(self._codes, dtype=np.int32))


class Gathering:
    """Columns from rows, one row at a time; nothing of a row is kept but its entries."""

    def __init__(self) -> None:
        self._flags = array("B")
        self._far, self._text, self._operators = array("d"), array("Q"), array("i")
        self._kept: _Naming[Reason | None] = _Naming()
        self._tier: _Naming[str] = _Naming()
        self._candidate: _Naming[str | None] = _Naming()
        self._logic: _Naming[str] = _Naming()
        self._cluster: _Naming[str | None] = _Naming()
        self._register: _Naming[str | None] = _Naming()
        self._made_by: _Naming[Pairs] = _Naming()
        self._vocabulary: _Naming[str | None] = _Naming()
        self._reported: _Naming[Pairs] = _Naming()
        self._scores: dict[str, array[float]] = {}

    def __len__(self) -> int:
        return len(self._flags)

    def add(self, row: LabelledRow) -> None:
        """The entries of one row."""
        evidence, case, label = row.evidence, row.evidence.instruction, row.label
        kept = withheld(evidence, delta=None)
        self._kept.add(None if kept is None else kept.reason)
        self._far.append(float("nan") if evidence.gate is None else evidence.gate.p_value)
        self._text.append(_hash(f"{case.logic.value} {normalised(case.text)}"))
        self._operators.append(UNREADABLE if evidence.formula is None else size(evidence.formula))
        self._tier.add(row.tier)
        self._candidate.add(evidence.tier)
        self._logic.add(case.logic.value)
        self._cluster.add(case.cluster)
        register = case.extra.get("register")
        self._register.add(register if isinstance(register, str) else None)
        made_by = evidence.made_by
        self._made_by.add(tuple(sorted(item for item in made_by.items() if item[0] != VOCABULARY)))
        self._vocabulary.add(made_by.get(VOCABULARY))
        self._reported.add(tuple(evidence.reported.items()))
        self._add_scores(row.scores if row.translated else {})
        flags = (label.wrong, label.wrong_canonically, label.decided, row.translated)
        self._flags.append(sum(flag << place for place, flag in enumerate(flags)))

    def _add_scores(self, scores: Mapping[str, float]) -> None:
        for name in scores:
            if name not in self._scores:
                self._scores[name] = array("d", [float("nan")]) * len(self)
        for name, column in self._scores.items():
            column.append(scores.get(name, float("nan")))

    def done(self) -> Columns:
        """The columns of all rows that were added."""
        flags = np.array(self._flags, dtype=np.uint8)
        wrong, canonically, decided, translated = (
            (flags >> place & 1).astype(np.bool_) for place in range(4)
        )
        return Columns(
            wrong=wrong,
            wrong_canonically=canonically,
            decided=decided,
            translated=translated,
            far=np.array(self._far, dtype=np.float64),
            text=np.array(self._text, dtype=np.uint64),
            operators=np.array(self._operators, dtype=np.int32),
            kept=self._kept.done(),
            tier=self._tier.done(),
            candidate=self._candidate.done(),
            logic=self._logic.done(),
            cluster=self._cluster.done(),
            register=self._register.done(),
            made_by=self._made_by.done(),
            vocabulary=self._vocabulary.done(),
            reported=self._reported.done(),
            scores={name: np.array(values, dtype=np.float64) for name, values in self._scores.items()},
        )


def gathered(rows: Iterable[LabelledRow]) -> Columns:
    """The columns of rows that are at hand."""
    gathering = Gathering()
    for row in rows:
        gathering.add(row)
    return gathering.done()


def _hash(text: str) -> int:
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")
