"""What holds at one moment of a plan, several relations at a time, bracketed by words.

One rule of precedence: "with" and "while" bind closest, then "and", then "or"; "either" opens what its "or" closes;
"if", "whenever" and "means" reach as far as the clause goes; a comma with "or else" or "and also" closes all before it.
"it" is the first object of the clause just before.
"""

from __future__ import annotations

from collections.abc import Sequence

from assent_train.corpus.part import SpeechPart
from assent_train.corpus.trees import ATOMS, Tree, is_literal

TIGHT = ("while", "while", "with", "with", "just as", "at the same time as")


def _atom(tree: Tree) -> Tree:
    return tree[1] if tree[0] == "not" else tree


def _simple(tree: Tree) -> bool:
    return is_literal(tree)


class PlanStates(SpeechPart):
    """Clauses for relations joined."""

    def literal(self, tree: Tree, mood: str) -> str:
        said = self.speech.states.literal(tree, mood)
        if (
            tree[0] == "rel"
            and tree[1] == "partOvlp"
            and mood not in {"keep", "infinitive", "being"}
            and self.roll() < 0.12
        ):
            said += " " + self.words("literal") + " "
        return said

    def state(self, tree: Tree, mood: str = "is", depth: int = 0) -> str:
        op = tree[0]
        if op in ATOMS or is_literal(tree):
            return self.speech.literal(tree, mood)
        if op == "and":
            return self._both(tree[1:], mood)
        if op == "or":
            return self._any(tree[1:], mood)
        if op == "->":
            return self._given(tree, mood)
        if op == "not" and tree[1][0] in {"and", "or"}:
            said = [self.speech.state(x, "is") for x in tree[1][1:]]
            if tree[1][0] == "or" and all(_simple(x) for x in tree[1][1:]):
                return self.words(
                    "plan_neither",
                    name=said[0],
                    members=lambda: " nor ".join(said[1:]),
                    members2=lambda: " or ".join(said),
                )
            if tree[1][0] == "and" and all(_simple(x) for x in tree[1][1:]):
                return self.words("plan_not_both", members=lambda: " and ".join(said))
        return self.speech.states.state(tree, mood, depth)

    def _both(self, args: Sequence[Tree], mood: str) -> str:
        simple = [x for x in args if _simple(x)]
        others = [x for x in args if not _simple(x)]
        if not others:
            return self._row(simple, mood)
        if not simple:
            return " , and also ".join(self._closed(x, mood) for x in others)
        ors = [x for x in others if x[0] == "or"]
        rest = [x for x in others if x[0] != "or"]
        head = self._row(simple, mood)
        if ors and not rest and len(ors) == 1:
            second = "is" if self.roll() < 0.6 else mood
            inner = "either " + self._plain_or(ors[0][1:], second)
            return self.words("both", head=head, inner=inner)
        last = rest[-1]
        body = [head, *(self._closed(x, mood) for x in (*ors, *rest[:-1]))]
        lead = " , and also ".join(body)
        if last[0] == "->":
            a, b = self.speech.state(last[1], "is"), self.speech.state(last[2], mood)
            return lead + (" " + self.words("both_and_if", a=a, b=b) + " ")
        return f"{lead} , and also {self._closed(last, mood)}"

    def _row(self, args: Sequence[Tree], mood: str) -> str:
        """Literals in a row."""
        if len(args) == 1:
            return self.speech.literal(args[0], mood)
        shared = self._alike(args, mood, "and")
        if shared:
            return shared
        said = [self._next_literal(args, i, mood) for i in range(len(args))]
        if len(said) == 2:
            roll = self.roll()
            if roll < 0.3:
                word = self.words("tight")
                second = self.speech.literal(
                    args[1],
                    "is"
                    if word != "with"
                    else "being"
                    if args[1][0] == "not"
                    else self.pick(("being", "keep", "keep")),
                )
                return f"{self.speech.literal(args[0], mood)} {word} {second}"
            if roll < 0.36:
                return f"both {said[0]} and {said[1]}"
            if roll < 0.44:
                return self.words("row", name=said[0], name2=said[1])
            return self.words(
                "row_two", name=said[0], part=lambda: self.words("row_part", when1=self.casual), name2=said[1]
            )
        tail = " " + self.words("row_tail", when1=self.casual) + " "
        return " , ".join(said[:-1]) + tail + said[-1]

    def _next_literal(self, args: Sequence[Tree], i: int, mood: str) -> str:
        """A literal after others: "it" for an object that keeps its place, the plain fact for a demand."""
        if i and self.roll() < 0.35:
            mood = "is"
        if i:
            before, atom = _atom(args[i - 1]), _atom(args[i])
            if before[0] == "rel" == atom[0] and before[2][0] == atom[2][0] and self.roll() < 0.6:
                no = "not " if args[i][0] == "not" else ""
                be = "is" if mood in {"is", "bare"} else self.words("next_literal_be")
                be = f"{be.removesuffix(' be')} not be" if no and be.endswith(" be") else f"{be} {no}"
                return f"it {be} {self.speech.relations.predicate(atom)}"
        return self.speech.literal(args[i], mood)

    def _alike(self, args: Sequence[Tree], mood: str, word: str) -> str:
        """Relations with one subject, or one relation of two subjects to one object."""
        atoms = [_atom(x) for x in args]
        if not all(x[0] == "rel" for x in atoms):
            return ""
        if len({x[2][0] for x in atoms}) == 1 and self.roll() < 0.5:
            said = self.speech.literal(args[0], mood)
            for whole, atom in zip(args[1:], atoms[1:], strict=True):
                link = self.words(
                    "alike_link", word=word, when1=mood == "must", when2=word == "and" and whole[0] == "not"
                )
                said += (
                    f" {link} {'not ' if whole[0] == 'not' else ''}{self.speech.relations.predicate(atom)}"
                )
            return said
        same = (
            len(args) == 2
            and all(x[0] == "rel" for x in args)
            and atoms[0][1] == atoms[1][1]
            and atoms[0][2][1:] == atoms[1][2][1:]
        )
        if same:
            verb = {"is": "are", "bare": self.words("alike_verb"), "keep": ""}.get(
                mood, self.words("alike_verb_demand")
            )
            a, b = (x[2][0] for x in atoms)
            if word == "or":
                verb = verb.replace("are", "is")
                return self.words(
                    "alike", a=a, b=b, verb=verb, predicate=lambda: self.speech.relations.predicate(atoms[0])
                )
            return self.words(
                "alike_and", a=a, b=b, verb=verb, predicate=lambda: self.speech.relations.predicate(atoms[0])
            )
        return ""

    def _plain_or(self, args: Sequence[Tree], mood: str) -> str:
        said = [
            self.speech.state(x, mood if i == 0 or self.roll() < 0.6 else "is") for i, x in enumerate(args)
        ]
        if len(said) == 2:
            return f"{said[0]} {'or' if all(map(_simple, args)) and self.roll() < 0.8 else ', or'} {said[1]}"
        return " , ".join(said[:-1]) + (" " + self.words("plain_or") + " ") + said[-1]

    def _any(self, args: Sequence[Tree], mood: str) -> str:
        if all(_simple(x) for x in args):
            shared = self._alike(args, mood, "or")
            if shared:
                return shared
            either = (
                (" " + self.words("any_either") + " ")
                if len(args) == 2
                else (" " + self.words("any_either_many") + " ")
            )
            if len(args) == 2 and self.roll() < 0.07:
                return f"{self.speech.literal(args[0], mood)} unless {self.speech.literal(args[1], 'is')}"
            tail = (" " + self.words("any_tail") + " ") if len(args) == 2 and self.roll() < 0.1 else ""
            return either + self._plain_or(args, mood) + tail
        args = sorted(args, key=lambda x: not _simple(x)) if self.roll() < 0.5 else list(args)
        last = args[-1]
        if (
            last[0] == "and"
            and all(_simple(x) for x in last[1:])
            and all(_simple(x) for x in args[:-1])
            and len(last) == 3
            and self.roll() < 0.4
        ):
            first = self.speech.literal(last[1], mood)
            return self.words(
                "any",
                part=lambda: (
                    self._plain_or(args[:-1], mood) if len(args) > 2 else self.speech.literal(args[0], mood)
                ),
                part2=lambda: " " + self.words("any_part") + " " if mood == "is" else "",
                first=first,
                part3=lambda: self.pick(TIGHT[:4]),
                last_part=lambda: self.speech.literal(last[2], "is"),
            )
        said = [
            self._arm_of_or(x, mood if i == 0 else self.words("any_said", mood=mood))
            for i, x in enumerate(args)
        ]
        if any(x[0] == "->" for x in args[:-1]):
            return (" " + self.words("any_either") + " ") + (" " + self.words("any_or_else") + " ").join(said)
        return (" " + self.words("any_either_mixed") + " ") + (" " + self.words("any_or_mixed") + " ").join(
            said
        )

    def _arm_of_or(self, tree: Tree, mood: str) -> str:
        if tree[0] == "->":
            a, b = self.speech.state(tree[1], "is"), self.speech.state(tree[2], mood)
            both = self._gerunds(tree)
            return self.words("arm_of_or", b=b, a=a, part=both or f"{b} in case {a}")
        return self.speech.state(tree, mood)

    def _gerunds(self, tree: Tree) -> str:
        """ "the O1 being above the O2 means the O3 being near the O4"; empty where a part is not one relation."""
        if not all(is_literal(x) and _atom(x)[0] == "rel" for x in tree[1:]):
            return ""
        word = self.words("gerunds_word")
        if self.roll() < 0.4:
            return self.words(
                "gerunds",
                tree_part_being=lambda: self.speech.literal(tree[1], "being"),
                tree_part=lambda: self.speech.literal(tree[2], "is"),
            )
        return f"{self.speech.literal(tree[1], 'being')} {word} {self.speech.literal(tree[2], 'being')}"

    def _closed(self, tree: Tree, mood: str) -> str:
        """A part that ends where the next comma with "and also" is."""
        if tree[0] == "or":
            return "either " + self._plain_or(tree[1:], mood)
        return self._arm_of_or(tree, mood)

    def _given(self, tree: Tree, mood: str) -> str:
        left, right = tree[1], tree[2]
        inner = left[0] == "->" or (left[0] in {"and", "or"} and any(x[0] == "->" for x in left[1:]))
        a = self.speech.state(left, "is")
        if inner:
            a = self.words("given_a", a=a)
        b = self.speech.state(right, mood)
        roll = self.roll()
        if roll < 0.08:
            both = self._gerunds(tree)
            if both:
                return both
        if right[0] == "->" and roll > 0.4:
            roll = self.roll() * 0.4
        if roll < 0.4:
            return self.words("given", a=a, b=b)
        if roll < 0.48 and is_literal(left) and not inner:
            return f"should {self.speech.literal(left, 'infinitive')} , {b}"
        if roll < 0.7:
            return self.words("given_condition_last", b=b, a=a)
        if roll < 0.88:
            if is_literal(left) and self.roll() < 0.4:
                a = (
                    self.speech.literal(left, "keep" if left[0] == "rel" else "being")
                    if left[0] in {"rel", "not"} and _atom(left)[0] == "rel"
                    else a
                )
            return self.words(
                "given_means", a=a, part=lambda: self.words("given_part", when1=mood == "must"), b=b
            )
        if left[0] == "not":
            return f"{b} unless {self.speech.state(left[1], 'is')}"
        return self.words("given_whenever", b=b, a=a)
