"""What is said in other words before names are looked for: phrases, emphasis, orders to stop, signs of formulas.

"Packs up" is stops, "north of 80" above 80, "by no means" never. What is here was seen to lose its sense on the way: a
word that no table knows beside a name is taken for a part of it. Each phrase stands where nothing else can be meant:
before a figure, at the end of its clause, behind an auxiliary. What few texts need is loaded where a word calls for it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from assent.lift.entries import Known
from assent.lift.figures import Word

END = r"(?= (?:[.,;:!?)-]|while|when|whenever|if|until|unless|and|but|as|during|$))"
# Without one of these nothing is only stressed.
_STRESSING = frozenset(
    "inclusive inclusively included including allowed okay ok fine even moment second instant exists then".split()
)


def without_emphasis(words: list[Word]) -> list[Word]:
    """See ``emphasis``, which is loaded where there may be any."""
    if not _STRESSING & {word.text for word in words}:
        return words
    from assent.lift import emphasis

    return emphasis.without_emphasis(words)


def joined(words: Sequence[Word]) -> str:
    """The words between single spaces; a figure is "#" and digits that stand for its value."""
    texts = (w.text if w.value is None else f"#{w.value}".replace("/", "000").replace("-", "") for w in words)
    return f" {' '.join(texts)} "


def place(text: str, at: int) -> int:
    """Which word begins behind the space there."""
    return text.count(" ", 0, at + 1) - 1


# Without one of these nothing is stopped in other words than usual.
_STOPPING = frozenset(
    """
    block blocks inhibit inhibits disable disables suppress suppresses prohibit prohibits forbid forbids bar bars ban
    bans suspend suspends deactivate deactivates freeze freezes veto vetoes withhold withholds prevent prevents
    interrupt interrupts disallow disallows lock locks hold holds rule call calls blocked frozen vetoed
    interrupted suspended inhibited disabled deactivated held locked without put
    """.split()
)


def stopped(words: list[Word], knowns: Sequence[Known]) -> list[Word]:
    """See ``orders``, which is loaded where there may be any."""
    if not _STOPPING & {word.text for word in words}:
        return words
    from assent.lift import orders

    return orders.stopped(words, knowns)


def at_first(words: Sequence[Word]) -> list[Word]:
    """ "The heater starts out off" is initially off."""
    out = list(words)
    for i in range(len(words) - 1):
        if words[i].text in ("starts", "start") and words[i + 1].text == "out":
            out[i], out[i + 1] = replace(words[i], text="is"), replace(words[i + 1], text="initially")
    return out


def signs_in_words(words: Sequence[Word]) -> list[Word]:
    """ "!pump_on" is not pump_on; "alarm!!" and "Stop!Now" only shout."""
    return [
        replace(word, text="not") if word.text == "!" and _opens_a_word(words, i) else word
        for i, word in enumerate(words)
    ]


def _opens_a_word(words: Sequence[Word], i: int) -> bool:
    """Whether a sign touches the word behind it, and none before it."""
    apart = i == 0 or words[i - 1].end < words[i].start or words[i - 1].text in ("(", "[", "&", "|", ">")
    touches = i + 1 < len(words) and words[i + 1].start == words[i].end
    return apart and touches and words[i + 1].text[:1].isalpha()


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
            forbids(?= an? )|precludes => excludes
            preclude => exclude
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
    (re.compile(r"(?P<said> no sooner than)(?= #\d+ [a-z]+ from now )"), "no earlier than"),
    (
        re.compile(
            rf" not [^,.;]*(?P<said> before)(?= #\d+ {_TIMES} )"
            rf"(?= #\d+ {_TIMES} (?:has|have|had|are|is) (?:passed|elapsed|expired|over|up|gone(?: by)?|run out))"
        ),
        "within",
    ),
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
