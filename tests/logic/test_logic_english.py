"""Controlled English: what is written is read back, exactly, and reads as the golden texts do."""

from __future__ import annotations

import re
import time
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assent.errors import AssentError, FormulaError, FragmentError, LimitError
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
    Logic,
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
    children,
    rebuild,
)
from assent.logic.canonical import canonical
from assent.logic.dialect import MAX_DEPTH, RELATIONS
from assent.logic.english import english, read_english, say

GOLDEN = Path(__file__).parents[1] / "golden" / "english"

# Every word that the writer can write is also tried as a name.
GRAMMAR_WORDS = sorted(
    {
        word
        for text in (Path(say.__file__).read_text(), *map(str, say.RELATION_WORDS.values()))
        for word in re.findall(r"[a-z]+", text)
    }
)
names = st.one_of(
    st.sampled_from(["prop_1", "prop_2", "a", "b", "p", "Goal", "arm.x", "größe", "_x1"]),
    st.sampled_from(GRAMMAR_WORDS),
    st.sampled_from([word.capitalize() for word in sorted(say.RESERVED)]),
)
numbers = st.one_of(
    st.integers(0, 99).map(Fraction),
    st.integers(0, 99_999).map(lambda n: Fraction(n, 1000)),
    st.sampled_from([Fraction(1, 3), Fraction(1, 10**9), Fraction(1, 10**28)]),
)
signed = st.one_of(numbers, st.just(Fraction(10**29)), numbers.map(lambda n: -n))


@st.composite
def intervals(draw: st.DrawFn) -> Interval:
    low = draw(numbers)
    high = draw(st.one_of(st.none(), st.just(low), numbers.map(lambda n: low + n)))
    return Interval(low, high)


def terms() -> st.SearchStrategy:
    leaf = st.one_of(names.map(Signal), signed.map(Constant))
    return st.recursive(
        leaf,
        lambda inner: st.one_of(
            st.builds(Arithmetic, st.sampled_from("+-*"), inner, inner),
            st.builds(Negative, inner),
            st.builds(Abs, inner),
        ),
        max_leaves=4,
    )


comparators = st.sampled_from(["<", "<=", ">", ">=", "==", "!="])


def atoms(logic: Logic) -> st.SearchStrategy:
    constants = st.sampled_from([TRUE, FALSE])
    if logic is Logic.LTL:
        return st.one_of(names.map(Prop), names.map(Prop), constants)
    if logic is Logic.STL:
        return st.one_of(names.map(Prop), st.builds(Compare, terms(), comparators, terms()), constants)
    relations = st.sampled_from(sorted(RELATIONS)).flatmap(
        lambda relation: st.builds(
            lambda *args: Relation(relation, args), *[names] * RELATIONS[relation].arity
        )
    )
    distances = st.builds(Compare, st.builds(Dist, names, names), comparators, signed.map(Constant))
    return st.one_of(relations, relations, distances, constants)


def formulas(logic: Logic, leaves: int = 8) -> st.SearchStrategy[Formula]:
    within = st.just(EVER) if logic is Logic.LTL else st.one_of(st.just(EVER), intervals())

    def grow(inner: st.SearchStrategy) -> st.SearchStrategy:
        many = st.lists(inner, min_size=2, max_size=4).map(tuple)
        props = st.lists(atoms(logic), min_size=2, max_size=4).map(tuple)
        return st.one_of(
            inner.map(Not),
            many.map(And),
            many.map(Or),
            props.map(And),
            props.map(Or),
            props.map(lambda args: And(tuple(map(Not, args)))),
            st.builds(Implies, inner, inner),
            st.builds(Iff, inner, inner),
            inner.map(Next),
            st.builds(Always, inner, within),
            st.builds(Eventually, inner, within),
            st.builds(Until, inner, inner, within),
            st.builds(Release, inner, inner, within),
            st.builds(WeakUntil, inner, inner),
            st.builds(StrongRelease, inner, inner),
        )

    return st.recursive(atoms(logic), grow, max_leaves=leaves)


