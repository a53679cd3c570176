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
from assent_train.corpus.plan_untils import PlanUntils
from assent_train.corpus.times import UNITS
from assent_train.corpus.trees import Tree, is_literal, is_state

MEASURES = frozenset(UNITS) - {"time units", "time steps"}
COUNTS = {2: "two", 3: "three", 4: "four", 5: "five"}
IMPERATIVE = frozenset({"keep", "hold", "maintain", "make", "see", "ensure", "uphold", "have", "let", "reach", "both", "two", "one", "at"})
NUMBERS = ("first", "second", "third", "fourth", "fifth")


class Plans(PlanUntils):
    """Sentences for whole plans."""

    def sentence(self, tree: Tree) -> str:
        """A whole requirement; people keep to one unit of time."""
        unit = self.words("seconds_2")
        said = super().sentence(tree).split()
        return " ".join(unit if word in MEASURES and i and said[i - 1][0] == "N" and said[i - 1][1:].isdigit() else word for i, word in enumerate(said))

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
            sure = [self.words("sure") for _ in said]
            said = [x if x.split()[0] in IMPERATIVE else f"{y} {x}" for x, y in zip(said, sure, strict=True)]
        light = all(is_state(x) or (x[0] in {"F", "G"} and is_literal(x[2])) for x in members[:-1])
        roll = self.roll()
        if op == "and":
            if roll < 0.14 and len(said) in COUNTS:
                count = COUNTS[len(said)]
                head = self.words("list_head", count=count, when1=len(said) > 2)
                if self.roll() < 0.5:
                    return head + " " + " ; ".join(f"{NUMBERS[i]} , {x}" for i, x in enumerate(said))
                return self.words("list", head=head, members=lambda: " ; ".join(said[:-1]), name=said[-1])
            if light and roll < 0.5:
                return (" " + self.words("list_2") + " ").join(said) if len(said) == 2 else " , ".join(said[:-1]) + " , and " + said[-1]
            if len(said) > 2:
                return " ; ".join(said[:-1]) + (" " + self.words("list_3") + " ") + said[-1]
            return f" {self.words('added')} ".join(said)
        if roll < 0.12 and len(said) in COUNTS:
            count = COUNTS[len(said)]
            head = self.words("list_head_2", count=count)
            if self.roll() < 0.5:
                return head + " " + " ; ".join(f"{NUMBERS[i]} , {x}" for i, x in enumerate(said))
            return f"{head} {' ; '.join(said[:-1])} ; or {said[-1]}"
        if roll < 0.36 or (len(said) > 2 and roll < 0.6):
            return self.words("list_4", members=lambda: (" " + self.words("list_part") + " ").join(said[:-1]), name=said[-1])
        sep = " " + self.words("list_sep") + " "
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
                return (
                    self.words("joined", part=lambda: self.words("both_3") if must else self.words("both_are"), members=lambda: (" " + self.words("joined_part") + " ").join(said))
                    if len(said) == 2
                    else self.words("joined_2", part=lambda: self.words("lists") if must else self.words("listed"), members=lambda: " ; ".join(said[:-1]), name=said[-1])
                )
            return (" " + self.words("joined_3") + " ").join(said)
        if self.roll() < 0.3:
            return self.words("joined_4", part=lambda: self.words("some") if must else self.words("some_is"), members=lambda: (" " + self.words("joined_part_2") + " ").join(said))
        return "either " + (" " + self.words("joined_5") + " ").join(said)

    def _one_off(self, tree: Tree) -> str:
        """A condition that is judged now: it has a time of its own, or says that it is about the beginning."""
        left, right = tree[1], tree[2]
        if is_state(left):
            when = self.words("one_off_when")
            cond = self.words("one_off_cond", left=lambda: self.state(left), when=when)
        elif left[0] == "F" and is_literal(left[2]) and self.roll() < 0.5:
            when = self.window(left[1], True) if left[1] else ""
            ever = self.words("one_off_ever")
            cond = self.words("one_off_cond_2", left_part=lambda: self.literal(left[2], "is"), ever=ever, when=when, part=lambda: self.amid(left[2], "is", "ever") + f" {when}")
        else:
            lead = self.words("one_off_lead") if left[0] == "->" else self.words("one_off_lead_2")
            cond = f"{lead} {self.plan(left, 'is', True)}"
        if is_state(right):
            when = self.words("one_off_when_2")
            then = self.words("one_off_then", right_must=lambda: self.state(right, "must"), when=when) if is_literal(right) else f"{when} {self.state(right, 'must')}"
        elif right[0] == "->":
            then = self._one_off(right)
        else:
            then = self.plan(right, "must", True)
        if self.roll() < 0.1 and is_literal(left[2] if left[0] in {"F", "G"} else left) and right[0] in {"F", "G"} and is_literal(right[2]):
            return f"{then} if {cond}"
        return self.words("one_off", cond=cond, then=then)

    def _if_arms(self, tree: Tree, mood: str, now: bool) -> str:
        """A condition with a time, at a moment just mentioned."""
        noun = self.gerund(tree[1], now)
        if noun and self.roll() < 0.4:
            other = self.gerund(tree[2], now)
            if other and self.roll() < 0.5:
                return self.words("if_arms", noun=noun, other=other)
            return self.words("if_arms_2", noun=noun, tree_part=lambda: self.plan(tree[2], "is", now))
        cond, then = self.plan(tree[1], "is", now), self.plan(tree[2], mood, now)
        if tree[1][0] in {"F", "G"} and is_literal(tree[1][2]) and self.roll() < 0.15:
            return self.words("if_arms_3", cond=cond, then=then)
        word = self.words("if_arms_word")
        if tree[1][0] == "->":
            cond = self.words("if_arms_cond", cond=cond)
        return self.words("if_arms_4", word=word, cond=cond, then=then)

    def gerund(self, tree: Tree, now: bool) -> str:
        """A relation with its time as a noun; empty where there is none."""
        if tree[0] not in {"F", "G"} or not is_bond(tree[2]):
            return ""
        when = self.once_when(tree[1], now) if tree[0] == "F" else self._stretch(tree[1], now) if tree[1] else self.words("gerund_when")
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
            hold = self.words("until_clause_part_2") if must else self.words("until_clause_part_3")
            return self.words("over", lead=lambda: self.lead(tree, mood, now), hold=hold, until_clause=lambda: self._until_clause(arg, "is", False))
        roll = self.roll()
        if arg[0] == "->":
            if op == "G" and roll < 0.4 and is_state(arg[1]):
                a, b = self.state(arg[1]), self.plan(arg[2], mood, False)
                if self.roll() < 0.3 and tree[1] is not None:
                    return f"{self._whole(tree[1], now, never=True)} , whenever {a} , {b}"
                return self.words("over_2", lead=lambda: self.lead(tree, mood, now), a=a, b=b)
            if op == "G" and roll < 0.65:
                a, b = self.plan(arg[1], "is", False), self.plan(arg[2], mood, False)
                return self.words("over_3", lead=lambda: self.lead(tree, mood, now), a=a, b=b)
            hold = self.words("over_hold") if must else self.words("plan_or_state_part")
            return self.words("over_4", lead=lambda: self.lead(tree, mood, now), hold=hold, if_arms=lambda: self._if_arms(arg, "is", False))
        first = next((x for x in arg[1:] if is_state(x)), None)
        if first is not None and len(arg) == 3 and roll < 0.5:
            other = arg[2] if arg[1] is first else arg[1]
            return self._back_reference(tree, first, other, mood, now)
        if arg[0] == "and":
            inner = self.words("over_inner", part=lambda: self.words("hold_3") if must else self.words("holds"), joined=lambda: self._joined(arg, "is", False)) if roll < 0.25 else f", {self._joined(arg, mood, False)}"
            return f"{self.lead(tree, mood, now)} {inner}"
        inner = self._joined(arg, mood, False)
        return self.words("over_5", lead=lambda: self.lead(tree, mood, now), part=lambda: self.words("over_part", must=must, part=lambda: self.words("hold_3"), part2=lambda: self.words("holds")), inner=inner)

    def _back_reference(self, tree: Tree, state: Tree, other: Tree, mood: str, now: bool) -> str:
        """F(a and T), G(a or T): the second part points back at the moment of the first."""
        op, _, arg = tree
        a = self.state(state, mood if op == "F" or mood != "must" else "stay")
        if state[0] in {"->", "or"}:
            a = self.words("back_reference_a", a=a)
        if op == "F":
            back = self.words("back_reference_back", when1=mood == "must")
        else:
            back = self.words("back_reference_back_2")
            if self.roll() < 0.25:
                back = self.words("back_reference_back_3")
        second = self.plan(other, mood, False)
        link = self.words("back_reference_link") if arg[0] == "and" else self.words("back_reference_link_2")
        if op == "G" and arg[0] == "or":
            back = self.words("back_reference_back_4", when1=other[1] is None and other[0] == "G")
        if op == "F" and arg[0] == "or":
            back = ""
        back = back.removeprefix("and ")
        return self.words("back_reference", lead=lambda: self.lead(tree, mood, now), a=a, link=link, back=back, second=second)
