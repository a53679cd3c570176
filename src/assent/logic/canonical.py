"""The canonical level of equivalence: one form for all formulas that differ by simple laws only.

The laws: commutativity, associativity and idempotence of and/or; negation normal form (De Morgan, duals);
implication, iff, weak until and strong release unfolded; ``true U a`` is F, ``false R a`` is G; constants
simplified; ``[0,0]`` dropped; arguments of symmetric relations sorted, inverse pairs turned one way;
comparisons in linear normal form, never negated. Over infinite words, in discrete and dense time.

Linear normal form, in exact fractions: ``2x > 6`` and ``3 < x`` are both ``x > 3``. A term becomes a sum of
coefficients times opaque factors: signals, distances, absolute values and products of two factors. The first factor
gets the coefficient 1, the constant goes to the right.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple, assert_never

from assent.logic.ast import (
    EVER,
    FALSE,
    TRUE,
    Abs,
    Always,
    And,
    Arithmetic,
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
)
from assent.logic.dialect import RELATIONS

MAX_FACTORS = 64
"""Comparisons with more factors than this stay as they are."""

NEGATED: dict[Comparator, Comparator] = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
FLIPPED: dict[Comparator, Comparator] = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}

_Factors = dict[str, tuple[Fraction, Term]]
"""Key of a factor to its coefficient and the factor itself."""


@lru_cache(maxsize=4096)
def normal_comparison(atom: Compare) -> Compare | Const:
    """The comparison in normal form; true or false if no factor is left."""
    left, right = _linear(atom.left), _linear(atom.right)
    factors, constant = _sum(left, right, Fraction(-1))
    if not factors:
        return Const(_decide(constant, atom.op))
    if len(factors) > MAX_FACTORS:
        return atom
    op = atom.op
    lead = factors[min(factors)][0]
    if lead < 0:
        op = FLIPPED[op]
    return Compare(_term(_scaled(factors, 1 / lead)), op, Constant(-constant / lead))


def term_key(term: Term) -> str:
    """Stable text of a term, the same for equal terms only."""
    match term:
        case Signal(name):
            return name
        case Constant(value):
            return str(value)
        case Arithmetic(op, left, right):
            return f"({term_key(left)}{op}{term_key(right)})"
        case Negative(arg):
            return f"-({term_key(arg)})"
        case Abs(arg):
            return f"|{term_key(arg)}|"
        case Dist(a, b):
            return f"dist({a},{b})"
        case _:
            assert_never(term)


def _decide(value: Fraction, op: Comparator) -> bool:
    match op:
        case "<":
            return value < 0
        case "<=":
            return value <= 0
        case ">":
            return value > 0
        case ">=":
            return value >= 0
        case "==":
            return value == 0
        case "!=":
            return value != 0
        case _:
            assert_never(op)


def _linear(term: Term) -> tuple[_Factors, Fraction]:
    match term:
        case Constant(value):
            return {}, value
        case Signal(name):
            return {name: (Fraction(1), term)}, Fraction(0)
        case Dist(a, b):
            near = Dist(min(a, b), max(a, b))
            return {term_key(near): (Fraction(1), near)}, Fraction(0)
        case Negative(arg):
            return _sum(({}, Fraction(0)), _linear(arg), Fraction(-1))
        case Arithmetic("*", left, right):
            return _product(_linear(left), _linear(right))
        case Arithmetic(op, left, right):
            return _sum(_linear(left), _linear(right), Fraction(1 if op == "+" else -1))
        case Abs(arg):
            return _absolute(*_linear(arg))
        case _:
            assert_never(term)


def _sum(
    left: tuple[_Factors, Fraction], right: tuple[_Factors, Fraction], scale: Fraction
) -> tuple[_Factors, Fraction]:
    factors = dict(left[0])
    for key, (coefficient, factor) in right[0].items():
        total = (factors[key][0] if key in factors else 0) + scale * coefficient
        factors[key] = (total, factor)
        if not total:
            del factors[key]
    return factors, left[1] + scale * right[1]


def _scaled(factors: _Factors, scale: Fraction) -> _Factors:
    return {key: (scale * coefficient, factor) for key, (coefficient, factor) in factors.items()}


def _product(left: tuple[_Factors, Fraction], right: tuple[_Factors, Fraction]) -> tuple[_Factors, Fraction]:
    for (factors, constant), (others, scale) in ((left, right), (right, left)):
        if not others:
            return (_scaled(factors, scale) if scale else {}), constant * scale
    scale_left, first = _primitive(*left)
    scale_right, second = _primitive(*right)
    if term_key(second) < term_key(first):
        first, second = second, first
    factor = Arithmetic("*", first, second)
    return {term_key(factor): (scale_left * scale_right, factor)}, Fraction(0)


def _absolute(factors: _Factors, constant: Fraction) -> tuple[_Factors, Fraction]:
    if not factors:
        return {}, abs(constant)
    scale, inner = _primitive(factors, constant)
    # A distance is signed (negative where bodies overlap), so only an absolute value is its own.
    factor = inner if isinstance(inner, Abs) else Abs(inner)
    return {term_key(factor): (abs(scale), factor)}, Fraction(0)


def _primitive(factors: _Factors, constant: Fraction) -> tuple[Fraction, Term]:
    """A scale and a term whose first coefficient is 1."""
    lead = factors[min(factors)][0]
    term = _term(_scaled(factors, 1 / lead))
    rest = constant / lead
    if rest:
        term = Arithmetic("+" if rest > 0 else "-", term, Constant(abs(rest)))
    return lead, term


def _term(factors: _Factors) -> Term:
    total: Term | None = None
    for key in sorted(factors):
        coefficient, factor = factors[key]
        size = abs(coefficient)
        part = factor if size == 1 else Arithmetic("*", Constant(size), factor)
        if total is None:
            total = part if coefficient > 0 else Negative(part)
        else:
            total = Arithmetic("+" if coefficient > 0 else "-", total, part)
    assert total is not None
    return total


MAX_UNFOLDED = 1000
"""An iff whose unfolding has more nodes than this stays folded (nested ones double at each level)."""


class _Form(NamedTuple):
    """A canonical formula with its key, and the forms that it joins if it is an and/or."""

    key: str
    node: Formula
    size: int = 1
    joins: tuple[_Form, ...] = ()


_TRUE = _Form("1", TRUE)
_FALSE = _Form("0", FALSE)
_NOW = Interval(Fraction(0), Fraction(0))


def canonical(formula: Formula) -> Formula:
    """The canonical form: equal for two formulas exactly if they are canonically equal."""
    return _canonical(formula).node


def canonical_key(formula: Formula) -> str:
    """Stable text that names the canonical form."""
    return _canonical(formula).key


@lru_cache(maxsize=2048)
def _canonical(formula: Formula) -> _Form:
    return _Unfolding().form(formula, True)


class _Unfolding:
    """One pass over one formula; each sub-formula is handled once in each polarity."""

    def __init__(self) -> None:
        self._done: dict[tuple[int, bool], _Form] = {}

    def form(self, node: Formula, positive: bool) -> _Form:
        """The node, or its negation, in canonical form."""
        key = (id(node), positive)
        found = self._done.get(key)
        if found is None:
            found = self._done[key] = self._form(node, positive)
        return found

    def _form(self, node: Formula, positive: bool) -> _Form:
        match node:
            case Prop(name):
                return _Form(name, node) if positive else _Form(f"!{name}", Not(node))
            case Not(arg):
                return self.form(arg, not positive)
            case And(args):
                return _join(positive, [self.form(arg, positive) for arg in args])
            case Or(args):
                return _join(not positive, [self.form(arg, positive) for arg in args])
            case Implies(left, right):
                return _join(not positive, [self.form(left, not positive), self.form(right, positive)])
            case Iff(left, right):
                return self._iff(left, right, positive)
            case Next(arg):
                return _next(self.form(arg, positive))
            case Always(arg, within) | Eventually(arg, within):
                return _window(isinstance(node, Always) == positive, self.form(arg, positive), within)
            case Until(left, right, within) | Release(left, right, within):
                parts = self.form(left, positive), self.form(right, positive)
                return _until(isinstance(node, Until) == positive, *parts, within)
            case WeakUntil(left, right):  # a W b = b R (a | b)
                first, second = self.form(right, positive), self.form(left, positive)
                return _until(not positive, first, _join(not positive, [first, second]), EVER)
            case StrongRelease(left, right):  # a M b = b U (a & b)
                first, second = self.form(right, positive), self.form(left, positive)
                return _until(positive, first, _join(positive, [first, second]), EVER)
            case Compare():
                return _comparison(node, positive)
            case Relation():
                return _relation(node, positive)
            case Const(value):
                return _TRUE if value == positive else _FALSE
            case _:
                assert_never(node)

    def _iff(self, left: Formula, right: Formula, positive: bool) -> _Form:
        yes_left, no_left = self.form(left, True), self.form(left, False)
        yes_right, no_right = self.form(right, True), self.form(right, False)
        # By the size of the canonical parts, so that the spelling of the formula cannot change the choice.
        if yes_left.size + no_left.size + yes_right.size + no_right.size > MAX_UNFOLDED:
            return _folded((yes_left, no_left), (yes_right, no_right), positive)
        # a <-> b = (!a | b) & (!b | a), and its negation (a & !b) | (b & !a)
        if positive:
            return _join(True, [_join(False, [no_left, yes_right]), _join(False, [no_right, yes_left])])
        return _join(False, [_join(True, [yes_left, no_right]), _join(True, [yes_right, no_left])])


def _folded(left: tuple[_Form, _Form], right: tuple[_Form, _Form], positive: bool) -> _Form:
    """An iff that stays one: of each side the plain or the negated form, whichever comes first."""
    parts = []
    for yes, no in (left, right):
        parts.append(min(yes, no, key=lambda form: form.key))
        positive ^= parts[-1] is no
    first, second = sorted(parts, key=lambda form: form.key)
    if first.key == second.key:
        return _TRUE if positive else _FALSE
    node, key, size = (
        Iff(first.node, second.node),
        f"=({first.key},{second.key})",
        1 + first.size + second.size,
    )
    return _Form(key, node, size) if positive else _Form(f"!{key}", Not(node), size)


def _join(conjunction: bool, forms: Iterable[_Form]) -> _Form:
    """And (or or) of canonical parts: flattened, sorted, without repetitions and constants."""
    kind, neutral, absorbing = (And, _TRUE, _FALSE) if conjunction else (Or, _FALSE, _TRUE)
    parts: dict[str, _Form] = {}
    for form in forms:
        if form.key == absorbing.key:
            return absorbing
        if form.joins and isinstance(form.node, kind):
            for part in form.joins:
                parts[part.key] = part
        elif form.key != neutral.key:
            parts[form.key] = form
    if not parts:
        return neutral
    if len(parts) == 1:
        return next(iter(parts.values()))
    keys = sorted(parts)
    ordered = tuple([parts[key] for key in keys])
    node = kind(tuple([part.node for part in ordered]))
    size = 1 + sum([part.size for part in ordered])
    return _Form(f"{'&' if conjunction else '|'}({','.join(keys)})", node, size, ordered)


def _next(form: _Form) -> _Form:
    return form if isinstance(form.node, Const) else _Form(f"X({form.key})", Next(form.node), 1 + form.size)


def _window(always: bool, form: _Form, within: Interval) -> _Form:
    if isinstance(form.node, Const) or within == _NOW:
        return form
    if always:
        return _Form(f"G{_span(within)}({form.key})", Always(form.node, within), 1 + form.size)
    return _Form(f"F{_span(within)}({form.key})", Eventually(form.node, within), 1 + form.size)


def _until(strong: bool, left: _Form, right: _Form, within: Interval) -> _Form:
    """Until, or its dual release, of canonical parts."""
    go, stop = (_TRUE, _FALSE) if strong else (_FALSE, _TRUE)
    if left.key == go.key:
        return _window(not strong, right, within)
    if right.key == stop.key or within == _NOW:
        return right
    if left.key == stop.key:
        return stop if within.low else right
    if right.key == go.key and not within.low:
        return right
    name, kind = ("U", Until) if strong else ("R", Release)
    key, node = f"{name}{_span(within)}({left.key},{right.key})", kind(left.node, right.node, within)
    return _Form(key, node, 1 + left.size + right.size)


def _span(within: Interval) -> str:
    return "" if within == EVER else f"[{within.low},{'' if within.high is None else within.high}]"


def _comparison(atom: Compare, positive: bool) -> _Form:
    normal = normal_comparison(atom if positive else Compare(atom.left, NEGATED[atom.op], atom.right))
    if isinstance(normal, Const):
        return _TRUE if normal.value else _FALSE
    return _Form(f"{term_key(normal.left)}{normal.op}{term_key(normal.right)}", normal)


def _relation(atom: Relation, positive: bool) -> _Form:
    name, args = atom.name, atom.args
    info = RELATIONS.get(name)
    if info is not None and info.inverse is not None and info.inverse < name:
        name, args = info.inverse, args[::-1]
    elif info is not None and info.symmetric:
        args = (*args[:-2], *sorted(args[-2:]))
    node, key = Relation(name, args), f"{name}({','.join(args)})"
    return _Form(key, node) if positive else _Form(f"!{key}", Not(node))
