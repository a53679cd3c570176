"""A formula on a recorded trace: against the definitions, written out naively, and against dense time itself."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assent.errors import FragmentError
from assent.logic import read
from assent.logic.ast import (
    Always,
    And,
    Compare,
    Const,
    Constant,
    Eventually,
    Formula,
    Iff,
    Implies,
    Interval,
    Next,
    Not,
    Or,
    Prop,
    Release,
    Signal,
    StrongRelease,
    Until,
    WeakUntil,
)
from assent.logic.dense import dense_robustness
from assent.logic.recorded import on_trace, over_time, period_of, resampled


def random_timed(rng: random.Random, depth: int, *, nexts: bool) -> Formula:
    if depth == 0:
        if rng.random() < 0.5:
            return Prop(rng.choice("ab"))
        return Compare(
            Signal("x"), rng.choice(("<", "<=", ">", ">=")), Constant(Fraction(rng.randint(0, 4), 2))
        )
    one, other = (random_timed(rng, depth - 1, nexts=nexts) for _ in range(2))
    low = rng.choice((Fraction(0), Fraction(1, 2), Fraction(1)))
    within = Interval(low, rng.choice((None, low, low + 1, low + Fraction(3, 2))))
    makers = [
        lambda: Not(one),
        lambda: And((one, other)),
        lambda: Or((one, other)),
        lambda: Implies(one, other),
        lambda: Iff(one, other),
        lambda: Always(one, within),
        lambda: Eventually(one, within),
        lambda: Until(one, other, within),
        lambda: Release(one, other, within),
        lambda: WeakUntil(one, other),
        lambda: StrongRelease(one, other),
        *([lambda: Next(one)] if nexts else []),
    ]
    return rng.choice(makers)()


def naive(f: Formula, t: int, row: list[dict[str, Fraction | bool]], period: Fraction) -> bool:
    """The definitions, word by word, at sample t of a finite trace."""

    def at(part: Formula, k: int) -> bool:
        return naive(part, k, row, period)

    def window(within: Interval) -> list[int]:
        return [
            k
            for k in range(t, len(row))
            if (k - t) * period >= within.low and (within.high is None or (k - t) * period <= within.high)
        ]

    match f:
        case Const(value):
            return value
        case Prop(name):
            return bool(row[t][name])
        case Compare(Signal(name), op, Constant(level)):
            x = row[t][name]
            return {"<": x < level, "<=": x <= level, ">": x > level, ">=": x >= level}[op]
        case Not(arg):
            return not at(arg, t)
        case And(args):
            return all(at(a, t) for a in args)
        case Or(args):
            return any(at(a, t) for a in args)
        case Implies(left, right):
            return at(right, t) or not at(left, t)
        case Iff(left, right):
            return at(left, t) == at(right, t)
        case Next(arg):
            return t + 1 < len(row) and at(arg, t + 1)
        case Always(arg, within):
            return all(at(arg, k) for k in window(within))
        case Eventually(arg, within):
            return any(at(arg, k) for k in window(within))
        case Until(left, right, within):
            return any(at(right, k) and all(at(left, j) for j in range(t, k)) for k in window(within))
        case Release(left, right, within):
            return all(at(right, k) or any(at(left, j) for j in range(t, k)) for k in window(within))
        case WeakUntil(left, right):
            return all(at(left, k) for k in range(t, len(row))) or at(Until(left, right), t)
        case StrongRelease(left, right):
            return at(Until(right, And((left, right))), t)
        case _:
            raise AssertionError(f)


def random_columns(rng: random.Random, count: int) -> dict[str, list[Fraction | bool]]:
    return {
        "a": [rng.random() < 0.6 for _ in range(count)],
        "b": [rng.random() < 0.4 for _ in range(count)],
        "x": [Fraction(rng.randint(0, 4), 2) for _ in range(count)],
    }


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 7))
def test_truth_is_that_of_the_definitions(seed: int, count: int) -> None:
    rng = random.Random(seed)
    formula = random_timed(rng, rng.randint(1, 3), nexts=True)
    columns = random_columns(rng, count)
    period = Fraction(1, 2)
    times = [3 + k * period for k in range(count)]
    found = on_trace(formula, times, columns, period=None if count > 1 else period)
    rows = [{name: values[t] for name, values in columns.items()} for t in range(count)]
    assert found.time == "discrete" and found.holds == naive(formula, 0, rows, period)
    if found.robustness:
        assert (found.robustness > 0) == found.holds
    assert (found.first_violation is None) == found.holds


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 2**32), st.integers(2, 6))
def test_dense_time_is_that_of_its_definition(seed: int, count: int) -> None:
    rng = random.Random(seed)
    formula = random_timed(rng, rng.randint(1, 2), nexts=False)
    columns = random_columns(rng, count)
    times = [Fraction(0)]
    while len(times) < count:
        times.append(times[-1] + rng.choice((Fraction(1, 4), Fraction(1, 2), Fraction(1), Fraction(3, 2))))
    found = on_trace(formula, times, columns)
    if found.time != "dense":
        return
    steps = {name: list(zip(times, values, strict=True)) for name, values in columns.items()}
    margin = dense_robustness(formula, steps, end=times[-1])  # type: ignore[arg-type]
    if margin:
        assert found.holds == (margin > 0)
    if found.robustness is not None:
        assert found.robustness == margin


@given(st.integers(0, 2**32), st.integers(1, 7))
def test_every_part_over_time_is_that_of_the_definitions(seed: int, count: int) -> None:
    rng = random.Random(seed)
    formula = random_timed(rng, 2, nexts=False)
    columns = random_columns(rng, count)
    times = [Fraction(k, 2) for k in range(count)]
    row = [{name: values[t] for name, values in columns.items()} for t in range(count)]
    found_times, courses = over_time(formula, times, columns)
    assert found_times == times and courses[0].formula == formula
    for course in courses:
        assert course.held == [naive(course.formula, t, row, Fraction(1, 2)) for t in range(count)]
        for held, margin in zip(course.held, course.margins or [], strict=bool(course.margins)):
            assert margin == 0 or held == (margin > 0)


def test_parts_in_dense_time_agree_with_the_whole() -> None:
    """Irregular samples: at the first one every part is what it is alone."""
    formula = read("G[0,3](x < 3 -> F[0,1] a)", "stl")
    times = [Fraction(0), Fraction(1, 2), Fraction(2), Fraction(7, 2)]
    columns = {"x": [Fraction(v) for v in (1, 2, 5, 1)], "a": [False, True, False, False]}
    _, courses = over_time(formula, times, columns)
    for course in courses:
        assert course.held[0] == on_trace(course.formula, times, columns).holds


def test_where_it_is_broken_first() -> None:
    columns = {
        "a": [True, False, True, False],
        "b": [True, True, False, False],
        "x": [Fraction(k) for k in range(4)],
    }
    times = [Fraction(k, 2) for k in range(4)]

    def first(text: str) -> float | None:
        return on_trace(read(text, "stl"), times, columns).first_violation

    assert first("G(x < 2)") == 1.0
    assert first("G(a -> b)") == 1.0
    assert first("G[1.5,2](b) & G(x < 3)") == 1.5
    assert first("a -> G(a)") == 0.5
    assert first("F[0,1](x > 7)") == 0.0
    assert first("G(x >= 0)") is None


def test_the_border_belongs_to_whom_it_belongs() -> None:
    columns = {"x": [Fraction("0.1") + Fraction("0.2")]}
    times = [Fraction(0)]
    assert on_trace(read("x <= 0.3", "stl"), times, columns).holds
    assert not on_trace(read("x < 0.3", "stl"), times, columns).holds


def test_periods_are_found_within_rounding() -> None:
    assert period_of([Fraction(str(k * 0.1)) for k in range(20)]) == Fraction(1, 10)
    assert period_of([Fraction("0.333333") * k for k in range(5)]) == Fraction(1, 3)
    assert period_of([Fraction(0), Fraction(1), Fraction(3)]) is None


def test_resampling_takes_the_last_value() -> None:
    times, columns = resampled([Fraction(0), Fraction("0.7"), Fraction("2.1")], {"x": [1, 2, 3]}, Fraction(1))  # type: ignore[list-item]
    assert times == [0, 1, 2] and columns == {"x": [1, 2, 2]}


def test_relations_and_distances_are_columns() -> None:
    formula = read("G(leftOf(cup, box) -> F[0,2] dist(cup, box) <= 0.5)", "spatial")
    columns = {
        "leftOf(cup,box)": [True, False, False],
        "dist(box, cup)": [Fraction(1), Fraction(1), Fraction("0.5")],
    }
    found = on_trace(formula, [Fraction(0), Fraction(1), Fraction(2)], columns)
    assert found.holds and found.robustness == 0.0


def test_what_cannot_be_evaluated_is_refused_with_the_reason() -> None:
    one, two = [Fraction(0)], [Fraction(0), Fraction(1), Fraction(3)]
    with pytest.raises(FragmentError, match="no column for b; it has a"):
        on_trace(read("a & b", "ltl"), one, {"a": [True]})
    with pytest.raises(FragmentError, match=r"a is a proposition, and its value at time 0 is 0\.5"):
        on_trace(read("a", "ltl"), one, {"a": [Fraction(1, 2)]})
    with pytest.raises(FragmentError, match="next beside intervals"):
        on_trace(read("F[0,2] X a", "stl"), two, {"a": [True] * 3})
    with pytest.raises(FragmentError, match="too fine for dense time"):
        on_trace(
            read("F[0,2] a", "stl"), [Fraction(0), Fraction(1), Fraction("1000000.001")], {"a": [True] * 3}
        )
    with pytest.raises(FragmentError, match="would make"):
        resampled([Fraction(0), Fraction(10**9)], {"a": [True, True]}, Fraction(1, 10))
