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
        verb = self.words("make_verb")
        if literal[0] == "rel":
            said = self.literal(literal, "infinitive" if verb in {"have", "let", "make sure"} else "keep")
        else:
            said = self.literal(literal, "bare")
        return self.words("make", verb=verb, said=said, when=when)

    def exists(self, span: Span, now: bool, mood: str) -> str:
        """There must be a moment within ..."""
        there = self.words("exists_there") if mood != "is" else self.words("exists_there_2")
        moment = self.words("exists_moment")
        if span is None:
            tail = self.words("exists_tail") if not now else self.words("exists_tail_2")
            if self.roll() < 0.25:
                return self.words("exists", there=there, moment=moment)
            return f"{there} {moment} {tail}"
        when = (
            once(self.rng, span, now, self.casual)
            .removeprefix("at some point ")
            .removeprefix("at some time ")
            .removeprefix("at some moment ")
            .removeprefix("sometime ")
            .removeprefix("at least once ")
        )
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
                    out.append(
                        self.words("chain", exists=self.exists(span, now, mood), what=self.state(what, "is"))
                    )
                elif style < 0.4 and is_literal(what):
                    out.append(f"{self.state(what, mood)} {lead}")
                else:
                    out.append(
                        self.words(
                            "chain_2",
                            lead=lead,
                            part=self.words("chain_part", when1=self.casual),
                            what=self.state(what, mood),
                        )
                    )
                continue
            link = " " + self.words("chain_link") + " "
            if span is None:
                if "then" in link or "follow" in link or "after" in link:
                    tail = self.words("chain_tail")
                    out.append(link + self.words("chain_3", tail=tail, what=self.state(what, mood)))
                else:
                    rel = self.words("chain_rel")
                    out.append(self.words("chain_4", link=link, rel=rel, what=self.state(what, mood)))
                continue
            then = "then" in link or "follow" in link or "after" in link
            rel = (once if then and self.roll() < 0.5 else _once_then)(self.rng, span, False, self.casual)
            out.append(link + self.words("chain_5", rel=rel, what=self.state(what, mood)))
        return " ".join(out)

    def _settle(self, span: Span, always: Tree, mood: str, now: bool) -> str:
        """F G a: from some moment on, or for a stretch that starts within an interval."""
        when = once(self.rng, span, now, self.casual)
        stretch = throughout(self.rng, always[1], False, self.casual)
        arg = always[2]
        stay = "stay" if mood == "must" else mood
        if arg[0] == "->" and self.roll() < 0.6:
            stretch = "" if always[1] is None and self.roll() < 0.5 else stretch
            head = (
                self.words("settle_head")
                if span is None and always[1] is None and self.roll() < 0.6
                else self.words(
                    "settle_head_2",
                    exists=lambda: self.exists(span, now, mood),
                    part="," if stretch else "",
                    part2=lambda: stretch if stretch else "always" if self.roll() < 0.3 else "",
                )
                if always[1] is not None or stretch
                else "from some point on"
                if span is None
                else f"{when} , from then on"
            )
            return f"{head} , {self._each_time(arg, stay)}"
        if always[1] is None:
            stretch = self.words("settle_stretch")
            if span is None:
                roll = self.roll()
                if roll < 0.35:
                    head = self.words("settle_head_3")
                    return self.words("settle", head=head, arg=lambda: self.state(arg, stay))
                if roll < 0.45:
                    return self.words("settle_2", arg=lambda: self.state(arg, mood))
        roll = self.roll()
        if always[1] is not None and roll > 0.9:
            return self.words("settle_3", arg=lambda: self.state(arg, stay, 1), stretch=stretch, when=when)
        if self.lifted and arg[0] == "p" and roll < 0.12:
            return self.words(
                "settle_4",
                when=when,
                arg=lambda: self.state(arg, mood),
                name=arg[1],
                part=lambda: stretch if always[1] is not None or self.roll() < 0.7 else "",
            )
        if roll < 0.3 and is_literal(arg):
            return self.words("settle_5", when=when, arg=lambda: self.state(arg, mood), stretch=stretch)
        if roll < 0.6 and (is_literal(arg) or arg[0] != "->"):
            return self.words("settle_6", when=when, arg=lambda: self.state(arg, stay), stretch=stretch)
        if roll < 0.8:
            return self.words(
                "settle_7",
                exists=lambda: self.exists(span, now, mood),
                stretch=stretch,
                arg=lambda: self.state(arg, "is"),
            )
        return self.words("settle_8", when=when, stretch=stretch, arg=lambda: self.state(arg, stay))

    def _each_time(self, implication: Tree, mood: str) -> str:
        """An implication that stands under "always"."""
        a, b = self.state(implication[1]), self.state(implication[2], mood)
        return self.words("each_time", a=a, b=b)

    def each(self, span: Span, now: bool) -> str:
        """At each moment of the interval."""
        each = self.words("each_each")
        if span is None:
            return each if now else self.words("each", each=each)
        low, high = span
        if high == "inf":
            return f"{each} from {duration(self.rng, low, self.casual)} on"
        if low == "0":
            d = duration(self.rng, high, self.casual)
            if now:
                return self.words("each_2", each=each, d=d)
            return self.words("each_3", each=each, d=d)
        s = span_words(self.rng, low, high, self.casual)
        if now:
            return self.words("each_4", each=each, s=s, low=low, high=high)
        return self.words("each_5", each=each, s=s, low=low, high=high)

    def _never(self, span: Span, atom: Tree, when: str, mood: str) -> str:
        said = self.literal(atom, "is")
        if span is None:
            return self.words("never", said=said, never_verb=lambda: self._never_verb(atom), atom_bare=lambda: self.literal(atom, 'bare'), atom=lambda: self.literal(atom, 'keep' if atom[0] == 'rel' else 'bare'))  # fmt: skip
        return self.words("never_2", atom_bare=lambda: self.literal(atom, 'bare'), when=when, denied=lambda: self.literal(('not', atom), 'stay' if mood != 'is' else 'is'), denied_stay=lambda: self.literal(('not', atom), 'stay'), never_verb=lambda: self._never_verb(atom), said=said)  # fmt: skip

    def _never_verb(self, atom: Tree) -> str:
        if atom[0] == "rel" and self.roll() < 0.7:
            return self.words(
                "never_verb",
                replace=lambda: self.literal(atom, "is").replace(" is ", " must never be ", 1),
                atom_infinitive=lambda: self.literal(atom, "infinitive"),
                atom_keep=lambda: self.literal(atom, "keep"),
                atom_must=lambda: self.amid(atom, "must", self.words("never_verb_part")),
                amid=lambda: self.amid(atom, "must", self.words("never_verb_part_2")),
                denied_keep=lambda: self.literal(("not", atom), "keep"),
            )
        if self.lifted and atom[0] == "p":
            subject = self.words("never_verb_subject")
            return self.words("never_verb_2", subject=subject, name=atom[1])  # fmt: skip
        return (
            f"it must never be that {self.literal(atom, 'is')}"
            if self.roll() < 0.5
            else f"never {self.literal(atom, 'is')}"
        )

    def _again(self, eventually: Tree, mood: str) -> str:
        span, arg = eventually[1], eventually[2]
        said = self.state(arg, mood, 1)
        if span is None:
            often = self.words("again_often")
            return self.words("again", often=often, said=said, arg=lambda: self.state(arg), arg_bare=lambda: self.state(arg, 'bare'))  # fmt: skip
        low, high = span
        if low == "0":
            d = duration(self.rng, high, self.casual)
            return self.words("again_2", said=said, d=d, arg_bare=lambda: self.state(arg, 'bare'), arg=lambda: self.state(arg))  # fmt: skip
        if high == "inf":
            return f"at every moment , {said} {once(self.rng, span, False, self.casual)}"
        s = span_words(self.rng, low, high, self.casual)
        return self.words("again_3", said=said, s=s, low=low, high=high, each=lambda: self.each(None, True), once=lambda: once(self.rng, span, False, self.casual))  # fmt: skip
