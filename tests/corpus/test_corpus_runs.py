"""Formulas about the states of a run mean what their kinds say: counted directly on random runs."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable
from itertools import islice, pairwise

import pytest

from assent.lift.linear import TARGET_TOKENS, delinearise
from assent.logic.ast import Logic, Prop
from assent.logic.semantics import Trace, holds
from assent_train.corpus.engine import grammar
from assent_train.corpus.generate import pairs
from assent_train.corpus.run_formulas import FORMULAS
from assent_train.corpus.runs import KINDS, RunFact, Runs
from assent_train.corpus.trees import prefix, tree_of

NEVER = 10**6


class Run:
    """A stem and a loop, looked at far enough to see what there is to see."""

    def __init__(self, rng: random.Random) -> None:
        stem, loop = rng.randint(0, 5), rng.randint(1, 3)
        density = rng.choice((0.15, 0.5, 0.85))
        self.states = [{x for x in "pqr" if rng.random() < density} for _ in range(stem + loop)]
        if rng.random() < 0.6:
            self.states[stem:] = [rng.choice((set(), {"p"}, set("pqr")))] * loop
        self.loop = stem
        self.far = stem + 8 * loop
        self.seen = [
            self.states[i if i < stem else stem + (i - stem) % loop] for i in range(self.far + 4 * loop)
        ]
        self.p, self.q, self.r = ([x in state for state in self.seen] for x in "pqr")

    def trace(self) -> Trace:
        return Trace(tuple(frozenset(map(Prop, state)) for state in self.states), loop=self.loop)

    def count(self, *names: str) -> float:
        def of(states: list[set[str]]) -> int:
            return sum(set(names) <= state for state in states)

        return math.inf if of(self.states[self.loop :]) else of(self.states[: self.loop])

    def lacks(self) -> float:
        return math.inf if any("p" not in s for s in self.states[self.loop :]) else sum(not x for x in self.p)

    def first(self, name: str) -> int:
        return next((i for i, state in enumerate(self.seen) if name in state), NEVER)

    def stretches(self) -> list[float]:
        """How long p holds each time."""
        lengths: list[float] = []
        for i, x in enumerate(self.p):
            if x:
                lengths = [*lengths, 1] if i == 0 or not self.p[i - 1] else [*lengths[:-1], lengths[-1] + 1]
        if all(self.p[self.far :]):
            lengths[-1] = math.inf
        elif self.p[-1]:
            lengths = lengths[:-1]  # cut off at the end of what is seen
        return lengths

    def changes(self, *kinds: tuple[bool, bool]) -> float:
        found = [i for i, pair in enumerate(pairwise(self.p)) if pair in kinds]
        return math.inf if any(i >= self.far for i in found) else len(found)

    def each(self, name: str, then: Callable[[int], bool]) -> bool:
        return all(then(i) for i in range(self.far) if name in self.seen[i])

    def all(self, name: str, start: int, end: int) -> bool:
        return all(name in state for state in self.seen[start:end])

    def some(self, name: str, start: int, end: int | None = None) -> bool:
        return any(name in state for state in self.seen[start:end])

    def period(self, n: int) -> bool:
        return all(self.p[i] == self.p[i + n] for i in range(self.far))

    def next_after(self, name: str, i: int) -> int:
        return next((j for j in range(i + 1, len(self.seen)) if name in self.seen[j]), NEVER)


UP, DOWN = (False, True), (True, False)
MEANT: dict[str, Callable[[Run, int], bool]] = {
    "exactly": lambda w, n: w.count("p") == n,
    "at_most": lambda w, n: w.count("p") <= n,
    "at_least": lambda w, n: w.count("p") >= n,
    "row": lambda w, n: max(w.stretches(), default=0) >= n,
    "no_row": lambda w, n: max(w.stretches(), default=0) <= n,
    "never_two_in_a_row": lambda w, n: max(w.stretches(), default=0) <= 1,
    "infinitely": lambda w, n: w.count("p") == math.inf,
    "finitely": lambda w, n: w.count("p") < math.inf,
    "almost": lambda w, n: w.lacks() < math.inf,
    "all_but_one": lambda w, n: w.lacks() == 1,
    "nowhere": lambda w, n: w.count("p") == 0,
    "somewhere": lambda w, n: w.count("p") > 0,
    "everywhere": lambda w, n: w.lacks() == 0,
    "nth": lambda w, n: w.p[n - 1],
    "first_states": lambda w, n: sum(w.p[:n]) == n,
    "one_of_first": lambda w, n: sum(w.p[:n]) >= 1,
    "exactly_one_of_first": lambda w, n: sum(w.p[:n]) == 1,
    "from_nth": lambda w, n: all(w.p[n - 1 :]),
    "after_first": lambda w, n: all(w.p[1:]),
    "other_than_first": lambda w, n: any(w.p[1:]),
    "not_after_first": lambda w, n: not any(w.p[1:]),
    "only_nth": lambda w, n: w.p[n - 1] and w.count("p") == 1,
    "not_first_but_second": lambda w, n: w.p[:2] == [False, True],
    "ahead": lambda w, n: w.p[n],
    "settles": lambda w, n: w.lacks() < math.inf,
    "kept": lambda w, n: w.changes(DOWN) == 0,
    "gone": lambda w, n: len(w.stretches()) <= 1,
    "one_stretch": lambda w, n: len(w.stretches()) <= 1,
    "single_stretch": lambda w, n: len(w.stretches()) == 1,
    "alternates": lambda w, n: all(a != b for a, b in pairwise(w.p)),
    "alternates_from": lambda w, n: all(x == (i % 2 == 0) for i, x in enumerate(w.p)),
    "same": lambda w, n: w.changes(UP, DOWN) == 0,
    "changes_once": lambda w, n: w.changes(UP, DOWN) <= 1,
    "changes_exactly_once": lambda w, n: w.changes(UP, DOWN) == 1,
    "changes_for_ever": lambda w, n: w.changes(UP, DOWN) == math.inf,
    "period": lambda w, n: w.period(n),
    "rises_at_most_once": lambda w, n: w.changes(UP) <= 1,
    "rises": lambda w, n: w.changes(UP) >= 1,
    "rises_exactly_once": lambda w, n: w.changes(UP) == 1,
    "rises_for_ever": lambda w, n: w.changes(UP) == math.inf,
    "long_stretches": lambda w, n: all(x >= 2 for x in w.stretches()),
    "short_stretches": lambda w, n: all(x <= 2 for x in w.stretches()),
    "even_stretches": lambda w, n: all(x == 2 for x in w.stretches()),
    "again": lambda w, n: len(w.stretches()) >= 2,
    "burst": lambda w, n: sum(w.p[:n]) == n and w.count("p") == n,
    "first_before": lambda w, n: w.first("p") < w.first("q"),
    "first_before_weak": lambda w, n: w.first("q") == NEVER or w.first("p") < w.first("q"),
    "not_later": lambda w, n: w.first("p") < NEVER and w.first("p") <= w.first("q"),
    "only_if_before": lambda w, n: w.first("p") <= w.first("q"),
    "up_to": lambda w, n: w.all("p", 0, w.first("q")),
    "up_to_strong": lambda w, n: w.first("q") < NEVER and w.all("p", 0, w.first("q")),
    "through": lambda w, n: w.all("p", 0, w.first("q") + 1),
    "through_strong": lambda w, n: w.first("q") < NEVER and w.all("p", 0, w.first("q") + 1),
    "none_before": lambda w, n: not w.some("p", 0, w.first("q")),
    "none_before_strong": lambda w, n: w.first("q") < NEVER and not w.some("p", 0, w.first("q")),
    "right_after": lambda w, n: w.each("p", lambda i: w.q[i + 1]),
    "never_right_after": lambda w, n: w.each("p", lambda i: not w.q[i + 1]),
    "later_after": lambda w, n: w.each("p", lambda i: w.q[i + n]),
    "strictly_after": lambda w, n: w.each("p", lambda i: w.some("q", i + 1)),
    "now_or_later": lambda w, n: w.each("p", lambda i: w.some("q", i)),
    "just_before": lambda w, n: w.each("q", lambda i: i == 0 or w.p[i - 1]),
    "just_before_not_first": lambda w, n: w.each("q", lambda i: i > 0 and w.p[i - 1]),
    "between": lambda w, n: w.each(
        "q", lambda i: w.next_after("r", i) == NEVER or w.all("p", i + 1, w.next_after("r", i))
    ),
    "span": lambda w, n: w.each("q", lambda i: w.all("p", i + 1, w.next_after("r", i))),
    "last": lambda w, n: 0 < w.count("p") < math.inf and w.q[max(i for i, x in enumerate(w.p) if x)],
    "first_with": lambda w, n: w.first("p") == NEVER or w.q[w.first("p")],
    "first_with_strong": lambda w, n: w.first("p") < NEVER and w.q[w.first("p")],
    "ever_always": lambda w, n: w.count("p") == 0 or all(w.q),
    "ever_never": lambda w, n: w.count("p") == 0 or not any(w.q),
    "ever_infinitely": lambda w, n: w.count("p") == 0 or w.count("q") == math.inf,
    "one_of_two": lambda w, n: all(len(s & {"p", "q"}) == 1 for s in w.seen),
    "never_both": lambda w, n: all(len(s & {"p", "q"}) < 2 for s in w.seen),
    "turns": lambda w, n: (
        all((a & {"p", "q"}) | (b & {"p", "q"}) == {"p", "q"} for a, b in pairwise(w.seen))
        and all(len(s & {"p", "q"}) == 1 for s in w.seen)
    ),
    "common": lambda w, n: w.count("p", "q") > 0,
    "one_of_three": lambda w, n: all(len(s) == 1 for s in w.seen),
    "never_two": lambda w, n: all(len(s) < 2 for s in w.seen),
    "common_states": lambda w, n: w.count("p", "q") >= n,
    "next_states": lambda w, n: w.each("p", lambda i: w.all("q", i + 1, i + 1 + n)),
    "next_states_not": lambda w, n: w.each("p", lambda i: not w.some("q", i + 1, i + 1 + n)),
    "within": lambda w, n: w.each("p", lambda i: w.some("q", i + 1, i + 1 + n)),
    "twice_then": lambda w, n: w.each("p", lambda i: not w.p[i + 1] or w.q[i + 2]),
    "twice_second": lambda w, n: w.each("p", lambda i: not w.p[i + 1] or w.q[i + 1]),
}


def test_every_kind_is_meant_and_worded() -> None:
    assert set(KINDS) == set(FORMULAS) == set(MEANT)
    assert set(KINDS) <= set(grammar("runs"))


@pytest.mark.parametrize("kind", MEANT)
def test_a_formula_says_what_its_kind_means(kind: str) -> None:
    rng = random.Random(kind)
    facts = [("p", name) for name in ("P1", "P2", "P3")]
    for n in sorted(set(KINDS[kind].numbers)):
        tree = FORMULAS[kind](facts[: len(KINDS[kind].facts)], n)
        formula = delinearise(prefix(tree), {"P1": "p", "P2": "q", "P3": "r"}, {})
        for _ in range(120):
            run = Run(rng)
            assert holds(formula, run.trace()) == MEANT[kind](run, n), (n, run.states, run.loop)


@pytest.mark.parametrize("kind", KINDS)
def test_statements_name_what_their_formulas_speak_of(kind: str) -> None:
    """Also each wording can be said: no slot is missing, no notation left over."""
    runs = Runs(random.Random(kind))
    said = set()
    for _ in range(150):
        text, tree = runs.statement(kind)
        target = prefix(tree)
        assert {t for t in target if t[0] == "P"} == {t for t in text.split() if re.fullmatch(r"P\d+", t)}
        assert prefix(tree_of(target)) == target
        assert not set("[]|{}<>*?") & set(text)
        said.add(re.sub(r"P\d+", "P", text))
    assert len(said) >= 4


def test_facts_of_two_names() -> None:
    a, b = ("p", "P1"), ("p", "P2")
    assert [RunFact(t).group for t in (a, ("not", a), ("and", a, b), ("and", a, ("not", b)))] == [
        *("name", "denied", "together", "without")
    ]


def test_pairs_are_an_eighth_of_the_ltl_ones_and_reproducible() -> None:
    drawn = list(islice(pairs(4, logic=Logic.LTL), 1500))
    share = sum(pair.family == "runs" for pair in drawn) / len(drawn)
    assert 0.09 < share < 0.17
    first, again = (list(islice(pairs(9, style="runs"), 200)) for _ in range(2))
    assert first == again
    assert len({pair.source for pair in islice(pairs(1, style="runs"), 1000)}) > 900
    assert all(set(pair.target) <= set(TARGET_TOKENS) for pair in first)
