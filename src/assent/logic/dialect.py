"""What each logic allows, the spatial relations, and the limits of every reader.

The limits are promises: a text or formula beyond one of them is refused with a ``LimitError`` or
``FragmentError`` at once, so that everything behind the reader may rely on them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import assert_never

from assent.errors import FragmentError
from assent.logic.ast import (
    EVER,
    Abs,
    Always,
    Arithmetic,
    Compare,
    Constant,
    Dist,
    Eventually,
    Formula,
    Interval,
    Logic,
    Negative,
    Prop,
    Relation,
    Release,
    Signal,
    Term,
    Until,
    atoms,
    children,
)

MAX_LENGTH = 10_000
"""Characters in a text that is read as a formula."""
MAX_DEPTH = 100
"""Operators (and brackets) inside one another; every recursive operation on formulas relies on it."""
MAX_ATOMS = 100
"""Distinct atoms in one formula."""
MAX_BOUND = 1_000_000
"""Largest finite end of an interval, in time units."""
MAX_DIGITS = 30
"""Digits of one number, exponent written out."""

PLAIN_NAME = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")
"""What a proposition, signal, object or region may be called."""


@dataclass(frozen=True, slots=True)
class RelationInfo:
    """How many arguments a relation has, and which of its forms mean the same."""

    arity: int
    symmetric: bool = False
    """The last two arguments may change places."""
    inverse: str | None = None
    """The relation that says the same with its arguments swapped."""


RELATIONS: dict[str, RelationInfo] = {
    "leftOf": RelationInfo(2, inverse="rightOf"),
    "rightOf": RelationInfo(2, inverse="leftOf"),
    "above": RelationInfo(2, inverse="below"),
    "below": RelationInfo(2, inverse="above"),
    "closeTo": RelationInfo(2, symmetric=True),
    "farFrom": RelationInfo(2, symmetric=True),
    "touch": RelationInfo(2, symmetric=True),
    "ovlp": RelationInfo(2, symmetric=True),
    "partOvlp": RelationInfo(2, symmetric=True),
    "enclIn": RelationInfo(2),
    "between": RelationInfo(3, symmetric=True),
    "closerTo": RelationInfo(3),
    "oriented": RelationInfo(2),
}


def check(formula: Formula, logic: Logic | str) -> None:
    """Refuse a formula that is not of this logic or is beyond a limit."""
    logic = Logic(logic)
    level = [formula]
    depth = 0
    while level:
        if (depth := depth + 1) > MAX_DEPTH:
            raise FragmentError(f"more than {MAX_DEPTH} operators inside one another")
        for node in level:
            _check_node(node, logic)
        level = [part for node in level for part in children(node)]
    if len(atoms(formula)) > MAX_ATOMS:
        raise FragmentError(f"more than {MAX_ATOMS} different atoms")


def _check_node(node: Formula, logic: Logic) -> None:
    match node:
        case Prop(name):
            if logic is Logic.SPATIAL:
                raise FragmentError(f"SpaTiaL has relations between objects, not propositions such as {name}")
            _check_name(name)
        case Compare(left, _, right):
            if logic is Logic.LTL:
                raise FragmentError("LTL has no comparisons; STL has")
            _check_term(left, logic, 1)
            _check_term(right, logic, 1)
        case Relation(name, args):
            if logic is not Logic.SPATIAL:
                raise FragmentError(f"{logic} has no spatial relations such as {name}; SpaTiaL has")
            if name not in RELATIONS:
                raise FragmentError(f"unknown relation {name}; known are {', '.join(RELATIONS)}")
            if len(args) != RELATIONS[name].arity:
                raise FragmentError(f"{name} takes {RELATIONS[name].arity} arguments, not {len(args)}")
            for arg in args:
                _check_name(arg)
        case Always() | Eventually() | Until() | Release():
            check_interval(node.within, logic)
        case _:
            pass


def check_interval(within: Interval, logic: Logic) -> None:
    """Refuse an interval in LTL, or one that ends beyond the limit."""
    if within == EVER:
        return
    if logic is Logic.LTL:
        raise FragmentError("LTL has no intervals; STL has")
    if max(within.low, within.high or 0) > MAX_BOUND:
        raise FragmentError(f"an interval may end at {MAX_BOUND} at most; choose a larger time unit or 'inf'")


def _check_term(term: Term, logic: Logic, depth: int) -> None:
    if depth > MAX_DEPTH:
        raise FragmentError(f"more than {MAX_DEPTH} operators inside one another")
    match term:
        case Signal(name):
            if logic is Logic.SPATIAL:
                raise FragmentError(f"SpaTiaL compares distances, not signals such as {name}")
            _check_name(name)
        case Constant():
            pass
        case Arithmetic(_, left, right):
            _check_term(left, logic, depth + 1)
            _check_term(right, logic, depth + 1)
        case Negative(arg) | Abs(arg):
            _check_term(arg, logic, depth + 1)
        case Dist(a, b):
            if logic is not Logic.SPATIAL:
                raise FragmentError(f"{logic} has no distances between objects; SpaTiaL has")
            _check_name(a)
            _check_name(b)
        case _:
            assert_never(term)


def _check_name(name: str) -> None:
    if not PLAIN_NAME.fullmatch(name):
        raise FragmentError(
            f"{name!r} is not a name: a letter or underscore, then letters, digits and underscores"
        )
