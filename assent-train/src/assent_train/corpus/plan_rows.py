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

EVERY = ("every", "every", "each", "each and every", "any")
FROM_EVERY = (
    "starting from every", "counting from each", "measured from every", "starting at any", "for each and every", "beginning at every", "as seen from each", "starting with each",
    "from whichever", "from any and every",
)  # fmt: skip
POINTS = ("moment", "moment", "instant", "time", "point", "point in time")
FOREVER = ("forever", "for ever", "for good", "permanently", "for all time", "without end", "indefinitely", "from there on for ever")
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
        return self.pick(("seconds", "seconds", "time units", "steps"))

    def instant(self, span: Span, now: bool) -> str:
        """ "instant of the first N1 seconds": the noun that "each" goes with."""
        noun = self.pick(("instant", "instant", "moment", "moment", "point in time", "time"))
        if span is None:
            return f"{noun} {self.pick(('', 'from now on', 'to come', 'whatsoever', 'from the start on'))}" if now else f"{noun} {self.pick(('from then on', 'thereafter', 'after that', 'that follows', 'from there on'))}"
        low, high = span
        if low == "0":
            d = duration(self.rng, high, self.casual)
            if now:
                return f"{noun} {self.pick((f'of the first {d}', f'in the first {d}', f'of the coming {d}', f'in the {d} to come', f'up to {d} from now', f'within the opening {d}', f'of the initial {d}'))}"
            return f"{noun} {self.pick((f'of the following {d}', f'of the next {d}', f'up to {d} later', f'in the {d} from there', f'of the {d} that follow', f'of the ensuing {d}', f'within {d} of that'))}"
        if high == "inf":
            return f"{noun} at least {duration(self.rng, low, self.casual)} {'from now' if now else 'later'}"
        s, u = f"{low} to {high}", self.seconds()
        if now:
            return f"{noun} {self.pick((f'{s} {u} from now', f'{s} {u} ahead', f'between {low} and {high} {u} from now', f'from {s} {u}', f'no less than {low} and no more than {high} {u} from now', f'in the interval from {s} {u}'))}"
        return f"{noun} {self.pick((f'{s} {u} later', f'{s} {u} after that', f'between {low} and {high} {u} later', f'no less than {low} and no more than {high} {u} later', f'in the interval {s} {u} after that', f'{s} {u} further on'))}"

    def each_of(self, span: Span, now: bool) -> str:
        if self.roll() < 0.75:
            return super().each_of(span, now)
        return f"{self.pick(FROM_EVERY)} {self.instant(span, now)}"

    def _common(self, span: Span, now: bool) -> str:
        if span is None or span[1] == "inf" or self.roll() < 0.8:
            return super()._common(span, now)
        low, high = span
        d, u = duration(self.rng, high, self.casual), self.seconds()
        if low == "0":
            if now:
                return self.pick((f"in at most {d}", f"no later than {d} from now", f"at most {d} from now", f"before {d} are up", f"not more than {d} from now", f"in no more than {d}", f"within the opening {d}", f"in the {d} to come", f"{d} from now at the latest"))
            return self.pick((f"in at most {high} further {u}", f"no more than {d} later", f"at most {d} after that", f"before another {d} have passed", f"no later than {d} after that", f"within {high} {u} more", f"in the ensuing {d}", f"{d} later at the latest", f"in the {d} from there"))
        if now:
            return self.pick((f"no sooner than {low} and no later than {high} {u} from now", f"somewhere {low} to {high} {u} from now", f"in the interval from {low} to {high} {u}", f"at least {low} but at most {high} {u} from now", f"after {low} but before {high} {u} have passed"))
        return self.pick((f"no sooner than {low} and no later than {high} {u} after that", f"somewhere {low} to {high} {u} later", f"at least {low} but at most {high} {u} later", f"{low} to {high} {u} further on", f"{low} to {high} {u} after that point", f"some {low} to {high} {u} on"))

    def moment(self, span: Span, mood: str, now: bool) -> str:
        if self.roll() < 0.78:
            return super().moment(span, mood, now)
        must = mood in {"must", "stay"}
        what, when = self.pick(POINTS), self.window(span, now)
        if not when:
            when = self.pick(("sooner or later", "eventually"))
        an = "an" if what == "instant" else "a"
        if must:
            return self.pick((f"{when} it must be possible to find {an} {what}", f"it must be possible to find {an} {what} {when if span else ''}" if span else f"{when} we must come to {an} {what}", f"{when} {an} {what} must arise", f"{when} {an} {what} must arrive", f"{when} we must be at {an} {what}", f"{an} {what} must {when} be reached" if span is None else f"{when} {an} {what} is to be reached",
                              f"{when} reach {an} {what}", f"at least one {what} must exist {when}"))  # fmt: skip
        return self.pick((f"{when} it is possible to find {an} {what}", f"{when} {an} {what} arises", f"{when} {an} {what} arrives", f"{when} we are at {an} {what}", f"{when} there exists {an} {what}", f"{when} at least one {what} exists"))

    def some_moment(self, span: Span, now: bool) -> str:
        """ "some moment in the first N1 seconds", without a verb."""
        some = self.pick(("some", "some", "at least one", "one")) + " " + self.pick(("moment", "instant", "point in time"))
        if span is None:
            return f"{some} {self.pick(('to come', 'in the future', 'or other', 'from now on'))}" if now else f"{some} {self.pick(('from then on', 'thereafter', 'after that'))}"
        return f"{some} {self._common(span, now)}"

    def being(self, tree: Tree) -> str:
        return self.literal(tree, "being")

    def period(self, number: str) -> str:
        d = duration(self.rng, number, False)
        return self.pick((f"a {number} - seconds period", f"a {number} - seconds period", f"a {number} - seconds stretch", f"a {number} - seconds phase", f"a period of {d}", f"a phase of {d}", f"a {number} - seconds spell", f"a run of {d}", f"an interval of {d}", f"a {number} - seconds window"))

    def due(self, tree: Tree, must: bool, when: str) -> str:
        """A relation that is still ahead at a moment."""
        atom = tree[1] if tree[0] == "not" else tree
        no = "not " if tree[0] == "not" else ""
        ahead = self.pick(("due to be", "due to be", "going to be", "bound to be", "set to be", "about to be", "destined to be", "expected to be"))
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
        return self.pick(("it must hold that", "it must be true that", "it has to be the case that")) if must else self.pick(("it holds that", "it is true that"))

    def _f_f(self, tree: Tree, inner: Tree, must: bool, now: bool) -> str:
        span, arg = inner[1], inner[2]
        mood = "must" if must else "is"
        said = self.plan_or_state(arg, "is")
        at = self.pick(("when", "at which")) if is_state(arg) else self.pick(("from which", "such that"))
        point, when = self.pick(("a moment", "a time", "an instant")), self.once_when(tree[1], now)
        be = "must be" if must else "are"
        later = self.window(span, False)
        forms = [
            f"{self.pick(('counting', 'counted', 'starting', 'measured'))} from {self.some_moment(tree[1], now)} , {self._nested(inner, mood)}",
            f"for {self.some_moment(tree[1], now)} {self.pick((',', f', {self._hold(must)}'))} {self._nested(inner, 'is')}",
            f"{self.moment(tree[1], mood, now)} {self.pick(('with', 'that has'))} {point} {self.pick(('to come', 'ahead of it'))} {later} {at} {said}",
            f"{self.moment(tree[1], mood, now)} {self.pick(('and', ', and'))} {self.pick((f'then , {later} ,', f', {later} ,'))} {self.pick(('another', 'a second one', 'a further one'))} {at} {said}",
        ]
        if is_bond(arg):
            forms += [f"{self.moment(tree[1], mood, now)} {self.pick(('when', 'at which'))} {self.due(arg, False, self.once_when(span, False))}", f"{when} {self.pick((',', ''))} {self.due(arg, must, self.once_when(span, False))}"] * 2
            forms += [f"{self.moment(tree[1], mood, now)} {self.pick(('that leads to', 'that has in store', 'that gives way to'))} {self.being(arg)} {later}"]
        if span is not None and span[0] == "0":
            d = duration(self.rng, span[1], False)
            forms += [
                f"{when} we {be} {self.pick(('no more than', 'at most', 'not more than'))} {d} {self.pick(('away from', 'ahead of', 'short of'))} {point} {at} {said}",
                f"{when} {self.period(span[1])} {'must open' if must else 'opens'} {self.pick(('at some instant of which', 'in which , at least once ,', 'at one moment of which at least', 'somewhere in which'))} {said}",
                f"{when} {self.pick(('a wait', 'a countdown'))} of {self.pick(('at most', 'no more than'))} {d} {'must begin' if must else 'begins'} at the end of which {said}",
            ]
        elif span is not None:
            forms += [
                f"{when} we {be} {span[0]} to {span[1]} {self.seconds()} {self.pick(('away from', 'ahead of', 'short of'))} {point} {at} {said}",
                f"{self.moment(tree[1], mood, now)} {self.pick((f'that precedes by {span[0]} to {span[1]} {self.seconds()}', f'that lies {span[0]} to {span[1]} {self.seconds()} ahead of', f'that comes {span[0]} to {span[1]} {self.seconds()} before'))} {point} {at} {said}",
            ]
        return self.pick(forms)

    def _f_g(self, tree: Tree, inner: Tree, must: bool, now: bool) -> str:
        span, arg = inner[1], inner[2]
        mood = "must" if must else "is"
        when, state = self.once_when(tree[1], now), is_state(arg)
        forms = [f"{self.pick(('counting', 'counted', 'starting', 'measured'))} from {self.some_moment(tree[1], now)} , {self._nested(inner, mood)}", f"for {self.some_moment(tree[1], now)} {self.pick((',', f', {self._hold(must)}'))} {self._nested(inner, 'is')}"]
        if span is None:
            said, ever = self.plan_or_state(arg, "is"), self.pick(FOREVER)
            if not state:
                forms += [f"{self.moment(tree[1], mood, now)} {self._of_each(arg, True)}"] * 2
            forms += [
                f"from {self.some_moment(tree[1], now)} {self.pick(('on', 'onward', 'onwards'))} , {self.pick(('it must always be true that' if must else 'it is always true that', 'it must always hold that' if must else 'it always holds that', 'at every instant ,'))} {said}",
                f"{when} it {'must become' if must else 'becomes'} {self.pick(('permanently', 'forever', 'lastingly'))} true that {said}",
                f"{when} it {'must start' if must else 'starts'} to hold {ever} that {said}",
                f"{when} {self.pick(('a phase without end', 'an endless period', 'an unending phase'))} {'must begin' if must else 'begins'} {self.pick(('in which', 'throughout which', 'at every instant of which'))} {said}",
            ]
            if arg[0] == "not" and is_bond(arg):
                never = self.amid(arg[1], "is", self.pick(("never", "never", "at no time", "never again")))
                forms += [f"{self.moment(tree[1], mood, now)} {self.pick(('from which', 'after which', 'from which on', 'such that from it on'))} {never}", f"from {self.some_moment(tree[1], now)} {self.pick(('on', 'onward'))} , {never}"] * 2
            if is_bond(arg):
                atom = arg[1] if arg[0] == "not" else arg
                what = f"{'not ' if arg[0] == 'not' else ''}{predicate(self, atom)}"
                forms += [f"the {atom[2][0]} {'must' if must else 'is'} {when} {'be ' if must else ''}{what} {ever}", f"{when} the {atom[2][0]} {self.pick(('must be made', 'must turn') if must else ('is made', 'turns', 'is'))} {what} {ever}"]
                forms += [f"{self.moment(tree[1], mood, now)} {self.pick(('followed by', 'which starts off', 'that begins'))} {self.being(arg)} {ever}"]
                forms += [f"{self.due(arg, must, ever)} , {self.pick(('starting', 'beginning', 'from a moment', 'and this from a moment'))} {self._common(tree[1], now)}"] if tree[1] else []
        elif span[0] == "0":
            period = self.period(span[1])
            begin = self.pick(("must begin", "must start", "must set in", "must get under way", "must open", "is to begin", "has to start")) if must else self.pick(("begins", "starts", "sets in", "gets under way", "opens"))
            lead = self.pick((f"{when} {period} {begin}", f"{when} {period} {begin}", f"{when} {self.pick((',', ''))} there {begin} {period}"))
            if state:
                said = self.state(arg, "is")
                forms += [f"{lead} {self.pick((', the whole of which sees to it that', 'through all of which', 'for the whole of which', 'at no instant of which it fails to hold that', 'at each instant of which', 'all through which', 'over the whole of which', 'that has it true throughout that'))} {said}"] * 3
            else:
                forms += [f"{lead} {self._of_each(arg, False)}"] * 5
            if is_bond(arg):
                d = duration(self.rng, span[1], False)
                forms += [
                    f"{when} {self.pick((f'{d} of', f'{span[1]} unbroken seconds of', f'a run of {d} of', f'{period} of'))} {self.being(arg)} {begin}",
                    f"{self.moment(tree[1], mood, now)} {self.pick(('that is followed by', 'which is followed by', 'that starts off', 'that opens'))} {self.pick((d, period, f'a full {d}'))} of {self.being(arg)}",
                    f"{when} {self.pick(('the first', 'the start'))} of {d} of {self.being(arg)} {'must come' if must else 'comes'}",
                ]
        else:
            stretch, said = f"{span[0]} to {span[1]} {self.seconds()}", self.plan_or_state(arg, "is")
            forms += [f"{self.moment(tree[1], mood, now)} {self.pick((f'such that , at every instant {stretch} after it ,', f'such that throughout the stretch {stretch} after it', f'with it true from {stretch} after it that', f', at each instant {stretch} past which'))} {said}"] * 2
            forms += [f"{self.moment(tree[1], mood, now)} {self.pick(('the stretch from', 'the period from', 'the interval from'))} {stretch} after which is one {self.pick(('in which', 'throughout which', 'where'))} {said}"] if state else []
        return self.pick(forms)

    def _of_each(self, tree: Tree, endless: bool) -> str:
        """A further F or G under a stretch, tied to its instants: "from every instant of which"."""
        each = self.pick(("each instant", "every instant", "each moment", "every moment", "each and every instant"))
        if endless:  # a stretch without end, behind its first moment
            if is_bond(tree[2]) and tree[0] in {"F", "G"} and self.roll() < 0.4:
                return f"from which on , at {each} , {self.due(tree[2], False, self.once_when(tree[1], False))}" if tree[0] == "F" else f"from which , {self.pick(('at', 'from'))} {each} {self.pick(('forever', 'thereafter', 'from then on'))} , {self.last(tree, 'is', False)}"
            return f"from which , {self.pick(('at', 'from', 'starting from', 'counted from'))} {each} {self.pick(('forever', 'thereafter', 'from then on', 'without end'))} , {self.plan_or_state(tree, 'is')}"
        forms = [f"{self.pick(('from', 'from', 'starting at', 'counted from', 'at'))} {each} of which {self.plan_or_state(tree, 'is')}", f"such that , {self.pick(('from', 'for', 'starting at'))} each of its {self.pick(('instants', 'moments'))} , {self.plan_or_state(tree, 'is')}"]
        if tree[0] in {"F", "G"}:
            forms += [f"{each} of which {self._followed(tree, False)}"] * 3
        return self.pick(forms)

    def _followed(self, tree: Tree, must: bool) -> str:
        """What an instant is followed by: the verb phrase for F or G."""
        op, span, arg = tree
        be = "must be" if must else "is"
        said, bond = self.plan_or_state(arg, "is"), is_bond(arg)
        if op == "F":
            at = self.pick(("when", "at which")) if is_state(arg) else self.pick(("from which", "such that"))
            rel = self.window(span, False)
            what = self.being(arg) if bond and self.roll() < 0.6 else f"{self.pick(('a moment', 'a time', 'an instant', 'a point'))} {at} {said}"
            forms = [f"{be} followed {self.pick((f', {rel} ,', rel))} by {what}"] * 2 + [f"{'must have' if must else 'has'} {self.pick(('a moment', 'a time', 'a point'))} {rel} {at} {said}"]
            if span is not None and span[0] == "0":
                forms += [f"{be} {self.pick(('no more than', 'at most'))} {duration(self.rng, span[1], False)} {self.pick(('away from', 'ahead of', 'before'))} {self.pick(('a moment', 'a time'))} {at} {said}"]
            return self.pick(forms)
        if span is None:
            if bond:
                return f"{be} followed {self.pick(('by', 'for good by', 'for all time by'))} {self.being(arg)} {self.pick(FOREVER)}" if self.roll() < 0.5 else f"{'must be' if must else 'is'} one from which {self.literal(arg, 'is')} {self.pick(FOREVER)}"
            return f"{be} one {self.pick(('from which on', 'after which , for all time ,', 'from which , forever ,'))} {said}"
        if span[0] == "0":
            d = duration(self.rng, span[1], False)
            if bond and self.roll() < 0.7:
                return f"{self.pick((f'{be} followed by', f'{be} the start of', 'must open' if must else 'opens', 'must begin' if must else 'begins'))} {self.pick((d, d, f'a full {d}', f'{span[1]} further seconds', f'another {d}'))} of {self.being(arg)}"
            return f"{self.pick((f'{be} followed by', f'{be} the start of', 'must open' if must else 'opens'))} {self.period(span[1])} {self.pick(('in which', 'throughout which', 'during which', 'all through which') if is_state(arg) else ('at each instant of which', 'from every instant of which'))} {said}"
        return f"{be} one {self.pick((f'such that from {span[0]} to {span[1]} {self.seconds()} after it', f'with it true throughout {span[0]} to {span[1]} {self.seconds()} after it that', f'such that , at every instant {span[0]} to {span[1]} {self.seconds()} after it ,'))} {said}"

    def _g_f(self, tree: Tree, inner: Tree, must: bool, now: bool) -> str:
        span, arg = inner[1], inner[2]
        mood = "must" if must else "is"
        said = self.plan_or_state(arg, "is")
        at = self.pick(("when", "at which")) if is_state(arg) else self.pick(("from which", "such that"))
        point, rel, each = (self.pick(("a moment", "a time", "an instant")), self.window(span, False), self.each_of(tree[1], now))
        forms = [
            f"{self.pick(EVERY)} {self.instant(tree[1], now)} {self._followed(inner, must)}",
            f"{self.pick(EVERY)} {self.instant(tree[1], now)} {self._followed(inner, must)}",
            f"{each} , {self.pick(('it must be possible to find' if must else 'it is possible to find', 'there must still be ahead' if must else 'there is still ahead', 'there must be in sight' if must else 'there is in sight'))} {point} {rel} {at} {said}",
            f"{self.pick(('whichever', 'whatever'))} {self.instant(tree[1], now)} {self.pick(('one picks', 'is taken', 'is chosen', 'one starts from'))} , {self._nested(inner, mood)}",
            f"{each} , {point} {at} {said} {'must come' if must else 'comes'} {rel}" if is_state(arg) and is_literal(arg) else f"{each} , {rel} , {point} {'must come' if must else 'comes'} {at} {said}",
        ]
        if is_bond(arg):
            forms += [f"{each} {self.pick((',', ''))} {self.due(arg, must, self.once_when(span, False))}"] * 2
            a, _, rest = self.due(arg, must, self.once_when(span, False)).partition(" be " if must else " is ")
            forms += [f"{a} {'be' if must else 'is'} , {each} , {rest}"]
        if span is not None and span[0] == "0":
            d = duration(self.rng, span[1], False)
            forms += [f"{self.pick(('no', 'not a single'))} {self.instant(tree[1], now)} {'may be' if must else 'is'} {self.pick(('more than', 'further than'))} {d} {self.pick(('away from', 'ahead of', 'before'))} {point} {at} {said}"]
            if tree[1] is None and is_literal(arg):
                on = self.pick(("always", "at all times", "")) if now else self.pick(("from then on always", "from then on", "forever after"))
                forms += [f"{on} {self.pick((',', ''))} {self.literal(arg, mood)} {self.pick((f'within every {d}', f'at least once in every {d}', f'at some time in every {d}', f'once in any {d}', f'at least once every {d}'))}"] * 2
        return self.pick(forms)

    def _g_g(self, tree: Tree, inner: Tree, must: bool, now: bool) -> str:
        span, arg = inner[1], inner[2]
        mood = "must" if must else "is"
        said, each = self.plan_or_state(arg, mood), self.each_of(tree[1], now)
        forms = [
            f"{self.pick(EVERY)} {self.instant(tree[1], now)} {self._followed(inner, must)}",
            f"{self.pick(EVERY)} {self.instant(tree[1], now)} {self._followed(inner, must)}",
            f"{self.pick(('whichever', 'whatever'))} {self.instant(tree[1], now)} {self.pick(('one picks', 'is taken', 'is chosen', 'one starts from'))} , {self._nested(inner, mood)}",
            f"for {self.pick(EVERY)} {self.instant(tree[1], now)} and {self.pick(EVERY)} {self.instant(span, False)} , {said}",
        ]
        if span is None:
            forms += [f"{each} {self.pick(('onward', 'onwards', 'on'))} , {self.pick(('forever', 'for all time', 'without end', 'at every later instant'))} , {said}"]
        elif span[0] == "0":
            begin = self.pick(("must follow", "must begin", "must open")) if must else self.pick(("follows", "begins", "opens"))
            inside = self.pick(("throughout which", "in which", "during which")) if is_state(arg) else self.pick(("at each instant of which", "from every instant of which"))
            forms += [f"{each} , {self.period(span[1])} {begin} {inside} {self.plan_or_state(arg, 'is')}"]
        if must and arg[0] == "rel" and span is not None:
            forms += [f"keep {self.literal(arg, 'keep')} {self._stretch(span, False)} {each}"]
        return self.pick(forms)
