"""The evaluator against the definitions, written out with quantifiers over an unrolled word."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from logic_samples import A, B, C, formula, trace

from assent.errors import FragmentError
from assent.logic.ast import (
    TRUE,
    Always,
    And,
    Const,
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
    StrongRelease,
    Until,
    WeakUntil,
    size,
)
from assent.logic.semantics import Trace, holds, shortened


def definition(f: Formula, word: Trace, t: int, far: int) -> bool:
    """The textbook clauses; ``far`` is a time beyond which nothing new happens."""

    def at(g: Formula, when: int) -> bool:
        return definition(g, word, word.fold(when), far)  # type: ignore[arg-type]

    def times(within: Interval) -> range:
        end = len(word) - 1 if word.loop is None else t + int(within.low) + far
        high = end if within.high is None else min(end, t + int(within.high))
        return range(t + int(within.low), high + 1)

    match f:
        case Const(value):
            return value
        case Prop():
            return f in word.states[t]
        case Not(g):
            return not at(g, t)
        case And(gs):
            return all(at(g, t) for g in gs)
        case Or(gs):
            return any(at(g, t) for g in gs)
        case Implies(g, h):
            return not at(g, t) or at(h, t)
        case Iff(g, h):
            return at(g, t) == at(h, t)
        case Next(g):
            return word.fold(t + 1) is not None and at(g, t + 1)
        case Always(g, within):
            return all(at(g, u) for u in times(within))
        case Eventually(g, within):
            return any(at(g, u) for u in times(within))
        case Until(g, h, within):
            return any(at(h, u) and all(at(g, v) for v in range(t, u)) for u in times(within))
        case Release(g, h, within):
            return all(at(h, u) or any(at(g, v) for v in range(t, u)) for u in times(within))
        case WeakUntil(g, h):
            return at(Or((Until(g, h), Always(g))), t)
        case StrongRelease(g, h):
            return at(Until(h, And((g, h))), t)
    raise AssertionError(f)


@given(st.integers(0, 10**9), st.integers(0, 4), st.sampled_from([0, 3, 9]))
def test_agrees_with_the_definitions(seed: int, operators: int, largest: int) -> None:
    rng = random.Random(seed)
    f, word = formula(rng, operators, (A, B, C), largest=largest), trace(rng, (A, B, C), longest=4)
    position = rng.randrange(len(word))
    assert holds(f, word, position) == definition(f, word, position, 2 * len(word))


@given(st.integers(0, 10**9))
def test_shortening_keeps_the_word(seed: int) -> None:
    rng = random.Random(seed)
    word = trace(rng, (A,), longest=9)
    short = shortened(word)
    assert len(short) <= len(word)
    if word.loop is not None:
        times = range(40)
        assert [word.states[word.fold(t) or 0] for t in times] == [
            short.states[short.fold(t) or 0] for t in times
        ]


def test_long_windows_are_quick_and_right() -> None:
    n = 5000
    states = tuple(
        frozenset([A]) if t < 4000 else frozenset([B]) if t == 4000 else frozenset() for t in range(n)
    )
    word = Trace(states, n - 1)
    assert holds(Until(A, B, Interval(4000, 4000)), word)
    assert not holds(Until(A, B, Interval(0, 3999)), word)
    assert holds(Always(Eventually(B, Interval(0, 1000)), Interval(3000, 4000)), word)
    assert not holds(Always(Eventually(B, Interval(0, 1000)), Interval(3000, 4001)), word)


def test_decimal_bounds_need_a_fitting_step() -> None:
    word = Trace((frozenset(), frozenset([A])), 1, Fraction(1, 2))
    assert holds(Eventually(A, Interval(Fraction(1, 2), Fraction(1, 2))), word)
    assert not holds(Eventually(A, Interval(Fraction(0), Fraction(0))), word)
    with pytest.raises(FragmentError):
        holds(Eventually(A, Interval(Fraction(1, 3), Fraction(1, 2))), word)
    with pytest.raises(FragmentError):
        holds(Next(A), word)


def test_nonsense_traces_are_refused() -> None:
    for states, loop in [((), None), ((frozenset(),), 1), ((frozenset(),), -1)]:
        with pytest.raises(FragmentError):
            Trace(states, loop)
    with pytest.raises(FragmentError):
        holds(TRUE, Trace((frozenset(),)), 1)


def test_stretches_cover_the_trace() -> None:
    word = Trace((frozenset(), frozenset(), frozenset(), frozenset([A])), 1)
    assert list(word.stretches()) == [(0, 0, frozenset()), (1, 2, frozenset()), (3, 3, frozenset([A]))]


def test_samples_have_the_size_asked_for() -> None:
    assert all(size(formula(random.Random(seed), 5)) == 5 for seed in range(20))
