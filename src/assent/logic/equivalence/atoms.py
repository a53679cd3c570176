"""Atoms become letters: what says the same is one letter, and facts between letters are kept.

Comparisons are brought to ``term > c``, ``term >= c`` or ``term == c`` in linear normal form;
relations to one order of their arguments. Comparisons of one term are not independent (x > 5 implies x > 3):
such letters form a group with the list of valuations that can occur together.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise, product
from typing import Literal, TypeAlias, assert_never

from assent.logic.ast import Abs, Atom, Comparator, Compare, Const, Constant, Prop, Relation
from assent.logic.canonical import normal_comparison, term_key
from assent.logic.dialect import RELATIONS
from assent.logic.equivalence.budget import Budget

_AFFIRMED: dict[Comparator, tuple[Literal[">", ">=", "=="], bool]] = {
    ">": (">", True),
    ">=": (">=", True),
    "==": ("==", True),
    "<": (">=", False),
    "<=": (">", False),
    "!=": ("==", False),
}
"""What a comparator affirms or denies."""

MAX_VALUATIONS = 1024
"""Largest number of valuations that a group of dependent letters may have."""


@dataclass(frozen=True, slots=True)
class PlainAtom:
    """A proposition."""

    name: str


@dataclass(frozen=True, slots=True)
class Related:
    """A relation with its arguments in normal order."""

    name: str
    args: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AtomThreshold:
    """``term op level``; ``least`` is a number that the term cannot fall below."""

    term: str
    op: Literal[">", ">=", "=="]
    level: Fraction
    least: Fraction | None


Key: TypeAlias = PlainAtom | Related | AtomThreshold


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
            return PlainAtom(name), True
        case Relation(name, args):
            return _related(name, args), True
        case Compare():
            return _compared(atom)
        case _:
            assert_never(atom)


def _related(name: str, args: tuple[str, ...]) -> Related:
    info = RELATIONS.get(name)
    if info is not None and info.symmetric:
        args = (*args[:-2], *sorted(args[-2:]))
    if info is not None and info.inverse is not None and info.inverse < name:
        name, args = info.inverse, args[::-1]
    return Related(name, args)


def _compared(atom: Compare) -> tuple[Key | None, bool]:
    normal = normal_comparison(atom)
    if isinstance(normal, Const):
        return None, normal.value
    op, affirmed = _AFFIRMED[normal.op]
    level = normal.right.value if isinstance(normal.right, Constant) else None
    if level is None:
        # A comparison with too many factors to be brought in order stands for itself.
        return PlainAtom(f"{term_key(normal.left)} {op} {term_key(normal.right)}"), affirmed
    least = Fraction(0) if isinstance(normal.left, Abs) else None
    return AtomThreshold(term_key(normal.left), op, level, least), affirmed


# ---- facts between letters -----------------------------------------------------------------------------


def groups_of(keys: list[Key], budget: Budget, *, axioms: bool) -> list[Group] | None:
    """Groups of dependent letters; None if a group has too many valuations to list; Exhausted beyond the budget."""
    groups = []
    by_term: dict[str, list[int]] = {}
    for number, key in enumerate(keys):
        if isinstance(key, AtomThreshold):
            by_term.setdefault(key.term, []).append(number)
    for letters in by_term.values():
        members = [key for key in (keys[i] for i in letters) if isinstance(key, AtomThreshold)]
        if len(members) > 1 or members[0].least is not None:
            budget.spend(2 * len(members) * len(members))
            groups.append(Group(tuple(letters), tuple(sorted(_orderings(members)))))
    if axioms:
        listed = _relation_groups(keys, budget)
        if listed is None:
            return None
        groups.extend(listed)
    return groups


def _orderings(members: list[AtomThreshold]) -> set[int]:
    """The valuations met by a number moving along the line: at every level, and between any two."""
    levels = sorted({m.level for m in members} | {m.least for m in members if m.least is not None})
    points = [levels[0] - 1, *levels, levels[-1] + 1]
    points += [(a + b) / 2 for a, b in pairwise(levels)]
    least = members[0].least
    return {
        sum(1 << i for i, m in enumerate(members) if meets(point, m))
        for point in points
        if least is None or point >= least
    }


def meets(point: Fraction, threshold: AtomThreshold) -> bool:
    match threshold.op:
        case ">":
            return point > threshold.level
        case ">=":
            return point >= threshold.level
        case "==":
            return point == threshold.level
        case _:
            assert_never(threshold.op)


def _relation_groups(keys: list[Key], budget: Budget) -> list[Group] | None:
    """Spatial facts between relations over the same objects, as groups of connected letters."""
    related = [(i, key) for i, key in enumerate(keys) if isinstance(key, Related)]
    budget.spend(len(related) * len(related))
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
        valuations = _models(letters, [c for c in clauses if root(c[0]) == top], budget)
        if valuations is None:
            return None
        groups.append(Group(letters, valuations))
    return groups


def _models(
    letters: tuple[int, ...], clauses: list[tuple[int, bool, int, bool]], budget: Budget
) -> tuple[int, ...] | None:
    place = {letter: k for k, letter in enumerate(letters)}
    partial = [0]
    for k, letter in enumerate(letters):
        mine = [c for c in clauses if max(place[c[0]], place[c[2]]) == k]
        budget.spend(2 * len(partial) * (1 + len(mine)))
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
