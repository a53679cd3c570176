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
ON = (
    "from then on", "from then on", "for good", "for good", "forever", "for ever", "permanently", "from that moment on", "ever after", "forever after", "from that point on", "at all times from then on",
    "for all time after", "always thereafter", "without end", "from then on forever",
)  # fmt: skip
MOMENT = ("a moment", "a moment", "a moment", "a time", "a point", "an instant", "a point in time")
EACH = ("from each instant", "from every instant", "at every instant", "for each instant", "at each instant", "at every moment", "from each moment", "for every moment", "at each moment", "from any instant", "for any moment", "from every moment")


class PlanMoments(PlanStates):
    """Clauses for a row of temporal operators over a state."""

    # -- windows -----------------------------------------------------------------------------------------

    def window(self, span: Span, now: bool) -> str:
        """When within a window, without "at some time" in front."""
        if span is None:
            return self.pick(("eventually", "sooner or later", "")) if now else self.pick(("eventually", "sooner or later", "then or later"))
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
                return self.pick((f"within {d}", f"within {d}", f"within the first {d}", f"in the first {d}", f"within the next {d}", f"in the next {d}", f"within {d} from now", f"during the first {d}", f"in the coming {d}"))
            return self.pick((f"within {d}", f"within {d}", f"in the next {d}", f"within {d} of that", f"within the next {d}", f"in the following {d}", f"within another {d}", f"within a further {d}", f"in the {d} after that", f"within {d} of that moment"))
        if high == "inf":
            return once(self.rng, span, now, self.casual)
        s = f"{low} {self.pick(('to', 'to', 'to', '-'))} {duration(self.rng, high, self.casual)}"
        b = f"between {low} and {duration(self.rng, high, self.casual)}"
        if now:
            return self.pick((f"{s} from now", f"{s} ahead", f"{b}", f"{b} from now", f"from {s}", f"{s} from now", f"{b}"))
        return self.pick((f"{s} later", f"{s} later", f"{s} after that", f"{s} on", f"{s} after it", f"{b} later", f"{s} ahead", f"{s} after that moment"))

    def once_when(self, span: Span, now: bool) -> str:
        """An adverb of one moment."""
        if span is None:
            return once(self.rng, None, True, self.casual) if now else self.pick(LATER)
        when = self.window(span, now)
        some = self.pick(("", "", "at some time ", "at some point ", "at some moment ", "sometime "))
        if now and span[0] != "0":  # a bare "from N1 to N2" would be all of it
            some = some or self.pick(("at some time ", "at some point ", "sometime "))
        return f"{some}{when}"

    def all_when(self, span: Span, now: bool) -> str:
        """An adverb of a stretch."""
        if span is None:
            return throughout(self.rng, None, True, self.casual) if now else self.pick(ON)
        if now:
            return throughout(self.rng, span, True, self.casual)
        return throughout_then(self.rng, span, self.casual) if self.roll() < 0.5 else throughout(self.rng, span, False, self.casual)

    def each_of(self, span: Span, now: bool) -> str:
        """From each instant of a window."""
        each = self.pick(EACH)
        if span is None:
            return self.pick((each, each, "at all times", "always", f"{each} forever", "at every time")) if now else self.pick((f"{each} from then on", f"{each} from then on", f"{each} forever", "at all times from then on", f"{each} thereafter", f"{each} after that"))
        low, high = span
        if low == "0":
            d = duration(self.rng, high, self.casual)
            if now:
                return f"{each} {self.pick(('of the first', 'in the first', 'of the next', 'in the next', 'of the coming', 'within the first', 'during the first'))} {d}"
            return f"{each} {self.pick((f'of the next {d}', f'of the following {d}', f'in the next {d}', f'of the {d} after that', f'in the {d} that follow', f'of the {d} following it'))}"
        unit = self.pick(("seconds", "seconds", "time units", "steps", "units"))
        if now:
            return f"{each} {self.pick((f'from {low} to {high} {unit}', f'between {low} and {high} {unit}', f'{low} to {high} {unit} ahead', f'{low} to {high} {unit} from now', f'from {low} to {high} {unit} from now'))}"
        return f"{each} {self.pick((f'{low} to {high} {unit} later', f'{low} to {high} {unit} after that', f'{low} to {high} {unit} after it', f'from {low} to {high} {unit} later', f'between {low} and {high} {unit} later', f'{low} to {high} {unit} on'))}"

    def moment(self, span: Span, mood: str, now: bool) -> str:
        """There is a moment within a window."""
        must = mood in {"must", "stay"}
        there = self.pick(("there must be", "there must be", "there has to be", "there should be", "there must come", "there shall be", "there should come")) if must else self.pick(("there is", "there is", "there comes", "there will be"))
        what = self.pick(MOMENT)
        when = self.window(span, now)
        roll = self.roll()
        if roll < 0.12:
            verb = self.pick(("must come", "has to come", "must occur", "must be reached")) if must else self.pick(("comes", "is reached", "occurs", "will come"))
            return f"{when} {what} {verb}"
        if roll < 0.2 and not must:
            return f"{when} {self.pick(('we reach', 'we get to', 'we come to'))} {what}"
        if roll < 0.28 and span is not None:
            return f"{self.pick(('at some time', 'at some point', 'somewhere'))} {when} {there} {what}"
        if span is not None and roll < 0.36:
            return f"{there} , {when} , {what}"
        if roll < 0.7:
            return f"{when} {self.pick((',', '', ''))} {there} {what}" if when else f"{there} {what}"
        if not when:
            return f"{self.pick(('at some time', 'at some point', ''))} {there} {what}"
        return f"{there} {when if span is None else ''} {what} {when if span is not None else ''}"

    def lead(self, tree: Tree, mood: str, now: bool) -> str:
        """The operator in front of all that it covers."""
        op, span = tree[0], tree[1]
        must = mood in {"must", "stay"}
        roll = self.roll()
        if op == "F":
            if roll < 0.35:
                return f"{self.moment(span, mood, now)} {self.pick(('at which', 'when', 'such that', 'from which', 'at which', 'such that'))}"
            if span is None:
                return self.once_when(None, now)
            return self.once_when(span, now)
        if roll < 0.35:
            return self.each_of(span, now)
        if roll < 0.55 and must:
            hold = self.pick(("it must always hold that", "it must always be true that", "it must always be the case that", "it has to hold at every moment that"))
            if span is None:
                return hold if now else f"from then on {hold}"
            return f"{self._stretch(span, now)} {self.pick((',', ''))} {hold}"
        if span is None:
            return self.pick(("at all times", "always", "at every moment", "at every time", "at all times")) if now else self.pick(("from then on", "at all times from then on", "from that moment on", "always thereafter", "from then on , at every instant ,"))
        if roll < 0.7:
            return f"{self._stretch(span, now)} , {self.pick(('at every moment', 'at each moment', 'at all times', 'at every instant', 'always'))}"
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
            return self.pick((f"in the first {d}", f"during the first {d}", f"in the next {d}")) if now else self.pick((f"in the next {d}", f"in the following {d}"))
        if span is not None and span[0] != "0" and span[1] != "inf" and now and self.roll() < 0.5:
            return f"between {span[0]} and {duration(self.rng, span[1], self.casual)} {self.pick(('', '', 'from now'))}"
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
            return f"{when} {self.pick((',', ',', ''))} {self._each_time(arg, stay)}"
        if arg[0] == "and" and all(x[0] == "rel" for x in arg[1:]) and self.roll() < 0.15:
            always = self.pick(("always", "constantly", "always", "at all times", "continuously"))
            kept = " and ".join(self.amid(x, mood, always) for x in arg[1:])
            return f"{self._stretch(span, now) if span is not None else when} {self.pick((',', ''))} {kept}"
        if arg[0] in {"and", "or"} and roll < 0.15 and all(is_literal(x) for x in arg[1:]):
            return f"{self.state(arg, stay)} {when}"
        if must and span is not None and arg[0] == "and" and all(x[0] == "rel" for x in arg[1:]) and roll < 0.28:
            kept = " and ".join(f"{self.pick(('', '', 'keep '))}{self.literal(x, 'keep')}" for x in arg[1:])
            return f"{self._whole(span, now)} , keep {kept}" if self.roll() < 0.6 else f"keep {kept} {self._stretch(span, now)}"
        if roll < 0.35:
            return f"{self._stretch(span, now)} , {self.pick(('at all times', 'at every moment', 'always', 'at each instant'))} {self.pick((',', ''))} {self.state(arg, stay)}" if span is not None else f"{when} , {self.state(arg, stay)}"
        if roll < 0.45:
            return f"{self.each_of(span, now)} , {self.state(arg, stay)}" if span is not None else f"{when} {self.state(arg, stay)}"
        return f"{when} {self.pick((',', '', 'it must hold that' if must else 'it holds that'))} {self.state(arg, stay)}"

    def _last_once(self, tree: Tree, mood: str, now: bool, roll: float) -> str:
        """Eventually a state."""
        span, arg, must = tree[1], tree[2], mood in {"must", "stay"}
        when = self.once_when(span, now)
        if is_literal(arg) and arg[0] == "rel" and roll < 0.3:
            what, a = predicate(self, arg), f"the {arg[2][0]}"
            return self.pick((f"{a} {'must be' if must else 'is'} due to be {what} {when}", f"{a} {'must' if must else 'is going to'} {when} {'' if must else 'be'} {'be' if must else ''} {what}", f"{a} is going to be {what} {when}", f"{a} {'must come' if must else 'comes'} to be {what} {when}",
                              f"{a} {'must get' if must else 'gets'} {what} {when}", f"{a} will {self.pick(('', 'at some time', 'at some point'))} be {what} {self.window(span, now)}"))  # fmt: skip
        if is_literal(arg) and arg[0] == "rel" and span is not None and span[0] == "0" and roll < 0.38:
            d = duration(self.rng, span[1], False)
            take = "must take" if must else "takes"
            return self.pick((f"it {take} at most {d} for the {arg[2][0]} to be {predicate(self, arg)}", f"it {take} no more than {d} until {self.literal(arg, 'is')}", f"it {'must be' if must else 'is'} at most {d} until {self.literal(arg, 'is')}"))
        if is_literal(arg) and (now or span is not None) and roll < 0.75:
            return self._once(tree, "must" if must else mood, now)
        if roll < 0.55 or is_literal(arg):
            if is_literal(arg) and self.roll() < 0.5:
                return f"{self.literal(arg, mood)} {when}"
            return f"{when} {self.pick((',', '', 'it must happen that' if must else 'it happens that'))} {self.state(arg, mood)}"
        if roll < 0.65 and span is not None:
            return f"{self.window(span, now)} , {self.pick(('at some instant', 'at some time', 'at some moment', 'at one moment at least'))} {self.pick((',', ''))} {self.state(arg, mood)}"
        return f"{self.moment(span, mood, now)} {self.pick(('when', 'at which', 'when', 'with' if is_literal(arg) else 'when', 'such that', 'at which'))} {self.state(arg, 'is')}"

    def _last_kept(self, tree: Tree, mood: str, now: bool, roll: float, when: str) -> str:
        """Always a literal."""
        span, arg, must = tree[1], tree[2], mood in {"must", "stay"}
        if arg[0] == "not" and roll < 0.3 and arg[1][0] == "rel":
            tail = when if span is not None or not now else ""
            never = self.pick(("never", "never", "at no time", "at no point"))
            if span is not None and self.roll() < 0.4:
                return f"{self._whole(span, now, never=True)} , {self.amid(arg[1], mood, never)}"
            if span is not None and self.roll() < 0.3:
                return f"{self.literal(arg, mood)} at any time {self._common(span, now)}"
            return f"{self.amid(arg[1], mood, never)} {tail}"
        if (now or span is not None) and roll < 0.65:
            return self._always(tree, "must" if must else mood, now)
        if roll < 0.75 and span is None and not now:
            return self.amid(arg, mood, self.pick(("always", "permanently", "forever", "constantly"))) + self.pick(("", " from then on"))
        stay = "stay" if must else mood
        if must and arg[0] == "rel" and span is not None and roll < 0.85:
            return f"{self._whole(span, now)} , {self.pick(('', '', 'always '))}keep {self.literal(arg, 'keep')}"
        return f"{self.literal(arg, stay)} {when}" if self.roll() < 0.7 else f"{when} {self.pick((',', ''))} {self.literal(arg, stay)}"

    def _moment_then(self, tree: Tree, inner: Tree, mood: str, now: bool) -> str:
        """F F: a moment, and another one counted from it."""
        span, arg = inner[1], inner[2]
        head = self.moment(tree[1], mood, now)
        roll = self.roll()
        if is_literal(arg) and arg[0] != "dist" and arg[0] != "not" and roll < 0.25:
            rel = self.window(span, False) if span else self.pick(("eventually", "sooner or later", "at some later time"))
            return f"{head} {self.pick(('that is followed', 'which is followed', 'followed'))} {self.pick((f', {rel} ,', rel))} by {self.literal(arg, 'being')}"
        if span is not None and span[0] == "0" and roll < 0.42:
            return f"{head} within {duration(self.rng, span[1], False)} of which {self.plan_or_state(arg, 'is')}"
        if span is not None and span[0] != "0" and roll < 0.42:
            return f"{head} {span[0]} to {span[1]} {self.pick(('seconds', 'seconds', 'time units', 'steps'))} after which {self.plan_or_state(arg, 'is')}"
        if roll < 0.8 or not is_state(arg):
            link = self.pick(("from which", "from which", "after which", "such that", "such that ,", "after which ,"))
            return f"{head} {link} {self._nested(inner, 'is')}"
        hold = self.pick(("it must hold that", "it must be so that", "it must be true that")) if mood == "must" else self.pick(("it holds that", "it is so that"))
        rel = once_then(self.rng, span, self.casual) if span else self.pick(LATER[:9])
        return f"{self.once_when(tree[1], now)} {hold} {self.pick((',', ''))} {rel} {self.pick((',', ''))} {self.state(arg, 'is')}"

    def _moment_stretch(self, tree: Tree, inner: Tree, mood: str, now: bool) -> str:
        """F G: a stretch that begins at a moment."""
        span, arg = inner[1], inner[2]
        must = mood in {"must", "stay"}
        roll = self.roll()
        when = self.once_when(tree[1], now)
        rel = is_literal(arg) and arg[0] == "rel"
        if span is not None and span[0] == "0" and roll < 0.45:
            d, n = duration(self.rng, span[1], False), span[1]
            period = self.pick((f"a {n} - seconds period", f"a {n} - seconds period", f"a {n} - seconds stretch", f"a period of {d}", f"a stretch of {d}", f"a {n} - seconds interval", f"a span of {d}"))
            if rel and roll < 0.2:
                begin = self.pick(("must begin", "must start", "has to enter")) if must else self.pick(("begins", "starts", "enters"))
                return self.pick((f"{when} the {arg[2][0]} {begin} {period} {predicate(self, arg)}", f"the {arg[2][0]} {begin} {period} {predicate(self, arg)} {when}", f"the {arg[2][0]} {'must' if must else 'will'} {when} spend {d} {predicate(self, arg)}"))
            begin = self.pick(("must begin", "must start", "has to begin", "must come")) if must else self.pick(("begins", "starts", "comes"))
            lead = self.pick((f"{when} {period} {begin}", f"{when} there {begin} {period}", f"{when} {period} {begin}", f"there {begin} {when} {period}"))
            if is_literal(arg) and self.roll() < 0.3:
                return f"{lead} with {self.literal(arg, 'keep' if rel else 'is')}"
            inside = self.pick(("in which", "during which", "throughout which", "where", "in which , at all times ,", "with it true at each instant that")) if is_state(arg) else self.pick(("each instant of which is one where", "at each instant of which", "at every instant of which", "from each instant of which", "such that for each of its instants ,"))
            if arg[0] == "and" and all(x[0] == "rel" for x in arg[1:]) and self.roll() < 0.2:
                always = self.pick(("always", "constantly", "constantly", "at all times"))
                return f"{lead} {inside.removesuffix(', at all times ,')} {' and '.join(self.amid(x, 'is', always) for x in arg[1:])}"
            return f"{lead} {inside} {self.plan_or_state(arg, 'is')}"
        if span is None and rel and roll < 0.4:
            what = predicate(self, arg)
            ever = self.pick(("permanently", "for good", "for good", "forever", "for ever"))
            a = f"the {arg[2][0]}"
            return self.pick((f"{when} {a} {'must settle' if must else 'settles'} {ever} {what}", f"{a} {'must end' if must else 'ends'} up {what} {ever} {when}", f"{when} {a} {'must become' if must else 'becomes'} {what} {ever}", f"{a} {'must' if must else 'will'} {when} be {what} {ever}", f"{when} {a} {'must come' if must else 'comes'} to be {what} {ever}",
                              f"{a} is going to be {ever} {what} , starting {when}", f"{a} {'must get' if must else 'gets'} {what} {ever} {when}"))  # fmt: skip
        if is_state(arg) and must and arg[0] != "->" and self.roll() < 0.12:
            on = self.all_when(span, False)
            return f"{when} {self.pick((',', ''))} {self.state(arg, mood)} , and {self.pick(('this', 'all of this', 'this', 'it'))} must {self.pick(('hold', 'stay so', 'last', 'remain so', 'all hold'))} {on}"
        if is_state(arg) and roll < 0.55:
            stretch = self.all_when(span, False)
            stay = "stay" if must else mood
            if is_literal(arg) and self.roll() < 0.6:
                return f"{self.literal(arg, stay)} {stretch} , {self.pick(('starting', 'beginning', 'from a moment'))} {self.window(tree[1], now)}" if tree[1] else f"{when} {self.literal(arg, stay)} {stretch}"
            return f"{when} {self.pick((',', ''))} {self.state(arg, stay)} {stretch}" if arg[0] != "->" and all(is_literal(x) for x in arg[1:]) else f"{when} {self.pick(('it must hold' if must else 'it holds', 'it starts to hold'))} {stretch} that {self.state(arg, 'is')}"
        link = self.pick(("such that", "such that ,", "from which", "from which", "after which", "from which on"))
        return f"{self.moment(tree[1], mood, now)} {link} {self._nested(inner, 'is')}"

    def _each_then(self, tree: Tree, inner: Tree, mood: str, now: bool) -> str:
        """G F: from every instant there is a moment to come."""
        span, arg = inner[1], inner[2]
        must = mood in {"must", "stay"}
        roll = self.roll()
        if tree[1] is None and is_state(arg) and roll < 0.3 and now:
            return self._again(inner, mood)
        if is_literal(arg) and arg[0] == "rel" and roll < 0.35:
            every = self.pick(("at every instant", "at each moment", "at every moment", "always")) if tree[1] is None and now else self.each_of(tree[1], now)
            rel = self.once_when(span, False)
            due = self.pick(("due to be", "going to be", "bound to be", "about to be"))
            return self.pick((f"the {arg[2][0]} {'must be' if must else 'is'} , {every} , {due} {predicate(self, arg)} {rel}", f"{every} {self.pick((',', ''))} the {arg[2][0]} {'must be' if must else 'is'} {due} {predicate(self, arg)} {rel}"))
        if tree[1] is not None and roll < 0.55:
            window = self._stretch(tree[1], now)
            each = self.pick(("at each moment", "at every moment", "at every instant", "at all times", "it must always hold that" if must else "it always holds that", "it must be true at each moment that" if must else "it is true at each moment that"))
            if self.roll() < 0.5 and is_state(arg):
                return f"{window} {self.pick((',', ',', ''))} {each} {self.moment(span, mood, False)} {self.pick(('when', 'at which'))} {self.state(arg, 'is')}"
            return f"{window} {self.pick((',', ',', ''))} {each} {self._nested(inner, mood)}"
        return f"{self.each_of(tree[1], now)} {self.pick((',', '', ', it must hold that' if must else ','))} {self._nested(inner, mood)}"

    def _each_stretch(self, tree: Tree, inner: Tree, mood: str, now: bool) -> str:
        """G G: from every instant a whole stretch."""
        span, arg = inner[1], inner[2]
        first = self.each_of(tree[1], now)
        roll = self.roll()
        if roll < 0.4:
            if span is None:
                second = self.pick(("always thereafter", "forever after it", "for ever after", "for all time after it", "always from then on", "at all times after it", "at all later times", "at all later times", "always and for all time after"))
            elif span[0] == "0":
                d = duration(self.rng, span[1], self.casual)
                second = self.pick((f"each instant of the {d} after it", f"all of the {d} after it", f"throughout the {d} following each such moment", f"for {d} after each", f"for the {d} after each", f"each instant of the {d} after that", f"for {d} after each such moment", f"every moment of the {d} that follow it"))
            else:
                s = f"{span[0]} to {span[1]} {self.pick(('seconds', 'seconds', 'time units', 'steps'))}"
                second = self.pick((f"each instant {s} after it", f"for each instant {s} after that", f"throughout {s} after each such moment", f"at every moment {s} after it", f"from {s} after each"))
            body = self.plan_or_state(arg, mood)
            return f"{first} {self.pick((',', ''))} and {self.pick((',', '')) if span is None else ''} {second} , {body}"
        if span is None and roll < 0.55:
            return f"{first} onward , {self.pick(('it must always hold that', 'it is always true that', 'at all times'))} {self.plan_or_state(arg, 'is')}"
        return f"{first} {self.pick((',', '', ''))} {self._nested(inner, mood)}"

    def _nested(self, tree: Tree, mood: str) -> str:
        return self.clause(tree, mood, False)

    def plan_or_state(self, tree: Tree, mood: str) -> str:
        return self.state(tree, mood) if is_state(tree) else self.clause(tree, mood, False)
