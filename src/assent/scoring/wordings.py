"""Doubts about wordings: figures of which nobody knows how large they are, and what is easily read as its opposite."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction

from assent.logic.ast import (
    Always,
    Compare,
    Eventually,
    Formula,
    Interval,
    Not,
    Prop,
    Relation,
    Release,
    Until,
    walk,
)

TIMED = (Always, Eventually, Until, Release)
_DIGIT = r"(?:one|two|three|four|five|six|seven|eight|nine|ten)"
_VAGUE = re.compile(
    r"\d['′’″](?=$|[\s.,;])|\d\s*\[|\b\d+(?:\.\d+)?(?-i:[kMGT])\b|\d\+(?!\d)|[$€£]\s?\d|\bsome \d+\b"
    rf"|(?<!some )\bpoint (?:zero|oh|{_DIGIT})\b|\b{_DIGIT} {_DIGIT}\b|(?:\d|\b{_DIGIT})-?ish\b"
    r"|\d[^.,;]{0,12} or so\b"
    r"|\b(?:seconds|minutes|metres|degrees) (?:squared|cubed)\b"
    r"|\b(?:a|one) (?:second|minute|hour|day) or (?:two|three)\b|\b\d+ or \d+ ?(?:s|ms|min|h|seconds|minutes|hours)\b",
    re.IGNORECASE,
)
"""Figures of which nobody knows how large they are."""
_METRES = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?) ?m\b(?! ?/)", re.IGNORECASE)


def unsure_figures(text: str, formula: Formula) -> Iterator[str]:
    """Figures that can be read in two ways; "5 m" as a time may be minutes."""
    if vague := _VAGUE.search(text):
        yield f"{vague.group().strip()!r} is no plain figure: say the number and its unit in full"
    times = {bound for node in walk(formula) if isinstance(node, TIMED) for bound in bounds(node.within)}
    if any(Fraction(figure) in times for figure in _METRES.findall(text)):
        yield "'m' was read as a time: say minutes, seconds or milliseconds in full"


_SIGNS = re.compile(
    r"≠|!=|<>|=>|=<|[≰≱≮≯⩾⩽≧≦]|\b(?:never|not|no|without)\b[^,.;]{0,25}[≥≤<>]|\bis not (?:equal to |exactly )?-?\d",
    re.IGNORECASE,
)
_OTHERWISE = re.compile(
    r"\b(?:doubl|tripl|quadrupl|halv)(?:es|ed|ing)\b|(?:^|[.;] )once,|(?:^|[.;] )(?:no matter|even) (?:whether|if)\b"
    r"|(?<!point )(?<!instant )\bin time(?= *(?:\.|$))"
    r"|, not the (?!same|one|two|other|pair)\w+, (?=is|are|has|have|must|shall|should)"
    r"|(?<!\d )\bbar (?:when|if|while|during)\b",
    re.IGNORECASE,
)
_FAILS = re.compile(r"(?<!never )(?<!not )\b(?:fail(?:s|ed|ing)?|refus(?:e|es|ed|ing)) to\b", re.IGNORECASE)
_AT_MOST = re.compile(
    r"\bfor (?:less than|fewer than|no more than|not more than|at most|no longer than|under|up to|a maximum)\b",
    re.IGNORECASE,
)


_ONCE = re.compile(r"\b(?:exactly|precisely|at most|(?:no|not) more than) once\b", re.IGNORECASE)


def easily_misread(text: str, formula: Formula) -> Iterator[str]:
    """Wordings that were seen to be read as their opposite, or as something that they do not say."""
    for pattern in (_SIGNS, _OTHERWISE):
        if found := pattern.search(text):
            yield f"{found.group().strip(' ,.;')!r} is easily misread: say it in other words"
    nodes = list(walk(formula))
    named = [node for node in nodes if isinstance(node, Prop | Compare | Relation)]
    if (found := _ONCE.search(text)) and len(named) == len(set(named)):  # to count, a name is needed twice
        yield f"{found.group()!r} was read as if nothing were counted"
    if (found := _FAILS.search(text)) and not any(isinstance(node, Not) for node in nodes):
        yield f"{found.group()!r} denies, and the formula denies nothing"
    if (found := _AT_MOST.search(text)) and any(
        isinstance(node, Always) and node.within.high is not None for node in nodes
    ):
        yield f"{found.group()!r} was read as 'for at least'"


def bounds(within: Interval) -> Iterable[Fraction]:
    return [bound for bound in (within.low, within.high) if bound is not None]
