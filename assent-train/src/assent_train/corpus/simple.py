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
    if span is not None and 0.16 <= roll < 0.3:  # the window first, then once more that it is but a moment of it
        window = voice._bare(lambda: once(voice.rng, span, now, voice.casual), ("at some", "sometime", "at least", "somewhere", "some "))
        tail = voice.pick(("at some point", "at some moment", "at some time", "at least once", "sometime", "at one moment at least", "at some instant"))
        if voice.roll() < 0.3:
            return f"{window} {voice.pick((',', ','))} {voice.amid(arg, mood, tail)}"
        return f"{window} {voice.pick((',', ',', ''))} {voice.literal(arg, mood)} {tail}"
    if roll < 0.16 and arg[0] == "rel":
        return f"{voice.pick(('', 'the'))} {arg[2][0]} must be due to be {predicate(voice, arg)} {when}"
    if roll < 0.48:
        return f"{voice.literal(arg, mood)} {when}"
    if roll < 0.8:
        return f"{when} {voice.pick((',', '', ''))} {voice.literal(arg, mood)}"
    return f"{voice.exists(span, now, mood)} {voice.pick(('when', 'when', 'at which', 'where', 'in which', 'such that'))} {voice.literal(arg, 'is')}"


def always_of(voice: Requirements, arg: Tree, span: Span, when: str, roll: float, mood: str, now: bool) -> str:
    """A literal that holds at every time."""
    stay = "stay" if mood == "must" else mood
    if arg[0] == "not" and roll < 0.45:
        return voice._never(span, arg[1], when, mood)
    if span is not None and 0.8 < roll <= 0.91:
        window = voice._bare(lambda: throughout(voice.rng, span, now, voice.casual), ("at all", "at every", "always", "at each", "continuously", "throughout", "the whole", "at any"))
        tail = voice.pick(("without interruption", "throughout", "the whole time", "all the time", "continuously", "at every moment", "at all times", "without a break", "at each instant"))
        return f"{window} {voice.pick((',', ',', ''))} {voice.literal(arg, stay)} {tail}"
    if roll > 0.93:
        return voice.amid(arg, mood, when)
    if roll > 0.91 and mood == "must":
        said = voice.literal(arg, "keep" if arg[0] == "rel" or (arg[0] == "not" and arg[1][0] == "rel") else "bare")
        return voice.pick((f"{when} {voice.pick((',', ''))} keep {said}", f"always keep {said} {'' if span is None else when}", f"keep {said} {when}"))
    if roll < 0.65:
        keep = voice.pick(("keep", "keep", "hold", "leave")) if mood == "must" and voice.roll() < (0.35 if voice.casual else 0.08) else ""
        return f"{keep} {voice.literal(arg, 'keep' if arg[0] == 'rel' and keep else 'bare' if keep else stay)} {when}"
    return f"{when} {voice.pick((',', '', ''))} {voice.literal(arg, stay)}"


def rule_of(voice: Requirements, implication: Tree, cond: str, mood: str, roll: float) -> tuple[str | None, float]:
    """Whenever one state, another: the sentence (None: said as any other rule), and the roll to go on with."""
    left, right = implication[1], implication[2]
    if is_literal(left) and is_literal(right) and voice.roll() < 0.3:
        roll = 0.67 + 0.33 * voice.roll()
    voice.closed = roll > 0.75
    if roll > 0.75 and left[0] == "not" and is_literal(right) and right[0] == "not":
        return voice.pick((f"{voice.literal(right[1], mood)} only {voice.pick(('if', 'when', 'while', 'with', 'during', 'in'))} {voice.state(left[1])}", f"no {voice.literal(right[1], 'bare')} without {voice.literal(left[1], 'bare') if is_literal(left[1]) else voice.state(left[1])}", f"{voice.literal(right, mood)} unless {voice.state(left[1])}")), roll
    if voice.lifted and roll > 0.86 and left[0] == "p" and right[0] == "p":
        return f"{voice.literal(left, 'bare')} only {voice.pick(('in', 'during', 'with', 'if', 'while', 'when', 'on', 'with the', 'when the', 'if the'))} {right[1]} {voice.leftover()}", roll
    if roll > 0.9:
        return voice.pick((f"never {voice.state(left)} without {voice.state(right)}", f"there must never be {voice.state(left, 'bare')} without {voice.state(right, 'bare')}", f"{voice.state(left)} only {voice.pick(('if', 'when', 'while'))} {voice.state(right)}", f"{voice.state(left, 'must')} only {voice.pick(('if', 'when', 'while', 'with', 'during'))} {voice.state(right, 'bare')}")), roll
    if roll > 0.78 and right[0] == "not" and is_literal(right):
        other = voice.literal(right[1], "bare")
        return voice.pick((f"never {voice.state(left)} {voice.pick(('while', 'during', 'when', 'together with', 'with', 'and'))} {other}", f"no {other} {voice.pick(('while', 'during', 'when', 'whenever'))} {cond}", f"{other} is never allowed while {cond}", f"never {other} {voice.pick(('while', 'during', 'when'))} {cond}")), roll
    voice.closed = roll > 0.66
    if roll > 0.66:
        return f"{voice.state(right, mood)} {voice.pick(('whenever', 'whenever', 'any time', 'every time', 'at all times while', 'while', 'as long as', 'when', 'always when', 'always while', 'if'))} {cond}", roll
    if roll > 0.6 and left[0] == "not":
        return f"{voice.state(right, mood)} at all times unless {voice.state(left[1])}", roll
    return None, roll
