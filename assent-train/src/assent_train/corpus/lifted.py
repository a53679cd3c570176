"""Sentences over lifted propositions "( P1 )": verbose rules, free combinations, and short commands.

Scope rule of this style: members combine from left to right; a time adverb covers the member that follows it, and a
pair if a comma comes after the pair; "if ... then" makes a rule for all times only with words that say so ("whenever",
"in case that", "when", "globally", "all of the following conditions ...").
"""

from __future__ import annotations

import random

from assent_train.corpus.lifted_free import LiftedFree
from assent_train.corpus.lifted_leaves import LiftedLeaves, Said
from assent_train.corpus.lifted_rules import LiftedRules
from assent_train.corpus.lifted_shapes import LiftedShapes
from assent_train.corpus.lifted_turns import LiftedTurns
from assent_train.corpus.trees import Tree


class LiftedWriter:
    """Draws one sentence of the lifted styles together with its formula."""

    def __init__(self, rng: random.Random, timed: bool) -> None:
        self.draw = LiftedLeaves(rng, timed)
        self.free, self.rules = LiftedFree(self.draw), LiftedRules(self.draw)
        self.shapes = LiftedShapes(self.free)
        self.turns = LiftedTurns(self.shapes)
        self.pick, self.roll, self.words, self.timed = rng.choice, rng.random, self.draw.words, timed

    def sentence(self) -> tuple[str, Tree, str]:
        """Text, formula, family."""
        roll = self.roll()
        if not self.timed and roll < 0.2:
            text, tree = self.navigation()
            return text, tree, "short"
        if roll < (0.32 if self.timed else 0.48):
            text, tree = self.rules.rule()
            family = "rule"
        elif roll < 0.68:
            turn = self.roll() < (0.2 if self.timed else 0.12)
            text, tree = self.turns.turn() if turn else self.shapes.shape()
            if self.roll() < 0.14 and not turn:
                text = self.words("free", text=text)
            family = "free"
        else:
            text, tree = self.free.free()
            family = "free"
        if self.draw.fixed:
            family = "fixed"
        return (text + " ." if self.roll() < 0.85 else text), tree, family

    def navigation(self) -> Said:
        def unit() -> Said:
            p, x = self.draw.atom()
            roll = self.roll()
            if roll < 0.3:
                return p, x
            if roll < 0.55:
                return self.words("short_once", p=p), ("F", None, x)
            if roll < 0.7:
                return self.words("short_always", p=p), ("G", None, x)
            if roll < 0.82:
                return self.words("short_again", p=p), ("G", None, ("F", None, x))
            if roll < 0.9:
                return f"never {p}", ("G", None, ("not", x))
            return self.words("short_not", p=p), ("not", x)

        (a, x), (b, y) = unit(), unit()
        op = self.pick(("and", "or", "->", "->", "U"))
        if op in {"and", "or"}:
            return f"{a} {op} {b}", (op, x, y)
        if op == "U":
            return f"{a} until {b}", ("U", None, x, y)
        return self.words("navigation", a=a, b=b), ("->", x, y)
