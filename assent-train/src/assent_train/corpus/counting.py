"""Robot missions in terse human style: visits, orders, patrols, avoidance, counts, reactions.

The formulas are the public semantic templates of mission patterns; counts become nested visits. The wordings are
productions (``productions/missions.txt``).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import pairwise

from assent_train.corpus.engine import Scope, Speaker, grammar
from assent_train.corpus.trees import Tree

TIMES = {
    1: ("once", "one time", "a single time", "only once"),
    2: ("twice", "two times", "two separate times", "two different times"),
    3: ("three times", "thrice", "three separate times", "three different times"),
    4: ("four times", "four separate times", "four different times"),
    5: ("five times", "five separate times", "five different times"),
    6: ("six times",),
}
WORDS = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}
ORDINALS = {1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth"}
GO = (
    *("visit",) * 4,
    *("go to",) * 3,
    *("reach",) * 2,
    *"move to|head to|travel to|navigate to|get to|arrive at|walk to|drive to|stop by|make your way to".split(
        "|"
    ),
    *"pass by|proceed to|run to|stop at|see|find|enter|come to|swing by|pass through|go through|approach".split(
        "|"
    ),
    *"go visit|check|land at".split("|"),
)
_ODD = {"go visit": "visiting", "get to": "getting to", "run to": "running to", "swing by": "swinging by"}


def going(go: str) -> str:
    """ "go to" -> "going to"."""
    if go in _ODD:
        return _ODD[go]
    verb, _, rest = go.partition(" ")
    if verb == "stop":
        stem = "stopp"
    elif verb.endswith("e") and not verb.endswith("ee"):
        stem = verb[:-1]
    else:
        stem = verb
    return f"{stem}ing {rest}".strip()


def at_least(p: Tree, n: int) -> Tree:
    """At least n separate visits."""
    if n == 1:
        return ("F", None, p)
    no: Tree = ("not", p)
    return ("F", None, ("and", p, ("U", None, p, ("and", no, ("U", None, no, at_least(p, n - 1))))))


def exactly(p: Tree, n: int) -> Tree:
    """Exactly n separate visits."""
    no: Tree = ("not", p)
    left: Tree = p
    right: Tree = ("or", no, ("G", None, ("or", p, ("G", None, no))))
    for _ in range(n - 1):
        left = ("and", p, ("F", None, ("and", no, ("F", None, left))))
        right = ("or", no, ("G", None, ("or", p, ("G", None, right))))
    return ("M", left, right)


def sequence(props: list[Tree]) -> Tree:
    tree: Tree = ("F", None, props[-1])
    for p in reversed(props[:-1]):
        tree = ("F", None, ("and", p, tree))
    return tree


def ordered(props: list[Tree]) -> Tree:
    members = [("U", None, ("not", b), a) for a, b in pairwise(props)]
    return ("and", *members, ("F", None, props[-1]))


def strictly_ordered(props: list[Tree]) -> Tree:
    once = [("U", None, ("not", a), ("U", None, a, ("U", None, ("not", a), b))) for a, b in pairwise(props)]
    return ("and", ordered(props), *once)


def every(props: list[Tree], make: str) -> Tree:
    def one(p: Tree) -> Tree:
        if make == "patrol":
            return ("G", None, ("F", None, p))
        if make == "avoid":
            return ("G", None, ("not", p))
        return ("F", None, p)

    return one(props[0]) if len(props) == 1 else ("and", *(one(p) for p in props))


FAMILIES = (
    *("visit", "sequenced_visit", "strictly_ordered_visit", "patrolling", "global_avoidance") * 2,
    *("ordered_visit", "reaction") * 3,
    *("lower_restricted_avoidance", "upper_restricted_avoidance", "exact_restricted_avoidance") * 3,
    *("past_avoidance", "wait"),
)
_PLACES = {1: 3, 2: 4, 3: 4, 4: 3, 5: 3}
"""How often a mission has so many places."""
FULL_STOP = 0.12

_COUNTED: dict[str, Callable[[Tree, int], Tree]] = {
    "lower_restricted_avoidance": at_least,
    "upper_restricted_avoidance": lambda p, n: ("not", at_least(p, n + 1)),
    "exact_restricted_avoidance": exactly,
}
_LISTED: dict[str, Callable[[list[Tree]], Tree]] = {
    "visit": lambda places: every(places, "visit"),
    "sequenced_visit": sequence,
    "ordered_visit": ordered,
    "strictly_ordered_visit": strictly_ordered,
    "patrolling": lambda places: every(places, "patrol"),
    "global_avoidance": lambda places: every(places, "avoid"),
}
_AT_LEAST_TWO = frozenset(["sequenced_visit", "ordered_visit", "strictly_ordered_visit"])


class Missions:
    """Draws missions."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._speaker = Speaker(rng, grammar("missions"), self)

    def sentence(self) -> tuple[str, Tree, str]:
        """Text, formula, family; no punctuation as a rule."""
        family = self._rng.choice(FAMILIES)
        text, tree = self._mission(family)
        text = self._speaker.text("start", {"mission": text})
        return (f"{text} ." if self._rng.random() < FULL_STOP else text), tree, family

    def _mission(self, family: str) -> tuple[str, Tree]:
        go = self._go()
        scope: dict[str, object] = {"g": go, "ing": going(go), "to": go.endswith(" to"), "go": self._go}
        if family in _COUNTED:
            n = self._rng.randint(1, 5)
            return self._speaker.text(family, {**scope, **self._count(n)}), _COUNTED[family](("p", "P1"), n)
        if family in _LISTED:
            names = self._names(2 if family in _AT_LEAST_TWO else 1)
            word = self._rng.choice(("and", "or")) if family == "global_avoidance" else "and"
            text = self._speaker.text(family, {**scope, **self._places(names, word)})
            return text, _LISTED[family]([("p", name) for name in names])
        said = self._speaker.clause(family, scope)
        return said.text, said.tree

    # -- what the productions ask for ----------------------------------------------------------------------------

    def kind(self, kind: str, words: Sequence[str], scope: Scope) -> object:
        """Everything that is drawn first is a group of the productions."""
        raise KeyError(kind)

    def say(self, value: object, manner: str) -> str:
        """What is drawn anew each time it is said."""
        assert callable(value) and not manner
        return str(value())

    def holds(self, value: object, asked: str) -> bool:
        """Guards are plain values here."""
        raise KeyError(asked)

    # -- draws ---------------------------------------------------------------------------------------------------

    def _go(self) -> str:
        roll = self._rng.random()
        return "visit" if roll < 0.34 else "go to" if roll < 0.54 else self._rng.choice(GO)

    def _names(self, least: int) -> list[str]:
        sizes = [n for n in range(least, 6) for _ in range(_PLACES[n])]
        return [f"P{i}" for i in range(1, self._rng.choice(sizes) + 1)]

    def _row(self, names: Sequence[str], word: str = "and") -> str:
        """A list: "P1 P2 and P3", with and without commas."""
        if len(names) == 1:
            return names[0]
        between = self._rng.choice((" ", " ", " ", " , ", f" {word} "))
        last = self._rng.choice((f" {word} ", f" {word} ", f" {word} ", f" , {word} ", " "))
        return between.join(names[:-1]) + last + names[-1]

    def _count(self, n: int) -> Scope:
        often = TIMES[n][:2] if n == 1 else TIMES[n]
        return {
            "p": "P1",
            "many": n > 1,
            "t": self._rng.choice(often),
            "w": WORDS[n],
            "up": WORDS[n + 1],
            "nth": ORDINALS[n],
            "fewer": TIMES[n - 1][0] if n > 1 else "",
            "more": TIMES[n + 1][0],
            "exactly": TIMES[n][0],
            "counted": " ".join(TIMES[i][0] for i in range(1, n)),
            "again": f"{WORDS[n - 1]} more {'times' if n > 2 else 'time'}" if n > 1 else "",
        }

    def _places(self, names: list[str], word: str) -> Scope:
        pairs = [{"a": a, "b": b} for a, b in pairwise(names)]
        before = names[:-1]
        return {
            "single": len(names) == 1,
            "two": len(names) == 2,
            "places": lambda: self._row(names, word),
            "first": names[0],
            "second": names[1] if len(names) > 1 else "",
            "last": names[-1],
            "before_last": names[-2] if len(names) > 1 else "",
            "all_but_last": lambda: self._row(before),
            "all_but_last_or": lambda: self._row(before, "or"),
            "each": [{"a": name} for name in names],
            "rest": [{"a": name, "final": name == names[-1]} for name in names[1:]],
            "pairs": pairs,
            "back": pairs[::-1],
            "more_pairs": pairs[1:],
            "early_back": pairs[:-1][::-1],
            "steps": [self._step(names, i) for i in range(len(before))],
        }

    def _step(self, names: list[str], i: int) -> Scope:
        later, earlier = names[i + 1 :], names[:i]
        return {
            "a": names[i],
            "starts": i == 0,
            "next": names[i + 1],
            "later": lambda: self._row(later),
            "later_or": lambda: self._row(later, "or"),
            "earlier_or": lambda: self._row(earlier, "or"),
        }
