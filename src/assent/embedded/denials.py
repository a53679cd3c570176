"""Doubts of denials: of how much, of whom, of which of several; words that were taken for their opposite, or not read.

Each was seen to be accepted wrongly, with lifting, networks and judge of one mind.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from assent.embedded.tokens import PLACEHOLDER
from assent.lift import Lifted
from assent.lift.idioms import JUDGING
from assent.lift.opposites import AFFIRMS, DENIES
from assent.lift.propose import has_content
from assent.logic.ast import (
    EVER,
    Always,
    And,
    Eventually,
    Formula,
    Logic,
    Not,
    Or,
    Prop,
    Until,
    WeakUntil,
    names,
    walk,
)
from assent.logic.canonical import canonical

DENIALS = frozenset("not never no n't".split())
_NO_WAY = r"by no means|in no way|on no account|under no circumstances|no longer"
_NOT_ALWAYS = re.compile(
    rf"(?:\b(?:not|never|cannot|{_NO_WAY})|n't)\b(?:\s+(?!(?:and|or|but|until|unless|while|when|if)\b)\w+){{0,5}}?\s+"
    r"(?:always|all the time|for ?ever|permanently|constantly|continuously|the whole time|at all times|all through"
    r"|throughout|(?:up )?the whole)\b",
    re.IGNORECASE,
)
_NOT_AT_ANY = re.compile(
    r"(?:\b(?:not|never|cannot)|n't)\b.*\bat any (?:time|point|moment|instant|stage|step)\b", re.IGNORECASE
)
# Behind the first of two names: no verb of its own, then the other, then the verb of both.
_TOGETHER = re.compile(
    r"(?: (?!is\b|are\b|be\b|being\b|on\b|off\b|open\b|closed\b|shut\b)\w+){0,2} (?:and|or) (?:the |an? )?(?:\w+ ){1,3}"
    r"(?:are|is|be|being|were|stays?|remains?|keeps?|shall|must|should|loses?|ceases?|quits?|ends?|goes|go|turns?|switch(?:es)?)\b",
    re.IGNORECASE,
)
JOINS = frozenset(["and", "or"])
_LISTED = JOINS | {",", "nor"}
_SIDES = frozenset(["left", "right"])
_VERBS = frozenset(
    "is are be being was were stays stay remains remain keeps keep shall must should has have 's".split()
)


def doubts_of_denials(lifted: Lifted, formula: Formula) -> Iterator[str]:
    """Why a denial may have been taken for another one, or of one thing where it is said of several."""
    always = _NOT_ALWAYS.search(lifted.text)
    if always:
        yield f"{always.group()!r} may mean sometimes not, or never: say 'never', or 'at some time ... not'"
    if _NOT_AT_ANY.search(lifted.text) and any(
        isinstance(part, Not) and isinstance(part.arg, Always) for part in walk(formula)
    ):
        yield "'not ... at any time' was read as not all the time: say 'never'"
    if _denied_in_part(lifted) or _neither_in_part(lifted, formula):
        yield "several things share a denial, and it was read of one of them: say it of each"
    if _ABSENCE_OF_SEVERAL.search(lifted.text):
        yield "'in the absence of ... or ...' may be read of one of them: say 'when there is neither ... nor ...'"
    if _NOT_ONLY.search(lifted.text) and "not only" in " ".join(lifted.tokens):
        yield "'not only' may deny, or add: say 'also', or 'not'"
    hindered = _unhindered(lifted)
    if hindered:
        yield f"{hindered!r} may mean that it goes on, or that nothing hinders it: say 'must', or 'must not'"
    if _denied_together(lifted, formula):
        yield "'... and ... never' may mean neither, or only not both at once: say 'neither ... nor', or 'never both'"
    if any(alike or _signed_alike(formula, a, b) for a, b, alike in _opposite_states(lifted)):
        yield "things whose names say opposite states share one, and it was read of both alike: say it of each"
    if _against_its_word(lifted):
        yield "a word that says the opposite of a name's state was read as the name"


def _denied_in_part(lifted: Lifted) -> bool:
    """ "Both valves are closed" as "not P1 and P2", "the lamp and the fan are off" as "P1 and not P2"."""
    tokens, places = lifted.tokens, lifted.places
    if len(places) != len(tokens):
        return False
    for k in range(len(tokens) - 3):
        four = tokens[k : k + 4]
        match ["not" if token == "not" else "and" if token in JOINS else is_named(token) for token in four]:
            case ["not", "and", True, _] | [_, "not", "and", True]:
                return (
                    True  # "must not subscribe or publish", whose first verb is taken for part of its subject
                )
            case ["not", True, "and", True] if places[k + 1] == places[k + 3]:
                return True  # one word that stands for both
            case [True, "and", "not", True] if (
                tokens[max(0, k - 1)] != "not"
                and not _opposed(lifted, tokens[k], tokens[k + 3])
                and _TOGETHER.match(lifted.text, places[k][1])
            ):
                return True
    return False


def _opposite_states(lifted: Lifted) -> Iterator[tuple[str, str, bool]]:
    """ "The vent and the hatch are closed" of vent_open and hatch_closed: the names, and whether both are signed alike.

    Both denied, or neither, cannot be meant.
    """
    tokens, places = lifted.tokens, lifted.places
    if len(places) != len(tokens):
        return
    named = [k for k, token in enumerate(tokens) if is_named(token)]
    joined = [
        (
            set(tokens[a + 1 : b]) - {"not"},
            frozenset(lifted.text[places[a][1] : places[b][0]].lower().split()),
        )
        for a, b in pairwise(named)
    ]
    for first in range(len(named)):
        seen: set[str] = set()
        for last in range(first + 1, len(named)):
            between, words = joined[last - 1]
            if not between or not between <= _LISTED or words & (_VERBS | DENIES.keys()):
                break
            seen |= between
            a, b = named[first], named[last]
            alike = (tokens[max(0, a - 1)] == "not") == (tokens[b - 1] == "not")
            listed = seen & JOINS or (last < len(joined) and joined[last][0] & JOINS)
            if listed and _opposed(lifted, tokens[a], tokens[b]):
                yield lifted.names[tokens[a]], lifted.names[tokens[b]], alike


def _signed_alike(formula: Formula, first: str, second: str) -> bool:
    """Whether two names stand side by side in a formula, both denied or neither."""
    return any(one == other for one, other in _signs(formula, first, second))


def _signs(formula: Formula, first: str, second: str) -> Iterator[tuple[bool, bool]]:
    """Wherever two names stand side by side: whether each is denied."""
    for part in walk(formula):
        if isinstance(part, And | Or):
            signs = {arg.arg if isinstance(arg, Not) else arg: isinstance(arg, Not) for arg in part.args}
            if Prop(first) in signs and Prop(second) in signs:
                yield signs[Prop(first)], signs[Prop(second)]


_HINDERED = r"block(?:s|ed)?|fr(?:eeze|eezes|ozen)|interrupt(?:s|ed)?"
_UNHINDERED = re.compile(
    rf"(?:\b(?:not|never|cannot|nobody|no one|nothing|if|when|whenever|while|once|unless|until|as long as)|n't)\b"
    rf"(?: [\w']+){{0,5}}? ({_HINDERED})\b",
    re.IGNORECASE,
)


_FREE = ("clear", "free")  # states of names that such words do say


def _unhindered(lifted: Lifted) -> str:
    """ "The conveyor must never be blocked", "if ice blocks the pump": what is not blocked need not run."""
    found = _UNHINDERED.search(lifted.text)
    if found is None or found[1].lower() in lifted.tokens:
        return ""
    states = (found[1].lower()[:5], *_FREE)
    own = any(state in name.lower() for state in states for name in lifted.names.values())
    return "" if own else found.group()


_NEITHER = re.compile(r"\bneither (P\d+) nor (P\d+)\b")


def _neither_in_part(lifted: Lifted, formula: Formula) -> bool:
    """ "Neither the left nor the right door is open" with one of them denied and the other not."""
    pairs = (found.groups() for found in _NEITHER.finditer(" ".join(lifted.tokens)))
    return any(
        one != other for a, b in pairs for one, other in _signs(formula, lifted.names[a], lifted.names[b])
    )


_SEVERAL = r"(P\d+)(?: , (?:and )?P\d+)* ,? ?and (P\d+)"
_AND_NEVER = re.compile(
    rf"\b{_SEVERAL} (?:(?:shall|must|should|may|can|will|is|are|do|does|be) )*"
    r"(?:never|not|in no case|under no circumstances|at no time|forbidden|prohibited)"
    r"(?: (?:to|from|be|been|being|allowed|permitted|made|supposed))*"
    r" (?:while|when|whenever|if|as|during|[.,;])"
    rf"|\b(?:never|at no time|in no case|under no circumstances) (?:shall|must|should|may|can|will) {_SEVERAL}"
    r" (?:while|when|whenever|if|as|during|[.,;])"
)
_CLAUSE = re.compile(r"[,.;:]")
_JOINTLY = re.compile(
    r"\b(?:together|both|either|at once|same|simultan\w+|concurrent\w*|at a time|each|one another|pair|respectively"
    r"|parallel|side by side|mutually)\b"
)


def _denied_together(lifted: Lifted, formula: Formula) -> bool:
    """ "The mixer and the fan must never run", with no word that says "at the same time", read as not both."""
    said = " ".join(lifted.tokens)
    pairs = [
        {Not(Prop(lifted.names[name])) for name in found.groups() if name}
        for found in _AND_NEVER.finditer(said)
        if not _JOINTLY.search(_clause(said, found.start(), found.end()))
    ]
    if not pairs:
        return False
    return any(
        isinstance(part, Or) and pair <= set(part.args) for pair in pairs for part in walk(canonical(formula))
    )


def _clause(said: str, start: int, end: int) -> str:
    """What is said between the signs around a place."""
    first = max((found.end() for found in _CLAUSE.finditer(said, 0, start)), default=0)
    after = _CLAUSE.search(said, end - 1)
    return said[first : after.start() if after else len(said)]


_NOT_ONLY = re.compile(r"(?:\bnot|n't)(?: \w+){0,2} only\b", re.IGNORECASE)
_ABSENCE_OF_SEVERAL = re.compile(r"\b(?:absence|lack) of\b[^,.;:]* (?:or|and)\b", re.IGNORECASE)


def _opposed(lifted: Lifted, first: str, second: str) -> bool:
    """Whether the names behind two placeholders say opposite states: vent_open and hatch_closed.

    Of red_lamp and green_lamp the colours say which lamp is meant, not how it is.
    """
    names = [frozenset(lifted.names.get(token, "").lower().split("_")) for token in (first, second)]
    one, other = (words & DENIES.keys() - _SIDES for words in names)
    return names[0] - one != names[1] - other and any(DENIES[word] & other for word in one)


def _against_its_word(lifted: Lifted) -> bool:
    """ "Shut the shutter" as shutter_open: the word found for the name is the opposite of its state."""
    if len(lifted.places) != len(lifted.tokens):
        return False
    for k, (token, (start, end)) in enumerate(zip(lifted.tokens, lifted.places, strict=True)):
        word = lifted.text[start:end].lower()
        own = lifted.names.get(token, "").lower().split("_")
        against = {other for part in own for other in DENIES.get(part, ()) if other not in own}
        swallowed = any(
            len(other) > 3
            and part.startswith(other)
            and re.search(rf"\b{other}\b", lifted.text, re.IGNORECASE)
            for other in against
            for part in own
        )
        if (word in against or swallowed) and lifted.tokens[max(0, k - 1)] not in DENIALS:
            return True
    return False


def is_named(token: str) -> bool:
    return PLACEHOLDER.fullmatch(token) is not None


def doubts_of_the_unsaid(lifted: Lifted, formula: Formula) -> Iterator[str]:
    """Why the candidate may say more, or of others, than the instruction does; nothing as a rule."""
    if forbidden_times(lifted, formula):
        yield "'must not ... within' was read as not at some time within it: say 'for the first ...'"
    if _UNDONE.search(lifted.text) and not DENIALS & set(lifted.tokens):
        yield "it is denied twice: say what must stay so, and until when"
    if _HAS_TO.search(" ".join(lifted.tokens)):
        yield "it is left open which of two names is the reason of the other: say 'when ..., ...'"
    if _THEN_AFTER_UNTIL.search(" ".join(lifted.tokens)) and any(
        isinstance(part, Until | WeakUntil) and isinstance(part.right, And) for part in walk(formula)
    ):
        yield "what comes 'then', after 'until', was read as coming at the same time: say 'and within ... after that'"
    if _HAD_LASTED.search(lifted.text) and not lifted.beyond:
        yield "'only when ... has been ... for' speaks of the past: say 'not before ... has been ... for'"
    yield from _of_a_set(lifted, formula)
    for state, name in _unread_states(lifted):
        yield f"{state!r} may mean that {name} is so, or that it is not: say which"


_UNDONE = re.compile(
    r"(?:\b(?:not|never|cannot)|n't) (?:be |ever )?(?:un|dis)[a-z]{3,}\b[^,.;]*\b(?:before|until|till)\b",
    re.IGNORECASE,
)
_HAS_TO = re.compile(
    r"\bP\d+ (?:must|shall|should|will|ha(?:s|ve) to|needs? to|(?:is|are) to)(?: also| always| then)? P\d+\b"
)
_THEN_AFTER_UNTIL = re.compile(r"\b(?:until|till) (?:not )?P\d+ , (?:and )?then (?:not )?P\d+\b")
_HAD_LASTED = re.compile(
    r"\bonly (?:if|when|while|where|once) [^,.;]*\b(?:has|have) (?:already )?(?:been|stood|lain|stayed|lasted|held)\b"
    r"[^,.;]*\bfor (?:at least |more than |over )?(?:\d|an?\b|one\b|two\b|three\b|five\b|ten\b|half\b)",
    re.IGNORECASE,
)
_LITERAL = frozenset(["not", "n't", "never", "cannot", "can't"])
_MODALS = frozenset("must shall should will may can does do is are to".split())


def forbidden_times(lifted: Lifted, formula: Formula) -> int:
    """How many names that must not be within a time ("must not dock within 60 s") are only absent at some time in it.

    A state that ends leaves the same tokens ("shall be off within 2 s"): what stands in the text tells them apart.
    """
    tokens, places = lifted.tokens, lifted.places
    if "not" not in tokens or len(places) != len(tokens):
        return 0
    found = 0
    for k in range(2, len(tokens) - 2):
        if (
            tokens[k] != "not"
            or tokens[k - 1] not in _MODALS
            or tokens[k + 1] not in ("within", "before", "inside")
        ):
            continue
        name = next(
            (lifted.names[t] for t in reversed(tokens[max(0, k - 3) : k - 1]) if t in lifted.names), None
        )
        said = lifted.text[places[k][0] : places[k][1]].lower()
        timed = any(token in lifted.numbers for token in tokens[k + 2 : k + 5])
        if name is None or said not in _LITERAL or not timed:
            continue
        found += any(
            isinstance(part, Eventually) and part.within != EVER and _is_denial(part.arg, name)
            for part in walk(formula)
        )
    return found


def _is_denial(formula: Formula, name: str) -> bool:
    return any(
        isinstance(part, Not) and part.arg == Prop(name)
        for part in (formula, *(formula.args if isinstance(formula, And) else ()))
    )


_NO_OTHER = re.compile(
    r"\b(?:and|but) (?:no other|none other|nobody else|no one else)\b(?! than)|\bnothing else\b(?! than)(?! matters)",
    re.IGNORECASE,
)
_HOW_MANY = {
    word: number for number, word in enumerate("two three four five six seven eight nine".split(), 2)
}
_STEPS = (
    r"(?:s|ms|m|h|sec|seconds?|min|minutes?|hours?|days?|steps?|cycles?|ticks?|turns?|rounds?|frames?|scans?|beats?"
    r"|states?|times|of (?:these|those|the) (?:steps|cycles|seconds|minutes))"
)
_ALL_OF_THEM = re.compile(
    r"\b(?P<rest>the (?:other|remaining) |all the other |all |(?:each|none|any|all) of the )"
    rf"(?P<number>{'|'.join(_HOW_MANY)})\b(?! {_STEPS}\b)",
    re.IGNORECASE,
)


def _of_a_set(lifted: Lifted, formula: Formula) -> Iterator[str]:
    """ "The red flag and no other"; "the other three are down" of which the formula names none."""
    found = _NO_OTHER.search(lifted.text)
    if found:
        yield f"{found.group()!r} speaks of what is not named: say which"
    for found in _ALL_OF_THEM.finditer(lifted.text):
        least = _HOW_MANY[found["number"].lower()] + (
            "other" in found["rest"] or "remaining" in found["rest"]
        )
        if len(names(formula)) < least:
            yield f"{found.group()!r} speaks of more than the formula names: name each"


# What may be said of a whole state ("P1 is true", "P1 is prohibited while P2"), and is no state of its thing.
_OF_A_STATE = frozenset(
    """
    true false prohibited forbidden required allowed followed preceded seen given answered fine tolerated found
    going admissible permitted conditional reported acceptable equivalent reached visited heard taken compulsory
    mandatory kept reserved bound ruled guaranteed met due incompatible excluded limited barred obligatory
    exempt selected wanted confined subject certain called mutually strictly eventually permanently simply
    directly jointly immediately neither either both each all only over there another something asserted
    recurrent simultaneous disjoint legitimate legal put entered order place outside first last good bad okay
    alright too less own
    """.split()
)
_SAID_OF_IT = re.compile(
    r"\b(P\d+) (?:ha[sd] |have )?(?:is|are|be|was|were|been|being|stays?|remains?|becomes?) "
    r"(?:(?:still|already|also|again|now|to be) )*"
    r"(?!P\d|S\d|N\d|not\b)([a-z']{3,})\b(?! P\d)"
)


def _unread_states(lifted: Lifted) -> Iterator[tuple[str, str]]:
    """ "The plug is intact" of plug_blown: a word said of it that lifting left in the sentence, and the name."""
    if lifted.proposed or lifted.logic is Logic.SPATIAL:
        return
    for found in _SAID_OF_IT.finditer(" ".join(lifted.tokens)):
        placeholder, word = found.groups()
        if placeholder in lifted.signals or word in _OF_A_STATE or word in JUDGING or not has_content(word):
            continue
        name = lifted.names[placeholder]
        if not any(word in AFFIRMS.get(part, ()) for part in name.lower().split("_")):
            yield word, name
