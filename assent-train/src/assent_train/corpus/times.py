"""Time adverbs: for an operator, its interval, and whether it counts from now or from a moment just mentioned."""

from __future__ import annotations

import random

from assent_train.corpus.trees import Span

UNITS = (
    "seconds", "seconds", "seconds", "seconds", "time units", "time units", "time units", "units", "units", "units",
    "steps", "time steps", "timesteps", "unit", "ticks", "cycles",
)  # fmt: skip

ONCE_NOW = (
    "at some point", "at some point", "at some time", "at some moment", "eventually", "eventually", "sooner or later",
    "sometime", "at least once", "in the future", "at one point or another", "ultimately", "at some time from now on",
    "at some stage", "at one time", "some time from now", "at some time or other", "finally", "now or later", "in due course",
    "one day", "somewhere down the line", "at some point in time", "at some point in the future", "in the end", "at last",
    "at some future time", "now or at some later time", "sometime soon or late", "once at least",
)  # fmt: skip
ONCE_THEN = (
    "eventually", "eventually", "sooner or later", "then or later", "at that moment or later", "at that time or later",
    "at that point or afterwards", "at once or eventually", "at some point from then on", "at that moment or eventually",
    "immediately or later", "at some later point", "some time later", "at some point", "sometime", "at some moment from then on",
    "at some time from then on", "afterwards", "at that moment or a later one", "in the end", "then or at some later time",
    "right then or later", "at some time", "at that instant or later", "in due course", "at that point or later", "ultimately",
    "in the future", "at some point after that", "later on", "at the same time or later", "at some point from there",
)  # fmt: skip
ALWAYS_NOW = (
    "always", "always", "always", "at all times", "at all times", "at every moment", "at every moment", "from now on",
    "at every time", "at each moment", "at every instant", "forever", "for ever", "permanently", "constantly", "the whole time",
    "throughout", "all the time", "at any time", "from now on for ever", "continuously", "without exception", "without end",
    "from now on at all times", "at all times from now on", "at each instant", "the entire time", "in every state", "at any moment",
    "from now on at every moment", "for good", "without interruption", "at each and every moment", "from the start and for ever",
)  # fmt: skip
ALWAYS_THEN = (
    "from then on", "from then on", "from that moment on", "from that point on", "for good", "for good", "forever", "for ever",
    "from that moment on for ever", "always thereafter", "from then on for ever", "at all times from then on", "for ever after",
    "permanently", "always", "at all times", "from there on", "at every moment thereafter", "from that time on", "all the time from then on",
    "at all times thereafter", "from that moment onwards", "at every moment from then on", "from then on at all times", "ever after",
)  # fmt: skip


def duration(rng: random.Random, number: str, casual: bool) -> str:
    """A number with a unit, or without one when people talk."""
    if casual and rng.random() < 0.45:
        return number
    return f"{number} {rng.choice(UNITS)}" if rng.random() < 0.95 else number


def span_words(rng: random.Random, low: str, high: str, casual: bool) -> str:
    """"N1 to N2 seconds", "N1 – N2"."""
    unit = "" if casual and rng.random() < 0.5 else rng.choice(UNITS)
    return f"{low} {rng.choice(('to', 'to', 'to', '-', '–'))} {high} {unit}"


def between_words(rng: random.Random, low: str, high: str, casual: bool) -> str:
    """"between N1 and N2 seconds", "from N1 to N2 seconds"."""
    unit = "" if casual and rng.random() < 0.5 else rng.choice(UNITS)
    return rng.choice((
        f"between {low} and {high} {unit}", f"between {low} and {high} {unit}", f"from {low} to {high} {unit}",
        f"{low} to {high} {unit}", f"between second {low} and second {high}", f"between time {low} and time {high}",
        f"from time {low} to time {high}", f"in the interval from {low} to {high} {unit}", f"between {low} {unit} and {high} {unit}",
        f"in the window from {low} to {high} {unit}",
    ))  # fmt: skip


RELATIVE = ("of that", "of it", "after", "later", "follow", "then", "thereafter", " on")


def once_then(rng: random.Random, span: Span, casual: bool) -> str:
    """When an eventuality happens, counted beyond doubt from a moment just mentioned."""
    said = once(rng, span, False, casual)
    for _ in range(8):
        if any(mark in said for mark in RELATIVE):
            break
        said = once(rng, span, False, casual)
    return said


