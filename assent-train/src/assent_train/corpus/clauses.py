"""Temporal operators as clauses of a sentence: eventually, always, until, next, rules.

One scope rule: a time adverb in front covers its whole clause up to the next comma with a new adverb or the next
semicolon; a nested operator always counts from the moment just mentioned; what holds "now" says so.
"""

from __future__ import annotations

from collections.abc import Callable

from assent_train.corpus.part import SpeechPart
from assent_train.corpus.times import again_until
from assent_train.corpus.trees import Tree, is_literal, is_state, parts


def conditional(tree: Tree) -> bool:
    """Holds an implication: "if a, b until c" would be read with the condition outermost."""
    return tree[0] in {"->", "<->"} or any(conditional(part) for part in parts(tree))


class Clauses(SpeechPart):
    """Any formula as a clause."""

    scoped = False  # under an eventually or always, not under the condition of a rule
    nested = False  # inside a member of "and"/"or" under a time adverb: times must say what they count from

    def finish(self, text: str, tree: Tree) -> str:
        """The sentence of a formula with what may follow it: a remark, a full stop."""
        roll = self.roll()
        if roll < 0.07:
            text = self.words("sentence_text", text=text)
        elif roll < 0.09 and tree[0] == "G" and tree[1] is None:
            text = f"{text} ; this is a standing rule"
        if self.roll() < 0.75:
            text += " ."
        return text

    def now_state(self, tree: Tree) -> str:
        when = self.words("right_now")
        if is_literal(tree) and self.roll() < 0.5:
            return f"{self.speech.state(tree, 'must')} {when}"
        return self.words("now_state", when=when, tree_must=lambda: self.speech.state(tree, "must"))

    def if_then(self, word: str, cond: str, consequence: str) -> str:
        return self.words(
            "if_then",
            word=word,
            cond=cond,
            part=lambda: self.words("if_then_part", when1=self.casual),
            consequence=consequence,
        )

    def clause(self, tree: Tree, mood: str, now: bool) -> str:
        """Any formula as a clause; ``now`` is False where a moment has just been mentioned."""
        op = tree[0]
        if is_state(tree):
            return self.speech.state(tree, mood)
        if op == "F":
            return self.once(tree, mood, now)
        if op == "G":
            return self.always(tree, mood, now)
        if op == "U":
            return self._until(tree, mood, now)
        if op == "X":
            return self._next(tree, mood)
        if op in {"W", "R", "M"}:
            return self._weak(tree, mood, now)
        if op == "not":
            inner = self.speech.clause(tree[1], "is", now)
            return self.words(
                "clause", part=lambda: self.words("clause_part", when1=tree[1][0] == "F"), inner=inner
            )
        if op == "->":
            return self._when(tree, mood, now)
        if op == "<->":
            return self.words(
                "clause_exactly_when",
                tree_part=lambda: self.speech.clause(tree[1], mood, now),
                clause=lambda: self.speech.clause(tree[2], "is", now),
            )
        return self._mixed(tree, mood, now)

    def _under(self, tree: Tree, mood: str) -> str:
        """What stands under a time adverb."""
        outer, self.scoped = self.scoped, tree[0] in {"and", "or"}
        said = self.speech.clause(tree, mood, False)
        self.scoped = outer
        return said

    def _mixed(self, tree: Tree, mood: str, now: bool) -> str:
        """and/or with a temporal member: the states first, then the rest counted from the same moment."""
        args = sorted(tree[1:], key=lambda x: not is_state(x)) if self.roll() < 0.7 else list(tree[1:])
        outer, self.nested = self.nested, self.scoped
        said = [self.speech.clause(x, mood, now) for x in args]
        self.nested = outer
        if not now and self.roll() < 0.3:
            said = [
                self.words("mixed_said", t=t) if is_state(x) and is_literal(x) else t
                for x, t in zip(args, said, strict=True)
            ]
        if tree[0] == "and":
            both = (" " + self.words("mixed_both") + " ") if len(said) == 2 and self.roll() < 0.08 else ""
            return both + (" " + self.words("mixed") + " ").join(said)
        either = "either " if self.roll() < 0.65 else ""
        tail = " , or both" if self.roll() < 0.3 and len(said) == 2 else ""
        return either + (" " + self.words("mixed_or") + " ").join(said) + tail

    def _when(self, tree: Tree, mood: str, now: bool) -> str:
        cond, then = self.speech.clause(tree[1], "is", now), self.speech.clause(tree[2], mood, False)
        if self.roll() < 0.15 and is_state(tree[1]):
            return self.words("when", then=then, cond=cond)
        if self.roll() < 0.12 and is_state(tree[1]):
            return self.words("when_means", cond=cond, then=then)
        return self.if_then(self.words("when_word"), cond, then)

    def once(self, tree: Tree, mood: str, now: bool) -> str:
        span, arg = tree[1], tree[2]
        when = (
            self.speech.times.once_then(span)
            if self.nested and not now
            else self.speech.times.once(span, now)
        )
        roll = self.roll()
        if is_literal(arg):
            return self.speech.simple.once(arg, span, when, roll, mood, now)
        if is_state(arg):
            if roll < 0.25 and arg[0] in {"and", "or"}:
                return f"{self.speech.state(arg, mood, 1)} {when}"
            if roll < 0.65:
                return self.words("once", when=when, arg=lambda: self.speech.state(arg, mood))
            return self.words(
                "once_exists",
                exists=lambda: self.speech.moments.exists(span, now, mood),
                arg=lambda: self.speech.state(arg, "is"),
            )
        if arg[0] == "and" and len(arg) == 3:
            chain = self.speech.moments.chain(tree, mood, now)
            if chain is not None:
                return chain
        if arg[0] == "G" and is_state(arg[2]) and roll < 0.6:
            return self.speech.moments.settle(span, arg, mood, now)
        if arg[0] == "G" and arg[1] is not None and arg[1][0] == "0" and roll < 0.8:
            d = self.speech.times.measured(arg[1][1])
            period = self.words("once_period", d=d, name=arg[1][1])
            lead = self.words("once_lead", when=when, period=period, when1=span is not None, d=d)
            rest = self.words("once_rest") if not is_state(arg[2]) else self.words("once_rest_state")
            return f"{lead} {rest} {self.speech.clause(arg[2], 'is', False)}"
        nested = self._under(arg, "is" if roll < 0.6 else mood)
        if roll < 0.6:
            such = (
                self.words("once_such")
                if arg[0] not in {"F"}
                else self.words("once_such_again", when1=arg[1] is None)
            )
            return f"{self.speech.moments.exists(span, now, mood)} {such} {nested}"
        glue = self.words("once_glue")
        return f"{when} {glue} {nested}"

    def bare(self, say: Callable[[], str], openings: tuple[str, ...]) -> str:
        """A window without an adverb in front."""
        return again_until(say, lambda said: not said.startswith(openings))

    def always(self, tree: Tree, mood: str, now: bool) -> str:
        span, arg = tree[1], tree[2]
        when = (
            self.speech.times.throughout_then(span)
            if self.nested and not now
            else self.speech.times.throughout(span, now)
        )
        stay = "stay" if mood == "must" else mood
        roll = self.roll()
        if is_literal(arg):
            return self.speech.simple.always(arg, span, when, roll, mood, now)
        if arg[0] == "->" and span is None:
            return self.rule(arg, mood)
        if arg[0] == "F" and span is None and is_state(arg[2]) and roll < 0.65:
            return self.speech.moments.again(arg, mood)
        if arg[0] == "->" and is_state(arg) and roll < 0.55:
            return self.words("always", when=when, each_time=lambda: self.speech.moments.each_time(arg, stay))
        if is_state(arg):
            if roll > 0.9 and span is not None and arg[0] == "and" and all(is_literal(x) for x in arg[1:]):
                return (" " + self.words("always_list_lead", when=when) + " ") + " and ".join(
                    self.speech.names.amid(x, mood, "always") for x in arg[1:]
                )
            if roll < 0.2 and arg[0] in {"and", "or"}:
                return f"{self.speech.state(arg, stay, 1)} {when}"
            if roll < 0.8:
                return self.words("always_adverb_first", when=when, arg=lambda: self.speech.state(arg, stay))
            return self.words(
                "always_each_state",
                each=lambda: self.speech.moments.each(span, now),
                arg=lambda: self.speech.state(arg, stay),
            )
        if arg[0] == "G" and roll < 0.4:
            inner = self.speech.clause(arg[2], mood, False)
            first = self.speech.moments.each(span, now)
            if roll < 0.25:
                second = self.speech.moments.each(arg[1], False)
                for lead in ("at ", "from ", "for "):
                    if second.startswith(lead):
                        second = second.removeprefix(lead) if self.roll() < 0.6 else second
                        break
            else:
                second = self.speech.times.throughout(arg[1], False)
            return f"{first} , and {second} , {inner}"
        nested = self._under(arg, mood)
        if roll < 0.5:
            return self.words(
                "always_each_nested", each=lambda: self.speech.moments.each(span, now), nested=nested
            )
        return self.words("always_nested", when=when, nested=nested)

    def rule(self, implication: Tree, mood: str) -> str:
        """G(a -> b): whenever a, b."""
        left, right = implication[1], implication[2]
        cond = self.speech.clause(left, "is", False)
        roll = self.roll()
        if (
            self.speech.names.lifted
            and left[0] == "not"
            and left[1][0] == "p"
            and self.roll() < (0.3 if self.casual else 0.1)
        ):
            return self.words(
                "rule",
                name=left[1][1],
                leftover=self.speech.leftovers.leftover,
                right=lambda: self.speech.clause(right, mood, False),
            )
        if self.casual and roll < 0.34:
            return self.words(
                "rule_question",
                left_bare=lambda: self.speech.clause(left, "bare", False),
                right=lambda: self.speech.clause(right, "bare" if self.roll() < 0.4 else mood, False),
            )
        if is_state(left) and is_state(right):
            said, roll = self.speech.simple.rule(implication, cond, mood, roll)
            if said is not None:
                return said
        elif roll > 0.88 and is_state(left):
            return self.words(
                "rule_condition_last", right=lambda: self.speech.clause(right, mood, False), cond=cond
            )
        if roll > 0.55 and is_state(left) and self.casual:
            return self.words(
                "rule_means",
                left=lambda: self.speech.state(left),
                right=lambda: self.speech.clause(right, "bare" if self.roll() < 0.5 else mood, False),
            )
        if roll > 0.8 and is_state(left) and not self.casual:
            return self.words(
                "rule_at_all_times", cond=cond, right=lambda: self.speech.clause(right, mood, False)
            )
        word = self.words("casual_whenever") if self.casual and is_state(left) else self.words("whenever")
        then = self.speech.clause(right, "bare" if self.casual and self.roll() < 0.3 else mood, False)
        if is_state(right) and self.roll() < 0.12:
            then = self.words("rule_then", then=then)
        if word == "if" and cond.split()[0].startswith("P"):
            word = "whenever"  # "if P1 ..., P2" over bare names is the one-off condition of the lifted style
        return self.if_then(word, cond, then)

    def _until(self, tree: Tree, mood: str, now: bool) -> str:
        span, left, right = tree[1], tree[2], tree[3]
        stay = "stay" if mood == "must" else mood
        roll = self.roll()
        goal = self.speech.clause(right, "is", False)
        simple = is_state(left) and not conditional(left)
        if simple and left[0] == "not" and is_literal(left) and roll < 0.3:
            other = self.speech.literal(left[1], "bare")
            text = self.words(
                "until_text",
                other=other,
                goal=goal,
                left_part=lambda: self.speech.literal(left[1], "is"),
                left=lambda: self.speech.literal(left, stay),
            )
        elif simple:
            keep = (
                self.words("until_keep")
                if mood == "must" and self.roll() < (0.45 if self.casual else 0.12)
                else ""
            )
            held = (
                self.speech.literal(
                    left,
                    "keep"
                    if left[0] in {"rel", "not"} and (left[1][0] == "rel" or left[0] == "rel")
                    else "bare",
                )
                if keep and is_literal(left)
                else self.speech.state(left, stay, 1)
            )
            word = self.words("until_word")
            last = roll > 0.93 and not keep
            text = f"until {goal} , {held}" if last else f"{keep} {held} {word} {goal}"
        else:
            held = self.speech.clause(left, stay, False)
            forms = 5 * [lambda: self.words("until", held=held, goal=goal)]
            if not conditional(left):
                forms += 3 * [lambda: self.words("until_keep_true", held=held, goal=goal)]
            text = self.pick(forms)()
        if now and self.roll() < 0.25:
            text = self.words("until_from_now", text=text)
        if span is None:
            if self.roll() < (0.1 if self.casual else 0.3):
                ref = goal if self.roll() < 0.5 else self.words("until_ref")
                text += " " + self.words(
                    "until_goal_must_come",
                    ref=ref,
                    goal=goal,
                    part=lambda: self.speech.state(right, "must", 1) if is_state(right) else goal,
                )
            return text
        when = self.speech.times.once(span, now)
        if self.roll() < 0.2 and f"until {goal}" in text:
            return text.replace(f"until {goal}", self.words("until_window_inside", when=when, goal=goal))
        return text + " " + self.words("until_window_last", when=when, goal=goal, when1=span[0] == "0")

    def _next(self, tree: Tree, mood: str) -> str:
        said = self.speech.clause(tree[1], mood, False)
        when = self.words("next_when")
        return self.words("next", when=when, said=said) if is_state(tree[1]) else f"{when} {said}"

    def _weak(self, tree: Tree, mood: str, now: bool) -> str:
        op, left, right = tree
        stay = "stay" if mood == "must" else mood
        if op == "W":
            held, goal = self.speech.clause(left, stay, now), self.speech.clause(right, "is", False)
            return self.words("weak", held=held, goal=goal)
        held, goal = self.speech.clause(right, stay, now), self.speech.clause(left, "is", False)
        if op == "R":
            return self.words("release_clause", goal=goal, held=held)
        return self.words("strong_release_clause", held=held, goal=goal)
