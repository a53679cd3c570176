"""The review card as HTML: the same card that terminal, agents and bundles show (``review.card``)."""

from __future__ import annotations

from assent.errors import AssentError
from assent.logic.ast import Atom, Compare, Logic, Prop, Relation
from assent.logic.draw import timing_svg
from assent.logic.parse import read
from assent.logic.semantics import Trace
from assent.review.card import Card, Choice, Difference
from assent.serve.pages.markup import Html, drawn, el, join
from assent.serve.pages.sentence import sentence


def readings(card: Card) -> Html:
    """The readings side by side, each with the button that chooses it."""
    return el("ol", *(_choice(choice, card.difference) for choice in card.choices), class_="readings")


def _choice(choice: Choice, difference: Difference | None) -> Html:
    number = str(choice.number)
    return el(
        "li",
        el("p", choice.english, class_="english", id=f"reading-{number}"),
        el("code", choice.formula, class_="formula"),
        _truth(choice, difference),
        el(
            "button",
            el("kbd", number),
            " This is what I mean",
            type="button",
            data_choose=choice.formula,
            data_key=number,
            aria_describedby=f"reading-{number}",
        ),
        class_="reading",
    )


def _truth(choice: Choice, difference: Difference | None) -> Html | None:
    """Of the first two: whether this reading is true of the trace below."""
    if difference is None or choice.number > 2:
        return None
    holds = difference.first_holds == (choice.number == 1)
    mark = "✓ true of the trace below" if holds else "✗ not true of the trace below"
    return el("p", mark, class_="holds" if holds else "fails")


def difference(card: Card) -> Html | None:
    """The trace that tells readings 1 and 2 apart, as a timing diagram; as text where it cannot be drawn."""
    card_difference = card.difference
    if card_difference is None:
        return None
    true, false = (1, 2) if card_difference.first_holds else (2, 1)
    says = f"Reading {true} is true of this trace, reading {false} is not"
    trace = _trace(card_difference, card.logic)
    drawing = (
        el("pre", card_difference.text, tabindex="0") if trace is None else drawn(timing_svg(trace), says)
    )
    return el("figure", el("figcaption", says, "."), drawing, class_="difference")


def _trace(difference: Difference, logic: str) -> Trace | None:
    from fractions import Fraction

    try:
        states = tuple(frozenset(_atom(text, logic) for text in state) for state in difference.states)
        return Trace(states, difference.loop, Fraction(difference.step))
    except (AssentError, ValueError):
        return None


def _atom(text: str, logic: str) -> Atom:
    atom = read(text, Logic(logic))
    if isinstance(atom, Prop | Compare | Relation):
        return atom
    raise ValueError(f"{text!r} is no atom")


def choose(card: Card, decision: str) -> Html:
    """Choose a reading of an instruction that was not vouched for, or say what is meant."""
    several = len(card.choices) > 1
    lead = (
        "It may mean one of these. Which one do you mean?"
        if several
        else "The best reading. Is it what you mean?"
    )
    return el(
        "section",
        el("h3", "Choose a reading"),
        el("p", lead) if card.choices else el("p", "There is no reading to choose from."),
        readings(card),
        difference(card),
        el(
            "form",
            el("label", el("kbd", "0"), " Neither, I mean …", for_="mean"),
            el(
                "input", id="mean", name="mean", placeholder="a formula, or plain English", autocomplete="off"
            ),
            el(
                "p",
                el("button", "That is what I mean", type="submit"),
                el("button", "None of these", type="button", data_none=True),
                class_="buttons",
            ),
            el("div", id="read-back", aria_live="polite"),
            class_="neither",
        ),
        el(
            "p",
            "Your answer is kept with the decision as volunteered: it may train, and never calibrates, because "
            "nobody drew this item by chance.",
            class_="help",
        ),
        class_="choose",
        data_decision=decision,
        aria_label="Choose a reading",
    )


def review_card(card: Card) -> Html:
    """One item of the queue with its keys."""
    keys = (("0", "none of these"), ("e", "type it"), ("d", card.unsayable), ("s", "skip"))
    return el(
        "article",
        el("p", el("span", card.id), " · ", card.logic.upper(), class_="meta"),
        sentence(card.text, card.names, card.unread),
        _unread(card),
        readings(card) if card.choices else el("p", "There is no reading to choose from."),
        difference(card),
        el(
            "p",
            *(el("button", el("kbd", key), " ", says, type="button", data_key=key) for key, says in keys),
            class_="buttons",
        ),
        el(
            "form",
            el("label", "It means", for_="mean"),
            el("input", id="mean", placeholder="a formula, or plain English", autocomplete="off"),
            el("p", el("button", "Read it back", type="submit"), class_="buttons"),
            el("div", id="read-back", aria_live="polite"),
            class_="neither",
            hidden=True,
        ),
        class_="review-card",
        data_item=card.item,
        data_look=card.look,
        tabindex="-1",
        aria_label="The item to review",
    )


def _unread(card: Card) -> Html | None:
    if not card.unread:
        return None
    return el("p", "Words that were not read: ", join([el("q", word) for word in card.unread], ", "))
