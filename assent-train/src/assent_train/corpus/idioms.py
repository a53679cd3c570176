"""Set phrases of requirements that no tree of operators would give: "upon P1", "P1 means P2", "never both".

Wordings and meanings are productions (``productions/idioms.txt``); this draws names, numbers and times for them.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from assent_train.corpus.engine import Scope, Speaker, Window, grammar
from assent_train.corpus.requirements import Requirements
from assent_train.corpus.trees import Tree

COMPARED = 0.12
"""Share of comparisons among the literals of a logic with numbers."""
FULL_STOP = {"casual": 0.3, "formal": 0.95}
_WINDOWS = {"soon": "sooner", "lasting": "for_good"}
"""The words for a time, and for one without an interval."""


class Idioms:
    """One idiom a call; ``timed`` where the logic has intervals."""

    def __init__(self, rng: random.Random, casual: bool, timed: bool) -> None:
        self._rng, self._timed = rng, timed
        self._clauses = Requirements(rng, casual)
        self._speaker = Speaker(rng, grammar("idioms"), self)
        self._full_stop = FULL_STOP["casual" if casual else "formal"]
        self._names = self._numbers = 0

    def idiom(self) -> tuple[str, Tree]:
        """Text and formula."""
        self._names = self._numbers = 0
        said = self._speaker.clause(
            "idiom",
            {
                "timed": self._timed,
                "leftover": self._clauses.leftovers.leftover,
                "subject": self._clauses.leftovers.subject,
            },
        )
        return (f"{said.text} ." if self._rng.random() < self._full_stop else said.text), said.tree

    # -- what the productions ask for ----------------------------------------------------------------------------

    def kind(self, kind: str, words: Sequence[str], scope: Scope) -> object:
        """A literal, a number, a time, or several literals together."""
        match kind:
            case "number":
                return self._number()
            case "time":
                return self._window(words[0])
            case "all":
                return ("and", *(scope[word] for word in words))
            case "prop" | "signal":
                return self._prop()
            case "name":
                return self._denied(self._prop(), float(words[0]))
            case "lit":
                return self._denied(self._fact(), float(words[0]))
        raise KeyError(kind)

    def say(self, value: object, manner: str) -> str:
        """A name alone, as an event, with "with", or as a clause in a mood."""
        if callable(value):
            return str(value())
        assert isinstance(value, tuple)
        denied = value[0] == "not"
        name = value[1][1] if denied else value[1]
        match manner:
            case "":
                return str(name)
            case "event":
                return self._speaker.text("no_event" if denied else "event", {"p": name})
            case "with" if self.holds(value, "yes") or self.holds(value, "no"):
                scope = {"p": name, "leftover": self._clauses.leftovers.leftover}
                return self._speaker.text("with_no" if denied else "with", scope)
            case "with":
                return self._clauses.state(value, "bare")
        return self._clauses.state(value, manner)

    def holds(self, value: object, asked: str) -> bool:
        """``yes``: a name, ``no``: a denied name, ``measured``: a comparison or a denied one."""
        assert isinstance(value, tuple)
        atom = value[1] if value[0] == "not" else value
        if asked == "measured":
            return bool(atom[0] == "cmp")
        return bool(atom[0] == "p") and (value[0] == "not") == (asked == "no")

    # -- draws ---------------------------------------------------------------------------------------------------

    def _prop(self) -> Tree:
        self._names += 1
        return ("p", f"P{self._names}")

    def _number(self) -> str:
        self._numbers += 1
        return f"N{self._numbers}"

    def _fact(self) -> Tree:
        prop = self._prop()
        if not self._timed or self._rng.random() >= COMPARED:
            return prop
        return ("cmp", self._rng.choice((">", ">", "<", "<", ">=", "<=")), prop[1], self._number())

    def _denied(self, tree: Tree, chance: float) -> Tree:
        return ("not", tree) if self._rng.random() < chance else tree

    def _window(self, words: str) -> Window:
        """ "Soon" or "for long": an interval from now on, or none where the logic has no intervals."""
        if not self._timed:
            return Window(None, _WINDOWS[words])
        number = self._number()
        return Window(("0", number), words, {"n": number, "u": self._speaker.text("unit", {})})
