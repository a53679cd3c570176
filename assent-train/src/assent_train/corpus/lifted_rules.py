"""Verbose rules over lifted propositions: in case that ..., then all of the following conditions are true: ..."""

from __future__ import annotations

from assent_train.corpus.lifted import LiftedWriter, Said
from assent_train.corpus.trees import Span, Tree

OPENINGS = (
    "whenever", "whenever", "when", "when", "if", "if", "everytime when", "every time", "in case that", "in the case", "in the case that", "on condition that", "as soon as", "while",
    "in the event that", "in case", "during the interval that", "each time", "once", "everytime", "at any time when",
)  # fmt: skip
GLOBALLY = ("globally ,", "it is always the case that", "it is always the case that", "it is globally the case that", "at all times ,", "always ,")
SCENES = ("the scenario that", "the event that", "the transition action that", "the scenario", "the event", "the transition action")
SEEN = ("happens", "occurs", "takes place", "is detected", "is observed", "gets detected", "gets observed")
SHALL = (
    "should be observed", "has to occur", "must be detected", "shall happen", "will occur", "needs to be detected", "will have to happen", "ought to be observed", "should be detected", "is detected", "is observed",
    "will get detected", "shall get observed", "has to happen", "must occur", "will be observed", "shall take place", "will take place", "must happen", "should occur", "needs to happen", "will get observed", "has to be detected", "should get observed", "should get detected", "shall ultimately happen", "ought to get observed", "will also be observed", "will happen", "has to get detected", "needs to occur", "should take place", "must take place",
)  # fmt: skip
NOT_SHALL = ("ought never to be observed", "should not be detected", "must not occur", "shall not happen", "should never be observed", "will not occur", "must never be detected", "shall never take place", "will never get detected", "must not be observed")
AT_ONCE = ("immediately", "at once", "promptly", "instantly", "right away", "in no time", "without any delay", "at the same time", "simultaneously", "at the same moment", "at the same time point", "at the same time instant", "starting without any delay", "starting immediately", "concurrently")
THEN = (
    ", then", ", then", "then", "then", ", then in response", "then in response", ", then all of the following conditions are true :", ", then all of the following conditions hold :", "then all of the following conditions are true :", "then all of the following conditions hold :",
    ", then the following condition is true :", ", then the following condition holds :", "then the following condition is true :", "then the following condition holds :", ", then in response the following condition is true :", ", in response", ",",
)  # fmt: skip
LASTLY = ("finally", "eventually", "ultimately")
EXISTS = ("there must be", "there has to be", "there will be", "there should be", "there shall exist", "there will have to exist", "there must exist", "there needs to be", "there exists", "there has to exist", "there needs to exist", "there will exist", "there should exist", "there is", "there will have to be", "there shall be")
MOMENT = ("a certain moment", "a time", "a certain time instant", "a certain time point", "sometime", "a moment", "a certain time", "some time", "a time point", "a time instant")
EVERY = ("each", "every")
INSTANT = ("time instant", "moment", "time point", "time")
FUTURE = ("in the future", "in the future before the end of the execution", "in the future before the simulation ends", "in the future before the end of the simulation", "in the future before the execution ends", "before the end of the simulation", "before the execution ends")
AHEAD = ("next", "following", "coming", "subsequent", "first")
STEADY = ("continuously", "consistently", "uninterruptedly", "without interruption", "consecutively", "all the time", "constantly")


