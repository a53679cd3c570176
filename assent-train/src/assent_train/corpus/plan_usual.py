"""Two temporal operators as most people say them: a moment, and from it a stretch, and in it another moment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assent_train.corpus.part import SpeechPart
from assent_train.corpus.trees import Tree, is_literal, is_state

if TYPE_CHECKING:
    from assent_train.corpus.plan_words import Plans


LATER = (
    "eventually",
    "eventually",
    "eventually",
    "sooner or later",
    "sooner or later",
    "at some later time",
    "at some point after that",
    "then or later",
    "at some time from then on",
    "later on",
    "in the end",
    "at some later point",
    "at that moment or later",
    "at some point",
)


class UsualPairs(SpeechPart):
    """One operator inside another."""

    speech: Plans

    def moment_then(self, tree: Tree, inner: Tree, mood: str, now: bool) -> str:
        """F F: a moment, and another one counted from it."""
        span, arg = inner[1], inner[2]
        head = self.speech.plan_moments.moment(tree[1], mood, now)
        roll = self.roll()
        if is_literal(arg) and arg[0] != "dist" and arg[0] != "not" and roll < 0.25:
            rel = self.speech.plan_times.window(span, False) if span else self.words("moment_then_rel")
            return self.words(
                "moment_then",
                head=head,
                part=lambda: self.words("moment_then_part", rel=rel),
                arg_being=lambda: self.speech.literal(arg, "being"),
            )
        if span is not None and span[0] == "0" and roll < 0.42:
            d = self.speech.times.measured(span[1])
            return f"{head} within {d} of which {self.speech.rows.plan_or_state(arg, 'is')}"
        if span is not None and span[0] != "0" and roll < 0.42:
            return self.words(
                "moment_then_between",
                head=head,
                name=span[0],
                name2=span[1],
                arg=lambda: self.speech.rows.plan_or_state(arg, "is"),
            )
        if roll < 0.8 or not is_state(arg):
            link = self.words("moment_then_link")
            return f"{head} {link} {self.speech.rows.nested(inner, 'is')}"
        hold = self.words("moment_then_hold") if mood == "must" else self.words("moment_then_hold_fact")
        rel = self.speech.times.once_then(span) if span else self.pick(LATER[:9])
        return self.words(
            "moment_then_hold_later",
            once_when=lambda: self.speech.plan_times.once_when(tree[1], now),
            hold=hold,
            rel=rel,
            arg=lambda: self.speech.state(arg, "is"),
        )

    def moment_stretch(self, tree: Tree, inner: Tree, mood: str, now: bool) -> str:
        """F G: a stretch that begins at a moment."""
        span, arg = inner[1], inner[2]
        must = mood in {"must", "stay"}
        roll = self.roll()
        when = self.speech.plan_times.once_when(tree[1], now)
        rel = is_literal(arg) and arg[0] == "rel"
        if span is not None and span[0] == "0" and roll < 0.45:
            return self._period(inner, must, when, roll)
        if span is None and rel and roll < 0.4:
            what = self.speech.relations.predicate(arg)
            ever = self.words("moment_stretch_ever")
            a = f"the {arg[2][0]}"
            return self.words(
                "moment_stretch_settles",
                when=when,
                a=a,
                part="must settle" if must else "settles",
                ever=ever,
                what=what,
                part2="must end" if must else "ends",
                part3="must become" if must else "becomes",
                part4="must" if must else "will",
                part5="must come" if must else "comes",
                part6="must get" if must else "gets",
            )
        if is_state(arg) and must and arg[0] != "->" and self.roll() < 0.12:
            on = self.speech.plan_times.all_when(span, False)
            return self.words(
                "moment_stretch_and_this", when=when, arg=lambda: self.speech.state(arg, mood), on=on
            )
        if is_state(arg) and roll < 0.55:
            return self._kept(tree, inner, mood, now, when)
        link = self.words("moment_stretch_link")
        return f"{self.speech.plan_moments.moment(tree[1], mood, now)} {link} {self.speech.rows.nested(inner, 'is')}"

    def _period(self, inner: Tree, must: bool, when: str, roll: float) -> str:
        """A period of a length begins at a moment."""
        span, arg = inner[1], inner[2]
        rel = arg[0] == "rel"
        d, n = self.speech.times.measured(span[1]), span[1]
        period = self.words("moment_stretch_period", n=n, d=d)
        if rel and roll < 0.2:
            begin = self.words("moment_stretch_begin") if must else self.words("relation_period_begins")
            return self.words(
                "moment_stretch",
                when=when,
                name=arg[2][0],
                begin=begin,
                period=period,
                predicate=lambda: self.speech.relations.predicate(arg),
                part="must" if must else "will",
                d=d,
            )
        begin = self.words("period_must_begin") if must else self.words("period_begins")
        lead = self.words("moment_stretch_lead", when=when, period=period, begin=begin)
        if is_literal(arg) and self.roll() < 0.3:
            return f"{lead} with {self.speech.literal(arg, 'keep' if rel else 'is')}"
        inside = (
            self.words("moment_stretch_inside")
            if is_state(arg)
            else self.words("moment_stretch_each_instant")
        )
        if arg[0] == "and" and all(x[0] == "rel" for x in arg[1:]) and self.roll() < 0.2:
            always = self.words("moment_stretch_always")
            members = " and ".join(self.speech.names.amid(x, "is", always) for x in arg[1:])
            return f"{lead} {inside.removesuffix(', at all times ,')} {members}"
        return f"{lead} {inside} {self.speech.rows.plan_or_state(arg, 'is')}"

    def _kept(self, tree: Tree, inner: Tree, mood: str, now: bool, when: str) -> str:
        """A state that stays from a moment on."""
        span, arg = inner[1], inner[2]
        must = mood in {"must", "stay"}
        stretch = self.speech.plan_times.all_when(span, False)
        stay = "stay" if must else mood
        if is_literal(arg) and self.roll() < 0.6:
            return (
                self.words(
                    "moment_stretch_starting",
                    arg=lambda: self.speech.literal(arg, stay),
                    stretch=stretch,
                    window=lambda: self.speech.plan_times.window(tree[1], now),
                )
                if tree[1]
                else f"{when} {self.speech.literal(arg, stay)} {stretch}"
            )
        return (
            self.words(
                "moment_stretch_adverbs", when=when, arg=lambda: self.speech.state(arg, stay), stretch=stretch
            )
            if arg[0] != "->" and all(is_literal(x) for x in arg[1:])
            else self.words(
                "moment_stretch_holds_that",
                when=when,
                part=lambda: self.words("moment_stretch_part", must=must),
                stretch=stretch,
                arg=lambda: self.speech.state(arg, "is"),
            )
        )

    def each_then(self, tree: Tree, inner: Tree, mood: str, now: bool) -> str:
        """G F: from every instant there is a moment to come."""
        span, arg = inner[1], inner[2]
        must = mood in {"must", "stay"}
        roll = self.roll()
        if tree[1] is None and is_state(arg) and roll < 0.3 and now:
            return self.speech.moments.again(inner, mood)
        if is_literal(arg) and arg[0] == "rel" and roll < 0.35:
            every = (
                self.words("each_then_every")
                if tree[1] is None and now
                else self.speech.plan_moments.each_of(tree[1], now)
            )
            rel = self.speech.plan_times.once_when(span, False)
            due = self.words("each_then_due")
            return self.words(
                "each_then",
                name=arg[2][0],
                part="must be" if must else "is",
                every=every,
                due=due,
                predicate=lambda: self.speech.relations.predicate(arg),
                rel=rel,
            )
        if tree[1] is not None and roll < 0.55:
            window = self.speech.plan_times.stretch(tree[1], now)
            each = self.words("each_then_each", must=must)
            if self.roll() < 0.5 and is_state(arg):
                return self.words(
                    "each_then_moment",
                    window=window,
                    each=each,
                    moment=lambda: self.speech.plan_moments.moment(span, mood, False),
                    arg=lambda: self.speech.state(arg, "is"),
                )
            return self.words(
                "each_then_window",
                window=window,
                each=each,
                nested=lambda: self.speech.rows.nested(inner, mood),
            )
        return self.words(
            "each_then_nested",
            each_of=lambda: self.speech.plan_moments.each_of(tree[1], now),
            part=lambda: self.words("each_then_part", must=must),
            nested=lambda: self.speech.rows.nested(inner, mood),
        )

    def each_stretch(self, tree: Tree, inner: Tree, mood: str, now: bool) -> str:
        """G G: from every instant a whole stretch."""
        span, arg = inner[1], inner[2]
        first = self.speech.plan_moments.each_of(tree[1], now)
        roll = self.roll()
        if roll < 0.4:
            if span is None:
                second = self.words("each_stretch_second")
            elif span[0] == "0":
                d = self.speech.times.duration(span[1])
                second = self.words("each_stretch_within", d=d)
            else:
                s = self.words("each_stretch_s", name=span[0], name2=span[1])
                second = self.words("each_stretch_between", s=s)
            body = self.speech.rows.plan_or_state(arg, mood)
            return self.words(
                "each_stretch",
                first=first,
                part=lambda: self.words("each_stretch_part") if span is None else "",
                second=second,
                body=body,
            )
        if span is None and roll < 0.55:
            return self.words(
                "each_stretch_onward", first=first, arg=lambda: self.speech.rows.plan_or_state(arg, "is")
            )
        return self.words(
            "each_stretch_nested", first=first, nested=lambda: self.speech.rows.nested(inner, mood)
        )
