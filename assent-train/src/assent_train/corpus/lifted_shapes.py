"""Two lifted members, one of them with a time of its own: what the adverb covers, told by the comma.

An adverb covers the one member that follows it; it covers a pair only if a comma sets off what comes after the pair.
These sentences keep their brackets: without them people mean more by an adverb.
"""

from __future__ import annotations

from assent_train.corpus.lifted_free import LiftedFree, is_chained
from assent_train.corpus.lifted_leaves import LiftedPart, Said
from assent_train.corpus.trees import Span, Tree


class LiftedShapes(LiftedPart):
    """The commonest ways to put a pair and a member with a time side by side."""

    def __init__(self, free: LiftedFree) -> None:
        super().__init__(free.draw)
        self.free = free

    def shape(self) -> Said:
        self.draw.fixed = True
        roll = self.roll()
        if roll < 0.3:
            return self.member_first()
        if roll < 0.42:
            return self.adverb_first()
        if roll < 0.66:
            return self.member_last()
        if roll < 0.8:
            return self.adverb_over_pair()
        if roll < 0.86:
            return self.held_pair()
        if roll < 0.92:
            return self.chain()
        if roll < 0.96 or not self.timed:
            return self.point_over_pair()
        return self.time_passed()

    def joint(self) -> str:
        return self.pick(("and", "and", "or", "or", "->", "->", "<->"))

    def adverb(self) -> tuple[str, str, Span]:
        """Words of an adverb that can stand before "if", its operator, its interval."""
        while True:
            if self.roll() < 0.5:
                when, span, _ = self.draw.once()
                if span is not None or len(when.split()) > 3:
                    return when, "F", span
            else:
                when, span = self.draw.always()
                if span is not None or when.startswith("for "):
                    return when, "G", span

    def marked(self, op: str | None = None) -> Said:
        """A pair that is heard as one without a comma."""
        op = op or self.joint()
        (a, x), (b, y) = self.draw.fact(0.7, True), self.draw.fact(0.7, True)
        plain = "not" not in (x[0], y[0])
        bare = a.startswith("(") and b.startswith("(") and a.endswith(")") and b.endswith(")")
        bare = bare and plain
        said = {
            "and": lambda: self.words("marked_and", a=a, b=b, plain=plain, bare=bare),
            "or": lambda: self.words("marked_or", a=a, b=b, plain=plain, bare=bare),
            "->": lambda: self.words("marked_then", a=a, b=b, bare=bare),
            "<->": lambda: self.words("marked_same", a=a, b=b, bare=bare),
        }
        return said[op](), (op, x, y)

    def member(self) -> tuple[str, Tree, bool]:
        """A literal with a time of its own, or an until; whether one hears where it ends."""
        roll = self.roll()
        if roll < (0.38 if self.timed else 0.45):
            text, tree = self.free.until_unit(plain=True)
            if tree[2][0] == "p" and self.roll() < 0.15:  # of two facts: all of it is denied
                return self.words("unit", said=text), ("not", tree), False
            return text, tree, False
        p, x = self.draw.atom()
        if self.timed and roll < 0.45:  # "in the next N1 to N2 time units P1 is always true"
            span, part = self.draw.interval()
            return self.words("always_within", p=p, part=part), ("G", span, x), True
        if self.timed and roll < 0.46:
            n = self.draw.number()
            return self.words("always_beyond", p=p, n=n), ("G", (n, "inf"), x), True
        text, tree = self.free.with_time(p, x)
        return text, tree, True

    def member_first(self) -> Said:
        text, left, tight = self.member()
        op = self.joint()
        if op == "->" and self.roll() < 0.15:
            (a, x), (b, y) = self.draw.atom(), self.draw.atom()
            pair, right = self.words("marked_whenever", a=a, b=b), ("->", x, y)
            return f"if {text} , then {pair}", (op, left, right)
        pair, right = self.marked()
        said = {
            "and": lambda: self.words("first_and", text=text, pair=pair, tight=tight),
            "or": lambda: self.words("first_or", text=text, pair=pair, tight=tight),
            "->": lambda: self.words("first_then", text=text, pair=pair, comma=is_chained(right, pair)),
            "<->": lambda: self.words("first_same", text=text, pair=pair, tight=tight),
        }
        return said[op](), (op, left, right)

    def adverb_first(self) -> Said:
        """The adverb stands before the whole, and still is the first member's."""
        when, time, span = self.adverb()
        (a, x), op = self.draw.atom(), self.joint()
        pair, right = self.marked()
        said = {
            "and": lambda: self.words("adverb_and", when=when, a=a, pair=pair),
            "or": lambda: self.words("adverb_or", when=when, a=a, pair=pair),
            "->": lambda: self.words("adverb_then", when=when, a=a, pair=pair),
            "<->": lambda: self.words("adverb_same", when=when, a=a, pair=pair),
        }
        return said[op](), (op, (time, span, x), right)

    def member_last(self) -> Said:
        denied = self.roll() < 0.3
        op = self.pick(("->", "->", "<->", "and", "or")) if denied else self.joint()
        pair, left = self.draw.denied_atom() if denied else self.marked()
        text, right, _ = self.member()
        no_if = not pair.startswith(("if ", "when", "make sure"))
        point = no_if and not denied
        said = {
            "and": lambda: self.words("last_and", pair=pair, text=text),
            "or": lambda: self.words("last_or", pair=pair, text=text, no_if=no_if),
            "->": lambda: self.words("last_then", pair=pair, text=text, no_if=no_if, point=point),
            "<->": lambda: self.words("last_same", pair=pair, text=text, no_if=no_if),
        }
        return said[op](), (op, left, right)

    def adverb_over_pair(self) -> Said:
        """A comma after the pair: the adverb covers the pair and no more."""
        when, time, span = self.adverb()
        if self.roll() < 0.3:
            op = self.pick(("and", "or"))
            (a, x), (b, y), (c, z) = self.draw.atom(), self.draw.atom(), self.draw.fact(0.7, True)
            inner: Tree = (time, span, (op, x, y))
            if self.roll() < 0.35:
                return self.words("reach_if_same", when=when, a=a, b=b, c=c, op=op), ("<->", inner, z)
            return self.words("reach_if_then", when=when, a=a, b=b, c=c, op=op), ("->", inner, z)
        pair, tree = self.marked()
        if self.roll() < 0.12:
            pair, tree = self.words("unit_denied", said=pair), ("not", tree)
        c, z = self.draw.fact(0.6, True)
        op = self.joint()
        if (
            op == "or"
            and tree[0] in {"and", "->"}
            and not pair.startswith(("if ", "both "))
            and self.roll() < 0.3
        ):
            said = self.words("reach_either", when=when, pair=pair.replace(" , ", " "), c=c)
            return said, ("or", (time, span, tree), z)
        front = self.words("reach_front", when=when, pair=pair.replace(" , ", " "))
        ways = {
            "and": lambda: self.words("reach_and", front=front, c=c),
            "or": lambda: self.words("reach_or", front=front, c=c),
            "->": lambda: self.words("reach_then", front=front, c=c),
            "<->": lambda: self.words("reach_same", front=front, c=c),
        }
        return ways[op](), (op, (time, span, tree), z)

    def chain(self) -> Said:
        """Three members without a comma: from left to right; often a fourth."""
        text, tree = self.chain_of_three()
        if self.roll() < 0.6:
            text, tree, _ = self.free.attach(text, tree, False)
        return text, tree

    def chain_of_three(self) -> Said:
        (a, x), (b, y), (c, z) = self.draw.atom(), self.draw.atom(), self.draw.atom()
        first = self.pick(("and", "or", "->", "->", "<->", "<->"))
        second = self.pick([op for op in ("and", "or", "<->") if op != first])
        text = self.chained(first, a, b)
        return self.chained(second, text, c), (second, (first, x, y), z)

    def chained(self, op: str, text: str, b: str) -> str:
        said = {
            "and": lambda: self.words("chain_and", text=text, b=b),
            "or": lambda: self.words("chain_or", text=text, b=b),
            "->": lambda: self.words("chain_then", text=text, b=b),
            "<->": lambda: self.words("chain_same", text=text, b=b),
        }
        return said[op]()

    def held_pair(self) -> Said:
        """If P1 then P2, and this holds until P3; "at some point" says nothing here."""
        pair, tree = self.marked()
        if pair.startswith("if "):
            pair = self.words("held_if", rest=pair.removeprefix("if "))
            if self.roll() < 0.12:
                pair = pair.replace("then ", "then at some point ", 1)
        else:
            pair = self.words("held_front", pair=pair)
        text, whole, _ = self.free.hold(pair, tree)
        if self.roll() < 0.6:
            text, whole, _ = self.free.attach(text, whole, False)
        return text, whole

    def point_over_pair(self) -> Said:
        """A bare "at some point" over a pair says no more than the pair."""
        pair, left = self.marked(self.pick(("and", "or", "<->")))
        text, right, _ = self.member() if self.roll() < 0.6 else (*self.marked(), True)
        if self.roll() < 0.35:  # over one member it says what it says
            p, x = self.draw.atom()
            pair, left = self.words("stated", p=p), ("F", None, x)
        if self.roll() < 0.5:
            return self.words("point_and", pair=pair, text=text), ("and", left, right)
        return self.words("point_or", pair=pair, text=text), ("or", left, right)

    def time_passed(self) -> Said:
        """Until a time has passed, and then: until's own interval, and what ends it."""
        left, x = (
            self.draw.denied_atom() if self.roll() < 0.5 else self.marked(self.pick(("and", "or", "<->")))
        )
        span, part = self.draw.interval()
        if self.roll() < 0.35:
            n = self.draw.number()
            span, part = (n, "inf"), self.words("passed_least", n=n)
        right, y = self.marked() if self.roll() < 0.6 else self.draw.fact(0.5, True)
        return self.words("passed", left=left, part=part, right=right), ("U", span, x, y)
