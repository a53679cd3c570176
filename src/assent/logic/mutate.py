"""Formulas that are wrong in one known way, each proven to mean something else than the original.

They are what a judge is trained and tested on: every mutation names the dimension of the rubric that it breaks.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Literal, TypeAlias

from assent.logic.ast import (
    EVER,
    Always,
    And,
    Compare,
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
    StrongRelease,
    Until,
    WeakUntil,
    atoms,
    children,
    conj,
    disj,
    rebuild,
    walk,
)
from assent.logic.canonical import FLIPPED, canonical_key

Dimension: TypeAlias = Literal[
    "logical_structure",
    "temporal_operators",
    "time_constraints",
    "object",
    "spatial",
    "temporal",
    "quantifier_negation",
]
Kind: TypeAlias = Literal[
    "operator_swapped",
    "scope_moved",
    "negation_dropped",
    "negation_added",
    "implication_reversed",
    "until_swapped",
    "interval_shifted",
    "interval_widened",
    "interval_dropped",
    "interval_moved",
    "part_dropped",
    "globally_added",
    "globally_removed",
    "atom_replaced",
    "comparison_turned",
    "relation_replaced",
    "relation_swapped",
    "object_replaced",
]
Proof: TypeAlias = Callable[[Formula, Formula], bool]
"""Whether two formulas are proven different."""

PROOF_STEPS = 750_000
"""Steps for one proof; a mutation that is not proven different within them is dropped."""

NEIGHBOURS: dict[str, tuple[str, ...]] = {
    "leftOf": ("rightOf", "above"),
    "rightOf": ("leftOf", "below"),
    "above": ("below", "leftOf"),
    "below": ("above", "rightOf"),
    "closeTo": ("farFrom", "touch"),
    "farFrom": ("closeTo",),
    "touch": ("ovlp", "closeTo"),
    "ovlp": ("partOvlp", "enclIn", "touch"),
    "partOvlp": ("ovlp", "enclIn"),
    "enclIn": ("ovlp", "partOvlp"),
    "between": ("closerTo",),
    "closerTo": ("between",),
    "oriented": ("closeTo",),
}
"""Relations that a translator confuses."""


@dataclass(frozen=True, slots=True)
class Mutation:
    """A wrong formula, what was done to get it, and the dimension of the rubric that it breaks."""

    kind: Kind
    dimension: Dimension
    formula: Formula


def mutations(
    formula: Formula, *, seed: int = 0, limit: int | None = None, proven: Proof | None = None
) -> list[Mutation]:
    """All mutations (or the first ``limit``) in an order drawn from ``seed``, each proven not equivalent."""
    rng = random.Random(seed)
    spatial = any(_is_spatial(atom) for atom in atoms(formula))
    drafts = [
        Mutation(kind, _spatial_dimension(kind, dimension) if spatial else dimension, mutant)
        for kind, dimension, mutant in _drafts(formula, rng)
    ]
    # An atom replaced by its neighbour may say the same as a part dropped; the plainer name wins.
    drafts.sort(key=lambda draft: draft.kind == "atom_replaced")
    distinct: dict[str, Mutation] = {}
    for draft in drafts:
        distinct.setdefault(canonical_key(draft.formula), draft)
    distinct.pop(canonical_key(formula), None)
    candidates = list(distinct.values())
    rng.shuffle(candidates)
    proven = proven or proven_different
    kept = (draft for draft in candidates if proven(formula, draft.formula))
    return list(islice(kept, limit))


def proven_different(a: Formula, b: Formula) -> bool:
    """Decided by the exact decider with a witness; unknown is not proven."""
    from assent.logic.equivalence import Verdict, equivalent

    # With the axioms on, a witness respects the facts between relations, so it is one without them as well.
    return equivalent(a, b, steps=PROOF_STEPS, axioms=True).verdict is Verdict.DIFFERENT


def _is_spatial(atom: Formula) -> bool:
    return isinstance(atom, Relation) or (isinstance(atom, Compare) and isinstance(atom.left, Dist))


def _spatial_dimension(kind: Kind, dimension: Dimension) -> Dimension:
    """The SpaTiaL rubric's name for what a mutation breaks."""
    if dimension in ("temporal_operators", "time_constraints"):
        return "temporal"
    if dimension == "logical_structure":
        return "spatial" if kind == "part_dropped" else "quantifier_negation"
    return dimension


