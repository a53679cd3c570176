"""A way to say formulas in English, put together from parts.

    names       how propositions are called (``Placeholders``, ``NamedFacts``)
    leftovers   words around a placeholder that mean nothing
    relations   how spatial relations and distances are said
    times       adverbs of time
    states      formulas without temporal operators
    moments     one temporal operator, or a few that are said in one breath
    simple      one operator over a literal, rules between states
    clauses     any formula as a clause

``Requirements``, ``Plans`` and ``Brief`` are speeches: each adds parts of its own, and says which part a literal, a
state and a clause are said by. The parts ask the speech, so that a shared part says a clause as this speech does.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable

from assent_train.corpus.clauses import Clauses
from assent_train.corpus.engine import Wordings
from assent_train.corpus.leftovers import Leftovers
from assent_train.corpus.moments import Moments
from assent_train.corpus.part import Names
from assent_train.corpus.placeholders import Placeholders
from assent_train.corpus.relations import Relations
from assent_train.corpus.simple import Simple
from assent_train.corpus.states import States
from assent_train.corpus.times import Times
from assent_train.corpus.trees import Tree


class Speech(ABC):
    """The parts that every speech has; ``casual`` is the register of busy people."""

    def __init__(
        self, rng: random.Random, casual: bool, names: Callable[[Speech], Names] = Placeholders
    ) -> None:
        self.rng, self.casual = rng, casual
        self.pick, self.roll, self.words = rng.choice, rng.random, Wordings(rng)
        self.names = names(self)
        self.leftovers = Leftovers(self)
        self.relations = Relations(self)
        self.times = Times(self)
        self.states = States(self)
        self.moments = Moments(self)
        self.simple = Simple(self)
        self.clauses = Clauses(self)

    @abstractmethod
    def sentence(self, tree: Tree) -> str:
        """A whole formula as a sentence, tokens with spaces between them."""

    def literal(self, tree: Tree, mood: str) -> str:
        """mood: "is" (as a fact), "must" (as a demand), "stay" (a demand over a stretch), "bare" (a fragment)."""
        return self.states.literal(tree, mood)

    def state(self, tree: Tree, mood: str = "is", depth: int = 0) -> str:
        """A formula without temporal operators, as one clause."""
        return self.states.state(tree, mood, depth)

    def clause(self, tree: Tree, mood: str, now: bool) -> str:
        """Any formula as a clause; ``now`` is False where a moment has just been mentioned."""
        return self.clauses.clause(tree, mood, now)