def flat(formula: Formula) -> Formula:
    """Without an and directly inside an and, an or directly inside an or."""
    parts = tuple(flat(part) for part in children(formula))
    if not isinstance(formula, And | Or):
        return rebuild(formula, parts)
    kind = type(formula)
    return kind(tuple(arg for part in parts for arg in (part.args if isinstance(part, kind) else (part,))))


@pytest.mark.parametrize("logic", list(Logic))
def test_reading_back_gives_the_same_formula(logic: Logic) -> None:
    @settings(max_examples=300, deadline=None)
    @given(formulas(logic))
    def identical(formula: Formula) -> None:
        said = english(formula)
        back = read_english(said, logic)
        assert back == flat(formula), said
        assert canonical(back) == canonical(formula)

    identical()


@settings(max_examples=200, deadline=None)
@given(formulas(Logic.STL), st.sampled_from(["seconds", "s", "steps", "milliseconds of flight"]))
def test_any_unit_and_description(formula: Formula, unit: str) -> None:
    says = {"prop_1": "the door is open", "a": 'the "red" room; both and', "b": "p"}
    said = english(formula, unit=unit, says=says)
    assert read_english(said, "stl", unit=unit, says=says) == flat(formula)


@settings(max_examples=200, deadline=None)
@given(st.one_of(formulas(Logic.STL), formulas(Logic.SPATIAL)))
def test_no_symbols_and_no_brackets(formula: Formula) -> None:
    said = re.sub(r'"[^"]*"', "", english(formula))
    assert not re.search(r"[^\w\s.,;:]", said), said
    assert said.endswith(".")


def _golden() -> list[tuple[str, str, Formula]]:
    p, q, r, s = (Prop(f"prop_{i}") for i in range(1, 5))
    cup, ball = Relation("leftOf", ("cup", "box")), Relation("between", ("ball", "cup", "box"))

    def within(low: int | str, high: int | str | None) -> Interval:
        return Interval(Fraction(low), None if high is None else Fraction(high))

    touch = Relation("touch", ("a", "b"))
    gap = Abs(Arithmetic("-", Signal("x"), Signal("y")))
    return [
        ("stl", "response", Always(Implies(p, Eventually(q, within(12, 50))))),
        ("ltl", "stability", Eventually(Always(p))),
        ("ltl", "recurrence", Always(Eventually(p))),
        ("ltl", "absence", Not(Eventually(p))),
        ("ltl", "invariant", Always(Not(p))),
        ("ltl", "until", Until(p, q)),
        ("ltl", "weak-until", WeakUntil(Not(p), q)),
        ("ltl", "release", Release(p, q)),
        ("ltl", "strong-release", StrongRelease(p, q)),
        ("ltl", "next", Always(Implies(p, Next(q)))),
        ("ltl", "steps", Next(Next(Next(p)))),
        ("ltl", "and", Always(Implies(And((p, q)), Or((r, s))))),
        ("ltl", "or", Or((p, q, r))),
        ("ltl", "neither", Eventually(And((Not(p), Not(q))))),
        ("ltl", "both", And((p, Always(q)))),
        ("ltl", "either", Or((Not(p), Eventually(q)))),
        ("ltl", "iff", Always(Iff(p, Not(q)))),
        ("ltl", "sequence", Eventually(And((p, Eventually(And((q, Eventually(r)))))))),
        ("ltl", "patrol", And((Eventually(p), Eventually(q), Always(Not(r))))),
        ("ltl", "nested-if", Implies(Implies(p, q), r)),
        ("ltl", "nested-iff", Iff(Implies(p, q), Always(r))),
        ("stl", "bounded-until", Until(And((p, q)), Or((r, s)), within(3, 5))),
        ("stl", "bounded-release", Release(p, q, within(2, 4))),
        ("stl", "exactly", Always(Implies(p, Eventually(q, within(5, 5))), within(0, 1))),
        ("stl", "at-least", Not(Eventually(And((p, Not(q))), within(3, None)))),
        ("stl", "comparison", Always(Compare(gap, "<=", Constant(Fraction(2))), within(0, "2.5"))),
        ("spatial", "relations", Eventually(And((cup, Not(ball))), within(3, 9))),
        ("spatial", "distance", Until(cup, Compare(Dist("cup", "ball"), "<", Constant(Fraction("0.3"))))),
        (
            "spatial",
            "oriented",
            Always(Implies(Not(touch), Relation("oriented", ("a", "c")))),
        ),
    ]


