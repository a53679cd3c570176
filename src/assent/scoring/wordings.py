"""Doubts about wordings: figures of which nobody knows how large they are, and what is easily read as something else.

Words broken by marks, steps as seconds, half a window and wishes that last for ever were seen to be accepted.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from fractions import Fraction

from assent.lift.quantities import PLAIN_NUMBERS, number_word_value
from assent.logic.ast import (
    EVER,
    Always,
    And,
    Compare,
    Constant,
    Eventually,
    Formula,
    Interval,
    Not,
    Prop,
    Relation,
    Release,
    Until,
    atoms,
    walk,
)
from assent.logic.ast import names as names_in

TIMED = (Always, Eventually, Until, Release)
_DIGIT = r"(?:one|two|three|four|five|six|seven|eight|nine|ten)"
_NUMBER = rf"(?:\d+|{'|'.join(sorted(PLAIN_NUMBERS))})"
_VAGUE = re.compile(
    r"\d['′’″\"](?=$|[\s.,;])|\d\s*\[|\b\d+(?:\.\d+)?(?-i:[kMGT])\b|\d\+(?!\d)|[$€£]\s?\d|\bsome \d+\b"
    rf"|(?<!some )\bpoint (?:zero|oh|{_DIGIT})\b|\b{_DIGIT} {_DIGIT}\b|(?:\d|\b{_DIGIT})-?ish\b"
    r"|\d[^.,;]{0,12} or so\b"
    r"|\b(?:seconds|minutes|metres|degrees) (?:squared|cubed)\b"
    r"|\b(?:a|one) (?:second|minute|hour|day) or (?:two|three)\b"
    rf"|\b{_NUMBER} or {_NUMBER} ?(?:s|ms|min|h|seconds|minutes|hours)\b"
    rf"|\b(?:double|triple|twice) {_NUMBER}\b|\b{_NUMBER}[ -](?:something|odd)\b"
    rf"|\b(?:an?|{_NUMBER}) (?:minutes?|hours?|seconds?) (?!one\b){_NUMBER}(?=\s*[.,;!?)]|\s*$)",
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


_KEYWORDS = frozenset(
    """
    never always until unless whenever within before after while eventually during between every without only cannot
    finally immediately least most more less than when then once next not seconds second minutes minute hours hour
    must shall should holds hold neither either both except otherwise forever throughout above below exceeds exceed
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand half quarter
    """.split()
)
_LITTLE = frozenset("on off in no not if or is at".split())
_ENDINGS = ("", "s", "es", "d", "ed", "ing", "n", "ned", "ning", "ly")
_LETTERS = re.compile(r"(?<![\w'\u2019])[^\W\d_]+(?![\d_])")
_MARKS = r"[!\"#$%&()*+,./:;<=>?@\[\\\]^{|}~\u00b7\u2022\u2026\u201c\u201d\u00ab\u00bb\u3001\uff0c]"
_MARKED = re.compile(rf"\s*{_MARKS}+(?:\s*{_MARKS}+)*\s*")
_PIECES = 4


def broken_words(text: str, formula: Formula, known: Collection[str] = ()) -> Iterator[str]:
    """A mark inside a word: "d, oor", "do;or", "unt. il". ``known``: words of the vocabulary."""
    names = re.findall(r"[^\W\d_]+", " ".join(names_in(formula)).lower())
    whole = {word for word in (*names, *known) if len(word) > 2} | _KEYWORDS
    pieces = list(_LETTERS.finditer(text))
    for first in range(len(pieces)):
        said = pieces[first].group().lower()
        if len(said) < 3 and text[: pieces[first].start()].rstrip()[-1:].isdigit():
            continue  # "for 5 s, even if": a unit
        for last in range(first + 1, min(first + _PIECES, len(pieces))):
            between = text[pieces[last - 1].end() : pieces[last].start()]
            if not _MARKED.fullmatch(between):
                break
            said += pieces[last].group().lower()
            letters = all(len(piece.group()) == 1 for piece in pieces[first : last + 1])
            letters = letters and not set(said) <= set(names)  # "o, n" may be two names
            if _is_word(said, whole, len(pieces[first].group())) or (letters and said in _LITTLE):
                yield f"{text[pieces[first].start() : pieces[last].end()]!r} may be {said!r} with a mark inside"
                return


def _is_word(said: str, whole: Collection[str], first: int) -> bool:
    """Whether letters are a word with an ending, and the word goes beyond its first piece."""
    stems = (said.removesuffix(ending) for ending in _ENDINGS if said.endswith(ending))
    return any(len(stem) > first and stem in whole for stem in stems)


_NUMBER = r"(?:\d+(?:[.,]\d+)?|[a-z]+(?:-[a-z]+)?)"
_STEPS = re.compile(
    r"(?P<n>\d+(?:[.,]\d+)?|\b[a-z]+(?:[ -][a-z]+)?)[\s-]+(?:(?:more|further|full|whole|consecutive|successive"
    r"|control|clock"
    r"|plc|scan|time|machine|work|program|simulation|sampling|main|update|polling|processing|duty|whole)[\s-]+){0,2}"
    r"(?P<unit>cycles?|steps?|ticks?|scans?|frames?|rounds?|samples?|iterations?|turns?|timesteps?|loops?|passes"
    r"|pulses?|beats?"
    r"|epochs?|instants?|sweeps?|polls?|updates?|readings?|laps?|generations?|periods?|intervals?|clocks?)\b",
    re.IGNORECASE,
)


def steps_as_time(text: str, formula: Formula, unit: str | None) -> Iterator[str]:
    """ "Within 5 cycles" as 5 seconds: how long a cycle takes nobody has said; ``unit`` is that of the vocabulary."""
    if unit in (None, "steps"):
        return
    times = {bound for node in walk(formula) if isinstance(node, TIMED) for bound in bounds(node.within)}
    for found in _STEPS.finditer(text):
        value = _value(found["n"])
        if value is not None and value in times - {Fraction(0)}:
            yield f"{found.group()!r} was read as {float(value):g} {unit}: say how long that is"
            return


_LOWER = (
    r"at least|no less than|not less than|no fewer than|no sooner than|not sooner than|not before|no earlier than"
    r"|not earlier than"
    r"|more than|longer than|over|a minimum of|minimum|min|at the earliest(?: after| in)?|earliest after|not under"
    r"|from|after"
)
_UPPER = (
    r"at most|at the most|no more than|not more than|no later than|not later than|less than|fewer than|up to"
    r"|a maximum of|maximum"
    r"|max|at the latest(?: after| in)?|latest after|under|within|no longer than|not longer than|not over|before|by"
)
_TIME = r"(?:s|ms|secs?|seconds?|milliseconds?|mins?|minutes?|hours?|h|hrs?|days?)"
_BOTH = re.compile(
    rf"\b(?P<a>{_LOWER}|{_UPPER})\s+(?P<x>{_NUMBER})(?:\s*(?P<u>{_TIME}))?\s*,?\s*(?:and|but|yet|though|or|,|;|/|&"
    rf"|\()\s*"
    rf"(?:also |then |still |for |in |only |always |certainly |in any case )?(?P<b>{_LOWER}"
    rf"|{_UPPER})\s+(?P<y>{_NUMBER})\s*"
    rf"(?P<v>{_TIME})\b",
    re.IGNORECASE,
)


_DENIED_ELSEWHERE = re.compile(
    r"\b(?:not?|never|nor|neither|cannot|without|off|out|down|up|away|clos\w*|shut\w*|stop\w*|end\w*|ceas\w*"
    r"|leav\w*|left|empt\w*"
    r"|releas\w*|clear\w*|lower\w*|rais\w*|lift\w*|un\w+|dis\w+|de\w+|withdr\w+|remov\w*|open\w*(?= *(?:circuit"
    r"|again))|free\w*|dark"
    r"|silent|quiet|idle|lift\w*|drop\w*|eject\w*|unless|until|before)\b|n't",
    re.IGNORECASE,
)


def half_a_window(text: str, formula: Formula) -> Iterator[str]:
    """ "At most thirty and at least ten seconds" is one window: no comparison with either number, no window without."""
    for found in _BOTH.finditer(text):
        x, y = _value(found["x"]), _value(found["y"])
        low = [bool(re.fullmatch(_LOWER, found[side], re.IGNORECASE)) for side in "ab"]
        if x is None or y is None or low[0] == low[1] or (found["u"] and found["u"][0] != found["v"][0]):
            continue
        used = {
            float(b) for node in walk(formula) if isinstance(node, TIMED) for b in bounds(node.within) if b
        }
        compared = {
            float(side.value)
            for atom in atoms(formula)
            if isinstance(atom, Compare)
            for side in (atom.left, atom.right)
            if isinstance(side, Constant)
        }
        windows = any(abs(p * float(y) - q * float(x)) < 1e-9 for p in used for q in used if p != q)
        if not windows and not {float(x), float(y)} <= compared:
            yield f"{found.group()!r} gives two ends of one time, and the formula does not have both"
            return
        rest = text[: found.start()] + text[found.end() :]
        nodes = list(walk(formula))
        denied = any(isinstance(node, Not) and nodes.count(node.arg) == nodes.count(node) for node in nodes)
        if (
            denied
            and re.search(r"\bnot?\b", found.group(), re.IGNORECASE)
            and not _DENIED_ELSEWHERE.search(rest)
        ):
            yield f"{found.group()!r} denies nothing, and the formula does"
            return


def _value(said: str) -> Fraction | None:
    """A number in figures or in words, as lifting reads it; a word before it ("next five") is no part of it."""
    if said[0].isdigit():
        return Fraction(said.replace(",", "."))
    words = re.split(r"[\s-]", said.lower())
    for start in range(len(words)):
        found = number_word_value(words[start:])
        if found is not None and found[1] == len(words) - start:
            return found[0]
    return None


_LASTING = re.compile(
    r"\b(?:always|never|ever|for ?ever|all|every|each|any|no|not|none|nothing|nobody|neither|nor|cannot|keep\w*"
    r"|kept|stay\w*"
    r"|remain\w*|must\w*|shall|should\w*|has|have|had|is|isn|are|aren|be|being|been|am|was|will|would|can|may|whenever"
    r"|constant\w*|permanent\w*|continu\w*|throughout|hold\w*|held|maintain\w*|leav\w*|left|ensur\w*|sure|only|without"
    r"|avoid\w*|prohibit\w*|forbid\w*|forbidden|whole|entire|while|when|until|unless|long|day|night|time|stop|out"
    r"|don|do"
    r"|does|doesn|won|good|s|let|invariabl\w+|globally|from now|start to finish|at least|whatever|holds|true)\b"
    r"|n't|'s|:|=|<|>|\u25a1|\bG\b",
    re.IGNORECASE,
)


def asked_once(text: str, formula: Formula) -> Iterator[str]:
    """ "Open the door." as "always open": nothing in it says for how long."""
    if not isinstance(formula, Always) or formula.within != EVER or _LASTING.search(text):
        return
    body = formula.arg.args if isinstance(formula.arg, And) else (formula.arg,)
    if all(
        isinstance(part.arg if isinstance(part, Not) else part, Prop | Compare | Relation) for part in body
    ):
        yield "what is asked for was read as lasting for ever: say 'always', 'keep', or 'at some time'"
