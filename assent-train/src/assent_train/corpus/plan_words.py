"""SpaTiaL plans in formal English: operators in a row, arms of until, lists of requirements.

How far words reach, always in the same way:

- one temporal operator a segment: a window, "at some time" and "there is a moment" side by side are one operator, and
  a further one needs a link ("from which", "such that", "followed by") or an adverb that counts from there
  ("later", "from then on", "within N1 of that");
- "this" after a comma is what was said since the last semicolon or colon, after a semicolon or full stop the whole
  sentence; ", with this" behind "there is a moment when" is what holds at that moment; "the following", "two things",
  "both of these" and "it holds that" are all that comes;
- a window right behind "until" is the time of until; a goal with a time of its own comes after "it holds that" or "there is".
"""

from __future__ import annotations

from assent_train.corpus.plan_rows import is_bond
from assent_train.corpus.plan_untils import (
    ADDED,
    BOTH,
    BOTH_ARE,
    HOLD,
    HOLDS,
    LISTED,
    LISTS,
    SOME,
    SOME_IS,
    PlanUntils,
)
from assent_train.corpus.times import UNITS
from assent_train.corpus.trees import Tree, is_literal, is_state

SECONDS = (*("seconds",) * 10, *("time units",) * 3, "steps", "units", "time steps")
MEASURES = frozenset(UNITS) - {"time units", "time steps"}
COUNTS = {2: "two", 3: "three", 4: "four", 5: "five"}
SURE = ("see to it that", "make sure that", "ensure that", "", "", "it is required that", "guarantee that")
IMPERATIVE = frozenset({"keep", "hold", "maintain", "make", "see", "ensure", "uphold", "have", "let", "reach", "both", "two", "one", "at"})
NUMBERS = ("first", "second", "third", "fourth", "fifth")


