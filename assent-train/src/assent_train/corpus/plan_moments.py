"""Moments of a plan as things to speak of: "there is a moment", "at each instant of"."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from assent_train.corpus.part import SpeechPart
from assent_train.corpus.times import again_until
from assent_train.corpus.trees import Span, Tree

if TYPE_CHECKING:
    from assent_train.corpus.plan_words import Plans


# A bare "during" or "from N1 to N2" is all of it, a bare "in the first" one moment of it.
_ALL = re.compile(
    r"\bduring\b|(?<!interval )(?<!window )\bfrom (time )?(0|N\d+) (to|-|–)|\bfrom now (to|until)\b"
    r"|\bbetween (0|now) and\b"
)
_ONE = re.compile(r"\b(in|within|inside) the\b|\bbetween\b")
_SAYS_ONE = re.compile(
    r"\bsome(time|where)?\b|\bonce\b|\b(a|an|one) (moment|time|point|instant)|\bat least\b"
    r"|\bever\b|\bcome|\bgoing\b|\bhappens?\b|\bdue\b|\bgets?\b"
)
_SAYS_ALL = re.compile(
    r"\b(all|every|each|any|always|continuously|constantly|permanently|throughout|whole|entire|never|no|keep|kept|stays?|remains?)\b"
)


class PlanMoments(SpeechPart):
    """Moments, instants, and operators in front of what they cover."""

    speech: Plans

    def _usual_each_of(self, span: Span, now: bool) -> str:
        """From each instant of a window."""
        each = self.words("from_each_instant")
        if span is None:
            return self.words("each_of", each=each) if now else self.words("each_of_forever", each=each)
        low, high = span
        if low == "0":
            d = self.speech.times.duration(high)
            if now:
                return self.words("each_of_within_now", each=each, d=d)
            return self.words("each_of_within_then", each=each, d=d)
        unit = self.words("each_of_unit")
        if now:
            return self.words("each_of_between_now", each=each, low=low, high=high, unit=unit)
        return self.words("each_of_between_then", each=each, low=low, high=high, unit=unit)

    def _usual_moment(self, span: Span, mood: str, now: bool) -> str:
        """There is a moment within a window."""
        must = mood in {"must", "stay"}
        there = self.words("moment_there") if must else self.words("there_is")
        what = self.words("moment")
        when = self.speech.plan_times.window(span, now)
        roll = self.roll()
        if roll < 0.12:
            verb = self.words("moment_verb") if must else self.words("moment_verb_fact")
            return f"{when} {what} {verb}"
        if roll < 0.2 and not must:
            return self.words("moment_we_reach", when=when, what=what)
        if roll < 0.28 and span is not None:
            return self.words("moment_some_time", when=when, there=there, what=what)
        if span is not None and roll < 0.36:
            return f"{there} , {when} , {what}"
        if roll < 0.7:
            return (
                self.words("moment_window_first", when=when, there=there, what=what)
                if when
                else f"{there} {what}"
            )
        if not when:
            return self.words("moment_no_window", there=there, what=what)
        return f"{there} {when if span is None else ''} {what} {when if span is not None else ''}"

    def _usual_lead(self, tree: Tree, mood: str, now: bool) -> str:
        """The operator in front of all that it covers."""
        op, span = tree[0], tree[1]
        must = mood in {"must", "stay"}
        roll = self.roll()
        if op == "F":
            if roll < 0.35:
                return self.words("lead", moment=lambda: self.moment(span, mood, now))
            if span is None:
                return self.speech.plan_times.once_when(None, now)
            return self.speech.plan_times.once_when(span, now)
        if roll < 0.35:
            return self.each_of(span, now)
        if roll < 0.55 and must:
            hold = self.words("lead_hold")
            if span is None:
                return hold if now else f"from then on {hold}"
            return self.words(
                "lead_stretch_hold", stretch=lambda: self.speech.plan_times.stretch(span, now), hold=hold
            )
        if span is None:
            return self.words("lead_always") if now else self.words("lead_from_then_on")
        if roll < 0.7:
            return self.words("lead_stretch_each", stretch=lambda: self.speech.plan_times.stretch(span, now))
        return self.speech.plan_times.stretch(span, now)

    def instant(self, span: Span, now: bool) -> str:
        """ "instant of the first N1 seconds": the noun that "each" goes with."""
        noun = self.words("instant_noun")
        if span is None:
            return self.words("instant", noun=noun) if now else self.words("instant_from_then", noun=noun)
        low, high = span
        if low == "0":
            d = self.speech.times.duration(high)
            if now:
                return self.words("instant_within_now", noun=noun, d=d)
            return self.words("instant_within_then", noun=noun, d=d)
        if high == "inf":
            return f"{noun} at least {self.speech.times.duration(low)} {'from now' if now else 'later'}"
        s, u = f"{low} to {high}", self.speech.plan_times.seconds()
        if now:
            return self.words("instant_between_now", noun=noun, s=s, u=u, low=low, high=high)
        return self.words("instant_between_then", noun=noun, s=s, u=u, low=low, high=high)

    def each_of(self, span: Span, now: bool) -> str:
        if self.roll() < 0.75:
            return self._usual_each_of(span, now)
        return self.words("each_of_instant", instant=lambda: self.instant(span, now))

    def moment(self, span: Span, mood: str, now: bool) -> str:
        if self.roll() < 0.78:
            return self._usual_moment(span, mood, now)
        must = mood in {"must", "stay"}
        what, when = self.words("points"), self.speech.plan_times.window(span, now)
        if not when:
            when = self.words("moment_when")
        an = "an" if what == "instant" else "a"
        if must:
            return self.words(
                "moment_possible_demand",
                when=when,
                an=an,
                what=what,
                span=span,
                part=when if span else "",
                when1=span is None,
            )
        return self.words("moment_possible_fact", when=when, an=an, what=what)

    def some_moment(self, span: Span, now: bool) -> str:
        """ "some moment in the first N1 seconds", without a verb."""
        some = self.words("some_moment_some") + " " + self.words("some_moment_noun")
        if span is None:
            return self.words("some_moment", some=some) if now else self.words("some_moment_then", some=some)
        return f"{some} {self.speech.plan_times.common(span, now)}"

    def being(self, tree: Tree) -> str:
        return self.speech.literal(tree, "being")

    def lead(self, tree: Tree, mood: str, now: bool) -> str:
        """The operator in front of all that it covers, so that one moment or all of them is clear."""
        return again_until(
            lambda: self._usual_lead(tree, mood, now), lambda said: self.is_plain(tree[0], said)
        )

    def is_plain(self, op: str, said: str) -> bool:
        """Says whether one moment is meant or all of them."""
        if op == "F":
            return not _ALL.search(said) or bool(_SAYS_ONE.search(said))
        return not _ONE.search(said) or bool(_SAYS_ALL.search(said) or _ALL.search(said))
