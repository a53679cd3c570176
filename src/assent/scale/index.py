"""A reference set of up to ten million vectors: kept in a folder, searched by an index (faiss, the extra [index]).

The index looks into the cells nearest to a point and names candidates; the distance to them is then computed exactly
from the vectors themselves, which stay on disk. It may miss some of the nearest, so that a distance is never too small.
That does not touch the promise of the gate as long as one and the same index scores calibration and stream: the name
of an index says which vectors, which cells and which settings, to the last bit, and a policy refuses any other.
"""

from __future__ import annotations

import hashlib
import math
import shutil
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from assent.errors import ConfigurationError, MissingExtraError
from assent.io.files import read_bytes
from assent.samebits import nearest_mean

Vectors = NDArray[np.float32]
EXACT_BELOW = 50_000
"""Sets smaller than this are searched exactly: that takes no longer than the rest of a decision (docs/scale.md)."""
CELLS = 4.0
"""Cells, times the square root of the number of vectors."""
PROBES = 128
"""Cells that are looked into."""
FETCH = 4
"""Candidates for each neighbour that is wanted."""
LESSONS = 40
"""Vectors for each cell that the cells are learnt from."""
AT_ONCE = 65_536
_ABOUT, _VECTORS, _INDEX = "about.json", "vectors.f32", "index.faiss"


class IndexFacts(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a folder holds: digests of its files and of the file that it was made from, and how it is searched.

    ``cells`` is 0 where the set is small and has no index.
    """

    schema: int = 1
    source: str
    embedder: str
    count: int
    size: int
    vectors: str
    index: str = ""
    cells: int = 0
    probes: int = PROBES
    fetch: int = FETCH


@dataclass(frozen=True)
class Kept:
    """Vectors in a folder with what is known about them; ``distances`` searches by the index."""

    folder: Path
    about: IndexFacts

    @cached_property
    def vectors(self) -> Vectors:
        """One vector a row; read from the disk where it is needed."""
        shape = (self.about.count, self.about.size)
        return np.memmap(self.folder / _VECTORS, dtype=np.float32, mode="r", shape=shape)

    @property
    def name(self) -> str:
        """The vectors as every gate names them, and the index with its settings."""
        about = self.about
        known = f"{about.count}x{about.size}:{about.vectors[:16]}"
        return f"{known} ivf{about.cells}/{about.probes}/{about.fetch}:{about.index[:16]}"

    @property
    def indexed(self) -> bool:
        return self.about.cells > 0

    @cached_property
    def _index(self) -> Any:
        return _faiss().read_index(str(self.folder / _INDEX))

    def distances(self, points: Vectors, neighbours: int) -> NDArray[np.float64]:
        """The mean distance of each point to the nearest that the index finds, one point at a time."""
        found = [
            nearest_mean(point, self.vectors[self.candidates(point, neighbours)], neighbours)
            for point in points
        ]
        return np.array(found, dtype=np.float64)

    def candidates(self, point: Vectors, neighbours: int) -> NDArray[np.int64]:
        """The numbers of some vectors near a point, at least ``neighbours``; more cells are opened if need be."""
        wanted, probes = min(neighbours * self.about.fetch, self.about.count), self.about.probes
        while True:
            settings = _faiss().SearchParametersIVF(nprobe=min(probes, self.about.cells))
            _, found = self._index.search(point[None], wanted, params=settings)
            there = found[0][found[0] >= 0]
            if len(there) >= neighbours or probes >= self.about.cells:
                return np.asarray(np.sort(there), dtype=np.int64)
            probes *= 2


def made(
    folder: Path,
    parts: Iterable[Vectors],
    *,
    source: str,
    embedder: str,
    exact_below: int = EXACT_BELOW,
    probes: int = PROBES,
) -> Kept:
    """Write vectors and their index to a folder that is not there yet; whole or not at all.

    ``parts`` are vectors, some at a time: what is held in memory is a part, the vectors that the cells are learnt
    from, and the index (a byte a number). MissingExtraError without faiss where an index is needed.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    half = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}."))
    try:
        count, size, digest = _written(half / _VECTORS, parts)
        about = IndexFacts(
            source=source, embedder=embedder, count=count, size=size, vectors=digest, probes=probes
        )
        if count >= exact_below:
            about = _with_index(half, about)
        (half / _ABOUT).write_bytes(msgspec.json.format(msgspec.json.encode(about)) + b"\n")
        half.replace(folder)
    except OSError as error:
        if not (folder / _ABOUT).exists():  # unless another process made it meanwhile
            raise ConfigurationError(f"the index cannot be kept: {error}", file=str(folder)) from error
    finally:
        shutil.rmtree(half, ignore_errors=True)
    return opened(folder, source=source, embedder=embedder)


def opened(folder: Path, *, source: str, embedder: str) -> Kept:
    """What a folder holds, its files compared with their digests.

    ConfigurationError where it is damaged, or was made from another file or by another embedder.
    """
    try:
        about = msgspec.json.decode(read_bytes(folder / _ABOUT), type=IndexFacts)
    except msgspec.MsgspecError as error:
        raise ConfigurationError(f"not an index of ours: {error}", file=str(folder)) from error
    if (about.source, about.embedder) != (source, embedder):
        what = "from another reference set" if about.source != source else "by another embedder"
        raise ConfigurationError(
            f"the index was made {what}: remove the folder, and it is made again", file=str(folder)
        )
    wanted = {_VECTORS: about.vectors, **({_INDEX: about.index} if about.cells else {})}
    for name, digest in wanted.items():
        if digest_of(folder / name) != digest:
            raise ConfigurationError(
                f"{name} is not what was written: remove the folder, and it is made again", file=str(folder)
            )
    return Kept(folder, about)


def digest_of(path: Path) -> str:
    """The SHA-256 of a file; ConfigurationError if it cannot be read."""
    try:
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise ConfigurationError(f"cannot be read: {error.strerror}", file=str(path)) from error


def _written(path: Path, parts: Iterable[Vectors]) -> tuple[int, int, str]:
    """How many vectors, of how many numbers, and the digest of the file."""
    digest, count, size = hashlib.sha256(), 0, 0
    with path.open("wb") as stream:
        for part in parts:
            content = np.ascontiguousarray(part, dtype=np.float32).tobytes()
            stream.write(content)
            digest.update(content)
            count, size = count + len(part), part.shape[1]
    return count, size, digest.hexdigest()


def _with_index(folder: Path, about: IndexFacts) -> IndexFacts:
    """Learn the cells, put every vector into one, write the index."""
    faiss = _faiss()
    vectors = np.memmap(
        folder / _VECTORS, dtype=np.float32, mode="r", shape=(about.count, about.size)
    )  # fmt: skip
    cells = max(1, int(CELLS * math.sqrt(about.count)))
    index = faiss.index_factory(about.size, f"IVF{cells},SQ8")
    index.train(np.array(vectors[:: max(1, about.count // (LESSONS * cells))]))
    for at in range(0, about.count, AT_ONCE):
        index.add(np.array(vectors[at : at + AT_ONCE]))
    faiss.write_index(index, str(folder / _INDEX))
    return msgspec.structs.replace(about, cells=cells, index=digest_of(folder / _INDEX))


def _faiss() -> Any:
    try:
        import faiss
    except ImportError as error:
        raise MissingExtraError("a gate with a large reference set", "index") from error
    return faiss
