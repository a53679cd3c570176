"""Write a formula so that nobody, and no reader, can doubt how it is bracketed."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Literal, TypeAlias, assert_never

from assent.logic.ast import (
    EVER,
    OPERATORS,
    Abs,
    Always,
    And,
    Arithmetic,
    Compare,
    Const,
    Constant,
    Dist,
    Eventually,
    Formula,
    Iff,
    Implies,
    Interval,
    Negative,
    Next,
    Not,
    Or,
    Prop,
    Relation,
    Release,
    Signal,
    StrongRelease,
    Term,
    Until,
    WeakUntil,
    window,
)
from assent.logic.dialect import reserved

Spelling: TypeAlias = Literal["symbols", "words", "unicode", "latex"]


@dataclass(frozen=True, slots=True)
class _Style:
    """The signs of one spelling, in the order of ``_OPERATORS``, and what it does around them."""

    signs: dict[str, str]
    interval: str
    infinity: str
    roomy: bool = False
    """Spaces inside brackets, brackets around the whole, as NL2TL has it."""
    latex: bool = False


_OPERATORS = (
    "true false not and or implies iff next always eventually until release weak strong * <= >= !=".split()
)


def _style(signs: str, interval: str, infinity: str, *, roomy: bool = False, latex: bool = False) -> _Style:
    return _Style(dict(zip(_OPERATORS, signs.split(), strict=True)), interval, infinity, roomy, latex)


_STYLES: dict[Spelling, _Style] = {
    "symbols": _style("true false ! & | -> <-> X G F U R W M * <= >= !=", "[{},{}]", "inf"),
    "words": _style(
        "true false negation and or imply equal next globally finally until release weak_until strong_release"
        " * <= >= !=",
        " [{},{}]",
        "infinite",
        roomy=True,
    ),
    "unicode": _style("⊤ ⊥ ¬ ∧ ∨ → ↔ ○ □ ◇ U R W M · ≤ ≥ ≠", "[{},{}]", "∞"),
    "latex": _style(
        r"\top \bot \neg \land \lor \rightarrow \leftrightarrow \bigcirc \square \lozenge"
        r" \mathbf{U} \mathbf{R} \mathbf{W} \mathbf{M} \cdot \leq \geq \neq",
        "_{{[{},{}]}}",
        r"\infty",
        latex=True,
    ),
}


def write(formula: Formula, spelling: Spelling = "symbols") -> str:
    """The formula as text; ``read`` gives the same formula back. The latest ones are kept, not written again."""
    return _written(formula, spelling)


@lru_cache(maxsize=2048)
def _written(formula: Formula, spelling: Spelling) -> str:
    style = _STYLES[spelling]
    text = _formula(formula, style)
    return f"( {text} )" if style.roomy and _is_binary(formula) else text


def decimal(value: Fraction) -> str:
    """A number exactly: in decimals where they end, otherwise as a fraction."""
    if value.denominator == 1:
        return str(value.numerator)
    places, power = 0, 1
    while places < 40:
        places, power = places + 1, power * 10
        if power % value.denominator == 0:
            digits = str(abs(value.numerator) * (power // value.denominator)).rjust(places + 1, "0")
            return f"{'-' if value < 0 else ''}{digits[:-places]}.{digits[-places:]}"
    return f"{value.numerator}/{value.denominator}"


def _is_binary(formula: Formula) -> bool:
    return isinstance(formula, And | Or | Implies | Iff | Until | Release | WeakUntil | StrongRelease)


def _formula(formula: Formula, style: _Style) -> str:
    sign = style.signs
    match formula:
        case Const(value):
            return sign["true" if value else "false"]
        case Prop(name):
            return _name(name, style)
        case Compare(left, op, right):
            return f"{_term(left, style)} {sign.get(op, op)} {_term(right, style)}"
        case Relation(name, args):
            return _call(name, args, style)
        case And(args) | Or(args):
            return f" {sign[OPERATORS[type(formula)]]} ".join([_part(arg, style) for arg in args])
        case Not() | Next() | Always() | Eventually():
            return _unary(OPERATORS[type(formula)], window(formula), formula.arg, style)
        case _:
            operator, within = OPERATORS[type(formula)], window(formula)
            return _binary(operator, within, formula.left, formula.right, style)


def _unary(op: str, within: Interval, arg: Formula, style: _Style) -> str:
    head = style.signs[op] + _interval(within, style)
    doubtful = op == "not" and isinstance(arg, Next | Always | Eventually)
    if isinstance(arg, Compare) or _is_binary(arg) or doubtful:
        return (
            f"{head} {_bracket(_formula(arg, style), style)}"
            if style.roomy or style.latex
            else (f"{head}({_formula(arg, style)})")
        )
    tight = op == "not" and not style.roomy and not style.latex
    return f"{head}{'' if tight else ' '}{_formula(arg, style)}"


def _binary(op: str, within: Interval, left: Formula, right: Formula, style: _Style) -> str:
    return f"{_part(left, style)} {style.signs[op]}{_interval(within, style)} {_part(right, style)}"


def _part(arg: Formula, style: _Style) -> str:
    """An argument of a binary operator: bracketed unless it is an atom or the negation of one."""
    text = _formula(arg, style)
    core = arg.arg if isinstance(arg, Not) else arg
    return text if isinstance(core, Const | Prop | Relation) else _bracket(text, style)


def _bracket(text: str, style: _Style) -> str:
    return f"( {text} )" if style.roomy else f"({text})"


def _interval(within: Interval, style: _Style) -> str:
    if within == EVER:
        return ""
    high = style.infinity if within.high is None else decimal(within.high)
    return style.interval.format(decimal(within.low), high)


def _term(term: Term, style: _Style) -> str:
    match term:
        case Signal(name):
            return _name(name, style)
        case Constant(value):
            return decimal(value)
        case Arithmetic(op, left, right):
            return f"{_factor(left, style)} {style.signs.get(op, op)} {_factor(right, style)}"
        case Negative(arg):
            inner = _term(arg, style)
            return f"-{inner}" if isinstance(arg, Signal | Abs | Dist) else f"-({inner})"
        case Abs(arg):
            return f"{_function('abs', style)}({_term(arg, style)})"
        case Dist(a, b):
            return _call("dist", (a, b), style)
        case _:
            assert_never(term)


def _factor(term: Term, style: _Style) -> str:
    text = _term(term, style)
    bare = isinstance(term, Signal | Abs | Dist) or (isinstance(term, Constant) and term.value >= 0)
    return text if bare else f"({text})"


def _call(name: str, args: tuple[str, ...], style: _Style) -> str:
    return f"{_function(name, style)}({', '.join([_name(arg, style) for arg in args])})"


def _function(name: str, style: _Style) -> str:
    return rf"\mathrm{{{name}}}" if style.latex else name


@lru_cache(maxsize=4096)
def _quoted(name: str) -> str:
    return f'"{name}"' if reserved(name) else name


def _name(name: str, style: _Style) -> str:
    if not style.latex:
        return _quoted(name)
    return rf"\mathit{{{_quoted(name)}}}".replace("_", r"\_")
