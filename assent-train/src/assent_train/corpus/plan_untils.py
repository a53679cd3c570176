"""Until in plans: the goal, what is kept up until it, and the two as a clause or a whole sentence."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from assent_train.corpus.clauses import conditional
from assent_train.corpus.part import SpeechPart
from assent_train.corpus.times import again_until
from assent_train.corpus.trees import Tree, is_literal, is_state

if TYPE_CHECKING:
    from assent_train.corpus.plan_words import Plans


PAST_WHEN = re.compile(
    r"\b(moment|time|point|instant|one|period|stretch|phase)\b[^;:]*"
    r"\b(when|at which|such that|from which|after which|of which|with|where|that has)\b[^;:]*$"
)


def _branching(tree: Tree) -> bool:
    """Holds a joint with a time in it: where its words end is hard to hear."""
    return not is_state(tree) and (tree[0] not in {"F", "G"} or _branching(tree[2]))


class PlanUntils(SpeechPart):
    """Clauses for until, over any arms."""

    speech: Plans

    def goal(self, tree: Tree, now: bool) -> str:
        """What until waits for, from the word on."""
        span, right = tree[1], tree[3]
        said = self.speech.clause(right, "is", False)
        own = not is_state(right)
        hold = self.words("plan_or_state_part")
        point = self.words("goal_point")
        mixed = own and right[0] in {"and", "or", "->"} and any(map(is_state, right[1:]))
        at = (
            self.words("goal_at")
            if not own
            else self.pick(
                (
                    "at which",
                    "such that",
                    "at which it holds that",
                    "at which it is true that",
                    *(() if mixed else ("from which", "from which")),
                )
            )
        )
        if span is None:
            if not own:
                return self.words("goal", said=said, point=point, at=at)
            if right[0] == "F" and self.roll() < 0.45:
                return f"until {self._to_come(right)}"
            return self.words("goal_holds", hold=hold, said=said, point=point, at=at, when1=right[0] != "F")
        when = self.speech.plan_times.window(span, now)
        forms: list[Callable[[], str]] = 6 * [
            lambda: self.words(
                "goal_window",
                when1=not own or right[0] != "F",
                when=when,
                said=said,
                hold=hold,
                point=point,
                at=at,
            )
        ]
        forms += 7 * [
            lambda: self.words("goal_window_comes_true", when=when, said=said, point=point, at=at, hold=hold)
        ]
        if right[0] == "G" and right[1] is not None and right[1][0] == "0":
            arg = right[2]
            inside = self.words("period_in_which") if is_state(arg) else self.words("goal_inside")
            forms += [
                lambda: self.words(
                    "goal_window_period",
                    when=when,
                    period=lambda: self.speech.plan_times.period(right[1][1]),
                    inside=inside,
                    arg=lambda: self.speech.rows.plan_or_state(arg, "is"),
                )
            ] * 3
        if not own:
            forms += 3 * [lambda: self.words("goal_window_last", said=said, when=when)]
        return self.pick(forms)()

    def _to_come(self, tree: Tree) -> str:
        """An eventuality as a goal whose window cannot be taken for until's own: the subject or "there" comes first."""
        arg = tree[2]
        if arg[0] == "rel" and self.roll() < 0.6:
            due = self.words("to_come_due")
            when = self.speech.plan_times.once_when(tree[1], False)
            return f"the {arg[2][0]} is {due} {self.speech.relations.predicate(arg)} {when}"
        link = self.words("at_which") if is_state(arg) else self.words("to_come_link")
        inner, point = self.speech.rows.plan_or_state(arg, "is"), self.words("to_come")
        if tree[1] is None:
            return self.words("to_come_eventually", point=point, link=link, inner=inner)
        when = self.speech.plan_times.window(tree[1], False)
        return self.words("to_come_window", point=point, when=when, link=link, inner=inner)

    def over(self, tree: Tree, mood: str, now: bool) -> str | None:
        """F or G over until; None where "until" could be taken for a part of what is said of the moment."""
        op, span, arg = tree
        if arg[2][0] in {"->", "or"} or conditional(arg[2]):
            return None
        held = self.speech.clause(arg[2], "is", False)
        if PAST_WHEN.search(held) or ";" in held or ":" in held:
            return None
        if op == "F":
            lead = self.words(
                "over_until_lead", moment=lambda: self.speech.plan_moments.moment(span, mood, now)
            )
        else:
            must = mood in {"must", "stay"}
            lead = self.words(
                "over_until_lead_each",
                instant=lambda: self.speech.plan_moments.instant(span, now),
                part="must be" if must else "is",
            )
        that = "both" if arg[2][0] == "and" else self.words("over_until_that")
        return self.words("over_until", lead=lead, held=held, that=that, goal=lambda: self.goal(arg, False))

    def clause(self, tree: Tree, mood: str, now: bool, led: bool = False) -> str:
        left = tree[2]
        must = mood in {"must", "stay"}
        goal = self.goal(tree, now)
        roll = self.roll()
        if is_state(left) and left[0] != "->":
            return self._state_until(left, goal, mood, led, roll)
        if conditional(left) or left[0] == "or":  # "if a, b, and this until c" would be heard in two ways
            if _branching(tree[3]):
                return self.words(
                    "until_clause_following", goal=goal, left=lambda: self.speech.clause(left, "is", now)
                )
            return self.words(
                "until_clause_goal_first",
                goal=goal,
                part=lambda: (
                    self.words("until_clause_must_list") if must else self.words("until_clause_list")
                ),
                left=lambda: self.speech.clause(left, "is", now),
            )
        held = again_until(  # "either a or b for N1 seconds, and this until c" would be heard in two ways
            lambda: self.speech.clause(left, mood, now), lambda said: not said.lstrip().startswith("either")
        )
        this = self.words("until_clause_this") if left[0] != "and" else self.words("until_clause_both")
        if _branching(tree[3]):
            roll = 0.38 + 0.62 * roll
        if (
            roll > 0.38 and left[0] != "and" and PAST_WHEN.search(held)
        ):  # "with this" would be what holds at the moment
            roll = 0.9
        return self._held_until(tree, goal, (held, this), must, now, roll)

    def _state_until(self, left: Tree, goal: str, mood: str, led: bool, roll: float) -> str:
        """A state, and what it is kept up for."""
        must = mood in {"must", "stay"}
        held = self.speech.state(left, "stay" if must else mood)
        if is_literal(left) and left[0] == "rel" and roll < 0.15 and must:
            return self.words("until_clause", left_keep=lambda: self.speech.literal(left, "keep"), goal=goal)
        if roll < 0.25 and not led:  # behind "there is a moment at which", "this" would be the moment
            return self.words(
                "until_clause_this_holds",
                held=held,
                part=lambda: self.words("until_clause_part", must=must),
                goal=goal,
            )
        return f"{held} {goal}"

    def _held_until(
        self, tree: Tree, goal: str, words: tuple[str, str], must: bool, now: bool, roll: float
    ) -> str:
        """Something with a time of its own until a goal: how it is said, and "this" for it."""
        (held, this), left = words, tree[2]
        if roll < 0.2 and must:
            return self.words(
                "until_clause_goal_must_hold", goal=goal, left=lambda: self.speech.clause(left, "is", now)
            )
        if roll < 0.38:
            return self.words(
                "until_clause_goal_lists",
                goal=goal,
                part=lambda: self.words("until_clause_must_keep") if must else self.words("listed"),
                left=lambda: self.speech.clause(left, "is", now),
            )
        if roll < 0.44 and left[0] != "and":
            last = self.words("goes_on")
            return self.words(
                "until_clause_affairs",
                held=held,
                part=lambda: (
                    self.words("until_clause_must_last", last=last)
                    if must
                    else self.words("until_clause_lasts")
                ),
                goal=goal,
            )
        if roll < 0.56:
            return self.words("until_clause_with_this", held=held, this=this, goal=goal)
        if roll < 0.66:
            return self.words("until_clause_this_going_on", held=held, this=this, goal=goal)
        return self.words(
            "until_clause_and_this",
            held=held,
            this=this,
            part=lambda: (
                self.words("until_clause_must") + " " + self.words("goes_on")
                if must or self.roll() < 0.4
                else self.words("until_clause_continues")
            ),
            goal=goal,
        )

    def whole(self, tree: Tree) -> str:
        """Until as the whole sentence."""
        left = tree[2]
        if is_state(left) and left[0] != "->":
            return self.clause(tree, "must", True)
        roll = self.roll()
        goal = self.goal(tree, True)
        if (conditional(left) or left[0] == "or") and roll < 0.6:
            return self.clause(tree, "must", True)
        if roll < 0.3:
            this = self.words("until_whole_this")
            return (
                " " + self.words("until_whole", member=lambda: self.speech.joints.member(left)) + " "
            ) + self.words("until_whole_this_must", this=this, goal=goal)
        inner = self.speech.clause(left, "is", True)
        if roll < 0.5:
            keep = self.words("until_whole_keep")
            return self.words("until_whole_keep_true", keep=keep, inner=inner, goal=goal)
        if roll < 0.6 and tree[1] is not None:
            when = self.speech.plan_times.window(tree[1], True)
            hold = self.words("until_whole_hold")
            head = self.words("until_whole_head", when=when, inner=inner)
            return self.words(
                "until_whole_two_sentences",
                head=head,
                hold=hold,
                tree_part=lambda: self.speech.clause(tree[3], "is", False),
            )
        if roll < 0.68 and not _branching(tree[3]):
            return self.words("until_whole_following", goal=goal, inner=inner)
        return self.clause(tree, "must", True)
