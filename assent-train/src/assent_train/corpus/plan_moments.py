"""Temporal operators in a row, as plans have them: a moment, and from it a stretch, and in it another moment."""

from __future__ import annotations

from assent_train.corpus.plan_states import PlanStates
from assent_train.corpus.relations import predicate
from assent_train.corpus.times import duration, once, once_then, throughout, throughout_then
from assent_train.corpus.trees import Span, Tree, is_literal, is_state

SOME = ("at some point ", "at some time ", "at some moment ", "sometime ", "at least once ", "somewhere ", "some ")
LATER = (
    "eventually", "eventually", "eventually", "sooner or later", "sooner or later", "at some later time", "at some point after that", "then or later", "at some time from then on",
    "later on", "in the end", "at some later point", "at that moment or later", "at some point",
)  # fmt: skip


class PlanMoments(PlanStates):
    """Clauses for a row of temporal operators over a state."""

    # -- windows -----------------------------------------------------------------------------------------

    def window(self, span: Span, now: bool) -> str:
        """When within a window, without "at some time" in front."""
        if span is None:
            return self.words("window") if now else self.words("window_2")
        if self.roll() < 0.75:
            return self._common(span, now)
        when = once(self.rng, span, True, self.casual) if now else once_then(self.rng, span, self.casual)
        for some in SOME:
            when = when.removeprefix(some)
        return when

    def _common(self, span: Span, now: bool) -> str:
        """The windows that people use most."""
        low, high = span or ("0", "inf")
        if low == "0":
            d = duration(self.rng, high, self.casual)
            if now:
                return self.words("common", d=d)
            return self.words("common_2", d=d)
        if high == "inf":
            return once(self.rng, span, now, self.casual)
        s = self.words("common_s", low=low, duration=lambda: duration(self.rng, high, self.casual))
        b = f"between {low} and {duration(self.rng, high, self.casual)}"
        if now:
            return self.words("common_3", s=s, b=b)
        return self.words("common_4", s=s, b=b)

    def once_when(self, span: Span, now: bool) -> str:
        """An adverb of one moment."""
        if span is None:
            return once(self.rng, None, True, self.casual) if now else self.words("later")
        when = self.window(span, now)
        some = " " + self.words("once_when_some") + " "
        if now and span[0] != "0":  # a bare "from N1 to N2" would be all of it
            some = some or (" " + self.words("once_when_some_2") + " ")
        return f"{some}{when}"

    def all_when(self, span: Span, now: bool) -> str:
        """An adverb of a stretch."""
        if span is None:
            return throughout(self.rng, None, True, self.casual) if now else self.words("on")
        if now:
            return throughout(self.rng, span, True, self.casual)
        return throughout_then(self.rng, span, self.casual) if self.roll() < 0.5 else throughout(self.rng, span, False, self.casual)

    def each_of(self, span: Span, now: bool) -> str:
        """From each instant of a window."""
        each = self.words("each_6")
        if span is None:
            return self.words("each_of", each=each) if now else self.words("each_of_2", each=each)
        low, high = span
        if low == "0":
            d = duration(self.rng, high, self.casual)
            if now:
                return self.words("each_of_3", each=each, d=d)
            return self.words("each_of_4", each=each, d=d)
        unit = self.words("each_of_unit")
        if now:
            return self.words("each_of_5", each=each, low=low, high=high, unit=unit)
        return self.words("each_of_6", each=each, low=low, high=high, unit=unit)

    def moment(self, span: Span, mood: str, now: bool) -> str:
        """There is a moment within a window."""
        must = mood in {"must", "stay"}
        there = self.words("moment_there") if must else self.words("exists_there_2")
        what = self.words("moment")
        when = self.window(span, now)
        roll = self.roll()
        if roll < 0.12:
            verb = self.words("moment_verb") if must else self.words("moment_verb_2")
            return f"{when} {what} {verb}"
        if roll < 0.2 and not must:
            return self.words("moment_2", when=when, what=what)
        if roll < 0.28 and span is not None:
            return self.words("moment_3", when=when, there=there, what=what)
        if span is not None and roll < 0.36:
            return f"{there} , {when} , {what}"
        if roll < 0.7:
            return self.words("moment_4", when=when, there=there, what=what) if when else f"{there} {what}"
        if not when:
            return self.words("moment_5", there=there, what=what)
        return f"{there} {when if span is None else ''} {what} {when if span is not None else ''}"

    def lead(self, tree: Tree, mood: str, now: bool) -> str:
        """The operator in front of all that it covers."""
        op, span = tree[0], tree[1]
        must = mood in {"must", "stay"}
        roll = self.roll()
        if op == "F":
            if roll < 0.35:
                return self.words("lead", moment=lambda: self.moment(span, mood, now))
            if span is None:
                return self.once_when(None, now)
            return self.once_when(span, now)
        if roll < 0.35:
            return self.each_of(span, now)
        if roll < 0.55 and must:
            hold = self.words("lead_hold")
            if span is None:
                return hold if now else f"from then on {hold}"
            return self.words("lead_2", stretch=lambda: self._stretch(span, now), hold=hold)
        if span is None:
            return self.words("lead_3") if now else self.words("lead_4")
        if roll < 0.7:
            return self.words("lead_5", stretch=lambda: self._stretch(span, now))
        return self._stretch(span, now)

    def _stretch(self, span: Span, now: bool) -> str:
        """A window that something fills, without "always" in front."""
        for _ in range(8):
            said = self.all_when(span, now)
            if not said.startswith(("at ", "always", "continuously", "the whole")):
                break
        return said

    def _whole(self, span: Span, now: bool, never: bool = False) -> str:
        """A window before "keep", "never" or "whenever", which say by themselves that all of it is meant."""
        if span is not None and span[0] == "0" and (never or self.roll() < 0.3):
            d = duration(self.rng, span[1], self.casual)
            return self.words("whole", d=d) if now else self.words("whole_2", d=d)
        if span is not None and span[0] != "0" and span[1] != "inf" and now and self.roll() < 0.5:
            return self.words("whole_3", name=span[0], duration=lambda: duration(self.rng, span[1], self.casual))
        return self._stretch(span, now)

    # -- rows --------------------------------------------------------------------------------------------

    def row(self, tree: Tree, mood: str, now: bool) -> str:
        """F and G one inside another, over a state (or over a joint at the end)."""
        inner = tree[2]
        if is_state(inner):
            return self.last(tree, mood, now)
        if tree[0] == "F":
            return self._moment_then(tree, inner, mood, now) if inner[0] == "F" else self._moment_stretch(tree, inner, mood, now)
        return self._each_then(tree, inner, mood, now) if inner[0] == "F" else self._each_stretch(tree, inner, mood, now)

    def last(self, tree: Tree, mood: str, now: bool) -> str:
        """One operator over a state."""
        op, span, arg = tree
        must = mood in {"must", "stay"}
        roll = self.roll()
        if op == "F":
            return self._last_once(tree, mood, now, roll)
        when = self.all_when(span, now)
        if is_literal(arg):
            return self._last_kept(tree, mood, now, roll, when)
        stay = "stay" if must else mood
        if arg[0] == "->" and roll < 0.5:
            return self.words("last", when=when, each_time=lambda: self._each_time(arg, stay))
        if arg[0] == "and" and all(x[0] == "rel" for x in arg[1:]) and self.roll() < 0.15:
            always = self.words("last_always")
            kept = " and ".join(self.amid(x, mood, always) for x in arg[1:])
            return self.words("last_2", part=lambda: self._stretch(span, now) if span is not None else when, kept=kept)
        if arg[0] in {"and", "or"} and roll < 0.15 and all(is_literal(x) for x in arg[1:]):
            return f"{self.state(arg, stay)} {when}"
        if must and span is not None and arg[0] == "and" and all(x[0] == "rel" for x in arg[1:]) and roll < 0.28:
            kept = " and ".join(self.words("last_kept", x_keep=self.literal(x, "keep")) for x in arg[1:])
            return f"{self._whole(span, now)} , keep {kept}" if self.roll() < 0.6 else f"keep {kept} {self._stretch(span, now)}"
        if roll < 0.35:
            return self.words("last_3", stretch=lambda: self._stretch(span, now), arg=lambda: self.state(arg, stay)) if span is not None else f"{when} , {self.state(arg, stay)}"
        if roll < 0.45:
            return f"{self.each_of(span, now)} , {self.state(arg, stay)}" if span is not None else f"{when} {self.state(arg, stay)}"
        return self.words("last_4", when=when, part=lambda: self.words("last_part", must=must), arg=lambda: self.state(arg, stay))

    def _last_once(self, tree: Tree, mood: str, now: bool, roll: float) -> str:
        """Eventually a state."""
        span, arg, must = tree[1], tree[2], mood in {"must", "stay"}
        when = self.once_when(span, now)
        if is_literal(arg) and arg[0] == "rel" and roll < 0.3:
            what, a = predicate(self, arg), f"the {arg[2][0]}"
            return self.words("last_once", a=a, part='must be' if must else 'is', what=what, when=when, part2='must' if must else 'is going to', part3='' if must else 'be', part4='be' if must else '', part5='must come' if must else 'comes', part6='must get' if must else 'gets', window=lambda: self.window(span, now))  # fmt: skip
        if is_literal(arg) and arg[0] == "rel" and span is not None and span[0] == "0" and roll < 0.38:
            d = duration(self.rng, span[1], False)
            take = "must take" if must else "takes"
            return self.words("last_once_2", take=take, d=d, name=arg[2][0], predicate=lambda: predicate(self, arg), arg=lambda: self.literal(arg, "is"), part="must be" if must else "is")
        if is_literal(arg) and (now or span is not None) and roll < 0.75:
            return self._once(tree, "must" if must else mood, now)
        if roll < 0.55 or is_literal(arg):
            if is_literal(arg) and self.roll() < 0.5:
                return f"{self.literal(arg, mood)} {when}"
            return self.words("last_once_3", when=when, part=lambda: self.words("last_once_part", must=must), arg=lambda: self.state(arg, mood))
        if roll < 0.65 and span is not None:
            return self.words("last_once_4", window=lambda: self.window(span, now), arg=lambda: self.state(arg, mood))
        return self.words("last_once_5", moment=lambda: self.moment(span, mood, now), part=lambda: self.words("last_once_part_2", when1=is_literal(arg)), arg=lambda: self.state(arg, "is"))

    def _last_kept(self, tree: Tree, mood: str, now: bool, roll: float, when: str) -> str:
        """Always a literal."""
        span, arg, must = tree[1], tree[2], mood in {"must", "stay"}
        if arg[0] == "not" and roll < 0.3 and arg[1][0] == "rel":
            tail = when if span is not None or not now else ""
            never = self.words("last_kept_never")
            if span is not None and self.roll() < 0.4:
                return f"{self._whole(span, now, never=True)} , {self.amid(arg[1], mood, never)}"
            if span is not None and self.roll() < 0.3:
                return f"{self.literal(arg, mood)} at any time {self._common(span, now)}"
            return f"{self.amid(arg[1], mood, never)} {tail}"
        if (now or span is not None) and roll < 0.65:
            return self._always(tree, "must" if must else mood, now)
        if roll < 0.75 and span is None and not now:
            return self.amid(arg, mood, self.words("last_kept_2")) + (" " + self.words("last_kept_3") + " ")
        stay = "stay" if must else mood
        if must and arg[0] == "rel" and span is not None and roll < 0.85:
            return self.words("last_kept_4", whole=lambda: self._whole(span, now), arg_keep=lambda: self.literal(arg, "keep"))
        return f"{self.literal(arg, stay)} {when}" if self.roll() < 0.7 else self.words("last_kept_5", when=when, arg=lambda: self.literal(arg, stay))

    def _moment_then(self, tree: Tree, inner: Tree, mood: str, now: bool) -> str:
        """F F: a moment, and another one counted from it."""
        span, arg = inner[1], inner[2]
        head = self.moment(tree[1], mood, now)
        roll = self.roll()
        if is_literal(arg) and arg[0] != "dist" and arg[0] != "not" and roll < 0.25:
            rel = self.window(span, False) if span else self.words("moment_then_rel")
            return self.words("moment_then", head=head, part=lambda: self.words("moment_then_part", rel=rel), arg_being=lambda: self.literal(arg, "being"))
        if span is not None and span[0] == "0" and roll < 0.42:
            return f"{head} within {duration(self.rng, span[1], False)} of which {self.plan_or_state(arg, 'is')}"
        if span is not None and span[0] != "0" and roll < 0.42:
            return self.words("moment_then_2", head=head, name=span[0], name2=span[1], arg=lambda: self.plan_or_state(arg, "is"))
        if roll < 0.8 or not is_state(arg):
            link = self.words("moment_then_link")
            return f"{head} {link} {self._nested(inner, 'is')}"
        hold = self.words("moment_then_hold") if mood == "must" else self.words("moment_then_hold_2")
        rel = once_then(self.rng, span, self.casual) if span else self.pick(LATER[:9])
        return self.words("moment_then_3", once_when=lambda: self.once_when(tree[1], now), hold=hold, rel=rel, arg=lambda: self.state(arg, "is"))

    def _moment_stretch(self, tree: Tree, inner: Tree, mood: str, now: bool) -> str:
        """F G: a stretch that begins at a moment."""
        span, arg = inner[1], inner[2]
        must = mood in {"must", "stay"}
        roll = self.roll()
        when = self.once_when(tree[1], now)
        rel = is_literal(arg) and arg[0] == "rel"
        if span is not None and span[0] == "0" and roll < 0.45:
            d, n = duration(self.rng, span[1], False), span[1]
            period = self.words("moment_stretch_period", n=n, d=d)
            if rel and roll < 0.2:
                begin = self.words("moment_stretch_begin") if must else self.words("moment_stretch_begin_2")
                return self.words("moment_stretch", when=when, name=arg[2][0], begin=begin, period=period, predicate=lambda: predicate(self, arg), part="must" if must else "will", d=d)
            begin = self.words("moment_stretch_begin_3") if must else self.words("moment_stretch_begin_4")
            lead = self.words("moment_stretch_lead", when=when, period=period, begin=begin)
            if is_literal(arg) and self.roll() < 0.3:
                return f"{lead} with {self.literal(arg, 'keep' if rel else 'is')}"
            inside = self.words("moment_stretch_inside") if is_state(arg) else self.words("moment_stretch_inside_2")
            if arg[0] == "and" and all(x[0] == "rel" for x in arg[1:]) and self.roll() < 0.2:
                always = self.words("moment_stretch_always")
                return f"{lead} {inside.removesuffix(', at all times ,')} {' and '.join(self.amid(x, 'is', always) for x in arg[1:])}"
            return f"{lead} {inside} {self.plan_or_state(arg, 'is')}"
        if span is None and rel and roll < 0.4:
            what = predicate(self, arg)
            ever = self.words("moment_stretch_ever")
            a = f"the {arg[2][0]}"
            return self.words("moment_stretch_2", when=when, a=a, part='must settle' if must else 'settles', ever=ever, what=what, part2='must end' if must else 'ends', part3='must become' if must else 'becomes', part4='must' if must else 'will', part5='must come' if must else 'comes', part6='must get' if must else 'gets')  # fmt: skip
        if is_state(arg) and must and arg[0] != "->" and self.roll() < 0.12:
            on = self.all_when(span, False)
            return self.words("moment_stretch_3", when=when, arg=lambda: self.state(arg, mood), on=on)
        if is_state(arg) and roll < 0.55:
            stretch = self.all_when(span, False)
            stay = "stay" if must else mood
            if is_literal(arg) and self.roll() < 0.6:
                return self.words("moment_stretch_4", arg=lambda: self.literal(arg, stay), stretch=stretch, window=lambda: self.window(tree[1], now)) if tree[1] else f"{when} {self.literal(arg, stay)} {stretch}"
            return (
                self.words("moment_stretch_5", when=when, arg=lambda: self.state(arg, stay), stretch=stretch)
                if arg[0] != "->" and all(is_literal(x) for x in arg[1:])
                else self.words("moment_stretch_6", when=when, part=lambda: self.words("moment_stretch_part", must=must), stretch=stretch, arg=lambda: self.state(arg, "is"))
            )
        link = self.words("moment_stretch_link")
        return f"{self.moment(tree[1], mood, now)} {link} {self._nested(inner, 'is')}"

    def _each_then(self, tree: Tree, inner: Tree, mood: str, now: bool) -> str:
        """G F: from every instant there is a moment to come."""
        span, arg = inner[1], inner[2]
        must = mood in {"must", "stay"}
        roll = self.roll()
        if tree[1] is None and is_state(arg) and roll < 0.3 and now:
            return self._again(inner, mood)
        if is_literal(arg) and arg[0] == "rel" and roll < 0.35:
            every = self.words("each_then_every") if tree[1] is None and now else self.each_of(tree[1], now)
            rel = self.once_when(span, False)
            due = self.words("each_then_due")
            return self.words("each_then", name=arg[2][0], part="must be" if must else "is", every=every, due=due, predicate=lambda: predicate(self, arg), rel=rel)
        if tree[1] is not None and roll < 0.55:
            window = self._stretch(tree[1], now)
            each = self.words("each_then_each", must=must)
            if self.roll() < 0.5 and is_state(arg):
                return self.words("each_then_2", window=window, each=each, moment=lambda: self.moment(span, mood, False), arg=lambda: self.state(arg, "is"))
            return self.words("each_then_3", window=window, each=each, nested=lambda: self._nested(inner, mood))
        return self.words("each_then_4", each_of=lambda: self.each_of(tree[1], now), part=lambda: self.words("each_then_part", must=must), nested=lambda: self._nested(inner, mood))

    def _each_stretch(self, tree: Tree, inner: Tree, mood: str, now: bool) -> str:
        """G G: from every instant a whole stretch."""
        span, arg = inner[1], inner[2]
        first = self.each_of(tree[1], now)
        roll = self.roll()
        if roll < 0.4:
            if span is None:
                second = self.words("each_stretch_second")
            elif span[0] == "0":
                d = duration(self.rng, span[1], self.casual)
                second = self.words("each_stretch_second_2", d=d)
            else:
                s = self.words("each_stretch_s", name=span[0], name2=span[1])
                second = self.words("each_stretch_second_3", s=s)
            body = self.plan_or_state(arg, mood)
            return self.words("each_stretch", first=first, part=lambda: self.words("each_stretch_part") if span is None else "", second=second, body=body)
        if span is None and roll < 0.55:
            return self.words("each_stretch_2", first=first, arg=lambda: self.plan_or_state(arg, "is"))
        return self.words("each_stretch_3", first=first, nested=lambda: self._nested(inner, mood))

    def _nested(self, tree: Tree, mood: str) -> str:
        return self.clause(tree, mood, False)

    def plan_or_state(self, tree: Tree, mood: str) -> str:
        return self.state(tree, mood) if is_state(tree) else self.clause(tree, mood, False)
