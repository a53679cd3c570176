"""Sets of 30 to 120 made-up requirements: everything that was planted is found, and nothing else."""

from __future__ import annotations

import pytest

from assent.benchmarks.sets import made_up, measure
from assent.logic.semantics import holds
from assent.logic.sets import Budget, Together


@pytest.mark.parametrize(("size", "seed"), [(30, 1), (30, 2), (45, 3), (60, 4), (80, 5)])
def test_plants_are_found_and_nothing_is_invented(size: int, seed: int) -> None:
    row = measure(size, seed)
    assert all(finding.decided for finding in row.findings)
    assert row.found == row.plants and len(row.plants) >= 6


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_plants_in_a_large_set(seed: int) -> None:
    row = measure(120, seed)
    assert row.found == row.plants and len(row.plants) >= 9


def test_without_plants_nothing_is_found() -> None:
    requirements, plants = made_up(19, 6)
    assert not plants and Together(requirements).findings == []


def test_behaviours_break_only_what_they_are_to_break() -> None:
    requirements, _ = made_up(40, 7)
    formulas = {r.id: r.formula for r in requirements}
    together = Together(requirements)
    assert len(together.forbids) >= 25
    for broken, sample in together.forbids.items():
        assert [i for i in sample.requirements if not holds(formulas[i], sample.trace)] == [broken]
    for sample in together.samples:
        assert all(holds(formulas[i], sample.trace) for i in sample.requirements)


@pytest.mark.parametrize("steps", [100, 3_000, 30_000])
def test_too_small_a_budget_invents_nothing(steps: int) -> None:
    requirements, plants = made_up(30, 8)
    found = Together(requirements, budget=Budget(steps)).findings
    claimed = {(str(f.kind), frozenset(f.requirements)) for f in found if f.decided}
    assert claimed <= plants and any(not f.decided for f in found)
