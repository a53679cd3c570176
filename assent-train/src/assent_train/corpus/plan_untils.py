"""Until in plans: the goal, what is kept up until it, and the two as a clause or a whole sentence."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable

from assent_train.corpus.plan_rows import PlanRows
from assent_train.corpus.relations import predicate
from assent_train.corpus.requirements import conditional
from assent_train.corpus.trees import Tree, is_literal, is_state

PAST_WHEN = re.compile(r"\b(moment|time|point|instant|one|period|stretch|phase)\b[^;:]*\b(when|at which|such that|from which|after which|of which|with|where|that has)\b[^;:]*$")


def _branching(tree: Tree) -> bool:
    """Holds a joint with a time in it: where its words end is hard to hear."""
    return not is_state(tree) and (tree[0] not in {"F", "G"} or _branching(tree[2]))


class PlanUntils(PlanRows):
    """Clauses for until, over any arms."""

    @abstractmethod
    def plan(self, tree: Tree, mood: str, now: bool) -> str:
        """Any formula as a clause (``plan_words``)."""

    @abstractmethod
    def _member(self, tree: Tree) -> str:
        """A member of a list (``plan_words``)."""

    def plan_or_state(self, tree: Tree, mood: str) -> str:
        said = super().plan_or_state(tree, mood)
        if tree[0] == "U" and not is_state(tree[2]):  # "a moment from which a, and this until b" would be heard in two ways
            return self.words("plan_or_state", part=lambda: self.words("plan_or_state_part"), said=said)
        return said

    def goal(self, tree: Tree, now: bool) -> str:
        """What until waits for, from the word on."""
        span, right = tree[1], tree[3]
        said = self.plan(right, "is", False)
        own = not is_state(right)
        hold = self.words("plan_or_state_part")
        point = self.words("goal_point")
        mixed = own and right[0] in {"and", "or", "->"} and any(map(is_state, right[1:]))
        at = self.words("goal_at") if not own else self.pick(("at which", "such that", "at which it holds that", "at which it is true that", *(() if mixed else ("from which", "from which"))))
        if span is None:
            if not own:
                return self.words("goal", said=said, point=point, at=at)
            if right[0] == "F" and self.roll() < 0.45:
                return f"until {self._to_come(right)}"
            return self.words("goal_2", hold=hold, said=said, point=point, at=at, when1=right[0] != "F")
        when = self.window(span, now)
        forms: list[Callable[[], str]] = 6 * [lambda: self.words("goal_3", when1=not own or right[0] != "F", when=when, said=said, hold=hold, point=point, at=at)]
        forms += 7 * [lambda: self.words("goal_4", when=when, said=said, point=point, at=at, hold=hold)]
        if right[0] == "G" and right[1] is not None and right[1][0] == "0":
            arg = right[2]
            inside = self.words("followed_part_5") if is_state(arg) else self.words("goal_inside")
            forms += [lambda: self.words("goal_5", when=when, period=lambda: self.period(right[1][1]), inside=inside, arg=lambda: self.plan_or_state(arg, "is"))] * 3
        if not own:
            forms += 3 * [lambda: self.words("goal_6", said=said, when=when)]
        return self.pick(forms)()

    def _to_come(self, tree: Tree) -> str:
        """An eventuality as a goal whose window cannot be taken for until's own: the subject or "there" comes first."""
        arg = tree[2]
        if arg[0] == "rel" and self.roll() < 0.6:
            due = self.words("to_come_due")
            return f"the {arg[2][0]} is {due} {predicate(self, arg)} {self.once_when(tree[1], False)}"
        link = self.words("f_f_at") if is_state(arg) else self.words("to_come_link")
        inner, point = self.plan_or_state(arg, "is"), self.words("to_come")
        if tree[1] is None:
            return self.words("to_come_2", point=point, link=link, inner=inner)
        when = self.window(tree[1], False)
        return self.words("to_come_3", point=point, when=when, link=link, inner=inner)

    def over_until(self, tree: Tree, mood: str, now: bool) -> str | None:
        """F or G over until: what goes on "until" is what is said of the moment, when a clause on that moment says it."""
        op, span, arg = tree
        if arg[2][0] in {"->", "or"} or conditional(arg[2]):
            return None
        held = self.plan(arg[2], "is", False)
        if PAST_WHEN.search(held) or ";" in held or ":" in held:
            return None
        if op == "F":
            lead = self.words("over_until_lead", moment=lambda: self.moment(span, mood, now))
        else:
            must = mood in {"must", "stay"}
            lead = self.words("over_until_lead_2", instant=lambda: self.instant(span, now), part="must be" if must else "is")
        that = "both" if arg[2][0] == "and" else self.words("over_until_that")
        return self.words("over_until", lead=lead, held=held, that=that, goal=lambda: self.goal(arg, False))

    def _until_clause(self, tree: Tree, mood: str, now: bool, led: bool = False) -> str:
        left = tree[2]
        must = mood in {"must", "stay"}
        goal = self.goal(tree, now)
        roll = self.roll()
        if is_state(left) and left[0] != "->":
            held = self.state(left, "stay" if must else mood)
            if is_literal(left) and left[0] == "rel" and roll < 0.15 and must:
                return self.words("until_clause", left_keep=lambda: self.literal(left, "keep"), goal=goal)
            if roll < 0.25 and not led:  # behind "there is a moment at which", "this" would be the moment
                return self.words("until_clause_2", held=held, part=lambda: self.words("until_clause_part", must=must), goal=goal)
            return f"{held} {goal}"
        if conditional(left) or left[0] == "or":  # "if a, b, and this until c" would be heard in two ways
            if _branching(tree[3]):
                return self.words("until_clause_3", goal=goal, left=lambda: self.plan(left, "is", now))
            return self.words("until_clause_4", goal=goal, part=lambda: self.words("until_clause_part_2") if must else self.words("until_clause_part_3"), left=lambda: self.plan(left, "is", now))
        held = self.plan(left, mood, now)
        for _ in range(8):  # "either a or b for N1 seconds, and this until c" would be heard in two ways
            if not held.lstrip().startswith("either"):
                break
            held = self.plan(left, mood, now)
        this = self.words("until_clause_this") if left[0] != "and" else self.words("until_clause_this_2")
        if _branching(tree[3]):
            roll = 0.38 + 0.62 * roll
        if roll > 0.38 and left[0] != "and" and PAST_WHEN.search(held):  # "with this" would be what holds at the moment
            roll = 0.9
        if roll < 0.2 and must:
            return self.words("until_clause_5", goal=goal, left=lambda: self.plan(left, "is", now))
        if roll < 0.38:
            return self.words("until_clause_6", goal=goal, part=lambda: self.words("until_clause_part_4") if must else self.words("listed"), left=lambda: self.plan(left, "is", now))
        if roll < 0.44 and left[0] != "and":
            last = self.words("goes_on")
            return self.words("until_clause_7", held=held, part=lambda: self.words("until_clause_part_5", last=last) if must else self.words("until_clause_part_6"), goal=goal)
        if roll < 0.56:
            return self.words("until_clause_8", held=held, this=this, goal=goal)
        if roll < 0.66:
            return self.words("until_clause_9", held=held, this=this, goal=goal)
        return self.words("until_clause_10", held=held, this=this, part=lambda: self.words("until_clause_part_7") + " " + self.words("goes_on") if must or self.roll() < 0.4 else self.words("until_clause_part_8"), goal=goal)

    def _until_whole(self, tree: Tree) -> str:
        """Until as the whole sentence."""
        left = tree[2]
        if is_state(left) and left[0] != "->":
            return self._until_clause(tree, "must", True)
        roll = self.roll()
        goal = self.goal(tree, True)
        if (conditional(left) or left[0] == "or") and roll < 0.6:
            return self._until_clause(tree, "must", True)
        if roll < 0.3:
            this = self.words("until_whole_this")
            return (" " + self.words("until_whole", member=lambda: self._member(left)) + " ") + self.words("until_whole_2", this=this, goal=goal)
        inner = self.plan(left, "is", True)
        if roll < 0.5:
            keep = self.words("until_whole_keep")
            return self.words("until_whole_3", keep=keep, inner=inner, goal=goal)
        if roll < 0.6 and tree[1] is not None:
            when = self.window(tree[1], True)
            hold = self.words("until_whole_hold")
            head = self.words("until_whole_head", when=when, inner=inner)
            return self.words("until_whole_4", head=head, hold=hold, tree_part=lambda: self.plan(tree[3], "is", False))
        if roll < 0.68 and not _branching(tree[3]):
            return self.words("until_whole_5", goal=goal, inner=inner)
        return self._until_clause(tree, "must", True)