def throughout_then(rng: random.Random, span: Span, casual: bool) -> str:
    """Over which stretch, counted beyond doubt from a moment just mentioned."""
    said = throughout(rng, span, False, casual)
    for _ in range(8):
        if any(mark in said for mark in RELATIVE) or "that moment" in said:
            break
        said = throughout(rng, span, False, casual)
    return said


def once(rng: random.Random, span: Span, now: bool, casual: bool) -> str:
    """When an eventuality happens."""
    pick = rng.choice
    if span is None:
        return pick(ONCE_NOW if now else ONCE_THEN)
    low, high = span
    some = pick(("", "", "", "at some point ", "at some time ", "at some moment ", "sometime ", "at least once "))
    if high == "inf":
        d = duration(rng, low, casual)
        if now:
            return pick((f"{some}after {d}", f"{some}after the next {d}", f"at least {d} from now", f"no sooner than {d} from now",
                         f"{some}from {d} on", f"{some}after the first {d}", f"{d} from now or later", f"{some}from {d} onward",
                         f"not before {d}", f"{some}once {d} have passed"))  # fmt: skip
        return pick((f"{some}at least {d} later", f"{d} later or more", f"{some}after {d}", f"no sooner than {d} later",
                     f"{some}from {d} later on", f"{some}more than {d} after that", f"{d} or more after that"))  # fmt: skip
    if low == "0":
        d = duration(rng, high, casual)
        if now:
            return pick((f"within {d}", f"within {d}", f"{some}within {d}", f"{some}within {d} from now", f"{some}in the next {d}",
                         f"{some}within the next {d}", f"{some}in the first {d}", f"no later than {d} from now", f"{some}during the next {d}",
                         f"{some}within {d} of now", f"{some}within the first {d}", f"in at most {d}", f"{some}during the first {d}",
                         f"before {d} are over", f"in {d} or less", f"by {d} from now", f"in no more than {d}", f"{some}from 0 to {d}",
                         f"{some}from now to {d} from now", f"{some}in the coming {d}", f"{some}between now and {d} from now",
                         f"{some}inside {d}", f"before {d} have passed", f"{some}by time {high}", f"{some}between 0 and {d}", f"{some}from time 0 to time {high}",
                         f"{some}in the {d} from now"))  # fmt: skip
        return pick((f"within {d}", f"within {d}", f"within {d}", f"{some}within {d}", f"within {d} of that", f"{some}within {d} of that moment",
                     f"{some}within {d} after that", f"no later than {d} after that", f"{some}in the next {d}", f"{some}in the following {d}",
                     f"at most {d} later", f"no more than {d} later", f"{some}within {d} from then", f"{some}within the next {d}",
                     f"{some}in the {d} after it", f"in at most {d}", f"in under {d}", f"{some}within {d} of that time", f"{some}within the following {d}",
                     f"then or within {d}", f"right then or within {d}", f"{some}in the {d} following it", f"inside {d}", f"{some}during the next {d}",
                     f"up to {d} later", f"{some}within {d} thereafter", f"{some}within {d} of that point", f"{some}at that time or within {d}", f"in {d} or less",
                     f"{some}during the following {d}", f"{some}within {d} of it", f"{some}in the {d} that follow"))  # fmt: skip
    if now:
        b, s = between_words(rng, low, high, casual), span_words(rng, low, high, casual)
        return pick((f"{some}{b} from now", f"{some}{b}", f"{some}{b} from now", f"{some}{s} from now", f"in {s}", f"{some}{s} later",
                     f"{some}{s} on", f"{some}{s} in", f"{some}within the next {s}", f"{some}in the next {s}", f"{some}during {s}", f"somewhere {b}",
                     f"{some}{s} ahead", f"{some}{b} from the start", f"{some}within {s}", f"after {low} but within {high}", f"{some}in the window {s}"))  # fmt: skip
    s, b = span_words(rng, low, high, casual), between_words(rng, low, high, casual)
    return pick((f"{some}{s} later", f"{some}{s} later", f"{some}{s} after that", f"{some}{s} after it", f"{some}{b} later", f"{some}{b} after that",
                 f"{some}{s} on", f"{some}{s} after that moment", f"{some}{s} ahead", f"some {s} later", f"{some}{s} from then", f"somewhere {s} later",
                 f"{some}{b} after that moment", f"{some}{b} from then", f"{some}within {s} after that", f"{some}in {s}", f"{some}in the next {s}",
                 f"{some}{s} afterwards", f"no sooner than {low} and no later than {high} after that"))  # fmt: skip


