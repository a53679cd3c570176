"""SpaTiaL plans in formal English: operators in a row, arms of until, lists of requirements.

How far words reach, always in the same way:

- one temporal operator a segment: a window, "at some time" and "there is a moment" side by side are one operator, and
  a further one needs a link ("from which", "such that", "followed by") or an adverb that counts from there
  ("later", "from then on", "within N1 of that");
- "this" after a comma is what was said since the last semicolon or colon, after a semicolon or full stop the whole
  sentence; ", with this" behind "there is a moment when" is what holds at that moment; "the following", "two things",
  "both of these" and "it holds that" are all that comes;
- a window right behind "until" is the time of until; a goal with a time of its own comes after "it holds that" or
  "there is".
"""

from __future__ import annotations

import random

from assent_train.corpus.plan_each import EachPairs
from assent_train.corpus.plan_following import PlanFollowing
from assent_train.corpus.plan_joints import PlanJoints
from assent_train.corpus.plan_moments import PlanMoments
from assent_train.corpus.plan_once import OncePairs
from assent_train.corpus.plan_rows import PlanRows
from assent_train.corpus.plan_states import PlanStates
from assent_train.corpus.plan_times import PlanTimes
from assent_train.corpus.plan_untils import PlanUntils
from assent_train.corpus.plan_usual import UsualPairs
from assent_train.corpus.speech import Speech
from assent_train.corpus.times import short_units
from assent_train.corpus.trees import Tree, is_state


class Plans(Speech):
    """Sentences for whole plans."""

    def __init__(self, rng: random.Random, casual: bool) -> None:
        super().__init__(rng, casual)
        self.plan_states = PlanStates(self)
        self.plan_times = PlanTimes(self)
        self.plan_moments = PlanMoments(self)
        self.rows = PlanRows(self)
        self.usual_pairs = UsualPairs(self)
        self.once_pairs = OncePairs(self)
        self.each_pairs = EachPairs(self)
        self.following = PlanFollowing(self)
        self.untils = PlanUntils(self)
        self.joints = PlanJoints(self)

    def sentence(self, tree: Tree) -> str:
        """People keep to one unit of time."""
        unit = self.words("unit_of_plan")
        words = self.clauses.finish(self._top(tree), tree).split()
        return " ".join(
            unit if i and word in short_units() and _is_number(words[i - 1]) else word
            for i, word in enumerate(words)
        )

    def literal(self, tree: Tree, mood: str) -> str:
        return self.plan_states.literal(tree, mood)

    def state(self, tree: Tree, mood: str = "is", depth: int = 0) -> str:
        return self.plan_states.state(tree, mood, depth)

    def clause(self, tree: Tree, mood: str, now: bool) -> str:
        op = tree[0]
        if is_state(tree):
            return self.state(tree, mood)
        if op in {"F", "G"}:
            if is_state(tree[2]) or tree[2][0] in {"F", "G"}:
                return self.rows.row(tree, mood, now)
            return self.joints.over(tree, mood, now)
        if op == "U":
            return self.untils.clause(tree, mood, now)
        if op in {"and", "or"}:
            return self.joints.joined(tree, mood, now)
        if op == "->":
            return self.joints.if_arms(tree, mood, now)
        return self.clauses.clause(tree, mood, now)

    def _top(self, tree: Tree) -> str:
        """A plan that starts now."""
        op = tree[0]
        if is_state(tree):
            return self.clauses.now_state(tree)
        if op == "U":
            return self.untils.whole(tree)
        if op in {"and", "or"}:
            return self.joints.listed(tree)
        if op == "->":
            return self.joints.one_off(tree)
        if (
            op == "G"
            and tree[1] is None
            and tree[2][0] == "->"
            and is_state(tree[2][1])
            and self.roll() < 0.6
        ):
            return self.clauses.rule(tree[2], "must")
        return self.clause(tree, "must", True)


def _is_number(word: str) -> bool:
    return word[0] == "N" and word[1:].isdigit()
