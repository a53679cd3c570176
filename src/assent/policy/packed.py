"""Columns that take few bytes a row: small whole numbers, and numbers of which few are different.

Nothing is rounded: what comes out has the bits that went in.
"""

from __future__ import annotations

import tempfile
from array import array
from dataclasses import dataclass
from struct import pack
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from assent.errors import DataError

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Places = npt.NDArray[np.int64]
Codes = npt.NDArray[Any]
"""Whole numbers from 0 up, in one, two or four bytes each."""
DIFFERENT = 1 << 14
"""So many different numbers have a code each; a column with more is kept as it is."""
SHELVED = 1 << 15
"""Entries in memory of a column that is seldom looked at."""
_WIDER = {"B": ("H", 1 << 16), "H": ("I", 1 << 32)}


class Coding:
    """Gathers whole numbers from 0 up, in as few bytes each as the largest needs."""

    def __init__(self) -> None:
        self._codes = array("B")
        self._end = 1 << 8

    def __len__(self) -> int:
        return len(self._codes)

    def add(self, code: int) -> None:
        while code >= self._end:
            kind, self._end = _WIDER[self._codes.typecode]
            wider = array(kind)
            wider.frombytes(self.done().astype(kind).tobytes())
            self._codes = wider
        self._codes.append(code)

    def done(self) -> Codes:
        """All of them, without a copy."""
        return _viewed(self._codes, self._codes.typecode)


@dataclass(frozen=True)
class Packed:
    """A column of numbers: the different ones and which of them each row has, or (no codes) all as they are."""

    different: Floats
    codes: Codes | None

    def __len__(self) -> int:
        return len(self.different if self.codes is None else self.codes)

    def whole(self) -> Floats:
        """The number of each row."""
        return self.spread(self.different)

    def spread(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """What was made of each different number, for each row."""
        return values if self.codes is None else values[self.codes]

    def missing(self) -> Flags:
        """Which rows have none (NaN)."""
        return self.spread(np.isnan(self.different))

    def take(self, at: Places) -> Packed:
        if self.codes is None:
            return Packed(self.different[at], None)
        return Packed(self.different, self.codes[at])


def packed(values: Floats) -> Packed:
    """Numbers that are at hand as a column."""
    bits = np.ascontiguousarray(values, dtype=np.float64).view(np.uint64)
    different, codes = np.unique(bits, return_inverse=True)
    if len(different) > DIFFERENT:
        return Packed(values, None)
    return Packed(different.view(np.float64), codes.astype(np.uint8 if len(different) <= 256 else np.uint16))


class Packing:
    """Gathers a ``Packed``."""

    def __init__(self) -> None:
        self._known: dict[bytes, int] = {}
        self._codes = Coding()
        self._plain: array[float] | None = None

    def __len__(self) -> int:
        return len(self._codes) if self._plain is None else len(self._plain)

    def add(self, value: float) -> None:
        if self._plain is None:
            # By its bits: NaN is itself here, and 0 is not -0.
            code = self._known.setdefault(pack("=d", value), len(self._known))
            if code < DIFFERENT:
                self._codes.add(code)
                return
            self._plain = array("d")
            self._plain.frombytes(self._different()[self._codes.done()].tobytes())
            self._known, self._codes = {}, Coding()
        self._plain.append(value)

    def _different(self) -> Floats:
        return _viewed(b"".join(self._known), "d")

    def done(self) -> Packed:
        if self._plain is not None:
            return Packed(_viewed(self._plain, "d"), None)
        return Packed(self._different(), self._codes.done())


class Shelving:
    """Gathers numbers that are seldom looked at: all but a few are in a temporary file, and are read from there."""

    def __init__(self, kind: str) -> None:
        self._recent: array[int] = array(kind)
        self._file: IO[bytes] | None = None
        self._filed = 0

    def __len__(self) -> int:
        return self._filed + len(self._recent)

    def add(self, value: int) -> None:
        """One more; DataError if the temporary folder has no room."""
        self._recent.append(value)
        if len(self._recent) >= SHELVED:
            self._put()

    def _put(self) -> None:
        try:
            if self._file is None:
                self._file = tempfile.TemporaryFile(prefix="assent-")  # noqa: SIM115 (it goes with this object)
            self._file.write(self._recent.tobytes())
            self._file.flush()
        except OSError as error:
            raise DataError(
                f"the columns cannot be kept in the temporary folder: {error.strerror}"
            ) from error
        self._filed += len(self._recent)
        del self._recent[:]

    def done(self) -> npt.NDArray[Any]:
        """All of them; where there is a file, as a window on it."""
        if self._file is None:
            return _viewed(self._recent, self._recent.typecode)
        self._put()
        return np.memmap(self._file, dtype=self._recent.typecode, mode="r").view(np.ndarray)


def _viewed(gathered: array[Any] | bytes, kind: str) -> npt.NDArray[Any]:
    """What was gathered as an array, without a copy."""
    return np.frombuffer(gathered, dtype=kind) if len(gathered) else np.zeros(0, dtype=kind)
