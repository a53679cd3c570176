"""Sentences over lifted propositions "( P1 )": verbose rules, free combinations, and short commands.

Scope rule of this style: members combine from left to right; a time adverb covers what follows it up to the next
comma; "if ... then" makes a rule for all times only with words that say so ("whenever", "in case that", "when",
"globally", "all of the following conditions ...").
"""

from __future__ import annotations

import random

from assent_train.corpus.trees import Span, Tree

Said = tuple[str, Tree]

HAPPENS = (
    "happens", "happens", "is true", "is detected", "is observed", "occurs", "takes place", "gets detected", "gets observed", "should happen",
    "should be true", "should be detected", "should be observed", "is the case", "holds", "does happen", "will happen", "must happen", "must be true",
    "has happened", "will be true", "is done", "should occur", "is valid", "should also be true", "should also happen", "is also true", "must occur",
    "will occur", "has to be true", "needs to happen", "is satisfied", "also occurs", "has occurred", "is achieved", "comes true", "is made true",
)  # fmt: skip
NOT_HAPPENS = (
    "does not happen", "does not happen", "doesn't happen", "is not true", "is false", "is not detected", "is not observed", "does not occur", "should not happen",
    "should not be true", "should not be detected", "is not the case", "should not be the case", "should not be observed", "doesn't occur", "must not happen",
    "will not happen", "should not occur", "isn't true", "does not hold", "is no longer detected", "fails to happen", "should not take place", "never happens" , "does not take place",
    "is no longer true", "should not be done", "isn't detected",
)  # fmt: skip
BOTH = ("are both true", "are both detected", "happen at the same time", "both happen", "should both be true", "should happen at the same time", "both occur", "are true", "happen", "should be detected at the same time", "should both happen", "are detected", "are both observed", "are satisfied at the same time", "should happen", "are true at the same time", "both hold", "occur at the same time", "occur", "should be detected")
LEADS = ("it is required that", "it is required that", "make sure that", "make sure", "it should be the case that", "ensure that", "it is the case that", "it is true that", "it should be that", "ensure", "it must be the case that", "it must be true that", "it is needed that", "we require that", "it has to be the case that")
UNITS = ("time units", "time units", "time units", "time units", "timesteps", "time steps", "time steps", "units", "steps", "seconds", "time unit")
NOT_SO = ("it is not the case that", "it is not the case that", "it is not true that", "it should not be the case that", "it must not be that")
SCENES = ("the scenario that", "the scenario in which", "the event that", "the transition action that", "the case that", "the scenario where", "the scenario", "the event", "the transition action", "the case in which")


def is_tight(text: str) -> bool:
    """One unit, without a comma or a connection that reaches over it."""
    return "," not in text and not text.startswith(("if ", "until ")) and " or else " not in text


