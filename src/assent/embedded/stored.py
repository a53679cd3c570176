"""Weights as training stores them (CTranslate2's format, version 6), read without CTranslate2."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assent.errors import ModelError
from assent.samebits import Array

VERSION = 6
_TYPES: dict[int, np.dtype[Any]] = {
    0: np.dtype("<f4"),
    1: np.dtype("i1"),
    2: np.dtype("<i2"),
    3: np.dtype("<i4"),
}
_FLOAT_STEPS = (
    2.0**15
)  # steps from 0 to the largest entry of a row, where weights were not stored as whole numbers


@dataclass(frozen=True, slots=True)
class Matrix:
    """Whole numbers, and for each row what they are to be divided by."""

    whole: Array
    scale: Array


class Stored:
    """The variables of one file, by name."""

    def __init__(self, content: bytes) -> None:
        try:
            self._values = _variables(content)
        except (struct.error, ValueError, KeyError, UnicodeDecodeError) as error:
            raise ModelError(
                f"the weights are not in the format of CTranslate2 {VERSION}: {error}"
            ) from error

    def __contains__(self, name: str) -> bool:
        return name in self._values

    def vector(self, name: str) -> Array:
        """A variable as it stands. ModelError if there is none."""
        if name not in self._values:
            raise ModelError(f"the weights lack {name}")
        return self._values[name].astype(np.float64)

    def number(self, name: str) -> float:
        """A variable that is one number."""
        return float(self.vector(name).reshape(-1)[0])

    def matrix(self, name: str) -> Matrix:
        """``name/weight`` as whole numbers: as stored, or cut to 16 bits where training stored real ones."""
        weight = self.vector(f"{name}/weight")
        if f"{name}/weight_scale" in self:
            return Matrix(weight, self.vector(f"{name}/weight_scale"))
        scale = _FLOAT_STEPS / np.maximum(np.abs(weight).max(axis=1), 1e-30)
        return Matrix(np.rint(weight * scale[:, None]), scale)


def _variables(content: bytes) -> Mapping[str, NDArray[Any]]:
    position = 0

    def number(kind: str) -> int:
        nonlocal position
        (value,) = struct.unpack_from(f"<{kind}", content, position)
        position += struct.calcsize(kind)
        return int(value)

    def text() -> str:
        nonlocal position
        length = number("H")
        position += length
        return content[position - length : position].rstrip(b"\0").decode()

    version = number("I")
    if version != VERSION:
        raise ValueError(f"version {version}")
    text(), number("I")  # what kind of network, and which revision of it
    values = {}
    for _ in range(number("I")):
        name = text()
        shape = [number("I") for _ in range(number("B"))]
        kind, size = _TYPES[number("B")], number("I")
        values[name] = np.frombuffer(content, kind, size // kind.itemsize, position).reshape(shape)
        position += size
    return values
