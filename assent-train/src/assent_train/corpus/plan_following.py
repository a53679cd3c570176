"""What comes after an instant of a plan: a moment, a stretch, a relation that is due."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assent_train.corpus.part import SpeechPart
from assent_train.corpus.trees import Tree, is_state

if TYPE_CHECKING:
    from assent_train.corpus.plan_words import Plans


def is_bond(tree: Tree) -> bool:
    """A relation or its negation: it can be said as a noun ("the cup being left of the jar")."""
    return bool((tree[1] if tree[0] == "not" else tree)[0] == "rel")


class PlanFollowing(SpeechPart):
    """Verb phrases and relative clauses for the inner one of two operators."""

    speech: Plans

    def due(self, tree: Tree, must: bool, when: str) -> str:
        """A relation that is still ahead at a moment."""
        atom = tree[1] if tree[0] == "not" else tree
        no = "not " if tree[0] == "not" else ""
        ahead = self.words("due_ahead")
        what = f"{no}{self.speech.relations.predicate(atom)}"
        return f"the {atom[2][0]} {'must be' if must else 'is'} {ahead} {what} {when}"

    def hold(self, must: bool) -> str:
        """ "it must hold that", "it holds that"."""
        return self.words("hold") if must else self.words("holds_that")

    def of_each(self, tree: Tree, endless: bool) -> str:
        """A further F or G under a stretch, tied to its instants: "from every instant of which"."""
        each = self.words("of_each_each")
        if endless:  # a stretch without end, behind its first moment
            if is_bond(tree[2]) and tree[0] in {"F", "G"} and self.roll() < 0.4:
                if tree[0] == "F":
                    when = self.speech.plan_times.once_when(tree[1], False)
                    return f"from which on , at {each} , {self.due(tree[2], False, when)}"
                return self.words("of_each", each=each, last=lambda: self.speech.rows.last(tree, "is", False))
            return self.words(
                "of_each_forever", each=each, tree=lambda: self.speech.rows.plan_or_state(tree, "is")
            )
        forms = 2 * [
            lambda: self.words(
                "of_each_which", each=each, tree=lambda: self.speech.rows.plan_or_state(tree, "is")
            )
        ]
        if tree[0] in {"F", "G"}:
            forms += [
                lambda: self.words("of_each_followed", each=each, followed=lambda: self.followed(tree, False))
            ] * 3
        return self.pick(forms)()

    def followed(self, tree: Tree, must: bool) -> str:
        """What an instant is followed by: the verb phrase for F or G."""
        said = self.speech.rows.plan_or_state(tree[2], "is")
        return (
            self._followed_once(tree, must, said) if tree[0] == "F" else self._followed_all(tree, must, said)
        )

    def _followed_once(self, tree: Tree, must: bool, said: str) -> str:
        """A moment to come."""
        _, span, arg = tree
        be, bond = "must be" if must else "is", is_bond(arg)
        at = self.words("at_which") if is_state(arg) else self.words("from_which")
        rel = self.speech.plan_times.window(span, False)
        what = (
            self.speech.plan_moments.being(arg)
            if bond and self.roll() < 0.6
            else self.words("followed_what", at=at, said=said)
        )
        forms = [
            lambda: self.words(
                "followed_by", be=be, part=lambda: self.words("followed_part", rel=rel), what=what
            )
        ] * 2 + [
            lambda: self.words("followed", part="must have" if must else "has", rel=rel, at=at, said=said)
        ]
        if span is not None and span[0] == "0":
            forms += [
                lambda: self.words(
                    "followed_at_most",
                    be=be,
                    duration=lambda: self.speech.times.measured(span[1]),
                    at=at,
                    said=said,
                )
            ]
        return self.pick(forms)()

    def _followed_all(self, tree: Tree, must: bool, said: str) -> str:
        """A stretch that begins there."""
        _, span, arg = tree
        be, bond = "must be" if must else "is", is_bond(arg)
        if span is None:
            if bond:
                return (
                    self.words("followed_forever_by", be=be, arg=lambda: self.speech.plan_moments.being(arg))
                    if self.roll() < 0.5
                    else self.words(
                        "followed_one_from_which",
                        part="must be" if must else "is",
                        arg=lambda: self.speech.literal(arg, "is"),
                    )
                )
            return self.words("followed_for_all_time", be=be, said=said)
        if span[0] == "0":
            d = self.speech.times.measured(span[1])
            if bond and self.roll() < 0.7:
                return self.words(
                    "followed_by_run",
                    part=lambda: self.words("followed_by_or_starts", be=be, must=must),
                    part2=lambda: self.words("followed_length", d=d, name=span[1]),
                    arg=lambda: self.speech.plan_moments.being(arg),
                )
            return self.words(
                "followed_by_period",
                part=lambda: self.words("followed_by_or_opens", be=be, must=must),
                period=lambda: self.speech.plan_times.period(span[1]),
                part2=lambda: (
                    self.words("period_in_which") if is_state(arg) else self.words("period_each_instant")
                ),
                said=said,
            )
        return self.words(
            "followed_between",
            be=be,
            name=span[0],
            name2=span[1],
            seconds=self.speech.plan_times.seconds,
            said=said,
        )
