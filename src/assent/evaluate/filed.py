"""Labelled rows that stay in their file: where each begins is kept, and a row is read again when it is looked at."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from assent.errors import DataError
from assent.io.lines import row_at
from assent.policy.labelled import LabelledRow
from assent.policy.packed import Shelving

Ints = npt.NDArray[np.int64]
Read = Callable[[dict[str, Any], int], LabelledRow]
"""A row of the file and its line number, as it was labelled when it was first read."""


@dataclass(frozen=True)
class Stamp:
    """What tells that a file was changed: its length, and when it was written."""

    length: int
    written: int

    @classmethod
    def of(cls, path: Path) -> Stamp:
        try:
            found = path.stat()
        except OSError as error:
            raise DataError(f"cannot be read: {error.strerror}", file=str(path)) from error
        return cls(found.st_size, found.st_mtime_ns)


@dataclass(frozen=True)
class Filed:
    """Rows of a file by the places where their lines begin; DataError if the file was changed meanwhile.

    ``chosen`` are the rows that are meant; None: all of them.
    """

    path: Path
    stamp: Stamp
    places: Ints
    lines: npt.NDArray[np.uint32]
    read: Read
    more: Mapping[str, npt.NDArray[np.float64]] = field(default_factory=dict)
    chosen: Ints | None = None

    def __len__(self) -> int:
        return len(self.places if self.chosen is None else self.chosen)

    def __iter__(self) -> Iterator[LabelledRow]:
        with self._opened() as stream:
            for position in range(len(self)):
                yield self._row(stream, position)

    def __getitem__(self, position: int) -> LabelledRow:
        with self._opened() as stream:
            return self._row(stream, position)

    def take(self, positions: Ints) -> Filed:
        """Some of the rows, in the order that is asked for."""
        more = {name: values[positions] for name, values in self.more.items()}
        return replace(self, more=more, chosen=positions if self.chosen is None else self.chosen[positions])

    def with_scores(self, more: Mapping[str, npt.NDArray[np.float64]]) -> Filed:
        """The same rows with further channels."""
        return replace(self, more={**self.more, **more})

    def _opened(self) -> IO[bytes]:
        try:
            stream = self.path.open("rb")
        except OSError as error:
            raise DataError(f"cannot be read: {error.strerror}", file=str(self.path)) from error
        found = os.fstat(stream.fileno())
        if Stamp(found.st_size, found.st_mtime_ns) != self.stamp:
            stream.close()
            raise DataError("was changed while it was being read: run again", file=str(self.path))
        return stream

    def _row(self, stream: IO[bytes], position: int) -> LabelledRow:
        at = position if self.chosen is None else int(self.chosen[position])
        line = int(self.lines[at])
        row = self.read(row_at(stream, int(self.places[at]), str(self.path), line), line)
        if not self.more:
            return row
        added = {name: float(values[position]) for name, values in self.more.items()}
        return replace(row, scores={**row.scores, **added})


class Filing:
    """Gathers the places of rows while a file is read."""

    def __init__(self) -> None:
        self._places, self._lines = Shelving("q"), Shelving("I")

    def __len__(self) -> int:
        return len(self._places)

    def add(self, place: int, line: int) -> None:
        self._places.add(place)
        self._lines.add(line)

    def done(self, path: Path, stamp: Stamp, read: Read) -> Filed:
        return Filed(path, stamp, self._places.done(), self._lines.done(), read)
