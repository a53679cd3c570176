"""Phrases in plainer words: "packs up" is stops, "north of 80" above 80, "by no means" never.

What is here was seen to lose its sense on the way: a word that no table knows beside a name is taken for a part of it.
Each phrase stands where nothing else can be meant: before a figure, at the end of its clause, behind an auxiliary.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from assent.lift.emphasis import END, joined, place
from assent.lift.figures import Word

_TIMES = r"(?:s|sec|secs|seconds?|min|mins|minutes?|h|hours?|ms|days?|weeks?|steps?|cycles?)"
_FIGURE = (
    r"(?= (?:the (?:permissible |permitted |allowed |allowable |prescribed |maximum |set )?|a |an |about |around )?"
    r"(?:(?:minus |- )?#\S*|zero|one|two|three|four|five|six|seven|eight|nine|ten|half)"
    rf"(?! half of )(?! of )(?! {_TIMES} ) )"
)
_BE = r"(?:is|are|was|were|be|been|being)"
_SHALL = r"(?:shall|must|should|will|may|can|is to|are to|has to|have to)"
_NO_TIME = rf"(?!\S* {_TIMES}(?: |$))"
_BEHIND = rf"(?:{END}|(?= (?:for|within|again|before|after|in) ))"


def _forms(table: str) -> list[tuple[str, str]]:
    return [
        (left.strip(), right.strip()) for left, right in (line.split("=>") for line in table.splitlines())
    ]


_PHRASES = [
    (re.compile(rf"(?P<said> (?:{left}))(?= ){guard}"), right)
    for guard, table in (
        (  # it ends
            _BEHIND,
            """give (?:up|out)|pack (?:up|in) => stop
            gives (?:up|out)|packs (?:up|in) => stops
            gave (?:up|out)|given (?:up|out)|packed (?:up|in) => stopped
            giving (?:up|out)|packing (?:up|in) => stopping
            (?:having|taking) an? (?:rest|break|pause|breather|nap) => stopped
            (?:stands|stood) still => is stopped
            (?<! the )(?<! its )(?<! a )stand still => be stopped""",
        ),
        (  # a state that is fallen into
            "",
            """(?:falls|fell)(?= (?:silent|still|idle|dark|quiet) ) => is
            fall(?= (?:silent|still|idle|dark|quiet) ) => be
            fallen(?= (?:silent|still|idle|dark|quiet) ) => been
            falling(?= (?:silent|still|idle|dark|quiet) ) => being
            (?:rules|shuts) out|never coincides with => excludes
            never coincide with => exclude
            forbids(?= an? ) => excludes
            not (?:one|a single(?: one)?) of => none of
            not only(?! (?:if|when|whenever|while|where|after|once|until|during|in|on|at) )(?= [^.;]* but also ) => both
            until (?:such time as|the (?:moment|time|point) (?:when|at which|that|in time at which)) => until
            (?:continuously|without interruption|all the time) until => until
            eventually always => eventually for good
            at long last => eventually
            in the next but one (?:step|state|cycle|tick) => two steps later
            (?:apart from|but not)(?= (?:when|while|if) ) => except
            (?:is|are) bound to => must
            be certain that => ensure that
            one thing is (?:certain|sure|clear) (?:[:,]|that) => ensure that""",
        ),
        (  # sizes
            _FIGURE,
            """pass|surpass|overshoot|break|top|outstrip|transcend => exceed
            passes|surpasses|overshoots|breaks|tops|outstrips|transcends => exceeds
            passed|surpassed|overshot|broken|topped => exceeded
            passing|surpassing|overshooting|breaking|topping => exceeding
            undershoots|(?:lags|stays) behind|trails|stops short of => is below
            undershoot|lag behind|trail|stop short of => be below
            (?:beneath|south of|shy of|short of) => below
            (?:sags|sinks|plummets|plunges|slumps|dwindles|tumbles|collapses|subsides) to => falls to
            (?:sag|sink|plummet|plunge|slump|dwindle|tumble|collapse|subside) to => fall to
            (?:sagged|sunk|plummeted|plunged|slumped|dwindled|tumbled|collapsed|subsided) to => fallen to
            (?:soars|surges|shoots|jumps|leaps|spikes|creeps) to => rises to
            (?:soar|surge|shoot|jump|leap|spike|creep) to => rise to
            (?:north|upwards?) of => above
            fails to reach => does not reach
            fail to reach => do not reach
            (?:tops|maxes) out at => is at most
            (?:top|max) out at => be at most""",
        ),
    )
    for left, right in _forms(table)
]
_IN_A_CONDITION = r" (?:if|when|whenever|once|while|until|unless|as soon as|as long as) [^,.;]*"
_PHRASES[:0] = [
    (re.compile(rf"{_IN_A_CONDITION}(?P<said> (?:tops|maxes) out at)(?= ){_FIGURE}"), "reaches"),
]
_PHRASES += [
    (re.compile(r" (?:by|until|till)(?P<said> the end of)(?= #\d+ (?:seconds?|minutes?|hours?) )"), ""),
    (re.compile(rf" from #\d+(?: [a-z%/]+)?(?P<said> up to and including)(?= #{_NO_TIME})"), "to"),
    (re.compile(rf"(?P<said> up to and including)(?= #{_NO_TIME})"), "at most"),
    (re.compile(rf" {_BE}(?P<said> not at most)(?= #{_NO_TIME})"), "above"),
    (re.compile(rf" {_BE}(?P<said> not (?:at least|yet at))(?= #{_NO_TIME})"), "below"),
    (re.compile(r"(?P<said> (?:by no means|in no way|on no account))(?= )"), "never"),
    (re.compile(r" both [^.;]*(?P<said> but also)(?= )"), "and"),
    (re.compile(rf" {_SHALL}(?P<said> no longer)(?= )(?! than )"), "not"),
    (re.compile(rf" {_BE}(?P<said> no longer)(?= )(?! than )"), "not"),
    (re.compile(r"(?P<said> no longer)(?= [a-z]+[^s ]s )"), "does not"),
    (re.compile(rf" {_SHALL}(?P<said> at no (?:time|point))(?= )"), "never"),
    (re.compile(rf" {_SHALL}(?P<said> at all times)(?= [^,.;])"), "always"),
    (re.compile(r"[a-z](?P<said> in the absence of(?: an?| any| the)?)(?= )"), "when there is no"),
]


def in_plain_words(words: Sequence[Word]) -> list[Word]:
    """The words with such phrases in plainer ones, which stand where these stood."""
    out = list(words)
    for phrase, said in _PHRASES:
        text = joined(out)
        for found in reversed(list(phrase.finditer(text))):
            first, end = place(text, found.start("said")), place(text, found.end("said"))
            new = said.split()
            stood = out[first:end]
            whole = [replace(stood[0], text=t, end=stood[-1].end, value=None) for t in new]
            out[first:end] = whole
    return out