def test_golden_texts() -> None:
    lines = (GOLDEN / "sentences.tsv").read_text(encoding="utf-8").splitlines()
    assert [f"{name}\t{english(formula)}" for _, name, formula in _golden()] == lines
    for logic, _, formula in _golden():
        assert read_english(english(formula), logic) == formula


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("", 1),
        ("p", 2),
        ("p holds q holds.", 9),
        ("If p holds, q holds.", 13),
        ("At every time between 5 and 2 time units later, p holds.", None),
        ("All 3 of these hold: p holds; and q holds.", None),
        ("p holds (always).", 9),
        ("p is greater than.", 18),
        ("At every time within the next 3 seconds, p holds.", 33),
    ],
)
def test_other_text_is_refused_with_a_column(text: str, column: int | None) -> None:
    with pytest.raises(FormulaError) as caught:
        read_english(text, "stl")
    assert column is None or caught.value.column == column


def test_the_logic_is_checked() -> None:
    with pytest.raises(FragmentError):
        read_english("p holds within the next 3 time units.".replace("holds", "holds at some time"), "ltl")
    with pytest.raises(LimitError):
        read_english("both " * 100_000, "ltl")
    with pytest.raises(LimitError):
        read_english("it is not the case that " * 10_000 + "p holds", "ltl")


Q = Prop("q")
GROW = {
    "not": Not,
    "always": Always,
    "next": Next,
    "and": lambda f: And((f, Q)),
    "or": lambda f: Or((Q, f)),
    "until": lambda f: Until(f, Q),
    "until right": lambda f: Until(Q, f),
    "release": lambda f: Release(f, Q),
    "implies": lambda f: Implies(f, Q),
    "iff": lambda f: Iff(Q, f),
}


@pytest.mark.parametrize("grow", GROW.values(), ids=GROW)
def test_depth_up_to_the_limit(grow) -> None:  # type: ignore[no-untyped-def]
    formula: Formula = Prop("p")
    for _ in range(MAX_DEPTH - 1):
        formula = grow(formula)
    assert read_english(english(formula), "ltl") == flat(formula)


def test_quick() -> None:
    formula = _golden()[17][2]
    best = min(_seconds(formula) for _ in range(50))
    assert best < 0.001


def _seconds(formula: Formula) -> float:
    start = time.perf_counter()
    english(formula)
    return time.perf_counter() - start


@settings(max_examples=500, deadline=None)
@given(
    st.lists(
        st.one_of(
            st.sampled_from(
                "at every time|at some time|at no time|from then on|both|and|either|or|or both|if|then|until|"
                "eventually|for ever or|it is not the case that|it stays true that|holds|hold|does not hold|p|q|;|"
                "within the next|between|5|time units|later|is|greater than|the sum of|minus|after 3 steps|all 2|"
                "of these hold|at least one of|these holds|none of|neither|nor|exactly|not preceded by a time when|"
                '"a b"|,|.|if and only if|up to and including a time at which|the|0|over'.split("|")
            ),
            st.text(max_size=3),
        ),
        max_size=25,
    ).map(" ".join)
)
def test_whatever_is_read_is_said_the_same_way_again(text: str) -> None:
    """Any text is read or refused with a column; what is read means what the writer says of it."""
    try:
        formula = read_english(text, "stl")
    except (FormulaError, FragmentError):
        return
    assert read_english(english(formula), "stl") == flat(formula)


@pytest.mark.parametrize("logic", ["ltl", "stl", "spatial"])
def test_a_message_about_half_characters_can_be_written(logic: str) -> None:
    """Found by fuzzing: the message quoted a lone surrogate, and nobody could print it."""
    text = b'"i\xe1\xbe\xbe\xbe\xbe\xbe\xbe\xbe\xbe\xe1\xe1t"h and mt hold.'.decode(
        "utf-8", "surrogateescape"
    )
    with pytest.raises(AssentError) as error:
        read_english(text, logic)
    assert str(error.value).encode()
