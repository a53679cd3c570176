"""Linkings of written rows are remembered, and are what lifting says with or without the memory."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from assent.embedded.embedder import Embedder, Guess
from assent.errors import AssentError
from assent.lift import Lifted, linkings
from assent_train.written import linked as memory
from assent_train.written import rows, vocabularies

SOME = [row for row in rows() if row.formula is not None][:12]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "assent" / "train"


def directly() -> list[tuple[Lifted, ...]]:
    guess = Guess(Embedder())
    out: list[tuple[Lifted, ...]] = []
    for row in SOME:
        try:
            out.append(
                tuple(linkings(row.text, row.logic, vocabularies()[row.domain], guess, memory.LINKINGS))
            )
        except AssentError:
            out.append(())
    return out


def test_remembered_linkings_are_those_of_lifting(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = memory.linked(SOME)
    assert first == directly()
    (file,) = folder.iterdir()
    assert file.name.startswith("linked-")
    monkeypatch.setattr(memory, "_ways", lambda row: pytest.fail("lifted again"))
    assert memory.linked(SOME) == first


def test_new_rows_are_added(monkeypatch: pytest.MonkeyPatch) -> None:
    memory.linked(SOME[:5])
    asked = []
    ways = memory._ways
    monkeypatch.setattr(memory, "_ways", lambda row: asked.append(row.id) or ways(row))
    assert memory.linked(SOME) == directly()
    assert asked == [row.id for row in SOME[5:]]


@pytest.mark.parametrize("damage", [lambda b: b[:100], lambda b: b"", lambda b: b"\x80\x05" + b[::-1]])
def test_a_damaged_memory_counts_as_empty(folder: Path, damage: Callable[[bytes], bytes]) -> None:
    memory.linked(SOME)
    (file,) = folder.iterdir()
    file.write_bytes(damage(file.read_bytes()))
    assert memory.linked(SOME) == directly()


def test_what_another_version_remembered_is_gone(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    memory.linked(SOME[:2])
    monkeypatch.setattr(memory, "_version", lambda: "newer")
    memory.linked(SOME[:2])
    assert [file.name for file in folder.iterdir()] == ["linked-newer.pickle"]


def test_many_rows_are_lifted_by_further_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "_MANY", 2)
    assert memory.linked(SOME) == directly()
