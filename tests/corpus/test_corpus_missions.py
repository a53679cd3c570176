"""Mission formulas mean what their names say: counted on traces, by the independent evaluator; and missions are drawn
as they were before their wordings became productions."""

from __future__ import annotations

import random
import re
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from assent.lift.linear import delinearise
from assent.logic.ast import Prop
from assent.logic.semantics import Trace, holds
from assent_train.corpus.counting import (
    FAMILIES,
    Missions,
    at_least,
    every,
    exactly,
    going,
    ordered,
    sequence,
    strictly_ordered,
)
from assent_train.corpus.trees import Tree, prefix, tree_of

A, B, C = ("p", "P1"), ("p", "P2"), ("p", "P3")
NAMES = {"P1": "a", "P2": "b", "P3": "c"}
# Words over subsets of {a, b, c} that end in a state without any, repeated for ever.
words = st.lists(st.sets(st.sampled_from("abc")), min_size=1, max_size=14)


def trace_of(word: list[set[str]]) -> Trace:
    states = [frozenset(Prop(name) for name in state) for state in word] + [frozenset()]
    return Trace(tuple(states), loop=len(states) - 1)


def true_of(tree: Tree, word: list[set[str]]) -> bool:
    return holds(delinearise(prefix(tree), NAMES, {}), trace_of(word))


def visits(word: list[set[str]], name: str) -> int:
    """Separate stays: maximal runs of states with the name."""
    return sum(name in state and (i == 0 or name not in word[i - 1]) for i, state in enumerate(word))


def first(word: list[set[str]], name: str) -> int:
    return next((i for i, state in enumerate(word) if name in state), 10**6)


@given(words, st.integers(1, 5))
def test_at_least_counts_separate_visits(word: list[set[str]], n: int) -> None:
    assert true_of(at_least(A, n), word) == (visits(word, "a") >= n)


@given(words, st.integers(1, 5))
def test_exactly_counts_separate_visits(word: list[set[str]], n: int) -> None:
    assert true_of(exactly(A, n), word) == (visits(word, "a") == n)


@given(words)
def test_ordered_means_no_later_place_before_an_earlier_one(word: list[set[str]]) -> None:
    came = [first(word, name) for name in "abc"]
    assert true_of(ordered([A, B, C]), word) == (came[0] <= came[1] <= came[2] < 10**6)


@given(words)
def test_sequence_lets_places_come_early_too(word: list[set[str]]) -> None:
    position = 0
    for name in "abc":
        position = next((i for i in range(position, len(word)) if name in word[i]), 10**6)
    assert true_of(sequence([A, B, C]), word) == (position < 10**6)


@given(words)
def test_strictly_ordered_adds_one_stay_before_the_next(word: list[set[str]]) -> None:
    if true_of(strictly_ordered([A, B]), word):
        assert true_of(ordered([A, B]), word)
        reached = first(word, "b")
        assert visits(word[:reached], "a") <= 1


@given(words)
def test_avoid_and_visit_each(word: list[set[str]]) -> None:
    assert true_of(every([A, B], "avoid"), word) == (not any("a" in s or "b" in s for s in word))
    assert true_of(every([A, B], "visit"), word) == (first(word, "a") < 10**6 and first(word, "b") < 10**6)


BEFORE = {
    "visit: F P": 500,
    "visit: & F P F P": 712,
    "reaction: G -> P F P": 505,
    "reaction: G -> P X P": 995,
    "reaction: G <-> P X P": 1003,
    "reaction: G -> P X G ! P": 1006,
    "reaction: G -> P P": 479,
    "reaction: G <-> P P": 511,
    "wait: U P P": 1493,
    "past_avoidance: U ! P P": 1444,
    "sequenced_visit: F & P F P": 839,
    "ordered_visit: & U ! P P F P": 1351,
    "global_avoidance: G ! P": 551,
    "lower_restricted_avoidance: F P": 924,
}
"""Families and shapes of formulas, and how often each came among 40,000 missions, when the wordings were functions."""


@given(st.integers(0, 10**9))
def test_missions_mention_what_their_formulas_speak_of(seed: int) -> None:
    text, tree, family = Missions(random.Random(seed)).sentence()
    target = prefix(tree)
    used = {token for token in target if re.fullmatch(r"P\d", token)}
    assert {token for token in text.split() if re.fullmatch(r"P\d", token)} == used
    assert prefix(tree_of(target)) == target
    assert family in FAMILIES
    assert not set("[]|{}<>*?") & set(text)  # no notation is left over


def test_missions_come_as_often_as_they_did() -> None:
    """Each shape within five standard errors of its share before: a chance of 1e-5 over all shapes."""
    missions, draws = Missions(random.Random(5)), 8_000
    shapes: Counter[str] = Counter()
    for _ in range(draws):
        _, tree, family = missions.sentence()
        shapes[f"{family}: {re.sub(r'P[0-9]', 'P', ' '.join(prefix(tree)))}"] += 1
    for shape, count in BEFORE.items():
        share = count / 40_000
        error = (share * (1 - share) * (1 / draws + 1 / 40_000)) ** 0.5
        assert abs(shapes[shape] / draws - share) < 5 * error, shape


def test_verbs_of_going() -> None:
    verbs = ("visit", "go to", "see", "arrive at", "stop by", "make your way to", "get to")
    assert ", ".join(map(going, verbs)) == (
        "visiting, going to, seeing, arriving at, stopping by, making your way to, getting to"
    )