_Draft: TypeAlias = tuple[Kind, Dimension, Formula]


def _drafts(formula: Formula, rng: random.Random) -> Iterator[_Draft]:
    """Every mutation at every place, not yet proven."""
    negated = {id(node.arg) for node in walk(formula) if isinstance(node, Not)}
    for node, put in _places(formula):
        for kind, dimension, mutant in (
            *_logical(node),
            *_temporal(node),
            *_timed(node, rng),
            *_atomic(node, formula),
        ):
            # A second negation would be a negation dropped under another name.
            if kind != "negation_added" or id(node) not in negated:
                yield kind, dimension, put(mutant)
    if isinstance(formula, Always):
        yield "globally_removed", "temporal_operators", formula.arg
    else:
        yield "globally_added", "temporal_operators", Always(formula)
    yield from _intervals_moved(formula)


def _places(formula: Formula) -> Iterator[tuple[Formula, Callable[[Formula], Formula]]]:
    """Every sub-formula with a function that puts another one in its place."""
    yield formula, lambda new: new
    parts = children(formula)
    for i, part in enumerate(parts):
        for node, put in _places(part):
            yield (
                node,
                lambda new, put=put, i=i: rebuild(formula, (*parts[:i], put(new), *parts[i + 1 :])),  # type: ignore[misc]
            )


def _logical(node: Formula) -> Iterator[_Draft]:
    match node:
        case Not(arg):
            yield "negation_dropped", "logical_structure", arg
            if isinstance(arg, And | Or):
                first = Not(arg.args[0])
                yield "scope_moved", "logical_structure", rebuild(arg, (first, *arg.args[1:]))
        case And(args):
            yield "operator_swapped", "logical_structure", Or(args)
            for i in range(len(args)):
                yield "part_dropped", "logical_structure", conj(*args[:i], *args[i + 1 :])
        case Or(args):
            yield "operator_swapped", "logical_structure", And(args)
            for i in range(len(args)):
                yield "part_dropped", "logical_structure", disj(*args[:i], *args[i + 1 :])
        case Implies(left, right):
            yield "implication_reversed", "logical_structure", Implies(right, left)
            yield "operator_swapped", "logical_structure", And((left, right))
            yield "part_dropped", "logical_structure", right
        case Iff(left, right):
            yield "operator_swapped", "logical_structure", Implies(left, right)
            yield "operator_swapped", "logical_structure", And((left, right))
        case _:
            pass
    if not isinstance(node, Not):
        yield "negation_added", "logical_structure", Not(node)


def _temporal(node: Formula) -> Iterator[_Draft]:
    match node:
        case Always(arg, within):
            yield "operator_swapped", "temporal_operators", Eventually(arg, within)
            yield from _moved(node, arg)
        case Eventually(arg, within):
            yield "operator_swapped", "temporal_operators", Always(arg, within)
            yield from _moved(node, arg)
        case Next(arg):
            yield "operator_swapped", "temporal_operators", Eventually(arg)
            yield from _moved(node, arg)
        case Until(left, right, within):
            yield "until_swapped", "temporal_operators", Until(right, left, within)
            yield "operator_swapped", "temporal_operators", Release(left, right, within)
            if within == EVER:
                yield "operator_swapped", "temporal_operators", WeakUntil(left, right)
        case Release(left, right, within):
            yield "until_swapped", "temporal_operators", Release(right, left, within)
            yield "operator_swapped", "temporal_operators", Until(left, right, within)
        case WeakUntil(left, right):
            yield "until_swapped", "temporal_operators", WeakUntil(right, left)
            yield "operator_swapped", "temporal_operators", Until(left, right)
        case StrongRelease(left, right):
            yield "until_swapped", "temporal_operators", StrongRelease(right, left)
            yield "operator_swapped", "temporal_operators", Until(left, right)
        case And(args) | Or(args):
            for i, part in enumerate(args):
                if isinstance(part, Always | Eventually | Next):
                    inner = rebuild(node, (*args[:i], part.arg, *args[i + 1 :]))
                    yield "scope_moved", "temporal_operators", rebuild(part, (inner,))
        case Implies(left, right) if isinstance(right, Always | Eventually | Next):
            yield "scope_moved", "temporal_operators", rebuild(right, (Implies(left, right.arg),))
        case _:
            pass


