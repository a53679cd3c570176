"""The simplest requirements, in words: one operator over a literal, and rules between states."""

from __future__ import annotations

from assent_train.corpus.part import SpeechPart
from assent_train.corpus.trees import Span, Tree, is_literal


class Simple(SpeechPart):
    """One operator over a literal, and rules between states."""

    closed = False  # whether the last rule was said with its condition last

    def once(self, arg: Tree, span: Span, when: str, roll: float, mood: str, now: bool) -> str:
        """A literal that holds at some time; ``roll`` chooses the way to say it."""
        if roll < 0.08:
            return self.speech.names.amid(arg, mood, when)
        if roll < 0.14 and mood == "must":
            return self.speech.moments.make(arg, when)
        if (
            span is not None and 0.16 <= roll < 0.3
        ):  # the window first, then once more that it is but a moment of it
            window = self.speech.clauses.bare(
                lambda: self.speech.times.once(span, now),
                ("at some", "sometime", "at least", "somewhere", "some "),
            )
            tail = self.words("once_of_tail")
            if self.roll() < 0.3:
                return self.words(
                    "once_of", window=window, arg=lambda: self.speech.names.amid(arg, mood, tail)
                )
            return self.words(
                "once_of_window_first", window=window, arg=lambda: self.speech.literal(arg, mood), tail=tail
            )
        if roll < 0.16 and arg[0] == "rel":
            return self.words(
                "once_of_due",
                name=arg[2][0],
                predicate=lambda: self.speech.relations.predicate(arg),
                when=when,
            )
        if roll < 0.48:
            return f"{self.speech.literal(arg, mood)} {when}"
        if roll < 0.8:
            return self.words("once_of_adverb_first", when=when, arg=lambda: self.speech.literal(arg, mood))
        return self.words(
            "once_of_exists",
            exists=lambda: self.speech.moments.exists(span, now, mood),
            arg=lambda: self.speech.literal(arg, "is"),
        )

    def always(self, arg: Tree, span: Span, when: str, roll: float, mood: str, now: bool) -> str:
        """A literal that holds at every time."""
        stay = "stay" if mood == "must" else mood
        if arg[0] == "not" and roll < 0.45:
            return self.speech.moments.never(span, arg[1], when, mood)
        if span is not None and 0.8 < roll <= 0.91:
            window = self.speech.clauses.bare(
                lambda: self.speech.times.throughout(span, now),
                (
                    "at all",
                    "at every",
                    "always",
                    "at each",
                    "continuously",
                    "throughout",
                    "the whole",
                    "at any",
                ),
            )
            tail = self.words("always_of_tail")
            return self.words(
                "always_of", window=window, arg=lambda: self.speech.literal(arg, stay), tail=tail
            )
        if roll > 0.93:
            return self.speech.names.amid(arg, mood, when)
        if roll > 0.91 and mood == "must":
            said = self.speech.literal(
                arg, "keep" if arg[0] == "rel" or (arg[0] == "not" and arg[1][0] == "rel") else "bare"
            )
            return self.words("always_of_order", when=when, said=said, part="" if span is None else when)
        if roll < 0.65:
            keep = (
                self.words("always_of_keep")
                if mood == "must" and self.roll() < (0.35 if self.casual else 0.08)
                else ""
            )
            manner = stay if not keep else "keep" if arg[0] == "rel" else "bare"
            return f"{keep} {self.speech.literal(arg, manner)} {when}"
        return self.words("always_of_adverb_first", when=when, arg=lambda: self.speech.literal(arg, stay))

    def rule(self, implication: Tree, cond: str, mood: str, roll: float) -> tuple[str | None, float]:
        """Whenever one state, another: the sentence (None: said as any other rule), and the roll to go on with."""
        left, right = implication[1], implication[2]
        if is_literal(left) and is_literal(right) and self.roll() < 0.3:
            roll = 0.67 + 0.33 * self.roll()
        self.closed = roll > 0.75
        if roll > 0.75 and left[0] == "not" and is_literal(right) and right[0] == "not":
            return self.words(
                "rule_of",
                right_part=lambda: self.speech.literal(right[1], mood),
                left_part=lambda: self.speech.state(left[1]),
                right_part_bare=lambda: self.speech.literal(right[1], "bare"),
                part=lambda: (
                    self.speech.literal(left[1], "bare")
                    if is_literal(left[1])
                    else self.speech.state(left[1])
                ),
                right=lambda: self.speech.literal(right, mood),
            ), roll
        if self.speech.names.lifted and roll > 0.86 and left[0] == "p" and right[0] == "p":
            return self.words(
                "rule_of_only_in",
                left_bare=lambda: self.speech.literal(left, "bare"),
                name=right[1],
                leftover=self.speech.leftovers.leftover,
            ), roll
        if roll > 0.9:
            return self.words(
                "rule_of_never_without",
                left=lambda: self.speech.state(left),
                right=lambda: self.speech.state(right),
                left_bare=lambda: self.speech.state(left, "bare"),
                right_bare=lambda: self.speech.state(right, "bare"),
                left_must=lambda: self.speech.state(left, "must"),
            ), roll
        if roll > 0.78 and right[0] == "not" and is_literal(right):
            other = self.speech.literal(right[1], "bare")
            return self.words(
                "rule_of_never_while", left=lambda: self.speech.state(left), other=other, cond=cond
            ), roll
        self.closed = roll > 0.66
        if roll > 0.66:
            return self.words(
                "rule_of_whenever", right=lambda: self.speech.state(right, mood), cond=cond
            ), roll
        if roll > 0.6 and left[0] == "not":
            return f"{self.speech.state(right, mood)} at all times unless {self.speech.state(left[1])}", roll
        return None, roll
