"""More ways to say operators in a row: every nesting as different engineers would put it.

Each wording names both operators: an instant or a period that the outer one picks, and what follows, lasts or comes
from there. What stands under the innermost one ends the clause.
"""

from __future__ import annotations

import re

from assent_train.corpus.plan_moments import PlanMoments
from assent_train.corpus.relations import predicate
from assent_train.corpus.times import duration
from assent_train.corpus.trees import Span, Tree, is_literal, is_state

# A bare "during" or "from N1 to N2" is all of it, a bare "in the first" one moment of it.
_ALL = re.compile(r"\bduring\b|(?<!interval )(?<!window )\bfrom (time )?(0|N\d+) (to|-|–)|\bfrom now (to|until)\b|\bbetween (0|now) and\b")
_ONE = re.compile(r"\b(in|within|inside) the\b|\bbetween\b")
_SAYS_ONE = re.compile(r"\bsome(time|where)?\b|\bonce\b|\b(a|an|one) (moment|time|point|instant)|\bat least\b|\bever\b|\bcome|\bgoing\b|\bhappens?\b|\bdue\b|\bgets?\b")
_SAYS_ALL = re.compile(r"\b(all|every|each|any|always|continuously|constantly|permanently|throughout|whole|entire|never|no|keep|kept|stays?|remains?)\b")


def is_bond(tree: Tree) -> bool:
    """A relation or its negation: it can be said as a noun ("the cup being left of the jar")."""
    return bool((tree[1] if tree[0] == "not" else tree)[0] == "rel")


