"""What lifting leaves around a placeholder: articles, subjects, ends of verbs."""

from __future__ import annotations

from assent_train.corpus.part import SpeechPart

TAILS = (
    "on",
    "on",
    "active",
    "active",
    "engaged",
    "true",
    "present",
    "in effect",
    "detected",
    "running",
    "down",
    "up",
    "open",
    "ahead",
    "in place",
    "observed",
    "set",
    "applied",
    "in progress",
    "hit",
    "held",
    "done",
    "taken",
    "sounding",
    "shut",
    "full",
    "raised",
    "lowered",
    "together",
    "the case",
    "by the",
    "in the",
    "at the",
    "in",
    "sent",
    "over the",
    "there",
    "the",
    "pressed",
    "of the",
    "out",
)


class Leftovers(SpeechPart):
    """Words around a placeholder that mean nothing."""

    def article(self) -> str:
        return self.words("article")

    def leftover(self) -> str:
        roll = self.roll()
        if roll > 0.3:
            return ""
        if roll < 0.14:
            return self.pick(TAILS)
        if roll < 0.24:  # what lifting leaves of "pauses the pump", "runs a backup"
            return self.words("leftover")
        return self.words("nouns") if roll < 0.27 else self.words("leftover_noun")

    def things(self) -> str:
        roll = self.roll()
        if roll < 0.93:
            return self.words("things")
        return self.words("things_noun")

    def subject(self) -> str:
        return self.words("subjects") if self.roll() < 0.7 else self.words("subject")
