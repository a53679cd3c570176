"""Set phrases of requirements that no tree of operators would give: "upon P1", "P1 means P2", "never both".

Each is drawn together with its formula. Names have been lifted to placeholders, so that a lost link reads "the
not of the P1".
"""

from __future__ import annotations

import random

from assent_train.corpus.requirements import Requirements
from assent_train.corpus.trees import Span, Tree

Said = tuple[str, Tree]

EVENTS = ("detection", "occurrence", "onset", "start", "activation", "opening", "arrival", "receipt", "sign", "use", "loss", "failure", "appearance", "beginning", "insertion", "end", "completion")  # fmt: skip
UNITS = ("seconds", "seconds", "seconds", "time units", "steps")
SOONER = ("eventually", "eventually", "sooner or later", "at some point", "in the end", "at some later time", "one day", "at some later or present time")
FOR_GOOD = ("for good", "for ever", "forever", "from then on", "for the rest of the run", "ever after", "from that point on", "from then on for ever", "permanently")


class Idioms(Requirements):
    """One idiom a call; ``timed`` where the logic has intervals."""

    def __init__(self, rng: random.Random, casual: bool, timed: bool) -> None:
        super().__init__(rng, casual)
        self.timed = timed
        self.names = self.numbers = 0

    def idiom(self) -> Said:
        """Text and formula."""
        families = [
            self.upon, self.upon, self.means, self.never_both, self.never_both, self.who, self.settles, self.once_always,
            self.followed, self.situation, self.situation, self.situation, self.unless_already, self.hold_till, self.chain_of, self.guarded,
        ]  # fmt: skip
        families += [self.stretch, self.stretch, self.deadline, self.bound, self.instant, self.after_each, self.ever] if self.timed else [self.often, self.weak, self.weak, self.in_turn]
        text, tree = self.pick(families)()
        return (f"{text} ." if self.roll() < (0.3 if self.casual else 0.95) else text), tree

    # -- parts -------------------------------------------------------------------------------------------

    def lit(self, negative: float = 0.25) -> Tree:
        self.names += 1
        atom: Tree = ("p", f"P{self.names}")
        if self.timed and self.roll() < 0.12:
            atom = ("cmp", self.pick((">", ">", "<", "<", ">=", "<=")), f"P{self.names}", self.number())
        return ("not", atom) if self.roll() < negative else atom

    def prop(self) -> Tree:
        self.names += 1
        return ("p", f"P{self.names}")

    def number(self) -> str:
        self.numbers += 1
        return f"N{self.numbers}"

    def event(self, tree: Tree) -> str:
        name = tree[1][1] if tree[0] == "not" else tree[1]
        if tree[0] == "not":
            return self.pick((f"not of {self.pick(('the', 'a', ''))} {name}", f"{self.pick(('loss', 'absence', 'end', 'lack'))} of {self.pick(('the', 'a', ''))} {name}"))
        return self.pick((f"{self.pick(EVENTS[:-5])} of {self.pick(('the', 'a', 'a', '', 'an'))} {name}", f"{self.pick(('', 'the', ''))} {name}", f"{name} {self.pick(('of the', 'of a', ''))} {self.pick(('', 'event', 'signal', 'alarm'))}"))

    def soon(self) -> tuple[Span, str]:
        if not self.timed:
            return None, self.pick(SOONER)
        n, unit = self.number(), self.pick(UNITS)
        return ("0", n), self.pick((f"within {n} {unit}", f"within {n} {unit}", f"no later than {n} {unit} {self.pick(('after', 'afterwards', 'later', ''))}", f"in {n} {unit} or less", f"at most {n} {unit} later", f"in under {n} {unit}", f"inside {n} {unit}", f"within the next {n} {unit}", f"at some moment within the next {n} {unit}", f"in at most {n} {unit}"))

    def lasting_for(self) -> tuple[Span, str]:
        if not self.timed:
            return None, self.pick(FOR_GOOD)
        n, unit = self.number(), self.pick(UNITS)
        return ("0", n), self.pick((f"for {n} {unit}", f"for the next {n} {unit}", f"during the next {n} {unit}", f"for at least {n} {unit}", f"for the following {n} {unit}", f"throughout the {n} {unit} after that", f"for a good {n} {unit}", f"for {n} {unit} after that", f"for a full {n} {unit}"))

    def conditions(self, most: int = 3) -> Said:
        """Two or three facts that hold together: "P1 while P2", "P1 with no P2"."""
        first, second = self.lit(0.15), self.lit(0.3)
        a, b = self.state(first, "is"), self.state(second, "is")
        text = self.pick((f"{a} while {b}", f"{a} while {b}", f"{a} with {self._with(second)}", f"{a} and {b}", f"{a} , and {b} ,", f"{a} at a time when {b}", f"{a} as {b}"))
        tree: Tree = ("and", first, second)
        if most > 2 and self.roll() < 0.2:
            third = self.lit(0.3)
            return f"{text} and {self.state(third, 'is')}", ("and", first, second, third)
        return text, tree

    def _with(self, tree: Tree) -> str:
        if tree[0] == "p":
            return f"{self.pick(('the', 'a', ''))} {tree[1]} {self._tail()}"
        if tree[0] == "not" and tree[1][0] == "p":
            return self.pick((f"no {tree[1][1]}", f"the {tree[1][1]} not", f"{tree[1][1]} not"))
        return self.state(tree, "bare")

    def opening(self) -> str:
        # Without a time limit that counts from the moment, "if ever" is a condition on the run as a whole.
        ever = ("if ever", "if at any time") if self.timed else ("whenever", "every time")
        words: tuple[str, ...] = ("whenever", "any time", "each time", "at any time , if", "always : if", "always , whenever", *ever)
        return self.pick(words)

    # -- families ----------------------------------------------------------------------------------------

    def upon(self) -> Said:
        p, q = self.prop(), self.lit()
        span, when = self.soon()
        said = self.state(q, "must")
        start = self.pick(("upon", "upon", "on", "following", "in the event of", "in response to", "in case of", "on every", "after each", "after any", "upon any"))
        event = self.event(p)
        return self.pick((f"{start} {event} , {said} {when}", f"{start} {event} {said} {when}", f"{start} {event} , {when} {said}", f"{said} {when} {self.pick(('upon', 'after', 'of', 'of any', 'following', 'after every', 'after any'))} {event}")), ("G", None, ("->", p, ("F", span, q)))

    def followed(self) -> Said:
        p = self.prop() if self.roll() < 0.8 else ("not", self.prop())
        span, when = self.soon()
        every = self.pick(("every", "each", "any", "every single"))
        if self.roll() < 0.4:
            q, r = self.prop(), self.prop()
            said, goal = self.pick((f"by {self.pick(('a', 'the', ''))} {q[1]} or by {self.pick(('a', 'the', ''))} {r[1]}", f"by {self.event(q)} or {self.event(r)}")), ("or", q, r)
        else:
            q = self.prop()
            said, goal = self.pick((f"by {self.pick(('a', 'the', ''))} {q[1]}", f"by {self.event(q)}")), q
        must = self.pick(("is", "must be", "shall be", "has to be", "should be"))
        return self.pick((f"{every} {self.event(p)} {must} followed {when} {said}", f"{every} {self.event(p)} {must} {when if not span else ''} followed {said} {when if span else ''}", f"{every} {self.event(p)} {self.pick(('leads', 'must lead', 'shall lead'))} to {said[3:]} {when}")), ("G", None, ("->", p, ("F", span, goal)))

    def means(self) -> Said:
        p, q = self.prop(), self.lit(0.3)
        a, b = self.state(p, "bare"), self.state(q, "bare")
        every = self.pick(("", "", "every time", "every single time", "always", "no exceptions", "each time"))
        if self.roll() < 0.55:
            span, when = self.soon()
            return self.pick((f"{a} means {b} {when} , {every}", f"{a} means {b} , {when} , {every}", f"{a} gets you {b} {when} , {every}", f"{a} calls for {b} {when}", f"{a} , then {b} {when} , {every or 'always'}")), ("G", None, ("->", p, ("F", span, q)))
        return self.pick((f"{a} always means {b}", f"{a} means {b} , {every or 'always'}", f"no {p[1]} without {b}" if q[0] == "p" else f"{a} means {b} , at all times", f"{a} implies {b} , always")), ("G", None, ("->", p, q))

    def never_both(self) -> Said:
        p, q = self.prop(), self.prop()
        a, b = self.state(p, "bare"), self.state(q, "is")
        both: Tree = ("G", None, ("not", ("and", p, q)))
        roll = self.roll()
        if roll < 0.12:
            r = self.prop()
            return f"{self.pick(('at all times', 'always', 'it must hold at all times that'))} {self.pick(('a', 'the', 'an'))} {p[1]} coincides with neither {q[1]} nor {r[1]}", ("G", None, ("->", p, ("and", ("not", q), ("not", r))))
        if roll < 0.5:
            return self.pick((f"never {self.pick(('', '', 'use', 'give out', 'point', 'have', 'start', 'allow', 'do', 'run', 'switch'))} {self.pick(('the', '', 'any', 'a'))} {p[1]} {self.pick(('while', 'when', 'with', 'as long as', 'if'))} {b}", f"no {p[1]} {self.pick(('while', 'when', 'as long as', 'whenever', 'if', 'with'))} {b}", f"no {p[1]} {self.pick(('may', 'must', 'can'))} {self.pick(('happen', 'occur', 'be on', 'come out', 'be', 'take place', 'run'))} {self.pick(('while', 'when', 'as long as'))} {b}", f"{self.pick(('the', ''))} {p[1]} is {self.pick(('forbidden', 'prohibited', 'not allowed', 'ruled out', 'off limits'))} {self.pick(('while', 'when', 'whenever'))} {b}")), ("G", None, ("->", q, ("not", p)))
        return self.pick((f"never have both {p[1]} and {q[1]} {self.pick(('at once', 'at the same time', 'running at once', 'together', ''))}", f"{self.pick(('the', ''))} {p[1]} and {self.pick(('the', ''))} {q[1]} {self.pick(('must never coincide', 'must never go together', 'are mutually exclusive', 'exclude each other', 'must never be on together', 'never happen together', 'never at the same time', 'never both at once', 'must not overlap'))}", f"{a} must never coincide with {q[1]}", f"never {p[1]} and {q[1]} at once", f"at no time may both {p[1]} and {q[1]} {self._tail()}", f"{p[1]} {self.pick(('excludes', 'rules out', 'precludes'))} {q[1]}")), both

    def who(self) -> Said:
        p, q = self.prop(), self.lit(0.5)
        thing = self.pick(("a machine", "a system", "any unit", "a robot", "a vehicle", "anyone", "any device", "a drone", "a train", "whoever", "a station", "a door"))
        be = self.pick(("that is", "which is", "with", "that has", "with a", "in", "under"))
        must = self.pick(("must", "shall", "may", "has to", "should")) if q[0] != "not" else self.pick(("must not", "shall not", "may not", "may never", "must never"))
        name = q[1][1] if q[0] == "not" else q[1]
        if q[0] == "cmp" or (q[0] == "not" and q[1][0] == "cmp"):
            return f"whenever {self.state(p, 'is')} , {self.state(q, 'must')}", ("G", None, ("->", p, q))
        if must == "may":
            must = "must"
        return f"{thing} {be} {p[1]} {must} {self.pick(('', 'be', 'have', 'be in'))} {self.pick(('', 'any', 'a', 'the'))} {name} {self._tail()}", ("G", None, ("->", p, q))

    def settles(self) -> Said:
        q = self.lit(0.5)
        if q[0] == "not" and q[1][0] == "p":
            p = q[1][1]
            text = self.pick((f"at some point {self._subject()} drops out of {p} and never goes back", f"at some point we leave {p} and never go back in", f"from some point on never {p} again", f"after a while no more {p} , ever", f"{p} must stop for good {self.pick(SOONER)}", f"{self.pick(SOONER)} {p} ends and never comes back", f"there comes a time after which there is never any {p}", f"{p} happens only finitely often", f"some day {p} is over for good"))
        else:
            s = self.state(q, "bare")
            text = self.pick((f"after a while it is {s} for good", f"from some point on always {s}", f"in the end {s} for good", f"{self.pick(SOONER)} {s} and stays so for ever", f"there is a time from which on {self.state(q, 'is')} for ever", f"{self.pick(SOONER)} {self.state(q, 'is')} once and for all", f"{s} for good , {self.pick(SOONER)}"))
        return text, ("F", None, ("G", None, q))

    def once_always(self) -> Said:
        p = self.prop()
        name = p[1]
        s = self.state(p, "is")
        text = self.pick((f"once {s} , it {self.pick(('stays', 'shall remain', 'must stay', 'remains', 'has to stay'))} so {self.pick(FOR_GOOD)}", f"once {name} , always {name}", f"once {s} {self.pick(('they', 'it'))} shall remain {self.pick((name, 'so', 'deployed', 'that way', 'on'))} for the rest of the mission", f"after {s} it must never be {self.pick(('undone', 'reversed', 'taken back', 'lost again'))}", f"{name} , once there , never goes away"))
        return text, ("G", None, ("->", p, ("G", None, p)))

    def situation(self) -> Said:
        """Conditions together, then one or two consequences with their own windows."""
        cond, left = self.conditions() if self.roll() < 0.7 else self._one()
        d = self.lit()
        roll = self.roll()
        right: Tree
        if roll < 0.35:
            span, when = self.soon()
            text, right = f"{self.state(d, 'must')} {when}", ("F", span, d)
        elif roll < 0.5:
            span, when = self.lasting_for()
            text, right = f"{self.state(d, 'stay')} {when}", ("G", span, d)
        elif roll < 0.65:
            e = self.lit()
            span, when = self.soon()
            link = self.pick((", and from that point on", "and stays so , with", ", after which"))
            text = f"{self.state(d, 'must')} {when} {link} {self.state(e, 'stay')} {self.pick(('for ever', 'for good', 'always', 'forever'))}" if "with" not in link else f"{self.state(d, 'must')} {when} , and then {self.state(e, 'stay')} {self.pick(('for ever', 'for good'))}"
            right = ("F", span, ("and", d, ("G", None, e)))
        else:
            e = self.lit(0.5)
            (s1, w1), (s2, w2) = self.soon(), self.lasting_for()
            link = self.pick((", and", ", and", "and", ", while"))
            if self.roll() < 0.7:
                text, right = f"{self.state(d, 'must')} {w1} {link} {self.state(e, 'stay')} {w2}", ("and", ("F", s1, d), ("G", s2, e))
            else:
                text, right = f"{self.state(d, 'stay')} {w2} {link} {self.state(e, 'must')} {w1}", ("and", ("G", s2, d), ("F", s1, e))
        return f"{self.opening()} {cond} {self.pick((',', ',', ', then', 'then'))} {text}", ("G", None, ("->", left, right))

    def _one(self) -> Said:
        tree = self.lit(0.2)
        return self.state(tree, "is"), tree

    def ever(self) -> Said:
        """ "If we ever ..., within N seconds ..." is a rule for all times."""
        p, q = self.prop(), self.lit()
        who = self.pick(("we", "you", "it", "the system", "somebody", "someone", "there is"))
        span, when = self.soon()
        return self.pick((f"if {who} ever {self.pick(('gets', 'get', 'see', 'hit', 'have', 'is in', 'are in', ''))} {p[1]} , {self.pick(('then', ''))} {when} {self.state(q, 'must')}", f"should {self.pick(('the', 'a', ''))} {p[1]} ever {self.pick(('happen', 'occur', 'come up', 'be on', 'show'))} , {self.state(q, 'must')} {when}", f"if {self.state(p, 'is')} at any {self.pick(('time', 'instant', 'moment', 'point'))} , {self.state(q, 'must')} {when}")), ("G", None, ("->", p, ("F", span, q)))

    def unless_already(self) -> Said:
        p, q, r = self.lit(0.3), self.lit(0.4), self.lit(0.2)
        span, when = self.lasting_for()
        text = f"{self.opening()} {self.state(p, 'is')} , {self.state(q, 'stay')} {when} {self.pick(('', ','))} unless {self.state(r, 'is')} {self.pick(('already', 'at that moment', 'already at that moment', 'at that time', 'by then already'))}"
        return text, ("G", None, ("->", ("and", p, ("not", r) if r[0] != "not" else r[1]), ("G", span, q)))

    def hold_till(self) -> Said:
        p, q = self.lit(0.15), self.prop()
        r: Tree = ("not", self.prop())
        keep, tree = f"no {r[1][1]}", r
        if self.roll() < 0.5:
            s: Tree = ("not", self.prop())
            keep, tree = self.pick((f"hold not the {r[1][1]} and the {s[1][1]}", f"neither {r[1][1]} nor {s[1][1]}", f"no {r[1][1]} and no {s[1][1]}")), ("and", r, s)
        back = self.pick(("", "- and it must come back", ", which must come", ", and it does have to come", "- and that has to happen"))
        return f"{self.opening()} {self.state(p, 'is')} with no {q[1]} , {keep} {self.pick(('till', 'until', 'up to when', 'until such time as'))} {self.state(q, 'is')} {self.pick(('again', '', 'back'))} {back}", ("G", None, ("->", ("and", p, ("not", q)), ("U", None, tree, q)))

    def chain_of(self) -> Said:
        steps = [self.lit(0.15) for _ in range(self.pick((2, 3, 3)))]
        link = self.pick((", then or later", ", then , now or later ,", ", then at some point", ", after that", ", and later on", ", followed at some point by"))
        start = self.pick(("at some point", "one day", "eventually", "sooner or later", ""))
        text = f"{start} {self.state(steps[0], 'bare')} " + " ".join(f"{link} {self.state(x, 'bare')}" for x in steps[1:])
        if not start:
            text = f"{self.state(steps[0], 'bare')} at some point " + " ".join(f"{link} {self.state(x, 'bare')}" for x in steps[1:])
        tree = steps[-1]
        for x in reversed(steps[:-1]):
            tree = ("and", x, ("F", None, tree))
        return text, ("F", None, tree)

    def guarded(self) -> Said:
        """ "If a and b , a c gets you d": three conditions."""
        cond, left = self.conditions(2)
        c, d = self.prop(), self.lit()
        span, when = self.soon()
        return f"{self.opening()} {cond} , {self.pick(('a', 'the', 'any'))} {c[1]} {self.pick(('gets you', 'leads to', 'must bring', 'brings', 'results in', 'triggers'))} {self.state(d, 'bare')} {when}", ("G", None, ("->", ("and", *left[1:], c), ("F", span, d)))

    # -- with intervals ----------------------------------------------------------------------------------

    def stretch(self) -> Said:
        q = self.lit(0.6)
        low, high, unit = self.number(), self.number(), self.pick(UNITS)
        words = self.pick((f"between {low} {unit} and {high} {unit}", f"between {low} and {high} {unit}", f"from {low} to {high} {unit}", f"from {low} {unit} to {high} {unit}", f"all through {low} to {high} {unit}"))
        if q[0] == "not" and q[1][0] == "p":
            name = q[1][1]
            return self.pick((f"no {name} {words}", f"no {name} at all {words}", f"{name} must not happen {words}", f"at no time {words} may {self.pick(('the', 'there be'))} {name}", f"{words} there is to be no {name}", f"not a single {name} {words}")), ("G", (low, high), q)
        return self.pick((f"{self.state(q, 'stay')} all through {low} to {high} {unit}", f"{self.state(q, 'stay')} the whole time {words}", f"{words} {self.state(q, 'stay')} throughout", f"{words} always {self.state(q, 'bare')}")), ("G", (low, high), q)

    def deadline(self) -> Said:
        q, n, unit = self.lit(0.2), self.number(), self.pick(UNITS)
        s = self.state(q, "must")
        return self.pick((f"{s} in {n} {unit} , tops", f"{s} in {n} {unit} max", f"{s} in {n} {unit} at the latest", f"{s} by {n} {unit} , no later", f"{s} in {n} {unit} or less", f"it takes at most {n} {unit} until {self.state(q, 'is')}", f"{n} {unit} at most and {self.state(q, 'is')}", f"at the latest after {n} {unit} {s}", f"not later than {n} {unit} {s}", f"{self.state(q, 'bare')} in the first {n} {unit}", f"somewhere in the first {n} {unit} {s}")), ("F", ("0", n), q)

    def bound(self) -> Said:
        self.names += 1
        p, n = f"P{self.names}", self.number()
        unit = self.pick(("", "", "degrees", "percent", "volts", "meters", "cm", "bar", "units", "degrees per second", "bucks", "points"))
        high = self.roll() < 0.5
        text = self.pick((f"{self.pick(('the', ''))} {p} {self.pick(('can not ever', 'must never', 'may never', 'shall at no time', 'must not ever', 'is never to'))} {self.pick(('get', 'go', 'be', 'rise', 'climb'))} {self.pick(('hotter than', 'higher than', 'above', 'over', 'beyond', 'more than', 'past'))} {n} {unit}", f"{self.pick(('the', ''))} {p} {self.pick(('tops out at', 'never exceeds', 'must not exceed', 'is always at most', 'stays at or below', 'must never exceed'))} {n} {unit}") if high else
                         (f"{self.pick(('the', ''))} {p} {self.pick(('can not ever', 'must never', 'may never', 'shall at no time', 'must not ever', 'is never to'))} {self.pick(('get', 'go', 'be', 'fall', 'drop', 'sink'))} {self.pick(('colder than', 'lower than', 'below', 'under', 'less than', 'beneath'))} {n} {unit}", f"{self.pick(('the', ''))} {p} {self.pick(('is always at least', 'stays at or above', 'must always be at least', 'never falls below'))} {n} {unit}"))  # fmt: skip
        return text, ("G", None, ("cmp", "<=" if high else ">=", p, n))

    def instant(self) -> Said:
        states = [self.lit(0.3) for _ in range(self.pick((2, 2, 3)))]
        low, high, unit = self.number(), self.number(), self.pick(UNITS)
        span: Span = (low, high)
        words = f"{self.pick(('in the time from', 'between', 'in the window from', 'somewhere between'))} {low} {self.pick(('to', 'and'))} {high} {unit} {self.pick(('', 'from now', ''))}"
        if self.roll() < 0.4:
            span, words = ("0", high), f"some time in the next {high} {unit}"
        said = self.state(("and", *states), "is")
        return self.pick((f"{words} there shall be an instant at which {said}", f"{words} there must be a moment when {said}", f"{words} , all at the same time , {said}", f"{words} {said} at the same time")), ("F", span, ("and", *states))

    def after_each(self) -> Said:
        p = self.prop() if self.roll() < 0.6 else ("not", self.prop())
        q = self.lit(0.4)
        n, unit = self.number(), self.pick(UNITS)
        length = self.pick((f"for at least {n} {unit} after", f"for {n} {unit} after", f"during the {n} {unit} after", f"for the {n} {unit} following", f"throughout the {n} {unit} after"))
        event = f"{self.pick(('each', 'every', 'any', 'the'))} {self.event(p)}"
        return self.pick((f"{length} {event} , {self.state(q, 'stay')}", f"{self.state(q, 'stay')} {length} {event}")), ("G", None, ("->", p, ("G", ("0", n), q)))

    # -- without intervals -------------------------------------------------------------------------------

    def often(self) -> Said:
        p, q = self.lit(0.1), self.lit(0.1)
        often = self.pick(("infinitely often", "infinitely often", "again and again", "infinitely many times", "over and over for ever", "time and again"))
        if self.roll() < 0.4:
            return f"{self.state(p, 'must')} {often}", ("G", None, ("F", None, p))
        return self.pick((f"provided that {self.state(p, 'is')} {often} , {self.state(q, 'must')} {often}", f"if {self.state(p, 'is')} {often} , then {self.state(q, 'must')} {often}", f"{self.state(q, 'must')} {often} , as long as {self.state(p, 'is')} {often} , too", f"assuming {self.state(p, 'is')} {often} , so is {self.state(q, 'bare')}")), ("->", ("G", None, ("F", None, p)), ("G", None, ("F", None, q)))

    def weak(self) -> Said:
        p, q = self.prop(), self.prop()
        first = self.pick((f"no {p[1]} {self.pick(('may come out', 'may happen', 'is allowed', 'may be on', ''))} before {self.state(q, 'is')}", f"the {p[1]} must not {self.pick(('be on', 'happen', 'start', 'run', 'be'))} before {self.state(q, 'is')}", f"{p[1]} is off limits until {self.state(q, 'is')}", f"no {p[1]} till {self.state(q, 'is')}"))
        if self.roll() < 0.5:
            if_not = self.pick((f"; if {self.pick(('no', 'there is never any'))} {q[1]} {self.pick(('ever comes', 'is ever put in', ''))} , none ever {self.pick(('comes out', 'happens', 'comes'))}", f"; should the {q[1]} never {self.pick(('happen', 'come', 'be', 'occur'))} , the {p[1]} stays not for good", f", and if {q[1]} never comes , {p[1]} never does either", f"- {q[1]} may never come , and then no {p[1]} ever"))
            return f"{first} {if_not}", ("W", ("not", p), q)
        does = self.pick((f"- and the {q[1]} does have to come at some point", f", and {q[1]} must come sometime", f"; {q[1]} is sure to be required eventually", f", and {q[1]} has to happen in the end"))
        return f"{first} {does}", ("U", None, ("not", p), q)

    def in_turn(self) -> Said:
        p, q = self.lit(0.1), self.lit()
        next_ = self.pick(("at the next instant", "at the very next step", "in the following step", "in the next step", "right after , one step later ,", "one step later"))
        return self.pick((f"{self.opening()} {self.state(p, 'is')} , {self.state(q, 'must')} {next_}", f"{self.opening()} {self.state(p, 'is')} , {next_} {self.state(q, 'must')}")), ("G", None, ("->", p, ("X", q)))
