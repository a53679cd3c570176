"""What holds at one moment of a plan, in note form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assent_train.corpus.clauses import conditional
from assent_train.corpus.part import SpeechPart
from assent_train.corpus.trees import Tree, is_literal

if TYPE_CHECKING:
    from assent_train.corpus.plan_brief import Brief


VERBS = {"touch": "touches", "ovlp": "overlaps", "partOvlp": "partly overlaps", "oriented": "faces"}
PLAIN = {"touch": "touch", "ovlp": "overlap", "partOvlp": "partly overlap", "oriented": "face"}
DENIED = frozenset({"enclIn", "ovlp", "touch", "closeTo", "oriented"})
"""Relations that have words for their negation ("off", "clear of")."""


def is_tied(tree: Tree) -> bool:
    """A literal, or two joined: "with" or "or" can hold them together."""
    return is_literal(tree) or (
        tree[0] in {"and", "or"} and len(tree) == 3 and all(map(is_literal, tree[1:]))
    )


class NoteStates(SpeechPart):
    """Relations and their combinations with few verbs."""

    speech: Brief

    the = 0.0  # how often an object has its article

    def name(self, name: str) -> str:
        return f"the {name}" if self.roll() < self.the else name

    def how(self, atom: Tree, negative: bool, bare: bool) -> str:
        """Relation and objects: after "is", after "keep", or alone."""
        kind, rest = atom[1], [self.name(x) for x in atom[2][1:]]
        if kind == "closerTo":
            word = self.words("how_word")
            than = self.words("how_than", name=rest[0], name2=rest[1])
            return self.words("how", than=than) if negative else f"{word} {than}"
        if kind == "between":
            return self.words("how_between", part="not " if negative else "", name=rest[0], name2=rest[1])
        if negative and kind in DENIED and self.roll() < 0.6:
            return f"{self.words('away', kind=kind)} {rest[0]}"
        if kind in {"leftOf", "rightOf"} and self.roll() < 0.06:
            return self.words(
                "how_side",
                part=lambda: self.words("how_part") if negative else self.words("how_side_word"),
                name=rest[0],
                removesuffix=lambda: kind.removesuffix("Of"),
            )
        return f"{'not ' if negative else ''}{self.words('near', kind=kind)} {rest[0]}"

    def literal(self, tree: Tree, mood: str) -> str:
        negative = tree[0] == "not"
        atom = tree[1] if negative else tree
        if atom[0] == "dist":
            return self.speech.plan_states.literal(tree, mood)
        a = self.name(atom[2][0])
        if mood in {"keep", "bare", "being"}:
            if negative and mood == "keep" and self.roll() < 0.3:
                return f"{a} from being {self.how(atom, False, True)}"
            return f"{a} {self.how(atom, negative, True)}"
        if not negative and atom[1] in VERBS and self.roll() < 0.5:
            return f"{a} {VERBS[atom[1]]} {self.name(atom[2][1])}"
        if negative and atom[1] in PLAIN and self.roll() < 0.2:
            return self.words(
                "note_literal_denied",
                a=a,
                part=lambda: self.words("literal_part", when1=mood == "must"),
                name=PLAIN[atom[1]],
                name2=lambda: self.name(atom[2][1]),
            )
        how = self.how(atom, negative, True)
        short = "''s" if how.startswith(("left of", "right of")) else "is"
        be = self.words("literal_be", short=short, when1=mood == "must", when2=mood == "stay")
        return f"{a} {be} {how}"

    def tie(self, tree: Tree, mood: str = "bare") -> str:
        """A literal or two as one thing."""
        if is_literal(tree):
            return self.speech.literal(tree, mood)
        word = self.words("tie_word") if tree[0] == "and" else "or"
        return f"{self.speech.literal(tree[1], mood)} {word} {self.speech.literal(tree[2], 'bare')}"

    def one(self, tree: Tree, mood: str) -> str:
        """A state without the commas of a list: "a, b, or c" is or of all."""
        if tree[0] in {"and", "or"} and all(map(is_literal, tree[1:])):
            return (
                self.tie(tree, mood)
                if len(tree) == 3
                else f" {tree[0]} ".join(self.speech.literal(x, mood) for x in tree[1:])
            )
        return self.speech.state(tree, mood)

    def _means(self, tree: Tree) -> str:
        """An implication of states."""
        left, right = tree[1], tree[2]
        roll = self.roll()
        if is_tied(left) and roll < 0.55:
            a = self.tie(left)
            if is_tied(right) and self.roll() < 0.5:
                b = self.tie(right)
                forms = 15 * [lambda: self.words("means", a=a, b=b)]
                return self.pick(
                    forms + ([lambda: self.words("means_no_without", a=a, b=b)] if left[0] == "rel" else [])
                )()
            return self.words(
                "means_clause", a=a, right=lambda: self.speech.state(right, self.pick(("bare", "is")))
            )
        cond, then = self.one(left, "is"), self.speech.state(right, "bare" if self.roll() < 0.5 else "is")
        if left[0] == "not" and is_literal(left) and self.roll() < 0.5:
            return self.words("means_unless", then=then, left_part=lambda: self.speech.literal(left[1], "is"))
        forms = 7 * [lambda: self.words("means_if", cond=cond, then=then, when1=left[0] == "rel")]
        if is_tied(right) and not conditional(left):
            forms += 8 * [lambda: self.words("means_condition_last", then=then, cond=cond)]
        return self.pick(forms)()

    def state(self, tree: Tree, mood: str = "is", depth: int = 0) -> str:
        if tree[0] == "and" and all(map(is_literal, tree[1:])) and self.roll() < 0.6:
            if len(tree) == 3 and self.roll() < 0.45:
                return self.words(
                    "note_state_with",
                    tree_part=lambda: self.speech.literal(tree[1], mood),
                    tree_part_bare=lambda: self.speech.literal(tree[2], "bare"),
                )
            said = [
                self.speech.literal(x, mood if i == 0 else "bare" if mood in {"bare", "keep"} else "is")
                for i, x in enumerate(tree[1:])
            ]
            return " , ".join(said[:-1]) + (" " + self.words("note_state_and") + " ") + said[-1]
        if tree[0] == "->":
            return self._means(tree)
        if tree[0] == "or" and all(map(is_literal, tree[1:])):
            said = [
                self.speech.literal(x, mood if i == 0 else self.words("state_said", mood=mood))
                for i, x in enumerate(tree[1:])
            ]
            tail = (" " + self.words("state_tail") + " ") if len(said) == 2 and self.roll() < 0.06 else ""
            return self.words(
                "note_state_or",
                members=lambda: " , ".join(said[:-1]),
                part=lambda: "or" if len(said) == 2 else self.words("note_state_or_word"),
                name=said[-1],
                tail=tail,
            )
        if (
            tree[0] == "or"
            and not conditional(tree)
            and all(is_literal(x) or (x[0] == "and" and all(map(is_literal, x[1:]))) for x in tree[1:])
        ):
            said = [
                self.one(x, mood if i == 0 else self.words("note_state_mood", mood=mood))
                for i, x in enumerate(tree[1:])
            ]
            return self.words("note_state_or_pairs", members=lambda: " , ".join(said[:-1]), name=said[-1])
        return self.speech.plan_states.state(tree, mood, depth)
