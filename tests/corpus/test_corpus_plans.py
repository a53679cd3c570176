"""SpaTiaL plans: what shapes are drawn, and that their words reach as far as the page on the corpus says."""

from __future__ import annotations

import random
import re
from itertools import islice

import pytest

from assent.logic.ast import Logic
from assent_train.corpus.generate import Pair, pairs
from assent_train.corpus.plan_brief import Brief
from assent_train.corpus.plan_shapes import Planner
from assent_train.corpus.plan_words import Plans
from assent_train.corpus.trees import Tree, parts, tree_of

A: Tree = ("rel", "above", ("O1", "O2"))
B: Tree = ("rel", "touch", ("O3", "O4"))
C: Tree = ("rel", "leftOf", ("O5", "O6"))


@pytest.fixture(scope="module")
def sample() -> list[Pair]:
    return list(islice(pairs(21, logic=Logic.SPATIAL), 1500))


def depth(tree: Tree) -> int:
    below = max((depth(part) for part in parts(tree)), default=0)
    return below + (tree[0] in {"F", "G", "U"})


def test_shallow_and_deep_plans_are_both_frequent(sample: list[Pair]) -> None:
    depths = [depth(tree_of(pair.target)) for pair in sample]
    for wanted in (1, 2, 3):
        assert sum(d == wanted for d in depths) > 0.15 * len(depths), wanted


def test_until_between_two_temporal_arms_is_frequent(sample: list[Pair]) -> None:
    def armed(tree: Tree) -> bool:
        return tree[0] == "U" and min(map(depth, parts(tree))) > 0

    assert sum(armed(tree_of(pair.target)) for pair in sample) > 0.03 * len(sample)


def test_windows_never_begin_where_they_end() -> None:
    for seed in range(400):
        planner = Planner(random.Random(seed), "spatial")
        for _ in range(6):
            span = planner.span()
            assert span is None or span[0] != span[1]


def test_a_colon_in_a_note_reaches_to_the_end() -> None:
    """Members at the top: nothing follows one that holds a colon, unless a new sentence begins."""
    tree: Tree = ("and", ("G", ("0", "N1"), ("or", A, ("F", ("0", "N2"), B))), ("F", ("0", "N3"), C))
    for seed in range(300):
        said = Brief(random.Random(seed), True).sentence(tree)
        before, colon, after = said.partition(" : ")
        assert not colon or "N3" in before or ". also" in after, said


def test_this_after_either_is_not_both_members() -> None:
    """(a or b) until c never sounds like a or (b until c)."""
    tree: Tree = ("U", None, ("or", ("F", ("0", "N1"), A), ("G", ("0", "N2"), B)), C)
    for seed in range(300):
        said = Plans(random.Random(seed), False).sentence(tree)
        assert not re.search(r"\beither\b[^;:.]* , (and |with )?(this|that|both)\b", said), said


def test_the_window_behind_until_is_its_own() -> None:
    """A goal with a window of its own is set off from the word until."""
    open_goal: Tree = ("U", None, A, ("F", ("0", "N1"), B))
    for seed in range(300):
        said = Plans(random.Random(seed), False).sentence(open_goal)
        assert not re.search(r"\b(until|till) (, )?(within|in the|during|inside|by) ", said), said


def test_people_keep_to_one_unit() -> None:
    tree: Tree = ("and", ("F", ("0", "N1"), A), ("G", ("N2", "N3"), B), ("F", ("0", "N4"), C))
    for seed in range(200):
        said = " ".join(Plans(random.Random(seed), False).sentence(tree).split())
        units = set(re.findall(r"N\d (seconds|ticks|cycles|timesteps|steps|units)", said))
        assert len(units) <= 1, said
