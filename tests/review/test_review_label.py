"""From an answer to a label: equal meaning is right, everything else and everything undecided is wrong."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assent.ledger import Said
from assent.logic.equivalence import Equivalence, Verdict
from assent.review import meaning
from assent.review.meaning import label, typed

PAIRS = [
    ("G p", "!F !p", False),
    ("p U q", "q | (p & X (p U q))", False),
    ("F (p | q)", "F p | F q", False),
    ("G (p | q)", "G p | G q", True),
    ("p U q", "p W q", True),
    ("G (p -> F q)", "F q", True),
]


@pytest.mark.parametrize(("candidate", "chosen", "wrong"), PAIRS)
def test_the_label_is_a_decision_about_meaning(candidate: str, chosen: str, wrong: bool) -> None:
    assert label(candidate, "ltl", Said.FORMULA, chosen) == (wrong, True)
    assert label(chosen, "ltl", Said.FORMULA, candidate) == (wrong, True)


def test_none_and_unsayable_are_wrong_and_a_skip_is_no_label() -> None:
    assert label("G p", "ltl", Said.NONE, None) == (True, True)
    assert label("G p", "ltl", Said.UNSAYABLE, None) == (True, True)
    assert label("G p", "ltl", Said.SKIP, None) == (None, True)
    assert label(None, "ltl", Said.FORMULA, "G p") == (True, True)
    assert label("G (", "ltl", Said.FORMULA, "G p") == (True, True)


def test_what_cannot_be_decided_counts_as_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    unknown = Equivalence(Verdict.UNKNOWN, "budget exhausted")
    monkeypatch.setattr(meaning, "equivalent", lambda *_: unknown)
    assert label("G p", "ltl", Said.FORMULA, "!F !p") == (True, False)


LTL = st.recursive(
    st.sampled_from(["p", "q"]),
    lambda inner: (
        st.builds("{0}({1})".format, st.sampled_from(["!", "X ", "F ", "G "]), inner)
        | st.builds("({0}) {1} ({2})".format, inner, st.sampled_from(["&", "|", "->", "U"]), inner)
    ),
    max_leaves=4,
)


@settings(max_examples=60)
@given(candidate=LTL, chosen=LTL)
def test_right_means_equal_on_every_short_lasso(candidate: str, chosen: str) -> None:
    """The oracle is the evaluator on all lassos of up to three states over two names."""
    from itertools import product

    from assent.logic.ast import Prop
    from assent.logic.parse import read
    from assent.logic.semantics import Trace, holds

    wrong, decided = label(candidate, "ltl", Said.FORMULA, chosen)
    one, other = read(candidate, "ltl"), read(chosen, "ltl")
    letters = [frozenset(s) for s in ((), (Prop("p"),), (Prop("q"),), (Prop("p"), Prop("q")))]
    differ = any(
        holds(one, Trace(states, loop)) != holds(other, Trace(states, loop))
        for n in (1, 2, 3)
        for states in product(letters, repeat=n)
        for loop in range(n)
    )
    assert decided
    if differ:
        assert wrong
    elif wrong:  # a difference that only a longer lasso shows: the decider must have one
        witness = meaning.apart(one, other)
        assert witness is not None
        assert holds(one, witness) != holds(other, witness)


def test_typed_text_is_a_formula_or_controlled_english() -> None:
    from assent.errors import FormulaError
    from assent.logic.parse import read

    assert typed("G p", "ltl") == read("G p", "ltl")
    assert typed("At every time, p holds.", "ltl") == read("G p", "ltl")
    with pytest.raises(FormulaError, match="neither"):
        typed("whenever the pump runs", "ltl")
