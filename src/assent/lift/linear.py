"""Formulas as prefix token lists over placeholders: what the embedded models write and score.

``linearise`` replaces names and numbers by the placeholders of a lifted instruction; ``delinearise`` puts
them back. The token language is small and closed (``TARGET_TOKENS``), so that a model's output is either a
formula or an error, never a near miss. A number is ``0``, a placeholder, or a sum of placeholders (``N1 + N2``,
``N1 - N2``, see ``sums``): "lasts 20 s ..., then within 5 s" is the window from N1 to N1 + N2.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import cast

from assent.errors import FormulaError, FragmentError
from assent.lift.sums import ADDING, MOST_TERMS, bounds_of, sum_of
from assent.logic.ast import (
    EVER,
    FALSE,
    TRUE,
    Always,
    And,
    Comparator,
    Compare,
    Const,
    Constant,
    Dist,
    Eventually,
    Formula,
    Iff,
    Implies,
    Interval,
    Next,
    Not,
    Or,
    Prop,
    Relation,
    Release,
    Signal,
    StrongRelease,
    Until,
    WeakUntil,
    children,
    window,
)

COMPARATORS = ("<=", ">=", "==", "<", ">")
RELATION_ARITY = {
    "leftOf": 2,
    "rightOf": 2,
    "above": 2,
    "below": 2,
    "closeTo": 2,
    "farFrom": 2,
    "touch": 2,
    "ovlp": 2,
    "partOvlp": 2,
    "enclIn": 2,
    "between": 3,
    "closerTo": 3,
    "oriented": 2,
}
MAX_PLACEHOLDERS = 12  # of each kind; more names or numbers than this in one sentence are not translated

BEYOND = "?"
"""What a model writes where no formula says what the instruction asks for; it spells none."""
TARGET_TOKENS = (
    *("!", "&", "|", "->", "<->", "X", "G", "F", "U", "R", "W", "M", "true", "false"),
    *("G[", "F[", "U[", "0", "inf"),
    *COMPARATORS,
    *(f"dist{op}" for op in COMPARATORS),
    *RELATION_ARITY,
    *(f"{kind}{i}" for kind in "PON" for i in range(1, MAX_PLACEHOLDERS + 1)),
    *ADDING,
    BEYOND,
)

_BINARY: dict[str, Callable[[Formula, Formula], Formula]] = {
    "->": Implies,
    "<->": Iff,
    "U": Until,
    "R": Release,
    "W": WeakUntil,
    "M": StrongRelease,
}
_UNARY: dict[str, Callable[[Formula], Formula]] = {"!": Not, "X": Next, "G": Always, "F": Eventually}
_SPELLED: dict[type, str] = {
    **{Not: "!", Next: "X", Always: "G", Eventually: "F", Until: "U", Release: "R"},
    **{WeakUntil: "W", StrongRelease: "M", Implies: "->", Iff: "<->"},
}


def linearise(formula: Formula, names: Mapping[str, str], numbers: Mapping[Fraction, str]) -> tuple[str, ...]:
    """Prefix tokens, with ``names`` and ``numbers`` mapped to their placeholders.

    Raises FragmentError where the formula uses a name that has no placeholder, or a number that is neither a
    placeholder's nor a sum of such.
    """

    def name(text: str) -> str:
        if text not in names:
            raise FragmentError(f"the formula uses {text!r}, which the instruction does not mention")
        return names[text]

    def timed(op: str, within: Interval) -> tuple[str, ...]:
        return (op,) if within == EVER else (f"{op}[", *bounds_of(within.low, within.high, numbers))

    def fold(op: str, args: tuple[Formula, ...]) -> tuple[str, ...]:
        if len(args) == 1:
            return go(args[0])
        return (op, *go(args[0]), *fold(op, args[1:]))

    def go(f: Formula) -> tuple[str, ...]:
        match f:
            case Const(value):
                return ("true" if value else "false",)
            case Prop(text):
                return (name(text),)
            case Compare(Signal(text), op, Constant(value)) if op in COMPARATORS:
                return (op, name(text), *sum_of(value, numbers))
            case Compare(Dist(a, b), op, Constant(value)) if op in COMPARATORS:
                return (f"dist{op}", name(a), name(b), *sum_of(value, numbers))
            case Compare():
                raise FragmentError("the embedded models know comparisons of one signal with one number only")
            case Relation(relation, args):
                return (relation, *map(name, args))
            case And(args) | Or(args):
                return fold("&" if isinstance(f, And) else "|", args)
            case Release(within=within) if within != EVER:
                raise FragmentError("the embedded models know no timed release")
            case _:
                head = timed(_SPELLED[type(f)], window(f))
                return (*head, *(token for part in children(f) for token in go(part)))

    return go(formula)


def delinearise(tokens: Sequence[str], names: Mapping[str, str], numbers: Mapping[str, Fraction]) -> Formula:
    """The formula that prefix tokens spell, placeholders replaced. Raises FormulaError if they spell none."""
    reader = _Reader(tokens, names, numbers)
    formula = reader.formula()
    if reader.position != len(tokens):
        raise reader.fail("something follows the end of the formula")
    return formula


class _Reader:
    """Prefix tokens from left to right; ``position`` is that of the next one."""

    def __init__(
        self, tokens: Sequence[str], names: Mapping[str, str], numbers: Mapping[str, Fraction]
    ) -> None:
        self.tokens, self.names, self.numbers, self.position = tokens, names, numbers, 0

    def fail(self, message: str) -> FormulaError:
        column = 1 + sum(len(token) + 1 for token in self.tokens[: self.position])
        return FormulaError(message, text=" ".join(self.tokens), column=column)

    def next_is(self, *tokens: str) -> bool:
        return self.position < len(self.tokens) and self.tokens[self.position] in tokens

    def take(self) -> str:
        if self.position >= len(self.tokens):
            raise self.fail("the formula ends too early")
        self.position += 1
        return self.tokens[self.position - 1]

    def name(self) -> str:
        token = self.take()
        if token not in self.names:
            raise self.fail(f"{token!r} stands for no name in the instruction")
        return self.names[token]

    def term(self) -> Fraction:
        token = self.take()
        if token not in self.numbers:
            raise self.fail(f"{token!r} stands for no number in the instruction")
        return self.numbers[token]

    def number(self) -> Fraction:
        if self.next_is("0"):
            self.take()
            return Fraction(0)
        value, terms = self.term(), 1
        while self.next_is(*ADDING):
            terms += 1
            if terms > MOST_TERMS:
                raise self.fail(f"a sum of more than {MOST_TERMS} numbers")
            value = value + self.term() if self.take() == "+" else value - self.term()
        return value

    def interval(self) -> Interval:
        low = self.number()
        if low < 0:
            raise self.fail(f"an interval cannot start before now ({low})")
        if self.next_is("inf"):
            self.take()
            return Interval(low, None)
        high = self.number()
        if high < low:
            raise self.fail(f"an interval cannot end ({high}) before it starts ({low})")
        return Interval(low, high)

    def formula(self) -> Formula:
        token = self.take()
        match token:
            case "true" | "false":
                return TRUE if token == "true" else FALSE
            case "&":
                return self.gathered(And)
            case "|":
                return self.gathered(Or)
            case "G[" | "F[" | "U[":
                return self.timed(token)
        if token in _UNARY:
            return _UNARY[token](self.formula())
        if token in _BINARY:
            return _BINARY[token](self.formula(), self.formula())
        return self.atom(token)

    def gathered(self, kind: type[And] | type[Or]) -> Formula:
        """Right-nested pairs of one connective become one n-ary node."""
        left, right = self.formula(), self.formula()
        rest = right.args if isinstance(right, kind) else (right,)
        return kind((left, *rest))

    def timed(self, token: str) -> Formula:
        within = self.interval()
        if token == "U[":
            return Until(self.formula(), self.formula(), within)
        return (Always if token == "G[" else Eventually)(self.formula(), within)

    def atom(self, token: str) -> Formula:
        if token in COMPARATORS:
            return Compare(Signal(self.name()), cast(Comparator, token), Constant(self.number()))
        if token.startswith("dist"):
            apart = Dist(self.name(), self.name())
            return Compare(apart, cast(Comparator, token[4:]), Constant(self.number()))
        if token in RELATION_ARITY:
            return Relation(token, tuple(self.name() for _ in range(RELATION_ARITY[token])))
        if token in self.names:
            return Prop(self.names[token])
        raise self.fail(f"{token!r} starts no formula")
