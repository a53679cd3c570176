"""The engine of productions: what its notation says, what it refuses, and idioms that come as often as they did."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.lift.linear import TARGET_TOKENS, delinearise
from assent.logic.ast import Logic
from assent.logic.dialect import check
from assent_train.corpus.engine import Scope, Speaker, grammar, read_grammar
from assent_train.corpus.idioms import Idioms
from assent_train.corpus.trees import Tree, prefix, tree_of

BEFORE = {
    "ltl": (
        "G -> P F P 5205, G -> P ! P 2795, G -> P G P 2169, G ! & P P 1988, U ! P P 1974, W ! P P 1961, G -> P P 1610, "
        "G -> P F ! P 1476, G -> P X P 1419, F G ! P 1018, -> G F P G F P 994, F G P 994, G -> & P & P P F P 966"
    ),
    "stl": (
        "G -> P F[ 0 N P 5062, G -> P ! P 2270, G[ N N ! P 1893, G -> P G P 1747, G ! & P P 1741, "
        "G -> P F[ 0 N ! P 1458, G -> P P 1229, G[ N N P 1190, F[ 0 N P 1163, G <= P N 894, G >= P N 879"
    ),
}
"""Shapes of formulas and how often each came among 40,000 idioms, when the idioms were functions."""


class Plain:
    """A voice that knows nothing but text."""

    def kind(self, kind: str, words: Sequence[str], scope: Scope) -> object:
        raise KeyError(kind)

    def say(self, value: object, manner: str) -> str:
        return f"{value}:{manner}"

    def holds(self, value: object, asked: str) -> bool:
        return bool(value == asked)


def drawn(text: str, scope: Scope, seed: int = 0, n: int = 400) -> Counter[str]:
    speaker = Speaker(random.Random(seed), read_grammar(text), Plain())
    return Counter(" ".join(speaker.text("start", scope).split()) for _ in range(n))


def test_weights_are_shares_of_draws() -> None:
    """10,000 draws at 3:1; seven standard errors either way is a chance of 1e-11."""
    counts = drawn("start\n    *3 a\n    b\n", {}, n=10_000)
    assert abs(counts["a"] - 7_500) < 7 * 44
    assert set(counts) == {"a", "b"}


def test_choices_groups_slots_lists_and_guards() -> None:
    assert set(drawn("start\n    x [a|b [c|d]|]\n", {})) == {"x a", "x b c", "x b d", "x"}
    assert set(drawn("start\n    <end> {p} {q.bare}\nend\n    -\n    z\n", {"p": "P1", "q": 7})) == {
        "P1 7:bare",
        "z P1 7:bare",
    }
    listed = "start\n    {all*one/and} now\none\n    {a} {b}\n"
    assert set(drawn(listed, {"b": "x", "all": ({"a": "1"}, {"a": "2"})})) == {"1 x and 2 x now"}
    guarded = "start\n    ?on a\n    ?!on b\n    ?k.red c\n    ?!k.red d\n"
    assert set(drawn(guarded, {"on": True, "k": "red"})) == {"a", "c"}
    assert set(drawn(guarded, {"on": False, "k": "blue"})) == {"b", "d"}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("start\n    [a|b\n", "not closed"),
        ("start\n    a]\n", "too many"),
        ("start\n    <gone>\n", "no production for gone"),
        ("start *\n    a\n", "not the head"),
        ("start\n    let p prop\n", "without a wording"),
    ],
)
def test_what_cannot_be_read_is_refused(text: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        read_grammar(text)


def test_patterns_of_meanings() -> None:
    two: Tree = ("and", ("p", "P1"), ("p", "P2"))
    known = {"c": two, "p": ("p", "P3"), "r": ("not", ("p", "P4"))}
    tree = tree_of("G -> & c p F@w ~ r".split(), known, {"w": ("0", "N1")})
    assert prefix(tree) == "G -> & P1 & P2 P3 F[ 0 N1 P4".split()
    assert tree_of("& & P1 P2 P3".split())[1] == two  # a target is read as it stands


@given(st.integers(0, 10**9), st.booleans(), st.booleans())
def test_idioms_are_formulas_over_what_they_mention(seed: int, casual: bool, timed: bool) -> None:
    text, tree = Idioms(random.Random(seed), casual, timed).idiom()
    target = prefix(tree)
    assert set(target) <= set(TARGET_TOKENS)
    said = set(text.split())
    placeholders = {token for token in target if re.fullmatch(r"[PN]\d+", token)}
    assert placeholders <= said
    names = {token: token.lower() for token in placeholders if token[0] == "P"}
    assert {token for token in said if re.fullmatch(r"P\d+", token)} == set(names)
    numbers = {token: int(token[1:]) for token in placeholders if token[0] == "N"}
    formula = delinearise(target, names, numbers)
    check(formula, Logic.STL if timed else Logic.LTL)
    assert prefix(tree_of(target)) == target
    assert not set("[]|{}<>") & set(re.sub(r"is [<>]=?|[<>]=", "", text))  # no notation is left over


def test_every_idiom_has_a_meaning() -> None:
    assert len(grammar("idioms")["idiom"].options) > 20
    assert all(production.meaning for production in grammar("idioms")["idiom"].options)


@pytest.mark.parametrize("logic", ["ltl", "stl"])
def test_idioms_come_as_often_as_they_did(logic: str) -> None:
    """Each shape within five standard errors of its share before: a chance of 1e-5 over all shapes."""
    rng, draws = random.Random(5), 8_000
    trees = (Idioms(rng, bool(i % 2), logic == "stl").idiom()[1] for i in range(draws))
    shapes = Counter(re.sub(r"\b([PN])\d+", r"\1", " ".join(prefix(tree))) for tree in trees)
    for line in BEFORE[logic].split(", "):
        shape, count = line.rsplit(" ", 1)
        share = int(count) / 40_000
        error = (share * (1 - share) * (1 / draws + 1 / 40_000)) ** 0.5
        assert abs(shapes[shape] / draws - share) < 5 * error, shape
