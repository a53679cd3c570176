"""Labelled rows as columns: some tens of bytes of each row, gathered in one pass.

What calibration and the tables need of every row stands here; the rows themselves may stay in their file.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from assent.calibrate.exact import firsts
from assent.calibrate.leakage import normalised
from assent.io.numbering import Numbering
from assent.logic.ast import size
from assent.policy.decide import withheld
from assent.policy.packed import Codes, Coding, Flags, Floats, Packed, Packing, Places, Shelving, packed
from assent.policy.policy import VOCABULARY
from assent.records import Reason

if TYPE_CHECKING:
    from assent.policy.labelled import LabelledRow

Pairs = tuple[tuple[str, str], ...]
H = TypeVar("H", bound=Hashable)
NAN = float("nan")
UNREADABLE = -1
"""The size of a candidate that cannot be read."""


@dataclass(frozen=True)
class Named(Generic[H]):
    """A column of few different values: each value once, and its number for each row."""

    names: tuple[H, ...]
    codes: Codes

    def __len__(self) -> int:
        return len(self.codes)

    def take(self, at: Places) -> Named[H]:
        return Named(self.names, self.codes[at])

    @property
    def present(self) -> list[H]:
        """The values that occur, in the order of their first rows."""
        first = firsts(self.codes, len(self.names))
        there = np.flatnonzero(first >= 0)
        return [self.names[code] for code in there[np.argsort(first[there])].tolist()]

    def counts(self, among: Flags | None = None) -> dict[H, int]:
        """How many rows (among some) have each value that occurs, in the order of their first rows."""
        codes = self.codes if among is None else self.codes[among]
        found = np.bincount(codes, minlength=len(self.names))
        numbers = dict(zip(self.names, found.tolist(), strict=True))
        return {name: numbers[name] for name in self.present}

    def values(self) -> list[H]:
        """The value of each row."""
        return [self.names[code] for code in self.codes.tolist()]

    def equal(self, value: H) -> Flags:
        """Which rows have a value."""
        return np.array([name == value for name in self.names], dtype=np.bool_)[self.codes]


@dataclass(frozen=True)
class Columns:
    """One entry a row in each; ``scores`` has NaN where a channel was not recorded or nothing was translated.

    ``kept`` says why deployment would keep the row back without a gate, ``far`` the gate's p-value (NaN: no reading),
    ``text`` a hash of logic and wording, ``operators`` the size of the candidate, ``cluster`` a number (0: none).
    """

    wrong: Flags
    wrong_canonically: Flags
    decided: Flags
    translated: Flags
    far: Packed
    text: npt.NDArray[np.uint64]
    operators: npt.NDArray[np.int16] | npt.NDArray[np.int32]
    cluster: Codes
    kept: Named[Reason | None]
    tier: Named[str]
    candidate: Named[str | None]
    logic: Named[str]
    register: Named[str | None]
    made_by: Named[Pairs]
    vocabulary: Named[str | None]
    reported: Named[Pairs]
    scores: Mapping[str, Packed]

    def take(self, at: Places) -> Columns:
        """The columns of some rows."""
        cut: dict[str, Any] = {
            part.name: value.take(at) if isinstance(value, Named | Packed) else value[at]
            for part in fields(self)
            if part.name != "scores"
            for value in (getattr(self, part.name),)
        }
        return Columns(**cut, scores={name: values.take(at) for name, values in self.scores.items()})

    def with_scores(self, more: Mapping[str, Floats]) -> Columns:
        """Further channels; rows without a translation have none."""
        added = {name: packed(np.where(self.translated, values, np.nan)) for name, values in more.items()}
        return replace(self, scores={**self.scores, **added})


class _Naming(Generic[H]):
    """Gathers a ``Named``."""

    def __init__(self) -> None:
        self._known: dict[H, int] = {}
        self._codes = Coding()

    def add(self, value: H) -> None:
        self._codes.add(self._known.setdefault(value, len(self._known)))

    def done(self) -> Named[H]:
        return Named(tuple(self._known), self._codes.done())


class _Clustering:
    """Gathers numbers of clusters, counted from 1; their names are not kept."""

    def __init__(self) -> None:
        self._known, self._count = Numbering(), 0
        self._codes = Coding()

    def add(self, name: str | None) -> None:
        number = 0 if name is None else self._known.setdefault(name, self._count + 1)
        self._count = max(self._count, number)
        self._codes.add(number)

    def done(self) -> Codes:
        return self._codes.done()


class Gathering:
    """Columns from rows, one row at a time; nothing of a row is kept but its entries."""

    def __init__(self) -> None:
        self._flags, self._operators = Coding(), Coding()
        self._far, self._text = Packing(), Shelving("Q")
        self._cluster = _Clustering()
        self._kept: _Naming[Reason | None] = _Naming()
        self._tier: _Naming[str] = _Naming()
        self._candidate: _Naming[str | None] = _Naming()
        self._logic: _Naming[str] = _Naming()
        self._register: _Naming[str | None] = _Naming()
        self._made_by: _Naming[Pairs] = _Naming()
        self._vocabulary: _Naming[str | None] = _Naming()
        self._reported: _Naming[Pairs] = _Naming()
        self._scores: dict[str, Packing] = {}

    def __len__(self) -> int:
        return len(self._flags)

    def add(self, row: LabelledRow) -> None:
        """The entries of one row."""
        evidence, case, label = row.evidence, row.evidence.instruction, row.label
        kept = withheld(evidence, delta=None)
        self._kept.add(None if kept is None else kept.reason)
        self._far.add(NAN if evidence.gate is None else evidence.gate.p_value)
        self._text.add(_hash(f"{case.logic.value} {normalised(case.text)}"))
        operators = UNREADABLE if evidence.formula is None else size(evidence.formula)
        self._operators.add(operators - UNREADABLE)
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
        self._flags.add(sum(flag << place for place, flag in enumerate(flags)))

    def _add_scores(self, scores: Mapping[str, float]) -> None:
        for name in scores:
            if name not in self._scores:
                self._scores[name] = Packing()
                for _ in range(len(self)):
                    self._scores[name].add(NAN)
        for name, column in self._scores.items():
            column.add(scores.get(name, NAN))

    def done(self) -> Columns:
        """The columns of all rows that were added; none can be added any more."""
        flags = self._flags.done()
        wrong, canonically, decided, translated = (
            (flags & np.uint8(1 << place)).astype(np.bool_) for place in range(4)
        )
        return Columns(
            wrong=wrong,
            wrong_canonically=canonically,
            decided=decided,
            translated=translated,
            far=self._far.done(),
            text=self._text.done(),
            operators=_lowered(self._operators.done()),
            cluster=self._cluster.done(),
            kept=self._kept.done(),
            tier=self._tier.done(),
            candidate=self._candidate.done(),
            logic=self._logic.done(),
            register=self._register.done(),
            made_by=self._made_by.done(),
            vocabulary=self._vocabulary.done(),
            reported=self._reported.done(),
            scores={name: values.done() for name, values in self._scores.items()},
        )


def gathered(rows: Iterable[LabelledRow]) -> Columns:
    """The columns of rows that are at hand."""
    gathering = Gathering()
    for row in rows:
        gathering.add(row)
    return gathering.done()


def _lowered(sizes: Codes) -> npt.NDArray[np.int16] | npt.NDArray[np.int32]:
    """Sizes as they were before ``UNREADABLE`` was taken from them."""
    if sizes.max(initial=0) < 1 << 15:
        return sizes.astype(np.int16) + np.int16(UNREADABLE)
    return sizes.astype(np.int32) + np.int32(UNREADABLE)


def _hash(text: str) -> int:
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")
