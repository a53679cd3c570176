"""Verdicts of other tools: every pair must agree, and hardly any may stay open."""

from __future__ import annotations

from pathlib import Path

import pytest

from assent.logic.equivalence import Verdict, equivalent
from assent.logic.parse import read
from assent.logic.semantics import holds

FILES = {"ltl_spot.tsv": "ltl", "stl_small_spot.tsv": "stl", "stl_wide_prototype.tsv": "stl"}


def pairs(folder: Path, name: str) -> list[tuple[str, str, str]]:
    file = folder / "oracle" / name
    if not file.exists():
        pytest.skip(f"{name} is not on this machine")
    return [(a, b, c) for a, b, c in (line.split("\t") for line in file.read_text("utf-8").splitlines())]


def check(rows: list[tuple[str, str, str]], logic: str) -> float:
    """Share of pairs left open; fails at the first contradiction."""
    unknown = 0
    for a, b, known in rows:
        f, g = read(a, logic), read(b, logic)
        found = equivalent(f, g)
        if found.verdict is Verdict.UNKNOWN:
            unknown += 1
            continue
        assert found.verdict == known, (a, b, found)
        if found.witness is not None:
            assert holds(f, found.witness) != holds(g, found.witness)
    return unknown / len(rows)


@pytest.mark.parametrize(("name", "logic"), FILES.items())
def test_a_sample_agrees(shared: Path, name: str, logic: str) -> None:
    assert check(pairs(shared, name)[::8], logic) <= 0.01


@pytest.mark.slow
@pytest.mark.parametrize(("name", "logic"), FILES.items())
def test_all_agree(shared: Path, name: str, logic: str) -> None:
    assert check(pairs(shared, name), logic) <= 0.005
