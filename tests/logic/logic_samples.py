"""Random formulas and traces for the tests of meaning and equivalence; small on purpose."""

from __future__ import annotations

import random
from itertools import product

from assent.logic.ast import (
    EVER,
    FALSE,
    TRUE,
    Always,
    And,
    Eventually,
    Formula,
    Iff,
    Implies,
    Interval,
    Next,
    Not,
    Or,
    Prop,
    Release,
    StrongRelease,
    Until,
    WeakUntil,
)
from assent.logic.semantics import Trace

A, B, C = Prop("a"), Prop("b"), Prop("c")


def interval(rng: random.Random, largest: int, unbounded: float = 0.3) -> Interval:
    """[low, high] with bounds up to ``largest``; sometimes without an upper bound."""
    low = rng.choice([0, 0, rng.randint(0, largest)])
    return Interval(low, None if rng.random() < unbounded else low + rng.randint(0, largest))


def formula(
    rng: random.Random,
    operators: int,
    letters: tuple[Prop, ...] = (A, B),
    *,
    largest: int = 0,
    unbounded: float = 0.3,
) -> Formula:
    """A formula with that many operators; ``largest`` above 0 puts intervals on the timed ones."""

    def within() -> Interval:
        return interval(rng, largest, unbounded) if largest else EVER

    def grow(budget: int) -> Formula:
        if budget <= 0:
            return rng.choice([*letters] * 6 + [TRUE, FALSE])
        split = rng.randint(0, budget - 1)
        kinds = [
            "not",
            "next",
            "always",
            "eventually",
            "and",
            "or",
            "implies",
            "iff",
            "until",
            "release",
            "weak",
            "strong",
        ]
        if largest and unbounded == 0:
            kinds = [k for k in kinds if k not in ("weak", "strong")]
        match rng.choice(kinds):
            case "not":
                return Not(grow(budget - 1))
            case "next":
                return Next(grow(budget - 1))
            case "always":
                return Always(grow(budget - 1), within())
            case "eventually":
                return Eventually(grow(budget - 1), within())
            case "and":
                return And((grow(split), grow(budget - 1 - split)))
            case "or":
                return Or((grow(split), grow(budget - 1 - split)))
            case "implies":
                return Implies(grow(split), grow(budget - 1 - split))
            case "iff":
                return Iff(grow(split), grow(budget - 1 - split))
            case "until":
                return Until(grow(split), grow(budget - 1 - split), within())
            case "release":
                return Release(grow(split), grow(budget - 1 - split), within())
            case "weak":
                return WeakUntil(grow(split), grow(budget - 1 - split))
            case _:
                return StrongRelease(grow(split), grow(budget - 1 - split))

    return grow(operators)


def trace(rng: random.Random, letters: tuple[Prop, ...] = (A, B), *, longest: int = 7) -> Trace:
    """A finite word or a lasso."""
    n = rng.randint(1, longest)
    states = tuple(frozenset(p for p in letters if rng.random() < 0.5) for _ in range(n))
    return Trace(states, rng.choice([None, rng.randrange(n)]))


def all_lassos(letters: tuple[Prop, ...], longest: int) -> list[Trace]:
    """Every lasso with at most that many states."""
    letter_sets = [
        frozenset(p for p, on in zip(letters, choice, strict=True) if on)
        for choice in product([False, True], repeat=len(letters))
    ]
    return [
        Trace(states, loop)
        for n in range(1, longest + 1)
        for states in product(letter_sets, repeat=n)
        for loop in range(n)
    ]
