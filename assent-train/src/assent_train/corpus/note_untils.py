"""Until in note form: the goal, what is kept up until it, and its window."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from assent_train.corpus.clauses import conditional
from assent_train.corpus.note_states import is_tied
from assent_train.corpus.part import SpeechPart
from assent_train.corpus.trees import Span, Tree, is_literal, is_state

if TYPE_CHECKING:
    from assent_train.corpus.plan_brief import Brief


@dataclass(frozen=True)
class UntilWords:
    """The parts of such a note: what is kept up, "until", when, and the goal."""

    held: str
    word: str
    when: str
    goal: str

    def has_colon(self) -> bool:
        """Whether a part reaches to the end of the note."""
        return ":" in self.held + self.goal


class NoteUntils(SpeechPart):
    """Notes for until."""

    speech: Brief

    def clause(self, tree: Tree, now: bool) -> str:
        """Until over any arms."""
        span, left, right = tree[1], tree[2], tree[3]
        goal = self._goal(span, right)
        held = self._held(left, now)
        word, when = self.words("until_brief_word"), self._when(span, now)
        heavy = not is_state(right) and right[0] in {"and", "or", "->"}
        if heavy and when and not when.endswith(":"):
            when = f"{when.rstrip(' ,')} :"
        return self._put(tree, UntilWords(held, word, when, goal), heavy)

    def _goal(self, span: Span, right: Tree) -> str:
        if is_tied(right) and self.roll() < 0.3:
            goal = self.speech.note_states.tie(right, self.pick(("is", "bare")))
        elif is_state(right):
            goal = self.speech.state(right)
        else:
            goal = self.speech.notes.brief(right, False, "fact" if span else "goal")
        plain = goal.split()[0].startswith(("O", "the", "if", "keep"))
        if span is None and not is_state(right) and right[0] != "G" and not plain:
            return self.words("until_brief_goal", goal=goal)
        return goal

    def _held(self, left: Tree, now: bool) -> str:
        if not is_state(left):
            return self.speech.notes.short(lambda: self.speech.notes.brief(left, now, "kept"))
        start = "start " if not now and self.roll() < 0.25 else ""
        roll = self.roll()
        if is_literal(left) or (left[0] == "and" and all(map(is_literal, left[1:]))):
            if roll >= 0.5:
                return self.speech.state(left, "is" if roll < 0.75 else "bare")
            return self.words(
                "until_brief_held",
                start=start,
                part=lambda: "keeping" if start else self.words("until_brief_part"),
                left_keep=lambda: self.speech.state(left, "keep"),
            )
        if roll < 0.4 and is_tied(left):
            return f"keep {self.speech.note_states.tie(left, 'keep')}"
        return self.speech.state(left)

    def _when(self, span: Span, now: bool) -> str:
        """The window of until itself."""
        windows = self.speech.note_windows
        if span is None:
            return ""
        if span[0] == "0":
            return self.words("until_brief_when", d=windows.number(span[1]))
        if span[1] == "inf":
            return f", after {windows.number(span[0])} ,"
        return self.words(
            "until_brief_between",
            s=windows.range_(span),
            now=now,
            name=span[0],
            n=lambda: windows.number(span[1]),
        )

    def _put(self, tree: Tree, said: UntilWords, heavy: bool) -> str:
        """The parts in order; ``heavy``: the goal is a joint with a time in it."""
        left, right = tree[2], tree[3]
        held, word, when, goal = said.held, said.word, said.when, said.goal
        whole = tree is self.speech.notes.whole and (not is_state(left) or conditional(left))
        if whole and self.roll() < (0.4 if said.has_colon() or heavy else 0.1):
            that = self.words("until_brief_that")
            return self.words("until_brief", held=held, that=that, when=when, goal=goal)
        joint = left[0] == "->" or (not is_state(left) and left[0] in {"and", "or", "U"})
        if joint and left[0] in {"and", "or"} and not said.has_colon() and not heavy and self.roll() < 0.3:
            both = (
                self.words("until_brief_both") if left[0] == "and" else self.words("until_brief_one_of_them")
            )
            return f"{held} , {both} {word} {when} {goal}"
        light = not is_state(left) and not heavy and ":" not in goal
        if ":" in held or joint or (light and self.roll() < 0.3):
            return self._goal_first(left, said, heavy, joint)
        if tree[1] is not None and is_state(right) and not heavy and self.roll() < 0.3:
            return f"{held} {word} {goal} , {when.strip(' ,:')}"
        comma = "," if not is_state(left) and self.roll() < 0.7 else ""
        return f"{held} {comma} {word} {when} {goal}"

    def _goal_first(self, left: Tree, said: UntilWords, heavy: bool, joint: bool) -> str:
        """The goal in front, so that nothing can follow what is kept up."""
        lead = self.words("until_brief_lead", joint=joint)
        every = " , every time" if left[0] == "U" and ":" not in said.held and self.roll() < 0.3 else ""
        mark = ": " if heavy or joint or ":" in said.held or self.roll() < 0.6 else ", "
        return f"{lead} {said.when.rstrip(' :')} {said.goal} {mark}{said.held}{every}"