class Plans(PlanUntils):
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
        for i, x in enumerate(members[:-1]):  # what follows a colon or a semicolon would swallow the next member
            for _ in range(10):
                if ":" not in said[i] and ";" not in said[i]:
                    break
                said[i] = self._now_state(x) if is_state(x) else self._member(x)
        self._pronoun(members, said)
        if self.roll() < 0.15:
            sure = [self.pick(SURE) for _ in said]
            said = [x if x.split()[0] in IMPERATIVE else f"{y} {x}" for x, y in zip(said, sure, strict=True)]
        light = all(is_state(x) or (x[0] in {"F", "G"} and is_literal(x[2])) for x in members[:-1])
        roll = self.roll()
        if op == "and":
            if roll < 0.14 and len(said) in COUNTS:
                count = COUNTS[len(said)]
                head = self.pick(
                    (
                        f"{count} requirements :",
                        f"{count} things are required :",
                        f"all {count} must be met :" if len(said) > 2 else "both must be met :",
                        f"{count} conditions must be met :",
                        f"each of these {count} must be satisfied :",
                        f"{count} demands :",
                        f"{count} things must be ensured :",
                        f"all of these {count} things are needed :" if len(said) > 2 else "both of these are needed :",
                        f"there are {count} requirements , all to be met :",
                        f"{count} rules :",
                    )
                )
                if self.roll() < 0.5:
                    return head + " " + " ; ".join(f"{NUMBERS[i]} , {x}" for i, x in enumerate(said))
                return f"{head} {' ; '.join(said[:-1])} ; {self.pick(('and ', ''))}{said[-1]}"
            if light and roll < 0.5:
                return self.pick((" , and ", " , and ", " and ", " ; ", " , and also ")).join(said) if len(said) == 2 else " , ".join(said[:-1]) + " , and " + said[-1]
            if len(said) > 2:
                return " ; ".join(said[:-1]) + self.pick((" ; and ", " ; also , ", " ; and finally , ")) + said[-1]
            return self.pick(ADDED).join(said)
        if roll < 0.12 and len(said) in COUNTS:
            count = COUNTS[len(said)]
            head = self.pick((f"{count} alternatives , at least one of which must be met :", f"at least one of these {count} must be satisfied :", f"of these {count} things at least one must hold :", f"one of {count} things must be achieved :", f"there are {count} options , one of which must be taken :"))
            if self.roll() < 0.5:
                return head + " " + " ; ".join(f"{NUMBERS[i]} , {x}" for i, x in enumerate(said))
            return f"{head} {' ; '.join(said[:-1])} ; or {said[-1]}"
        if roll < 0.36 or (len(said) > 2 and roll < 0.6):
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
        if op == "and" or self.roll() < 0.5:  # a window in front would be heard over the states behind it
            members.sort(key=lambda x: not is_state(x))
        said = [self.plan(x, mood if i == 0 or self.roll() < 0.6 else "is", now) for i, x in enumerate(members)]
        must = mood in {"must", "stay"}
        heavy = any(not is_state(x) and not (x[0] in {"F", "G"} and is_state(x[2])) for x in members)
        if op == "and":
            if self.roll() < (0.65 if heavy else 0.3):
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
            lead = self.pick(("it is the case that", "it holds that", "it is true that", "the following holds :")) if left[0] == "->" else self.pick(("", "", "", "it is the case that", "it holds that"))
            cond = f"{lead} {self.plan(left, 'is', True)}"
        if is_state(right):
            when = self.pick(("at the start", "initially", "at the initial time", "right now", "at the outset", "at time 0", "at the beginning", ""))
            then = self.pick((f"{self.state(right, 'must')} {when}", f"{when} {self.state(right, 'must')}")) if is_literal(right) else f"{when} {self.state(right, 'must')}"
        elif right[0] == "->":
            then = self._one_off(right)
        else:
            then = self.plan(right, "must", True)
        if self.roll() < 0.1 and is_literal(left[2] if left[0] in {"F", "G"} else left) and right[0] in {"F", "G"} and is_literal(right[2]):
            return f"{then} if {cond}"
        return f"if {cond} {self.pick((',', ', then', ', then'))} {then}"

    def _if_arms(self, tree: Tree, mood: str, now: bool) -> str:
        """A condition with a time, at a moment just mentioned."""
        noun = self.gerund(tree[1], now)
        if noun and self.roll() < 0.4:
            other = self.gerund(tree[2], now)
            if other and self.roll() < 0.5:
                return f"{noun} {self.pick(('implies', 'means', 'entails', 'requires', 'comes with', 'calls for'))} {other}"
            return f"{noun} {self.pick(('implies that', 'means that', 'entails that', 'requires that', 'has to mean that'))} {self.plan(tree[2], 'is', now)}"
        cond, then = self.plan(tree[1], "is", now), self.plan(tree[2], mood, now)
        if tree[1][0] in {"F", "G"} and is_literal(tree[1][2]) and self.roll() < 0.15:
            return f"{self.pick(HOLDS)} {cond} {self.pick(('implies that', 'only if', 'entails that'))} {then}"
        word = self.pick(("if", "if", "if", "in case", "whenever it is the case that", "provided that"))
        if tree[1][0] == "->":
            cond = f"{self.pick(HOLDS)} {cond}"
        return f"{word} {cond} {self.pick((',', ', then', 'then'))} {then}"

    def gerund(self, tree: Tree, now: bool) -> str:
        """A relation with its time as a noun; empty where there is none."""
        if tree[0] not in {"F", "G"} or not is_bond(tree[2]):
            return ""
        when = self.once_when(tree[1], now) if tree[0] == "F" else self._stretch(tree[1], now) if tree[1] else self.pick(("always", "at all times", "permanently", "forever"))
        if tree[0] == "G" and self.roll() < 0.3 and tree[1] is None:
            return self.being(tree[2]).replace(" being ", f" being {when} ", 1)
        return f"{self.being(tree[2])} {when}"

    # -- one operator over a joint -----------------------------------------------------------------------

    def _over(self, tree: Tree, mood: str, now: bool) -> str:
        op, _, arg = tree
        must = mood in {"must", "stay"}
        if op == "F" and arg[0] == "and" and len(arg) == 3 and self.roll() < 0.3:
            chain = self._chain(tree, mood, now)
            if chain is not None:
                return chain
        if arg[0] == "U":
            said = self.over_until(tree, mood, now) if self.roll() < 0.4 else None
            if said is not None:
                return said
            if is_state(arg[2]):
                return f"{self.lead(tree, mood, now)} , {self._until_clause(arg, mood, False, True)}"
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
