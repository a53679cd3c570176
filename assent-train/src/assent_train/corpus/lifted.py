"""Sentences over lifted propositions "( P1 )": verbose rules, free combinations, and short commands.

Scope rule of this style: members combine from left to right; a time adverb covers what follows it up to the next
comma; "if ... then" makes a rule for all times only with words that say so ("whenever", "in case that", "when",
"globally", "all of the following conditions ...").
"""

from __future__ import annotations

import random

from assent_train.corpus.engine import Wordings
from assent_train.corpus.trees import Span, Tree

Said = tuple[str, Tree]


def is_tight(text: str) -> bool:
    """One unit, without a comma or a connection that reaches over it."""
    return "," not in text and not text.startswith(("if ", "until ")) and " or else " not in text


class LiftedWriter:
    """Draws sentences of the lifted styles together with their formulas."""

    def __init__(self, rng: random.Random, timed: bool) -> None:
        self.rng = rng
        self.pick = rng.choice
        self.words = Wordings(rng)
        self.roll = rng.random
        self.timed = timed
        self.names = 0
        self.numbers = 0

    def sentence(self) -> tuple[str, Tree, str]:
        """Text, formula, family."""
        roll = self.roll()
        if not self.timed and roll < 0.2:
            text, tree = self.navigation()
            return text, tree, "short"
        if roll < (0.42 if self.timed else 0.5):
            text, tree = self.rule()
            family = "rule"
        else:
            text, tree = self.free()
            family = "free"
        return (text + " ." if self.roll() < 0.85 else text), tree, family

    def rule(self) -> Said:
        """A rule for all times; the verbose rules replace this plain one."""
        (a, x), (b, y) = self.fact(), self.fact()
        return f"whenever {a} , {b}", ("G", None, ("->", x, y))

    # -- leaves ----------------------------------------------------------------------------------------

    def atom(self) -> Said:
        if self.names > 1 and self.roll() < 0.02:
            i = self.rng.randint(1, self.names)
        else:
            self.names += 1
            i = self.names
        return f"( P{i} )", ("p", f"P{i}")

    def number(self) -> str:
        self.numbers += 1
        return f"N{self.numbers}"

    def fact(self, bare: float = 0.45, tight: bool = False) -> Said:
        """A literal in free style; ``tight`` where "it is not the case that" would reach too far."""
        text, tree = self.atom()
        if self.roll() < 0.17:
            return self.denied(text, tight), ("not", tree)
        return self.stated(text, bare), tree

    def stated(self, p: str, bare: float = 0.45) -> str:
        roll = self.roll()
        if roll < bare:
            return p
        if roll < 0.86:
            return self.words("stated", p=p)
        if roll < 0.91:
            return self.words("stated_2", p=p, part=lambda: self.words("stated_part"))
        return self.words("stated_3", p=p)

    def denied(self, p: str, tight: bool = False) -> str:
        roll = self.roll() * (0.75 if tight else 1.0)
        if roll < 0.5:
            return self.words("denied", p=p)
        if roll < 0.75:
            return self.words("denied_2", p=p) if roll < 0.71 else self.words("denied_3", p=p)
        return self.words("denied_4", p=p)

    # -- time ------------------------------------------------------------------------------------------

    def interval(self) -> tuple[Span, str]:
        """An interval and the words of its numbers: "N1 to N2 time units"."""
        low, high = self.number(), self.number()
        return (low, high), self.words("interval", low=low, high=high)

    def once(self) -> tuple[str, Span, str]:
        """An adverb for eventually: its words, its interval, "front" when it may only stand in front."""
        if not self.timed or self.roll() < 0.12:
            return self.words("once_7"), None, ""  # fmt: skip
        if self.roll() < 0.2:
            n, u = self.number(), self.words("units")
            return self.words("once_8", n=n, u=u), (n, "inf"), ""  # fmt: skip
        if self.roll() < 0.1:
            n, u = self.number(), self.words("units")
            return self.words("once_9", n=n, u=u), ("0", n), ""
        span, words = self.interval()
        return self.words("once_10", part=words), span, ""  # fmt: skip

    def always(self) -> tuple[str, Span]:
        if not self.timed or self.roll() < 0.12:
            return self.words("always_9"), None  # fmt: skip
        if self.roll() < 0.24:
            n, u = self.number(), self.words("units")
            return self.pick((f"for all time after {n} {u}", f"for all time after the next {n} {u}", f"from {n} {u} onward", f"always after {n} {u}", f"at all times after {n} {u}", f"for {n} {u} and beyond", f"from {n} {u} on",
                              f"for each time instant after the next {n} {u}", f"for all times from {n} {u} onward", f"for every moment from {n} {u} on", f"from the {n} time unit on", f"at all times {n} and beyond", f"starting from {n} {u}",
                              f"for each time instant from the next {n} {u} on", f"for all time steps after {n}", f"for times in [ {n} , infinite ]")), (n, "inf")  # fmt: skip
        if self.roll() < 0.12:
            n, u = self.number(), self.words("units")
            return self.words("always_10", n=n, u=u), ("0", n)
        span, words = self.interval()
        return self.words("always_11", part=words), span  # fmt: skip

    # -- free combinations -----------------------------------------------------------------------------

    def pair(self, op: str | None = None) -> Said:
        """Two facts joined tightly, no comma."""
        op = op or self.pick(("and", "and", "or", "or", "<->", "->"))
        if op in {"and", "or"}:
            (a, x), (b, y) = self.fact(0.8, True), self.fact(0.8, True)
            plain = "not" not in (x[0], y[0])
            roll = self.roll()
            if op == "and":
                if plain and roll < 0.35:
                    return self.words("pair_10", a=a, b=b), ("and", x, y)
                if roll < 0.45:
                    return self.words("pair_11", a=a, b=b), ("and", x, y)
                return self.words("pair_12", a=a, b=b), ("and", x, y)
            if roll > 0.93 and plain:
                return self.words("pair_13", a=a, b=b), ("or", x, y)
            either = "either " if roll < 0.4 else ""
            tail = (" " + self.words("pair_tail") + " ") if plain and self.roll() < 0.4 else ""
            return f"{either}{a} {self.pick(('or', 'or', 'or', 'or'))} {b}{tail}", ("or", x, y)
        (a, x), (b, y) = self.fact(0.75, True), self.fact(0.75, True)
        if op == "->":
            return self.words("pair_14", a=a, b=b, when1=a.endswith(')'), when2=a.endswith(')') and b.endswith(')'), when3=a.endswith(')') and b.endswith(')') and a.startswith('(') and b.startswith('(')), ("->", x, y)  # fmt: skip
        return self.words("pair_15", a=a, b=b), ("<->", x, y)  # fmt: skip

    def timed_unit(self) -> Said:
        """A temporal operator over a fact or a pair."""
        (said, tree) = self.fact(0.5) if self.roll() < 0.72 else self.pair()
        simple = tree[0] in {"p"}
        p = said if simple else ""
        if self.roll() < 0.52:
            when, span, _ = self.once()
            formula: Tree = ("F", span, tree)
            if simple:
                p = f"( {tree[1]} )"
                return self.words("timed_unit", when=when, said=said, p=p, part='' if span is None else when), formula  # fmt: skip
            return self.words("timed_unit_2", when=when, said=said), formula
        when, span = self.always()
        formula = ("G", span, tree)
        if simple:
            p = f"( {tree[1]} )"
            if "case" in when or self.roll() < 0.3:
                return f"{when} {said}", formula
            return self.words("timed_unit_3", when=when, said=said, when1=span or not when.startswith('always'), p=p, part='' if span is None else when), formula  # fmt: skip
        return self.words("timed_unit_4", when=when, said=said), formula

    def until_unit(self) -> Said:
        left, x = (
            self.fact(0.5, True) if self.roll() < 0.55 else self.pair()
        )  # a denial in front covers the whole
        right, y = (
            self.fact(0.5)
            if self.roll() < 0.72
            else self.pair(self.pick(("and", "or", "and", "or", "<->", "->")))
        )
        span: Span = None
        when = ""
        if self.timed and self.roll() < 0.75:
            when, span, _ = self.once()
        formula: Tree = ("U", span, x, y)
        if self.roll() < 0.08:
            when = (
                when or self.once()[0]
                if not self.timed or span is not None
                else self.words("until_unit_when")
            )
            return self._before(when, left, right), formula
        if span is None:
            when = ""
        some = (
            when if when.startswith(("at", "some", "during", "within", "between", "after", "for")) else when
        )
        if x[0] == "p":
            p = f"( {x[1]} )"
            held = self.words("until_unit_held", p=p, left=left)
        else:
            held = self.words("until_unit_held_2", left=left)
        if when.startswith("at some point") and self.roll() < 0.3:
            some = when.replace("at some point", "at some other point", 1)
        elif span is None and self.roll() < 0.08:
            some = when = self.words("until_unit_some")
        if x[0] in {"p", "and", "or"} and self.roll() < 0.12:
            held = self.words("until_unit_held_3", left=left)
        if self.roll() < 0.1 and span is None and not when:
            keep = self.words("until_unit_keep", left=left)
            return f"until {right} , {keep}", formula
        if not when:
            return f"{held} {right}", formula
        return self.words("until_unit", held=held, some=some, right=right), formula

    def _before(self, when: str, left: str, right: str) -> str:
        """until, told from its end."""
        then = self.words("before_then")
        return self.words("before", when=when, right=right, then=then, left=left)

    def unit(self) -> Said:
        roll = self.roll()
        if roll < 0.32:
            return self.fact()
        if roll < 0.62:
            return self.pair()
        if roll < (0.86 if self.timed else 0.78):
            return self.timed_unit()
        if roll < 0.95:
            return self.until_unit()
        if self.roll() < 0.35:
            said, tree = self.until_unit() if self.roll() < 0.65 else self.timed_unit()
            return (
                (said, tree)
                if said.startswith(("if ", "it is ", "it should"))
                else (self.words("unit", said=said), ("not", tree))
            )
        said, tree = self.pair(self.pick(("and", "or", "<->", "->")))
        if tree[0] == "<->" and self.roll() < 0.5:
            (a, x), (b, y) = self.atom(), self.atom()
            return self.words("unit_2", a=a, b=b), ("not", ("<->", x, y))
        return self.words("unit_3", said=said), ("not", tree)

    def free(self) -> Said:
        """A unit, and up to four more joined from the left."""
        roll = self.roll()
        if roll < 0.05:
            return self.listing()
        if roll < 0.07:
            return self.conditions()
        text, tree = self.unit()
        if tree[0] in {"p", "not"} and roll < 0.1:
            text, tree = self.timed_unit()
        steps = self.pick((1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 4))
        if tree[0] not in {"p", "not"} and self.roll() < 0.08:
            steps = 0
        lead = self.roll()
        conditional = False
        for k in range(steps):
            text, tree, used = self.attach(text, tree, k == 0)
            conditional = conditional or used
        if lead < 0.14:
            return self.words("free", text=text), tree
        joined = steps and tree[0] in {"and", "or", "U", "<->"} and not conditional
        if (
            joined
            and lead < (0.32 if " until " in text else 0.2)
            and not text.startswith(("if", "until", "either", "make sure"))
        ):
            # "if" or "in case that" without "then" says nothing
            return self.words("free_2", text=text), tree
        if lead > 0.95 and is_tight(text) and tree[0] in {"and", "or"}:
            return self.words("free_3", text=text), tree
        return text, tree

    def attach(self, text: str, tree: Tree, first: bool) -> tuple[str, Tree, bool]:
        """One more member, joined to all that was said; whether the sentence now is an if-then."""
        op = self.pick(("and", "and", "or", "or", "->", "->", "<->", "U"))
        if op == "->":
            return *self._then(text, tree), True
        if op == "<->":
            return *self._same(text, tree), False
        if op == "U":
            return self._hold(text, tree)
        other, right = self.unit() if self.roll() < 0.8 else self.either()
        if op == "and":
            link = self.words("attach_link")
            return self.words("attach", text=text, link=link, other=other), ("and", tree, right), False
        either = "either " if first and self.roll() < 0.4 and not text.startswith("either") else ""
        link = self.words("attach_link_2")
        return f"{either}{text} {link} {other}", ("or", tree, right), False

    def _then(self, text: str, tree: Tree) -> Said:
        other, right = self.unit()
        formula: Tree = ("->", tree, right)
        if text.startswith("if "):
            return self.words("then", text=text, other=other), formula
        if tree[0] == "F" and tree[1] is None and text.startswith("at some"):
            text = (
                "eventually " + text.split(" ", 3)[3]
                if text.startswith(("at some point ", "at some time "))
                and not text.startswith(("at some point in", "at some point during", "at some time in"))
                else text
            )
        point = (
            (" " + self.words("then_point") + " ")
            if tree[0] in {"and", "or", "U", "<->"} and not text.startswith("until")
            else ""
        )
        should = " " + self.words("then_should") + " "
        forms = 16 * [lambda: self.words("then_2", point=point, text=text, should=should, other=other)]  # fmt: skip
        if tree[0] in {"p", "not"}:
            forms += 3 * [lambda: self.words("then_3", text=text, other=other)]
        return self.pick(forms)(), formula

    def _same(self, text: str, tree: Tree) -> Said:
        other, right = self.unit()
        formula: Tree = ("<->", tree, right)
        forms = 12 * [lambda: self.words("same", text=text, other=other)]
        if not text.startswith("if "):
            forms += 7 * [lambda: self.words("same_2", text=text, other=other)]
        if is_tight(text):
            forms += [lambda: self.words("same_4", text=text, other=other)] * 3 + 3 * [
                lambda: self.words("same_3", text=text, other=other)
            ]
            if tree[0] in {"p", "not", "and", "or"}:
                forms += [lambda: self.words("same_6", text=text, other=other)] * 3 + 6 * [
                    lambda: self.words("same_5", text=text, other=other)
                ]
        return self.pick(forms)(), formula

    def _hold(self, text: str, tree: Tree) -> tuple[str, Tree, bool]:
        """... and all this holds until."""
        other, right = self.fact(0.5) if self.roll() < 0.75 else self.pair()
        span: Span = None
        when = ""
        if self.timed and self.roll() < 0.7:
            when, span, _ = self.once()
            when = "" if span is None else when
        if when.startswith("at some point") and self.roll() < 0.3:
            when = when.replace("at some point", "at some other point", 1)
        formula: Tree = ("U", span, tree, right)
        if tree[0] in {"p", "and", "or"} and is_tight(text) and self.roll() < 0.35:
            return self.words("hold_4", text=text, when=when, other=other), formula, True
        hold = self.words("hold_hold")
        return f"{text} {hold} {when} {other}", formula, False

    def either(self) -> Said:
        (a, x), (b, y) = self.fact(0.6), self.fact(0.6)
        return f"either {a} or {b}", ("or", x, y)

    def listing(self) -> Said:
        count = self.pick((2, 3, 3, 4))
        facts = [self.atom() for _ in range(count)]
        names = (
            " , ".join(t for t, _ in facts[:-1]) + (" " + self.words("listing_names") + " ") + facts[-1][0]
        )
        if self.roll() < 0.4:
            ors = (
                " , ".join(t for t, _ in facts[:-1]) + (" " + self.words("listing_ors") + " ") + facts[-1][0]
            )
            happens = self.words("listing_happens")
            return self.words("listing", happens=happens, ors=ors, names=names), (
                "or",
                *(x for _, x in facts),
            )
        return self.words("listing_2", names=names), ("and", *(x for _, x in facts))

    def conditions(self) -> Said:
        """Two conditions, each with its own if."""
        (a, x), (b, y), (c, z) = self.fact(0.5, True), self.fact(0.5, True), self.unit()
        both = self.words("conditions_both", a=a, b=b, c=c, when1=is_tight(c))
        return both, ("->", ("and", x, y), z)

    # -- short commands --------------------------------------------------------------------------------

    def navigation(self) -> Said:
        def unit() -> Said:
            p, x = self.atom()
            roll = self.roll()
            if roll < 0.3:
                return p, x
            if roll < 0.55:
                return self.words("unit_4", p=p), ("F", None, x)
            if roll < 0.7:
                return self.words("unit_5", p=p), ("G", None, x)
            if roll < 0.82:
                return self.words("unit_6", p=p), ("G", None, ("F", None, x))
            if roll < 0.9:
                return f"never {p}", ("G", None, ("not", x))
            return self.words("unit_7", p=p), ("not", x)

        (a, x), (b, y) = unit(), unit()
        op = self.pick(("and", "or", "->", "->", "U"))
        if op in {"and", "or"}:
            return f"{a} {op} {b}", (op, x, y)
        if op == "U":
            return f"{a} until {b}", ("U", None, x, y)
        return self.words("navigation", a=a, b=b), ("->", x, y)
