"""Moments and stretches in natural English: existence, chains, settling, recurrence, absence."""

from __future__ import annotations

import random

from assent_train.corpus.clauses import Clauses
from assent_train.corpus.times import duration, once, once_then, span_words, throughout
from assent_train.corpus.trees import Span, Tree, is_literal, is_state


def _once_then(rng: random.Random, span: Span, now: bool, casual: bool) -> str:
    return once_then(rng, span, casual)


class Moments(Clauses):
    """Sentences for one temporal operator, or two or three that people say in one breath."""

    def _make(self, literal: Tree, when: str) -> str:
        """An order: have, get, put, make sure."""
        verb = self.pick(("have", "get", "have", "make sure", "put", "see that", "let", "bring"))
        if literal[0] == "rel":
            said = self.literal(literal, "infinitive" if verb in {"have", "let", "make sure"} else "keep")
        else:
            said = self.literal(literal, "bare")
        return self.pick((f"{verb} {said} {when}", f"{when} {verb} {said}", f"{when} , {verb} {said}"))

    def exists(self, span: Span, now: bool, mood: str) -> str:
        """There must be a moment within ..."""
        there = self.pick(("there must be", "there must be", "there has to be", "there shall be", "there must come", "there will be", "there should be", "there is", "there comes")) if mood != "is" else self.pick(("there is", "there is", "there comes", "there will be"))
        moment = self.pick(("a moment", "a moment", "a time", "a point", "some moment", "an instant", "some time", "a point in time", "a certain moment"))
        if span is None:
            tail = self.pick(("", "", "then or later", "at that point or later", ", then or later ,", "in the future") if not now else ("", "", "", "from now on", "in the future", "eventually"))
            if self.roll() < 0.25:
                return f"{self.pick(('eventually', 'sooner or later', 'at some point', 'ultimately'))} {there} {moment}"
            return f"{there} {moment} {tail}"
        when = once(self.rng, span, now, self.casual).removeprefix("at some point ").removeprefix("at some time ").removeprefix("at some moment ").removeprefix("sometime ").removeprefix("at least once ")
        if self.roll() < 0.35:
            return f"{when} {there} {moment}"
        return f"{there} {moment} {when}"

    def _chain(self, tree: Tree, mood: str, now: bool) -> str | None:
        """F(a & F(b & ...)): one thing after another."""
        steps: list[tuple[Span, Tree]] = []
        node = tree
        while True:
            arg = node[2]
            if arg[0] == "and" and len(arg) == 3 and is_state(arg[1]) and arg[2][0] == "F":
                steps.append((node[1], arg[1]))
                node = arg[2]
                continue
            if not is_state(arg):
                return None
            steps.append((node[1], arg))
            break
        style = self.roll()
        out: list[str] = []
        for i, (span, what) in enumerate(steps):
            if i == 0:
                lead = once(self.rng, span, now, self.casual)
                if style < 0.25:
                    out.append(f"{self.exists(span, now, mood)} {self.pick(('when', 'at which'))} {self.state(what, 'is')}")
                elif style < 0.4 and is_literal(what):
                    out.append(f"{self.state(what, mood)} {lead}")
                else:
                    out.append(f"{lead} {self.pick((',', '', ':' if self.casual else ''))} {self.state(what, mood)}")
                continue
            link = self.pick((" , then ", " , then ", " and then ", " , and then ", " , followed by ", " , after which ", " , and ", " , and ", " and , "))
            if span is None:
                if "then" in link or "follow" in link or "after" in link:
                    tail = self.pick(("", "", "", "", "later", "eventually", "sooner or later", "afterwards", "at some point"))
                    out.append(link + self.pick((f"{tail} {self.state(what, mood)}", f"{self.state(what, mood)} {tail}")))
                else:
                    rel = self.pick(("then or later", "at that moment or later", "at that point or afterwards", "then or later still", "from there sooner or later", "at that moment or some time later", "after that", "at that time or later"))
                    out.append(f"{link} {rel} {self.pick((',', '', ''))} {self.state(what, mood)}")
                continue
            then = "then" in link or "follow" in link or "after" in link
            rel = (once if then and self.roll() < 0.5 else _once_then)(self.rng, span, False, self.casual)
            out.append(link + self.pick((f"{rel} {self.pick((',', '', ''))} {self.state(what, mood)}", f"{self.state(what, mood)} {rel}")))
        return " ".join(out)

    def _settle(self, span: Span, always: Tree, mood: str, now: bool) -> str:
        """F G a: from some moment on, or for a stretch that starts within an interval."""
        when = once(self.rng, span, now, self.casual)
        stretch = throughout(self.rng, always[1], False, self.casual)
        arg = always[2]
        stay = "stay" if mood == "must" else mood
        if arg[0] == "->" and self.roll() < 0.6:
            stretch = "" if always[1] is None and self.roll() < 0.5 else stretch
            head = self.pick(("from some point on", "from some time on", "there must be a point from which on", "there must come a point from which on")) if span is None and always[1] is None and self.roll() < 0.6 else f"{self.exists(span, now, mood)} {self.pick(('from which on', 'such that', 'from which'))} {',' if stretch else ''} {stretch if stretch else 'always' if self.roll() < 0.3 else ''}" if always[1] is not None or stretch else "from some point on" if span is None else f"{when} , from then on"
            return f"{head} , {self._each_time(arg, stay)}"
        if always[1] is None:
            stretch = self.pick(("for good", "for good", "from then on", "for ever", "from that moment on", "from then on for ever", "permanently", "forever after", "from that point on"))
            if span is None:
                roll = self.roll()
                if roll < 0.35:
                    head = self.pick(("from some point on", "from some time on", "from some moment on", "from a certain point on", "there must be a point from which on", "there must come a point from which", "there must come a moment after which", "after a certain point", "from some point onward", "there is a time from which on"))
                    return f"{head} {self.pick((',', ''))} {self.state(arg, stay)} {self.pick(('', '', 'always', 'for ever', 'at all times'))}"
                if roll < 0.45:
                    return f"{self.state(arg, mood)} {self.pick(('ends up', 'ends up that way', 'in the end'))} for good"
        roll = self.roll()
        if always[1] is not None and roll > 0.9:
            return f"{self.state(arg, stay, 1)} {stretch} , {self.pick(('starting', 'beginning', 'from a moment', 'starting at some point', 'starting sometime'))} {when}"
        if self.lifted and arg[0] == "p" and roll < 0.12:
            return f"{when} {self.pick(('', ',', ''))} {self.state(arg, mood)} {self.pick((', and stays', 'and stays', 'and must stay', 'and stay', 'and remains'))} {arg[1]} {stretch if always[1] is not None or self.roll() < 0.7 else ''}"
        if roll < 0.3 and is_literal(arg):
            return f"{when} {self.pick(('', ',', ''))} {self.state(arg, mood)} {self.pick(('and stays that way', 'and stays so', 'and must stay so', 'and remain so', 'and keeps being so', 'and stay that way', 'and stays', 'and must stay that way'))} {stretch}"
        if roll < 0.6 and (is_literal(arg) or arg[0] != "->"):
            return f"{when} {self.pick(('', ',', ''))} {self.state(arg, stay)} {stretch}"
        if roll < 0.8:
            return f"{self.exists(span, now, mood)} {self.pick(('from which', 'after which', 'such that', 'such that ,', 'from which on'))} {stretch} {self.pick((',', ''))} {self.state(arg, 'is')}"
        return f"{when} {self.pick((',', 'it must be true that'))} {stretch} {self.pick((',', ''))} {self.state(arg, stay)}"

    def _each_time(self, implication: Tree, mood: str) -> str:
        """An implication that stands under "always"."""
        a, b = self.state(implication[1]), self.state(implication[2], mood)
        return self.pick((f"whenever {a} , {b}", f"whenever {a} , {b}", f"{b} whenever {a}", f"{b} whenever {a}", f"every time {a} , {b}", f"{b} if {a}", f"{b} while {a}", f"if {a} , then {b}", f"{a} means {b}", f"{b} in case {a}"))

    def each(self, span: Span, now: bool) -> str:
        """At each moment of the interval."""
        each = self.pick(("at each moment", "at every moment", "from any instant", "from each instant", "for every instant", "at every time", "at each instant", "from every instant", "take any moment", "at any time", "for each moment", "from any moment", "at every point", "for any moment"))
        if span is None:
            return each if now else self.pick((f"{each} from then on", "at every moment thereafter", "always thereafter", f"{each} after that"))
        low, high = span
        if high == "inf":
            return f"{each} from {duration(self.rng, low, self.casual)} on"
        if low == "0":
            d = duration(self.rng, high, self.casual)
            if now:
                return f"{each} {self.pick(('in the first', 'of the first', 'in the next', 'of the next', 'within the first', 'during the first', 'in the coming', 'from now to'))} {d}"
            return f"{each} {self.pick(('in the next', 'of the next', 'in the following', f'in the {d} following it or', 'of the following', 'within the next', 'in the'))} {d} {self.pick(('', '', 'after it', 'after that', 'following it', 'that follow'))}"
        s = span_words(self.rng, low, high, self.casual)
        if now:
            return f"{each} {self.pick((f'from {s}', f'between {low} and {high} seconds', f'from {s} from now', f'{s} from now', f'in the window {s}', f'between {low} and {high}', f'from second {low} to second {high}', f'in the interval from {s}'))}"
        return f"{each} {self.pick((f'{s} later', f'{s} after it', f'{s} after that', f'between {low} and {high} seconds later', f'from {s} later', f'{s} on'))}"

    def _never(self, span: Span, atom: Tree, when: str, mood: str) -> str:
        said = self.literal(atom, "is")
        if span is None:
            return self.pick((
                f"never {said}", f"at no time {said}", f"at no point {said}", f"{said} never", f"{self._never_verb(atom)}", f"{self._never_verb(atom)}",
                f"it must never be the case that {said}", f"it must never happen that {said}", f"there must never be {self.literal(atom, 'bare')}", f"no {self.literal(atom, 'bare')} ever",
                f"never {self.pick(('let', 'have', 'allow'))} {self.literal(atom, 'keep' if atom[0] == 'rel' else 'bare')}", f"{said} at no point", f"there may be no time at which {said}", f"under no circumstances {said}",
            ))  # fmt: skip
        return self.pick((f"no {self.literal(atom, 'bare')} {when}", f"{when} {self.pick((',', ''))} {self.literal(('not', atom), 'stay' if mood != 'is' else 'is')}", f"{self.literal(('not', atom), 'stay')} {when}",
                          f"{self._never_verb(atom)} {when}", f"never {said} {when}", f"there shall be no {self.literal(atom, 'bare')} {when}"))  # fmt: skip

    def _never_verb(self, atom: Tree) -> str:
        if atom[0] == "rel" and self.roll() < 0.7:
            return self.pick((self.literal(atom, "is").replace(" is ", " must never be ", 1), f"never let {self.literal(atom, 'infinitive')}", f"never {self.pick(('have', 'allow', 'put', 'leave'))} {self.literal(atom, 'keep')}", self.amid(atom, "must", self.pick(("never", "at no time", "at no point", "never ever"))), self.amid(atom, "must", self.pick(("never", "at no time", "at no point"))), f"keep {self.literal(('not', atom), 'keep')}"))
        if self.lifted and atom[0] == "p":
            subject = self.pick(("the", "the", "", "a", "any"))
            return self.pick((f"{subject} {atom[1]} must never {self.pick(('be', 'hold', 'occur', 'happen', 'be on', 'be active', 'become', 'go'))}", f"{self.pick(('the system', 'it', 'the drone', 'the arm', 'the car'))} must never be {atom[1]}",
                              f"{subject} {atom[1]} {self.pick(('is never', 'never', 'never gets', 'must at no time be', 'must at no point be', 'may never be', 'shall never be', 'can never be', 'is never to be'))}", f"never {atom[1]}", f"avoid {atom[1]}"))  # fmt: skip
        return f"it must never be that {self.literal(atom, 'is')}" if self.roll() < 0.5 else f"never {self.literal(atom, 'is')}"

    def _again(self, eventually: Tree, mood: str) -> str:
        span, arg = eventually[1], eventually[2]
        said = self.state(arg, mood, 1)
        if span is None:
            often = self.pick(("again and again", "infinitely often", "over and over", "over and over again", "repeatedly", "time and again", "again and again without end", "infinitely many times", "time after time , for ever", "again and again , for ever", "recurrently", "without end , again and again", "over and over , for good"))
            return self.pick((f"{often} {self.pick((',', ''))} {said}", f"{said} {often}", f"{often} , there must come a time at which {self.state(arg)}", f"at every moment , {said} {self.pick(('then or later', 'at that moment or later', 'eventually', 'at some later time'))}", f"always eventually {said}", f"keep having {self.state(arg, 'bare')} {often}", f"it must always be possible to find a later time when {self.state(arg)}"))  # fmt: skip
        low, high = span
        if low == "0":
            d = duration(self.rng, high, self.casual)
            return self.pick((f"{said} at least {self.pick(('every', 'once every', 'once in every'))} {d}", f"at least every {d} {self.pick((',', ''))} {said}", f"never more than {d} without {self.state(arg, 'bare')}",
                              f"at every moment {self.pick((',', ''))} {said} {self.pick(('within', 'either then or within', 'then or within', 'at some point in the next', 'at some point within', 'within the next'))} {d}", f"never wait {self.pick(('over', 'more than', 'longer than'))} {d} for {self.state(arg, 'bare')}",
                              f"there must always be a moment within the next {d} when {self.state(arg)}", f"{said} {self.pick(('every', 'once every', 'at least once per', 'at least once in any'))} {d}", f"no {d} may pass without {self.state(arg, 'bare')}"))  # fmt: skip
        if high == "inf":
            return f"at every moment , {said} {once(self.rng, span, False, self.casual)}"
        s = span_words(self.rng, low, high, self.casual)
        return self.pick((f"at every moment , {said} {s} later", f"at any time , sometime {s} later {said}", f"it must always hold that {said} at some point {s} later", f"always , {s} on , at some point {said}", f"at every moment it must hold that {said} between {low} and {high} seconds later", f"{self.each(None, True)} , {once(self.rng, span, False, self.casual)} {said}"))  # fmt: skip
