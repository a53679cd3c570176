"""Verdicts depend on steps, never on the clock; every part of a question draws on one account."""

from __future__ import annotations

import itertools
import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from logic_samples import A, B, C, formula

from assent.logic.ast import And, Formula, Next, Not, Or, Prop, Until
from assent.logic.canonical import canonical
from assent.logic.equivalence import DEFAULT_STEPS, Verdict, cluster, equivalent, satisfiable, vacuous, valid
from assent.logic.equivalence.budget import MAX_KEPT, STEPS_A_SECOND, Budget, Exhausted
from assent.logic.testing import random_formula

STEPS = (200, 2_000, 20_000, 200_000, DEFAULT_STEPS)


def pair(seed: int) -> tuple[Formula, Formula]:
    """Random pairs that need every decider: LTL, short and wide windows, equal ones and others."""
    rng = random.Random(seed)
    logic, bound = rng.choice([("ltl", 1), ("stl", 9), ("stl", 300)])
    f = random_formula(rng, logic, operators=12, atoms=4, max_bound=bound)
    if seed % 3:
        return f, Not(canonical(Not(f)))
    return f, random_formula(rng, logic, operators=12, atoms=4, max_bound=bound)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(STEPS))
def test_a_machine_of_any_speed_gives_the_same_answer(seed: int, steps: int) -> None:
    f, g = pair(seed)
    quick = equivalent(f, g, steps=steps)
    with pytest.MonkeyPatch.context() as patch:
        slow = itertools.count(0.0, 1000.0)  # every look at a clock finds a quarter of an hour gone
        for name in ("thread_time", "process_time", "monotonic", "perf_counter", "time"):
            patch.setattr(time, name, lambda: next(slow))
        assert equivalent(f, g, steps=steps) == quick


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6))
def test_the_answer_does_not_depend_on_what_was_asked_before(seed: int) -> None:
    """Frames of random lassos are kept between questions: their steps are spent whether or not they are at hand."""
    f, g = pair(seed)
    spent = []
    for _ in range(2):
        account = Budget(DEFAULT_STEPS)
        spent.append((steps_of(f, g, account), account.spent()))
    assert spent[0] == spent[1]


def steps_of(f: Formula, g: Formula, account: Budget) -> object:
    from assent.logic.equivalence.verdict import compared

    return compared(f, g, account)


@pytest.mark.parametrize("steps", [1, 30, 1_000, 30_000])
def test_more_steps_never_turn_an_answer_round(steps: int) -> None:
    seen = set()
    for seed in range(40):
        f, g = pair(seed)
        few, many = equivalent(f, g, steps=steps).verdict, equivalent(f, g, steps=50 * steps).verdict
        seen.add(few)
        assert few in (Verdict.UNKNOWN, many) or many is Verdict.UNKNOWN
    assert Verdict.UNKNOWN in seen


def test_too_few_steps_are_unknown_everywhere() -> None:
    f = Until(And((A, Next(B))), Or((C, Next(A))))
    assert equivalent(f, Not(f), steps=3).verdict is Verdict.UNKNOWN
    assert satisfiable(f, steps=3).answer is None
    assert valid(f, steps=3).answer is None
    assert vacuous(Until(B, B), steps=3) == ()
    assert cluster([f, canonical(Or((f, And((f, A)))))], steps=3) == [0, 1]


def test_seconds_are_an_additional_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    f = And(tuple(Until(Prop(f"p{i}"), Prop(f"q{i}")) for i in range(7)))
    g = And(tuple(Until(Prop(f"p{i}"), Prop(f"q{6 - i}")) for i in range(7)))
    late = itertools.count(0.0, 1000.0)
    monkeypatch.setattr(time, "thread_time", lambda: next(late))
    account = Budget(10**9, seconds=1.0)
    with pytest.raises(Exhausted):
        for _ in range(10_000):
            account.spend(1)
    with pytest.raises(Exhausted):
        account.part().spend(1)
    assert account.left() <= 0
    assert equivalent(And((f, Not(g))), And((g, Not(f))), budget=1e-6).verdict is Verdict.UNKNOWN


def test_seconds_alone_stand_for_steps() -> None:
    assert Budget(seconds=3.0).left() == 3 * STEPS_A_SECOND
    assert Budget().left() == DEFAULT_STEPS
    assert Budget(7, seconds=3.0).left() == 7
    assert Budget(seconds=float("inf")).left() > DEFAULT_STEPS


@given(st.lists(st.tuples(st.integers(1, 5), st.integers(0, 60), st.integers(0, 50)), max_size=30))
def test_parts_spend_from_the_whole(parts: list[tuple[int, int, int]]) -> None:
    whole = Budget(500)
    for share, most, cost in parts:
        part = whole.part(share, most)
        before = whole.left()
        assert part.left() == min(before // share, most)
        try:
            part.spend(cost)
            assert whole.left() == before - cost
        except Exhausted:
            assert cost > min(before // share, most)
            assert whole.left() == before - min(before // share, most)
    assert 0 <= whole.left() == 500 - whole.spent()


def test_what_a_part_keeps_is_free_again() -> None:
    whole = Budget()
    for _ in range(5):
        whole.part().keep(MAX_KEPT)
    with pytest.raises(Exhausted):
        whole.part().keep(MAX_KEPT + 1)
    whole.keep(MAX_KEPT // 2)
    with pytest.raises(Exhausted):
        whole.part().keep(MAX_KEPT // 2 + 2)


def test_small_formulas_do_not_come_near_the_limit() -> None:
    rng = random.Random(3)
    for _ in range(60):
        account = Budget(DEFAULT_STEPS)
        steps_of(formula(rng, 5, (A, B, C)), formula(rng, 5, (A, B, C)), account)
        assert account.spent() < DEFAULT_STEPS // 10
