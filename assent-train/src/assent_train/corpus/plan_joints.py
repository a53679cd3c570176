"""Plans joined: lists of requirements, conditions, and one operator over several members."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from assent_train.corpus.part import SpeechPart
from assent_train.corpus.plan_following import is_bond
from assent_train.corpus.times import again_until
from assent_train.corpus.trees import Tree, is_literal, is_state

if TYPE_CHECKING:
    from assent_train.corpus.plan_words import Plans


COUNTS = {2: "two", 3: "three", 4: "four", 5: "five"}
IMPERATIVE = frozenset(
    {
        "keep",
        "hold",
        "maintain",
        "make",
        "see",
        "ensure",
        "uphold",
        "have",
        "let",
        "reach",
        "both",
        "two",
        "one",
        "at",
    }
)
NUMBERS = ("first", "second", "third", "fourth", "fifth")


def is_closed(said: str) -> bool:
    """Whether nothing in it reaches over what follows."""
    return ":" not in said and ";" not in said


class PlanJoints(SpeechPart):
    """Lists, conditions and joints."""

    speech: Plans

    def listed(self, tree: Tree) -> str:
        """Members at the top: each counts from now."""
        op, members = tree[0], list(tree[1:])
        if self.roll() < 0.4:
            members.sort(key=lambda x: not is_state(x))
        # a colon or a semicolon would swallow the next member
        said = [again_until(partial(self._listed_member, x), is_closed) for x in members[:-1]]
        said.append(self._listed_member(members[-1]))
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
                return (
                    (" " + self.words("list_two") + " ").join(said)
                    if len(said) == 2
                    else " , ".join(said[:-1]) + " , and " + said[-1]
                )
            if len(said) > 2:
                return " ; ".join(said[:-1]) + (" " + self.words("list_last") + " ") + said[-1]
            return f" {self.words('added')} ".join(said)
        if roll < 0.12 and len(said) in COUNTS:
            count = COUNTS[len(said)]
            head = self.words("list_head_or", count=count)
            if self.roll() < 0.5:
                return head + " " + " ; ".join(f"{NUMBERS[i]} , {x}" for i, x in enumerate(said))
            return f"{head} {' ; '.join(said[:-1])} ; or {said[-1]}"
        if roll < 0.36 or (len(said) > 2 and roll < 0.6):
            return self.words(
                "list_or",
                members=lambda: (" " + self.words("list_part") + " ").join(said[:-1]),
                name=said[-1],
            )
        sep = " " + self.words("list_sep") + " "
        if len(said) > 2:
            return "either " + " , or ".join(said)
        return "either " + sep.join(said)

    def _listed_member(self, tree: Tree) -> str:
        return self.speech.clauses.now_state(tree) if is_state(tree) else self.member(tree)

    def _pronoun(self, members: list[Tree], said: list[str]) -> None:
        """The second member's subject as "it", where it is the first one's too."""
        atoms = [x[2] if x[0] in {"F", "G"} else x for x in members[:2]]
        if (
            len(members) != 2
            or any(x[0] != "rel" for x in atoms)
            or atoms[0][2][0] != atoms[1][2][0]
            or self.roll() < 0.4
        ):
            return
        name = atoms[1][2][0]
        words = said[1].split()
        first = next(i for i, word in enumerate(words) if word[0] == "O" and word[1:].isdigit())
        if words[first] == name:
            start = first - 1 if first and words[first - 1] == "the" else first
            said[1] = " ".join((*words[:start], "it", *words[first + 1 :]))

    def member(self, tree: Tree) -> str:
        if tree[0] == "->":
            return self.one_off(tree)
        if tree[0] in {"and", "or"}:
            return self.joined(tree, "must", True)
        return self.speech.clause(tree, "must", True)

    def joined(self, tree: Tree, mood: str, now: bool) -> str:
        """Members under something that reaches over all of them; their times count from its moment."""
        op, members = tree[0], list(tree[1:])
        if op == "and" or self.roll() < 0.5:  # a window in front would be heard over the states behind it
            members.sort(key=lambda x: not is_state(x))
        said = [
            self.speech.clause(x, mood if i == 0 or self.roll() < 0.6 else "is", now)
            for i, x in enumerate(members)
        ]
        must = mood in {"must", "stay"}
        heavy = any(not is_state(x) and not (x[0] in {"F", "G"} and is_state(x[2])) for x in members)
        if op == "and":
            if self.roll() < (0.65 if heavy else 0.3):
                return (
                    self.words(
                        "joined",
                        part=lambda: self.words("both_must_hold") if must else self.words("both_are"),
                        members=lambda: (" " + self.words("joined_part") + " ").join(said),
                    )
                    if len(said) == 2
                    else self.words(
                        "joined_list",
                        part=lambda: self.words("lists") if must else self.words("listed"),
                        members=lambda: " ; ".join(said[:-1]),
                        name=said[-1],
                    )
                )
            return (" " + self.words("joined_and") + " ").join(said)
        if self.roll() < 0.3:
            return self.words(
                "joined_some",
                part=lambda: self.words("some") if must else self.words("some_is"),
                members=lambda: (" " + self.words("joined_or_link") + " ").join(said),
            )
        return "either " + (" " + self.words("joined_or") + " ").join(said)

    def one_off(self, tree: Tree) -> str:
        """A condition that is judged now: it has a time of its own, or says that it is about the beginning."""
        left, right = tree[1], tree[2]
        if is_state(left):
            when = self.words("one_off_when")
            cond = self.words("one_off_cond", left=lambda: self.speech.state(left), when=when)
        elif left[0] == "F" and is_literal(left[2]) and self.roll() < 0.5:
            when = self.speech.plan_times.window(left[1], True) if left[1] else ""
            ever = self.words("one_off_ever")
            cond = self.words(
                "one_off_cond_ever",
                left_part=lambda: self.speech.literal(left[2], "is"),
                ever=ever,
                when=when,
                part=lambda: self.speech.names.amid(left[2], "is", "ever") + f" {when}",
            )
        else:
            lead = self.words("one_off_lead") if left[0] == "->" else self.words("one_off_lead_plain")
            cond = f"{lead} {self.speech.clause(left, 'is', True)}"
        if is_state(right):
            when = self.words("one_off_at_start")
            then = (
                self.words("one_off_then", right_must=lambda: self.speech.state(right, "must"), when=when)
                if is_literal(right)
                else f"{when} {self.speech.state(right, 'must')}"
            )
        elif right[0] == "->":
            then = self.one_off(right)
        else:
            then = self.speech.clause(right, "must", True)
        if (
            self.roll() < 0.1
            and is_literal(left[2] if left[0] in {"F", "G"} else left)
            and right[0] in {"F", "G"}
            and is_literal(right[2])
        ):
            return f"{then} if {cond}"
        return self.words("one_off", cond=cond, then=then)

    def if_arms(self, tree: Tree, mood: str, now: bool) -> str:
        """A condition with a time, at a moment just mentioned."""
        noun = self._gerund(tree[1], now)
        if noun and self.roll() < 0.4:
            other = self._gerund(tree[2], now)
            if other and self.roll() < 0.5:
                return self.words("if_arms", noun=noun, other=other)
            return self.words(
                "if_arms_means", noun=noun, tree_part=lambda: self.speech.clause(tree[2], "is", now)
            )
        cond, then = self.speech.clause(tree[1], "is", now), self.speech.clause(tree[2], mood, now)
        if tree[1][0] in {"F", "G"} and is_literal(tree[1][2]) and self.roll() < 0.15:
            return self.words("if_arms_only_if", cond=cond, then=then)
        word = self.words("if_arms_word")
        if tree[1][0] == "->":
            cond = self.words("if_arms_cond", cond=cond)
        return self.words("if_arms_then", word=word, cond=cond, then=then)

    def _gerund(self, tree: Tree, now: bool) -> str:
        """A relation with its time as a noun; empty where there is none."""
        if tree[0] not in {"F", "G"} or not is_bond(tree[2]):
            return ""
        when = (
            self.speech.plan_times.once_when(tree[1], now)
            if tree[0] == "F"
            else self.speech.plan_times.stretch(tree[1], now)
            if tree[1]
            else self.words("gerund_when")
        )
        if tree[0] == "G" and self.roll() < 0.3 and tree[1] is None:
            return self.speech.plan_moments.being(tree[2]).replace(" being ", f" being {when} ", 1)
        return f"{self.speech.plan_moments.being(tree[2])} {when}"

    def over(self, tree: Tree, mood: str, now: bool) -> str:
        """F or G over members of which at least one has a time."""
        op, _, arg = tree
        must = mood in {"must", "stay"}
        if op == "F" and arg[0] == "and" and len(arg) == 3 and self.roll() < 0.3:
            chain = self.speech.moments.chain(tree, mood, now)
            if chain is not None:
                return chain
        if arg[0] == "U":
            return self._over_until(tree, mood, now)
        roll = self.roll()
        if arg[0] == "->":
            return self._over_if(tree, mood, now, roll)
        first = next((x for x in arg[1:] if is_state(x)), None)
        if first is not None and len(arg) == 3 and roll < 0.5:
            other = arg[2] if arg[1] is first else arg[1]
            return self._back_reference(tree, first, other, mood, now)
        if arg[0] == "and":
            inner = (
                self.words(
                    "over_inner",
                    part=lambda: self.words("must_hold_that") if must else self.words("holds"),
                    joined=lambda: self.joined(arg, "is", False),
                )
                if roll < 0.25
                else f", {self.joined(arg, mood, False)}"
            )
            return f"{self.speech.plan_moments.lead(tree, mood, now)} {inner}"
        inner = self.joined(arg, mood, False)
        return self.words(
            "over_or",
            lead=lambda: self.speech.plan_moments.lead(tree, mood, now),
            part=lambda: self.words(
                "over_part",
                must=must,
                part=lambda: self.words("must_hold_that"),
                part2=lambda: self.words("holds"),
            ),
            inner=inner,
        )

    def _over_until(self, tree: Tree, mood: str, now: bool) -> str:
        """F or G over until."""
        arg, must = tree[2], mood in {"must", "stay"}
        said = self.speech.untils.over(tree, mood, now) if self.roll() < 0.4 else None
        if said is not None:
            return said
        if is_state(arg[2]):
            lead = self.speech.plan_moments.lead(tree, mood, now)
            return f"{lead} , {self.speech.untils.clause(arg, mood, False, True)}"
        hold = self.words("until_clause_must_list") if must else self.words("until_clause_list")
        return self.words(
            "over",
            lead=lambda: self.speech.plan_moments.lead(tree, mood, now),
            hold=hold,
            until_clause=lambda: self.speech.untils.clause(arg, "is", False),
        )

    def _over_if(self, tree: Tree, mood: str, now: bool, roll: float) -> str:
        """F or G over a condition."""
        op, _, arg = tree
        must = mood in {"must", "stay"}
        if op == "G" and roll < 0.4 and is_state(arg[1]):
            a, b = self.speech.state(arg[1]), self.speech.clause(arg[2], mood, False)
            if self.roll() < 0.3 and tree[1] is not None:
                return f"{self.speech.plan_times.whole(tree[1], now, never=True)} , whenever {a} , {b}"
            return self.words(
                "over_whenever_state", lead=lambda: self.speech.plan_moments.lead(tree, mood, now), a=a, b=b
            )
        if op == "G" and roll < 0.65:
            a, b = self.speech.clause(arg[1], "is", False), self.speech.clause(arg[2], mood, False)
            return self.words(
                "over_whenever", lead=lambda: self.speech.plan_moments.lead(tree, mood, now), a=a, b=b
            )
        hold = self.words("over_hold") if must else self.words("plan_or_state_part")
        return self.words(
            "over_holds_if",
            lead=lambda: self.speech.plan_moments.lead(tree, mood, now),
            hold=hold,
            if_arms=lambda: self.if_arms(arg, "is", False),
        )

    def _back_reference(self, tree: Tree, state: Tree, other: Tree, mood: str, now: bool) -> str:
        """F(a and T), G(a or T): the second part points back at the moment of the first."""
        op, _, arg = tree
        a = self.speech.state(state, mood if op == "F" or mood != "must" else "stay")
        if state[0] in {"->", "or"}:
            a = self.words("back_reference_a", a=a)
        if op == "F":
            back = self.words("back_reference_back", when1=mood == "must")
        else:
            back = self.words("back_to_each")
            if self.roll() < 0.25:
                back = self.words("back_to_moment")
        second = self.speech.clause(other, mood, False)
        link = self.words("back_reference_link") if arg[0] == "and" else self.words("back_reference_or")
        if op == "G" and arg[0] == "or":
            back = self.words("back_or_moment", when1=other[1] is None and other[0] == "G")
        if op == "F" and arg[0] == "or":
            back = ""
        back = back.removeprefix("and ")
        return self.words(
            "back_reference",
            lead=lambda: self.speech.plan_moments.lead(tree, mood, now),
            a=a,
            link=link,
            back=back,
            second=second,
        )
