"""Atoms become letters: what says the same is one letter, and facts between letters are kept.

Comparisons are brought to ``term > c``, ``term >= c`` or ``term == c`` with the term's leading coefficient 1;
relations to one order of their arguments. Comparisons of one term are not independent (x > 5 implies x > 3):
such letters form a group with the list of valuations that can occur together.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from typing import Literal, TypeAlias, assert_never

from assent.logic.ast import (
    Abs,
    Arithmetic,
    Atom,
    Compare,
    Constant,
    Dist,
    Negative,
    Prop,
    Relation,
    Signal,
    Term,
)
from assent.logic.dialect import RELATIONS

Monomial: TypeAlias = tuple[str, ...]
Polynomial: TypeAlias = dict[Monomial, Fraction]

MAX_VALUATIONS = 1024
"""Largest number of valuations that a group of dependent letters may have."""


@dataclass(frozen=True, slots=True)
class Plain:
    """A proposition."""

    name: str


@dataclass(frozen=True, slots=True)
class Related:
    """A relation with its arguments in normal order."""

    name: str
    args: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Threshold:
    """``term op level``; ``least`` is a number that the term cannot fall below."""

    term: tuple[tuple[Monomial, Fraction], ...]
    op: Literal[">", ">=", "=="]
    level: Fraction
    least: Fraction | None


Key: TypeAlias = Plain | Related | Threshold


@dataclass(frozen=True, slots=True)
class Group:
    """Letters that depend on each other, and their possible valuations (bit i for ``letters[i]``)."""

    letters: tuple[int, ...]
    valuations: tuple[int, ...]


# ---- one atom ----------------------------------------------------------------------------------------


def letter_of(atom: Atom) -> tuple[Key | None, bool]:
    """The key of the atom's letter and whether the atom affirms it; key None if the atom is constant."""
    match atom:
        case Prop(name):
            return Plain(name), True
        case Relation(name, args):
            return _related(name, args), True
        case Compare(left, op, right):
            return _compared(_sum(_polynomial(left), _polynomial(right), -1), op)
        case _:
            assert_never(atom)


def _related(name: str, args: tuple[str, ...]) -> Related:
    info = RELATIONS.get(name)
    if info is not None and info.symmetric:
        args = (*args[:-2], *sorted(args[-2:]))
    if info is not None and info.inverse is not None and info.inverse < name:
        name, args = info.inverse, args[::-1]
    return Related(name, args)


def _compared(difference: Polynomial, op: str) -> tuple[Key | None, bool]:
    """``difference op 0``."""
    level = -difference.pop((), Fraction(0))
    terms = sorted((m, c) for m, c in difference.items() if c)
    affirmed = op in (">", ">=", "==")
    if not terms:
        truth = {">": level < 0, ">=": level <= 0, "==": level == 0}
        truth |= {"<=": not truth[">"], "<": not truth[">="], "!=": not truth["=="]}
        return None, truth[op]
    op = {"<": ">=", "<=": ">", "!=": "=="}.get(op, op)
    lead = terms[0][1]
    if lead < 0 and op != "==":
        # -x > -3 says x < 3, which denies x >= 3.
        op, affirmed = (">=" if op == ">" else ">"), not affirmed
    term = tuple((m, c / lead) for m, c in terms)
    least = Fraction(0) if len(term) == 1 and len(term[0][0]) == 1 and term[0][0][0].startswith("|") else None
    kept: Literal[">", ">=", "=="] = ">" if op == ">" else ">=" if op == ">=" else "=="
    return Threshold(term, kept, level / lead, least), affirmed


def _polynomial(term: Term) -> Polynomial:
    match term:
        case Constant(value):
            return {(): value}
        case Signal(name):
            return {(name,): Fraction(1)}
        case Dist(a, b):
            first, second = sorted((a, b))
            return {(f"dist({first},{second})",): Fraction(1)}
        case Negative(arg):
            return _sum({}, _polynomial(arg), -1)
        case Abs(arg):
            return _absolute(_polynomial(arg))
        case Arithmetic(op, left, right):
            x, y = _polynomial(left), _polynomial(right)
            return _product(x, y) if op == "*" else _sum(x, y, 1 if op == "+" else -1)
        case _:
            assert_never(term)


def _sum(a: Polynomial, b: Polynomial, sign: int) -> Polynomial:
    total = dict(a)
    for monomial, factor in b.items():
        total[monomial] = total.get(monomial, Fraction(0)) + sign * factor
    return {monomial: factor for monomial, factor in total.items() if factor}


def _product(a: Polynomial, b: Polynomial) -> Polynomial:
    total: Polynomial = {}
    for (m, c), (n, d) in product(a.items(), b.items()):
        both = tuple(sorted(m + n))
        total[both] = total.get(both, Fraction(0)) + c * d
    return {monomial: factor for monomial, factor in total.items() if factor}


