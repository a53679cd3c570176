"""Doubts of scope: "only", "until", ranges, durations, orders, the past, that are known to be taken for something else.

Each was seen to be accepted wrongly, with lifting, networks and judge of one mind.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from assent.embedded.denials import JOINS, is_named
from assent.errors import AssentError
from assent.lift import Lifted
from assent.logic.ast import (
    EVER,
    Always,
    And,
    Compare,
    Eventually,
    Formula,
    Implies,
    Next,
    Not,
    Or,
    Prop,
    Term,
    Until,
    WeakUntil,
    children,
    walk,
)
from assent.logic.canonical import canonical
from assent.logic.equivalence.verdict import satisfiable, valid

_NOT_UNTIL = re.compile(r"(?:\b(?:not|never|cannot)|n't)\b.*\b(?:until|till|before)\b", re.IGNORECASE)
_OUTSIDE = re.compile(
    r"\boutside\b|\bout of\b|\bleav(?:e|es|ing)\b|\b(?:not|n't) (?:in|inside|within|between)\b|\bbeyond\b",
    re.IGNORECASE,
)
_PLAINLY_OUTSIDE = frozenset(["outside", "out of"])
_TURNED = re.compile(
    r"\b(?:never|not|no|cannot|without|nor|if|when|whenever|while|once|until|unless)\b|n't\b", re.IGNORECASE
)
_CONDITION = frozenset("while when if with after once during".split())
_STEPS = re.compile(
    r"(?:[,;]|(?<!there)(?<!now) and)\s+(?:then|afterwards?|after (?:that|which)|thereafter)\b"
    r"(?! only| till| for| from)",
    re.IGNORECASE,
)
_RULE = re.compile(
    r"^(?:on|at|in|for|with|without|as|all|no|not)\b|\b(?:if|when|whenever|while|whilst|once|after|upon|every|each|any|always"
    r"|never|should|unless|provided|given|case|during|until|till|before|means?|where|wherever)\b|as soon as|n't\b|[?:]",
    re.IGNORECASE,
)
_TOO_LONG = re.compile(r"\bnot\b.*\bfor (?:more|longer) than N\d+ seconds\b")
_NEVER_SO_LONG = re.compile(
    r"\b(?:never|not(?: ever)? (?:stay|remain))\b(?!.*\b(?:if|when|whenever|while|once|after)\b).*\bfor N\d+ seconds\b"
)


def doubts_of_scope(lifted: Lifted, formula: Formula) -> Iterator[str]:
    """Why the candidate may have taken a condition, an "only" or a duration for another; nothing as a rule."""
    if turned_conditions(lifted, formula):
        yield "a condition was read as its opposite"
    if _turned_round(lifted, formula):
        yield "what stands behind 'only' was read as the reason, not as the condition"
    if _TOO_LONG.search(" ".join(lifted.tokens)) and any(
        isinstance(part, Always) and part.within != EVER and isinstance(part.arg, Not)
        for part in walk(formula)
    ):
        yield "'not ... for longer than' was read as 'not at all for so long'"
    if (
        isinstance(formula, Always)
        and formula.within != EVER
        and _NEVER_SO_LONG.search(" ".join(lifted.tokens))
    ):
        yield "'never ... for so long' was read as 'not once in the first so long': say 'at no time ... for so long'"
    if isinstance(formula, Until) and isinstance(formula.left, Prop) and _NOT_UNTIL.search(lifted.text):
        yield "'not ... until' was read as a promise that the end comes: say so, or say 'if ever'"
    if _inside_for_outside(lifted.text, formula):
        yield "'outside' was read as inside"
    if _of_the_whole_run(lifted.text, formula):
        yield "'if ... ever' was read of the whole run, earlier and later: say 'whenever', or 'at some time in the run'"
    if _UNTIL_LATER.search(" ".join(lifted.tokens)) and not any(
        isinstance(part, Until | WeakUntil) for part in walk(formula)
    ):
        yield "what lasts until some time after an event was read from that event on only: say what holds before it"
    if widened(lifted, formula):
        yield "'eventually' or 'for good' behind the last of two was read of both: say it of each"
    if _was_before(lifted.text, formula):
        yield "what was so before was read as being so now: say 'is', or 'not before ...'"
    if _order_as_rule(lifted.text, formula):
        yield "steps in an order were read as a rule: say 'whenever', or 'at some time ..., and after that ...'"
    if _defeats_itself(formula):
        yield "what is asked for cannot hold together with its condition"


_IF_EVER = re.compile(r"\bif\b[^,.;]*\bever\b", re.IGNORECASE)
_WHOLE_RUN = re.compile(
    r"\b(?:earlier|before or after|(?:whole|entire|the) run|from the start|all the time|first (?:state|step|moment))\b",
    re.IGNORECASE,
)


def _of_the_whole_run(text: str, formula: Formula) -> bool:
    """ "If a leak is ever found, the pump must eventually stop" as (F leak) -> (F !pump): to stop before would do."""
    return (
        isinstance(formula, Implies)
        and isinstance(formula.left, Eventually)
        and isinstance(formula.right, Eventually)
        and bool(_IF_EVER.search(text))
        and not _WHOLE_RUN.search(text)
    )


_UNTIL_LATER = re.compile(r"\b(?:until|till) (?:some |at least )?N\d+ seconds (?:after|past|from)\b")
_WAS = re.compile(r"\b(?:if|when|whenever|unless|provided)\b[^,.;]*\b(?:was|were)\b(?! to\b)", re.IGNORECASE)
_MUST_HAVE = re.compile(
    r"\b(?:must|shall|should) (?:already |first )?have (?:already )?(?:been )?"
    r"(?:(?!red\b|(?:sp|n|f|s)eed\b|bed\b)[a-z]+ed|rung|gone|run|shut|lit|come|begun)\b",
    re.IGNORECASE,
)
_IN_TIME = Eventually | Next | Until | WeakUntil


def _was_before(text: str, formula: Formula) -> bool:
    """ "If the door was open", "must have rung": read as being so at that moment."""
    before = [p for part in walk(formula) if isinstance(part, Implies) for p in walk(part.left)]
    if _WAS.search(text) and before and not any(isinstance(part, _IN_TIME) for part in before):
        return True
    return bool(_MUST_HAVE.search(text)) and not any(isinstance(part, _IN_TIME) for part in walk(formula))


_AT_SOME_TIME = r"(?:eventually|sometime|at some (?:point|time)|sooner or later|in the end|one day)"
_THEN_OR_LATER = r"(?:(?:now|then) or (?:at some )?later|at that or (?:a|some) later (?:time|moment))"
_SAYS = (
    r"[^,.;:]*?(?:\b(?:is|are|was|has|have|gets?|goes|comes|stays?|runs?|remains?|must|shall|will|keeps?|moves?|opens?"
    r"|closes?|starts?|stops?)\b|(?:'s|'re|n't)\b)[^,.;:]*?"
)
_LAST_LATER = re.compile(
    rf"\beither {_SAYS} or (?:else )?{_SAYS} (?:{_AT_SOME_TIME}|{_THEN_OR_LATER})\b"
    rf"|[,;:] {_SAYS} or (?:else )?{_SAYS} {_THEN_OR_LATER}\b",
    re.IGNORECASE,
)
_LAST_FOR_GOOD = re.compile(
    rf"\b{_AT_SOME_TIME} (?!with\b)(?:(?!with\b|both\b)\S+ ){{0,3}}?(?:not )?P\d+(?: \S+)? and "
    r"(?:\S+ ){0,2}?(?:not )?P\d+(?: \S+)? (?:for good|for ?ever)\b"
)


def widened(lifted: Lifted, formula: Formula) -> int:
    """How many adverbs that stand behind the last of two clauses were read of both.

    "Either the rent is paid or the gas goes off eventually" is rent_paid | F gas_off; "eventually the lid is shut and
    the lamp stays on for good" is F(lid_shut & G lamp_on).
    """
    inside = [part.arg for part in walk(formula) if isinstance(part, Eventually)]
    of_either = any(isinstance(part, Or) for part in inside)
    of_both = any(isinstance(part, Always) and isinstance(part.arg, And) for part in inside)
    later = of_either and bool(_LAST_LATER.search(lifted.text))
    return later + (of_both and bool(_LAST_FOR_GOOD.search(" ".join(lifted.tokens))))


def _order_as_rule(text: str, formula: Formula) -> bool:
    """ "Lock the lid, then open the gate" as lid_locked -> gate_open: nothing before "then" is a condition."""
    steps = _STEPS.search(text)
    return (
        steps is not None
        and not _RULE.search(text[: steps.start()])
        and isinstance(formula, Always)
        and isinstance(formula.arg, Implies)
        and not any(isinstance(part, Eventually | Next | Until) for part in walk(formula.arg.right))
    )


def _defeats_itself(formula: Formula) -> bool:
    """ "It is open, then it is closed" as open -> not open: that only says never open."""
    if not isinstance(formula, Always) or not isinstance(formula.arg, Implies):
        return False
    try:
        return satisfiable(And((formula.arg.left, formula.arg.right))).answer is False
    except AssentError:
        return False


def _inside_for_outside(text: str, formula: Formula) -> bool:
    """ "Outside 1 to 3 bar" as between 1 and 3: in a condition, for a while, or with no denial that turns it round."""
    said = {found.lower() for found in _OUTSIDE.findall(text)}
    plainly = bool(said & _PLAINLY_OUTSIDE)
    return bool(said) and (
        (plainly and _inside(formula) and not _TURNED.search(text))
        or any(
            (isinstance(part, Implies) and _inside(part.left))
            or (plainly and isinstance(part, Always) and part.within != EVER and _inside(part.arg))
            for part in walk(formula)
        )
    )


def _inside(formula: Formula, *, denied: bool = False) -> bool:
    """Whether a value is held between two bounds somewhere in a formula, and that is not denied."""
    match formula:
        case Not(arg):
            return _inside(arg, denied=not denied)
        case Implies(left, right):
            return _inside(left, denied=not denied) or _inside(right, denied=denied)
        case And() if _bounded(formula):
            return not denied
    return any(_inside(part, denied=denied) for part in children(formula))


def _bounded(both: And) -> bool:
    """Whether one signal has a lower and an upper bound in a conjunction."""
    bounds: dict[object, set[str]] = {}
    for part in both.args:
        if isinstance(part, Compare):
            bounds.setdefault(part.left, set()).add(part.op[0])
    return any(ops >= {"<", ">"} for ops in bounds.values())


_IF = frozenset("if when whenever while where".split())
_FLIPS = frozenset(
    "except unless save but other than apart only not never even no without as exactly precisely just until and".split()
)


def turned_conditions(lifted: Lifted, formula: Formula) -> int:
    """How many names that are said right behind "if" or "when" stand in a condition with the other sign."""
    tokens = lifted.tokens
    if not any(isinstance(part, Implies) for part in walk(formula)):
        return 0
    found = 0
    for k, token in enumerate(tokens[:-2]):
        if token not in _IF or (k and tokens[k - 1] in _FLIPS) or _excepted(tokens, k):
            continue
        denied = tokens[k + 1] == "not"
        name = tokens[k + 1 + denied]
        after = tokens[k + 2 + denied] if k + 2 + denied < len(tokens) else ""
        if name not in lifted.names or tokens.count(name) > 1 or after not in (",", ".", ";", "and", "then"):
            continue
        signs = set(_signs_in_conditions(formula, lifted.names[name]))
        found += signs == {denied}
    return found


_EXCEPTED = frozenset("except unless save exception barring excluding instead outside".split())


def _excepted(tokens: Sequence[str], k: int) -> bool:
    """ "Except when P1 or WHEN P2", "save for WHEN P1": what is excepted is a condition with the other sign."""
    ends = (
        i for i in range(k) if tokens[i] in (".", ";") or (tokens[i] == "," and tokens[i + 1] not in JOINS)
    )
    return not _EXCEPTED.isdisjoint(tokens[max(ends, default=-1) + 1 : k])


def _signs_in_conditions(formula: Formula, name: str) -> Iterator[bool]:
    """For each time that a name stands in a condition: whether it is affirmed there."""

    def visit(part: Formula, affirmed: bool, inside: bool) -> Iterator[bool]:
        match part:
            case Prop(said):
                if inside and said == name:
                    yield affirmed
            case Not(arg):
                yield from visit(arg, not affirmed, inside)
            case Implies(left, right):
                yield from visit(left, True, True)
                yield from visit(right, affirmed, inside)
            case _:
                for one in children(part):
                    yield from visit(one, affirmed, inside)

    return visit(formula, True, False)


def _turned_round(lifted: Lifted, formula: Formula) -> bool:
    """ "P1 is only allowed while P2" is P1 -> P2: the other way round it says something else."""
    tokens = lifted.tokens
    if tokens.count("only") != 1 or not isinstance(formula, Always) or not isinstance(formula.arg, Implies):
        return False
    only = tokens.index("only")
    at = next((k for k in range(only + 1, len(tokens)) if tokens[k] in _CONDITION), None)
    if at is None:
        return False
    before = {token for token in tokens[:at] if token[:1] in "PS" and is_named(token)}
    behind = {token for token in tokens[at:] if token[:1] in "PS" and is_named(token)}
    try:
        reason, result = (
            {token for token in lifted.tokens_of(side) if token in lifted.names}
            for side in (formula.arg.left, formula.arg.right)
        )
    except AssentError:
        return False
    return bool(result) and bool(reason) and reason <= behind - before and result <= before - behind


_AT_MOST = re.compile(
    r"\bfor (?:another )?(?:at (?:the )?(?:very )?most|no longer than|not longer than|no more than|not more than|up to"
    r"|a maximum of|less than) (?:a further |another )?N\d+ (?:more )?seconds\b"
    r"|\bfor (?:another )?N\d+ (?:more )?seconds (?:at (?:the )?(?:very )?most|or less|at the outside|tops|maximum|max"
    r"|, (?:and )?no longer|and no longer)\b"
)
_NAME = re.compile(r"\bP\d+\b")
_ATOM = re.compile(r"\b[PO]\d+\b")
_OTHERWISE = re.compile(
    r"\b(?:otherwise|anything else|in (?:all|any|every) (?:other|remaining) cases?|the rest of the time)\b"
)
_RESPECTIVELY = re.compile(r"\bN\d+ and N\d+\b.*\brespectively\b|\brespectively\b.*\bN\d+ and N\d+\b")
_FAILING = re.compile(r"\bfailing (?:that|this|which|even that)\b", re.IGNORECASE)


def doubts_of_spans(lifted: Lifted, formula: Formula) -> Iterator[str]:
    """Why the candidate may have taken a longest time for another one, or lost another case; nothing as a rule."""
    if _too_long(lifted, formula):
        yield "'for at most' was not read as a longest time: say 'is ... again within'"
    if _asks_otherwise(lifted) and not _has_both_cases(formula):
        yield "'otherwise' was read without the case in which it applies: say that case"
    if says_twice(formula):
        yield "the same is asked for twice: name each thing"
    if _RESPECTIVELY.search(" ".join(lifted.tokens)):
        yield "'respectively' is not read: say which time belongs to which"
    if _FAILING.search(lifted.text) and not any(isinstance(part, Or) for part in walk(formula)):
        yield "'failing that' was read as one more demand: say '... or ...'"


def says_twice(formula: Formula) -> bool:
    """ "a and a"."""
    return any(isinstance(part, And | Or) and len(set(part.args)) < len(part.args) for part in walk(formula))


@lru_cache(maxsize=1024)
def emptiness(formula: Formula) -> str | None:
    """Why nothing can break a requirement, or nothing can meet it; None where the decider's budget does not tell."""
    try:
        if valid(formula).answer:
            return "the formula is always true"
        return "the formula can never be true" if satisfiable(formula).answer is False else None
    except AssentError:
        return None


