"""Robustness against its definition, against truth, and against rtamt."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from typing import assert_never

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assent.errors import FragmentError
from assent.logic.ast import (
    EVER,
    Abs,
    Always,
    And,
    Arithmetic,
    Compare,
    Const,
    Constant,
    Eventually,
    Formula,
    Iff,
    Implies,
    Interval,
    Negative,
    Next,
    Not,
    Or,
    Prop,
    Relation,
    Release,
    Signal,
    StrongRelease,
    Until,
    WeakUntil,
    atoms,
)
from assent.logic.dense import dense_robustness
from assent.logic.robustness import robustness, robustness_over_time
from assent.logic.semantics import Trace, truth

P, Q, X, Y = Prop("p"), Prop("q"), Signal("x"), Signal("y")
LENGTH = 9


def intervals(highest: int = 6) -> st.SearchStrategy[Interval]:
    bounded = st.tuples(st.integers(0, highest), st.integers(0, highest)).map(
        lambda pair: Interval(Fraction(min(pair)), Fraction(max(pair)))
    )
    unbounded = st.integers(0, highest).map(lambda low: Interval(Fraction(low), None))
    return st.one_of(bounded, bounded, unbounded)


def formulas(*, with_next: bool = True, peer: bool = False) -> st.SearchStrategy[Formula]:
    terms = st.sampled_from(
        [X, Y, Arithmetic("-", X, Y), Abs(X), Arithmetic("*", Constant(2), Y), Negative(X)]
    )
    operators = st.sampled_from(["<", "<=", ">", ">="] if peer else ["<", "<=", ">", ">=", "==", "!="])
    numbers = st.integers(-6, 6).map(lambda n: Constant(Fraction(n, 2)))
    comparisons = st.builds(Compare, terms, operators, numbers)
    leaf: st.SearchStrategy = comparisons if peer else st.one_of(comparisons, st.sampled_from([P, Q]))
    within = intervals().filter(lambda i: i == EVER or not i.unbounded) if peer else intervals()

    def grow(inner: st.SearchStrategy) -> st.SearchStrategy:
        several = st.lists(inner, min_size=2, max_size=3).map(tuple)
        shared = [
            inner.map(Not),
            several.map(And),
            several.map(Or),
            st.builds(Implies, inner, inner),
            st.builds(Always, inner, within),
            st.builds(Eventually, inner, within),
            st.builds(Until, inner, inner, within),
        ]
        ours = [
            st.builds(Iff, inner, inner),
            st.builds(Release, inner, inner, within),
            st.builds(WeakUntil, inner, inner),
            st.builds(StrongRelease, inner, inner),
        ]
        step = [inner.map(Next)] if with_next else []
        return st.one_of(*shared, *([] if peer else ours + step))

    return st.recursive(leaf, grow, max_leaves=6)


def margins(length: int = LENGTH) -> st.SearchStrategy[dict]:
    # Quarters off the grid of constants, so that no comparison is exactly on its border.
    value = st.integers(-12, 12).map(lambda n: n / 2 + 0.25)
    return st.fixed_dictionaries(
        {name: st.lists(value, min_size=length, max_size=length) for name in ("p", "q", "x", "y")}
    )


# ---- the definition, written down once more ----------------------------------------------------------


def term_by_definition(term, state: dict[str, float]) -> float:
    match term:
        case Signal(name):
            return state[name]
        case Constant(value):
            return float(value)
        case Negative(arg):
            return -term_by_definition(arg, state)
        case Abs(arg):
            return abs(term_by_definition(arg, state))
        case Arithmetic(op, left, right):
            x, y = term_by_definition(left, state), term_by_definition(right, state)
            return {"+": x + y, "-": x - y, "*": x * y}[op]
        case _:
            raise AssertionError(term)


def atom_by_definition(atom, state: dict[str, float]) -> float:
    if isinstance(atom, Prop):
        return state[atom.name]
    gap = term_by_definition(atom.left, state) - term_by_definition(atom.right, state)
    return {">": gap, ">=": gap, "<": -gap, "<=": -gap, "==": -abs(gap), "!=": abs(gap)}[atom.op]


def by_definition(f: Formula, word: list[dict[str, float]], t: int) -> float:
    def rho(g: Formula, at: int) -> float:
        return by_definition(g, word, at)

    def window(within: Interval) -> list[int]:
        high = math.inf if within.high is None else within.high
        return [s for s in range(t, len(word)) if within.low <= s - t <= high]

    def until(left, right, within: Interval) -> float:
        return max(
            (min([right(s), *(left(r) for r in range(t, s))]) for s in window(within)), default=-math.inf
        )

    match f:
        case Const(value):
            return math.inf if value else -math.inf
        case Prop() | Compare():
            return atom_by_definition(f, word[t])
        case Relation():
            raise AssertionError(f)
        case Not(arg):
            return -rho(arg, t)
        case And(args):
            return min(rho(arg, t) for arg in args)
        case Or(args):
            return max(rho(arg, t) for arg in args)
        case Implies(left, right):
            return max(-rho(left, t), rho(right, t))
        case Iff(left, right):
            x, y = rho(left, t), rho(right, t)
            return min(max(-x, y), max(-y, x))
        case Next(arg):
            return rho(arg, t + 1) if t + 1 < len(word) else -math.inf
        case Always(arg, within):
            return min((rho(arg, s) for s in window(within)), default=math.inf)
        case Eventually(arg, within):
            return max((rho(arg, s) for s in window(within)), default=-math.inf)
        case Until(left, right, within):
            return until(lambda s: rho(left, s), lambda s: rho(right, s), within)
        case Release(left, right, within):
            return -until(lambda s: -rho(left, s), lambda s: -rho(right, s), within)
        case WeakUntil(left, right):
            lasting = min(rho(left, s) for s in range(t, len(word)))
            return max(lasting, until(lambda s: rho(left, s), lambda s: rho(right, s), EVER))
        case StrongRelease(left, right):
            return until(lambda s: rho(right, s), lambda s: min(rho(left, s), rho(right, s)), EVER)
        case _:
            assert_never(f)


@settings(max_examples=300, deadline=None)
@given(formulas(), margins(6))
def test_as_defined(formula: Formula, samples: dict) -> None:
    word = [{name: values[t] for name, values in samples.items()} for t in range(6)]
    assert robustness_over_time(formula, samples) == [by_definition(formula, word, t) for t in range(6)]


@settings(max_examples=300, deadline=None)
@given(formulas(), margins())
def test_the_sign_is_the_truth(formula: Formula, samples: dict) -> None:
    states = []
    for t in range(LENGTH):
        state = {name: values[t] for name, values in samples.items()}
        states.append(frozenset(atom for atom in atoms(formula) if atom_by_definition(atom, state) > 0))
    truths = truth(formula, Trace(tuple(states)))
    for value, true in zip(robustness_over_time(formula, samples), truths, strict=True):
        # 0 is the border: a margin of exactly 0 (x == y) says nothing about truth.
        assert value == 0 or (value > 0) == true


def test_propositions_count_one() -> None:
    samples = {"p": [True, False, True], "q": [False, False, True]}
    assert robustness_over_time(Eventually(Q), samples) == [1.0, 1.0, 1.0]
    assert robustness(Always(P), samples) == -1.0
    assert robustness(Eventually(P, Interval(Fraction(5), Fraction(9))), samples) == -math.inf
    assert robustness(Always(P, Interval(Fraction(5), Fraction(9))), samples) == math.inf


def test_decimal_bounds_need_a_fitting_step() -> None:
    half = Eventually(P, Interval(Fraction(1, 2), Fraction(1)))
    samples = {"p": [-1.0, -2.0, 3.0]}
    assert robustness(half, samples, step=Fraction(1, 2)) == 3.0
    with pytest.raises(FragmentError, match="whole number of steps"):
        robustness(half, samples)
    with pytest.raises(FragmentError, match="next"):
        robustness(Next(P), samples, step=Fraction(1, 2))


@pytest.mark.parametrize(
    "samples", [{}, {"p": []}, {"p": [1.0], "q": [1.0, 2.0]}, {"q": [1.0]}, {"p": [math.nan]}]
)
def test_bad_samples_are_refused(samples: dict) -> None:
    with pytest.raises(FragmentError):
        robustness(P, samples)
    with pytest.raises(FragmentError):
        robustness(P, {"p": [1.0]}, at=1)


# ---- dense time --------------------------------------------------------------------------------------


def dense_by_definition(f: Formula, word: list[dict[str, float]], n: int) -> list[float]:
    """Values at 0, 1/2, 1, ..., n of signals that jump at whole times only, with whole bounds.

    Then every value is constant on the open gaps between whole times; the quantifiers run over a grid of
    quarters, fine enough to have a point before and after the middle of each gap.
    """
    quarter = Fraction(1, 4)
    grid = [quarter * k for k in range(4 * n + 1)]
    memo: dict[tuple[int, Fraction], float] = {}

    def rho(g: Formula, t: Fraction) -> float:
        t = t if t.denominator == 1 else Fraction(math.floor(t)) + Fraction(1, 2)
        if (id(g), t) not in memo:
            memo[id(g), t] = compute(g, t)
        return memo[id(g), t]

    def until(left, right, within: Interval, t: Fraction) -> float:
        high = math.inf if within.high is None else within.high
        best, lasting = -math.inf, math.inf
        for s in grid:
            if s < t:
                continue
            if within.low <= s - t <= high:
                best = max(best, min(lasting, right(s)))
            lasting = min(lasting, left(s))
        return best

    def compute(g: Formula, t: Fraction) -> float:
        match g:
            case Prop() | Compare():
                return atom_by_definition(g, word[min(math.floor(t), len(word) - 1)])
            case Not(arg):
                return -rho(arg, t)
            case And(args):
                return min(rho(arg, t) for arg in args)
            case Or(args):
                return max(rho(arg, t) for arg in args)
            case Implies(left, right):
                return max(-rho(left, t), rho(right, t))
            case Iff(left, right):
                return min(max(-rho(left, t), rho(right, t)), max(-rho(right, t), rho(left, t)))
            case Always(arg, within):
                return -until(lambda s: math.inf, lambda s: -rho(arg, s), within, t)
            case Eventually(arg, within):
                return until(lambda s: math.inf, lambda s: rho(arg, s), within, t)
            case Until(left, right, within):
                return until(lambda s: rho(left, s), lambda s: rho(right, s), within, t)
            case Release(left, right, within):
                return -until(lambda s: -rho(left, s), lambda s: -rho(right, s), within, t)
            case WeakUntil(left, right):
                lasting = -until(lambda s: math.inf, lambda s: -rho(left, s), EVER, t)
                return max(lasting, until(lambda s: rho(left, s), lambda s: rho(right, s), EVER, t))
            case StrongRelease(left, right):
                return until(lambda s: rho(right, s), lambda s: min(rho(left, s), rho(right, s)), EVER, t)
            case _:
                raise AssertionError(g)

    return [rho(f, Fraction(k, 2)) for k in range(2 * n + 1)]


@settings(max_examples=200, deadline=None)
@given(formulas(with_next=False), margins(5))
def test_dense_time_as_defined(formula: Formula, samples: dict) -> None:
    word = [{name: values[t] for name, values in samples.items()} for t in range(5)]
    steps = {name: list(enumerate(values)) for name, values in samples.items()}
    expected = dense_by_definition(formula, word, 6)
    for k in range(13):
        assert dense_robustness(formula, steps, end=6, at=Fraction(k, 2)) == expected[k], k


def test_dense_time_differs_from_discrete_where_it_should() -> None:
    """G[2,9] is G[2,5] and G[6,9] only where there is nothing between 5 and 6."""
    whole = Always(P, Interval(Fraction(2), Fraction(9)))
    halves = And(
        (Always(P, Interval(Fraction(2), Fraction(5))), Always(P, Interval(Fraction(6), Fraction(9))))
    )
    dip = {"p": [(0, 1.0), (5.25, -1.0), (5.5, 1.0)]}
    assert dense_robustness(halves, dip, end=20) == 1.0
    assert dense_robustness(whole, dip, end=20) == -1.0


def test_dense_time_refuses() -> None:
    with pytest.raises(FragmentError, match="next"):
        dense_robustness(Next(P), {"p": [(0, 1.0)]}, end=3)
    for steps in ([], [(1, 1.0)], [(0, 1.0), (0, 2.0)], [(0, 1.0), (9, 2.0)]):
        with pytest.raises(FragmentError):
            dense_robustness(P, {"p": steps}, end=3)
    with pytest.raises(FragmentError):
        dense_robustness(P, {"p": [(0, 1.0)]}, end=3, at=4)


# ---- rtamt -------------------------------------------------------------------------------------------


def rtamt_text(f: Formula) -> str:
    def term(t) -> str:
        match t:
            case Signal(name):
                return name
            case Constant(value):
                return f"({float(value)})" if value >= 0 else f"(0 - {float(-value)})"
            case Negative(arg):
                return f"(0 - {term(arg)})"
            case Abs(arg):
                return f"abs({term(arg)})"
            case Arithmetic(op, left, right):
                return f"({term(left)} {op} {term(right)})"
            case _:
                raise AssertionError(t)

    def timed(word: str, within: Interval) -> str:
        return word if within == EVER else f"{word}[{within.low}:{within.high}]"

    match f:
        case Compare(left, op, right):
            return f"({term(left)} {op} {term(right)})"
        case Not(arg):
            return f"(not {rtamt_text(arg)})"
        case And(args):
            return "(" + " and ".join(map(rtamt_text, args)) + ")"
        case Or(args):
            return "(" + " or ".join(map(rtamt_text, args)) + ")"
        case Implies(left, right):
            return f"({rtamt_text(left)} implies {rtamt_text(right)})"
        case Always(arg, within):
            return f"({timed('always', within)} {rtamt_text(arg)})"
        case Eventually(arg, within):
            return f"({timed('eventually', within)} {rtamt_text(arg)})"
        case Until(left, right, within):
            return f"({rtamt_text(left)} {timed('until', within)} {rtamt_text(right)})"
        case _:
            raise AssertionError(f)


@pytest.mark.peer
@settings(max_examples=120, deadline=None)
@given(formulas(peer=True), margins())
def test_as_rtamt(formula: Formula, samples: dict) -> None:
    rtamt = pytest.importorskip("rtamt", reason="rtamt is not installed (extra: peers)")
    spec = rtamt.StlDiscreteTimeSpecification()
    for name in ("x", "y", "out"):
        spec.declare_var(name, "float")
    spec.spec = "out = " + rtamt_text(formula)
    spec.parse()
    answer = spec.evaluate({"time": list(range(LENGTH)), "x": samples["x"], "y": samples["y"]})
    assert robustness_over_time(formula, samples) == pytest.approx([value for _, value in answer])


def test_long_traces_are_quick() -> None:
    rng = random.Random(1)
    samples = {name: [rng.uniform(-1, 1) for _ in range(20_000)] for name in ("p", "q")}
    formula = Always(Implies(P, Until(P, Q, Interval(Fraction(184), Fraction(4400)))))
    assert math.isfinite(robustness(formula, samples))
