"""How lifting links the names of each row, remembered between runs: to lift the whole corpus takes minutes.

The memory is a file in the user's cache folder, made anew when lifting, its weights or the word vectors change; rows
that it does not hold are lifted on every core and added. A file that cannot be read counts as empty.
"""

from __future__ import annotations

import hashlib
import os
import pickle
from collections.abc import Sequence
from importlib import resources
from multiprocessing import get_context
from pathlib import Path

import msgspec
from threadpoolctl import threadpool_limits

from assent.embedded.embedder import Embedder, Guess
from assent.errors import AssentError
from assent.io.files import cache_folder, write_atomically
from assent.lift import Lifted, linkings
from assent_train.written import vocabularies
from assent_train.written.marks import MarkedRow

LINKINGS = 3
"""The best ways to link a row's names that are kept."""
_MANY = 400  # rows from which further processes pay


def linked(rows: Sequence[MarkedRow]) -> list[tuple[Lifted, ...]]:
    """For each row its ``LINKINGS`` best ways to be lifted, best first; none where lifting refuses it."""
    folder = cache_folder("train")
    memory = folder / f"linked-{_version()}.pickle"
    known = _remembered(memory)
    keys = [_key(row) for row in rows]
    missing = [row for row, key in zip(rows, keys, strict=True) if key not in known]
    if missing:
        known |= {_key(row): ways for row, ways in zip(missing, _lifted(missing), strict=True)}
        folder.mkdir(parents=True, exist_ok=True)
        for outdated in set(folder.glob("linked-*.pickle")) - {memory}:
            outdated.unlink(missing_ok=True)
        write_atomically(memory, pickle.dumps(known, protocol=5))
    return [known[key] for key in keys]


def _lifted(rows: Sequence[MarkedRow]) -> list[tuple[Lifted, ...]]:
    if len(rows) < _MANY:
        return [_ways(row) for row in rows]
    with threadpool_limits(1), get_context("fork").Pool(os.cpu_count()) as pool:
        return pool.map(_ways, rows, chunksize=50)


_guess: list[Guess] = []  # one for each process


def _ways(row: MarkedRow) -> tuple[Lifted, ...]:
    if not _guess:
        _guess.append(Guess(Embedder()))
    try:
        return tuple(linkings(row.text, row.logic, vocabularies()[row.domain], _guess[0], LINKINGS))
    except AssentError:
        return ()


def _key(row: MarkedRow) -> str:
    names = msgspec.json.encode(vocabularies()[row.domain])
    return hashlib.sha256(names + f"{row.logic} {row.text}".encode()).hexdigest()


def _version() -> str:
    """Changes with the code and the weights of lifting, with what it stands on, and with the word vectors."""
    digest = hashlib.sha256(f"{LINKINGS} {Embedder().name}".encode())
    package = Path(str(resources.files("assent")))
    below = ("samebits.py", "vocabulary.py", "logic/ast.py", "embedded/embedder.py", "weights/linker.npz")
    for file in (*sorted((package / "lift").rglob("*.py")), *(package / name for name in below)):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def _remembered(memory: Path) -> dict[str, tuple[Lifted, ...]]:
    try:
        return dict(pickle.loads(memory.read_bytes()))
    except Exception:  # a damaged pickle raises whatever its bytes happen to spell
        return {}
