"""How an atom, its negation and a combination of them are said as a clause.

Two registers: formal ("the P1 must be on") and casual ("P1 on", "no P1"). Names have been lifted to placeholders
before a model sees a sentence, so that articles, subjects and verbs around them are noise; they are produced here
in all the shapes that lifting leaves.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from assent_train.corpus.engine import Wordings
from assent_train.corpus.relations import predicate, relation
from assent_train.corpus.trees import ATOMS, Tree, is_literal, is_state

TAILS = (
    *("",) * 44, "on", "on", "active", "active", "engaged", "true", "present", "in effect",
    "detected", "running", "down", "up", "open", "ahead", "in place", "observed", "set", "applied", "in progress", "hit", "held", "done", "taken", "sounding", "shut", "full", "raised", "lowered", "together",
    "the case", "by the", "in the", "at the", "in", "sent", "over the", "there", "the", "pressed", "of the", "out",
)  # fmt: skip


class Clauses:
    """Clauses for state formulas in one register, drawn with one generator of random numbers."""

    lifted = True  # atoms are placeholders that may stand anywhere; False where real clauses are needed

    def __init__(self, rng: random.Random, casual: bool) -> None:
        self.rng = rng
        self.casual = casual
        self.pick = rng.choice
        self.words = Wordings(rng)
        self.roll = rng.random

    # -- atoms ---------------------------------------------------------------------------------------

    def literal(self, tree: Tree, mood: str) -> str:
        """mood: "is" (as a fact), "must" (as a demand), "stay" (a demand over a stretch), "bare" (a fragment)."""
        negative = tree[0] == "not"
        atom = tree[1] if negative else tree
        kind = atom[0]
        if kind == "p":
            return self.absent(atom[1], mood) if negative else self.present(atom[1], mood)
        if kind == "cmp":
            return self.comparison(atom, mood, negative)
        return relation(self, atom, mood, negative)

    def amid(self, tree: Tree, mood: str, when: str) -> str:
        """A literal with the adverb inside the verb: "the P1 must at some point be on"."""
        negative = tree[0] == "not"
        atom = tree[1] if negative else tree
        no = "not" if negative else ""
        fact = mood in {"is", "bare"}
        if atom[0] != "p":
            return (
                relation(self, atom, mood, negative, when)
                if atom[0] == "rel"
                else f"{when} {self.literal(tree, mood)}"
            )
        name = atom[1]
        if fact:
            return self.words(
                "amid",
                things=self._things,
                name=name,
                when=when,
                no=no,
                leftover=self.leftover,
                subject=self.subject,
            )
        must = self.words("amid_must")
        return self.words("amid_2", things=self._things, name=name, must=must, when=when, no=no, leftover=self.leftover, subject=self.subject, part='no' if negative else 'a')  # fmt: skip

    def _be(self, mood: str) -> str:
        if mood == "is":
            return self.words("is") if self.roll() < 0.85 else self.words("stays")
        if mood == "stay":
            return self.words("must_stay")
        return self.words("must") if self.roll() < 0.9 else self.words("must_stay")

    def _verb(self, mood: str) -> str:
        return (
            self.words("verbs")
            if mood == "is"
            else self.words("keep_verbs")
            if mood == "stay"
            else self.words("must_verbs")
        )

    def present(self, name: str, mood: str) -> str:
        roll = self.roll()
        if mood == "bare" or (self.casual and roll < 0.45):
            return self._fragment(name)
        if roll < 0.5:
            return self.words("present", things=self._things, name=name, be=lambda: self._be(mood))
        if roll < 0.72:
            return f"{self.subject()} {self._be(mood)} {self._article()} {name} {self.leftover()}"
        if roll < 0.9:
            return f"{self._things()} {name} {self._verb(mood)}"
        be = self.words("present_be") if mood != "is" else self.words("present_be_2")
        return f"there {be} {self._article()} {name} {self.leftover()}"

    def absent(self, name: str, mood: str) -> str:
        roll = self.roll()
        if mood == "bare" or (self.casual and roll < 0.45):
            return self._absent_fragment(name)
        things, be = self._things(), self._be(mood)
        if roll < 0.2:
            return self.words("absent", things=things, name=name, denied=lambda: self._not(be, mood))
        if roll < 0.38:
            return self.words("absent_2", things=things, name=name, be=be, leftover=self.leftover)
        if roll < 0.46:
            return self.words("absent_3", things=things, name=name, be=be)
        if roll < 0.62:
            return f"{self.subject()} {self._not(be, mood)} {self._article()} {name} {self.leftover()}"
        if roll < 0.72:
            return f"{self.subject()} {be} not {self._article()} {name} {self.leftover()}"
        if roll < 0.74:
            return self.words("absent_4", subject=self.subject, be=be, name=name, leftover=self.leftover)
        if roll < 0.84:
            be = self.words("absent_be") if mood != "is" else self.words("present_be_2")
            return f"there {be} no {name} {self.leftover()}"
        if mood == "is":
            verb = self.words("absent_verb")  # fmt: skip
        else:
            verb = self.words("absent_verb_2")  # fmt: skip
        return f"{things} {name} {verb}"

    def _not(self, be: str, mood: str) -> str:
        """The verb phrase denied: must be -> must not be; is -> isn't; has to be -> has to not be."""
        first, _, rest = be.partition(" ")
        if first in {"must", "shall", "should", "will", "ought"}:
            return f"{first} not {rest}"
        if first in {"is", "are", "was"}:
            joined = self.words("not_joined")
            return f"{joined} {rest}" if rest else joined
        if mood == "is":
            return self.words("not")
        return self.words("not_2", when1=mood == "stay")

    def _article(self) -> str:
        return self.words("article")

    def leftover(self) -> str:
        roll = self.roll()
        if roll > 0.3:
            return ""
        if roll < 0.14:
            return self.pick(TAILS[44:])
        if roll < 0.24:  # what lifting leaves of "pauses the pump", "runs a backup"
            return self.words("leftover")
        return self.words("nouns") if roll < 0.27 else self.words("leftover_2")

    def _things(self) -> str:
        roll = self.roll()
        if roll < 0.93:
            return self.words("things")
        return self.words("things_2")

    def subject(self) -> str:
        return self.words("subjects") if self.roll() < 0.7 else self.words("subject")

    def _fragment(self, name: str) -> str:
        shape = self.rng.randrange(14)
        if shape < 5:
            return f"{name} {self.leftover()}"
        if shape < 6:
            return self.words("fragment", name=name)
        if shape < 8:
            return self.words("fragment_2", name=name)
        if shape < 10:
            return self.words("fragment_3", name=name)
        if shape < 12:
            return self.words("fragment_4", name=name)
        return self.words("fragment_5", subject=self.subject, name=name)

    def _absent_fragment(self, name: str) -> str:
        shape = self.rng.randrange(14)
        if shape < 4:
            return f"no {name}"
        if shape < 6:
            return f"not {name}"
        if shape < 8:
            return self.words("absent_fragment", name=name)
        if shape < 10:
            return self.words("absent_fragment_2", name=name)
        if shape < 12:
            return self.words("absent_fragment_3", name=name)
        if shape < 13:
            return self.words(
                "absent_fragment_4",
                part=lambda: self.words(
                    "absent_fragment_part", part=lambda: "the " + self.words("nouns") + " is"
                ),
                name=name,
            )
        return self.words("absent_fragment_5", name=name, leftover=self.leftover)

    def comparison(self, atom: Tree, mood: str, negative: bool) -> str:
        _, op, name, number = atom
        the = self.words("comparison_the")
        unit = self.words("comparison_unit")
        words = {
            ">": ("above", "over", "greater than", "more than", "higher than", "in excess of"),
            ">=": (
                "at least",
                "no less than",
                "greater than or equal to",
                "not below",
                "no lower than",
                "at or above",
            ),
            "<": ("below", "under", "less than", "lower than", "smaller than", "short of"),
            "<=": (
                "at most",
                "no more than",
                "less than or equal to",
                "not above",
                "no higher than",
                "at or below",
                "not over",
            ),
            "==": ("equal to", "exactly", "the same as", "precisely"),
        }[op]
        verbs = {">": ("exceeds", "tops", "goes over", "passes", "rises above", "is >"), ">=": ("reaches", "is >="),
                 "<": ("drops below", "falls below", "is <", "dips under"), "<=": ("does not exceed", "is <=", "doesn't exceed"),
                 "==": ("equals", "is ==")}[op]  # fmt: skip
        word = self.pick(words)
        if negative:
            if mood == "is":
                return self.words("comparison", the=the, name=name, word=word, number=number, unit=unit)
            return self.words("comparison_2", the=the, name=name, word=word, number=number, unit=unit)
        if mood in {"is", "bare"}:
            if self.roll() < 0.35:
                return f"{the} {name} {self.pick(verbs)} {number} {unit}"
            return self.words("comparison_3", the=the, name=name, word=word, number=number, unit=unit)
        be = self._be(mood)
        return f"{the} {name} {be} {word} {number} {unit}"

    # -- combinations --------------------------------------------------------------------------------

    def state(self, tree: Tree, mood: str = "is", depth: int = 0) -> str:
        """A formula without temporal operators, as one clause."""
        op = tree[0]
        if op in ATOMS or is_literal(tree):
            return self.literal(tree, mood)
        if op == "and":
            return self._and(tree[1:], mood, depth)
        if op == "or":
            return self._or(tree[1:], mood, depth)
        if op == "->":
            return self._if(tree[1], tree[2], mood, depth)
        if op == "<->":
            left, right = self.state(tree[1], mood, depth + 1), self.state(tree[2], "is", depth + 1)
            word = self.words("state_word")
            return f"{left} {word} {right}"
        inner = tree[1]
        if (
            inner[0] == "or"
            and len(inner) == 3
            and all(x[0] in ATOMS for x in inner[1:])
            and self.roll() < 0.6
        ):
            a, b = self.state(inner[1], mood, depth + 1), self.state(inner[2], mood, depth + 1)
            return f"neither {a} nor {b}"
        if inner[0] == "and" and self.roll() < 0.5:
            a, b = (
                self.state(inner[1], "is", depth + 1),
                self.state(("and", *inner[2:]) if len(inner) > 3 else inner[2], "is", depth + 1),
            )
            return self.words("state", part=lambda: self.words("state_part", when1=mood == "stay"), a=a, b=b)
        return self.words("state_2", inner=lambda: self.state(inner, "is", depth + 1))

    def _and(self, args: Sequence[Tree], mood: str, depth: int) -> str:
        said = [
            self.state(x, mood if i == 0 or self.roll() < 0.7 else "is", depth + 1)
            for i, x in enumerate(args)
        ]
        if any(x[0] == "->" for x in args[:-1]) or (args[-1][0] == "->" and not self.casual):
            return (" " + self.words("and") + " ").join(said)
        shared = self._shared(args, mood, "and") if self.lifted and self.roll() < 0.4 else ""
        if shared:
            return shared
        if len(said) == 2:
            roll = self.roll()
            second = args[1]
            if self.lifted and mood == "bare" and roll > 0.85 and is_literal(second):
                return f"{said[0]} {self.literal(second, 'bare')}"
            if self.lifted and roll < 0.2 and second[0] == "not" and second[1][0] == "p":
                name = second[1][1]
                return self.words("and_2", name=said[0], name2=name)
            if self.lifted and roll < 0.24 and second[0] == "p":
                return self.words("and_3", name=said[0], name2=second[1], leftover=self.leftover)
            if roll < 0.3:
                return f"both {said[0]} and {said[1]}"
            if roll < 0.35:
                return self.words("and_4", name=said[0], name2=said[1])
            word = self.words("and_word")
            return f"{said[0]} {word} {said[1]}"
        sep = " , " if self.roll() < 0.85 else " and "
        return (
            sep.join(said[:-1])
            + (
                (" " + self.words("and_5", when1=self.casual) + " ")
                if mood != "bare"
                else (" " + self.words("and_6") + " ")
            )
            + said[-1]
        )

    def _shared(self, args: Sequence[Tree], mood: str, word: str) -> str:
        """Several atoms under one verb or one subject; empty where they have none in common."""
        word = self.words("shared_word", word=word, when1=word == "and")
        if all(x[0] == "p" for x in args):
            names = [self.words("shared_names", name=x[1]) for x in args]
            body = " , ".join(names[:-1]) + f" {word} " + names[-1]
            both = self.words("shared_both") if len(args) == 2 and word == "and" else ""
            roll = self.roll()
            be = {
                "is": ("are", "is", "are", "are being", "stay"),
                "bare": ("", "on", "are", "", "are on"),
                "stay": ("must stay", "must be", "must remain", "stay", "have to be", "have to stay"),
            }.get(
                mood,
                ("must be", "must be", "have to be", "shall be", "must", "should be", "need to be", "are"),
            )
            if roll < 0.6:
                verb = self.pick(be)
                if both and verb.endswith(" be"):
                    return f"{body} {verb.removesuffix(' be')} both be {self.leftover()}"
                return f"{body} {verb} {both} {self.leftover()}"
            if roll < 0.75 and mood != "bare":
                return f"{self.subject()} {self._be(mood)} {both} {body} {self.leftover()}"
            if roll < 0.9 and mood != "bare" and len(args) > 1:
                first = self.present(args[0][1], mood)
                rest = [self.words("shared_rest", n=n) for n in names[1:]]
                return f"{first} {', ' + ' , '.join(rest[:-1]) if len(rest) > 1 else ''} {word} {rest[-1]}"
            return (
                self.words(
                    "shared", body=body, part=lambda: self.words("shared_part") if word == "and" else ""
                )
                if mood == "bare"
                else ""
            )
        relations = [x[1] if x[0] == "not" else x for x in args]
        if all(x[0] == "rel" for x in relations) and len({x[2][0] for x in relations}) == 1:
            said = self.literal(args[0], mood)
            for whole, atom in zip(args[1:], relations[1:], strict=True):
                no = "not" if whole[0] == "not" else ""
                said += f" {word} {no} {predicate(self, atom)}"
            return said
        return ""

    def _or(self, args: Sequence[Tree], mood: str, depth: int) -> str:
        shared = self._shared(args, mood, "or") if self.lifted and self.roll() < 0.35 else ""
        if shared:
            return f"either {shared}" if self.roll() < 0.15 and shared.lstrip().startswith("the") else shared
        said = [
            self.state(x, mood if i == 0 or self.roll() < 0.7 else "is", depth + 1)
            for i, x in enumerate(args)
        ]
        mixed = any(not is_literal(x) for x in args)
        either = (
            (" " + self.words("or_either") + " ") if self.roll() < (0.85 if mixed or depth else 0.25) else ""
        )
        sep = " , or " if mixed else (" " + self.words("or_sep") + " ")
        if len(said) > 2 and self.roll() < 0.8:
            body = " , ".join(said[:-1]) + (" or " if not mixed else " , or ") + said[-1]
        else:
            body = sep.join(said)
        tail = (
            (" " + self.words("or_tail") + " ") if self.roll() < 0.1 and len(said) == 2 and not depth else ""
        )
        return f"{either}{body}{tail}"

    def _if(self, left: Tree, right: Tree, mood: str, depth: int) -> str:
        a, b = self.state(left, "is", depth + 1), self.state(right, mood, depth + 1)
        roll = self.roll()
        if roll < 0.45:
            return self.words("if", a=a, b=b)
        if roll < 0.65:
            return self.words("if_2", b=b, a=a)
        if roll < 0.85:
            return self.words("if_3", a=a, b=b)
        if left[0] == "not":
            return f"{b} unless {self.state(left[1], 'is', depth + 1)}"
        return self.words("if_4", a=a, b=b)


__all__ = ["Clauses", "is_state"]
