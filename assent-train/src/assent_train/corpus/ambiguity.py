"""Sentences with two legitimate readings, labelled with both.

The grammar of the pairs always takes one reading; a judge or a user deserves to know that another was possible.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from assent.logic.ast import (
    Always,
    And,
    Eventually,
    Formula,
    Implies,
    Interval,
    Logic,
    Not,
    Or,
    Prop,
    Until,
    WeakUntil,
)
from assent_train.corpus.named import finish, number_text, plain
from assent_train.corpus.names import DOMAINS, NamedFact


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """A sentence and its two readings; ``kind`` says what is open."""

    text: str
    readings: tuple[Formula, Formula]
    kind: str
    logic: Logic
    domain: str


@dataclass(frozen=True, slots=True)
class _Parts:
    """Three propositions as formulas and as clauses, and a bound."""

    a: Formula
    b: Formula
    c: Formula
    said: Callable[[int, str], str]
    bound: Fraction


Reading = tuple[str, Formula, Formula]


def _scope_of_always(p: _Parts) -> Reading:
    return f"always {p.said(0, 'is')} or {p.said(1, 'is')}", Always(Or((p.a, p.b))), Or((Always(p.a), p.b))


def _scope_of_eventually(p: _Parts) -> Reading:
    return (
        f"eventually {p.said(0, 'must')} and {p.said(1, 'must')}",
        Eventually(And((p.a, p.b))),
        And((Eventually(p.a), Eventually(p.b))),
    )


def _reach_of_until(p: _Parts) -> Reading:
    return (
        f"{p.said(0, 'must')} and {p.said(1, 'stay')} until {p.said(2, 'is')}",
        Until(And((p.a, p.b)), p.c),
        And((p.a, Until(p.b, p.c))),
    )


def _condition_and_until(p: _Parts) -> Reading:
    return (
        f"if {p.said(0, 'is')} , {p.said(1, 'must')} until {p.said(2, 'is')}",
        Always(Implies(p.a, Until(p.b, p.c))),
        Until(Implies(p.a, p.b), p.c),
    )


def _must_until_come(p: _Parts) -> Reading:
    return f"{p.said(0, 'stay')} until {p.said(1, 'is')}", Until(p.a, p.b), WeakUntil(p.a, p.b)


def _must_before_come(p: _Parts) -> Reading:
    return (
        f"{p.said(0, 'must')} before {p.said(1, 'is')}",
        Until(Not(p.b), p.a),
        WeakUntil(Not(p.b), And((p.a, Not(p.b)))),
    )


def _once_or_always(p: _Parts) -> Reading:
    return f"if {p.said(0, 'is')} , {p.said(1, 'must')}", Always(Implies(p.a, p.b)), Implies(p.a, p.b)


def _unless(p: _Parts) -> Reading:
    return (
        f"{p.said(0, 'stay')} unless {p.said(1, 'is')}",
        Always(Implies(Not(p.b), p.a)),
        WeakUntil(p.a, p.b),
    )


def _and_or(p: _Parts) -> Reading:
    return (
        f"at all times {p.said(0, 'is')} or {p.said(1, 'is')} and {p.said(2, 'is')}",
        Always(Or((p.a, And((p.b, p.c))))),
        Always(And((Or((p.a, p.b)), p.c))),
    )


def _bound_of_until(p: _Parts) -> Reading:
    within = Interval(Fraction(0), p.bound)
    return (
        f"{p.said(0, 'stay')} until {p.said(1, 'is')} within {number_text(p.bound)} seconds",
        Until(p.a, p.b, within),
        Until(p.a, Eventually(p.b, within)),
    )


def _bound_of_and(p: _Parts) -> Reading:
    within = Interval(Fraction(0), p.bound)
    return (
        f"{p.said(0, 'must')} and {p.said(1, 'must')} within {number_text(p.bound)} seconds",
        Eventually(And((p.a, p.b)), within),
        And((Eventually(p.a, within), Eventually(p.b, within))),
    )


_KINDS: dict[Logic, dict[str, Callable[[_Parts], Reading]]] = {
    Logic.LTL: {
        "scope of always": _scope_of_always,
        "scope of eventually": _scope_of_eventually,
        "reach of until": _reach_of_until,
        "condition and until": _condition_and_until,
        "must until come true": _must_until_come,
        "must before come true": _must_before_come,
        "once or always": _once_or_always,
        "unless": _unless,
        "and before or": _and_or,
    },
    Logic.STL: {
        "bound of until": _bound_of_until,
        "bound of and": _bound_of_and,
        "once or always": _once_or_always,
    },
}


def ambiguous(seed: int, *, logic: Logic = Logic.LTL) -> Iterator[Ambiguous]:
    """Endless ambiguous sentences over our domains; LTL and STL."""
    rng = random.Random(f"ambiguous/{seed}/{logic}")
    kinds = tuple(_KINDS[logic].items())
    while True:
        kind, make = rng.choice(kinds)
        domain = rng.choice(tuple(DOMAINS))
        facts = rng.sample(DOMAINS[domain], 3)
        parts = _parts(rng, facts)
        text, first, second = make(parts)
        yield Ambiguous(finish(text, {}), (first, second), kind, logic, domain)


def _parts(rng: random.Random, facts: list[NamedFact]) -> _Parts:
    names = plain(rng, casual=False, facts={fact.name: fact for fact in facts}).names
    denied = [rng.random() < 0.25 for _ in facts]
    atoms: list[Formula] = [
        Not(Prop(f.name)) if no else Prop(f.name) for f, no in zip(facts, denied, strict=True)
    ]

    def said(i: int, mood: str) -> str:
        return names.absent(facts[i].name, mood) if denied[i] else names.present(facts[i].name, mood)

    return _Parts(atoms[0], atoms[1], atoms[2], said, Fraction(rng.randint(2, 60)))
