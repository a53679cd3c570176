"""Formulas as prefix token lists over placeholders: what the embedded models write and score.

``linearise`` replaces names and numbers by the placeholders of a lifted instruction; ``delinearise`` puts
them back. The token language is small and closed (``TARGET_TOKENS``), so that a model's output is either a
formula or an error, never a near miss. A number is ``0``, a placeholder, or a sum of placeholders (``N1 + N2``,
``N1 - N2``, see ``sums``): "lasts 20 s ..., then within 5 s" is the window from N1 to N1 + N2.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import assert_never, cast

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
            case Not(arg):
                return ("!", *go(arg))
            case Next(arg):
                return ("X", *go(arg))
            case And(args):
                return fold("&", args)
            case Or(args):
                return fold("|", args)
            case Implies(left, right):
                return ("->", *go(left), *go(right))
            case Iff(left, right):
                return ("<->", *go(left), *go(right))
            case Always(arg, within):
                return (*timed("G", within), *go(arg))
            case Eventually(arg, within):
                return (*timed("F", within), *go(arg))
            case Until(left, right, within):
                return (*timed("U", within), *go(left), *go(right))
            case Release(left, right, within):
                if within != EVER:
                    raise FragmentError("the embedded models know no timed release")
                return ("R", *go(left), *go(right))
            case WeakUntil(left, right):
                return ("W", *go(left), *go(right))
            case StrongRelease(left, right):
                return ("M", *go(left), *go(right))
            case _:
                assert_never(f)

    return go(formula)


def delinearise(tokens: Sequence[str], names: Mapping[str, str], numbers: Mapping[str, Fraction]) -> Formula:
    """The formula that prefix tokens spell, placeholders replaced. Raises FormulaError if they spell none."""
    text = " ".join(tokens)
    position = 0

    def fail(message: str) -> FormulaError:
        column = 1 + sum(len(token) + 1 for token in tokens[:position])
        return FormulaError(message, text=text, column=column)

    def take() -> str:
        nonlocal position
        if position >= len(tokens):
            raise fail("the formula ends too early")
        position += 1
        return tokens[position - 1]

    def name() -> str:
        token = take()
        if token not in names:
            raise fail(f"{token!r} stands for no name in the instruction")
        return names[token]

    def term() -> Fraction:
        token = take()
        if token not in numbers:
            raise fail(f"{token!r} stands for no number in the instruction")
        return numbers[token]

    def number() -> Fraction:
        if position < len(tokens) and tokens[position] == "0":
            take()
            return Fraction(0)
        value, terms = term(), 1
        while position < len(tokens) and tokens[position] in ADDING:
            terms += 1
            if terms > MOST_TERMS:
                raise fail(f"a sum of more than {MOST_TERMS} numbers")
            value = value + term() if take() == "+" else value - term()
        return value

    def interval() -> Interval:
        nonlocal position
        low = number()
        if low < 0:
            raise fail(f"an interval cannot start before now ({low})")
        if position < len(tokens) and tokens[position] == "inf":
            position += 1
            return Interval(low, None)
        high = number()
        if high < low:
            raise fail(f"an interval cannot end ({high}) before it starts ({low})")
        return Interval(low, high)

    def gather(kind: type[And] | type[Or], left: Formula, right: Formula) -> Formula:
        """Right-nested pairs of one connective become one n-ary node."""
        rest = right.args if isinstance(right, kind) else (right,)
        return kind((left, *rest))

    def go() -> Formula:
        token = take()
        match token:
            case "true":
                return TRUE
            case "false":
                return FALSE
            case "&":
                return gather(And, go(), go())
            case "|":
                return gather(Or, go(), go())
            case "G[":
                within = interval()
                return Always(go(), within)
            case "F[":
                within = interval()
                return Eventually(go(), within)
            case "U[":
                within = interval()
                return Until(go(), go(), within)
        if token in _UNARY:
            return _UNARY[token](go())
        if token in _BINARY:
            return _BINARY[token](go(), go())
        if token in COMPARATORS:
            return Compare(Signal(name()), cast(Comparator, token), Constant(number()))
        if token.startswith("dist"):
            return Compare(Dist(name(), name()), cast(Comparator, token[4:]), Constant(number()))
        if token in RELATION_ARITY:
            return Relation(token, tuple(name() for _ in range(RELATION_ARITY[token])))
        if token in names:
            return Prop(names[token])
        raise fail(f"{token!r} starts no formula")

    formula = go()
    if position != len(tokens):
        raise fail("something follows the end of the formula")
    return formula
