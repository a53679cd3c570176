"""Scope in lifted sentences: what an adverb, a denial and "until" cover is told by the comma."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import islice

import pytest

from assent.logic.ast import Logic
from assent_train.corpus.generate import pairs
from assent_train.corpus.lifted_free import LiftedFree
from assent_train.corpus.lifted_leaves import LiftedLeaves, Said
from assent_train.corpus.lifted_shapes import LiftedShapes
from assent_train.corpus.lifted_turns import LiftedTurns
from assent_train.corpus.trees import Tree


def drawn(say: Callable[[LiftedShapes], Said], timed: bool, count: int = 200) -> list[Said]:
    rng = random.Random(3)
    return [say(LiftedShapes(LiftedFree(LiftedLeaves(rng, timed)))) for _ in range(count)]


def is_literal(tree: Tree) -> bool:
    return tree[0] == "p" or (tree[0] == "not" and tree[1][0] == "p")


@pytest.mark.parametrize("logic", [Logic.LTL, Logic.STL])
def test_sentences_that_are_read_by_their_brackets_keep_them(logic: Logic) -> None:
    fixed = [p for p in islice(pairs(4, logic=logic, style="lifted"), 800) if p.family == "fixed"]
    assert len(fixed) > 80
    for pair in fixed:
        names = [i for i, token in enumerate(pair.source) if token[0] == "P" and token[1:].isdigit()]
        assert all(pair.source[i - 1] == "(" for i in names)


@pytest.mark.parametrize("timed", [False, True])
def test_an_adverb_before_the_whole_is_the_first_members(timed: bool) -> None:
    for _, tree in drawn(LiftedShapes.adverb_first, timed):
        _, left, right = tree
        assert left[0] in {"F", "G"} and is_literal(left[2])
        assert right[0] in {"and", "or", "->", "<->"}


@pytest.mark.parametrize("timed", [False, True])
def test_an_adverb_covers_a_pair_that_a_comma_ends(timed: bool) -> None:
    for text, tree in drawn(LiftedShapes.adverb_over_pair, timed):
        _, left, right = tree
        assert left[0] in {"F", "G"} and not is_literal(left[2])
        assert is_literal(right)
        assert "," in text or " then " in text


def test_until_a_time_has_passed_and_then() -> None:
    for text, tree in drawn(LiftedShapes.time_passed, True):
        assert tree[0] == "U" and tree[1] is not None
        assert " have passed , and " in text


def turned(say: Callable[[LiftedTurns], Said], timed: bool, count: int = 200) -> list[Said]:
    rng = random.Random(5)
    return [say(LiftedTurns(LiftedShapes(LiftedFree(LiftedLeaves(rng, timed))))) for _ in range(count)]


def test_an_adverb_behind_its_member_covers_that_member_alone() -> None:
    for _, (op, left, _) in turned(LiftedTurns.after_member, True):
        assert op in {"->", "<->"} and left[0] in {"and", "or"}
        assert left[1][0] in {"F", "G", "U"} and is_literal(left[1][2]) and is_literal(left[2])
    for text, (op, left, right) in turned(LiftedTurns.or_both, True):
        assert (op, right[0]) == ("or", "and") and is_literal(left) and right[1][0] in {"F", "G"}
        assert text.count(",") == 1


@pytest.mark.parametrize("timed", [False, True])
def test_a_rule_as_second_member_reaches_to_the_end(timed: bool) -> None:
    for text, (op, _, right) in turned(LiftedTurns.nested, timed):
        assert op in {"->", "and", "or"} and right[0] == "->"
        assert " if " in text or " when " in text


def test_without_a_comma_an_equivalence_is_joined_to_the_whole_rule() -> None:
    for text, tree in turned(LiftedTurns.timed_chain, True):
        assert tree[0] == "<->" and tree[1][0] == "->"
        assert " , then " not in text
