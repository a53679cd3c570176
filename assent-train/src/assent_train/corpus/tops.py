"""Whole formulas that start now: lists of them, and conditions that are judged once."""

from __future__ import annotations

from assent_train.corpus.clauses import conditional
from assent_train.corpus.part import SpeechPart
from assent_train.corpus.trees import Tree, is_literal, is_state


def _open(tree: Tree) -> bool:
    """Whether what follows the words of this formula could be taken for a part of it."""
    if tree[0] in {"F", "G"}:
        return not is_state(tree[2]) or conditional(tree[2])
    return not is_state(tree)


class Tops(SpeechPart):
    """Sentences for formulas at the top."""

    def top(self, tree: Tree) -> str:
        """A formula that starts now."""
        op = tree[0]
        if is_state(tree):
            return self.speech.clauses.now_state(tree)
        if op in {"and", "or"}:
            members = list(tree[1:])
            if self.roll() < 0.6:
                members.sort(key=_open)
            said, loose = [], []
            for member in members:
                self.speech.simple.closed = False
                said.append(self.top(member))
                loose.append(_open(member) and not self.speech.simple.closed)
            return self._join(tree[0], loose, said)
        if op == "->":
            return self._top_if(tree[1], tree[2])
        if op == "<->":
            return self.words("top", tree_part=lambda: self.top(tree[1]), top=lambda: self.top(tree[2]))
        if op == "not":
            return self.words("top_denied", tree_part=lambda: self.speech.clause(tree[1], "is", True))
        return self.speech.clause(tree, "bare" if self.casual and self.roll() < 0.35 else "must", True)

    def _join(self, op: str, loose: list[bool], said: list[str]) -> str:
        roll = self.roll()
        if any(loose[:-1]):
            # what could still belong to the member before is set off strongly
            if op == "and":
                link = " " + self.words("join_link") + " "
                return link.join(said)
            either = "either " if roll < 0.6 else ""
            return either + (" " + self.words("join") + " ").join(said)
        if op == "and":
            if roll < 0.06:
                return (
                    (" " + self.words("join_all_of_these") + " ")
                    + " ; ".join(said[:-1])
                    + (" " + self.words("join_last_of_these") + " ")
                    + said[-1]
                )
            if len(said) == 2:
                if self.roll() < 0.04:
                    said[1] += " " + self.words("join_regardless") + " "
                link = " " + self.words("join_two_link") + " "
                return link.join(said)
            sep = " " + self.words("join_sep") + " "
            return sep.join(said[:-1]) + sep + (" " + self.words("join_and_last") + " ") + said[-1]
        if roll < 0.12:
            head = " " + self.words("join_head") + " "
            return (
                head
                + (" " + self.words("join_or_of_many") + " ").join(said[:-1])
                + (" " + self.words("join_or_last") + " ")
                + said[-1]
            )
        either = "either " if roll < 0.6 else ""
        tail = (" " + self.words("join_tail") + " ") if self.roll() < 0.15 and len(said) == 2 else ""
        sep = " " + self.words("join_or_sep") + " "
        if len(said) > 2:
            return (
                either
                + (" " + self.words("join_comma_or_semicolon") + " ").join(said[:-1])
                + (" " + self.words("join_or_last_of_many") + " ")
                + said[-1]
            )
        return either + sep.join(said) + tail

    def _top_if(self, left: Tree, right: Tree) -> str:
        """A one-off implication: judged now, not at every moment; the condition says so."""
        consequence = self.speech.state(right, "must") if is_state(right) else self.top(right)
        if is_state(left):
            when = self.words("right_now")
            cond = self.words("top_if_cond", when=when, left=lambda: self.speech.state(left))
            return self.speech.clauses.if_then("if", cond, consequence)
        if left[0] == "F" and left[1] is None and is_state(left[2]) and self.roll() < 0.75:
            cond = self._ever(left[2])
        else:
            cond = self.speech.clause(left, "is", True)
        if self.roll() < 0.2 and right[0] in {"F", "G"}:
            return f"{consequence} if {cond}"
        return self.speech.clauses.if_then("if", cond, consequence)

    def _ever(self, state: Tree) -> str:
        said = self.speech.state(state)
        if is_literal(state) and self.roll() < 0.45:
            return self.speech.names.amid(state, "is", self.words("ever"))
        return self.words("ever_clause", said=said)
