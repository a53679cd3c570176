"""Satisfiable, valid, vacuous: answers with traces that show them."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st
from logic_samples import A, B, all_lassos, formula

from assent.logic.ast import (
    FALSE,
    TRUE,
    Always,
    And,
    Eventually,
    Implies,
    Interval,
    Next,
    Not,
    Or,
    Until,
)
from assent.logic.equivalence import satisfiable, vacuous, valid, warnings
from assent.logic.semantics import holds

WORDS = all_lassos((A, B), 3)


@settings(max_examples=60)
@given(st.integers(0, 10**9), st.sampled_from([0, 5]))
def test_answers_agree_with_exhaustive_lassos(seed: int, largest: int) -> None:
    f = formula(random.Random(seed), 4, largest=largest)
    values = {holds(f, word) for word in WORDS}
    can, must = satisfiable(f), valid(f)
    assert can.answer is not None
    assert must.answer is not None
    if True in values:
        assert can.answer
    if False in values:
        assert not must.answer
    if can.answer:
        assert can.witness is not None
        assert holds(f, can.witness)
    if not must.answer:
        assert must.witness is not None
        assert not holds(f, must.witness)


def test_finite_words() -> None:
    last = Not(Next(TRUE))
    assert satisfiable(And((last, A))).answer is False
    found = satisfiable(And((last, A)), finite=True)
    assert found.answer
    assert found.witness is not None
    assert found.witness.loop is None
    assert valid(Eventually(last), finite=True).answer


def test_parts_that_do_not_matter() -> None:
    f = Always(Implies(A, Until(B, B)))
    (idle,) = vacuous(f)
    assert idle.part == B
    assert idle.simpler == Always(Implies(A, Until(FALSE, B)))
    assert vacuous(Always(Implies(A, Eventually(B)))) == ()
    wide = And((Eventually(A, Interval(0, 300)), Eventually(A, Interval(0, 700))))
    assert [found.part for found in vacuous(wide)] == [Eventually(A, Interval(0, 700))]


def test_warnings_name_the_trouble() -> None:
    assert "contradiction" in next(warnings(And((A, Always(Not(A))))))
    assert "tautology" in next(warnings(Or((Eventually(A), Always(Not(A))))))
    assert "does not matter" in next(warnings(Always(Implies(A, Until(B, B)))))
    assert list(warnings(Always(Implies(A, Eventually(B))))) == []
