"""Evidence as people hand it in (records, rows, a data frame, a file) becomes the labelled rows that are measured."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Protocol, TypeAlias, runtime_checkable

from assent.evaluate.labels import labelled, load
from assent.logic.ast import Logic
from assent.policy.labelled import Labelled
from assent.records import Evidence
from assent.records.rows import evidence_of


@runtime_checkable
class PolarsFrame(Protocol):
    """The one method of a polars data frame that is used."""

    def to_dicts(self) -> list[dict[str, Any]]: ...


@runtime_checkable
class PandasFrame(Protocol):
    """What is used of a pandas data frame."""

    @property
    def columns(self) -> Iterable[Any]: ...

    def to_dict(self, orient: str) -> list[dict[str, Any]]: ...


Row: TypeAlias = Evidence | Mapping[str, Any]
Rows: TypeAlias = Iterable[Row] | PolarsFrame | PandasFrame | str | os.PathLike[str]


def labelled_rows(evidence: Rows, *, system: str | None, logic: Logic | None) -> Labelled:
    """Records or rows with references, of one logic where one is given. DataError for a row that cannot be read.

    ``system`` names who made translations that do not say so themselves.
    """
    wanted = None if logic is None else logic.value
    if isinstance(evidence, str | os.PathLike):
        return load(Path(evidence), system=system, logic=wanted)
    rows = (
        row if isinstance(row, Evidence) else evidence_of(row, system=system, logic=wanted, line=number)
        for number, row in enumerate(_records(evidence), start=1)
    )
    return labelled(row for row in rows if wanted is None or row.instruction.logic.value == wanted)


def _records(evidence: Iterable[Row] | PolarsFrame | PandasFrame) -> Iterable[Row]:
    """The rows of a list or of a data frame."""
    if isinstance(evidence, PolarsFrame):
        return evidence.to_dicts()
    if isinstance(evidence, PandasFrame):
        rows = evidence.to_dict("records")
        return [{key: value for key, value in row.items() if not _missing(value)} for row in rows]
    return evidence


def _missing(value: object) -> bool:
    """What a data frame puts where a row has no such field: None or not-a-number."""
    return value is None or (isinstance(value, float) and math.isnan(value))
