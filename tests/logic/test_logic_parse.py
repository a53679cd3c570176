"""Every spelling is read, in infix and in prefix; what is ambiguous or broken is refused at its column."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.errors import FormulaError, UsageError
from assent.logic import (
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
    read,
)
from assent.logic.parse import read_together

a, b, c, p, q = map(Prop, "abcpq")
x, y = Signal("x"), Signal("y")


def span(low: float | str, high: float | str | None) -> Interval:
    return Interval(Fraction(low), None if high is None else Fraction(high))


WINDOW = Always(Implies(p, q), span(3, 12))
RESPONSE = Always(Implies(p, Eventually(q)))


@pytest.mark.parametrize(
    "text",
    [
        "globally [3,12] ( p imply q )",
        "G[3,12](p -> q)",
        "G[3:12] (p=>q)",
        "□[3,12](p → q)",
        "\\mathbf{G}_{[3,12]} \\left( \\mathit{p} \\to q \\right)",
        "alw_[3,12] (p implies q)",
        "Always [ 3 , 12 ] (p ⇒ q)",
        "G_[3.0,12.00](p --> q)",
        "STL: G[3,12](p -> q).",
        "```stl\nG[3,12](p -> q)\n```",
        "Formula:\n```\nG[3,12](p -> q)\n```\n",
        "`G[3,12](p -> q)`",
        "```G\n[3,12](p -> q)```",
        "```\nG[3,12](p -> q).\n```.",
        "$G[3,12](p \\implies q)$",
        "\\(G_{[3,12]}(p \\Rightarrow q)\\)",
        "The STL formula: `G[3,12](p -> q)`;",
        "\ufeffG[3,12](p -> q)",
        "G[3,12] i p q",
        "G[3,12] -> p q",
        "globally [3,12] imply p q",
        'G[3,12]("p" -> "q")',
    ],
)
def test_one_formula_many_spellings(text: str) -> None:
    assert read(text, "stl") == WINDOW


@pytest.mark.parametrize(
    "text",
    [
        "G(p -> F q)",
        "[](p -> <>q)",
        "[ ] ( p -> <> q )",
        "□(p → ◇q)",
        "always (p implies eventually q)",
        "GLOBALLY (p IMPLY FINALLY q)",
        "G(p -> F(q))",
        "G i p F q",
        "LTL: G (p -> F q)",
        "G[0,inf](p -> F[0:] q)",
        "\\Box (p \\to \\Diamond q)",
    ],
)
def test_response_in_ltl(text: str) -> None:
    assert read(text, "ltl") == RESPONSE


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("!a & b", And((Not(a), b))),
        ("a & b & c", And((a, b, c))),
        ("a & (b & c)", And((a, And((b, c))))),
        ("a | b & c", Or((a, And((b, c))))),
        ("a -> b -> c", Implies(a, Implies(b, c))),
        ("a <-> b <-> c", Iff(Iff(a, b), c)),
        ("a U b U c", Until(a, Until(b, c))),
        ("a U b & c", And((Until(a, b), c))),
        ("! a U b", Until(Not(a), b)),
        ("F a U G b", Until(Eventually(a), Always(b))),
        ("a R b W c", Release(a, WeakUntil(b, c))),
        ("a M b", StrongRelease(a, b)),
        ("a weak_until b", WeakUntil(a, b)),
        ("a release b", Release(a, b)),
        ("next a equal b", Iff(Next(a), b)),
        ("GF a", Always(Eventually(a))),
        ("X[3] a", Next(Next(Next(a)))),
        ("1 U 0", Until(TRUE, FALSE)),
        ("true U ⊥", Until(TRUE, FALSE)),
        ("& F a G ! b", And((Eventually(a), Always(Not(b))))),
        ("& a & b c", And((a, And((b, c))))),
        ("U! a b", Until(Not(a), b)),
        ("e a i b c", Iff(a, Implies(b, c))),
        ("i & a b c", Implies(And((a, b)), c)),
        ("i & j", And((Prop("i"), Prop("j")))),
        ("G i", Always(Prop("i"))),
        ("M & b F a | a b", StrongRelease(And((b, Eventually(a))), Or((a, b)))),
        ("and(a, or(b, c), G(a))", And((a, Or((b, c)), Always(a)))),
        ("Until(Not(a), implies(b, c))", Until(Not(a), Implies(b, c))),
        ("& (a) (b)", And((a, b))),
        ("( & a ( F b ) )", And((a, Eventually(b)))),
    ],
)
def test_ltl_structure(text: str, expected: Formula) -> None:
    assert read(text, "ltl") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("speed > 3.5", Compare(Signal("speed"), ">", Constant(Fraction(7, 2)))),
        ("! x > 3", Not(Compare(x, ">", Constant(Fraction(3))))),
        ("G x >= -3 & a", And((Always(Compare(x, ">=", Constant(Fraction(-3)))), a))),
        ("abs(x - y) <= 2", Compare(Abs(Arithmetic("-", x, y)), "<=", Constant(Fraction(2)))),
        ("2x ≠ 6", Compare(Arithmetic("*", Constant(Fraction(2)), x), "!=", Constant(Fraction(6)))),
        ("x - y - 1 = 0", read("((x - y) - 1) == 0", "stl")),
        ("x + 2 * y < 1e2", read("(x + (2 * y)) < 100", "stl")),
        ("-x < -(1)", Compare(Negative(x), "<", Negative(Constant(Fraction(1))))),
        ("F[0.5,2.25] a", Eventually(a, span("0.5", "2.25"))),
        ("F[3:] a", Eventually(a, span(3, None))),
        ("F[3,inf) a", Eventually(a, span(3, None))),
        ("F [3,infinite] a", Eventually(a, span(3, None))),
        ("a U[1,2] b", Until(a, b, span(1, 2))),
        ("a R_{[1,\\infty]} b", Release(a, b, span(1, None))),
        ("a until [0,infinite] b", Until(a, b, EVER)),
        ("U[1,2] a b", Until(a, b, span(1, 2))),
    ],
)
def test_stl_structure(text: str, expected: Formula) -> None:
    assert read(text, "stl") == expected


LEFT = Relation("leftOf", ("cup", "bin_a"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("leftOf(cup, bin_a)", LEFT),
        ("cup leftof bin_a", LEFT),
        ("(cup left_of bin_a)", LEFT),
        ("LeftOf ( cup , bin_a )", LEFT),
        ("enclIn(cup, bin_a)", Relation("enclIn", ("cup", "bin_a"))),
        ("(F (cup enclosedin bin_a))", Eventually(Relation("enclIn", ("cup", "bin_a")))),
        (
            "((!t (F (cup leftof bin_a))) ->t (G (cup leftof bin_a)))",
            Implies(Not(Eventually(LEFT)), Always(LEFT)),
        ),
        ("!t leftof b", Not(Relation("leftOf", ("t", "b")))),
        ("a closer b than c", Relation("closerTo", ("a", "b", "c"))),
        ("a between b and c", Relation("between", ("a", "b", "c"))),
        (
            "between(a,b,c) & touch(a,b)",
            And((Relation("between", ("a", "b", "c")), Relation("touch", ("a", "b")))),
        ),
        ("dist(a,b) <= 0.3", Compare(Dist("a", "b"), "<=", Constant(Fraction(3, 10)))),
        ("(a dist b <= 0.3)", Compare(Dist("a", "b"), "<=", Constant(Fraction(3, 10)))),
        ("0.3 >= dist(a,b)", Compare(Constant(Fraction(3, 10)), ">=", Dist("a", "b"))),
        ("F[0,5] oriented(a, b)", Eventually(Relation("oriented", ("a", "b")), span(0, 5))),
        (
            "& leftOf(cup,bin_a) F cup touch bin_a",
            And((LEFT, Eventually(Relation("touch", ("cup", "bin_a"))))),
        ),
    ],
)
def test_spatial_structure(text: str, expected: Formula) -> None:
    assert read(text, "spatial") == expected


@pytest.mark.parametrize(
    ("text", "logic", "column", "words"),
    [
        ("a &", "ltl", 4, "ends"),
        ("a & & b", "ltl", 5, "stands where"),
        ("(a & b", "ltl", 1, "never closed"),
        ("a & b)", "ltl", 6, "closes nothing"),
        ("a b", "ltl", 3, "not an operator"),
        ("& a", "ltl", 1, "ends before"),
        ("& a b c", "ltl", 7, "complete before"),
        ("U(a, b, c)", "ltl", 7, "two arguments"),
        ("and(a, b", "ltl", 4, "never closed"),
        ("and a, b", "ltl", 6, "comma"),
        ("and(a,)", "ltl", 7, "closes nothing"),
        ("a since b", "ltl", 3, "since"),
        ("a ^ b", "ltl", 3, "xor"),
        ("until", "ltl", 1, "until"),
        ("GFa", "ltl", 1, "one name or operators"),
        ("G a. And so on", "ltl", 4, "'.'"),
        ("G a...", "ltl", 4, "'.'"),
        ("G a. .", "ltl", 4, "'.'"),
        ("```G a```. .", "ltl", 1, "'`'"),
        ("```p\nG a```", "ltl", 6, "cannot follow"),
        ("F[0,5] a", "ltl", 2, "LTL has no intervals"),
        ("x > 3", "ltl", 3, "LTL has no comparisons"),
        ("leftOf(a,b)", "ltl", 1, "SpaTiaL"),
        ("x > 3 m/s", "stl", 8, "units"),
        ("x > 3m", "stl", 6, "units"),
        ("x > 3 seconds", "stl", 7, "units"),
        ("F[0,5s] a", "stl", 2, "units"),
        ("F[5,2] a", "stl", 2, "before it starts"),
        ("F[-1,3] a", "stl", 2, "before 0"),
        ("F[5] a", "stl", 2, "two ends"),
        ("F[3,] a", "stl", 2, "not a number"),
        ("F[0,5) a", "stl", 2, "closed"),
        ("F[] a", "stl", 2, "without ends"),
        ("a W[0,5] b", "stl", 4, "no interval"),
        ("1 < x < 3", "stl", 7, "chain"),
        ("a + (b & c) > 1", "stl", 6, "not a number"),
        ("x + 1", "stl", 1, "not a formula"),
        ("2", "stl", 1, "not a formula"),
        ("visit(a)", "stl", 1, "visit"),
        ("G a", "spatial", 3, "alone"),
        ("leftOf(a)", "spatial", 1, "2 objects"),
        ("leftOf(a, 3)", "spatial", 11, "object"),
        ("between(a, b)", "spatial", 1, "3 objects"),
        ("x > 3", "spatial", 1, "no signals"),
        ("dist(a,b)", "spatial", 1, "not a formula"),
        ("\\foo a", "ltl", 1, "\\foo"),
        ('"G a"', "ltl", 1, "one name"),
    ],
)
def test_errors_say_where(text: str, logic: str, column: int, words: str) -> None:
    with pytest.raises(FormulaError, match="column") as caught:
        read(text, logic)
    assert caught.value.column == column
    assert words in caught.value.message
    *_, window, caret = str(caught.value).split("\n")
    assert window[caret.index("^") :].strip() == text[column - 1 :].strip()


def test_unknown_logic() -> None:
    with pytest.raises(UsageError, match="ctl"):
        read("a", "ctl")


# ---- precedence against a recursive-descent reader written from the documented table ------------------------

_LEVELS = [["<->"], ["->"], ["|"], ["&"], ["U", "R", "W", "M"]]
_NODES = {"<->": Iff, "->": Implies, "U": Until, "R": Release, "W": WeakUntil, "M": StrongRelease}
_UNARY = {"!": Not, "X": Next, "G": Always, "F": Eventually}


def _descend(tokens: list[str], level: int = 0) -> Formula:
    if level == len(_LEVELS):
        token = tokens.pop(0)
        if token == "(":
            inner = _descend(tokens)
            assert tokens.pop(0) == ")"
            return inner
        return _UNARY[token](_descend(tokens, level)) if token in _UNARY else Prop(token)
    parts, signs = [_descend(tokens, level + 1)], []
    while tokens and tokens[0] in _LEVELS[level]:
        signs.append(tokens.pop(0))
        parts.append(_descend(tokens, level + 1))
    if level in (2, 3):
        return parts[0] if len(parts) == 1 else (Or if level == 2 else And)(tuple(parts))
    while len(parts) > 1:
        if level == 0:
            parts[:2] = [Iff(parts[0], parts[1])]
        else:
            parts[-2:] = [_NODES[signs.pop()](parts[-2], parts[-1])]
    return parts[0]


def _random_text(rng: random.Random, budget: int) -> str:
    if budget == 0:
        return rng.choice("abc")
    kind = rng.random()
    if kind < 0.3:
        return rng.choice(list(_UNARY)) + " " + _random_text(rng, budget - 1)
    if kind < 0.45:
        return "( " + _random_text(rng, budget - 1) + " )"
    left = rng.randrange(budget)
    sign = rng.choice([sign for level in _LEVELS for sign in level])
    return f"{_random_text(rng, left)} {sign} {_random_text(rng, budget - 1 - left)}"


@given(st.integers(0, 10**9), st.integers(0, 14))
def test_precedence(seed: int, budget: int) -> None:
    text = _random_text(random.Random(seed), budget)
    assert read(text, "ltl") == _descend(text.split())


def _prefix(node: Formula, letters: dict[type, str]) -> str:
    if isinstance(node, Prop):
        return node.name
    return " ".join([letters[type(node)], *[_prefix(part, letters) for part in children(node)]])


@given(st.integers(0, 10**9), st.integers(0, 10))
def test_prefix_reads_what_it_spells(seed: int, budget: int) -> None:
    from assent.logic.testing import random_formula

    formula = random_formula(random.Random(seed), "ltl", operators=budget)
    while any(isinstance(node, And | Or) and len(node.args) > 2 for node in _nodes(formula)):
        seed += 1
        formula = random_formula(random.Random(seed), "ltl", operators=budget)
    letters = {node: sign for sign, node in (_NODES | _UNARY).items()} | {
        And: "&",
        Or: "|",
        Implies: "i",
        Iff: "e",
    }
    assert read(_prefix(formula, letters), "ltl") == formula


def _nodes(formula: Formula) -> list[Formula]:
    return [formula, *[node for part in children(formula) for node in _nodes(part)]]


@pytest.mark.parametrize(
    "text", ["G(p -> F[0,5] q", "G(speed > 3 -> F[0,5] q", "G(p -> q", "F(leftOf(a, b) & touch(a, b)"]
)
def test_without_a_logic_an_open_bracket_is_what_is_wrong(text: str) -> None:
    with pytest.raises(FormulaError, match="this bracket is never closed"):
        read_together([text])
