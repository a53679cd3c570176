"""Conventions of a project: signs of a formula beside words of its text, learnt by folds, read back fail-closed."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.embedded import Embedded
from assent.embedded.conventions import leaning, traits
from assent.embedded.opinions import FILE, RerankedTranslator, Weights, read_weights
from assent.errors import ModelError
from assent.lift import lift
from assent.logic.parse import read

pytest.importorskip("torch", reason="the training extra is not installed")

from assent_train.conventions import Ranked, fitted, learn

UNTIL = lift("p1 holds until p2 holds", "ltl")


def test_signs_say_what_stands_where() -> None:
    found = traits(UNTIL, read("G(p1 -> (p2 U p3 & X p1 & !p2))", "ltl"))
    assert {"G", "^G", "G>->", "->2>&", "&>U", "&>X", "until: U", "until: ^G"} <= found
    assert not {"W", "&>&", "P1", "^->"} & found
    assert {"F[]", "F[]>>="} <= traits(UNTIL, read("F[0,5] speed >= 3", "stl"))
    assert {"^ovlp"} <= traits(UNTIL, read("ovlp(a, b)", "spatial"))


@given(st.permutations(sorted(traits(UNTIL, read("G(p1 -> F(p2 W p3))", "ltl")))), st.randoms())
def test_the_order_of_weights_does_not_matter(names: list[str], rng: random.Random) -> None:
    weights = {name: round(rng.uniform(-3, 3), 2) for name in names}
    formula = read("G(p1 -> F(p2 W p3))", "ltl")
    turned = dict(reversed(list(weights.items())))
    assert leaning(weights, UNTIL, formula) == leaning(turned, UNTIL, formula)
    assert leaning({}, UNTIL, formula) == 0


def rows(count: int, strong: float, seed: int = 0) -> list[Ranked]:
    """The shipped order prefers the weak until; a share of the rows means the strong one."""
    rng = random.Random(seed)
    readings = tuple(traits(UNTIL, read(f"p1 {op} p2", "ltl")) for op in "WU")
    out = []
    for _ in range(count):
        means = rng.random() < strong
        out.append(Ranked(np.array([0.0, -2.0]), readings, (not means, means)))
    return out


@pytest.mark.parametrize(("strong", "learnt"), [(1.0, True), (0.9, True), (0.5, False), (0.0, False)])
def test_a_convention_is_learnt_where_the_rows_have_one(strong: float, learnt: bool) -> None:
    given = rows(60, strong)
    weights, found = learn(given, [str(k % 20) for k in range(60)], seed=0)
    assert (found.share > 0) == bool(weights) == learnt
    if learnt:
        assert weights["until: U"] > 0 > weights["until: W"]
        assert found.won > found.lost


def test_few_rows_teach_nothing() -> None:
    assert fitted(rows(2, 1.0), 1.0) == {}
    assert fitted([], 1.0) == {}


def test_a_folder_with_conventions_orders_by_them_and_is_another_translator(tmp_path: Path) -> None:
    lifted = lift("Whenever p1 holds, p2 must hold until p3 holds.", "ltl")
    content = {"second": 0.5, "conventions": {}}
    (tmp_path / FILE).write_text(json.dumps(content))
    version = Embedded(tmp_path).version
    for sign, other in (("U", "W"), ("W", "U")):
        (tmp_path / FILE).write_text(json.dumps({**content, "conventions": {f"until: {sign}": 30.0}}))
        models = Embedded(tmp_path)
        assert models.version != version
        assert isinstance(models.translator, RerankedTranslator)
        first = models.translate(lifted)
        assert first is not None and sign in first.tokens and other not in first.tokens


@pytest.mark.parametrize(
    "conventions",
    ["[1]", "[]", '"much"', '{"U": "x"}', '{"U": NaN}', '{"U": 1e9}', '{"U": true}', '{"U": null}', "null"],
)
def test_damaged_conventions_are_an_error(tmp_path: Path, conventions: str) -> None:
    (tmp_path / FILE).write_text(f'{{"second": 0.5, "conventions": {conventions}}}')
    with pytest.raises(ModelError, match=FILE):
        read_weights(tmp_path)


def test_without_conventions_the_weights_are_what_they_were(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text('{"second": 0.5}')
    assert read_weights(tmp_path) == Weights(0.5)
    assert not Weights(0.5).leanings(UNTIL, []).any()
