"""Doubts about how long at most, and about what else: each was seen to be accepted wrongly.

"The assist shall be withheld for at most 4 s" asks that it is back within 4 s, not that it is off within 4 s; an
"otherwise" asks for its own case.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from assent.lift import Lifted
from assent.logic.ast import (
    Always,
    And,
    Compare,
    Eventually,
    Formula,
    Not,
    Or,
    Prop,
    Term,
    Until,
    children,
    walk,
)
from assent.logic.canonical import canonical

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
    if any(isinstance(part, And | Or) and len(set(part.args)) < len(part.args) for part in walk(formula)):
        yield "the same is asked for twice: name each thing"
    if _RESPECTIVELY.search(" ".join(lifted.tokens)):
        yield "'respectively' is not read: say which time belongs to which"
    if _FAILING.search(lifted.text) and not any(isinstance(part, Or) for part in walk(formula)):
        yield "'failing that' was read as one more demand: say '... or ...'"


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
