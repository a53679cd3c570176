"""Operators and their arguments into nodes, for both notations; types and depth are checked here."""

from __future__ import annotations

from typing import NamedTuple

from assent.logic.ast import (
    EVER,
    FALSE,
    TRUE,
    Abs,
    Always,
    And,
    Arithmetic,
    Compare,
    Constant,
    Dist,
    Eventually,
    Formula,
    Iff,
    Implies,
    Interval,
    Logic,
    Negative,
    Next,
    Not,
    Or,
    Prop,
    Release,
    Signal,
    StrongRelease,
    Term,
    Until,
    WeakUntil,
)
from assent.logic.dialect import MAX_DEPTH, SPELLINGS
from assent.logic.grammar.tokens import Source, Token, interval, steps

TIMED = frozenset({"always", "eventually", "until", "release"})


_TERMS = (Signal, Constant, Arithmetic, Negative, Abs, Dist)


class Operand(NamedTuple):
    """A part that has been read, where it starts, and how deep it is."""

    node: Formula | Term
    at: int
    depth: int


def timing(source: Source, op: str, token: Token) -> tuple[Interval | None, int]:
    """What an interval after an operator says: its times, or (``X[3]``) how often the operator is meant."""
    if op == "next":
        return None, steps(source, token)
    if op not in TIMED:
        source.fail(f"{op.replace('_', ' ')} takes no interval", token.at)
    return interval(source, token), 1


def formula(source: Source, part: Operand) -> Formula:
    """The part as a formula: ``1`` and ``0`` are true and false here, and a name is a proposition."""
    node = part.node
    if isinstance(node, Prop):
        if source.logic is Logic.SPATIAL:
            source.fail(
                f"{node.name!r} alone is not a SpaTiaL formula", part.at, "a relation such as leftOf(a, b)"
            )
        return node
    if isinstance(node, Constant) and node.value in (0, 1):
        return TRUE if node.value else FALSE
    if isinstance(node, _TERMS):
        source.fail("this is a number, not a formula", part.at, "a comparison such as x > 3")
    return node


def term(source: Source, part: Operand) -> Term:
    """The part as a term of a comparison: a name is a signal here."""
    node = part.node
    if isinstance(node, Prop):
        if source.logic is Logic.SPATIAL:
            source.fail(
                f"SpaTiaL has no signals such as {node.name!r}", part.at, "a distance such as dist(a, b)"
            )
        return Signal(node.name)
    if isinstance(node, _TERMS):
        return node
    source.fail("this is a formula, not a number", part.at, "a signal, a number or a sum of them")


def apply(source: Source, op: str, within: Interval | None, at: int, parts: list[Operand]) -> Operand:
    """One operator over its arguments."""
    first = parts[0]
    depth = 1 + (first.depth if len(parts) == 1 else max([part.depth for part in parts]))
    if depth > MAX_DEPTH:
        source.beyond(f"more than {MAX_DEPTH} operators inside one another", at)
    start = min(at, first.at)
    if op in _LOGICAL:
        node = _logical(op, within or EVER, [formula(source, part) for part in parts])
        return Operand(node, start, depth)
    if op in _COMPARE:
        if source.logic is Logic.LTL:
            source.fail("LTL has no comparisons; STL has", at)
        return Operand(Compare(term(source, first), op, term(source, parts[1])), start, depth)  # type: ignore[arg-type]
    if op in _ARITHMETIC:
        return Operand(Arithmetic(op, term(source, first), term(source, parts[1])), start, depth)  # type: ignore[arg-type]
    if op == "negative":
        return Operand(Negative(term(source, first)), start, depth)
    if op == "abs":
        return Operand(Abs(term(source, first)), start, depth)
    raise AssertionError(op)


_LOGICAL = frozenset(value for kind, value in SPELLINGS.values() if kind in ("unary", "binary"))
_COMPARE = frozenset({"<", "<=", ">", ">=", "==", "!="})
_ARITHMETIC = frozenset("+-*")


def _logical(op: str, within: Interval, args: list[Formula]) -> Formula:
    match op:
        case "not":
            return Not(args[0])
        case "and":
            return And(tuple(args))
        case "or":
            return Or(tuple(args))
        case "implies":
            return Implies(args[0], args[1])
        case "iff":
            return Iff(args[0], args[1])
        case "next":
            return Next(args[0])
        case "always":
            return Always(args[0], within)
        case "eventually":
            return Eventually(args[0], within)
        case "until":
            return Until(args[0], args[1], within)
        case "release":
            return Release(args[0], args[1], within)
        case "weak_until":
            return WeakUntil(args[0], args[1])
        case "strong_release":
            return StrongRelease(args[0], args[1])
        case _:
            raise AssertionError(op)
