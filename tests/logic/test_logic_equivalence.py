"""The decider against exhaustive lassos, known laws, and formulas whose answer is known by hand."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from logic_samples import A, B, C, all_lassos, formula, interval, trace

from assent.errors import FragmentError
from assent.logic.ast import (
    EVER,
    FALSE,
    TRUE,
    Abs,
    Always,
    And,
    Arithmetic,
    Compare,
    Constant,
    Dist,
    Eventually,
    Formula,
    Iff,
    Implies,
    Interval,
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
    walk,
)
from assent.logic.equivalence import Verdict, equivalent, satisfiable, valid
from assent.logic.parse import read
from assent.logic.semantics import holds

SEEDS = st.integers(0, 10**9)
SHORT_LASSOS = all_lassos((A, B), 3)


def verdict(a: Formula, b: Formula, **options: bool) -> Verdict:
    found = equivalent(a, b, budget=10.0, **options)
    if found.verdict is Verdict.DIFFERENT:
        assert found.witness is not None
        assert holds(a, found.witness) != holds(b, found.witness)
    return found.verdict


@settings(max_examples=80)
@given(SEEDS, st.integers(1, 5), st.sampled_from([0, 3]))
def test_never_contradicts_exhaustive_lassos(seed: int, operators: int, largest: int) -> None:
    rng = random.Random(seed)
    f, g = (formula(rng, operators, largest=largest) for _ in range(2))
    tell_apart = any(holds(f, word) != holds(g, word) for word in SHORT_LASSOS)
    found = verdict(f, g)
    if tell_apart:
        assert found is not Verdict.EQUAL
    if found is Verdict.UNKNOWN:
        assert largest


def rewritten(
    rng: random.Random, f: Formula, g: Formula, h: Formula, largest: int
) -> tuple[Formula, Formula]:
    """Both sides of a law of discrete time over infinite words, instantiated."""
    within = interval(rng, largest, 0.2) if largest else EVER
    low, high = within.low, within.high
    laws: list[tuple[Formula, Formula]] = [
        (Until(f, g), Or((g, And((f, Next(Until(f, g))))))),
        (Release(f, g), And((g, Or((f, Next(Release(f, g))))))),
        (WeakUntil(f, g), Or((Until(f, g), Always(f)))),
        (StrongRelease(f, g), And((Release(f, g), Eventually(f)))),
        (Until(And((f, g)), h), And((Until(f, h), Until(g, h)))),
        (Until(f, Or((g, h))), Or((Until(f, g), Until(f, h)))),
        (Until(f, Until(f, g)), Until(f, g)),
        (Until(Until(f, g), g), Until(f, g)),
        (Always(Eventually(Always(f))), Eventually(Always(f))),
        (Eventually(And((f, Eventually(g)))), Eventually(And((f, Or((g, Eventually(g))))))),
        (Not(WeakUntil(f, g)), StrongRelease(Not(f), Not(g))),
        (Next(Until(f, g)), Until(Next(f), Next(g))),
        (Iff(f, g), And((Implies(f, g), Implies(g, f)))),
        (Not(Until(f, g, within)), Release(Not(f), Not(g), within)),
        (Not(Always(f, within)), Eventually(Not(f), within)),
        (Always(And((f, g)), within), And((Always(f, within), Always(g, within)))),
        (Eventually(Or((f, g)), within), Or((Eventually(f, within), Eventually(g, within)))),
        (Always(f, within), Not(Until(TRUE, Not(f), within))),
        (
            Eventually(Eventually(f, within), Interval(1, 4)),
            Eventually(f, Interval(low + 1, high and high + 4)),
        )
        if high
        else (f, Not(Not(f))),
        (Until(f, g, Interval(0, high)), And((Eventually(g, Interval(0, high)), Until(f, g)))),
        (
            Until(f, g, Interval(low + 1, high and high + 1)),
            And(
                (
                    Always(f, Interval(0, low)),
                    Eventually(Until(f, g, Interval(0, high and high - low)), Interval(low + 1, low + 1)),
                )
            ),
        )
        if high
        else (f, f),
    ]
    return rng.choice(laws)


@settings(max_examples=100)
@given(SEEDS, st.sampled_from([0, 4, 40]))
def test_instances_of_laws_are_equal(seed: int, largest: int) -> None:
    rng = random.Random(seed)
    parts = [formula(rng, rng.randint(0, 2), (A, B, C), largest=largest, unbounded=0.2) for _ in range(3)]
    left, right = rewritten(rng, parts[0], parts[1], parts[2], largest)
    found = verdict(left, right)
    if largest == 40 and any(without_end(node) for node in (*walk(left), *walk(right))):
        # Long windows inside what has no end may need more states than are allowed (seed 12928496 does).
        assert found is not Verdict.DIFFERENT
    else:
        assert found is Verdict.EQUAL


def without_end(node: Formula) -> bool:
    """Whether an operator of time reaches to the end of all."""
    interval = getattr(node, "within", None)
    timed = isinstance(node, Always | Eventually | Until | Release | WeakUntil | StrongRelease)
    return timed and (interval is None or interval.high is None)


@settings(max_examples=40)
@given(SEEDS, st.sampled_from([20, 120]))
def test_bounded_formulas_are_always_decided(seed: int, largest: int) -> None:
    rng = random.Random(seed)
    f = formula(rng, 4, largest=largest, unbounded=0.0)
    g = formula(rng, 4, largest=largest, unbounded=0.0) if rng.random() < 0.5 else Not(Not(f))
    found = verdict(f, g)
    assert found is not Verdict.UNKNOWN
    if found is Verdict.EQUAL:
        for _ in range(20):
            word = trace(rng, longest=40)
            assert word.loop is None or holds(f, word) == holds(g, word)


def within(f: Formula, low: int, high: int | None) -> Formula:
    return Eventually(f, Interval(low, high))


def throughout(f: Formula, low: int, high: int | None) -> Formula:
    return Always(f, Interval(low, high))


SOON, LATER = Implies(A, within(B, 10, 20)), Implies(A, within(B, 10, 21))
CUT = Or((within(A, 0, 300), within(A, 301, 700)))
OFTEN = Always(within(A, 0, 50))
KNOWN: list[tuple[Formula, Formula, str]] = [
    (throughout(SOON, 18, 44), throughout(LATER, 18, 44), "different"),
    (throughout(A, 2, 9), And((throughout(A, 2, 5), throughout(A, 6, 9))), "equal"),
    (throughout(A, 2, 9), And((throughout(A, 2, 5), throughout(A, 7, 9))), "different"),
    (Always(Implies(A, Until(B, B))), Always(Implies(A, B)), "equal"),
    (Always(SOON), Always(LATER), "different"),
    (within(throughout(A, 3, None), 5, None), Eventually(Always(A)), "equal"),
    (Always(within(A, 0, 700)), Always(CUT), "equal"),
    (Always(within(A, 0, 70)), Always(within(A, 1, 71)), "different"),
    (OFTEN, Always(Eventually(A)), "different"),
    (And((OFTEN, Always(Eventually(A)))), OFTEN, "equal"),
    (Until(A, B, Interval(0, 400)), And((Until(A, B), within(B, 0, 400))), "equal"),
    (Until(A, B, Interval(3, 400)), And((Until(A, B), within(B, 3, 400))), "different"),
    (throughout(A, 0, 1), And((A, Next(A))), "equal"),
    (within(A, 0, 10**4), within(A, 0, 10**4 - 1), "different"),
    (TRUE, FALSE, "different"),
    (Always(TRUE), Or((A, Not(A))), "equal"),
]


@pytest.mark.parametrize(("a", "b", "expected"), KNOWN)
def test_known_pairs(a: Formula, b: Formula, expected: str) -> None:
    assert verdict(a, b) == expected
    assert verdict(Not(b), Not(a)) == expected


def test_many_letters() -> None:
    """More letters than a truth table holds."""
    p = [Prop(f"p{i}") for i in range(31)]
    untils = [Until(p[i], p[i + 1]) for i in range(30)]
    unfolded = [Or((u.right, And((u.left, Next(u))))) for u in untils]
    assert verdict(Or(tuple(untils)), Or(tuple(unfolded))) is Verdict.EQUAL
    assert verdict(Or(tuple(untils)), Or(tuple(unfolded[:-1]))) is Verdict.DIFFERENT


def test_canonical_level_compares_forms_only() -> None:
    assert equivalent(And((A, B)), And((B, A)), level="canonical").equal
    found = equivalent(Always(Implies(A, Until(B, B))), Always(Implies(A, B)), level="canonical")
    assert found.verdict is Verdict.DIFFERENT
    assert found.witness is None


def test_without_time_the_answer_is_unknown_not_equal() -> None:
    rng = random.Random(7)
    verdicts = set()
    for _ in range(30):
        f, g, h = (formula(rng, 5, (A, B, C)) for _ in range(3))
        found = equivalent(Until(And((f, g)), h), And((Until(f, h), Until(g, h))), budget=1e-9)
        verdicts.add(found.verdict)
        assert found.equal == (found.verdict is Verdict.EQUAL)
    assert Verdict.UNKNOWN in verdicts
    assert Verdict.DIFFERENT not in verdicts


# ---- finite words --------------------------------------------------------------------------------------


def test_finite_words_have_an_end() -> None:
    last = Not(Next(TRUE))
    assert verdict(Eventually(last), TRUE, finite=True) is Verdict.EQUAL
    assert verdict(Eventually(last), TRUE) is Verdict.DIFFERENT
    assert verdict(Always(Eventually(A)), Eventually(And((last, A))), finite=True) is Verdict.EQUAL
    assert verdict(Always(Eventually(A)), Eventually(Always(A)), finite=True) is Verdict.EQUAL
    assert verdict(Not(Next(A)), Next(Not(A)), finite=True) is Verdict.DIFFERENT


@settings(max_examples=60)
@given(SEEDS, st.integers(1, 4), st.sampled_from([0, 3]))
def test_finite_words_agree_with_exhaustive_ones(seed: int, operators: int, largest: int) -> None:
    rng = random.Random(seed)
    f, g = (formula(rng, operators, (A,), largest=largest) for _ in range(2))
    words = [word for word in all_finite if holds(f, word) != holds(g, word)]
    found = equivalent(f, g, finite=True, budget=10.0)
    if words:
        assert found.verdict is Verdict.DIFFERENT
    if found.witness is not None:
        assert found.witness.loop is None


all_finite = [type(word)(word.states) for word in all_lassos((A,), 5) if word.loop == 0]


# ---- comparisons, decimals, relations -----------------------------------------------------------------

X, Y = Signal("x"), Signal("y")


def compare(left: object, op: str, value: object) -> Compare:
    return Compare(left, op, Constant(Fraction(str(value))))  # type: ignore[arg-type]


def test_comparisons_are_ordered() -> None:
    assert verdict(Not(compare(X, ">", 3)), compare(X, "<=", 3)) is Verdict.EQUAL
    assert (
        verdict(Compare(Constant(6), "<", Arithmetic("*", Constant(2), X)), compare(X, ">", 3))
        is Verdict.EQUAL
    )
    assert verdict(And((compare(X, ">", 5), compare(X, ">", 3))), compare(X, ">", 5)) is Verdict.EQUAL
    assert verdict(Always(Or((compare(X, "<", 5), compare(X, ">", 3)))), TRUE) is Verdict.EQUAL
    assert verdict(And((compare(X, "<=", 3), compare(X, ">=", 3))), compare(X, "==", 3)) is Verdict.EQUAL
    assert verdict(And((compare(X, "<=", 3), compare(Y, ">=", 3))), compare(X, "==", 3)) is Verdict.DIFFERENT
    assert verdict(Eventually(And((compare(X, "<", 3), compare(X, ">", 2)))), FALSE) is Verdict.DIFFERENT
    assert verdict(Always(compare(Abs(Arithmetic("-", X, Y)), ">=", 0)), TRUE) is Verdict.EQUAL
    close = Abs(Arithmetic("-", X, Y)), Abs(Arithmetic("-", Y, X))
    assert verdict(compare(close[0], "<", 2), compare(close[1], "<", 2)) is Verdict.EQUAL
    assert verdict(compare(Dist("a", "b"), "<", 0), FALSE) is Verdict.DIFFERENT


@given(SEEDS)
def test_comparisons_agree_with_numbers(seed: int) -> None:
    """Equal verdicts hold for every number; different ones have a number at each state of the witness."""
    rng = random.Random(seed)

    def number_formula(depth: int) -> Formula:
        if depth == 0:
            return compare(X, rng.choice(["<", "<=", ">", ">=", "==", "!="]), rng.randint(0, 3))
        parts = (number_formula(depth - 1), number_formula(depth - 1))
        return rng.choice([And(parts), Or(parts), Not(parts[0])])

    def value(f: Formula, x: Fraction) -> bool:
        match f:
            case Compare(_, op, Constant(level)):
                return {"<": x < level, "<=": x <= level, ">": x > level}.get(
                    op, {">=": x >= level, "==": x == level, "!=": x != level}.get(op, False)
                )
            case And(parts):
                return all(value(part, x) for part in parts)
            case Or(parts):
                return any(value(part, x) for part in parts)
            case Not(part):
                return not value(part, x)
        raise AssertionError(f)

    f, g = number_formula(2), number_formula(2)
    points = [Fraction(n, 2) for n in range(-2, 9)]
    same = all(value(f, x) == value(g, x) for x in points)
    assert verdict(f, g) == ("equal" if same else "different")


def test_decimal_bounds_are_scaled_together() -> None:
    half, both = Interval(Fraction(1, 2), Fraction(3, 2)), Interval(Fraction(3, 4), Fraction(7, 4))
    nested = Eventually(Eventually(A, half), Interval(Fraction(1, 4), Fraction(1, 4)))
    assert verdict(nested, Eventually(A, both)) is Verdict.EQUAL
    found = equivalent(Eventually(A, half), Eventually(A, both))
    assert found.verdict is Verdict.DIFFERENT
    assert found.witness is not None
    assert found.witness.step == Fraction(1, 4)
    with pytest.raises(FragmentError, match="next"):
        equivalent(Next(A), Eventually(A, half))


def test_relations_are_normalised_and_facts_are_optional() -> None:
    left, right = Relation("leftOf", ("a", "b")), Relation("rightOf", ("b", "a"))
    assert verdict(left, right) is Verdict.EQUAL
    assert verdict(left, Relation("leftOf", ("b", "a"))) is Verdict.DIFFERENT
    assert verdict(Relation("ovlp", ("a", "b")), Relation("ovlp", ("b", "a"))) is Verdict.EQUAL
    assert verdict(Relation("enclIn", ("a", "b")), Relation("enclIn", ("b", "a"))) is Verdict.DIFFERENT
    between = Relation("between", ("a", "b", "c")), Relation("between", ("a", "c", "b"))
    assert verdict(*between) is Verdict.EQUAL
    inside, overlap = Relation("enclIn", ("a", "b")), Relation("ovlp", ("a", "b"))
    assert verdict(Eventually(And((inside, overlap))), Eventually(inside)) is Verdict.DIFFERENT
    assert verdict(Eventually(And((inside, overlap))), Eventually(inside), axioms=True) is Verdict.EQUAL
    both_sides = Eventually(And((left, Relation("rightOf", ("a", "b")))))
    assert verdict(both_sides, FALSE, axioms=True) is Verdict.EQUAL
    assert verdict(both_sides, FALSE) is Verdict.DIFFERENT


def test_laws_that_undo_each_other_come_to_an_end() -> None:
    formula = read("(F[0,3](b & a)) <-> ((b <-> a) | b)", "stl")
    found = satisfiable(formula, steps=20_000)
    assert found.answer and found.witness is not None and holds(formula, found.witness)
    assert valid(formula, steps=20_000).answer is False
