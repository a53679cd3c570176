"""Classes of equal meaning: those that asking about every class gives, with far fewer questions."""

from __future__ import annotations

import random

import pytest

from assent.logic.equivalence import cluster
from assent.logic.parse import read
from assent.logic.testing import random_formula
from assent.scale.classes import Classes, signature


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("logic", ["ltl", "stl"])
def test_classes_are_those_of_asking_about_every_one(logic: str, seed: int) -> None:
    rng = random.Random(seed)
    some = [
        random_formula(rng, logic, operators=rng.randrange(1, 4), atoms=2, max_bound=3) for _ in range(60)
    ]
    classes = Classes()
    assert [classes.add(formula) for formula in some] == cluster(some)


def test_most_pairs_need_no_decision() -> None:
    rng, classes = random.Random(1), Classes()
    for _ in range(400):
        classes.add(random_formula(rng, "ltl", operators=rng.randrange(1, 4), atoms=4))
    assert classes.compared < classes.avoided / 10


def test_signatures_are_of_meanings() -> None:
    same = [("G (a -> F b)", "!F (a & G !b)"), ("a U (a U b)", "a U b"), ("X (a & b)", "X a & X b")]
    for one, other in same:
        assert signature(read(one, "ltl")) == signature(read(other, "ltl"))
    assert signature(read("F a", "ltl")) != signature(read("F b", "ltl"))
    assert signature(read("G (x > 3)", "stl")) is None