def throughout(rng: random.Random, span: Span, now: bool, casual: bool) -> str:
    """Over which stretch something holds."""
    pick = rng.choice
    if span is None:
        return pick(ALWAYS_NOW if now else ALWAYS_THEN)
    low, high = span
    all_ = pick(("", "", "", "at all times ", "at every moment ", "always ", "at each moment ", "continuously ", "throughout "))
    if high == "inf":
        d = duration(rng, low, casual)
        if now:
            return pick((f"from {d} on", f"{all_}from {d} onward", f"{all_}after {d}", f"from {d} from now on", f"{all_}after the first {d}",
                         f"starting {d} from now , for ever", f"{all_}from {d} onwards", f"from the {low} th time unit on", f"for all time after {d}"))  # fmt: skip
        return pick((f"{all_}from {d} later on", f"starting {d} later", f"{all_}from {d} after that onward", f"{all_}from {d} onward", f"from {d} on for good"))
    if low == "0":
        d = duration(rng, high, casual)
        if now:
            return pick((f"for the next {d}", f"for the next {d}", f"{all_}for the next {d}", f"for the first {d}", f"{all_}during the first {d}",
                         f"throughout the next {d}", f"throughout the first {d}", f"for {d}", f"for {d} straight", f"for {d} from now", f"for all of the next {d}",
                         f"for the entire next {d}", f"for the whole {d} from now", f"{all_}in the first {d}", f"{all_}in the next {d}", f"for the first {d} from now",
                         f"for {d} starting now", f"during the first {d}", f"{all_}from now until {d} from now", f"for the coming {d}", f"{all_}from 0 to {d}",
                         f"for the whole of the next {d}", f"for every moment of the next {d}", f"from time 0 to time {high}", f"over the next {d}", f"for {d} without interruption",
                         f"{all_}between now and {d} from now", f"{all_}within the first {d}", f"up to {d} from now", f"{all_}between 0 and {d}", f"{all_}over the first {d}"))  # fmt: skip
        return pick((f"for the next {d}", f"for the next {d}", f"for {d}", f"for {d}", f"for {d} straight", f"{all_}for the following {d}", f"for {d} after that",
                     f"for all of the next {d}", f"for {d} thereafter", f"from that moment and for {d} thereafter", f"throughout the next {d}",
                     f"throughout the following {d}", f"for at least {d}", f"immediately and for the next {d}", f"for {d} from that moment", f"{all_}during the next {d}",
                     f"{all_}in the next {d}", f"for the entire next {d}", f"for {d} starting at that moment", f"for the whole of the following {d}", f"for the {d} after it",
                     f"for {d} in a row", f"for a full {d}", f"over the next {d}", f"for {d} without interruption", f"{all_}during the following {d}", f"during the {d} following it",
                     f"for a stretch of {d}", f"{all_}in the {d} following it", f"for the {d} that follow"))  # fmt: skip
    if now:
        b, s = between_words(rng, low, high, casual), span_words(rng, low, high, casual)
        each = pick(("at every moment ", "at all times ", "at each instant ", "throughout ", "for the entire interval ", "always ", "the whole time ", "at any time ", "at every time ", "during the whole interval ", "throughout the interval ", "at each moment "))
        return pick((f"{each}{b} from now", f"{each}{b}", f"from {s}", f"from {s} from now", f"throughout {s}", f"during {s}", f"{each}from {s}", f"for every moment {b}",
                     f"{each}{s} from now", f"for each of the next {s}", f"{each}in the next {s}", f"{each}within the next {s}", f"from {s} on", f"from {s} in",
                     f"in the whole window {s} from now", f"{each}from second {low} to second {high}", f"for {s}", f"from {s} ahead"))  # fmt: skip
    s, b = span_words(rng, low, high, casual), between_words(rng, low, high, casual)
    each = pick(("at every moment ", "at all times ", "at each instant ", "throughout ", "throughout the window ", "at every instant ", "throughout the span ", "the whole time ", "always ", "throughout the interval "))
    return pick((f"{each}{s} later", f"{each}{s} after that", f"{each}{s} after it", f"{each}{b} later", f"from {s} later", f"from {s} after that", f"during {s} after that",
                 f"{each}{s} on", f"throughout {s} later", f"from {s} on", f"{each}{s} ahead", f"{each}{b} after that moment", f"{each}from {s} later", f"for {s} later", f"{each}in the next {s}"))  # fmt: skip
