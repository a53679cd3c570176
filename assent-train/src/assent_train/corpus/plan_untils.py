"""Until in plans: the goal, what is kept up until it, and the two as a clause or a whole sentence."""

from __future__ import annotations

import re
from abc import abstractmethod

from assent_train.corpus.plan_rows import PlanRows
from assent_train.corpus.relations import predicate
from assent_train.corpus.requirements import conditional
from assent_train.corpus.trees import Tree, is_literal, is_state

HOLD = ("it must hold that", "it must be true that", "it must be the case that", "it has to hold that", "it must be so that", "it shall hold that")
HOLDS = ("it holds that", "it is true that", "it is the case that", "it is so that")
LISTS = (
    "the following must hold :",
    "the following must be true :",
    "the following has to hold :",
    "the following must be the case :",
    "the following must be in force :",
    "this must be true :",
    "the following must be satisfied :",
    "the following is required :",
    "the following must be ensured :",
    "this must hold :",
    "the following must be met :",
)
LISTED = ("the following holds :", "the following is true :", "the following is the case :")
BOTH = (
    "two things must be true :",
    "both of these must be true :",
    "two things must hold :",
    "both of the following must hold :",
    "both of these have to hold :",
    "two conditions must be met :",
    "both of these must be met :",
    "both of the following are required :",
    "two things are needed :",
    "both of these must be ensured :",
)
BOTH_ARE = ("both of these are true :", "two things hold :", "both of the following hold :", "both of these hold :")
SOME = (
    "at least one of these must be true :",
    "one of these must hold :",
    "at least one of the following must hold :",
    "at least one of these must be the case :",
    "one of the following must be true :",
    "at least one of these must be achieved :",
    "at least one of these must be met :",
    "one or more of the following must hold :",
    "at least one of these has to be satisfied :",
    "one at least of the following must come true :",
    "it is enough that one of these holds :",
    "any one of these will do :",
    "at least one of these requirements must be fulfilled :",
)
SOME_IS = ("at least one of these is true :", "one of these holds :", "at least one of the following holds :", "at least one of these is the case :", "one or more of these are true :", "at least one of these is met :")
ADDED = (
    " ; and ",
    " ; also , ",
    " ; in addition , ",
    " ; and regardless of that , ",
    " ; besides , ",
    " ; moreover , ",
    " . also , ",
    " ; and it must also hold that ",
    " . in addition , ",
    " ; additionally , ",
    " , and in addition , ",
    " ; and independently of that , ",
    " ; and , quite apart from that , ",
    " ; furthermore , ",
    " ; apart from that , ",
    " ; on top of that , ",
    " ; what is more , ",
    " ; at the same time , and separately , ",
    " . furthermore , ",
    " . besides that , ",
    " ; as a further requirement , ",
    " ; as well as that , ",
)
GOES_ON = (
    "keep holding",
    "remain so",
    "continue",
    "last",
    "go on",
    "keep on holding",
    "stay true",
    "remain true",
    "hold",
    "stay so",
    "be so",
    "go on holding",
    "be maintained",
    "persist",
    "be kept up",
    "stay that way",
    "remain in force",
    "be sustained",
    "remain the case",
    "stay in effect",
    "be upheld",
    "endure",
    "continue to be true",
    "not cease",
    "carry on",
)
GOING_ON = ("remaining true", "continuing", "holding", "staying true", "remaining so", "going on", "lasting", "staying so", "persisting", "being kept up", "staying that way", "being maintained", "remaining in force", "remaining the case", "being upheld", "continuing to be true", "not ceasing", "carrying on")
PAST_WHEN = re.compile(r"\b(moment|time|point|instant|one|period|stretch|phase)\b[^;:]*\b(when|at which|such that|from which|after which|of which|with|where|that has)\b[^;:]*$")
KEEPS = ("keep this true :", "keep the following true :", "see to it that this stays true :", "make sure of the following :", "maintain this :", "keep this so :", "hold on to this :", "ensure this :")
AFFAIRS = ("a state of affairs", "a situation", "a condition", "something")


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
            return f"{self.pick((*HOLDS, *LISTED))} {said}"
        return said

    def goal(self, tree: Tree, now: bool) -> str:
        """What until waits for, from the word on."""
        span, right = tree[1], tree[3]
        said = self.plan(right, "is", False)
        own = not is_state(right)
        hold = self.pick((*HOLDS, *LISTED))
        point = self.pick(("a point", "a moment", "a time", "an instant"))
        mixed = own and right[0] in {"and", "or", "->"} and any(map(is_state, right[1:]))
        at = self.pick(("at which", "when", "at which", "where")) if not own else self.pick(("at which", "such that", "at which it holds that", "at which it is true that", *(() if mixed else ("from which", "from which"))))
        if span is None:
            if not own:
                return self.pick((f"until {said}", f"until {said}", f"until {said}", f"until {point} {at} {said}", f"up until {said}", f"until the moment when {said}", f"until the point , whenever it comes , {at} {said}"))
            if right[0] == "F" and self.roll() < 0.45:
                return f"until {self._to_come(right)}"
            return self.pick(
                (
                    f"until {hold} {said}",
                    f"until {hold} {said}",
                    f"until {point} {at} {said}",
                    f"until the point , whenever it comes , {at} {said}",
                    f"until {point} comes {at} {said}",
                    f"until such time as {hold} {said}",
                    f"until it comes about that {said}",
                    f"until it becomes true that {said}",
                    f"until the time comes {at} {said}",
                    f"until {point} is reached {at} {said}",
                    f"until {point} arrives {at} {said}",
                    f"up to {point} {at} {said}",
                    f"until there is {point} {at} {said}" if right[0] != "F" else f"until {hold} {said}",
                )
            )
        when = self.window(span, now)
        forms: list[str] = [
            *((f"until , {when} , {said}",) * 2 if not own or right[0] != "F" else (f"until , {when} , {hold} {said}",)),
            f"until , {when} , {hold} {said}",
            f"until {point} {when} {at} {said}",
            f"until , {when} , {self.pick(('we reach', 'we get to', 'there comes', 'there is', 'we are at'))} {point} {at} {said}",
            f"until , {when} , {point} {self.pick(('comes', 'is reached', 'is there'))} {at} {said}",
        ]
        forms += [
            f"until , {when} , {self.pick(('it becomes true that', 'it comes about that', 'it turns out that', 'it comes to hold that', 'the time comes when', 'it is a fact that'))} {said}",
            f"until it {self.pick(('becomes true', 'comes to hold', 'is the case'))} , {when} , that {said}",
            f"until {point} is reached , {when} , {at} {said}",
            f"up to {point} {when} {at} {said}",
            f"until such a time , {when} , as {hold} {said}",
            f"until {point} , {when} , {at} {said}",
            f"until we {self.pick(('reach', 'arrive at', 'get to'))} , {when} , {point} {at} {said}",
        ]
        if right[0] == "G" and right[1] is not None and right[1][0] == "0":
            arg = right[2]
            inside = self.pick(("in which", "throughout which", "during which", "all through which")) if is_state(arg) else self.pick(("from every instant of which", "at each instant of which"))
            forms += [f"until , {when} , {self.period(right[1][1])} {self.pick(('starts', 'begins', 'sets in', 'opens'))} {inside} {self.plan_or_state(arg, 'is')}"] * 3
        if not own:
            forms += [f"until {said} , {when}", f"until {said} , {self.pick(('which must be so', 'which must happen', 'which must be the case', 'which occurs', 'the latter happening', 'which is to happen', 'something that must happen', 'as must happen'))} {when}", f"until {said} {when}"]
        return self.pick(forms)

    def _to_come(self, tree: Tree) -> str:
        """An eventuality as a goal whose window cannot be taken for until's own: the subject or "there" comes first."""
        arg = tree[2]
        if arg[0] == "rel" and self.roll() < 0.6:
            due = self.pick(("due to be", "due to be", "going to be", "bound to be", "set to be", "destined to be"))
            return f"the {arg[2][0]} is {due} {predicate(self, arg)} {self.once_when(tree[1], False)}"
        link = self.pick(("when", "at which")) if is_state(arg) else self.pick(("from which", "such that", "after which"))
        inner, point = self.plan_or_state(arg, "is"), self.pick(("a moment", "a time", "a point"))
        if tree[1] is None:
            return f"there {self.pick(('will eventually be', 'is eventually going to be', 'is sooner or later'))} {point} {link} {inner}"
        when = self.window(tree[1], False)
        return self.pick((f"there is {point} {when} {link} {inner}", f"there is , {when} , {point} {link} {inner}", f"there comes {point} {when} {link} {inner}", f"there is a prospect , {when} , of {point} {link} {inner}", f"there is going to be {point} {when} {link} {inner}"))

    def over_until(self, tree: Tree, mood: str, now: bool) -> str | None:
        """F or G over until: what goes on "until" is what is said of the moment, when a clause on that moment says it."""
        op, span, arg = tree
        if arg[2][0] in {"->", "or"} or conditional(arg[2]):
            return None
        held = self.plan(arg[2], "is", False)
        if PAST_WHEN.search(held) or ";" in held or ":" in held:
            return None
        if op == "F":
            lead = f"{self.moment(span, mood, now)} {self.pick(('when', 'when', 'at which', 'such that'))}"
        else:
            must = mood in {"must", "stay"}
            lead = f"{self.pick(('every', 'each', 'every', 'any'))} {self.instant(span, now)} {'must be' if must else 'is'} one {self.pick(('at which', 'when', 'such that'))}"
        that = "both" if arg[2][0] == "and" else self.pick(("that", "this", "that"))
        return f"{lead} {held} , {self.pick(('with', 'with', ''))} {that} {self.pick(GOING_ON)} {self.pick(('', '', 'from then'))} {self.goal(arg, False)}"

    def _until_clause(self, tree: Tree, mood: str, now: bool, led: bool = False) -> str:
        left = tree[2]
        must = mood in {"must", "stay"}
        goal = self.goal(tree, now)
        roll = self.roll()
        if is_state(left) and left[0] != "->":
            held = self.state(left, "stay" if must else mood)
            if is_literal(left) and left[0] == "rel" and roll < 0.15 and must:
                return f"{self.pick(('keep', 'hold', 'keep'))} {self.literal(left, 'keep')} {goal}"
            if roll < 0.25 and not led:  # behind "there is a moment at which", "this" would be the moment
                return f"{held} {self.pick(('and remains so', 'and stays so', 'and this must hold' if must else 'and this holds', ', and this must hold' if must else ', and this holds'))} {goal}"
            return f"{held} {goal}"
        if conditional(left) or left[0] == "or":  # "if a, b, and this until c" would be heard in two ways
            if _branching(tree[3]):
                return f"{self.pick(('keep the following true', 'maintain the following'))} {goal} : {self.plan(left, 'is', now)}"
            return f"{goal} , {self.pick((*LISTS, *HOLD) if must else (*LISTED, *HOLDS))} {self.plan(left, 'is', now)}"
        held = self.plan(left, mood, now)
        for _ in range(8):  # "either a or b for N1 seconds, and this until c" would be heard in two ways
            if not held.lstrip().startswith("either"):
                break
            held = self.plan(left, mood, now)
        this = self.pick(("this", "this", "this", "that")) if left[0] != "and" else self.pick(("both", "both", "all of this"))
        if _branching(tree[3]):
            roll = 0.38 + 0.62 * roll
        if roll > 0.38 and left[0] != "and" and PAST_WHEN.search(held):  # "with this" would be what holds at the moment
            roll = 0.9
        if roll < 0.2 and must:
            return f"{goal} , {self.pick(HOLD)} {self.plan(left, 'is', now)}"
        if roll < 0.38:
            return f"{goal} , {self.pick((*LISTS, *KEEPS) if must else LISTED)} {self.plan(left, 'is', now)}"
        if roll < 0.44 and left[0] != "and":
            last = self.pick(GOES_ON)
            return f"{held} , {self.pick(AFFAIRS)} {self.pick((f'that must {last}', f'that is to {last}', f'which has to {last}') if must else ('that lasts', 'that goes on', 'which persists', 'that stays so'))} {goal}"
        if roll < 0.56:
            return f"{held} , with {this} {self.pick(GOING_ON)} {goal}"
        if roll < 0.66:
            return f"{held} , {this} {self.pick(GOING_ON)} {goal}"
        return f"{held} , and {this} {self.pick(('must', 'must', 'has to', 'is to', 'shall')) + ' ' + self.pick(GOES_ON) if must or self.roll() < 0.4 else self.pick(('keeps holding', 'continues', 'stays so', 'remains so', 'holds', 'goes on', 'remains true', 'persists', 'stays that way', 'lasts'))} {goal}"

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
            this = self.pick(("this", "this", "that", "all this"))
            return f"{self._member(left)} {self.pick((' ;', ' ;', ' .'))} " + self.pick((f"{this} must {self.pick(GOES_ON)} {goal}", f"keep {this} {self.pick(('up', 'true', 'so', 'going', 'in force', 'that way', 'in place'))} {goal}", f"{this} {self.pick(('is to', 'has to', 'shall'))} {self.pick(GOES_ON)} {goal}"))
        inner = self.plan(left, "is", True)
        if roll < 0.5:
            keep = self.pick(
                (
                    "keep it true that",
                    "keep it so that",
                    "it must stay the case that",
                    "it must remain true that",
                    "it has to stay true that",
                    "it must keep holding that",
                    "make it so that",
                    "see to it that it stays true that",
                    "it must continuously be true that",
                    "make sure it remains the case that",
                    "it must go on being true that",
                    "ensure that it stays so that",
                )
            )
            return f"{keep} {inner} {self.pick((',', ','))} {goal}"
        if roll < 0.6 and tree[1] is not None:
            when = self.window(tree[1], True)
            hold = self.pick(("at that moment it must hold that", "at that moment it must be true that", "at that time it must hold that", "at that point it must be the case that"))
            head = self.pick((f"up until a moment {when} , {self.pick(HOLD)} {inner}", f"until a time {when} , {self.pick(('it must remain true that', 'it must stay so that'))} {inner}", f"maintain the following until a time {when} : {inner}", f"keep the following true until a moment {when} : {inner}"))
            return f"{head} {self.pick((' ; and', ' .', ' ;'))} {hold} {self.plan(tree[3], 'is', False)}"
        if roll < 0.68 and not _branching(tree[3]):
            return f"{self.pick(('maintain the following', 'keep the following true', 'the following must be kept up', 'keep this true', 'the following must remain true', 'uphold the following', 'the following must hold without a break', 'see to it that the following stays true', 'the following has to persist'))} {goal} : {inner}"
        return self._until_clause(tree, "must", True)
