"""Requirements in natural English, formal and casual, for all three logics.

One scope rule: a time adverb in front covers its whole clause up to the next comma with a new adverb or the next
semicolon; a nested operator always counts from the moment just mentioned; what holds "now" says so.
"""

from __future__ import annotations

from collections.abc import Callable

from assent_train.corpus.moments import Moments
from assent_train.corpus.openings import CASUAL_WHENEVER, LEADS, RIGHT_NOW, WHENEVER
from assent_train.corpus.simple import always_of, once_of, rule_of
from assent_train.corpus.times import ONCE_NOW, duration, once, once_then, throughout, throughout_then
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
            text = f"{self.pick(LEADS)} {text}"
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
            return f"{self.top(tree[1])} {self.pick(('if and only if', 'exactly if', 'just in case'))} {self.top(tree[2])}"
        if op == "not":
            return f"{self.pick(('it must not be the case that', 'it is not the case that', 'it must not happen that', 'it is not true that', 'it may not be that'))} {self.clause(tree[1], 'is', True)}"
        return self.clause(tree, "bare" if self.casual and self.roll() < 0.35 else "must", True)

    def _now_state(self, tree: Tree) -> str:
        when = self.pick(RIGHT_NOW)
        if is_literal(tree) and self.roll() < 0.5:
            return f"{self.state(tree, 'must')} {when}"
        return f"{when} {self.pick((',', ''))} {self.state(tree, 'must')}"

    def _join(self, op: str, loose: list[bool], said: list[str]) -> str:
        roll = self.roll()
        if any(loose[:-1]):
            # what could still belong to the member before is set off strongly
            if op == "and":
                link = self.pick((" ; ", " ; and ", " ; and ", " , and besides that ", " ; in addition , ", " . also , ", " ; additionally , ", " , and in addition , ", " ; moreover , ", " ; besides , ", " ; also , ", " . and "))
                return link.join(said)
            either = "either " if roll < 0.6 else ""
            return either + self.pick((" , or else ", " ; or ", " ; or else ", " , or ")).join(said)
        if op == "and":
            if roll < 0.06:
                return self.pick(("all of these must hold : ", "all of the following must be true : ")) + " ; ".join(said[:-1]) + self.pick((" ; and ", " ; ")) + said[-1]
            if len(said) == 2:
                if self.roll() < 0.04:
                    said[1] += self.pick((" regardless", " in any case", " either way", " no matter what"))
                link = self.pick((" , and ", " , and ", " , and ", " ; ", " ; and ", " and ", " , and besides that ", " ; in addition , ", " , and also ", " ; also , ", " ; additionally , ", " , plus ", " , and in addition ", " . also , ", " , as well as "))
                return link.join(said)
            sep = self.pick((" ; ", " , ", " ; "))
            return sep.join(said[:-1]) + sep + self.pick(("and ", "and ", "")) + said[-1]
        if roll < 0.12:
            head = self.pick(("one or more of these must be true : ", "at least one of these must hold : ", "at least one of the following must hold : ", "at least one of these must be true : "))
            return head + self.pick((" ; ", " , ")).join(said[:-1]) + self.pick((" ; or ", " , or ", " ; ")) + said[-1]
        either = "either " if roll < 0.6 else ""
        tail = self.pick((" , or both", " , possibly both", " or both")) if self.roll() < 0.15 and len(said) == 2 else ""
        sep = self.pick((" , or ", " , or ", " or ", " or else ", " , or else ", " ; or "))
        if len(said) > 2:
            return either + self.pick((" , ", " ; ")).join(said[:-1]) + self.pick((" , or ", " ; or ")) + said[-1]
        return either + sep.join(said) + tail

    def _top_if(self, left: Tree, right: Tree) -> str:
        """A one-off implication: judged now, not at every moment; the condition says so."""
        consequence = self.state(right, "must") if is_state(right) else self.top(right)
        if is_state(left):
            when = self.pick(RIGHT_NOW)
            cond = self.pick((f"{when} {self.state(left)}", f"{self.state(left)} {when}"))
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
            return self.amid(state, "is", self.pick(("ever", "ever", "ever", "at any point", "at some time", "eventually")))
        return self.pick((f"{said} {self.pick(ONCE_NOW)}", f"there is ever a moment when {said}", f"at any point {said}", f"{said} ever",
                          f"{said} at some time from now on", f"{self.pick(ONCE_NOW)} {said}", f"{said} at any time"))  # fmt: skip

    def _if_then(self, word: str, cond: str, consequence: str) -> str:
        return f"{word} {cond} {self.pick((',', ',', ',', ', then', 'then', ''if self.casual else ','))} {consequence}"

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
            return f"{self.pick(('it is not the case that', 'it is not true that', 'it never happens that' if tree[1][0] == 'F' else 'it is not the case that'))} {inner}"
        if op == "->":
            return self._when(tree, mood, now)
        if op == "<->":
            return f"{self.clause(tree[1], mood, now)} {self.pick(('if and only if', 'exactly when'))} {self.clause(tree[2], 'is', now)}"
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
            said = [f"{t} {self.pick(('at that moment', 'at that time', 'right then', 'immediately', 'then'))}" if is_state(x) and is_literal(x) else t for x, t in zip(args, said, strict=True)]
        if tree[0] == "and":
            both = self.pick(("both ", "")) if len(said) == 2 and self.roll() < 0.08 else ""
            return both + self.pick((" and ", " and ", " , and ", " and , ", " and also ", " with ")).join(said)
        either = "either " if self.roll() < 0.65 else ""
        tail = " , or both" if self.roll() < 0.3 and len(said) == 2 else ""
        return either + self.pick((" or ", " or ", " , or ", " or else ")).join(said) + tail

    def _when(self, tree: Tree, mood: str, now: bool) -> str:
        cond, then = self.clause(tree[1], "is", now), self.clause(tree[2], mood, False)
        if self.roll() < 0.15 and is_state(tree[1]):
            return f"{then} {self.pick(('if', 'in case', 'provided that', 'whenever'))} {cond}"
        if self.roll() < 0.12 and is_state(tree[1]):
            return f"{cond} {self.pick(('means', 'implies', 'means that'))} {then}"
        return self._if_then(self.pick(("if", "if", "if", "whenever", "when", "in case")), cond, then)

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
                return f"{when} {self.pick((',', '', ''))} {self.state(arg, mood)}"
            return f"{self.exists(span, now, mood)} {self.pick(('when', 'when', 'at which', 'where', 'such that', 'such that ,'))} {self.state(arg, 'is')}"
        if arg[0] == "and" and len(arg) == 3:
            chain = self._chain(tree, mood, now)
            if chain is not None:
                return chain
        if arg[0] == "G" and is_state(arg[2]) and roll < 0.6:
            return self._settle(span, arg, mood, now)
        if arg[0] == "G" and arg[1] is not None and arg[1][0] == "0" and roll < 0.8:
            d = duration(self.rng, arg[1][1], False)
            period = self.pick((f"{d} period", f"period of {d}", f"stretch of {d}", f"{d} stretch", f"{d} window", f"{arg[1][1]} - seconds period", f"{arg[1][1]} - seconds period", f"{arg[1][1]} - seconds stretch"))
            lead = self.pick((f"{when} a {period} must {self.pick(('begin', 'start', 'occur', 'come'))}", f"there must {self.pick(('begin', 'start', 'be'))} {when} a {period}", f"{when} there is a {period}", f"{when} , start a {period}", f"{when} there must begin an {period}", f"there must eventually begin a {period} {when}" if span is not None else f"there must eventually begin a {period}", f"{when} , start {d}"))
            rest = self.pick(("in which", "during which", "such that for each instant in it ,", "where", "in which , at every instant ,", "throughout which")) if not is_state(arg[2]) else self.pick(("in which", "during which", "throughout which", "where"))
            return f"{lead} {rest} {self.clause(arg[2], 'is', False)}"
        nested = self._under(arg, "is" if roll < 0.6 else mood)
        if roll < 0.6:
            such = self.pick(("such that", "such that ,", "from which", "when", "after which", "such that", "at which it is true that", "where", "at which")) if arg[0] not in {"F"} else self.pick(("such that", "such that ,", "after which", "from which", "followed by a moment when" if arg[1] is None else "such that"))
            return f"{self.exists(span, now, mood)} {such} {nested}"
        glue = self.pick((",", ",", "it must be true that", "it must hold that", "it is true that", ":", "it must begin to hold that", "the following must be true :", "the following is true :", "a point comes from which", "we reach a point from which", "it happens that", "a moment where ,", "a moment must come from which", "there comes a point from which"))
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
            return f"{when} {self.pick((',', ',', ''))} {self._each_time(arg, stay)}"
        if is_state(arg):
            if roll > 0.9 and span is not None and arg[0] == "and" and all(is_literal(x) for x in arg[1:]):
                return f"{when} {self.pick((',', ''))} " + " and ".join(self.amid(x, mood, "always") for x in arg[1:])
            if roll < 0.2 and arg[0] in {"and", "or"}:
                return f"{self.state(arg, stay, 1)} {when}"
            if roll < 0.8:
                return f"{when} {self.pick((',', '', ''))} {self.state(arg, stay)}"
            return f"{self.each(span, now)} {self.pick((',', ', it must hold that', 'it must be that'))} {self.state(arg, stay)}"
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
            return f"{self.each(span, now)} {self.pick((',', ',', '', ', it must be true that', ', it must hold that'))} {nested}"
        return f"{when} {self.pick((',', ',', '', 'it must be true that', 'it must hold that', ':'))} {nested}"

    # -- rules -----------------------------------------------------------------------------------------

    def _rule(self, implication: Tree, mood: str) -> str:
        """G(a -> b): whenever a, b."""
        left, right = implication[1], implication[2]
        cond = self.clause(left, "is", False)
        roll = self.roll()
        if self.lifted and left[0] == "not" and left[1][0] == "p" and self.roll() < (0.3 if self.casual else 0.1):
            return f"{self.pick(('without', 'with no', 'without the', 'without a', 'outside', 'absent', 'in the absence of'))} {left[1][1]} {self.leftover()} , {self.clause(right, mood, False)}"
        if self.casual and roll < 0.34:
            return f"{self.clause(left, 'bare', False)} ? {self.pick(('', '', '', 'then'))} {self.clause(right, 'bare' if self.roll() < 0.4 else mood, False)}"
        if is_state(left) and is_state(right):
            said, roll = rule_of(self, implication, cond, mood, roll)
            if said is not None:
                return said
        elif roll > 0.88 and is_state(left):
            return f"{self.clause(right, mood, False)} {self.pick(('whenever', 'whenever', 'every time', 'each time', 'once', 'any time'))} {cond}"
        if roll > 0.55 and is_state(left) and self.casual:
            return f"{self.state(left)} {self.pick(('means', 'always means', 'always leads to', 'must lead to', 'requires', 'triggers', 'calls for', 'means that', 'means', 'means'))} {self.clause(right, 'bare' if self.roll() < 0.5 else mood, False)}"
        if roll > 0.8 and is_state(left) and not self.casual:
            return f"{self.pick(('at all times', 'at every moment', 'always'))} , {cond} {self.pick(('implies that', 'means that', 'requires that', 'implies'))} {self.clause(right, mood, False)}"
        word = self.pick(CASUAL_WHENEVER if self.casual and is_state(left) else WHENEVER)
        then = self.clause(right, "bare" if self.casual and self.roll() < 0.3 else mood, False)
        if is_state(right) and self.roll() < 0.12:
            then = self.pick((f"{then} at that moment", f"at that moment {then}", f"{then} at the same time", f"{then} at that time", f"{then} too", f"{then} right then"))
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
            text = self.pick((f"no {other} {self.pick(('until', 'before', 'till', 'until'))} {goal}", f"{self.literal(left[1], 'is')} must not {self.pick(('happen', 'occur', 'hold'))} before {goal}", f"{self.literal(left, stay)} {self.pick(('until', 'before', 'as long as it is not yet the case that'))} {goal}", f"avoid {other} until {goal}", f"not {other} {self.pick(('until', 'before'))} {goal}"))
        elif simple:
            keep = self.pick(("keep", "keep", "hold", "have", "leave")) if mood == "must" and self.roll() < (0.45 if self.casual else 0.12) else ""
            held = self.literal(left, "keep" if left[0] in {"rel", "not"} and (left[1][0] == "rel" or left[0] == "rel") else "bare") if keep and is_literal(left) else self.state(left, stay, 1)
            word = self.pick(("until", "until", "until", "until", "till", "up until", "right up until", "all the way until", "up to the moment when", "at every moment until", "until such time as", "until the moment when"))
            if roll > 0.93 and not keep:
                text = f"until {goal} , {held}"
            else:
                text = f"{keep} {held} {word} {goal}"
        else:
            held = self.clause(left, stay, False)
            forms = [f"{held} , and this must {self.pick(('keep holding', 'go on holding', 'continue', 'hold', 'remain so'))} until {goal}", f"{held} , and this must {self.pick(('keep holding', 'go on holding', 'hold'))} until {goal}", f"keep the following true until {goal} : {held}", f"{held} , and this goes on {self.pick(('holding', 'being so'))} until {goal}", f"{held} , with {self.pick(('this', 'both', 'all this'))} continuing until {goal}"]
            if not conditional(left):
                forms += [f"keep it true that {held} , until {goal}", f"it must {self.pick(('keep holding', 'hold', 'stay true'))} that {held} until {goal}", f"{held} until {goal}"]
            text = self.pick(forms)
        if now and self.roll() < 0.25:
            text = f"{self.pick(('starting now', 'from now on', 'from this moment', 'from now', 'beginning now'))} {self.pick((',', ',', ''))} {text}"
        if span is None:
            if self.roll() < (0.1 if self.casual else 0.3):
                ref = goal if self.roll() < 0.5 else self.pick(("that", "which", "this", "it", "the latter"))
                text += " " + self.pick((f", and {ref} must happen {self.pick(('eventually', 'at some point', 'at some time', 'sooner or later'))}", f", which must {self.pick(('happen', 'occur', 'be the case', 'come'))} {self.pick(('', 'eventually', 'at some point', 'at some time', 'sooner or later'))}", f", and {goal} {self.pick(('at some point', 'at some time', 'eventually'))}", ", something that must happen eventually", ", as it eventually must", ", as must happen at some point", f", and {self.state(right, 'must', 1) if is_state(right) else goal} at some point"))
            return text
        when = once(self.rng, span, now, self.casual)
        if self.roll() < 0.2 and f"until {goal}" in text:
            return text.replace(f"until {goal}", self.pick((f"until , {when} , {goal}", f"until {when} {goal}", f"until a moment {when} {self.pick(('when', 'at which'))} {goal}", f"until , {when} , we reach a point {self.pick(('where', 'at which', 'from which'))} {goal}", f"until a time {when} when {goal}", f"until {when} , {goal}")))
        return text + " " + self.pick((
            f", {when}", f", {when}", f", {when}", f"{when}", f", which must {self.pick(('happen', 'be', 'occur', 'be the case', 'come'))} {when}", f", and that must {self.pick(('happen', 'be', 'come'))} {when}",
            f", and {goal} {when}", f", something that must happen {when}", f", and that 's {when}", f", and that {self.pick(('is', 's', 'has to be', 'happens'))} {when}", f", and this must happen {when}", f", {when} at the latest" if span[0] == "0" else f", {when}",
        ))  # fmt: skip

    def _next(self, tree: Tree, mood: str) -> str:
        said = self.clause(tree[1], mood, False)
        when = self.pick(("in the next step", "at the next step", "immediately afterwards", "right after that", "at the next moment", "in the very next step", "one step later", "at the next instant", "in the next state", "next", "in the following step", "the moment after", "at the next time step", "immediately after", "in the next time step"))
        return self.pick((f"{when} {self.pick((',', ''))} {said}", f"{said} {when}")) if is_state(tree[1]) else f"{when} {said}"

    def _weak(self, tree: Tree, mood: str, now: bool) -> str:
        op, left, right = tree
        stay = "stay" if mood == "must" else mood
        if op == "W":
            held, goal = self.clause(left, stay, now), self.clause(right, "is", False)
            return self.pick((f"{held} until {goal} , if that ever happens", f"{held} until {goal} , if ever", f"{held} until {goal} , or for ever if that never happens", f"{held} , unless and until {goal}", f"{held} up to the moment , if any , when {goal}", f"{held} until {goal} or for ever", f"{held} for ever or until {goal}"))
        held, goal = self.clause(right, stay, now), self.clause(left, "is", False)
        if op == "R":
            return self.pick((f"{goal} releases {held}", f"{held} up to and including the moment , if any , when {goal}", f"{held} until and including the moment {goal} , if ever", f"{held} for ever , or through the moment when {goal}", f"{held} and may stop only after {goal}"))
        return self.pick((f"{held} up to and including the moment when {goal} , which must come", f"{held} until and including the moment when {goal}", f"{held} through the moment when {goal} , which must happen"))
