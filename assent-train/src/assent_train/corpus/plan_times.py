"""When something happens in a plan: windows, moments of them, stretches that fill them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assent_train.corpus.part import SpeechPart
from assent_train.corpus.times import again_until
from assent_train.corpus.trees import Span

if TYPE_CHECKING:
    from assent_train.corpus.plan_words import Plans


SOME = (
    "at some point ",
    "at some time ",
    "at some moment ",
    "sometime ",
    "at least once ",
    "somewhere ",
    "some ",
)


class PlanTimes(SpeechPart):
    """Adverbs of time for plans."""

    speech: Plans

    def window(self, span: Span, now: bool) -> str:
        """When within a window, without "at some time" in front."""
        if span is None:
            return self.words("window") if now else self.words("window_later")
        if self.roll() < 0.75:
            return self.common(span, now)
        when = self.speech.times.once(span, True) if now else self.speech.times.once_then(span)
        for some in SOME:
            when = when.removeprefix(some)
        return when

    def _usual_common(self, span: Span, now: bool) -> str:
        """The windows that people use most."""
        low, high = span or ("0", "inf")
        if low == "0":
            d = self.speech.times.duration(high)
            if now:
                return self.words("common", d=d)
            return self.words("common_within_then", d=d)
        if high == "inf":
            return self.speech.times.once(span, now)
        s = self.words("common_s", low=low, duration=lambda: self.speech.times.duration(high))
        b = f"between {low} and {self.speech.times.duration(high)}"
        if now:
            return self.words("common_between_now", s=s, b=b)
        return self.words("common_between_then", s=s, b=b)

    def once_when(self, span: Span, now: bool) -> str:
        """An adverb of one moment."""
        if span is None:
            return self.speech.times.once(None, True) if now else self.words("later")
        when = self.window(span, now)
        some = " " + self.words("once_when_some") + " "
        if now and span[0] != "0":  # a bare "from N1 to N2" would be all of it
            some = some or (" " + self.words("once_when_some_always") + " ")
        return f"{some}{when}"

    def all_when(self, span: Span, now: bool) -> str:
        """An adverb of a stretch."""
        if span is None:
            return self.speech.times.throughout(None, True) if now else self.words("on")
        if now:
            return self.speech.times.throughout(span, True)
        return (
            self.speech.times.throughout_then(span)
            if self.roll() < 0.5
            else self.speech.times.throughout(span, False)
        )

    def stretch(self, span: Span, now: bool) -> str:
        """A window that something fills, without "always" in front."""
        fills = ("at ", "always", "continuously", "the whole")
        return again_until(lambda: self.all_when(span, now), lambda said: not said.startswith(fills))

    def whole(self, span: Span, now: bool, never: bool = False) -> str:
        """A window before "keep", "never" or "whenever", which say by themselves that all of it is meant."""
        if span is not None and span[0] == "0" and (never or self.roll() < 0.3):
            d = self.speech.times.duration(span[1])
            return self.words("whole", d=d) if now else self.words("whole_then", d=d)
        if span is not None and span[0] != "0" and span[1] != "inf" and now and self.roll() < 0.5:
            return self.words(
                "whole_between", name=span[0], duration=lambda: self.speech.times.duration(span[1])
            )
        return self.stretch(span, now)

    def seconds(self) -> str:
        return self.words("seconds")

    def common(self, span: Span, now: bool) -> str:
        if span is None or span[1] == "inf" or self.roll() < 0.8:
            return self._usual_common(span, now)
        low, high = span
        d, u = self.speech.times.duration(high), self.seconds()
        if low == "0":
            if now:
                return self.words("rarer_within_now", d=d)
            return self.words("rarer_within_then", high=high, u=u, d=d)
        if now:
            return self.words("rarer_between_now", low=low, high=high, u=u)
        return self.words("rarer_between_then", low=low, high=high, u=u)

    def period(self, number: str) -> str:
        d = self.speech.times.measured(number)
        return self.words("period", number=number, d=d)
