"""Sentences about the states of a run: counts, places, stretches, switches, orders, and what the next states hold.

Each kind has a formula here and a group of wordings of the same name (``productions/runs.txt``).
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assent_train.corpus.counting import ORDINALS, WORDS
from assent_train.corpus.engine import Scope, Speaker, grammar
from assent_train.corpus.run_formulas import FORMULAS
from assent_train.corpus.trees import Tree, negate

FULL_STOP = 0.6
DENIED = 0.15
TOGETHER = 0.1
"""Shares of denied names and of two names together among what may be either."""
CONDITION = 0.08
JOINED = 0.12
"""Shares of statements under a condition, and of two statements in a row."""


@dataclass(frozen=True, slots=True)
class RunKind:
    """``facts``: for each of p, q, r "name" (a plain name), "lit" (or a denied one), "any" (or two together)."""

    facts: tuple[str, ...]
    numbers: tuple[int, ...] = (1,)
    weight: float = 1.0


def _kinds() -> Mapping[str, RunKind]:
    kinds: dict[str, RunKind] = {}
    for names, facts, numbers, weight in (
        ("exactly at_most at_least", "any", (1, 1, 2, 2, 3), 3.0),
        ("row no_row", "any", (2, 2, 3), 1.5),
        ("never_two_in_a_row", "any", (1,), 0.7),
        ("infinitely finitely almost all_but_one", "any", (1,), 1.0),
        ("nowhere somewhere everywhere", "name", (1,), 0.7),
        ("nth", "any", (1, 1, 2, 2, 3, 4), 1.5),
        ("first_states one_of_first", "any", (2, 2, 3, 4), 1.2),
        ("exactly_one_of_first", "any", (2, 2, 3), 1.0),
        ("from_nth", "any", (2, 2, 3, 4), 1.2),
        ("after_first other_than_first", "any", (1,), 0.8),
        ("not_after_first", "name", (1,), 0.8),
        ("only_nth", "any", (1, 2, 2, 3), 1.2),
        ("not_first_but_second", "name", (1,), 0.7),
        ("ahead", "any", (1, 2, 2, 3), 1.0),
        ("settles kept gone one_stretch single_stretch", "name", (1,), 1.0),
        ("alternates alternates_from same changes_once changes_exactly_once changes_for_ever", "name", (1,), 1.0),
        ("period", "name", (2, 3), 1.0),
        ("rises_at_most_once rises rises_exactly_once rises_for_ever", "name", (1,), 1.0),
        ("long_stretches short_stretches even_stretches again", "name", (1,), 0.9),
        ("burst", "name", (1, 2, 2, 3), 1.0),
        ("first_before first_before_weak not_later only_if_before", "name name", (1,), 0.9),
        ("up_to up_to_strong through through_strong", "lit name", (1,), 1.0),
        ("none_before none_before_strong", "name name", (1,), 0.7),
        ("right_after never_right_after", "any name", (1,), 1.0),
        ("later_after", "any lit", (2, 2, 3), 1.0),
        ("strictly_after now_or_later", "any lit", (1,), 1.0),
        ("just_before just_before_not_first", "lit name", (1,), 1.0),
        ("between span", "lit name name", (1,), 0.9),
        ("last first_with first_with_strong", "name lit", (1,), 0.9),
        ("ever_always ever_never ever_infinitely", "name name", (1,), 0.7),
        ("one_of_two never_both turns common", "name name", (1,), 0.9),
        ("one_of_three never_two", "name name name", (1,), 0.7),
        ("common_states", "name name", (2, 2, 3), 0.8),
        ("next_states next_states_not within", "any name", (2, 2, 3), 1.2),
        ("twice_then twice_second", "lit lit", (1,), 0.9),
    ):  # fmt: skip
        for name in names.split():
            kinds[name] = RunKind(tuple(facts.split()), numbers, weight)
    return kinds


KINDS = _kinds()
_NAMES = tuple(KINDS)
_WEIGHTS = tuple(kind.weight for kind in KINDS.values())
_SINGLE = tuple(name for name, kind in KINDS.items() if len(kind.facts) == 1)
_UNITS = (
    *(("state", "states", "in"),) * 6,
    *(("step", "steps", "in"), ("step", "steps", "at")) * 2,
    *(("position", "positions", "at"), ("position", "positions", "in")),
    *(("instant", "instants", "at"), ("moment", "moments", "at"), ("tick", "ticks", "at")),
    *(("cycle", "cycles", "in"), ("time point", "time points", "at"), ("time step", "time steps", "in")),
)


@dataclass(frozen=True, slots=True)
class RunFact:
    """What holds or not: a name, a denied name, or two names together."""

    tree: Tree

    @property
    def group(self) -> str:
        if self.tree[0] == "and":
            return "without" if self.tree[2][0] == "not" else "together"
        return "denied" if self.tree[0] == "not" else "name"

    def scope(self) -> Scope:
        """The names, a and b."""
        parts = self.tree[1:] if self.tree[0] == "and" else (self.tree,)
        names = [str(part[1][1] if part[0] == "not" else part[1]) for part in parts]
        return dict(zip("ab", names, strict=False))


class Runs:
    """Draws sentences about states."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._speaker = Speaker(rng, grammar("runs"), self)
        self._names, self._unit = 0, _UNITS[0]

    def sentence(self) -> tuple[str, Tree, str]:
        """Text, formula, family."""
        self._names, self._unit = 0, self._rng.choice(_UNITS)
        roll = self._rng.random()
        if roll < CONDITION:
            text, tree = self._conditional()
        elif roll < CONDITION + JOINED:
            text, tree = self._joined()
        else:
            text, tree = self.statement(self._rng.choices(_NAMES, _WEIGHTS)[0])
        text = self._speaker.text("opening", {"said": text}).replace(" a instant", " an instant")
        return (f"{text} ." if self._rng.random() < FULL_STOP else text), tree, "runs"

    def statement(self, name: str) -> tuple[str, Tree]:
        """One statement of a kind."""
        kind = KINDS[name]
        facts = [self._fact(level) for level in kind.facts]
        n = self._rng.choice(kind.numbers)
        scope = {**self._count(n), **dict(zip("pqr", facts, strict=False))}
        return self._speaker.text(name, scope), FORMULAS[name]([fact.tree for fact in facts], n)

    def _conditional(self) -> tuple[str, Tree]:
        condition = self._fact("lit")
        text, tree = self.statement(self._rng.choice(_SINGLE))
        said = self._speaker.text("conditional", {**self._count(1), "c": condition, "said": text})
        return said, ("G", None, ("->", condition.tree, ("X", tree)))

    def _joined(self) -> tuple[str, Tree]:
        first, tree = self.statement(self._rng.choice(_SINGLE))
        second, other = self.statement(self._rng.choice(_SINGLE))
        return self._speaker.text("joined", {"first": first, "second": second}), ("and", tree, other)

    # -- what the productions ask for ----------------------------------------------------------------------------

    def kind(self, kind: str, words: Sequence[str], scope: Scope) -> object:
        """Everything that is drawn first is a group of the productions."""
        raise KeyError(kind)

    def say(self, value: object, manner: str) -> str:
        """A fact as a clause; "q": before a count, "noun", "must", "no": that it does not hold, "a": its name."""
        assert isinstance(value, RunFact)
        fact = value
        if manner == "no":
            fact, manner = RunFact(negate(value.tree)), "q"
        if manner == "a":
            return str(fact.scope()["a"])
        if manner == "must" and fact.group not in {"name", "denied"}:
            manner = "q"
        return self._speaker.text(f"{fact.group}_{manner}" if manner else fact.group, fact.scope())

    def holds(self, value: object, asked: str) -> bool:
        """``name``, ``denied``, ``together``, ``without``."""
        assert isinstance(value, RunFact)
        return value.group == asked

    # -- draws ---------------------------------------------------------------------------------------------------

    def _fact(self, level: str) -> RunFact:
        roll = self._rng.random()
        if level == "any" and roll >= 1 - TOGETHER:
            second = self._name()
            return RunFact(("and", self._name(), ("not", second) if self._rng.random() < 0.5 else second))
        return RunFact(("not", self._name()) if level != "name" and roll < DENIED else self._name())

    def _name(self) -> Tree:
        self._names += 1
        return ("p", f"P{self._names}")

    def _count(self, n: int) -> Scope:
        one, several, at = self._unit
        return {
            "s": one,
            "ss": several,
            "at": at,
            "n": WORDS[n],
            "ns": f"{WORDS[n]} {one if n == 1 else several}",
            "up": WORDS[n + 1],
            "less": f"{WORDS[n - 1]} {one if n == 2 else several}" if n > 1 else "",
            "nth": ORDINALS[n],
            "next": ORDINALS[n + 1],
            "before": ORDINALS[n - 1] if n > 1 else "",
            "many": n > 1,
            "be": "are" if n > 1 else "is",
            "have": "have" if n > 1 else "has",
            "times": {1: "once", 2: "twice"}.get(n, f"{WORDS[n]} times"),
        }
