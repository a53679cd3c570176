"""What is found in small sets of requirements is exactly what enumerating every behaviour finds."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import reduce
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assent.errors import UsageError
from assent.logic import read
from assent.logic.ast import (
    Always,
    And,
    Eventually,
    Formula,
    Iff,
    Implies,
    Interval,
    Not,
    Or,
    Prop,
    Until,
    atoms,
)
from assent.logic.semantics import Trace, holds
from assent.logic.sets import Budget, Finding, FindingKind, Requirement, SignalBounds, Together, analyse
from assent.logic.sets.together import A_STEP
from assent.logic.sets.triggers import triggers_of
from assent.logic.testing import random_formula

LETTERS = [Prop("a"), Prop("b")]
STATES = [
    frozenset(p for p, on in zip(LETTERS, bits, strict=True) if on) for bits in product((0, 1), repeat=2)
]
WORDS = [Trace(states, 3) for states in product(STATES, repeat=4)]
"""Every behaviour that formulas about the times 0 to 3 can tell apart."""
ALL = (1 << len(WORDS)) - 1


def words_of(formula: Formula) -> int:
    """The set of words on which the formula is true, as a number."""
    return sum(1 << k for k, word in enumerate(WORDS) if holds(formula, word))


def bounded(rng: random.Random, reach: int, depth: int) -> Formula:
    """A formula about the times 0 to ``reach``."""
    if depth == 0:
        return rng.choice(LETTERS)
    low = rng.randint(0, reach)
    within, rest = Interval(Fraction(low), Fraction(high := rng.randint(low, reach))), reach - high

    def inner(left: int = reach) -> Formula:
        return bounded(rng, left, depth - 1)

    match rng.randrange(8):
        case 0:
            return Not(inner())
        case 1:
            return And((inner(), inner()))
        case 2:
            return Or((inner(), inner()))
        case 3 | 4:
            return Always(Implies(inner(rest), inner(rest)), within)
        case 5:
            return Eventually(inner(rest), within)
        case 6:
            return Until(inner(rest), inner(rest), within)
        case _:
            return Iff(inner(), inner())


def requirements(seed: int, count: int) -> list[Requirement]:
    rng = random.Random(seed)
    return [Requirement(f"R{k}", bounded(rng, 3, rng.randint(1, 3))) for k in range(count)]


def all_of(sets: list[int]) -> int:
    return reduce(int.__and__, sets, ALL)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 5))
def test_findings_are_what_enumeration_finds(seed: int, count: int) -> None:
    given_ones = requirements(seed, count)
    true = {r.id: words_of(r.formula) for r in given_ones}
    study = Together(given_ones)
    found = study.findings
    assert all(finding.decided for finding in found)
    for finding in found:
        check_claim(finding, true, {r.id: r for r in given_ones})
    check_nothing_is_missed(found, given_ones, true)
    check_behaviours(study, given_ones)


def check_claim(finding: Finding, true: dict[str, int], by_id: dict[str, Requirement]) -> None:
    """Each finding is so, by enumeration."""
    if finding.kind is FindingKind.UNCONSTRAINED:
        return
    first, *others = finding.requirements
    sets = [true[i] for i in finding.requirements]
    match finding.kind:
        case FindingKind.CONFLICT:
            assert all_of(sets) == 0
            assert all(all_of(sets[:k] + sets[k + 1 :]) for k in range(len(sets)))
        case FindingKind.DUPLICATE:
            assert len(set(sets)) == 1
        case FindingKind.SUBSUMED:
            assert len(others) == 1 and true[others[0]] & ~true[first] == 0 != true[first] & ~true[others[0]]
        case FindingKind.REDUNDANT:
            by = [true[i] for i in others]
            assert len(by) > 1 and all_of(by) & ~true[first] == 0
            assert all(all_of(by[:k] + by[k + 1 :]) & ~true[first] for k in range(len(by)))
        case FindingKind.ALWAYS_TRUE:
            assert true[first] == ALL
        case FindingKind.VACUOUS:
            each = happening(by_id[first], finding.trigger)
            assert any(all_of(sets) & words == 0 != true[first] & words for words in each)
        case FindingKind.NEVER_TRIGGERED:
            each = happening(by_id[first], finding.trigger)
            assert any(true[first] & words == 0 for words in each)


def happening(requirement: Requirement, condition: Formula | None = None) -> list[int]:
    """For each trigger of a requirement (for the one that is named) the words on which it happens."""
    known = triggers_of(requirement)
    return [words_of(t.happens) for t in known if condition is None or t.condition == condition]


def check_nothing_is_missed(
    found: list[Finding], given_ones: list[Requirement], true: dict[str, int]
) -> None:
    if all_of(list(true.values())) == 0:
        assert any(finding.kind is FindingKind.CONFLICT for finding in found)
        return
    assert not any(finding.kind is FindingKind.CONFLICT for finding in found)
    repeated = {f.requirements[0] for f in found if f.kind in REPEATED}
    twins = {i for f in found if f.kind is FindingKind.DUPLICATE for i in f.requirements}
    for requirement in given_ones:
        others = all_of([mask for i, mask in true.items() if i != requirement.id])
        if others & ~true[requirement.id] == 0:
            assert requirement.id in repeated | twins
        if not all(all_of(list(true.values())) & words for words in happening(requirement)):
            silent = {i for f in found if f.kind in (FindingKind.VACUOUS, *NOTHING) for i in f.requirements}
            assert requirement.id in silent | twins


def check_behaviours(study: Together, given_ones: list[Requirement]) -> None:
    formulas = {r.id: r.formula for r in given_ones}
    for sample in study.samples:
        assert all(holds(formulas[i], sample.trace) for i in sample.requirements)
    for broken, sample in study.forbids.items():
        assert [i for i in sample.requirements if not holds(formulas[i], sample.trace)] == [broken]


NOTHING = (FindingKind.NEVER_TRIGGERED, FindingKind.ALWAYS_TRUE)
REPEATED = (FindingKind.SUBSUMED, FindingKind.REDUNDANT, FindingKind.VACUOUS, *NOTHING)


# ---- infinite behaviours: no claim is contradicted by any short lasso --------------------------------------------

LASSOS = [Trace(states, loop) for n in (1, 2, 3) for states in product(STATES, repeat=n) for loop in range(n)]


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.integers(2, 4))
def test_no_short_lasso_contradicts_a_finding(seed: int, count: int) -> None:
    rng = random.Random(seed)
    formulas = {
        f"R{k}": random_formula(
            rng, "stl", operators=rng.randint(1, 4), atoms=2, max_bound=4, comparisons=False
        )
        for k in range(count)
    }
    names = sorted({atom for f in formulas.values() for atom in atoms(f)}, key=str)
    study = Together([Requirement(i, f) for i, f in formulas.items()])
    for lasso in LASSOS:
        swap = dict(zip(LETTERS, names, strict=False))
        word = Trace(tuple(frozenset(swap[a] for a in s if a in swap) for s in lasso.states), lasso.loop)
        held = {i for i, f in formulas.items() if holds(f, word)}
        for finding in study.findings:
            if not finding.decided:
                continue
            first, *others = finding.requirements
            match finding.kind:
                case FindingKind.CONFLICT:
                    assert not held.issuperset(finding.requirements)
                case FindingKind.DUPLICATE:
                    assert len(held.intersection(finding.requirements)) in (0, len(finding.requirements))
                case FindingKind.SUBSUMED | FindingKind.REDUNDANT:
                    assert first in held or not held.issuperset(others)
                case FindingKind.ALWAYS_TRUE:
                    assert first in held
                case _:
                    pass
    for broken, sample in study.forbids.items():
        assert [i for i in sample.requirements if not holds(formulas[i], sample.trace)] == [broken]


# ---- by hand -----------------------------------------------------------------------------------------------------


def stl(**texts: str) -> list[Requirement]:
    return [Requirement(i, read(text, "stl")) for i, text in texts.items()]


def kinds(found: list[Finding]) -> list[tuple[str, ...]]:
    return [(str(f.kind), *f.requirements) for f in found]


def test_a_trigger_that_another_requirement_rules_out_is_named() -> None:
    (finding,) = analyse(stl(R1="G(door_open -> F[0,5] alarm_on)", R2="G !door_open"))
    assert (finding.kind, finding.requirements, finding.trigger) == (
        "vacuous",
        ("R1", "R2"),
        Prop("door_open"),
    )
    assert "its trigger (door_open holds) can never happen, R2 rules it out" in finding.detail


def test_opposite_responses_to_one_trigger_are_one_finding() -> None:
    found = analyse(stl(R1="G(a -> F[0,5] b)", R2="G(a -> G[0,9] !b)", R3="G(c -> b)"))
    assert kinds(found) == [("vacuous", "R1", "R2")]
    assert "R1 and R2 together rule it out" in found[0].detail


def test_a_conflict_is_minimal_and_shows_what_is_possible_without_one_member() -> None:
    given_ones = stl(R1="G a", R2="G(a -> b)", R3="F[0,3] !b", R4="G(c -> a)", R5="F c")
    (finding,) = [f for f in analyse(given_ones) if f.kind is FindingKind.CONFLICT]
    assert finding.requirements == ("R1", "R2", "R3") and "Without any one of them" in finding.detail
    assert finding.witness is not None
    assert sum(holds(r.formula, finding.witness) for r in given_ones[:3]) == 2


def test_every_one_of_several_conflicts_is_found() -> None:
    found = analyse(stl(R1="G a", R2="F !a", R3="G(a -> b)", R4="F[0,3] !b", R5="G c", R6="F(!c & a)"))
    conflicts = {f.requirements for f in found if f.kind is FindingKind.CONFLICT}
    assert conflicts == {("R1", "R2"), ("R1", "R3", "R4"), ("R5", "R6")}


def test_comparisons_of_one_signal_know_one_another() -> None:
    found = analyse(stl(R1="G(speed > 50 -> F[0,0.5] brake)", R2="G(speed > 40 -> G[0,2.5] !brake)"))
    assert kinds(found) == [("vacuous", "R1", "R2")]


def test_subsumed_redundant_and_duplicate_say_by_which() -> None:
    found = analyse(
        stl(
            R1="G(a -> F[0,5] b)",
            R2="G(a -> F[0,9] b)",
            R3="G(!a | F[0,5] b)",
            R4="G(b -> c)",
            R5="G(a -> F[0,5] c)",
        )
    )
    assert kinds(found) == [
        ("duplicate", "R1", "R3"),
        ("subsumed", "R2", "R1"),
        ("redundant", "R5", "R1", "R4"),
    ]


def test_a_range_makes_comparisons_impossible_or_empty() -> None:
    speed = SignalBounds("speed", "m/s", Fraction(0), Fraction(120))
    found = analyse(
        stl(R1="G(speed > 200 -> F[0,0.5] brake)", R2="G(speed < 150)", R3="F speed > 130"), signals=[speed]
    )
    assert kinds(found) == [("never-triggered", "R1"), ("always-true", "R2"), ("conflict", "R3")]
    assert all("given that speed is at least 0 and at most 120" in f.detail for f in found)


def test_units_that_do_not_go_together() -> None:
    signals = [SignalBounds("speed", "m/s"), SignalBounds("gap", "m"), SignalBounds("limit", "m/s")]
    found = analyse(stl(R1="G(speed > gap)", R2="F speed > limit", R3="G(2 * gap > 3)"), signals=signals)
    assert kinds(found) == [("conflict", "R1")] and "gap is in m, speed is in m/s" in found[0].detail


def test_gaps() -> None:
    found = analyse(stl(R1="G(a -> F[0,5] b)", R2="F[0,5] c"), names=["a", "b", "c", "horn"])
    assert [(f.requirements, f.names) for f in found] == [((), ("horn",)), (("R2",), ("c",))]
    assert analyse(stl(R1="F[0,5] c", R2="F[0,9] d")) == []


def test_a_trigger_can_be_given() -> None:
    given_ones = [
        Requirement("R1", read("(!a) W b", "ltl"), Prop("b")),
        Requirement("R2", read("G !b", "ltl")),
    ]
    assert kinds(analyse(given_ones)) == [("vacuous", "R1", "R2")]


def test_relations_in_either_order_are_one() -> None:
    texts = {"R1": "G leftOf(cup, box)", "R2": "F !rightOf(box, cup)"}
    found = analyse([Requirement(i, read(text, "spatial")) for i, text in texts.items()])
    assert kinds(found) == [("conflict", "R1", "R2")]


def test_next_beside_decimal_bounds_is_undecided_and_says_why() -> None:
    (finding,) = analyse(
        [Requirement("R1", read("G(a -> X b)", "ltl")), Requirement("R2", read("F[0,0.5] b", "stl"))]
    )[:1]
    assert not finding.decided and "next has no meaning together with decimal bounds" in finding.detail


def test_two_requirements_with_one_id_are_refused() -> None:
    with pytest.raises(UsageError, match="same id"):
        analyse([Requirement("R1", Prop("a")), Requirement("R1", Prop("b"))])


def test_what_the_budget_does_not_suffice_for_is_undecided_and_nothing_is_claimed() -> None:
    given_ones = stl(R1="G(a -> F[0,5] b)", R2="G(a -> G[0,9] !b)", R3="G a", R4="F !b")
    found = analyse(given_ones, budget=Budget(10))
    assert found and not any(f.decided for f in found)
    assert {f.kind for f in found} >= {FindingKind.CONFLICT, FindingKind.VACUOUS, FindingKind.REDUNDANT}


def test_the_same_budget_gives_the_same_findings() -> None:
    given_ones = requirements(7, 5)
    assert analyse(given_ones, budget=Budget(20_000)) == analyse(given_ones, budget=Budget(20_000))


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        ("G(a -> X b)", "G(a -> F[0,1] b)", True),
        ("G(a -> X b)", "G(a -> F b)", False),
        ("G(a -> F[0,1] b)", "G(a -> F[0,2] b)", False),
    ],
)
def test_a_finding_says_that_it_takes_steps_for_times(first: str, second: str, said: bool) -> None:
    found = analyse([Requirement("R1", read(first, "stl")), Requirement("R2", read(second, "stl"))])
    subsumed = [finding for finding in found if finding.kind is FindingKind.SUBSUMED]
    assert len(subsumed) == 1
    assert (A_STEP in subsumed[0].detail) is said