def _too_long(lifted: Lifted, formula: Formula) -> bool:
    """Whether a state is said to last so long at most, and nothing asks for its end."""
    said = " ".join(lifted.tokens)
    for found in _AT_MOST.finditer(said):
        names = list(_NAME.finditer(said, 0, found.start()))
        if not names or names[-1].group() in lifted.signals:
            continue
        last = names[-1]
        denied = said[: last.start()].endswith("not ") ^ bool(
            re.search(r"\b(?:not|never)\b", said[last.end() : found.start()])
        )
        if denied not in _ends(formula, lifted.names[last.group()]):
            return True
    return False


def _ends(formula: Formula, name: str) -> set[bool]:
    """The signs with which a name is asked for at some time: within a window, or as what ends an until."""
    found: set[tuple[Formula, bool]] = set()
    for part in walk(canonical(formula)):
        if isinstance(part, Eventually):
            found |= _literals(part.arg)
        elif isinstance(part, Until):
            found |= _literals(part.right)
    return {sign for atom, sign in found if atom == Prop(name)}


def _asks_otherwise(lifted: Lifted) -> bool:
    """Whether a new name stands behind "otherwise": "only with the lid shut, otherwise not" has none."""
    said = " ".join(lifted.tokens)
    found = _OTHERWISE.search(said)
    if found is None or re.search(r"\b(?:only|never)\b", said[: found.start()]):
        return False
    before = {name.group() for name in _ATOM.finditer(said, 0, found.start())}
    return any(name.group() not in before for name in _ATOM.finditer(said, found.end()))


def _has_both_cases(formula: Formula) -> bool:
    """Whether something is said both ways round, or a window begins where another ends."""
    form = canonical(formula)
    literals = _literals(form)
    both = any((atom, not sign) in literals for atom, sign in literals)
    later = any(isinstance(part, Always | Eventually) and part.within.low > 0 for part in walk(form))
    sides: dict[tuple[Term, Term], set[str]] = {}  # the opposite of a comparison is another one
    for atom, _ in literals:
        if isinstance(atom, Compare):
            sides.setdefault((atom.left, atom.right), set()).add(atom.op[0])
    return both or later or any(len(found) > 1 for found in sides.values())


def _literals(form: Formula) -> set[tuple[Formula, bool]]:
    """The atoms of a canonical form with their signs."""
    if isinstance(form, Not):
        return {(form.arg, False)}
    below = children(form)
    return {literal for part in below for literal in _literals(part)} if below else {(form, True)}
