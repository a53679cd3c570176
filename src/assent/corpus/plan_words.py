"""SpaTiaL plans in formal English: operators in a row, arms of until, lists of requirements.

How far words reach, always in the same way:

- one temporal operator a segment: a window, "at some time" and "there is a moment" side by side are one operator, and
  a further one needs a link ("from which", "such that", "followed by") or an adverb that counts from there
  ("later", "from then on", "within N1 of that");
- "this" after a comma is what was said since the last semicolon or colon, after a semicolon or full stop the whole
  sentence; "the following", "two things", "both of these" and "it holds that" are all that comes;
- a window right behind "until" is the time of until; a goal with a time of its own comes after "it holds that" or "there is".
"""

from __future__ import annotations

from assent.corpus.plan_moments import PlanMoments
from assent.corpus.relations import predicate
from assent.corpus.requirements import conditional
from assent.corpus.times import UNITS
from assent.corpus.trees import Tree, is_literal, is_state

HOLD = ("it must hold that", "it must be true that", "it must be the case that", "it has to hold that", "it must be so that", "it shall hold that")
HOLDS = ("it holds that", "it is true that", "it is the case that", "it is so that")
LISTS = ("the following must hold :", "the following must be true :", "the following has to hold :", "the following must be the case :", "the following must be in force :", "this must be true :")
LISTED = ("the following holds :", "the following is true :", "the following is the case :")
BOTH = ("two things must be true :", "both of these must be true :", "two things must hold :", "both of the following must hold :", "both of these have to hold :", "two conditions must be met :")
BOTH_ARE = ("both of these are true :", "two things hold :", "both of the following hold :", "both of these hold :")
SOME = ("at least one of these must be true :", "one of these must hold :", "at least one of the following must hold :", "at least one of these must be the case :", "one of the following must be true :")
SOME_IS = ("at least one of these is true :", "one of these holds :", "at least one of the following holds :")
ADDED = (" ; and ", " ; also , ", " ; in addition , ", " ; and regardless of that , ", " ; besides , ", " ; moreover , ", " . also , ", " ; and it must also hold that ", " . in addition , ", " ; additionally , ", " , and in addition , ", " ; and independently of that , ", " ; and , quite apart from that , ")
GOES_ON = ("keep holding", "remain so", "continue", "last", "go on", "keep on holding", "stay true", "remain true", "hold", "stay so", "be so", "go on holding", "be maintained")
GOING_ON = ("remaining true", "continuing", "holding", "staying true", "remaining so", "going on", "lasting", "staying so")
SECONDS = (*("seconds",) * 10, *("time units",) * 3, "steps", "units", "time steps")
MEASURES = frozenset(UNITS) - {"time units", "time steps"}
COUNTS = {2: "two", 3: "three", 4: "four", 5: "five"}
NUMBERS = ("first", "second", "third", "fourth", "fifth")


def _branching(tree: Tree) -> bool:
    """Holds a joint with a time in it: where its words end is hard to hear."""
    return not is_state(tree) and (tree[0] not in {"F", "G"} or _branching(tree[2]))


