"""Phrases that mean the same wherever they stand, hand-written: one set a line (``|`` at its end: it goes on).

``#`` is a number, ``#m`` one that is no time.

A set lists only what may take the place of any of its members; words that mean several things are left out.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

_SETS = """
whenever | every time | each time | any time | at any moment when | always when | each and every time
immediately | at once | right away | straight away | instantly | on the spot | without delay | forthwith
at no time | at no point | at no moment | on no occasion
must never | must at no time | shall never | may never | is never to | must on no account | shall at no point
at all times | always | at every moment | at every instant | at any given time | the whole time
eventually | sooner or later | in the end | some day | ultimately | in due course | at some time or other
at some point | at some moment | at some instant | at some time
until | till | up until | up to the moment when
within # seconds | inside # seconds | in at most # seconds | in no more than # seconds | in # seconds or less
no later than # seconds after | at most # seconds after | within # seconds of | not more than # seconds after
for at least # seconds | for no less than # seconds | for # seconds or longer | for a minimum of # seconds
for another # seconds | for # more seconds | for a further # seconds | for # seconds more |
for # additional seconds
within another # seconds | within # more seconds | in the # seconds after that |
within the next # seconds after that
above #m | over #m | more than #m | greater than #m | higher than #m | in excess of #m | beyond #m
below #m | under #m | less than #m | lower than #m | short of #m
at least #m | no less than #m | not less than #m | a minimum of #m | not below #m
at most #m | no more than #m | not more than #m | a maximum of #m | not above #m
exceeds #m | is above #m | goes over #m | is more than #m | climbs past #m | rises above #m | passes #m |
tops #m
drops below #m | falls below #m | sinks under #m | is under #m | is below #m | dips below #m | goes under #m
must not | shall not | may not | is not to | should not | must under no circumstances | has no business to
must be | shall be | has to be | is to be | needs to be | should be | is required to be | ought to be | will be
must stay | shall stay | has to stay | is to remain | shall remain | must remain | should stay | needs to stay
unless | except when | except if | save when | other than when | except in case
as long as | for as long as | so long as | while | all the while
the next step | the following step | the very next step | the next cycle | the following cycle | the next scan
one step later | one cycle later | a step later | one tick on | one step on | a cycle later | one scan later
two steps later | two cycles later | two ticks on | two steps on | two scans later
three steps later | three cycles later | three ticks on | three steps on | three scans later
and then | then | and after that | and afterwards | and next
in case | if | in the event that | provided that | given that | supposing
simultaneously | at the same time | at the same moment | together
for ever | forever | for good | permanently | for all time
again and again | over and over | time and again | over and over again | time after time
without a break | without interruption | continuously | uninterrupted | non - stop | on end | without pause |
in one go
only if | only when | solely when | exclusively when | only provided that
if and only if | exactly when | just when | precisely when | when and only when | exactly if
controller | system | machine | software | unit | control
somebody | someone
nobody | no one
make sure | ensure | see to it | take care | guarantee
stays | remains
prior to | before | ahead of
from then on | from that moment on | thereafter | from there on | from that point on | ever after
afterwards | after that | later | subsequently
upon | on | following
exactly once | just once | one single time | once and only once
both of them | the two of them
straight after | right after | immediately after | directly after
as soon as | the moment that | the instant that | the minute that | right when
is not allowed to | is forbidden to | is not permitted to | has no permission to | is never allowed to
is permitted only | is allowed only | is only allowed | is only permitted | is possible only |
is admissible only
in response | in reaction | as a consequence | in consequence
no matter what | come what may | whatever happens | under all circumstances | in any case |
whatever else happens
at least once | one time or more | once or more | on at least one occasion
never again | not ever again | at no later time | never any more after that
in all other cases | at all other times | otherwise | in every other case | at any other time
infinitely often | endlessly often | over and over without end | time after time without end
it is required that | it shall be the case that | it must hold that | it is mandatory that |
it must be ensured that
which must happen | and that must happen | which has to happen | which is bound to happen |
which must come about
even if that never happens | even if it never comes to that | even if this never comes about |
even if it never does
however long that takes | no matter how long that takes | no matter how long it takes | however long it takes
in the same step | in that very step | at that same step | in that same cycle | in the very same cycle
in the step after that | in the cycle after that | one step after that | in the scan after that
directly afterwards | right afterwards | immediately afterwards | straight afterwards
for # seconds on end | for # seconds in a row | for # seconds without a break | for # seconds straight |
for # uninterrupted seconds | for # consecutive seconds | for # seconds without interruption |
for # seconds at a stretch | for # solid seconds
at least every # seconds | at least once every # seconds | no less often than every # seconds |
once every # seconds or more often | at intervals of at most # seconds | not less than once every # seconds
at some point in the next # seconds | some time in the next # seconds |
at some moment within the next # seconds | sometime within the next # seconds |
at one point or another within the next # seconds
for the next # seconds | for the coming # seconds | during the next # seconds | for the following # seconds |
over the next # seconds
for the first # seconds | during the first # seconds | for the initial # seconds |
throughout the first # seconds
neither of them | none of the two | not one of the two
all three of them | the three of them | every one of the three
in addition | additionally | furthermore | moreover | what is more
we want | i want | we need | i need | the customer wants | we would like | we expect
right from the start | from the start | from the very beginning | from the outset
at start - up | at start | in the beginning | to begin with | at the outset
with no | without | without any
but not | and not
seconds at the latest | seconds at most | seconds tops | seconds at the outside
no sooner than # seconds after | at the earliest # seconds after | not earlier than # seconds after
reaches #m | gets to #m | hits #m | comes to #m
stays within | remains within | is kept within | is held within
stays above #m | remains above #m | is kept above #m | never drops to #m or below
stays below #m | remains below #m | is kept below #m | is held below #m
"""
_LEFT = {
    "only": frozenset(["and"]),
    "if": frozenset("only even as what and or just exactly".split()),
    "before": frozenset(["not", "just"]),
}
_RIGHT = {
    "if": frozenset("and ever any not at only".split()),
    "then": frozenset(["on"]),
    "time": frozenset(". , ; : ! ?".split()),
    "seconds": frozenset("of more after from".split()),
    "on": frozenset(["and", "or", ",", ".", "end", "its", "top", "no", "to"]),
    "while": frozenset([".", ",", "longer"]),
    "without": frozenset("delay a an interruption pause exception further ever stopping".split()),
    "no": frozenset("more later less longer delay matter one".split()),
    "not": frozenset("before after until only more".split()),
    "most": frozenset("once twice one two three".split()),
}
_NEVER_FROM = frozenset(
    [
        "then",
        "while",
        "if",
        "on",
        "later",
        "before",
        "following",
        "will be",
        "together",
        "control",
        "unit",
        "without any",
        "at start",
    ]
)
"""Members that mean other things as well: they take a place, but give none up."""

Phrase = tuple[str, ...]
SETS: tuple[tuple[Phrase, ...], ...] = tuple(
    tuple(tuple(phrase.split()) for phrase in line.split("|"))
    for line in _SETS.strip().replace("|\n", "| ").splitlines()
)
_FIRST: dict[str, list[tuple[Phrase, int]]] = {}
for _number, _members in enumerate(SETS):
    for _phrase in _members:
        if " ".join(_phrase) not in _NEVER_FROM:
            _FIRST.setdefault(_phrase[0], []).append((_phrase, _number))


def _matches(tokens: Sequence[str], at: int, phrase: Phrase) -> bool:
    if at + len(phrase) > len(tokens):
        return False
    for k, word in enumerate(phrase):
        token = tokens[at + k]
        if word[0] == "#":
            timed = tokens[at + k + 1 : at + k + 2] == ("seconds",)
            if token[:2] != "N@" or (word == "#m" and timed):
                return False
        elif token != word:
            return False
    left = tokens[at - 1] if at else ""
    right = tokens[at + len(phrase)] if at + len(phrase) < len(tokens) else ""
    return left not in _LEFT.get(phrase[0], ()) and right not in _RIGHT.get(phrase[-1], ())


def places(tokens: Sequence[str]) -> list[tuple[int, Phrase, int]]:
    """Where which phrase of which set stands."""
    tokens = tuple(tokens)
    return [
        (at, phrase, number)
        for at, token in enumerate(tokens)
        for phrase, number in _FIRST.get("#" if token[:2] == "N@" else token, ())
        if _matches(tokens, at, phrase)
    ]


def said_otherwise(tokens: Sequence[str], rng: random.Random) -> tuple[str, ...]:
    """The same tokens with one phrase in other words, if any can be."""
    found = places(tokens)
    if not found:
        return tuple(tokens)
    at, phrase, number = rng.choice(found)
    numbers = [token for token in tokens[at : at + len(phrase)] if token[:2] == "N@"]
    other = [numbers[0] if word[0] == "#" else word for word in rng.choice(SETS[number])]
    return (*tokens[:at], *other, *tokens[at + len(phrase) :])
