"""Rarer turns of lifted sentences: an adverb behind its member, a rule inside another, until told from its end.

An adverb behind a member covers that member alone; "then if", "and if", "or if" open a rule of their own that reaches
to the end; "the scenario in which ... is equivalent to" holds all between its two ends together.
"""

from __future__ import annotations

from assent_train.corpus.lifted_leaves import LiftedPart, Said
from assent_train.corpus.lifted_shapes import LiftedShapes
from assent_train.corpus.trees import Span, Tree


class LiftedTurns(LiftedPart):
    """Turns that are said less often than the shapes, each clear by its words."""

    def __init__(self, shapes: LiftedShapes) -> None:
        super().__init__(shapes.draw)
        self.shapes, self.free = shapes, shapes.free

    def turn(self) -> Said:
        self.draw.fixed = True
        roll = self.roll()
        if roll < 0.32:
            return self.nested()
        if roll < 0.5:
            return self.rule_until()
        if roll < 0.58:
            return self.scene_same()
        if roll < 0.64 or not self.timed:
            return self.keep_all()
        if roll < 0.82:
            return self.after_member()
        if roll < 0.92:
            return self.told_before()
        if roll < 0.955:
            return self.scene_held()
        return self.timed_chain() if roll < 0.985 else self.or_both()

    def end(self) -> tuple[str, Span]:
        """When an until ends, or nothing."""
        if not self.timed or self.roll() < 0.25:
            return "", None
        when, span, _ = self.draw.once()
        return ("", None) if span is None else (when, span)

    def condition(self) -> Said:
        roll = self.roll()
        if roll < 0.3:
            return self.draw.fact(0.5, True)
        if roll < 0.5:
            return self.shapes.marked(self.pick(("and", "or", "<->")))
        if roll < 0.75:
            return self.free.until_unit(plain=True)
        return self.free.with_time(*self.draw.atom())

    def nested(self) -> Said:
        """A rule as the second member: "or if ( P2 ) , then ( P3 )"."""
        op = self.pick(("->", "->", "and", "or", "or"))
        text, left = self.condition()
        while "," in text or text.startswith(("if ", "until ")):
            text, left = self.condition()
        cond, x = self.condition()
        while "," in cond or cond.startswith(("if ", "until ")):
            cond, x = self.condition()
        cons, y = (
            self.draw.fact(0.6, True) if self.roll() < 0.7 else self.shapes.marked(self.pick(("and", "or")))
        )
        word = self.words("nested_word")
        if op == "->":
            said = self.words("nested_then", text=text, word=word, cond=cond, cons=cons)
        else:
            either = "either " if op == "or" and left[0] != "or" and self.roll() < 0.4 else ""
            link = self.words("nested_and") if op == "and" else self.words("nested_or")
            said = self.words(
                "nested",
                text=either + text,
                either=op == "or" and not either,
                link=link,
                word=word,
                cond=cond,
                cons=cons,
            )
        return said, (op, left, ("->", x, y))

    def rule_until(self) -> Said:
        """If P1 , then P2 until P3: the rule holds until then."""
        (a, x), (b, y) = self.draw.atom(), self.draw.atom()
        c, z = (
            self.draw.fact(0.5, True) if self.roll() < 0.7 else self.shapes.marked(self.pick(("and", "or")))
        )
        when, span = self.end()
        text, tree = self.words("rule_until", a=a, b=b, c=c, when=when), ("U", span, ("->", x, y), z)
        if self.roll() < 0.2:
            text, tree, _ = self.free.attach(text, tree, False)
        return text, tree

    def scene_same(self) -> Said:
        """The scenario in which P1 until P2 is equivalent to P3, alone or as a consequence."""
        if self.roll() < 0.6:
            text, left = self.free.until_unit(plain=True)
        else:
            text, left = self.shapes.chain_of_three()
        c, z = self.draw.fact(0.6, True) if self.roll() < 0.6 else self.shapes.marked()
        if "," in text or text.startswith(("until ", "if ")):
            return self.rule_until()
        said, tree = self.words("scene_same", text=text, c=c), ("<->", left, z)
        if self.roll() < 0.4:
            cond, x = self.draw.fact(0.5, True)
            return f"if {cond} , then {said}", ("->", x, tree)
        return said, tree

    def keep_all(self) -> Said:
        """P1 , P2 and P3 keep until P4."""
        facts = [self.draw.atom() for _ in range(3)]
        names = " , ".join(t for t, _ in facts[:2]) + f" {self.words('listing_names')} {facts[2][0]}"
        c, z = self.draw.fact(0.5, True)
        when, span = self.end()
        held: Tree = ("and", *(x for _, x in facts))
        return self.words("keep_all", names=names, when=when, c=c), ("U", span, held, z)

    def behind(self) -> tuple[str, str, Span]:
        """An adverb that can stand behind a member."""
        while True:
            when, time, span = self.shapes.adverb()
            if span is not None and "case" not in when and "," not in when:
                return when, time, span

    def after_member(self) -> Said:
        """An adverb behind its member, and a second member without one."""
        when, time, span = self.behind()
        (a, x), (b, y) = self.draw.atom(), self.draw.fact(0.5, True)
        op = self.pick(("and", "and", "or"))
        left: Tree = (op, (time, span, x), y)
        if time == "F" and self.roll() < 0.4:
            (d, v), (c, z) = self.draw.atom(), self.draw.fact(0.5, True)
            text = f"{self.words('until_unit_held', p=a, left=a)} {d} {self.words('happens')}"
            said = self.words("after_until", text=text, when=when, op=op, b=b, c=c)
            return said, ("->", (op, ("U", span, x, v), y), z)
        if self.roll() < 0.6:
            c, z = self.draw.fact(0.5, True)
            return self.words("after_and", a=a, b=b, c=c, when=when, op=op), ("->", left, z)
        c, z = self.shapes.marked()
        return self.words("after_same", a=a, b=b, c=c, when=when, op=op), ("<->", left, z)

    def told_before(self) -> Said:
        """Before some point within ... P1 , and after this P2."""
        left, x = self.shapes.marked() if self.roll() < 0.7 else self.draw.fact(0.5, True)
        if self.roll() < 0.25:
            left, x = self.shapes.chain_of_three()
        right, y = self.draw.fact(0.5, True)
        span, part = self.draw.interval()
        where = self.words("told_before_where", part=part)
        moment = self.words("told_before_moment")
        text = self.words("told_before", moment=moment, where=where, left=left, right=right)
        tree: Tree = ("U", span, x, y)
        return (self.words("free", text=text), tree) if self.roll() < 0.25 else (text, tree)

    def scene_held(self) -> Said:
        """The scenario in which P1 is equivalent to P2 should continue until P3."""
        (a, x), (b, y) = self.draw.atom(), self.draw.atom()
        c, z = self.draw.fact(0.4, True)
        when, span = self.end()
        if self.roll() < 0.5:
            return self.words("scene_held_same", a=a, b=b, c=c, when=when), ("U", span, ("<->", x, y), z)
        op = self.pick(("and", "or"))
        return self.words("scene_held", a=a, b=b, c=c, op=op, when=when), ("U", span, (op, x, y), z)

    def timed_chain(self) -> Said:
        """A timed member, "then", and an equivalence without a comma: from left to right."""
        (a, x), (b, y), (c, z) = self.draw.atom(), self.draw.atom(), self.draw.atom()
        text, left = self.free.with_time(a, x)
        if self.roll() < 0.25 and not text.startswith(("it ", "make ", "do ")):
            text, left = self.words("unit", said=text), ("not", left)
        return self.words("timed_chain", text=text, b=b, c=c), ("<->", ("->", left, y), z)

    def or_both(self) -> Said:
        """ "Either P1 , or P2 and also P3": what comes without a comma is the last member's."""
        when, time, span = self.behind()
        (a, x), (b, y), (c, z) = self.draw.fact(0.5, True), self.draw.atom(), self.draw.fact(0.5, True)
        return self.words("or_both", a=a, b=b, c=c, when=when), ("or", x, ("and", (time, span, y), z))