class Plans(PlanMoments):
    """Sentences for whole plans."""

    def sentence(self, tree: Tree) -> str:
        """A whole requirement; people keep to one unit of time."""
        unit = self.pick(SECONDS)
        said = super().sentence(tree).split()
        return " ".join(
            unit if word in MEASURES and i and said[i - 1][0] == "N" and said[i - 1][1:].isdigit() else word
            for i, word in enumerate(said)
        )

    def top(self, tree: Tree) -> str:
        op = tree[0]
        if is_state(tree):
            return self._now_state(tree)
        if op == "U":
            return self._until_whole(tree)
        if op in {"and", "or"}:
            return self._list(tree)
        if op == "->":
            return self._one_off(tree)
        if op == "G" and tree[1] is None and tree[2][0] == "->" and is_state(tree[2][1]) and self.roll() < 0.6:
            return self._rule(tree[2], "must")
        return self.plan(tree, "must", True)

    def clause(self, tree: Tree, mood: str, now: bool) -> str:
        return self.plan(tree, mood, now)

    def plan(self, tree: Tree, mood: str, now: bool) -> str:
        """Any formula as a clause."""
        op = tree[0]
        if is_state(tree):
            return self.state(tree, mood)
        if op in {"F", "G"}:
            if is_state(tree[2]) or tree[2][0] in {"F", "G"}:
                return self.row(tree, mood, now)
            return self._over(tree, mood, now)
        if op == "U":
            return self._until_clause(tree, mood, now)
        if op in {"and", "or"}:
            return self._joined(tree, mood, now)
        if op == "->":
            return self._if_arms(tree, mood, now)
        return super().clause(tree, mood, now)

    # -- lists and joints --------------------------------------------------------------------------------

    def _list(self, tree: Tree) -> str:
        """Members at the top: each counts from now."""
        op, members = tree[0], list(tree[1:])
        if self.roll() < 0.4:
            members.sort(key=lambda x: not is_state(x))
        said = [self._now_state(x) if is_state(x) else self._member(x) for x in members]
        self._pronoun(members, said)
        light = all(is_state(x) or (x[0] in {"F", "G"} and is_literal(x[2])) for x in members[:-1])
        roll = self.roll()
        if op == "and":
            if roll < 0.14 and len(said) in COUNTS:
                count = COUNTS[len(said)]
                head = self.pick((f"{count} requirements :", f"{count} things are required :", f"all {count} must be met :" if len(said) > 2 else "both must be met :", f"{count} conditions must be met :"))
                if self.roll() < 0.5:
                    return head + " " + " ; ".join(f"{NUMBERS[i]} , {x}" for i, x in enumerate(said))
                return f"{head} {' ; '.join(said[:-1])} ; {self.pick(('and ', ''))}{said[-1]}"
            if light and roll < 0.5:
                return self.pick((" , and ", " , and ", " and ", " ; ", " , and also ")).join(said) if len(said) == 2 else " , ".join(said[:-1]) + " , and " + said[-1]
            if len(said) > 2:
                return " ; ".join(said[:-1]) + self.pick((" ; and ", " ; also , ", " ; and finally , ")) + said[-1]
            return self.pick(ADDED).join(said)
        if roll < 0.3:
            return f"{self.pick(SOME)} {self.pick((' ; ', ' ; or ')).join(said[:-1])} ; or {said[-1]}"
        sep = self.pick((" , or ", " , or ", " , or else ", " , or else ", " ; or "))
        if len(said) > 2:
            return "either " + " , or ".join(said)
        return "either " + sep.join(said)

    def _pronoun(self, members: list[Tree], said: list[str]) -> None:
        """The second member's subject as "it", where it is the first one's too."""
        atoms = [x[2] if x[0] in {"F", "G"} else x for x in members[:2]]
        if len(members) != 2 or any(x[0] != "rel" for x in atoms) or atoms[0][2][0] != atoms[1][2][0] or self.roll() < 0.4:
            return
        name = atoms[1][2][0]
        words = said[1].split()
        first = next(i for i, word in enumerate(words) if word[0] == "O" and word[1:].isdigit())
        if words[first] == name:
            start = first - 1 if first and words[first - 1] == "the" else first
            said[1] = " ".join((*words[:start], "it", *words[first + 1 :]))

    def _member(self, tree: Tree) -> str:
        if tree[0] == "->":
            return self._one_off(tree)
        if tree[0] in {"and", "or"}:
            return self._joined(tree, "must", True)
        return self.plan(tree, "must", True)

    def _joined(self, tree: Tree, mood: str, now: bool) -> str:
        """Members under something that reaches over all of them; their times count from its moment."""
        op, members = tree[0], list(tree[1:])
        if self.roll() < 0.5:
            members.sort(key=lambda x: not is_state(x))
        said = [self.plan(x, mood if i == 0 or self.roll() < 0.6 else "is", now) for i, x in enumerate(members)]
        must = mood in {"must", "stay"}
        heavy = any(not is_state(x) and not (x[0] in {"F", "G"} and is_state(x[2])) for x in members)
        if op == "and":
            if self.roll() < (0.5 if heavy else 0.3):
                return f"{self.pick(BOTH if must else BOTH_ARE)} {self.pick((' ; and ', ' , and ', ' ; ')).join(said)}" if len(said) == 2 else f"{self.pick(LISTS if must else LISTED)} {' ; '.join(said[:-1])} ; and {said[-1]}"
            return self.pick((" and ", " , and ", " , and ", " and also ", " , and also ")).join(said)
        if self.roll() < 0.3:
            return f"{self.pick(SOME if must else SOME_IS)} {self.pick((' ; or ', ' , or ')).join(said)}"
        return "either " + self.pick((" or ", " , or ", " , or ", " , or else ")).join(said)

    def _one_off(self, tree: Tree) -> str:
        """A condition that is judged now: it has a time of its own, or says that it is about the beginning."""
        left, right = tree[1], tree[2]
        if is_state(left):
            when = self.pick(("at the start", "initially", "at the initial time", "right now", "at the outset", "at time 0", "in the beginning", "at first"))
            cond = self.pick((f"{self.state(left)} {when}", f"{when} {self.state(left)}"))
        elif left[0] == "F" and is_literal(left[2]) and self.roll() < 0.5:
            when = self.window(left[1], True) if left[1] else ""
            ever = self.pick(("ever", "at any time", "at any point", "at any moment"))
            cond = self.pick((f"{self.literal(left[2], 'is')} {ever} {when}", f"{self.literal(left[2], 'is')} {ever} {when}", self.amid(left[2], "is", "ever") + f" {when}"))
        else:
            lead = self.pick(("", "", "", "it is the case that", "it holds that"))
            cond = f"{lead} {self.plan(left, 'is', True)}"
        if is_state(right):
            when = self.pick(("at the start", "initially", "at the initial time", "right now", "at the outset", "at time 0", "at the beginning", ""))
            then = self.pick((f"{self.state(right, 'must')} {when}", f"{when} {self.state(right, 'must')}")) if is_literal(right) else f"{when} {self.state(right, 'must')}"
        elif right[0] == "->":
            then = self._one_off(right)
        else:
            then = self.plan(right, "must", True)
        if self.roll() < 0.1 and is_literal(left[2] if left[0] in {"F", "G"} else left) and right[0] in {"F", "G"} and is_state(right[2]):
            return f"{then} if {cond}"
        return f"if {cond} {self.pick((',', ', then', ', then'))} {then}"

    def _if_arms(self, tree: Tree, mood: str, now: bool) -> str:
        """A condition with a time, at a moment just mentioned."""
        cond, then = self.plan(tree[1], "is", now), self.plan(tree[2], mood, now)
        word = self.pick(("if", "if", "if", "in case", "whenever it is the case that", "provided that"))
        return f"{word} {cond} {self.pick((',', ', then', 'then'))} {then}"

    # -- one operator over a joint -----------------------------------------------------------------------

    def _over(self, tree: Tree, mood: str, now: bool) -> str:
        op, _, arg = tree
        must = mood in {"must", "stay"}
        if op == "F" and arg[0] == "and" and len(arg) == 3 and self.roll() < 0.3:
            chain = self._chain(tree, mood, now)
            if chain is not None:
                return chain
        if arg[0] == "U":
            if is_state(arg[2]):
                return f"{self.lead(tree, mood, now)} , {self._until_clause(arg, mood, False)}"
            hold = self.pick((*LISTS, *HOLD) if must else (*LISTED, *HOLDS))
            return f"{self.lead(tree, mood, now)} {self.pick((',', ''))} {hold} {self._until_clause(arg, 'is', False)}"
        roll = self.roll()
        if arg[0] == "->":
            if op == "G" and roll < 0.4 and is_state(arg[1]):
                a, b = self.state(arg[1]), self.plan(arg[2], mood, False)
                if self.roll() < 0.3 and tree[1] is not None:
                    return f"{self._whole(tree[1], now, never=True)} , whenever {a} , {b}"
                return f"{self.lead(tree, mood, now)} , {self.pick(('if', 'if', 'whenever', 'should it be that'))} {a} {self.pick((',', ', then'))} {b}"
            if op == "G" and roll < 0.65:
                a, b = self.plan(arg[1], "is", False), self.plan(arg[2], mood, False)
                return f"{self.lead(tree, mood, now)} , {self.pick(('if', 'if', 'whenever it is the case that', 'whenever', 'in every case where'))} {a} {self.pick((',', ', then'))} {b}"
            hold = self.pick((*HOLD, *LISTS) if must else (*HOLDS, *LISTED))
            return f"{self.lead(tree, mood, now)} {hold} {self.pick((',', ''))} {self._if_arms(arg, 'is', False)}"
        first = next((x for x in arg[1:] if is_state(x)), None)
        if first is not None and len(arg) == 3 and roll < 0.5:
            other = arg[2] if arg[1] is first else arg[1]
            return self._back_reference(tree, first, other, mood, now)
        if arg[0] == "and":
            inner = f"{self.pick(HOLD if must else HOLDS)} {self._joined(arg, 'is', False)}" if roll < 0.25 else f", {self._joined(arg, mood, False)}"
            return f"{self.lead(tree, mood, now)} {inner}"
        inner = self._joined(arg, mood, False)
        return f"{self.lead(tree, mood, now)} {self.pick((',', ',', self.pick(HOLD if must else HOLDS)))} {inner}"

    def _back_reference(self, tree: Tree, state: Tree, other: Tree, mood: str, now: bool) -> str:
        """F(a and T), G(a or T): the second part points back at the moment of the first."""
        op, _, arg = tree
        a = self.state(state, mood if op == "F" or mood != "must" else "stay")
        if state[0] in {"->", "or"}:
            a = f"{self.pick(HOLDS)} {a}"
        if op == "F":
            back = self.pick(("then", "from that moment ,", "counted from that moment ,", "from that same moment ,", "starting then ,", "at that moment it must be true that" if mood == "must" else "at that moment it is true that"))
        else:
            back = self.pick(("for each moment of that period ,", "from each of those moments ,", "at each of those moments ,", "from each such moment ,", "each time ,", "and each time ,"))
            if self.roll() < 0.25:
                back = self.pick(("then", "from that moment ,", "at that moment"))
        second = self.plan(other, mood, False)
        link = self.pick((", and", "and", ", and")) if arg[0] == "and" else self.pick((", or else", ", or", ", or else"))
        if op == "G" and arg[0] == "or":
            back = self.pick(("", "", "from that moment on ," if other[1] is None and other[0] == "G" else ""))
        if op == "F" and arg[0] == "or":
            back = ""
        back = back.removeprefix("and ")
        return f"{self.lead(tree, mood, now)} {self.pick((',', ''))} {a} {link} {back} {second}"

    # -- until -------------------------------------------------------------------------------------------

    def goal(self, tree: Tree, now: bool) -> str:
        """What until waits for, from the word on."""
        span, right = tree[1], tree[3]
        said = self.plan(right, "is", False)
        own = not is_state(right)
        hold = self.pick((*HOLDS, *LISTED))
        point = self.pick(("a point", "a moment", "a time", "an instant"))
        at = self.pick(("at which", "when", "at which", "where")) if not own else self.pick(("from which", "at which", "such that", "from which", "at which it holds that", "at which it is true that"))
        if span is None:
            if not own:
                return self.pick((f"until {said}", f"until {said}", f"until {said}", f"until {point} {at} {said}", f"up until {said}", f"until the moment when {said}", f"until the point , whenever it comes , {at} {said}"))
            if right[0] == "F" and self.roll() < 0.45:
                return f"until {self._to_come(right)}"
            return self.pick((f"until {hold} {said}", f"until {hold} {said}", f"until {point} {at} {said}", f"until the point , whenever it comes , {at} {said}", f"until {point} comes {at} {said}", f"until there is {point} {at} {said}" if right[0] != "F" else f"until {hold} {said}"))
        when = self.window(span, now)
        forms = [f"until , {when} , {said}", f"until , {when} , {said}", f"until , {when} , {hold} {said}", f"until {point} {when} {at} {said}", f"until , {when} , {self.pick(('we reach', 'we get to', 'there comes', 'there is', 'we are at'))} {point} {at} {said}", f"until , {when} , {point} {self.pick(('comes', 'is reached', 'is there'))} {at} {said}"]
        if not own:
            forms += [f"until {said} , {when}", f"until {said} , {self.pick(('which must be so', 'which must happen', 'which must be the case', 'which occurs', 'the latter happening', 'which is to happen', 'something that must happen', 'as must happen'))} {when}", f"until {said} {when}"]
        return self.pick(forms)

    def _to_come(self, tree: Tree) -> str:
        """An eventuality as a goal whose window cannot be taken for until's own: the subject or "there" comes first."""
        arg = tree[2]
        if arg[0] == "rel" and self.roll() < 0.6:
            due = self.pick(("due to be", "due to be", "going to be", "bound to be"))
            return f"the {arg[2][0]} is {due} {predicate(self, arg)} {self.once_when(tree[1], False)}"
        link = self.pick(("when", "at which")) if is_state(arg) else self.pick(("from which", "such that", "after which"))
        inner, point = self.plan_or_state(arg, "is"), self.pick(("a moment", "a time", "a point"))
        if tree[1] is None:
            return f"there {self.pick(('will eventually be', 'is eventually going to be', 'is sooner or later'))} {point} {link} {inner}"
        when = self.window(tree[1], False)
        return self.pick((f"there is {point} {when} {link} {inner}", f"there is , {when} , {point} {link} {inner}", f"there comes {point} {when} {link} {inner}"))

    def _until_clause(self, tree: Tree, mood: str, now: bool) -> str:
        left = tree[2]
        must = mood in {"must", "stay"}
        goal = self.goal(tree, now)
        roll = self.roll()
        if is_state(left) and left[0] != "->":
            held = self.state(left, "stay" if must else mood)
            if is_literal(left) and left[0] == "rel" and roll < 0.15 and must:
                return f"{self.pick(('keep', 'hold', 'keep'))} {self.literal(left, 'keep')} {goal}"
            if roll < 0.25:
                return f"{held} {self.pick(('and remains so', 'and stays so', 'and this must hold' if must else 'and this holds', ', and this must hold' if must else ', and this holds'))} {goal}"
            return f"{held} {goal}"
        if conditional(left) or left[0] == "or":  # "if a, b, and this until c" would be heard in two ways
            if _branching(tree[3]):
                return f"{self.pick(('keep the following true', 'maintain the following'))} {goal} : {self.plan(left, 'is', now)}"
            return f"{goal} , {self.pick((*LISTS, *HOLD) if must else (*LISTED, *HOLDS))} {self.plan(left, 'is', now)}"
        held = self.plan(left, mood, now)
        this = self.pick(("this", "this", "this", "that")) if left[0] != "and" else self.pick(("both", "both", "all of this"))
        if _branching(tree[3]):
            roll = 0.38 + 0.62 * roll
        if roll < 0.2 and must:
            return f"{goal} , {self.pick(HOLD)} {self.plan(left, 'is', now)}"
        if roll < 0.38:
            return f"{goal} , {self.pick(LISTS if must else LISTED)} {self.plan(left, 'is', now)}"
        if roll < 0.56:
            return f"{held} , with {this} {self.pick(GOING_ON)} {goal}"
        if roll < 0.66:
            return f"{held} , {this} {self.pick(GOING_ON)} {goal}"
        return f"{held} , and {this} {self.pick(('must', 'must', 'has to', 'is to', 'shall')) + ' ' + self.pick(GOES_ON) if must or self.roll() < 0.4 else self.pick(('keeps holding', 'continues', 'stays so', 'remains so', 'holds', 'goes on'))} {goal}"

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
            return f"{self._member(left)} {self.pick((' ;', ' ;', ' .'))} " + self.pick((f"{this} must {self.pick(GOES_ON)} {goal}", f"keep {this} {self.pick(('up', 'true', 'so', 'going'))} {goal}", f"{this} {self.pick(('is to', 'has to', 'shall'))} {self.pick(GOES_ON)} {goal}"))
        inner = self.plan(left, "is", True)
        if roll < 0.5:
            keep = self.pick(("keep it true that", "keep it so that", "it must stay the case that", "it must remain true that", "it has to stay true that", "it must keep holding that", "make it so that"))
            return f"{keep} {inner} {self.pick((',', ','))} {goal}"
        if roll < 0.6 and tree[1] is not None:
            when = self.window(tree[1], True)
            hold = self.pick(("at that moment it must hold that", "at that moment it must be true that", "at that time it must hold that", "at that point it must be the case that"))
            head = self.pick((f"up until a moment {when} , {self.pick(HOLD)} {inner}", f"until a time {when} , {self.pick(('it must remain true that', 'it must stay so that'))} {inner}", f"maintain the following until a time {when} : {inner}", f"keep the following true until a moment {when} : {inner}"))
            return f"{head} {self.pick((' ; and', ' .', ' ;'))} {hold} {self.plan(tree[3], 'is', False)}"
        if roll < 0.68 and not _branching(tree[3]):
            return f"{self.pick(('maintain the following', 'keep the following true', 'the following must be kept up', 'keep this true'))} {goal} : {inner}"
        return self._until_clause(tree, "must", True)


