"""Prefix notation, as in ``& F a G ! b`` or ``and(F(a), G(b))``, without recursion.

``i`` is imply and ``e`` is iff here.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from assent.logic.ast import Const, Constant, Formula, Interval, Logic, Prop
from assent.logic.dialect import MAX_DEPTH, PREFIX_LETTERS
from assent.logic.grammar.build import Operand, apply, formula, timing
from assent.logic.grammar.relations import read_relation, relation_ahead
from assent.logic.grammar.tokens import Source, Token, number

_BRACKET = "("


@dataclass(slots=True)
class _Waiting:
    """An operator, or a bracket, that still lacks arguments."""

    op: str
    at: int
    wants: int
    within: Interval | None = None
    parts: list[Operand] = field(default_factory=list)


def read_prefix(source: Source, tokens: list[Token]) -> Formula:
    """The formula that the tokens spell in prefix notation."""
    waiting: list[_Waiting] = []
    done: Operand | None = None
    position = 0
    while (token := tokens[position]).kind != "end":
        if done is not None:
            source.fail("the formula is complete before this", token.at, "the end")
        part: Operand | None = None
        op = PREFIX_LETTERS.get(token.value, "") if token.kind == "name" else ""
        if op or token.kind in ("unary", "binary"):
            op, within, times = op or token.value, None, 1
            if tokens[position + 1].kind == "interval":
                position += 1
                within, times = timing(source, op, tokens[position])
            wants = 1 if token.kind == "unary" else 2
            waiting.extend([_Waiting(op, token.at, wants, within) for _ in range(times)])
            position += 1
        elif token.kind == "(":
            waiting.append(_Waiting(_BRACKET, token.at, 1))
            position += 1
        elif token.kind == ",":
            _next_argument(source, waiting, token)
            position += 1
        elif token.kind == ")":
            part = _closed(source, waiting, token)
            position += 1
        else:
            part, position = _atom(source, tokens, position)
        if len(waiting) > MAX_DEPTH:
            source.beyond(f"more than {MAX_DEPTH} operators inside one another", token.at)
        if part is not None:
            done = _give(source, waiting, part)
    if done is None:
        if not waiting:
            source.fail("the text is empty", tokens[-1].at, "a formula")
        lacking = waiting[-1]
        what = (
            "this bracket is never closed"
            if lacking.op == _BRACKET and lacking.parts
            else (f"the text ends before the operator {lacking.op.replace('_', ' ')!r} has its arguments")
        )
        source.fail(what, lacking.at)
    return formula(source, done)


def _give(source: Source, waiting: list[_Waiting], part: Operand) -> Operand | None:
    """Hand a part to the operator that waits for it; returns the whole once nothing waits."""
    while waiting:
        top = waiting[-1]
        if len(top.parts) >= top.wants:
            source.fail("a bracket holds one formula", part.at, "')'")
        top.parts.append(part)
        if len(top.parts) < top.wants or top.op == _BRACKET:
            return None
        waiting.pop()
        part = apply(source, top.op, top.within, top.at, top.parts)
    return part


def _next_argument(source: Source, waiting: list[_Waiting], token: Token) -> None:
    """A comma in ``and(a, b)``: what the bracket holds is an argument of the operator before it."""
    frame = waiting[-1] if waiting else None
    caller = waiting[-2] if len(waiting) > 1 else None
    if frame is None or caller is None or frame.op != _BRACKET or not frame.parts or caller.wants < 2:
        source.fail("this comma separates nothing", token.at, "the arguments of an operator, as in and(a, b)")
    caller.parts.append(frame.parts.pop())
    if len(caller.parts) >= caller.wants:
        if caller.op not in ("and", "or"):
            source.fail(f"{caller.op.replace('_', ' ')} has two arguments", token.at, "')'")
        caller.wants += 1


def _closed(source: Source, waiting: list[_Waiting], token: Token) -> Operand:
    if not waiting or waiting[-1].op != _BRACKET or not waiting[-1].parts:
        source.fail("this bracket closes nothing, or too early", token.at, "a formula")
    return waiting.pop().parts[0]


def _atom(source: Source, tokens: list[Token], position: int) -> tuple[Operand, int]:
    token = tokens[position]
    if token.kind == "name":
        if source.logic is Logic.SPATIAL and relation_ahead(tokens, position):
            return read_relation(source, tokens, position)
        return Operand(Prop(token.value), token.at, 1), position + 1
    if token.kind == "const":
        return Operand(Const(token.value == "true"), token.at, 1), position + 1
    if token.kind == "number":
        return Operand(Constant(number(source, token)), token.at, 1), position + 1
    shown = source.text[token.at : token.at + 20].split()[0]
    source.fail(f"{shown!r} does not belong in prefix notation", token.at, "an operator or a name")
