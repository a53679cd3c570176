"""Moments and stretches in natural English: existence, chains, settling, recurrence, absence."""

from __future__ import annotations

from assent_train.corpus.part import SpeechPart
from assent_train.corpus.trees import Span, Tree, is_literal, is_state


class Moments(SpeechPart):
    """Sentences for one temporal operator, or two or three that people say in one breath."""

    def make(self, literal: Tree, when: str) -> str:
        """An order: have, get, put, make sure."""
        verb = self.words("make_verb")
        if literal[0] == "rel":
            said = self.speech.literal(
                literal, "infinitive" if verb in {"have", "let", "make sure"} else "keep"
            )
        else:
            said = self.speech.literal(literal, "bare")
        return self.words("make", verb=verb, said=said, when=when)

    def exists(self, span: Span, now: bool, mood: str) -> str:
        """There must be a moment within ..."""
        there = self.words("exists_there") if mood != "is" else self.words("there_is")
        moment = self.words("exists_moment")
        if span is None:
            tail = self.words("exists_tail") if not now else self.words("exists_tail_now")
            if self.roll() < 0.25:
                return self.words("exists", there=there, moment=moment)
            return f"{there} {moment} {tail}"
        when = (
            self.speech.times.once(span, now)
            .removeprefix("at some point ")
            .removeprefix("at some time ")
            .removeprefix("at some moment ")
            .removeprefix("sometime ")
            .removeprefix("at least once ")
        )
        if self.roll() < 0.35:
            return f"{when} {there} {moment}"
        return f"{there} {moment} {when}"

    def chain(self, tree: Tree, mood: str, now: bool) -> str | None:
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
                lead = self.speech.times.once(span, now)
                if style < 0.25:
                    out.append(
                        self.words(
                            "chain", exists=self.exists(span, now, mood), what=self.speech.state(what, "is")
                        )
                    )
                elif style < 0.4 and is_literal(what):
                    out.append(f"{self.speech.state(what, mood)} {lead}")
                else:
                    out.append(
                        self.words(
                            "chain_first",
                            lead=lead,
                            part=self.words("chain_part", when1=self.casual),
                            what=self.speech.state(what, mood),
                        )
                    )
                continue
            link = " " + self.words("chain_link") + " "
            if span is None:
                if "then" in link or "follow" in link or "after" in link:
                    tail = self.words("chain_tail")
                    out.append(
                        link + self.words("chain_after_then", tail=tail, what=self.speech.state(what, mood))
                    )
                else:
                    rel = self.words("chain_rel")
                    out.append(
                        self.words("chain_linked", link=link, rel=rel, what=self.speech.state(what, mood))
                    )
                continue
            then = "then" in link or "follow" in link or "after" in link
            times = self.speech.times
            rel = times.once(span, False) if then and self.roll() < 0.5 else times.once_then(span)
            out.append(link + self.words("chain_timed", rel=rel, what=self.speech.state(what, mood)))
        return " ".join(out)

    def settle(self, span: Span, always: Tree, mood: str, now: bool) -> str:
        """F G a: from some moment on, or for a stretch that starts within an interval."""
        when = self.speech.times.once(span, now)
        stretch = self.speech.times.throughout(always[1], False)
        arg = always[2]
        stay = "stay" if mood == "must" else mood
        if arg[0] == "->" and self.roll() < 0.6:
            return self._settle_rule(span, always, mood, now, (when, stretch))
        if always[1] is None:
            stretch = self.words("settle_stretch")
            if span is None:
                roll = self.roll()
                if roll < 0.35:
                    head = self.words("settle_head_for_good")
                    return self.words("settle", head=head, arg=lambda: self.speech.state(arg, stay))
                if roll < 0.45:
                    return self.words("settle_in_the_end", arg=lambda: self.speech.state(arg, mood))
        roll = self.roll()
        if always[1] is not None and roll > 0.9:
            return self.words(
                "settle_starting", arg=lambda: self.speech.state(arg, stay, 1), stretch=stretch, when=when
            )
        if self.speech.names.lifted and arg[0] == "p" and roll < 0.12:
            return self.words(
                "settle_and_stays_named",
                when=when,
                arg=lambda: self.speech.state(arg, mood),
                name=arg[1],
                part=lambda: stretch if always[1] is not None or self.roll() < 0.7 else "",
            )
        if roll < 0.3 and is_literal(arg):
            return self.words(
                "settle_and_stays", when=when, arg=lambda: self.speech.state(arg, mood), stretch=stretch
            )
        # "eventually a and b for good" says that of b alone
        plain = is_literal(arg) or (arg[0] != "->" and (arg[0] != "and" or always[1] is not None))
        if roll < 0.6 and plain:
            return self.words(
                "settle_adverb_first", when=when, arg=lambda: self.speech.state(arg, stay), stretch=stretch
            )
        if roll < 0.8:
            return self.words(
                "settle_exists",
                exists=lambda: self.exists(span, now, mood),
                stretch=stretch,
                arg=lambda: self.speech.state(arg, "is"),
            )
        return self.words(
            "settle_two_adverbs", when=when, stretch=stretch, arg=lambda: self.speech.state(arg, stay)
        )

    def _settle_rule(self, span: Span, always: Tree, mood: str, now: bool, words: tuple[str, str]) -> str:
        """A rule that holds from some moment on: when it begins, and for how long."""
        (when, stretch), arg = words, always[2]
        stay = "stay" if mood == "must" else mood
        stretch = "" if always[1] is None and self.roll() < 0.5 else stretch
        head = (
            self.words("settle_head")
            if span is None and always[1] is None and self.roll() < 0.6
            else self.words(
                "settle_head_exists",
                exists=lambda: self.exists(span, now, mood),
                part="," if stretch else "",
                part2=lambda: stretch if stretch else "always" if self.roll() < 0.3 else "",
            )
            if always[1] is not None or stretch
            else "from some point on"
            if span is None
            else f"{when} , from then on"
        )
        return f"{head} , {self.each_time(arg, stay)}"

    def each_time(self, implication: Tree, mood: str) -> str:
        """An implication that stands under "always"."""
        a, b = self.speech.state(implication[1]), self.speech.state(implication[2], mood)
        return self.words("each_time", a=a, b=b)

    def each(self, span: Span, now: bool) -> str:
        """At each moment of the interval."""
        each = self.words("each_each")
        if span is None:
            return each if now else self.words("each", each=each)
        low, high = span
        if high == "inf":
            return f"{each} from {self.speech.times.duration(low)} on"
        if low == "0":
            d = self.speech.times.duration(high)
            if now:
                return self.words("each_within_now", each=each, d=d)
            return self.words("each_within_then", each=each, d=d)
        s = self.speech.times.span_words(low, high)
        if now:
            return self.words("each_between_now", each=each, s=s, low=low, high=high)
        return self.words("each_between_then", each=each, s=s, low=low, high=high)

    def never(self, span: Span, atom: Tree, when: str, mood: str) -> str:
        said = self.speech.literal(atom, "is")
        if span is None:
            return self.words(
                "never",
                said=said,
                never_verb=lambda: self._never_verb(atom),
                atom_bare=lambda: self.speech.literal(atom, "bare"),
                atom=lambda: self.speech.literal(atom, "keep" if atom[0] == "rel" else "bare"),
            )
        return self.words(
            "never_in_window",
            atom_bare=lambda: self.speech.literal(atom, "bare"),
            when=when,
            denied=lambda: self.speech.literal(("not", atom), "stay" if mood != "is" else "is"),
            denied_stay=lambda: self.speech.literal(("not", atom), "stay"),
            never_verb=lambda: self._never_verb(atom),
            said=said,
        )

    def _never_verb(self, atom: Tree) -> str:
        if atom[0] == "rel" and self.roll() < 0.7:
            return self.words(
                "never_verb",
                replace=lambda: self.speech.literal(atom, "is").replace(" is ", " must never be ", 1),
                atom_infinitive=lambda: self.speech.literal(atom, "infinitive"),
                atom_keep=lambda: self.speech.literal(atom, "keep"),
                atom_must=lambda: self.speech.names.amid(atom, "must", self.words("never_verb_part")),
                amid=lambda: self.speech.names.amid(atom, "must", self.words("never_amid")),
                denied_keep=lambda: self.speech.literal(("not", atom), "keep"),
            )
        if self.speech.names.lifted and atom[0] == "p":
            subject = self.words("never_verb_subject")
            return self.words("never_verb_named", subject=subject, name=atom[1])
        return (
            f"it must never be that {self.speech.literal(atom, 'is')}"
            if self.roll() < 0.5
            else f"never {self.speech.literal(atom, 'is')}"
        )

    def again(self, eventually: Tree, mood: str) -> str:
        span, arg = eventually[1], eventually[2]
        said = self.speech.state(arg, mood, 1)
        if span is None:
            often = self.words("again_often")
            return self.words(
                "again",
                often=often,
                said=said,
                arg=lambda: self.speech.state(arg),
                arg_bare=lambda: self.speech.state(arg, "bare"),
            )
        low, high = span
        if low == "0":
            d = self.speech.times.duration(high)
            return self.words(
                "again_every",
                said=said,
                d=d,
                arg_bare=lambda: self.speech.state(arg, "bare"),
                arg=lambda: self.speech.state(arg),
            )
        if high == "inf":
            return f"at every moment , {said} {self.speech.times.once(span, False)}"
        s = self.speech.times.span_words(low, high)
        return self.words(
            "again_between",
            said=said,
            s=s,
            low=low,
            high=high,
            each=lambda: self.each(None, True),
            once=lambda: self.speech.times.once(span, False),
        )