def _absolute(inside: Polynomial) -> Polynomial:
    """|2y - 2x| is 2 |x - y|; |constant| is a number."""
    terms = sorted(inside.items())
    if not terms:
        return {}
    if len(terms) == 1 and (terms[0][0] == () or (terms[0][0][0].startswith("|") and len(terms[0][0]) == 1)):
        return {terms[0][0]: abs(terms[0][1])}
    lead = terms[-1][1]
    body = "+".join(f"{c / lead}*{'*'.join(m)}" for m, c in terms)
    return {(f"|{body}|",): abs(lead)}


# ---- facts between letters -----------------------------------------------------------------------------


def groups_of(keys: list[Key], *, axioms: bool) -> list[Group] | None:
    """Groups of dependent letters; None if a group has too many valuations to list."""
    groups = []
    by_term: dict[tuple[tuple[Monomial, Fraction], ...], list[int]] = {}
    for number, key in enumerate(keys):
        if isinstance(key, Threshold):
            by_term.setdefault(key.term, []).append(number)
    for letters in by_term.values():
        members = [key for key in (keys[i] for i in letters) if isinstance(key, Threshold)]
        if len(members) > 1 or members[0].least is not None:
            groups.append(Group(tuple(letters), tuple(sorted(_orderings(members)))))
    if axioms:
        listed = _relation_groups(keys)
        if listed is None:
            return None
        groups.extend(listed)
    return groups


def _orderings(members: list[Threshold]) -> set[int]:
    """The valuations met by a number moving along the line: at every level, and between any two."""
    levels = sorted({m.level for m in members} | {m.least for m in members if m.least is not None})
    points = [levels[0] - 1, *levels, levels[-1] + 1]
    points += [(a + b) / 2 for a, b in zip(levels, levels[1:], strict=False)]
    least = members[0].least
    return {
        sum(1 << i for i, m in enumerate(members) if _meets(point, m))
        for point in points
        if least is None or point >= least
    }


def _meets(point: Fraction, threshold: Threshold) -> bool:
    match threshold.op:
        case ">":
            return point > threshold.level
        case ">=":
            return point >= threshold.level
        case "==":
            return point == threshold.level
        case _:
            assert_never(threshold.op)


def _relation_groups(keys: list[Key]) -> list[Group] | None:
    """Spatial facts between relations over the same objects, as groups of connected letters."""
    related = [(i, key) for i, key in enumerate(keys) if isinstance(key, Related)]
    clauses: list[tuple[int, bool, int, bool]] = []
    for (i, a), (j, b) in combinations(related, 2):
        clauses += [(i, x, j, y) for x, y in _forbidden(a, b)]
    parent = {i: i for i, _ in related}

    def root(i: int) -> int:
        while parent[i] != i:
            i = parent[i]
        return i

    for i, _, j, _ in clauses:
        parent[root(i)] = root(j)
    groups = []
    for top in sorted({root(i) for i, _, _, _ in clauses}):
        letters = tuple(i for i in sorted(parent) if root(i) == top)
        valuations = _models(letters, [c for c in clauses if root(c[0]) == top])
        if valuations is None:
            return None
        groups.append(Group(letters, valuations))
    return groups


def _models(letters: tuple[int, ...], clauses: list[tuple[int, bool, int, bool]]) -> tuple[int, ...] | None:
    place = {letter: k for k, letter in enumerate(letters)}
    partial = [0]
    for k, letter in enumerate(letters):
        mine = [c for c in clauses if max(place[c[0]], place[c[2]]) == k]
        grown = []
        for value, on in product(partial, (False, True)):
            candidate = value | on << place[letter]

            def bit(i: int, value: int = candidate) -> bool:
                return bool(value >> place[i] & 1)

            if not any(bit(i) == x and bit(j) == y for i, x, j, y in mine):
                grown.append(candidate)
        partial = grown
        if len(partial) > MAX_VALUATIONS:
            return None
    return tuple(partial)


_IMPLIES = {("enclIn", "ovlp"), ("partOvlp", "ovlp")}
_EXCLUDES = {
    frozenset(pair)
    for pair in (
        ("enclIn", "partOvlp"),
        ("closeTo", "farFrom"),
        ("farFrom", "touch"),
        ("farFrom", "ovlp"),
        ("farFrom", "partOvlp"),
        ("farFrom", "enclIn"),
    )
}
_ONE_WAY = {"leftOf", "above"}


def _forbidden(a: Related, b: Related) -> Iterable[tuple[bool, bool]]:
    """Truth values (of a, of b) that cannot occur together."""
    if len(a.args) != 2 or len(b.args) != 2 or set(a.args) != set(b.args) or len(set(a.args)) != 2:
        return
    if (a.name, b.name) in _IMPLIES:
        yield True, False
    if (b.name, a.name) in _IMPLIES:
        yield False, True
    # leftOf(a, b) excludes leftOf(b, a), which is how rightOf(a, b) is written here.
    opposite = a.name == b.name and a.name in _ONE_WAY and a.args != b.args
    if frozenset((a.name, b.name)) in _EXCLUDES or opposite:
        yield True, True
