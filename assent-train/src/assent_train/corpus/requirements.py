"""Requirements in natural English, formal and casual, for all three logics.

One scope rule: a time adverb in front covers its whole clause up to the next comma with a new adverb or the next
semicolon; a nested operator always counts from the moment just mentioned; what holds "now" says so.
"""

from __future__ import annotations

from collections.abc import Callable

from assent_train.corpus.moments import Moments
from assent_train.corpus.simple import always_of, once_of, rule_of
from assent_train.corpus.times import duration, once, once_then, throughout, throughout_then
from assent_train.corpus.trees import Tree, is_literal, is_state, parts


def conditional(tree: Tree) -> bool:
    """Holds an implication: "if a, b until c" would be read with the condition outermost."""
    return tree[0] in {"->", "<->"} or any(conditional(part) for part in parts(tree))


def _open(tree: Tree) -> bool:
    """Whether what follows the words of this formula could be taken for a part of it."""
    if tree[0] in {"F", "G"}:
        return not is_state(tree[2]) or conditional(tree[2])
    return not is_state(tree)


class Requirements(Moments):
    """Sentences for whole formulas."""

    scoped = False  # under an eventually or always, not under the condition of a rule
    nested = False  # inside a member of "and"/"or" under a time adverb: times must say what they count from
    closed = False  # whether the last rule was said with its condition last

    def sentence(self, tree: Tree) -> str:
        """A whole requirement."""
        text = self.top(tree)
        roll = self.roll()
        if roll < 0.07:
            text = self.words("sentence_text", text=text)
        elif roll < 0.09 and tree[0] == "G" and tree[1] is None:
            text = f"{text} ; this is a standing rule"
        if self.roll() < 0.75:
            text += " ."
        return text

    # -- at the top ------------------------------------------------------------------------------------

    def top(self, tree: Tree) -> str:
        """A formula that starts now."""
        op = tree[0]
        if is_state(tree):
            return self._now_state(tree)
        if op in {"and", "or"}:
            members = list(tree[1:])
            if self.roll() < 0.6:
                members.sort(key=_open)
            said, loose = [], []
            for member in members:
                self.closed = False
                said.append(self.top(member))
                loose.append(_open(member) and not self.closed)
            return self._join(tree[0], loose, said)
        if op == "->":
            return self._top_if(tree[1], tree[2])
        if op == "<->":
            return self.words("top", tree_part=lambda: self.top(tree[1]), top=lambda: self.top(tree[2]))
        if op == "not":
            return self.words("top_2", tree_part=lambda: self.clause(tree[1], "is", True))
        return self.clause(tree, "bare" if self.casual and self.roll() < 0.35 else "must", True)

    def _now_state(self, tree: Tree) -> str:
        when = self.words("right_now")
        if is_literal(tree) and self.roll() < 0.5:
            return f"{self.state(tree, 'must')} {when}"
        return self.words("now_state", when=when, tree_must=lambda: self.state(tree, "must"))

    def _join(self, op: str, loose: list[bool], said: list[str]) -> str:
        roll = self.roll()
        if any(loose[:-1]):
            # what could still belong to the member before is set off strongly
            if op == "and":
                link = " " + self.words("join_link") + " "
                return link.join(said)
            either = "either " if roll < 0.6 else ""
            return either + (" " + self.words("join") + " ").join(said)
        if op == "and":
            if roll < 0.06:
                return (" " + self.words("join_2") + " ") + " ; ".join(said[:-1]) + (" " + self.words("join_3") + " ") + said[-1]
            if len(said) == 2:
                if self.roll() < 0.04:
                    said[1] += " " + self.words("join_4") + " "
                link = " " + self.words("join_link_2") + " "
                return link.join(said)
            sep = " " + self.words("join_sep") + " "
            return sep.join(said[:-1]) + sep + (" " + self.words("join_5") + " ") + said[-1]
        if roll < 0.12:
            head = " " + self.words("join_head") + " "
            return head + (" " + self.words("join_6") + " ").join(said[:-1]) + (" " + self.words("join_7") + " ") + said[-1]
        either = "either " if roll < 0.6 else ""
        tail = (" " + self.words("join_tail") + " ") if self.roll() < 0.15 and len(said) == 2 else ""
        sep = " " + self.words("join_sep_2") + " "
        if len(said) > 2:
            return either + (" " + self.words("join_8") + " ").join(said[:-1]) + (" " + self.words("join_9") + " ") + said[-1]
        return either + sep.join(said) + tail

    def _top_if(self, left: Tree, right: Tree) -> str:
        """A one-off implication: judged now, not at every moment; the condition says so."""
        consequence = self.state(right, "must") if is_state(right) else self.top(right)
        if is_state(left):
            when = self.words("right_now")
            cond = self.words("top_if_cond", when=when, left=lambda: self.state(left))
            return self._if_then("if", cond, consequence)
        if left[0] == "F" and left[1] is None and is_state(left[2]) and self.roll() < 0.75:
            cond = self._ever(left[2])
        else:
            cond = self.clause(left, "is", True)
        if self.roll() < 0.2 and right[0] in {"F", "G"}:
            return f"{consequence} if {cond}"
        return self._if_then("if", cond, consequence)

    def _ever(self, state: Tree) -> str:
        said = self.state(state)
        if is_literal(state) and self.roll() < 0.45:
            return self.amid(state, "is", self.words("ever"))
        return self.words("ever_2", said=said)  # fmt: skip

    def _if_then(self, word: str, cond: str, consequence: str) -> str:
        return self.words("if_then", word=word, cond=cond, part=lambda: self.words("if_then_part", when1=self.casual), consequence=consequence)

    # -- temporal clauses ------------------------------------------------------------------------------

    def clause(self, tree: Tree, mood: str, now: bool) -> str:
        """Any formula as a clause; ``now`` is False where a moment has just been mentioned."""
        op = tree[0]
        if is_state(tree):
            return self.state(tree, mood)
        if op == "F":
            return self._once(tree, mood, now)
        if op == "G":
            return self._always(tree, mood, now)
        if op == "U":
            return self._until(tree, mood, now)
        if op == "X":
            return self._next(tree, mood)
        if op in {"W", "R", "M"}:
            return self._weak(tree, mood, now)
        if op == "not":
            inner = self.clause(tree[1], "is", now)
            return self.words("clause", part=lambda: self.words("clause_part", when1=tree[1][0] == "F"), inner=inner)
        if op == "->":
            return self._when(tree, mood, now)
        if op == "<->":
            return self.words("clause_2", tree_part=lambda: self.clause(tree[1], mood, now), clause=lambda: self.clause(tree[2], "is", now))
        return self._mixed(tree, mood, now)

    def _under(self, tree: Tree, mood: str) -> str:
        """What stands under a time adverb."""
        outer, self.scoped = self.scoped, tree[0] in {"and", "or"}
        said = self.clause(tree, mood, False)
        self.scoped = outer
        return said

    def _mixed(self, tree: Tree, mood: str, now: bool) -> str:
        """and/or with a temporal member: the states first, then the rest counted from the same moment."""
        args = sorted(tree[1:], key=lambda x: not is_state(x)) if self.roll() < 0.7 else list(tree[1:])
        outer, self.nested = self.nested, self.scoped
        said = [self.clause(x, mood, now) for x in args]
        self.nested = outer
        if not now and self.roll() < 0.3:
            said = [self.words("mixed_said", t=t) if is_state(x) and is_literal(x) else t for x, t in zip(args, said, strict=True)]
        if tree[0] == "and":
            both = (" " + self.words("mixed_both") + " ") if len(said) == 2 and self.roll() < 0.08 else ""
            return both + (" " + self.words("mixed") + " ").join(said)
        either = "either " if self.roll() < 0.65 else ""
        tail = " , or both" if self.roll() < 0.3 and len(said) == 2 else ""
        return either + (" " + self.words("mixed_2") + " ").join(said) + tail

    def _when(self, tree: Tree, mood: str, now: bool) -> str:
        cond, then = self.clause(tree[1], "is", now), self.clause(tree[2], mood, False)
        if self.roll() < 0.15 and is_state(tree[1]):
            return self.words("when", then=then, cond=cond)
        if self.roll() < 0.12 and is_state(tree[1]):
            return self.words("when_2", cond=cond, then=then)
        return self._if_then(self.words("when_3"), cond, then)

    def _once(self, tree: Tree, mood: str, now: bool) -> str:
        span, arg = tree[1], tree[2]
        when = once_then(self.rng, span, self.casual) if self.nested and not now else once(self.rng, span, now, self.casual)
        roll = self.roll()
        if is_literal(arg):
            return once_of(self, arg, span, when, roll, mood, now)
        if is_state(arg):
            if roll < 0.25 and arg[0] in {"and", "or"}:
                return f"{self.state(arg, mood, 1)} {when}"
            if roll < 0.65:
                return self.words("once", when=when, arg=lambda: self.state(arg, mood))
            return self.words("once_2", exists=lambda: self.exists(span, now, mood), arg=lambda: self.state(arg, "is"))
        if arg[0] == "and" and len(arg) == 3:
            chain = self._chain(tree, mood, now)
            if chain is not None:
                return chain
        if arg[0] == "G" and is_state(arg[2]) and roll < 0.6:
            return self._settle(span, arg, mood, now)
        if arg[0] == "G" and arg[1] is not None and arg[1][0] == "0" and roll < 0.8:
            d = duration(self.rng, arg[1][1], False)
            period = self.words("once_period", d=d, name=arg[1][1])
            lead = self.words("once_lead", when=when, period=period, when1=span is not None, d=d)
            rest = self.words("once_rest") if not is_state(arg[2]) else self.words("once_rest_2")
            return f"{lead} {rest} {self.clause(arg[2], 'is', False)}"
        nested = self._under(arg, "is" if roll < 0.6 else mood)
        if roll < 0.6:
            such = self.words("once_such") if arg[0] not in {"F"} else self.words("once_such_2", when1=arg[1] is None)
            return f"{self.exists(span, now, mood)} {such} {nested}"
        glue = self.words("once_glue")
        return f"{when} {glue} {nested}"

    def _bare(self, say: Callable[[], str], openings: tuple[str, ...]) -> str:
        """A window without an adverb in front."""
        said = say()
        for _ in range(8):
            if not said.startswith(openings):
                break
            said = say()
        return said

    def _always(self, tree: Tree, mood: str, now: bool) -> str:
        span, arg = tree[1], tree[2]
        when = throughout_then(self.rng, span, self.casual) if self.nested and not now else throughout(self.rng, span, now, self.casual)
        stay = "stay" if mood == "must" else mood
        roll = self.roll()
        if is_literal(arg):
            return always_of(self, arg, span, when, roll, mood, now)
        if arg[0] == "->" and span is None:
            return self._rule(arg, mood)
        if arg[0] == "F" and span is None and is_state(arg[2]) and roll < 0.65:
            return self._again(arg, mood)
        if arg[0] == "->" and is_state(arg) and roll < 0.55:
            return self.words("always", when=when, each_time=lambda: self._each_time(arg, stay))
        if is_state(arg):
            if roll > 0.9 and span is not None and arg[0] == "and" and all(is_literal(x) for x in arg[1:]):
                return (" " + self.words("always_2", when=when) + " ") + " and ".join(self.amid(x, mood, "always") for x in arg[1:])
            if roll < 0.2 and arg[0] in {"and", "or"}:
                return f"{self.state(arg, stay, 1)} {when}"
            if roll < 0.8:
                return self.words("always_3", when=when, arg=lambda: self.state(arg, stay))
            return self.words("always_4", each=lambda: self.each(span, now), arg=lambda: self.state(arg, stay))
        if arg[0] == "G" and roll < 0.4:
            inner = self.clause(arg[2], mood, False)
            first = self.each(span, now)
            if roll < 0.25:
                second = self.each(arg[1], False)
                for lead in ("at ", "from ", "for "):
                    if second.startswith(lead):
                        second = second.removeprefix(lead) if self.roll() < 0.6 else second
                        break
            else:
                second = throughout(self.rng, arg[1], False, self.casual)
            return f"{first} , and {second} , {inner}"
        nested = self._under(arg, mood)
        if roll < 0.5:
            return self.words("always_5", each=lambda: self.each(span, now), nested=nested)
        return self.words("always_6", when=when, nested=nested)

    # -- rules -----------------------------------------------------------------------------------------

    def _rule(self, implication: Tree, mood: str) -> str:
        """G(a -> b): whenever a, b."""
        left, right = implication[1], implication[2]
        cond = self.clause(left, "is", False)
        roll = self.roll()
        if self.lifted and left[0] == "not" and left[1][0] == "p" and self.roll() < (0.3 if self.casual else 0.1):
            return self.words("rule", name=left[1][1], leftover=self.leftover, right=lambda: self.clause(right, mood, False))
        if self.casual and roll < 0.34:
            return self.words("rule_2", left_bare=lambda: self.clause(left, "bare", False), right=lambda: self.clause(right, "bare" if self.roll() < 0.4 else mood, False))
        if is_state(left) and is_state(right):
            said, roll = rule_of(self, implication, cond, mood, roll)
            if said is not None:
                return said
        elif roll > 0.88 and is_state(left):
            return self.words("rule_3", right=lambda: self.clause(right, mood, False), cond=cond)
        if roll > 0.55 and is_state(left) and self.casual:
            return self.words("rule_4", left=lambda: self.state(left), right=lambda: self.clause(right, "bare" if self.roll() < 0.5 else mood, False))
        if roll > 0.8 and is_state(left) and not self.casual:
            return self.words("rule_5", cond=cond, right=lambda: self.clause(right, mood, False))
        word = self.words("casual_whenever") if self.casual and is_state(left) else self.words("whenever")
        then = self.clause(right, "bare" if self.casual and self.roll() < 0.3 else mood, False)
        if is_state(right) and self.roll() < 0.12:
            then = self.words("rule_then", then=then)
        if word == "if" and cond.split()[0].startswith("P"):
            word = "whenever"  # "if P1 ..., P2" over bare names is the one-off condition of the lifted style
        return self._if_then(word, cond, then)

    def _until(self, tree: Tree, mood: str, now: bool) -> str:
        span, left, right = tree[1], tree[2], tree[3]
        stay = "stay" if mood == "must" else mood
        roll = self.roll()
        goal = self.clause(right, "is", False)
        simple = is_state(left) and not conditional(left)
        if simple and left[0] == "not" and is_literal(left) and roll < 0.3:
            other = self.literal(left[1], "bare")
            text = self.words("until_text", other=other, goal=goal, left_part=lambda: self.literal(left[1], "is"), left=lambda: self.literal(left, stay))
        elif simple:
            keep = self.words("until_keep") if mood == "must" and self.roll() < (0.45 if self.casual else 0.12) else ""
            held = self.literal(left, "keep" if left[0] in {"rel", "not"} and (left[1][0] == "rel" or left[0] == "rel") else "bare") if keep and is_literal(left) else self.state(left, stay, 1)
            word = self.words("until_word")
            if roll > 0.93 and not keep:
                text = f"until {goal} , {held}"
            else:
                text = f"{keep} {held} {word} {goal}"
        else:
            held = self.clause(left, stay, False)
            forms = 5 * [lambda: self.words("until", held=held, goal=goal)]
            if not conditional(left):
                forms += 3 * [lambda: self.words("until_2", held=held, goal=goal)]
            text = self.pick(forms)()
        if now and self.roll() < 0.25:
            text = self.words("until_text_2", text=text)
        if span is None:
            if self.roll() < (0.1 if self.casual else 0.3):
                ref = goal if self.roll() < 0.5 else self.words("until_ref")
                text += " " + self.words("until_3", ref=ref, goal=goal, part=lambda: self.state(right, "must", 1) if is_state(right) else goal)
            return text
        when = once(self.rng, span, now, self.casual)
        if self.roll() < 0.2 and f"until {goal}" in text:
            return text.replace(f"until {goal}", self.words("until_4", when=when, goal=goal))
        return text + " " + self.words("until_5", when=when, goal=goal, when1=span[0] == '0')  # fmt: skip

    def _next(self, tree: Tree, mood: str) -> str:
        said = self.clause(tree[1], mood, False)
        when = self.words("next_when")
        return self.words("next", when=when, said=said) if is_state(tree[1]) else f"{when} {said}"

    def _weak(self, tree: Tree, mood: str, now: bool) -> str:
        op, left, right = tree
        stay = "stay" if mood == "must" else mood
        if op == "W":
            held, goal = self.clause(left, stay, now), self.clause(right, "is", False)
            return self.words("weak", held=held, goal=goal)
        held, goal = self.clause(right, stay, now), self.clause(left, "is", False)
        if op == "R":
            return self.words("weak_2", goal=goal, held=held)
        return self.words("weak_3", held=held, goal=goal)