def _moved(node: Formula, arg: Formula) -> Iterator[_Draft]:
    """A unary operator that covers only one side of what it covered."""
    parts = children(arg)
    if isinstance(arg, Not | Next | Always | Eventually) or not parts:
        return
    for i, part in enumerate(parts):
        narrowed = rebuild(arg, (*parts[:i], rebuild(node, (part,)), *parts[i + 1 :]))
        yield "scope_moved", "temporal_operators", narrowed


def _timed(node: Formula, rng: random.Random) -> Iterator[_Draft]:
    if not isinstance(node, Always | Eventually | Until | Release) or node.within == EVER:
        return
    low, high = node.within.low, node.within.high
    step = _step(node.within, rng)
    yield "interval_dropped", "time_constraints", _with(node, EVER)
    if high is None:
        yield "interval_shifted", "time_constraints", _with(node, Interval(low + step, None))
        return
    yield "interval_shifted", "time_constraints", _with(node, Interval(low + step, high + step))
    yield "interval_widened", "time_constraints", _with(node, Interval(low, high + step))
    if low:
        yield "interval_widened", "time_constraints", _with(node, Interval(Fraction(0), high))


def _step(within: Interval, rng: random.Random) -> Fraction:
    """How far to move an end: a share of the interval's size, in its own steps."""
    ends = [end for end in (within.low, within.high) if end]
    unit = min([Fraction(1, end.denominator) for end in ends], default=Fraction(1))
    size = max(ends, default=Fraction(1)) / unit
    return unit * max(1, int(size * rng.choice((Fraction(1, 10), Fraction(1, 4), Fraction(1, 2)))))


def _with(node: Always | Eventually | Until | Release, within: Interval) -> Formula:
    if isinstance(node, Always | Eventually):
        return type(node)(node.arg, within)
    return type(node)(node.left, node.right, within)


def _intervals_moved(formula: Formula) -> Iterator[_Draft]:
    """Two temporal operators exchange their intervals."""
    places = [
        (i, node)
        for i, (node, _) in enumerate(_places(formula))
        if isinstance(node, Always | Eventually | Until | Release)
    ]
    for index, (i, first) in enumerate(places):
        for j, second in places[index + 1 :]:
            if first.within != second.within:
                spans = {i: second.within, j: first.within}
                yield "interval_moved", "time_constraints", _retimed(formula, spans, [0])


def _retimed(formula: Formula, spans: dict[int, Interval], count: list[int]) -> Formula:
    """The formula with the intervals of some nodes, numbered in the order of ``_places``, replaced."""
    here = count[0]
    count[0] += 1
    parts = tuple([_retimed(part, spans, count) for part in children(formula)])
    node = rebuild(formula, parts)
    if here in spans and isinstance(node, Always | Eventually | Until | Release):
        return _with(node, spans[here])
    return node


def _atomic(node: Formula, formula: Formula) -> Iterator[_Draft]:
    match node:
        case Prop():
            for other in atoms(formula):
                if isinstance(other, Prop) and other != node:
                    yield "atom_replaced", "logical_structure", other
        case Compare(left, op, right):
            yield "comparison_turned", "logical_structure", Compare(left, FLIPPED[op], right)
        case Relation(name, args):
            for neighbour in NEIGHBOURS[name]:
                yield "relation_replaced", "spatial", Relation(neighbour, args)
            for i in range(len(args) - 1):
                swapped = (*args[:i], args[i + 1], args[i], *args[i + 2 :])
                yield "relation_swapped", "object", Relation(name, swapped)
            for stranger in _objects(formula):
                if stranger not in args:
                    yield "object_replaced", "object", Relation(name, (stranger, *args[1:]))
        case _:
            pass


def _objects(formula: Formula) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for node in walk(formula):
        if isinstance(node, Relation):
            found.update(dict.fromkeys(node.args))
    return tuple(found)
