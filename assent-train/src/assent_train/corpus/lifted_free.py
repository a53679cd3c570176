"""Free combinations of lifted propositions: members join from left to right."""

from __future__ import annotations

from assent_train.corpus.lifted_leaves import LiftedPart, Said
from assent_train.corpus.trees import Span, Tree


def is_tight(text: str) -> bool:
    """One unit, without a comma or a connection that reaches over it."""
    return "," not in text and not text.startswith(("if ", "until ")) and " or else " not in text


def is_chained(tree: Tree, text: str) -> bool:
    """An equivalence that without a comma in front would be joined to all before it."""
    return tree[0] == "<->" and not text.endswith(("equivalent", "equal")) and not text.startswith("the ")


class LiftedFree(LiftedPart):
    """Units with a time of their own, and how they are put side by side."""

    def pair(self, op: str | None = None) -> Said:
        """Two facts joined tightly, no comma."""
        op = op or self.pick(("and", "and", "or", "or", "<->", "->"))
        if op in {"and", "or"}:
            (a, x), (b, y) = self.draw.fact(0.8, True), self.draw.fact(0.8, True)
            plain = "not" not in (x[0], y[0])
            roll = self.roll()
            if op == "and":
                if plain and roll < 0.35:
                    return self.words("pair_both_hold", a=a, b=b), ("and", x, y)
                if roll < 0.45:
                    return self.words("pair_both", a=a, b=b), ("and", x, y)
                return self.words("pair_and", a=a, b=b), ("and", x, y)
            if roll > 0.93 and plain:
                return self.words("pair_do_either", a=a, b=b), ("or", x, y)
            either = "either " if roll < 0.4 else ""
            tail = (" " + self.words("pair_tail") + " ") if plain and self.roll() < 0.4 else ""
            return f"{either}{a} {self.pick(('or', 'or', 'or', 'or'))} {b}{tail}", ("or", x, y)
        if op == "<->" and self.roll() < 0.03:
            (a, x), (b, y) = self.draw.atom(), self.draw.atom()
            return self.words("pair_gerunds", a=a, b=b), ("<->", ("not", x), y)
        (a, x), (b, y) = self.draw.fact(0.75, True), self.draw.fact(0.75, True)
        if op == "->":
            return self.words(
                "pair_implies",
                a=a,
                b=b,
                when1=a.endswith(")"),
                when2=a.endswith(")") and b.endswith(")"),
                when3=a.endswith(")") and b.endswith(")") and a.startswith("(") and b.startswith("("),
            ), ("->", x, y)
        return self.words("pair_equivalent", a=a, b=b, when1=a.endswith(")")), ("<->", x, y)

    def timed_unit(self) -> Said:
        """A temporal operator over a fact or a pair; a comma would end its reach."""
        (said, tree) = self.draw.fact(0.5) if self.roll() < 0.72 else self.pair()
        return self.with_time(said.replace(" , then", " then"), tree)

    def with_time(self, said: str, tree: Tree) -> Said:
        simple = tree[0] in {"p"}
        p = said if simple else ""
        if self.roll() < 0.52:
            when, span, _ = self.draw.once()
            formula: Tree = ("F", span, tree)
            if simple:
                p = f"( {tree[1]} )"
                return self.words(
                    "timed_unit", when=when, said=said, p=p, part="" if span is None else when
                ), formula
            return self.words("timed_unit_joint", when=when, said=said), formula
        when, span = self.draw.always()
        formula = ("G", span, tree)
        if simple:
            p = f"( {tree[1]} )"
            if "case" in when or self.roll() < 0.3:
                return f"{when} {said}", formula
            return self.words(
                "timed_unit_always",
                when=when,
                said=said,
                when1=span or not when.startswith("always"),
                p=p,
                part="" if span is None else when,
            ), formula
        return self.words("timed_unit_always_joint", when=when, said=said), formula

    def until_unit(self, plain: bool = False) -> Said:
        """``plain``: of two facts, and without a clause of its own."""
        left, x = (
            self.draw.fact(0.5, True) if plain or self.roll() < 0.55 else self.pair()
        )  # a denial in front covers the whole
        right, y = (
            self.draw.fact(0.5, plain)
            if plain or self.roll() < 0.72
            else self.pair(self.pick(("and", "or", "and", "or", "<->", "->")))
        )
        span: Span = None
        when = ""
        if self.timed and y[0] == "p" and self.roll() < 0.06:
            return self._until_lasting(left, x, y)
        if self.timed and self.roll() < 0.75:
            when, span, _ = self.draw.once()
        formula: Tree = ("U", span, x, y)
        if self.roll() < 0.08 and not plain:
            when = (
                when or self.draw.once()[0]
                if not self.timed or span is not None
                else self.words("until_unit_when")
            )
            return self._before(when, left, right), formula
        if span is None:
            when = ""
        some = when
        if x[0] == "p":
            p = f"( {x[1]} )"
            held = self.words("until_unit_held", p=p, left=left)
        else:
            held = self.words("until_unit_held_short", left=left)
        if when.startswith("at some point") and self.roll() < 0.3:
            some = when.replace("at some point", "at some other point", 1)
        elif span is None and self.roll() < 0.08:
            some = when = self.words("until_unit_some")
        if x[0] in {"p", "and", "or"} and not plain and self.roll() < 0.12:
            held = self.words("until_unit_held_wait", left=left)
        if self.roll() < 0.1 and span is None and not when and not plain:
            keep = self.words("until_unit_keep", left=left)
            return f"until {right} , {keep}", formula
        if not when:
            return f"{held} {right}", formula
        return self.words("until_unit", held=held, some=some, right=right), formula

    def _until_lasting(self, left: str, x: Tree, y: Tree) -> Said:
        """until one that lasts: "for each time instant ..." is what ends it, never until's own window."""
        p = f"( {y[1]} )"
        if self.roll() < 0.2:
            span, part = self.draw.interval()
            return self.words("until_unit_for", left=left, p=p, part=part), ("U", span, x, y)
        while True:
            when, span = self.draw.always()
            if span is not None and any(word in when for word in ("each ", "every ", "for all ")):
                break
        right = self.words("until_unit_lasting", p=p, when=when)
        held = self.words("until_unit_held_short", left=left)
        return f"{held} {right}", ("U", None, x, ("G", span, y))

    def _before(self, when: str, left: str, right: str) -> str:
        """until, told from its end."""
        then = self.words("before_then")
        return self.words("before", when=when, right=right, then=then, left=left)

    def unit(self) -> Said:
        roll = self.roll()
        if roll < 0.32:
            return self.draw.fact()
        if roll < 0.62:
            return self.pair()
        if roll < (0.86 if self.timed else 0.78):
            return self.timed_unit()
        if roll < 0.95:
            return self.until_unit()
        if self.roll() < 0.35:
            said, tree = self.until_unit() if self.roll() < 0.65 else self.timed_unit()
            if said.startswith(("if ", "it is ", "it should")):
                return said, tree
            if tree[0] == "U" and tree[2][0] not in {"p", "not"}:  # a pair before "until" is denied alone
                return self.words("unit", said=said), ("U", tree[1], ("not", tree[2]), tree[3])
            return self.words("unit", said=said), ("not", tree)
        said, tree = self.pair(self.pick(("and", "or", "<->", "->")))
        if tree[0] == "<->" and self.roll() < 0.5:
            (a, x), (b, y) = self.draw.atom(), self.draw.atom()
            return self.words("unit_not_equivalent", a=a, b=b), ("not", ("<->", x, y))
        return self.words("unit_denied", said=said), ("not", tree)

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
            return self.words("free_if", text=text), tree
        if lead > 0.95 and is_tight(text) and tree[0] in {"and", "or"}:
            return self.words("free_scenario", text=text), tree
        return text, tree

    def attach(self, text: str, tree: Tree, first: bool) -> tuple[str, Tree, bool]:
        """One more member, joined to all that was said; whether the sentence now is an if-then."""
        op = self.pick(("and", "and", "or", "or", "->", "->", "<->", "U"))
        if op == "->":
            return *self._then(text, tree), True
        if op == "<->":
            return *self._same(text, tree), False
        if op == "U":
            return self.hold(text, tree)
        other, right = self.unit() if self.roll() < 0.8 else self.either()
        if op == "and":
            link = self.words("attach_link")
            if tree[0] == "or" and "," in text and link[0] not in ",;.":
                link = f", {link}"  # without a comma it is the last member's
            said = self.words("attach", text=text, link=link, other=other)
            return said, self._joined("and", text, tree, link, right), False
        either = "either " if first and self.roll() < 0.4 and not text.startswith("either") else ""
        link = self.words("attach_or")
        said = f"{either}{text}"
        return f"{said} {link} {other}", self._joined("or", said, tree, link, right), False

    def _joined(self, op: str, text: str, tree: Tree, link: str, right: Tree) -> Tree:
        """Both members; "it is not the case that" in front reaches to the next comma."""
        whole = text.startswith("it ") and tree[0] == "not" and tree[1][0] not in {"p", "not"}
        if not whole or "," in text or link[0] in ",;":
            return (op, tree, right)
        self.draw.fixed = True
        return ("not", (op, tree[1], right))

    def _then(self, text: str, tree: Tree) -> Said:
        other, right = self.unit()
        formula: Tree = ("->", tree, right)
        told = " until " in other and "until then" not in other and not other.startswith(("if", "it"))
        if tree[0] == "p" and right[0] == "U" and told:  # from left to right: the rule holds until then
            self.draw.fixed = True
            formula = ("U", right[1], ("->", tree, right[2]), right[3])
        if text.startswith("if "):
            return self.words("then", text=text, other=other, comma=is_chained(right, other)), formula
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
        comma = is_chained(right, other)
        forms = 16 * [
            lambda: self.words("then_if", point=point, text=text, should=should, other=other, comma=comma)
        ]
        if tree[0] in {"p", "not"}:
            forms += 3 * [lambda: self.words("then_implies", text=text, other=other)]
        if not text.startswith(("either ", "until ")) and formula[0] == "->":
            forms += 2 * [lambda: self.words("then_after", text=text, other=other)]
        return self.pick(forms)(), formula

    def _same(self, text: str, tree: Tree) -> Said:
        other, right = self.unit()
        formula: Tree = ("<->", tree, right)
        forms = 12 * [lambda: self.words("same", text=text, other=other)]
        if not text.startswith("if "):
            forms += 7 * [lambda: self.words("same_vice_versa", text=text, other=other)]
        if is_tight(text):
            forms += [lambda: self.words("same_scenario", text=text, other=other)] * 3 + 3 * [
                lambda: self.words("same_case", text=text, other=other)
            ]
            bare = right[0] in {"and", "or", "->", "<->"} and not other.startswith(
                ("either ", "both ", "if ")
            )
            reaches = text.startswith("it ") and tree[0] == "not" and tree[1][0] not in {"p", "not"}
            if reaches and tree[1][0] == "U" and self.roll() < 0.5:
                self.draw.fixed = True  # "it is not the case that" reaches to the next comma
                return self.words("same_iff", text=text, other=other), ("not", ("<->", tree[1], right))
            if (
                tree[0] in {"p", "not", "and", "or"} and not bare and not reaches
            ):  # "P1 is the same as P2 and P3": a chain
                forms += [lambda: self.words("same_iff", text=text, other=other)] * 3 + 6 * [
                    lambda: self.words("same_equivalent", text=text, other=other)
                ]
        return self.pick(forms)(), formula

    def hold(self, text: str, tree: Tree) -> tuple[str, Tree, bool]:
        """... and all this holds until."""
        other, right = self.draw.fact(0.5) if self.roll() < 0.75 else self.pair()
        span: Span = None
        when = ""
        if self.timed and self.roll() < 0.7:
            when, span, _ = self.draw.once()
            when = "" if span is None else when
        if when.startswith("at some point") and self.roll() < 0.3:
            when = when.replace("at some point", "at some other point", 1)
        formula: Tree = ("U", span, tree, right)
        if self.roll() < 0.06:  # a rule ends it
            (a, x), (b, y) = self.draw.atom(), self.draw.atom()
            end = self.words("hold_rule", when=when, a=a, b=b)
            return f"{text} {self.words('hold_hold')} {end}", ("U", span, tree, ("->", x, y)), False
        if tree[0] in {"p", "and", "or"} and is_tight(text) and self.roll() < 0.35:
            return self.words("hold_if_until", text=text, when=when, other=other), formula, True
        hold = self.words("hold_hold")
        return f"{text} {hold} {when} {other}", formula, False

    def either(self) -> Said:
        (a, x), (b, y) = self.draw.fact(0.6), self.draw.fact(0.6)
        return f"either {a} or {b}", ("or", x, y)

    def listing(self) -> Said:
        count = self.pick((2, 3, 3, 4))
        facts = [self.draw.atom() for _ in range(count)]
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
        return self.words("listing_all", names=names), ("and", *(x for _, x in facts))

    def conditions(self) -> Said:
        """Two conditions, each with its own if."""
        (a, x), (b, y), (c, z) = self.draw.fact(0.5, True), self.draw.fact(0.5, True), self.unit()
        both = self.words("conditions_both", a=a, b=b, c=c, when1=is_tight(c))
        return both, ("->", ("and", x, y), z)
