"""Clusters are exactly the classes of equal meaning."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from logic_samples import A, B, all_lassos, formula

from assent.logic.ast import Always, And, Eventually, Formula, Interval, Next, Not, Or, Until
from assent.logic.equivalence import cluster
from assent.logic.equivalence import cluster as package_name
from assent.logic.semantics import holds

WORDS = all_lassos((A, B), 3)


@settings(max_examples=40)
@given(st.integers(0, 10**9))
def test_classes_agree_with_exhaustive_lassos(seed: int) -> None:
    rng = random.Random(seed)
    # One temporal operator over two letters: lassos of three states tell apart whatever differs.
    formulas = [formula(rng, rng.randint(0, 2)) for _ in range(6)]
    numbers = cluster(formulas)
    values = [tuple(holds(f, word) for word in WORDS) for f in formulas]
    for i, first in enumerate(numbers):
        for j, second in enumerate(numbers):
            if first == second:
                assert values[i] == values[j]
    assert len(set(numbers)) >= len(set(values))


def test_numbers_follow_appearance_and_unreadable_ones_stand_alone() -> None:
    unfolded = Or((B, And((A, Next(Until(A, B))))))
    rows: list[Formula | None] = [Until(A, B), None, unfolded, Eventually(A), None, Not(Always(Not(A)))]
    assert cluster(rows) == [0, 1, 0, 2, 3, 2]
    assert cluster(rows, level="canonical") == [0, 1, 2, 3, 4, 3]
    assert cluster([]) == []


def test_unknown_does_not_join(monkeypatch: pytest.MonkeyPatch) -> None:
    from assent.logic.equivalence import Equivalence, Verdict
    from assent.logic.equivalence import cluster as function

    module = __import__(function.__module__, fromlist=["cluster"])
    monkeypatch.setattr(module, "equivalent", lambda *_, **__: Equivalence(Verdict.UNKNOWN, "none"))
    assert cluster([Until(A, B), Or((B, And((A, Next(Until(A, B))))))]) == [0, 1]


def test_over_finite_words_next_is_strong() -> None:
    rows: list[Formula | None] = [Not(Next(A)), Next(Not(A))]
    assert cluster(rows) == [0, 0]
    assert cluster(rows, finite=True) == [0, 1]


def test_wide_windows_cluster() -> None:
    rows: list[Formula | None] = [
        Eventually(A, Interval(0, 500)),
        Or((Eventually(A, Interval(0, 200)), Eventually(A, Interval(201, 500)))),
        Eventually(A, Interval(0, 501)),
    ]
    assert cluster(rows) == [0, 0, 1]
    assert package_name is cluster
