"""How a literal and a combination of literals are said as a clause.

Two registers: formal ("the P1 must be on") and casual ("P1 on", "no P1").
"""

from __future__ import annotations

from collections.abc import Sequence

from assent_train.corpus.part import SpeechPart
from assent_train.corpus.relations import SIDES
from assent_train.corpus.trees import ATOMS, Tree, is_literal


class States(SpeechPart):
    """Clauses for formulas without temporal operators."""

    def literal(self, tree: Tree, mood: str) -> str:
        """mood: "is" (as a fact), "must" (as a demand), "stay" (a demand over a stretch), "bare" (a fragment)."""
        negative = tree[0] == "not"
        atom = tree[1] if negative else tree
        kind = atom[0]
        if kind == "p":
            return (
                self.speech.names.absent(atom[1], mood)
                if negative
                else self.speech.names.present(atom[1], mood)
            )
        if kind == "cmp":
            return self._comparison(atom, mood, negative)
        return self.speech.relations.clause(atom, mood, negative)

    def be(self, mood: str) -> str:
        if mood == "is":
            return self.words("is") if self.roll() < 0.85 else self.words("stays")
        if mood == "stay":
            return self.words("must_stay")
        return self.words("must") if self.roll() < 0.9 else self.words("must_stay")

    def _comparison(self, atom: Tree, mood: str, negative: bool) -> str:
        _, op, name, number = atom
        the = self.words("comparison_the")
        unit = self.words("comparison_unit")
        word = self.words("compared", kind=SIDES[op])
        if negative:
            if mood == "is":
                return self.words("comparison", the=the, name=name, word=word, number=number, unit=unit)
            return self.words("comparison_forbidden", the=the, name=name, word=word, number=number, unit=unit)
        if mood in {"is", "bare"}:
            if self.roll() < 0.35:
                return f"{the} {name} {self.words('comparing_verb', kind=SIDES[op])} {number} {unit}"
            return self.words("comparison_fact", the=the, name=name, word=word, number=number, unit=unit)
        be = self.be(mood)
        return f"{the} {name} {be} {word} {number} {unit}"

    def state(self, tree: Tree, mood: str = "is", depth: int = 0) -> str:
        """A formula without temporal operators, as one clause."""
        op = tree[0]
        if op in ATOMS or is_literal(tree):
            return self.speech.literal(tree, mood)
        if op == "and":
            return self._and(tree[1:], mood, depth)
        if op == "or":
            return self._or(tree[1:], mood, depth)
        if op == "->":
            return self._if(tree[1], tree[2], mood, depth)
        if op == "<->":
            left, right = (
                self.speech.state(tree[1], mood, depth + 1),
                self.speech.state(tree[2], "is", depth + 1),
            )
            word = self.words("state_word")
            return f"{left} {word} {right}"
        inner = tree[1]
        if (
            inner[0] == "or"
            and len(inner) == 3
            and all(x[0] in ATOMS for x in inner[1:])
            and self.roll() < 0.6
        ):
            a, b = self.speech.state(inner[1], mood, depth + 1), self.speech.state(inner[2], mood, depth + 1)
            return f"neither {a} nor {b}"
        if inner[0] == "and" and self.roll() < 0.5:
            a, b = (
                self.speech.state(inner[1], "is", depth + 1),
                self.speech.state(("and", *inner[2:]) if len(inner) > 3 else inner[2], "is", depth + 1),
            )
            return self.words("state", part=lambda: self.words("state_part", when1=mood == "stay"), a=a, b=b)
        return self.words("state_denied", inner=lambda: self.speech.state(inner, "is", depth + 1))

    def _and(self, args: Sequence[Tree], mood: str, depth: int) -> str:
        said = [
            self.speech.state(x, mood if i == 0 or self.roll() < 0.7 else "is", depth + 1)
            for i, x in enumerate(args)
        ]
        if any(x[0] == "->" for x in args[:-1]) or (args[-1][0] == "->" and not self.casual):
            return (" " + self.words("and") + " ").join(said)
        shared = self._shared(args, mood, "and") if self.speech.names.lifted and self.roll() < 0.4 else ""
        if shared:
            return shared
        if len(said) == 2:
            roll = self.roll()
            second = args[1]
            if self.speech.names.lifted and mood == "bare" and roll > 0.85 and is_literal(second):
                return f"{said[0]} {self.speech.literal(second, 'bare')}"
            if self.speech.names.lifted and roll < 0.2 and second[0] == "not" and second[1][0] == "p":
                name = second[1][1]
                return self.words("and_without", name=said[0], name2=name)
            if self.speech.names.lifted and roll < 0.24 and second[0] == "p":
                return self.words(
                    "and_with", name=said[0], name2=second[1], leftover=self.speech.leftovers.leftover
                )
            if roll < 0.3:
                return f"both {said[0]} and {said[1]}"
            if roll < 0.35:
                return self.words("and_together", name=said[0], name2=said[1])
            word = self.words("and_word")
            return f"{said[0]} {word} {said[1]}"
        sep = " , " if self.roll() < 0.85 else " and "
        return (
            sep.join(said[:-1])
            + (
                (" " + self.words("and_last_member", when1=self.casual) + " ")
                if mood != "bare"
                else (" " + self.words("and_last_fragment") + " ")
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
                    return f"{body} {verb.removesuffix(' be')} both be {self.speech.leftovers.leftover()}"
                return f"{body} {verb} {both} {self.speech.leftovers.leftover()}"
            if roll < 0.75 and mood != "bare":
                around = self.speech.leftovers
                return f"{around.subject()} {self.be(mood)} {both} {body} {around.leftover()}"
            if roll < 0.9 and mood != "bare" and len(args) > 1:
                first = self.speech.names.present(args[0][1], mood)
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
            said = self.speech.literal(args[0], mood)
            for whole, atom in zip(args[1:], relations[1:], strict=True):
                no = "not" if whole[0] == "not" else ""
                said += f" {word} {no} {self.speech.relations.predicate(atom)}"
            return said
        return ""

    def _or(self, args: Sequence[Tree], mood: str, depth: int) -> str:
        shared = self._shared(args, mood, "or") if self.speech.names.lifted and self.roll() < 0.35 else ""
        if shared:
            return f"either {shared}" if self.roll() < 0.15 and shared.lstrip().startswith("the") else shared
        said = [
            self.speech.state(x, mood if i == 0 or self.roll() < 0.7 else "is", depth + 1)
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
        a, b = self.speech.state(left, "is", depth + 1), self.speech.state(right, mood, depth + 1)
        roll = self.roll()
        if roll < 0.45:
            return self.words("if", a=a, b=b)
        if roll < 0.65:
            return self.words("if_condition_last", b=b, a=a)
        if roll < 0.85:
            return self.words("if_means", a=a, b=b)
        if left[0] == "not":
            return f"{b} unless {self.speech.state(left[1], 'is', depth + 1)}"
        return self.words("if_given", a=a, b=b)