class LiftedRules(LiftedWriter):
    """The lifted styles with the verbose rules."""

    def rule(self) -> Said:
        """G(condition -> consequence)."""
        cond, left = self.condition()
        cons, right = self.consequence()
        opening = self.pick(OPENINGS)
        front = f"{self.pick(GLOBALLY)} " if self.roll() < 0.5 else ""
        then = self.pick(THEN)
        if then == "," and not front:
            then = ", then"
        if self.roll() < 0.12:
            word = self.pick(("whenever", "every time", "as soon as", "when", "each time", "everytime when", "in case that", "at any time when"))
            text = f"{cons} {word} {cond}"
            return (text if self.roll() < 0.6 else f"{self.pick(GLOBALLY)} {text}"), ("G", None, ("->", left, right))
        if self.roll() < 0.04:
            p, x = self.atom()
            span, where = self.window()
            return f"{self.pick(('the event', 'the scenario', 'every time'))} {cond} happening will cause {p} to {self.pick(('occur', 'happen', 'be detected'))} {where}", ("G", None, ("->", left, ("F", span, x)))
        if opening == "if" and not front and not (cond.startswith("the ") or "following" in then or "response" in then):
            front = f"{self.pick(GLOBALLY)} "  # a bare "if" is no rule for all times in this style
        return f"{front}{opening} {cond} {then} {cons}", ("G", None, ("->", left, right))

    def scene(self) -> Said:
        p, x = self.atom()
        roll = self.roll()
        if roll < 0.45:
            return p, x
        if roll < 0.88:
            return f"{self.pick(SCENES)} {p} {self.pick(SEEN)}", x
        if roll < 0.92:
            return f"{p} {self.pick(SEEN)}", x
        return f"{self.pick(SCENES)} {p} {self.pick(('does not happen', 'is not detected', 'is not observed', 'does not occur', 'does not get observed', 'does not take place', 'does not get detected'))}", ("not", x)

    def condition(self) -> Said:
        a, x = self.scene()
        roll = self.roll()
        if roll < 0.5:
            return a, x
        b, y = self.scene()
        op = "and" if roll < 0.78 else "or"
        text = f"{a} {self.pick((op, ', ' + op))} {b}"
        tree: Tree = (op, x, y)
        if roll > 0.96:
            c, z = self.scene()
            return f"{text} , or {c}", ("or", tree, z)
        return text, tree

    def result(self) -> Said:
        """A member of the consequence that holds at the same moment."""
        p, x = self.atom()
        roll = self.roll()
        if roll < 0.38:
            return p, x
        if roll < 0.55:
            return f"{self.pick(AT_ONCE)} {p}", x
        if roll < 0.75:
            return f"{self.pick(SCENES)} {p} {self.pick(SHALL)} {self.pick(('', '', *AT_ONCE))}", x
        if roll < 0.83:
            return f"{self.pick(AT_ONCE)} {self.pick(SCENES)} {p} {self.pick(SHALL)}", x
        if roll < 0.9:
            return f"{p} {self.pick(SHALL)} {self.pick(('', '', 'at the same time', 'immediately'))}", x
        if roll < 0.94:
            return f"{self.pick(SCENES)} {p} {self.pick(NOT_SHALL)}", ("not", x)
        return f"{self.pick(SCENES)} {p} must be {self.pick(AT_ONCE)} {self.pick(('detected', 'observed'))}", x

    def plain(self) -> Said:
        p, x = self.atom()
        if self.roll() < 0.55:
            return p, x
        return f"{self.pick(SCENES)} {p} {self.pick(SHALL)}", x

    def consequence(self) -> Said:
        roll = self.roll()
        if roll < (0.1 if self.timed else 0.25):
            return self.result()
        if roll < (0.2 if self.timed else 0.7):
            (a, x), (b, y) = self.result(), self.result()
            op = self.pick(("and", "or"))
            return f"{a} {self.pick((op, ', ' + op))} {b}", (op, x, y)
        if roll < (0.45 if self.timed else 0.78):
            return self.someday()
        if roll < (0.6 if self.timed else 0.84):
            return self.settled()
        if roll < (0.72 if self.timed else 0.89):
            return self.throughout()
        if roll < (0.85 if self.timed else 0.96):
            return self.lasting()
        return self.recurring()

    def window(self) -> tuple[Span, str]:
        """Which stretch ahead: "within the next N1 to N2 time units", or the whole future."""
        if not self.timed or self.roll() < 0.15:
            return None, self.pick(FUTURE)
        span, words = self.interval()
        if self.roll() < 0.06:
            n = self.number()
            return (n, "inf"), f"after {n} time units"
        return span, f"{self.pick(('within the', 'in the', 'during the'))} {self.pick(AHEAD)} {words}" if self.roll() < 0.92 else f"within {words}"

    def someday(self) -> Said:
        span, where = self.window()
        said, x = self.plain()
        last = self.pick(LASTLY)
        return self.pick((
            f"{self.pick(EXISTS)} {self.pick(MOMENT)} {where} , at which {last} {said}", f"{self.pick(EXISTS)} {self.pick(MOMENT)} {where} , at which {said}", f"{last} {self.pick(EXISTS)} {self.pick(MOMENT)} {where} , at which {said}",
            f"{self.pick(EXISTS)} {self.pick(MOMENT)} {where} {last} , at which {said}", f"{last} at {self.pick(MOMENT)} {where} {said}", f"at {self.pick(MOMENT)} {where} , {last} {said}", f"at {self.pick(MOMENT)} {where} {said}", f"{said} {last} at {self.pick(MOMENT)} {where}",
            f"{said} at {self.pick(MOMENT)} {where}", f"{said} at some point {where}", f"{last} {said} {where}" if span else f"{last} {said} at some point {where}",
        )), ("F", span, x)  # fmt: skip

    def held(self, first: str) -> tuple[str, Span]:
        """... and this condition lasts: the words, the interval."""
        steady = self.pick(("", "", *STEADY))
        must = self.pick(("should", "must", "will", "needs to", "has to", "will have to", "ought to", "shall"))
        hold = self.pick(("hold", "last", "sustain", "continue", "be remaining", "remain", "keep true"))
        this = self.pick(("this condition", "this scenario", "this"))
        link = self.pick((" and", " , and", " then", " and then"))
        if not self.timed and self.roll() < 0.25:  # without intervals in the logic, a stretch is just "from then on"
            words = self.interval()[1] if self.roll() < 0.5 else f"{self.number()} time units"
            return f"{first}{link} {self.pick(('', *STEADY))} {this} {must} {steady} {hold} {self.pick((f'for {self.pick(EVERY)} {self.pick(INSTANT)} within the {self.pick(AHEAD)} {words}', f'in the {self.pick(AHEAD)} {words}', f'during the {self.pick(AHEAD)} {words}'))}", None
        if not self.timed or self.roll() < 0.35:
            return f"{first}{link} {this} {must} {steady} {hold} {self.pick(('all the time in the future', 'all the time in the future before the end of the simulation', 'for every moment in the future', 'in the future before the end of the execution', 'all the time in the future until the execution ends', 'for each time instant in the future before the simulation ends', 'forever'))}", None
        span, words = self.interval()
        return f"{first}{link} {this} {must} {steady} {hold} for {self.pick(EVERY)} {self.pick(INSTANT)} {self.pick(('in', 'during', 'within'))} the {self.pick(AHEAD)} {words}", span

    def settled(self) -> Said:
        span, where = self.window()
        said, x = self.plain()
        last = self.pick((*LASTLY, ""))
        roll = self.roll()
        if roll < 0.15:
            return self.pick((f"{last} {self.pick(EXISTS)} {self.pick(MOMENT)} {where} , after which {said}", f"{last} after {self.pick(MOMENT)} {where} {self.pick(('', ','))} {said}")), ("F", span, ("G", None, x))
        if roll < 0.45:
            text, inner = self.held(f"{last} {self.pick(EXISTS)} {self.pick(MOMENT)} {where} , {self.pick(('at which', 'after which'))} {said}")
            return text, ("F", span, ("G", inner, x))
        if roll < 0.8 or not self.timed:
            return f"{last} {self.pick(EXISTS)} {self.pick(MOMENT)} {where} , {self.pick(('at which', 'after which'))} {self.pick(STEADY)} {said}", ("F", span, ("G", None, x))
        inner, words = self.interval()
        return f"{last} {self.pick(EXISTS)} {self.pick(MOMENT)} {where} , at which for {self.pick(EVERY)} {self.pick(INSTANT)} within the {self.pick(AHEAD)} {words} {said}", ("F", span, ("G", inner, x))

    def throughout(self) -> Said:
        said, x = self.plain()
        if not self.timed:
            return self.pick((f"for {self.pick(EVERY)} {self.pick(INSTANT)} in the future {said}", f"{self.pick(STEADY)} {said} in the future", f"for {self.pick(EVERY)} {self.pick(INSTANT)} {self.pick(FUTURE)} , {self.pick(STEADY)} {said}", f"from that moment on {self.pick(STEADY)} {said}", f"always {said}")), ("G", None, x)
        span, words = self.interval()
        if self.roll() < 0.4:
            text, span2 = self.held(said)
            return text, ("G", span2, x)
        return f"for {self.pick(EVERY)} {self.pick(INSTANT)} {self.pick(('in', 'during', 'within'))} the {self.pick(AHEAD)} {words} {self.pick(('', '', ',', f', {self.pick(STEADY)}'))} {said}", ("G", span, x)

    def lasting(self) -> Said:
        """until, said forwards and backwards."""
        (a, x), (b, y) = self.plain(), self.plain()
        span, where = self.window()
        steady = self.pick(("", "", *STEADY))
        if self.roll() < 0.5:
            until = self.pick(("until", "till", "until"))
            this = self.pick(("this condition", "this scenario"))
            must = self.pick(("should", "must", "will have to", "needs to", "will", "has to", "ought to"))
            return f"{a} {self.pick(('and', ', and', 'then'))} {this} {must} {self.pick(('continue', 'hold', 'last', 'sustain', 'keep happening'))} {steady} {until} {b} , which {must} {self.pick(('happen', 'occur', 'take place'))} at {self.pick(MOMENT)} {where} {self.pick(('', *LASTLY))}" if self.roll() < 0.6 or span else f"{a} {self.pick(('and', ', and'))} {this} {must} continue {until} {b}", ("U", span, x, y)
        before = self.pick((", before that", ", and until then", ", and till then", ", before this", ", until then", ", till then", ", and before that"))
        return f"{self.pick(('', *LASTLY))} {self.pick(EXISTS)} {self.pick(MOMENT)} {where} , at which {b} {before} {steady} {a}", ("U", span, x, y)

    def recurring(self) -> Said:
        """G F: for every moment ahead, a moment after it."""
        said, x = self.plain()
        outer: Span = None
        each = f"for {self.pick(EVERY)} {self.pick(INSTANT)} in the future"
        if self.timed and self.roll() < 0.85:
            outer, words = self.interval()
            each = f"for {self.pick(EVERY)} {self.pick(INSTANT)} {self.pick(('in', 'during', 'within'))} the {self.pick(AHEAD)} {words}"
        inner, where = self.window()
        last = self.pick((*LASTLY, ""))
        text = self.pick((f"{each} {self.pick(('', ','))} {last} {self.pick(EXISTS)} {self.pick(MOMENT)} {where} , at which {said}", f"{each} {self.pick(('', ','))} at {self.pick(MOMENT)} {where} {self.pick(('', ','))} {last} {said}", f"{each} {said} {last} at {self.pick(MOMENT)} {where}"))
        return text, ("G", outer, ("F", inner, x))
