"""Infix notation by operator precedence, without recursion.

Tightest first: sign; product; sum; comparison; not and the unary temporal operators; until, release, weak
until, strong release (right-associative); and; or; imply (right-associative); iff. A chain of ``and``
or of ``or`` without brackets becomes one node.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from assent.logic.ast import Const, Constant, Formula, Interval, Logic, Prop
from assent.logic.dialect import DISTANCE_WORDS, MAX_DEPTH, RELATION_WORDS
from assent.logic.grammar.build import Operand, apply, formula, timing
from assent.logic.grammar.relations import distance_ahead, read_relation, relation_ahead
from assent.logic.grammar.tokens import Source, Token, number, unit_after

_BINDING = {
    "iff": 1,
    "implies": 2,
    "or": 3,
    "and": 4,
    "until": 5,
    "release": 5,
    "weak_until": 5,
    "strong_release": 5,
    "<": 7,
    "<=": 7,
    ">": 7,
    ">=": 7,
    "==": 7,
    "!=": 7,
    "+": 8,
    "-": 8,
    "*": 9,
}
_UNARY = 6
_SIGN = 10
_OPEN = 0
_RIGHT = frozenset({2, 5})
_CHAIN = frozenset({3, 4})
_OPERAND = "a formula"
_OPERATOR = "an operator such as & | -> U, or the end"


@dataclass(slots=True)
class _Waiting:
    """An operator (or an open bracket) that waits for its right argument."""

    binding: int
    op: str
    at: int
    within: Interval | None = None
    arguments: int = 2


@dataclass(slots=True)
class _Reader:
    source: Source
    tokens: list[Token]
    parts: list[Operand] = field(default_factory=list)
    waiting: list[_Waiting] = field(default_factory=list)
    brackets: int = 0

    def read(self) -> Formula:
        position, operand_next = 0, True
        while True:
            token = self.tokens[position]
            if operand_next:
                position, operand_next = self._operand(position, token)
            elif token.kind == "end":
                return self._finish(token)
            else:
                position, operand_next = self._after(position, token)

    def _operand(self, position: int, token: Token) -> tuple[int, bool]:
        """One step where a formula should start; says whether one is still due."""
        source, kind = self.source, token.kind
        following = self.tokens[position + 1] if kind != "end" else token
        if kind == "unary":
            within, times = None, 1
            if following.kind == "interval":
                within, times = timing(source, token.value, following)
                position += 1
            for _ in range(times):
                self._wait(_Waiting(_UNARY, token.value, token.at, within, 1))
            return position + 1, True
        if kind == "(":
            self._open("(", token.at)
            return position + 1, True
        if kind == "name":
            if source.logic is Logic.SPATIAL and (
                relation_ahead(self.tokens, position) or distance_ahead(self.tokens, position)
            ):
                part, position = read_relation(source, self.tokens, position)
                self.parts.append(part)
                return position, False
            if following.kind == "(":
                if token.value.lower() != "abs":
                    if token.value.lower() in (*RELATION_WORDS, *DISTANCE_WORDS):
                        source.fail(
                            f"{token.value!r} is SpaTiaL, and this is read as {source.logic}", token.at
                        )
                    source.fail(f"unknown function or relation {token.value!r}", token.at, self._functions())
                self._open("abs", token.at)
                return position + 2, True
            self.parts.append(Operand(Prop(token.value), token.at, 1))
            return position + 1, False
        if kind == "const":
            self.parts.append(Operand(Const(token.value == "true"), token.at, 1))
            return position + 1, False
        if kind == "number":
            return self._number(position, token, 1), False
        if kind == "sum" and token.value == "-":
            if following.kind == "number":
                return self._number(position + 1, token, -1), False
            self._wait(_Waiting(_SIGN, "negative", token.at, None, 1))
            return position + 1, True
        if kind == "end":
            source.fail(
                "the text ends where a formula should start" if position else "the text is empty",
                token.at,
                _OPERAND,
            )
        source.fail(f"{self._shown(position)} stands where a formula should start", token.at, _OPERAND)

    def _number(self, position: int, first: Token, sign: int) -> int:
        token, following = self.tokens[position], self.tokens[position + 1]
        self.parts.append(Operand(Constant(sign * number(self.source, token)), first.at, 1))
        if following.kind == "name":
            unit_after(self.source, token, following)
            self._binary(_Waiting(_BINDING["*"], "*", following.at))
            self.parts.append(Operand(Prop(following.value), following.at, 1))
            return position + 2
        return position + 1

    def _after(self, position: int, token: Token) -> tuple[int, bool]:
        """One step where a formula has just ended; says whether another one is due."""
        kind = token.kind
        if kind in ("binary", "compare", "sum", "product"):
            operator = _Waiting(_BINDING[token.value], token.value, token.at)
            following = self.tokens[position + 1]
            if following.kind == "interval":
                operator.within, _ = timing(self.source, token.value, following)
                position += 1
            self._binary(operator)
            return position + 1, True
        if kind == ")":
            self._close(token)
            return position + 1, False
        if kind == "name":
            self.source.fail(
                f"{token.value!r} is not an operator that joins two formulas", token.at, _OPERATOR
            )
        self.source.fail(f"{self._shown(position)} cannot follow a formula", token.at, _OPERATOR)

    def _binary(self, operator: _Waiting) -> None:
        waiting, binding = self.waiting, operator.binding
        while waiting and waiting[-1].binding >= binding:
            top = waiting[-1]
            if top.binding == binding:
                if binding in _CHAIN:
                    top.arguments += 1
                    return
                if binding in _RIGHT:
                    break
                if binding == _BINDING["<"]:
                    self.source.fail("a chain of comparisons", operator.at, "two comparisons joined by &")
            self._reduce()
        self._wait(operator)

    def _wait(self, operator: _Waiting) -> None:
        """Every operator that waits will have all later ones inside it, so too many are refused at once."""
        self.waiting.append(operator)
        if len(self.waiting) - self.brackets > MAX_DEPTH:
            self.source.beyond(f"more than {MAX_DEPTH} operators inside one another", operator.at)

    def _reduce(self) -> None:
        top = self.waiting.pop()
        arguments = self.parts[-top.arguments :]
        del self.parts[-top.arguments :]
        self.parts.append(apply(self.source, top.op, top.within, top.at, arguments))

    def _open(self, op: str, at: int) -> None:
        self.brackets += 1
        if self.brackets > MAX_DEPTH:
            self.source.beyond(f"more than {MAX_DEPTH} brackets inside one another", at)
        self.waiting.append(_Waiting(_OPEN, op, at, None, 1))

    def _close(self, token: Token) -> None:
        while self.waiting and self.waiting[-1].binding:
            self._reduce()
        if not self.waiting:
            self.source.fail("this bracket closes nothing", token.at, _OPERATOR)
        self.brackets -= 1
        if self.waiting[-1].op == "abs":
            self._reduce()
        else:
            self.waiting.pop()

    def _finish(self, token: Token) -> Formula:
        while self.waiting:
            if not self.waiting[-1].binding:
                self.source.fail("this bracket is never closed", self.waiting[-1].at, "a ')' further on")
            self._reduce()
        return formula(self.source, self.parts[0])

    def _shown(self, position: int) -> str:
        token = self.tokens[position]
        following = self.tokens[min(position + 1, len(self.tokens) - 1)].at
        return repr(self.source.text[token.at : max(following, token.at + 1)].strip()[:40])

    def _functions(self) -> str:
        return {
            Logic.LTL: "an operator between a name and a bracket",
            Logic.STL: "abs(...) in a comparison, or an operator between a name and a bracket",
            Logic.SPATIAL: "a relation such as leftOf(a, b), dist(a, b) or abs(...)",
        }[self.source.logic]


def read_infix(source: Source, tokens: list[Token]) -> Formula:
    """The formula that the tokens spell in infix notation."""
    return _Reader(source, tokens).read()
