"""The card: the candidate is on it and cannot be told, and its trace tells the first two apart."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import msgspec
from review_cases import CASES, meant, rows
from scipy.stats import chisquare

from assent.ledger import Draw, Kind, Ledger, LedgerPlan, draw_new, record, record_all
from assent.ledger.entries import Plant
from assent.ledger.queue import Session, Task, claim, waiting
from assent.logic.equivalence import equivalent
from assent.logic.parse import read
from assent.logic.semantics import Trace, holds
from assent.review.card import Card, card_of, item_of
from assent.review.plants import plant
from assent.review.session import Review
from ledger_places import decision

EVERYTHING = LedgerPlan(audit="1", abstained="1", twice="0", plants="0")


def _cards(ledger: Ledger) -> list[Card]:
    return [card_of(ledger, task) for task in waiting(ledger)]


def test_a_card_has_the_candidate_and_other_meanings(place: str) -> None:
    with Ledger.open(place, create=True) as ledger:
        record_all(ledger, rows(len(CASES)))
        draw_new(ledger, EVERYTHING)
        for card in _cards(ledger):
            candidate = item_of(ledger, card.item).candidate
            assert [choice.number for choice in card.choices] == list(range(1, len(card.choices) + 1))
            assert len(card.choices) <= 3
            trees = [read(choice.formula, card.logic) for choice in card.choices]
            assert sum(equivalent(tree, read(str(candidate), card.logic)).equal for tree in trees) == 1
            for i, tree in enumerate(trees):
                assert not any(equivalent(tree, other).equal for other in trees[:i])


def test_the_trace_tells_the_first_two_apart(place: str) -> None:
    with Ledger.open(place, create=True) as ledger:
        record_all(ledger, rows(len(CASES)))
        draw_new(ledger, EVERYTHING)
        cards = [card for card in _cards(ledger) if len(card.choices) > 1]
        assert len(cards) == 5
        for card in cards:
            found = card.difference
            assert found is not None
            states = tuple(frozenset(read(atom, card.logic) for atom in state) for state in found.states)
            trace = Trace(states, found.loop, Fraction(found.step))  # type: ignore[arg-type]
            first, second = (holds(read(c.formula, card.logic), trace) for c in card.choices[:2])
            assert (first, second) == (found.first_holds, not found.first_holds)


def test_nothing_on_the_card_says_what_was_decided(place: str) -> None:
    """Accepted or abstained, high score or low: the same card."""
    with Ledger.open(place, create=True) as ledger:
        kept = [
            record(ledger, decision(1, accepted=True, score=0.01)),
            record(ledger, decision(1, accepted=False, score=0.99, reason="suspicious")),
        ]
        shown = [msgspec.to_builtins(card_of(ledger, Task(key, 1))) for key in kept]
        for card in shown:
            del card["item"]
            card["choices"] = sorted(c["formula"] for c in card["choices"])
            card["difference"] = None
        assert shown[0] == shown[1]


def test_the_candidate_stands_anywhere(tmp_path: Path) -> None:
    """Its place among three is uniform: wrong with probability 1e-6 at most, fixed secret, 600 looks."""
    with Ledger.open(tmp_path / "l.db", create=True) as ledger:
        ledger.secret = b"s" * 32
        places = [0, 0, 0]
        evidence = {"samples": ["F p", "X p"]}
        for n in range(200):
            key = record(ledger, decision(n, evidence=evidence))
            for look in (1, 2, 3):
                choices = card_of(ledger, Task(key, look)).choices
                places[[choice.formula for choice in choices].index("G p")] += 1
        assert chisquare(places).pvalue > 1e-6


def _answer_all(ledger: Ledger) -> None:
    review = Review.start(ledger, "ann")
    while (card := review.advance()) is not None:
        review.card = card
        review.type(meant(int(card.id[1:])))
        review.leave()


def test_plants_are_wrong_hidden_and_not_counted(place: str) -> None:
    with Ledger.open(place, create=True) as ledger:
        record_all(ledger, rows(12))
        plan = LedgerPlan(audit="1", abstained="1", twice="0", plants="0.3")
        draw_new(ledger, plan)
        assert plant(ledger, plan) == 0  # nothing is known to be right yet
        _answer_all(ledger)
        draws = ledger.counts()["draw"]
        assert plant(ledger, plan) == 4
        assert plant(ledger, plan) == 0
        for found in ledger.all(Plant, Kind.PLANT):
            card = card_of(ledger, Task(found.id, 1))
            right = read(meant(int(card.id[1:])), "ltl")
            shown = [read(choice.formula, "ltl") for choice in card.choices]
            assert not any(equivalent(tree, right).equal for tree in shown)
            assert any(equivalent(tree, read(found.wrong, "ltl")).equal for tree in shown)
            assert not equivalent(read(found.wrong, "ltl"), right).equal
        assert ledger.counts()["draw"] == draws == len({d.decision for d in ledger.all(Draw, Kind.DRAW)})
        task = claim(ledger, Session.start("ann"))
        assert task is not None
        assert ledger.entry(Kind.PLANT, task.item) is not None


def test_a_reference_that_came_along_can_be_planted_on(tmp_path: Path) -> None:
    with Ledger.open(tmp_path / "l.db", create=True) as ledger:
        made = rows(3)
        for row in made:
            row["evidence"]["reference"] = row["evidence"]["formula"]
        record_all(ledger, made)
        plan = LedgerPlan(audit="1", abstained="1", plants="1")
        draw_new(ledger, plan)
        assert plant(ledger, plan) == 3
