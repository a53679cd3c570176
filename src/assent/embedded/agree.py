"""In which respects do two formulas agree? Shares in [0, 1], read off their canonical forms.

Each respect is a bag of small facts; agreement is what both bags share, over what either has. LTL and STL:
logical structure, temporal operators, time constraints, overall meaning. SpaTiaL: object, spatial, temporal,
quantifier_negation.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Any

from assent.logic.ast import (
    EVER,
    And,
    Compare,
    Dist,
    Formula,
    Logic,
    Not,
    Or,
    Prop,
    Relation,
    children,
)
from assent.logic.canonical import canonical, canonical_key
from assent.logic.render import write
from assent.prompting.scales import LABELS as SPATIAL
from assent.prompting.scales import RATINGS as PLAIN


def dimensions(logic: Logic) -> tuple[str, ...]:
    return SPATIAL if logic is Logic.SPATIAL else PLAIN


@dataclass(frozen=True, slots=True)
class Profile:
    """The bags of one formula."""

    key: str
    logical: Counter[Any]
    temporal: Counter[Any]
    timed: Counter[Any]
    objects: Counter[Any]
    relations: Counter[Any]


@lru_cache(maxsize=4096)
def profile(formula: Formula) -> Profile:
    """Facts of the canonical form: negations stand on atoms only, so a path is temporal operators and joints."""
    form = canonical(formula)
    leaves: list[tuple[str, bool, tuple[tuple[str, int, int], ...]]] = []
    timed: Counter[Any] = Counter()
    objects: Counter[Any] = Counter()
    relations: Counter[Any] = Counter()
    counter = 0

    def visit(node: Formula, path: tuple[tuple[str, int, int], ...]) -> frozenset[str]:
        nonlocal counter
        sign = isinstance(node, Not)
        atom = node.arg if isinstance(node, Not) else node
        if isinstance(atom, Prop | Compare | Relation):
            names = _names(atom)
            leaves.append((" ".join(names), sign, path))
            objects[tuple(sorted(names))] += 1
            relations[write(atom)] += 1
            return frozenset(names)
        counter += 1
        here, below = counter, frozenset[str]()
        label = type(node).__name__
        for number, part in enumerate(children(node)):
            side = 0 if isinstance(node, And | Or) else number
            below |= visit(part, (*path, (label, side, here)))
        within = getattr(node, "within", EVER)
        if within != EVER:
            above = sum(label not in {"And", "Or"} for label, _, _ in path)
            timed[within.low, within.high, below, above] += 1
        return below

    visit(form, ())
    logical: Counter[Any] = Counter((text, sign) for text, sign, _ in leaves)
    temporal: Counter[Any] = Counter()
    for text, _, path in leaves:
        temporal[text, tuple((label, side) for label, side, _ in path if label not in {"And", "Or"})] += 1
    for (a, _, left), (b, _, right) in combinations(leaves[:12], 2):
        shared = [one for one, other in zip(left, right, strict=False) if one[2] == other[2]]
        label = shared[-1][0] if shared else ""
        logical[frozenset((a, b)), label if label in {"And", "Or"} else "joined"] += 1
    return Profile(canonical_key(formula), logical, temporal, timed, objects, relations)


def _names(atom: Prop | Compare | Relation) -> tuple[str, ...]:
    match atom:
        case Prop(name):
            return (name,)
        case Relation(_, args):
            return args
        case Compare(Dist(a, b)):
            return (a, b)
        case Compare():
            return (write(atom),)


def overlap(a: Counter[Any], b: Counter[Any]) -> float:
    either = sum((a | b).values())
    return sum((a & b).values()) / either if either else 1.0


def agreement(a: Formula, b: Formula, logic: Logic) -> dict[str, float]:
    """Agreement in each respect."""
    one, other = profile(a), profile(b)
    logical = overlap(one.logical, other.logical)
    temporal, timed = overlap(one.temporal, other.temporal), overlap(one.timed, other.timed)
    if one.key != other.key and min(logical, temporal, timed) == 1.0 and one.relations == other.relations:
        logical = temporal = 0.9  # the same parts, put together otherwise
    if logic is Logic.SPATIAL:
        return {
            "object": overlap(one.objects, other.objects),
            "spatial": overlap(one.relations, other.relations),
            "temporal": (temporal + timed) / 2,
            "quantifier_negation": logical,
        }
    same = 1.0 if one.key == other.key else (logical + temporal + timed) / 6
    return {
        "logical_structure": logical,
        "temporal_operators": temporal,
        "time_constraints": timed,
        "overall_meaning": same,
    }
