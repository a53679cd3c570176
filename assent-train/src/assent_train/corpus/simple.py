"""The simplest requirements, in words: one operator over a literal, and rules between states."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assent_train.corpus.relations import predicate
from assent_train.corpus.times import once, throughout
from assent_train.corpus.trees import Span, Tree, is_literal

if TYPE_CHECKING:
    from assent_train.corpus.requirements import Requirements


def once_of(voice: Requirements, arg: Tree, span: Span, when: str, roll: float, mood: str, now: bool) -> str:
    """A literal that holds at some time; ``roll`` chooses the way to say it."""
    if roll < 0.08:
        return voice.amid(arg, mood, when)
    if roll < 0.14 and mood == "must":
        return voice._make(arg, when)
    if (
        span is not None and 0.16 <= roll < 0.3
    ):  # the window first, then once more that it is but a moment of it
        window = voice._bare(
            lambda: once(voice.rng, span, now, voice.casual),
            ("at some", "sometime", "at least", "somewhere", "some "),
        )
        tail = voice.words("once_of_tail")
        if voice.roll() < 0.3:
            return voice.words("once_of", window=window, arg=lambda: voice.amid(arg, mood, tail))
        return voice.words("once_of_2", window=window, arg=lambda: voice.literal(arg, mood), tail=tail)
    if roll < 0.16 and arg[0] == "rel":
        return voice.words("once_of_3", name=arg[2][0], predicate=lambda: predicate(voice, arg), when=when)
    if roll < 0.48:
        return f"{voice.literal(arg, mood)} {when}"
    if roll < 0.8:
        return voice.words("once_of_4", when=when, arg=lambda: voice.literal(arg, mood))
    return voice.words(
        "once_of_5", exists=lambda: voice.exists(span, now, mood), arg=lambda: voice.literal(arg, "is")
    )


def always_of(
    voice: Requirements, arg: Tree, span: Span, when: str, roll: float, mood: str, now: bool
) -> str:
    """A literal that holds at every time."""
    stay = "stay" if mood == "must" else mood
    if arg[0] == "not" and roll < 0.45:
        return voice._never(span, arg[1], when, mood)
    if span is not None and 0.8 < roll <= 0.91:
        window = voice._bare(
            lambda: throughout(voice.rng, span, now, voice.casual),
            ("at all", "at every", "always", "at each", "continuously", "throughout", "the whole", "at any"),
        )
        tail = voice.words("always_of_tail")
        return voice.words("always_of", window=window, arg=lambda: voice.literal(arg, stay), tail=tail)
    if roll > 0.93:
        return voice.amid(arg, mood, when)
    if roll > 0.91 and mood == "must":
        said = voice.literal(
            arg, "keep" if arg[0] == "rel" or (arg[0] == "not" and arg[1][0] == "rel") else "bare"
        )
        return voice.words("always_of_2", when=when, said=said, part="" if span is None else when)
    if roll < 0.65:
        keep = (
            voice.words("always_of_keep")
            if mood == "must" and voice.roll() < (0.35 if voice.casual else 0.08)
            else ""
        )
        return f"{keep} {voice.literal(arg, 'keep' if arg[0] == 'rel' and keep else 'bare' if keep else stay)} {when}"
    return voice.words("always_of_3", when=when, arg=lambda: voice.literal(arg, stay))


def rule_of(
    voice: Requirements, implication: Tree, cond: str, mood: str, roll: float
) -> tuple[str | None, float]:
    """Whenever one state, another: the sentence (None: said as any other rule), and the roll to go on with."""
    left, right = implication[1], implication[2]
    if is_literal(left) and is_literal(right) and voice.roll() < 0.3:
        roll = 0.67 + 0.33 * voice.roll()
    voice.closed = roll > 0.75
    if roll > 0.75 and left[0] == "not" and is_literal(right) and right[0] == "not":
        return voice.words(
            "rule_of",
            right_part=lambda: voice.literal(right[1], mood),
            left_part=lambda: voice.state(left[1]),
            right_part_bare=lambda: voice.literal(right[1], "bare"),
            part=lambda: voice.literal(left[1], "bare") if is_literal(left[1]) else voice.state(left[1]),
            right=lambda: voice.literal(right, mood),
        ), roll
    if voice.lifted and roll > 0.86 and left[0] == "p" and right[0] == "p":
        return voice.words(
            "rule_of_2", left_bare=lambda: voice.literal(left, "bare"), name=right[1], leftover=voice.leftover
        ), roll
    if roll > 0.9:
        return voice.words(
            "rule_of_3",
            left=lambda: voice.state(left),
            right=lambda: voice.state(right),
            left_bare=lambda: voice.state(left, "bare"),
            right_bare=lambda: voice.state(right, "bare"),
            left_must=lambda: voice.state(left, "must"),
        ), roll
    if roll > 0.78 and right[0] == "not" and is_literal(right):
        other = voice.literal(right[1], "bare")
        return voice.words("rule_of_4", left=lambda: voice.state(left), other=other, cond=cond), roll
    voice.closed = roll > 0.66
    if roll > 0.66:
        return voice.words("rule_of_5", right=lambda: voice.state(right, mood), cond=cond), roll
    if roll > 0.6 and left[0] == "not":
        return f"{voice.state(right, mood)} at all times unless {voice.state(left[1])}", roll
    return None, roll