class PlanRows(PlanMoments):
    """Clauses for a row of temporal operators, the less common half."""

    # -- instants and moments ------------------------------------------------------------------------------

    def seconds(self) -> str:
        return self.words("seconds")

    def instant(self, span: Span, now: bool) -> str:
        """ "instant of the first N1 seconds": the noun that "each" goes with."""
        noun = self.words("instant_noun")
        if span is None:
            return self.words("instant", noun=noun) if now else self.words("instant_2", noun=noun)
        low, high = span
        if low == "0":
            d = duration(self.rng, high, self.casual)
            if now:
                return self.words("instant_3", noun=noun, d=d)
            return self.words("instant_4", noun=noun, d=d)
        if high == "inf":
            return f"{noun} at least {duration(self.rng, low, self.casual)} {'from now' if now else 'later'}"
        s, u = f"{low} to {high}", self.seconds()
        if now:
            return self.words("instant_5", noun=noun, s=s, u=u, low=low, high=high)
        return self.words("instant_6", noun=noun, s=s, u=u, low=low, high=high)

    def each_of(self, span: Span, now: bool) -> str:
        if self.roll() < 0.75:
            return super().each_of(span, now)
        return self.words("each_of_7", instant=lambda: self.instant(span, now))

    def _common(self, span: Span, now: bool) -> str:
        if span is None or span[1] == "inf" or self.roll() < 0.8:
            return super()._common(span, now)
        low, high = span
        d, u = duration(self.rng, high, self.casual), self.seconds()
        if low == "0":
            if now:
                return self.words("common_5", d=d)
            return self.words("common_6", high=high, u=u, d=d)
        if now:
            return self.words("common_7", low=low, high=high, u=u)
        return self.words("common_8", low=low, high=high, u=u)

    def moment(self, span: Span, mood: str, now: bool) -> str:
        if self.roll() < 0.78:
            return super().moment(span, mood, now)
        must = mood in {"must", "stay"}
        what, when = self.words("points"), self.window(span, now)
        if not when:
            when = self.words("moment_when")
        an = "an" if what == "instant" else "a"
        if must:
            return self.words("moment_6", when=when, an=an, what=what, span=span, part=when if span else '', when1=span is None)  # fmt: skip
        return self.words("moment_7", when=when, an=an, what=what)

    def some_moment(self, span: Span, now: bool) -> str:
        """ "some moment in the first N1 seconds", without a verb."""
        some = self.words("some_moment_some") + " " + self.words("some_moment_some_2")
        if span is None:
            return self.words("some_moment", some=some) if now else self.words("some_moment_2", some=some)
        return f"{some} {self._common(span, now)}"

    def being(self, tree: Tree) -> str:
        return self.literal(tree, "being")

    def period(self, number: str) -> str:
        d = duration(self.rng, number, False)
        return self.words("period", number=number, d=d)

    def due(self, tree: Tree, must: bool, when: str) -> str:
        """A relation that is still ahead at a moment."""
        atom = tree[1] if tree[0] == "not" else tree
        no = "not " if tree[0] == "not" else ""
        ahead = self.words("due_ahead")
        return f"the {atom[2][0]} {'must be' if must else 'is'} {ahead} {no}{predicate(self, atom)} {when}"

    # -- one moment or all of them ---------------------------------------------------------------------------

    def last(self, tree: Tree, mood: str, now: bool) -> str:
        for _ in range(8):
            said = super().last(tree, mood, now)
            if self._plain(tree[0], said):
                break
        return said

    def lead(self, tree: Tree, mood: str, now: bool) -> str:
        for _ in range(8):
            said = super().lead(tree, mood, now)
            if self._plain(tree[0], said):
                break
        return said

    def _plain(self, op: str, said: str) -> bool:
        """Says whether one moment is meant or all of them."""
        if op == "F":
            return not _ALL.search(said) or bool(_SAYS_ONE.search(said))
        return not _ONE.search(said) or bool(_SAYS_ALL.search(said) or _ALL.search(said))

    # -- rows ------------------------------------------------------------------------------------------------

    def row(self, tree: Tree, mood: str, now: bool) -> str:
        inner = tree[2]
        if is_state(inner) or self.roll() < 0.52:
            return super().row(tree, mood, now)
        must = mood in {"must", "stay"}
        if tree[0] == "F":
            return self._f_f(tree, inner, must, now) if inner[0] == "F" else self._f_g(tree, inner, must, now)
        return self._g_f(tree, inner, must, now) if inner[0] == "F" else self._g_g(tree, inner, must, now)

    def _hold(self, must: bool) -> str:
        return self.words("hold") if must else self.words("hold_2")

    def _f_f(self, tree: Tree, inner: Tree, must: bool, now: bool) -> str:
        span, arg = inner[1], inner[2]
        mood = "must" if must else "is"
        said = self.plan_or_state(arg, "is")
        at = self.words("f_f_at") if is_state(arg) else self.words("f_f_at_2")
        point, when = self.words("f_f"), self.once_when(tree[1], now)
        be = "must be" if must else "are"
        later = self.window(span, False)
        forms = 4 * [
            lambda: self.words(
                "f_f_2",
                some_moment=lambda: self.some_moment(tree[1], now),
                nested=lambda: self._nested(inner, mood),
                hold=lambda: self._hold(must),
                nested2=lambda: self._nested(inner, "is"),
                moment=lambda: self.moment(tree[1], mood, now),
                point=point,
                later=later,
                at=at,
                said=said,
            )
        ]
        if is_bond(arg):
            forms += (
                2 * [lambda: self.words("f_f_3", moment=lambda: self.moment(tree[1], mood, now), due=lambda: self.due(arg, False, self.once_when(span, False)), when=when, due2=lambda: self.due(arg, must, self.once_when(span, False)))] * 2
            )
            forms += [lambda: self.words("f_f_4", moment=lambda: self.moment(tree[1], mood, now), arg=lambda: self.being(arg), later=later)]
        if span is not None and span[0] == "0":
            d = duration(self.rng, span[1], False)
            forms += 3 * [lambda: self.words("f_f_5", when=when, be=be, d=d, point=point, at=at, said=said, period=lambda: self.period(span[1]), part="must open" if must else "opens", part2="must begin" if must else "begins")]
        elif span is not None:
            forms += 2 * [lambda: self.words("f_f_6", when=when, be=be, name=span[0], name2=span[1], seconds=self.seconds, point=point, at=at, said=said, moment=lambda: self.moment(tree[1], mood, now))]
        return self.pick(forms)()

    def _f_g(self, tree: Tree, inner: Tree, must: bool, now: bool) -> str:
        span, arg = inner[1], inner[2]
        mood = "must" if must else "is"
        when, state = self.once_when(tree[1], now), is_state(arg)
        forms = 2 * [lambda: self.words("f_g", some_moment=lambda: self.some_moment(tree[1], now), nested=lambda: self._nested(inner, mood), hold=lambda: self._hold(must), nested2=lambda: self._nested(inner, "is"))]
        if span is None:
            said, ever = self.plan_or_state(arg, "is"), self.words("forever")
            if not state:
                forms += [lambda: self.words("f_g_2", moment=lambda: self.moment(tree[1], mood, now), of_each=lambda: self._of_each(arg, True))] * 2
            forms += 4 * [
                lambda: self.words(
                    "f_g_3",
                    some_moment=lambda: self.some_moment(tree[1], now),
                    part=lambda: self.words("f_g_part", must=must),
                    said=said,
                    when=when,
                    part2="must become" if must else "becomes",
                    part3="must start" if must else "starts",
                    ever=ever,
                    part4="must begin" if must else "begins",
                )
            ]
            if arg[0] == "not" and is_bond(arg):
                never = self.amid(arg[1], "is", self.words("f_g_never"))
                forms += 2 * [lambda: self.words("f_g_4", moment=lambda: self.moment(tree[1], mood, now), never=never, some_moment=lambda: self.some_moment(tree[1], now))] * 2
            if is_bond(arg):
                atom = arg[1] if arg[0] == "not" else arg
                what = f"{'not ' if arg[0] == 'not' else ''}{predicate(self, atom)}"
                forms += 2 * [
                    lambda: self.words("f_g_5", name=atom[2][0], part="must" if must else "is", when=when, part2="be " if must else "", what=what, ever=ever, part3=lambda: self.words("f_g_part_2") if must else self.words("f_g_part_3"))
                ]
                forms += [lambda: self.words("f_g_6", moment=lambda: self.moment(tree[1], mood, now), arg=lambda: self.being(arg), ever=ever)]
                forms += [lambda: self.words("f_g_7", due=lambda: self.due(arg, must, ever), common=lambda: self._common(tree[1], now))] if tree[1] else []
        elif span[0] == "0":
            period = self.period(span[1])
            begin = self.words("f_g_begin") if must else self.words("f_g_begin_2")
            lead = self.words("f_g_lead", when=when, period=period, begin=begin)
            if state:
                said = self.state(arg, "is")
                forms += [lambda: self.words("f_g_8", lead=lead, said=said)] * 3
            else:
                forms += [lambda: self.words("f_g_9", lead=lead, of_each=lambda: self._of_each(arg, False))] * 5
            if is_bond(arg):
                d = duration(self.rng, span[1], False)
                forms += 3 * [
                    lambda: self.words("f_g_10", when=when, d=d, name=span[1], period=period, arg=lambda: self.being(arg), begin=begin, moment=lambda: self.moment(tree[1], mood, now), part=lambda: self.words("f_g_part_4", d=d, period=period), part2="must come" if must else "comes")
                ]
        else:
            stretch, said = f"{span[0]} to {span[1]} {self.seconds()}", self.plan_or_state(arg, "is")
            forms += [lambda: self.words("f_g_11", moment=lambda: self.moment(tree[1], mood, now), stretch=stretch, said=said)] * 2
            forms += [lambda: self.words("f_g_12", moment=lambda: self.moment(tree[1], mood, now), stretch=stretch, said=said)] if state else []
        return self.pick(forms)()

    def _of_each(self, tree: Tree, endless: bool) -> str:
        """A further F or G under a stretch, tied to its instants: "from every instant of which"."""
        each = self.words("of_each_each")
        if endless:  # a stretch without end, behind its first moment
            if is_bond(tree[2]) and tree[0] in {"F", "G"} and self.roll() < 0.4:
                return f"from which on , at {each} , {self.due(tree[2], False, self.once_when(tree[1], False))}" if tree[0] == "F" else self.words("of_each", each=each, last=lambda: self.last(tree, "is", False))
            return self.words("of_each_2", each=each, tree=lambda: self.plan_or_state(tree, "is"))
        forms = 2 * [lambda: self.words("of_each_3", each=each, tree=lambda: self.plan_or_state(tree, "is"))]
        if tree[0] in {"F", "G"}:
            forms += [lambda: self.words("of_each_4", each=each, followed=lambda: self._followed(tree, False))] * 3
        return self.pick(forms)()

    def _followed(self, tree: Tree, must: bool) -> str:
        """What an instant is followed by: the verb phrase for F or G."""
        op, span, arg = tree
        be = "must be" if must else "is"
        said, bond = self.plan_or_state(arg, "is"), is_bond(arg)
        if op == "F":
            at = self.words("f_f_at") if is_state(arg) else self.words("f_f_at_2")
            rel = self.window(span, False)
            what = self.being(arg) if bond and self.roll() < 0.6 else self.words("followed_what", at=at, said=said)
            forms = [lambda: self.words("followed_2", be=be, part=lambda: self.words("followed_part", rel=rel), what=what)] * 2 + [lambda: self.words("followed", part="must have" if must else "has", rel=rel, at=at, said=said)]
            if span is not None and span[0] == "0":
                forms += [lambda: self.words("followed_3", be=be, duration=lambda: duration(self.rng, span[1], False), at=at, said=said)]
            return self.pick(forms)()
        if span is None:
            if bond:
                return self.words("followed_4", be=be, arg=lambda: self.being(arg)) if self.roll() < 0.5 else self.words("followed_5", part="must be" if must else "is", arg=lambda: self.literal(arg, "is"))
            return self.words("followed_6", be=be, said=said)
        if span[0] == "0":
            d = duration(self.rng, span[1], False)
            if bond and self.roll() < 0.7:
                return self.words("followed_7", part=lambda: self.words("followed_part_2", be=be, must=must), part2=lambda: self.words("followed_part_3", d=d, name=span[1]), arg=lambda: self.being(arg))
            return self.words(
                "followed_8", part=lambda: self.words("followed_part_4", be=be, must=must), period=lambda: self.period(span[1]), part2=lambda: self.words("followed_part_5") if is_state(arg) else self.words("followed_part_6"), said=said
            )
        return self.words("followed_9", be=be, name=span[0], name2=span[1], seconds=self.seconds, said=said)

    def _g_f(self, tree: Tree, inner: Tree, must: bool, now: bool) -> str:
        span, arg = inner[1], inner[2]
        mood = "must" if must else "is"
        said = self.plan_or_state(arg, "is")
        at = self.words("f_f_at") if is_state(arg) else self.words("f_f_at_2")
        point, rel, each = (self.words("f_f"), self.window(span, False), self.each_of(tree[1], now))
        forms = 5 * [
            lambda: self.words(
                "g_f",
                instant=lambda: self.instant(tree[1], now),
                followed=lambda: self._followed(inner, must),
                each=each,
                part=lambda: self.words("g_f_part", must=must),
                point=point,
                rel=rel,
                at=at,
                said=said,
                nested=lambda: self._nested(inner, mood),
                when1=is_state(arg) and is_literal(arg),
                part2="must come" if must else "comes",
            )
        ]
        if is_bond(arg):
            forms += [lambda: self.words("g_f_2", each=each, due=lambda: self.due(arg, must, self.once_when(span, False)))] * 2
            a, _, rest = self.due(arg, must, self.once_when(span, False)).partition(" be " if must else " is ")
            forms += [lambda: self.words("g_f_3", a=a, part="be" if must else "is", each=each, rest=rest)]
        if span is not None and span[0] == "0":
            d = duration(self.rng, span[1], False)
            forms += [lambda: self.words("g_f_4", instant=lambda: self.instant(tree[1], now), part="may be" if must else "is", d=d, point=point, at=at, said=said)]
            if tree[1] is None and is_literal(arg):
                on = self.words("g_f_on") if now else self.words("g_f_on_2")
                forms += [lambda: self.words("g_f_5", on=on, arg=lambda: self.literal(arg, mood), d=d)] * 2
        return self.pick(forms)()

    def _g_g(self, tree: Tree, inner: Tree, must: bool, now: bool) -> str:
        span, arg = inner[1], inner[2]
        mood = "must" if must else "is"
        said, each = self.plan_or_state(arg, mood), self.each_of(tree[1], now)
        forms = 4 * [lambda: self.words("g_g", instant=lambda: self.instant(tree[1], now), followed=lambda: self._followed(inner, must), nested=lambda: self._nested(inner, mood), instant2=lambda: self.instant(span, False), said=said)]
        if span is None:
            forms += [lambda: self.words("g_g_2", each=each, said=said)]
        elif span[0] == "0":
            begin = self.words("g_g_begin") if must else self.words("g_g_begin_2")
            inside = self.words("g_g_inside") if is_state(arg) else self.words("followed_part_6")
            forms += [lambda: self.words("g_g_3", each=each, period=lambda: self.period(span[1]), begin=begin, inside=inside, arg=lambda: self.plan_or_state(arg, "is"))]
        if must and arg[0] == "rel" and span is not None:
            forms += [lambda: self.words("g_g_4", arg_keep=lambda: self.literal(arg, "keep"), stretch=lambda: self._stretch(span, False), each=each)]
        return self.pick(forms)()
