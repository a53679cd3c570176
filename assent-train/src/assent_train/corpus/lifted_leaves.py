"""What sentences over lifted propositions are made of: facts, numbers, adverbs of time."""

from __future__ import annotations

import random

from assent_train.corpus.engine import Wordings
from assent_train.corpus.trees import Span, Tree

Said = tuple[str, Tree]


class LiftedLeaves:
    """Draws facts and adverbs; names and numbers are counted, so one object serves one sentence."""

    def __init__(self, rng: random.Random, timed: bool) -> None:
        self.rng = rng
        self.pick = rng.choice
        self.words = Wordings(rng)
        self.roll = rng.random
        self.timed = timed
        self.names = 0
        self.numbers = 0
        self.fixed = False  # the sentence needs its brackets: without them it would be read otherwise

    def atom(self) -> Said:
        if self.names > 1 and self.roll() < 0.02:
            i = self.rng.randint(1, self.names)
        else:
            self.names += 1
            i = self.names
        return f"( P{i} )", ("p", f"P{i}")

    def number(self) -> str:
        self.numbers += 1
        return f"N{self.numbers}"

    def fact(self, bare: float = 0.45, tight: bool = False) -> Said:
        """A literal in free style; ``tight`` where "it is not the case that" would reach too far."""
        text, tree = self.atom()
        if self.roll() < 0.17:
            return self.denied(text, tight), ("not", tree)
        return self.stated(text, bare), tree

    def denied_atom(self) -> Said:
        text, tree = self.atom()
        return self.denied(text, True), ("not", tree)

    def stated(self, p: str, bare: float = 0.45) -> str:
        roll = self.roll()
        if roll < bare:
            return p
        if roll < 0.86:
            return self.words("stated", p=p)
        if roll < 0.91:
            return self.words("stated_scene", p=p, part=lambda: self.words("stated_part"))
        return self.words("stated_do", p=p)

    def denied(self, p: str, tight: bool = False) -> str:
        roll = self.roll() * (0.75 if tight else 1.0)
        if roll < 0.5:
            return self.words("denied", p=p)
        if roll < 0.75:
            return self.words("denied_do_not", p=p) if roll < 0.71 else self.words("denied_keep_from", p=p)
        return self.words("denied_not_so", p=p)

    def interval(self) -> tuple[Span, str]:
        """An interval and the words of its numbers: "N1 to N2 time units"."""
        roll = self.roll() if self.timed else 1.0
        low = "0" if roll < 0.02 else self.number()  # now is no number to be lifted
        high = low if roll > 0.985 and self.timed else self.number()
        return (low, high), self.words("interval", low=low, high=high)

    def once(self) -> tuple[str, Span, str]:
        """An adverb for eventually: its words, its interval, "front" when it may only stand in front."""
        if not self.timed or self.roll() < 0.12:
            return self.words("lifted_once"), None, ""
        if self.roll() < 0.2:
            n, u = self.number(), self.words("units")
            return self.words("lifted_once_after", n=n, u=u), (n, "inf"), ""
        if self.roll() < 0.1:
            n, u = self.number(), self.words("units")
            return self.words("lifted_once_within", n=n, u=u), ("0", n), ""
        if self.roll() < 0.015:
            low, high = self.number(), self.number()
            return self.words("lifted_once_from", low=low, high=high, u=self.words("units")), (low, high), ""
        span, words = self.interval()
        return self.words("lifted_once_between", part=words), span, ""

    def always(self) -> tuple[str, Span]:
        if not self.timed or self.roll() < 0.12:
            return self.words("lifted_always"), None
        if self.roll() < 0.24:
            n, u = self.number(), self.words("units")
            return self.words("lifted_always_after", n=n, u=u, range=f"[ {n} , infinite ]"), (n, "inf")
        if self.roll() < 0.12:
            n, u = self.number(), self.words("units")
            return self.words("lifted_always_within", n=n, u=u), ("0", n)
        span, words = self.interval()
        return self.words("lifted_always_between", part=words), span


class LiftedPart:
    """One kind of sentence over the leaves."""

    def __init__(self, draw: LiftedLeaves) -> None:
        self.draw, self.timed = draw, draw.timed
        self.rng, self.pick, self.roll, self.words = draw.rng, draw.pick, draw.roll, draw.words