class LiftedWriter:
    """Draws sentences of the lifted styles together with their formulas."""

    def __init__(self, rng: random.Random, timed: bool) -> None:
        self.rng = rng
        self.pick = rng.choice
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
            return f"{p} {self.pick(HAPPENS)}"
        if roll < 0.91:
            return f"{self.pick(SCENES)} {p} {self.pick((*HAPPENS, ''))}"
        return f"{self.pick(('you do', 'do', 'you should do', 'you observe', 'observe', 'you see', 'make sure', 'make sure that', 'you should also do', 'achieve', 'you detect', 'we have', 'make', 'make sure to do', 'you must do', 'keep', 'you have to do', 'maintain'))} {p}"

    def denied(self, p: str, tight: bool = False) -> str:
        roll = self.roll() * (0.75 if tight else 1.0)
        if roll < 0.5:
            return f"{p} {self.pick(NOT_HAPPENS)}"
        if roll < 0.75:
            return f"{self.pick(('not', 'do not do', 'do not', 'you do not do', 'you do not', 'do not', 'you should not do', 'you no longer observe', 'you no longer see', 'you must not do', 'avoid', 'never do', 'prevent', 'avoid doing'))} {p}" if roll < 0.71 else f"keep {p} from {self.pick(('happening', 'being true', 'occurring'))}"
        return f"{self.pick(('it is not the case that', 'it is not true that', 'it should not be the case that', 'it is false that', 'it must not be the case that'))} {p} {self.pick(('', '', 'happens', 'is true', 'should happen', 'is detected'))}"

    # -- time ------------------------------------------------------------------------------------------

    def interval(self) -> tuple[Span, str]:
        """An interval and the words of its numbers: "N1 to N2 time units"."""
        low, high = self.number(), self.number()
        return (low, high), f"{low} {self.pick(('to', 'to', 'to', 'to', 'and', '-'))} {high} {self.pick(UNITS)}"

    def once(self) -> tuple[str, Span, str]:
        """An adverb for eventually: its words, its interval, "front" when it may only stand in front."""
        if not self.timed or self.roll() < 0.12:
            return self.pick(("at some point", "at some point", "eventually", "finally", "at some point in the future", "at some time", "some time in the future", "in the future",
                              "at a certain point in the future", "at some point during the coming time units", "sometime", "at some future time", "ultimately", "at the end", "at a certain time",
                              "at one point", "at a certain time point", "at some time in the future", "in the end", "sometime in the future")), None, ""  # fmt: skip
        if self.roll() < 0.2:
            n, u = self.number(), self.pick(UNITS)
            return self.pick((f"at some point after {n} {u}", f"at some point after the next {n} {u}", f"after {n} {u}", f"at a certain point after the next {n} {u}", f"some time after {n} {u}",
                              f"at some future time after {n} {u}", f"at some point from {n} {u} onward", f"at some time after the next {n} {u}", f"at some point after the first {n} {u}", f"at a certain point after {n} {u}",
                              f"sometime after {n} {u}", f"at some point starting from the {n} time unit", f"in the {n} to infinite {u}", f"at some point during the {n} to infinite {u}")), (n, "inf"), ""  # fmt: skip
        if self.roll() < 0.1:
            n, u = self.number(), self.pick(UNITS)
            return self.pick((f"within {n} {u}", f"within the next {n} {u}", f"in the next {n} {u}", f"at some point in the next {n} {u}", f"at some point within {n} {u}", f"in {n} {u}")), ("0", n), ""
        span, words = self.interval()
        return self.pick((f"within {words}", f"at some point during {words}", f"at some point during the {words}", f"at some point during the next {words}", f"at some point within the next {words}",
                          f"at a certain point within the next {words}", f"in the next {words}", f"within the next {words}", f"at one time in the next {words}", f"in {words}", f"at some point in the next {words}",
                          f"at a certain moment during the next {words}", f"at some point between {words}", f"between {words}", f"at one time point in the next {words}", f"at some time in the next {words}",
                          f"for a certain time instant during the first {words}", f"at some moment within the next {words}", f"at some point in the first {words}", f"during the first {words}" , f"at some point during the first {words}",
                          f"sometime within {words}", f"at some time during the {words}", f"at a certain time within the next {words}", f"at some point in the coming {words}", f"at some point from {words}", f"some time after {words}", f"within the {words}", f"at some point within {words}", f"at some point in the range of {words}", f"in the time frame of {words}", f"at a certain time point during the coming {words}", f"at some moment in the future within {words}", f"at one time unit in the next {words}", f"within a range of {words}", f"after {words}")), span, ""  # fmt: skip

    def always(self) -> tuple[str, Span]:
        if not self.timed or self.roll() < 0.12:
            return self.pick(("for each time instant", "for all time", "always", "always", "at all times", "for all times", "globally", "for every time instant", "all the time", "at every time step", "for each time instant in the coming time units",
                              "at every moment", "at all future timesteps", "in all time steps", "forever", "for all future time steps", "for each moment", "at each time instant", "for every moment", "it is always the case that", "it is globally the case that")), None  # fmt: skip
        if self.roll() < 0.24:
            n, u = self.number(), self.pick(UNITS)
            return self.pick((f"for all time after {n} {u}", f"for all time after the next {n} {u}", f"from {n} {u} onward", f"always after {n} {u}", f"at all times after {n} {u}", f"for {n} {u} and beyond", f"from {n} {u} on",
                              f"for each time instant after the next {n} {u}", f"for all times from {n} {u} onward", f"for every moment from {n} {u} on", f"from the {n} time unit on", f"at all times {n} and beyond", f"starting from {n} {u}",
                              f"for each time instant from the next {n} {u} on", f"for all time steps after {n}", f"for times in [ {n} , infinite ]")), (n, "inf")  # fmt: skip
        if self.roll() < 0.12:
            n, u = self.number(), self.pick(UNITS)
            return self.pick((f"for each time instant in the next {n} {u}", f"for the next {n} {u}", f"for every moment within the first {n} {u}", f"for all time steps in the next {n} {u}", f"always in the next {n} {u}", f"for the first {n} {u}")), ("0", n)
        span, words = self.interval()
        return self.pick((f"for each time instant in the next {words}", f"for each time instant in the next {words}", f"for each time instant in the coming {words}", f"for all time steps in the next {words}", f"for every time instant in the next {words}",
                          f"in each of the next {words}", f"for the next {words}", f"for all the time in the next {words}", f"for {words}", f"at all times during {words}", f"at every point within the next {words}", f"for all times during the next {words}",
                          f"for each time instant during the first {words}", f"for every moment within the first {words}", f"always during the {words}", f"it is always the case within the next {words} that", f"from {words}", f"globally within the next {words}",
                          f"for each time instant from {words}", f"for all {words}", f"in all of the next {words}", f"at each time instant in the next {words}", f"for every time step from {words}", f"all the time during {words}", f"it is globally the case that within the next {words}", f"for all time during {words}", f"for all time within {words}", f"for all time between {words}", f"for all time during the next {words}", f"for all time within the next {words}", f"for each time instant between {words}", f"for every timestep between {words}", f"for every timestep in the next {words}", f"at each time step in the range of {words}", f"in the time frame of {words}", f"for all moments from {words}")), span  # fmt: skip

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
                    return f"{a} and {b} {self.pick(BOTH)}", ("and", x, y)
                if roll < 0.45:
                    return f"{self.pick(('both', 'all of'))} {a} and {b}", ("and", x, y)
                return f"{a} {self.pick(('and', 'and', 'and', 'and', 'and', 'and at the same time', 'and simultaneously', 'and', 'and instead', 'and observe', 'and also observe', 'together with', 'but', 'and in the same time'))} {b}", ("and", x, y)
            if roll > 0.93 and plain:
                return self.pick((f"do either {a} or {b}", f"you should either do {a} or {b}", f"you should do either {a} or {b}", f"either do {a} or {b}", f"make sure either {a} or {b} happens", f"at least one of {a} and {b} {self.pick(('happens', 'is true', 'should happen'))}")), ("or", x, y)
            either = "either " if roll < 0.4 else ""
            tail = self.pick((" happens", " is true", " occurs", " is detected", " should happen", " is observed", " should be true", " should be detected")) if plain and self.roll() < 0.4 else ""
            return f"{either}{a} {self.pick(('or', 'or', 'or', 'or'))} {b}{tail}", ("or", x, y)
        (a, x), (b, y) = self.fact(0.75, True), self.fact(0.75, True)
        if op == "->":
            return self.pick((f"if {a} then {b}", f"if {a} then {b}", f"{a} implies {b}", f"{a} implies that {b}", f"if {a} , then {b}", f"{a} and then {b}", f"{a} will lead to {b}", f"{a} leads to {b}", f"{a} and only then {b}", f"{a} lead to {b}",
                              f"{a} happens and then {b}" if a.endswith(")") else f"{a} and then {b}", f"{a} will have to lead to {b}", f"{a} should cause {b}", f"if {a} happens then {b} should happen" if a.endswith(")") and b.endswith(")") else f"if {a} then {b}", f"while {a} , {b}", f"{a} causes {b}", f"if {a} , then {b} as well", f"{a} implying {b}", f"if you do {a} then you should do {b}" if a.endswith(")") and b.endswith(")") and a.startswith("(") and b.startswith("(") else f"if {a} then {b}")), ("->", x, y)  # fmt: skip
        return self.pick((f"{a} is equivalent to {b}", f"{a} is equivalent to {b}", f"{a} if and only if {b}", f"{a} and {b} are equivalent", f"{a} is the same as {b}", f"{a} is equal to {b}", f"{a} should be equivalent to {b}", f"{a} should be equal to {b}", f"{a} is equivalent to the scenario in which {b}",
                          f"the scenario in which {a} is equivalent to the scenario in which {b}", f"{a} and {b} are equal", f"{a} to be equivalent to {b}", f"{a} equivalent to {b}", f"{a} being equivalent to {b}", f"{a} and {b} should be equivalent", f"{a} happening is equivalent to {b} happening", f"{a} is equivalent to having {b}", f"the scenario that {a} is equivalent to {b}", f"{a} is equivalent to the case when {b}", f"{a} is the same thing as {b}", f"the scenario of {a} is equivalent to {b}", f"{a} has the same truth value as {b}", f"{a} and {b} happen or do not happen at the same time", f"{a} and {b} are either both true or both false", f"{a} exactly when {b}", f"{a} happens just when {b} does", f"{a} should be the same as {b}", f"doing {a} is the same as doing {b}")), ("<->", x, y)  # fmt: skip

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
                return self.pick((f"{when} {said}", f"{said} {when}", f"{p} {self.pick(HAPPENS)} {when}", f"{when} {p} {self.pick(HAPPENS)}", f"make sure {p} happens {when}", f"make sure that {p} happens {when}", f"{when} , {p} {self.pick(HAPPENS)}",
                                  f"{p} {self.pick(('will', 'should', 'must', 'has to'))} {self.pick(('happen', 'be true', 'occur', 'be detected'))} {when}", f"do {p} {when}", f"{p} eventually happens {'' if span is None else when}", f"{self.pick(('achieve', 'reach', 'ensure', 'make', 'do'))} {p} {when}", f"{p} should eventually happen {'' if span is None else when}", f"eventually do {p} {'' if span is None else when}")), formula  # fmt: skip
            return f"{when} {self.pick(('', '', 'it is the case that', 'the scenario in which', 'the scenario that', ','))} {said}", formula
        when, span = self.always()
        formula = ("G", span, tree)
        if simple:
            p = f"( {tree[1]} )"
            if "case" in when or self.roll() < 0.3:
                return f"{when} {said}", formula
            return self.pick((f"{when} {said}", f"{p} {self.pick(('is', 'should be', 'must be', 'is always', 'should always be'))} true {when}" if span or not when.startswith("always") else f"{p} is always true", f"keep {p} {when}", f"{when} {p} {self.pick(HAPPENS)}", f"{when} , {p} is true", f"{p} is always {self.pick(('true', 'observed', 'detected'))} {'' if span is None else when}", f"always {said} {'' if span is None else when}", f"maintain {p} {when}", f"keep {p} true {when}", f"make sure {p} is always true {'' if span is None else when}", f"{p} should always be true {'' if span is None else when}", f"{when} make sure {p} {self.pick(HAPPENS)}", f"always do {p} {'' if span is None else when}")), formula  # fmt: skip
        return f"{when} {self.pick(('', '', 'it is the case that', ',', 'the scenario that'))} {said}", formula

    def until_unit(self) -> Said:
        left, x = self.fact(0.5, True) if self.roll() < 0.55 else self.pair()  # a denial in front covers the whole
        right, y = self.fact(0.5) if self.roll() < 0.72 else self.pair(self.pick(("and", "or", "and", "or", "<->", "->")))
        span: Span = None
        when = ""
        if self.timed and self.roll() < 0.75:
            when, span, _ = self.once()
        formula: Tree = ("U", span, x, y)
        if self.roll() < 0.08:
            when = when or self.once()[0] if not self.timed or span is not None else self.pick(("at some point", "eventually"))
            return self._before(when, left, right), formula
        if span is None:
            when = ""
        some = when if when.startswith(("at", "some", "during", "within", "between", "after", "for")) else when
        if x[0] == "p":
            p = f"( {x[1]} )"
            held = self.pick((f"{p} happens and continues until", f"{p} happens and continues to happen until", f"keep {p} until", f"keep {p} true until", f"{p} until", f"{p} happens until", f"{p} should happen until", f"{p} should happen and continue until", f"keep doing {p} until", f"{left} until", f"do {p} and keep doing it until", f"{p} happens and continues happening until", f"{p} keeps happening until", f"{p} continues until", f"maintain {p} until", f"{p} should hold until", f"do {p} until", f"{p} continuously happens until", f"{p} should happen and continue to happen until", f"you do {p} and keep doing it until", f"{p} occurs and continues until", f"{p} holds until", f"wait at {p} until", f"{p} is true until", f"{p} continues to happen until", f"{p} should continue until", f"{p} keeps being true until", f"always keep {p} until", f"continue {p} until", f"continue doing {p} until", f"{p} lasts until", f"maintain {p} all along until", f"stay in {p} until"))
        else:
            held = self.pick((f"{left} until", f"{left} until", f"keep {left} until", f"{left} and continues until", f"{left} and continue until", f"{left} and continues to happen until", f"{left} and continue to happen until", f"{left} keeps true until", f"{left} should hold until", f"{left} all along until", f"keep doing {left} until", f"maintain {left} until", f"{left} and keep being so until"))
        if when.startswith("at some point") and self.roll() < 0.3:
            some = when.replace("at some point", "at some other point", 1)
        elif span is None and self.roll() < 0.08:
            some = when = self.pick(("at some point", "then at some other point", "at some other point"))
        if x[0] in {"p", "and", "or"} and self.roll() < 0.12:
            held = self.pick((f"if {left} , wait until", f"if {left} , then wait until", f"if {left} , then keep it until", f"if {left} , keep doing that until", f"if {left} , then keep doing it until", f"if {left} , then keep this state until", f"if {left} , then keep it true until", f"do {left} and wait until"))
        if self.roll() < 0.1 and span is None and not when:
            keep = f"{self.pick(('keep doing', 'make sure that', '', 'keep'))} {left}"
            return f"until {right} , {keep}", formula
        if not when:
            return f"{held} {right}", formula
        return self.pick((f"{held} {some} {right}", f"{held} {some} {right}", f"{held} {some} , {right}", f"{held} {right} {some}", f"{held} {some} that {right}", f"{held} {right} {some}" if some else f"{held} {right}")), formula

    def _before(self, when: str, left: str, right: str) -> str:
        """until, told from its end."""
        then = self.pick((", and before this ,", ", and before that ,", ", and until then", ", but before that ,", ", and till then", ". until then ,", ". however , before that ,", ", and up to that point"))
        return f"{when} {self.pick(('', '', ',', 'the scenario that'))} {right} {then} {left} {self.pick(('', '', 'all along', 'continuously'))}"

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
            return (said, tree) if said.startswith(("if ", "it is ", "it should")) else (f"{self.pick(NOT_SO)} {said}", ("not", tree))
        said, tree = self.pair(self.pick(("and", "or", "<->", "->")))
        if tree[0] == "<->" and self.roll() < 0.5:
            (a, x), (b, y) = self.atom(), self.atom()
            return self.pick((f"{a} is not equivalent to {b}", f"{a} is not the same as {b}", f"{a} and {b} are not equivalent", f"{a} is not equal to {b}")), ("not", ("<->", x, y))
        return f"{self.pick(NOT_SO)} {said}", ("not", tree)

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
            return f"{self.pick(LEADS)} {text}", tree
        joined = steps and tree[0] in {"and", "or", "U", "<->"} and not conditional
        if joined and lead < (0.32 if " until " in text else 0.2) and not text.startswith(("if", "until", "either", "make sure")):
            # "if" or "in case that" without "then" says nothing
            return f"{self.pick(('if', 'if', 'in case that', 'if at some point'))} {text}", tree
        if lead > 0.95 and is_tight(text) and tree[0] in {"and", "or"}:
            return f"the {self.pick(('scenario in which', 'scenario that', 'case in which', 'scenarios in which'))} {text}", tree
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
            link = self.pick((", and", ", and", ", and", ", and", ", and also", ", and also", ", as well as", ", and in addition", ", but", ", and at the same time", ", and besides", "and also", ", and in the meantime ,", ", and in the same time", ", but also", ", and additionally ,", "; and", ", and make sure that"))
            return f"{text} {link} {other}{self.pick(('', '', '', '', '', '', ' as well'))}", ("and", tree, right), False
        either = "either " if first and self.roll() < 0.4 and not text.startswith("either") else ""
        link = self.pick((", or else", ", or else", ", or", ", or", ", or else", ", or alternatively", ", otherwise", ", otherwise ,", "or else", "; or", ", or else if not ,"))
        return f"{either}{text} {link} {other}", ("or", tree, right), False

    def _then(self, text: str, tree: Tree) -> Said:
        other, right = self.unit()
        formula: Tree = ("->", tree, right)
        if text.startswith("if "):
            return self.pick((f"{text} , then {other}", f"{text} , then {other}", f"if it is the case that {text} , then {other}", f"{text} , then this implies {other}", f"{text} , and only then {other}", f"if it is true that {text} , then {other}")), formula
        if tree[0] == "F" and tree[1] is None and text.startswith("at some"):
            text = "eventually " + text.split(" ", 3)[3] if text.startswith(("at some point ", "at some time ")) and not text.startswith(("at some point in", "at some point during", "at some time in")) else text
        point = self.pick(("", "", "", "", "", "at some point ")) if tree[0] in {"and", "or", "U", "<->"} and not text.startswith("until") else ""
        should = self.pick(("", "", "", "", "", "as a response ", "as a result ", "make sure that ", "this implies ", "in response ", "it should be followed by ", "it is required that "))
        forms = [f"if {point}{text} , then {should}{other}", f"if {point}{text} , then {should}{other}", f"if {point}{text} , then {should}{other}", f"if {point}{text} then {should}{other}", f"if {point}{text} then {should}{other}", f"as long as {text} , {other}", f"while {text} , {other}", f"if it is true that {text} then {other}", f"if it is the case that {text} then {other}",
                 f"if {text} , then {other} as well", f"if {text} , then the scenario above implies {other}", f"if {text} , then {other} can be implied", f"if {text} , as a result {other}", f"if {text} , this means {other}", f"it is required that if {text} then {other}", f"if {text} , {other}"]  # fmt: skip
        if tree[0] in {"p", "not"}:
            forms += [f"{text} implies that {other}", f"{text} means that {other}", f"{text} will lead to {other}"]
        return self.pick(forms), formula

    def _same(self, text: str, tree: Tree) -> Said:
        other, right = self.unit()
        formula: Tree = ("<->", tree, right)
        forms = [f"{text} , the above scenario is equivalent to {other}", f"{text} , which is equivalent to {other}", f"{text} , is equivalent to the scenario in which {other}", f"{text} , the above condition should be equivalent to {other}", f"{text} , which is equivalent to the case that {other}", f"{text} , this is equivalent to the scenario in which {other}", f"{text} , and the above condition is equivalent to {other}", f"{text} , then the above scenario is equivalent to {other}", f"{text} , which is the same as {other}", f"{text} , should be equivalent to the scenario in which {other}", f"{text} , if and only if {other}", f"{text} , equal to {other}"]
        if not text.startswith("if "):
            forms += [f"if {text} , then {other} , and vice versa", f"if {text} then {other} , and vice versa", f"if {text} , then this is equivalent to {other}", f"if {text} , then this should be equivalent to {other}", f"if {text} , then it is equivalent to the case that {other}", f"if {text} then {other} , and the other way around", f"if {text} , then this is the same as {other}"]
        if is_tight(text):
            forms += [f"the scenario in which {text} is equivalent to the scenario in which {other}"] * 3 + [f"the case that {text} is equivalent to the case that {other}", f"the scenario that {text} is equivalent to the scenario that {other}", f"the scenario in which {text} is equivalent to {other}"]
            if tree[0] in {"p", "not", "and", "or"}:
                forms += [f"{text} if and only if {other}"] * 3 + [f"{text} is equivalent to {other}", f"{text} is equivalent to {other}", f"{text} is the same as {other}", f"{text} is equivalent to the scenario in which {other}", f"{text} should be equivalent to the scenario that {other}", f"it is the case that {text} is equivalent to {other}"]
        return self.pick(forms), formula

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
            return f"if {text} {self.pick((', then keep it until', ', then keep doing it until', ', then keep it true until', ', then keep this condition until', ', then keep this until', ', keep it until', ', wait until', ', then wait until', ', keep doing that until', ', then keep this state until'))} {when} {other}", formula, True
        hold = self.pick((", and this scenario will hold until", "and this scenario continues until", ", the above condition will hold until", ", and keep this until", ", this scenario will hold until", ", and this condition should continue until", ", and this should hold until", ", and the above scenario holds until", "and this scenario will hold until", "and this scenario continues to hold until", ", and keep this up until", "and this scenario will hold until", ", and this will hold until", ", and all of this holds until"))
        return f"{text} {hold} {when} {other}", formula, False

    def either(self) -> Said:
        (a, x), (b, y) = self.fact(0.6), self.fact(0.6)
        return f"either {a} or {b}", ("or", x, y)

    def listing(self) -> Said:
        count = self.pick((2, 3, 3, 4))
        facts = [self.atom() for _ in range(count)]
        names = " , ".join(t for t, _ in facts[:-1]) + self.pick((" , and ", " and ")) + facts[-1][0]
        if self.roll() < 0.4:
            ors = " , ".join(t for t, _ in facts[:-1]) + self.pick((" , or ", " or ", " , ")) + facts[-1][0]
            happens = self.pick(("happens", "is true", "should happen", "must be detected", "should be observed"))
            return self.pick((f"any of the following {happens} : {ors}", f"at least one of {names} {happens}", f"one of {ors} {happens}", f"any of {ors} {happens}", f"either one of {ors} {happens}", f"make sure any of the following happens : {ors}")), ("or", *(x for _, x in facts))
        return self.pick((f"all of {names} should be detected", f"all of {names} are true", f"{names} should all happen at the same time", f"{names} should all be detected", f"all of {names} should happen")), ("and", *(x for _, x in facts))

    def conditions(self) -> Said:
        """Two conditions, each with its own if."""
        (a, x), (b, y), (c, z) = self.fact(0.5, True), self.fact(0.5, True), self.unit()
        both = self.pick((f"if {a} , and if {b} , then {c}", f"if {a} and if {b} , then {c}", f"if {a} and also if {b} then {c}", f"{c} if {a} and if {b}" if is_tight(c) else f"if {a} and if {b} then {c}"))
        return both, ("->", ("and", x, y), z)

    # -- short commands --------------------------------------------------------------------------------

    def navigation(self) -> Said:
        def unit() -> Said:
            p, x = self.atom()
            roll = self.roll()
            if roll < 0.3:
                return p, x
            if roll < 0.55:
                return f"{self.pick(('at some time', 'at any time', 'when possible', 'whenever', 'at some time', 'at any time', 'when possible', 'whenever', 'eventually', 'at some point'))} {p}", ("F", None, x)
            if roll < 0.7:
                return f"{self.pick(('always', 'forever', 'at all times'))} {p}", ("G", None, x)
            if roll < 0.82:
                return f"{self.pick(('repeatedly', 'repeatedly', 'again and again', 'infinitely often'))} {p}", ("G", None, ("F", None, x))
            if roll < 0.9:
                return f"never {p}", ("G", None, ("not", x))
            return f"{self.pick(('do not', 'do not', 'not'))} {p}", ("not", x)

        (a, x), (b, y) = unit(), unit()
        op = self.pick(("and", "or", "->", "->", "U"))
        if op in {"and", "or"}:
            return f"{a} {op} {b}", (op, x, y)
        if op == "U":
            return f"{a} until {b}", ("U", None, x, y)
        return self.pick((f"if {a} , {b}", f"when {a} , {b}", f"{a} means that {b}", f"{a} can infer that {b}", f"{a} implies that {b}")), ("->", x, y)
