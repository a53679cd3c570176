"""Mutations are wrong in the way they say, proven wrong, and the same for the same seed."""

from __future__ import annotations

import random
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assent.logic import Formula, atoms, canonical, check, mutations, read, write
from assent.logic.equivalence import equivalent
from assent.logic.mutate import Kind, proven_different
from assent.logic.semantics import holds
from assent.logic.testing import random_formula

LINEAR = {"logical_structure", "temporal_operators", "time_constraints"}
SPATIAL = {"object", "spatial", "temporal", "quantifier_negation"}


@pytest.mark.parametrize(
    ("logic", "text", "kind", "dimension", "mutant"),
    [
        ("ltl", "G(a -> F b)", "operator_swapped", "temporal_operators", "F(a -> F b)"),
        ("ltl", "G(a -> F b)", "scope_moved", "temporal_operators", "G F(a -> b)"),
        ("ltl", "G(a -> F b)", "implication_reversed", "logical_structure", "G(F b -> a)"),
        ("ltl", "G(a -> F b)", "globally_removed", "temporal_operators", "a -> F b"),
        ("ltl", "a U !b", "until_swapped", "temporal_operators", "!b U a"),
        ("ltl", "a U !b", "globally_added", "temporal_operators", "G(a U !b)"),
        ("ltl", "a U !b", "negation_dropped", "logical_structure", "a U b"),
        ("ltl", "a U !b", "negation_added", "logical_structure", "!a U !b"),
        ("ltl", "F(a & b & c)", "part_dropped", "logical_structure", "F(a & c)"),
        ("ltl", "!(a & b)", "scope_moved", "logical_structure", "!a & b"),
        ("ltl", "a W b", "operator_swapped", "temporal_operators", "a U b"),
        ("stl", "G[2,9] a -> F b", "interval_moved", "time_constraints", "G a -> F[2,9] b"),
        ("stl", "F[0,10] a", "interval_dropped", "time_constraints", "F a"),
        ("stl", "F[4,10] a", "interval_widened", "time_constraints", "F[0,10] a"),
        ("stl", "x > 3", "comparison_turned", "logical_structure", "x < 3"),
        ("spatial", "F enclIn(a, b)", "relation_swapped", "object", "F enclIn(b, a)"),
        ("spatial", "F leftOf(a, b)", "relation_replaced", "spatial", "F rightOf(a, b)"),
        ("spatial", "F leftOf(a, b)", "relation_replaced", "spatial", "F above(a, b)"),
        ("spatial", "F leftOf(a, b)", "operator_swapped", "temporal", "G leftOf(a, b)"),
        ("spatial", "F leftOf(a, b)", "negation_added", "quantifier_negation", "F !leftOf(a, b)"),
        ("spatial", "F[0,5] touch(a, b)", "interval_dropped", "temporal", "F touch(a, b)"),
        ("spatial", "touch(a, b) & above(a, c)", "object_replaced", "object", "touch(c, b) & above(a, c)"),
    ],
)
def test_kinds(logic: str, text: str, kind: str, dimension: str, mutant: str) -> None:
    found = [m for m in mutations(read(text, logic)) if m.formula == read(mutant, logic)]
    assert [(m.kind, m.dimension) for m in found] == [(kind, dimension)]


def test_shifted_keeps_its_length() -> None:
    shifted = [m for m in mutations(read("F[4,10] a", "stl")) if m.kind == "interval_shifted"]
    (span,) = [m.formula.within for m in shifted]  # type: ignore[union-attr]
    assert span.high - span.low == 6
    assert span.low > 4


@pytest.mark.parametrize("logic", ["ltl", "stl", "spatial"])
@settings(max_examples=15)
@given(st.integers(0, 10**6))
def test_each_is_different_with_a_witness(logic: str, seed: int) -> None:
    formula = random_formula(random.Random(seed), logic, operators=4, max_bound=12)
    for mutation in mutations(formula, seed=seed, limit=8):
        check(mutation.formula, logic)
        assert mutation.dimension in (SPATIAL if logic == "spatial" else LINEAR)
        assert canonical(mutation.formula) != canonical(formula)
        witness = equivalent(formula, mutation.formula).witness
        assert witness is not None
        assert holds(formula, witness) != holds(mutation.formula, witness)


def test_only_what_is_proven_is_kept() -> None:
    formula = read("G(a -> F b)", "ltl")
    assert mutations(formula, proven=lambda _, __: False) == []
    asked: list[Formula] = []
    mutations(formula, limit=3, proven=lambda _, mutant: bool(asked.append(mutant)) or True)
    assert len(asked) == 3
    # G G a is a scope moved out of nothing: equivalent, so never a mutation
    assert not proven_different(read("G a", "ltl"), read("G G a", "ltl"))
    assert all(m.formula != read("G F G a", "ltl") for m in mutations(read("F G a", "ltl")))


def test_same_seed_same_mutations() -> None:
    formula = read("G(a -> (b U[3,40] c)) & F[2,7] d", "stl")
    assert mutations(formula, seed=5) == mutations(formula, seed=5)
    assert mutations(formula, seed=5) != mutations(formula, seed=6)


def test_every_kind_occurs_and_each_mutation_once() -> None:
    kinds: set[str] = set()
    for logic, text in [
        ("stl", "G(!a -> (b U[3,40] c)) & F[2,7](d & x > 3)"),
        ("stl", "!(a | b) & F c"),
        ("spatial", "G[0,9](enclIn(cup, bin) -> F touch(cup, robot))"),
    ]:
        found = mutations(read(text, logic))
        kinds |= {m.kind for m in found}
        texts = [write(canonical(m.formula)) for m in found]
        assert len(texts) == len(set(texts))
        assert all(len(atoms(m.formula)) >= 1 for m in found)
    assert kinds == set(get_args(Kind))
