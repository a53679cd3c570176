"""The review queue as HTML: the card that is asked, how far the review is, and answers that may be doubted."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from assent.ledger.entries import Body
from assent.review.card import Card
from assent.serve.pages import cards
from assent.serve.pages.markup import Html, el


def asked(queue: Body) -> Html:
    """The answer of ``review_next`` or ``review_undo`` as HTML: how far the review is, and the card if there is one."""
    card = queue["card"]
    total = int(queue["waiting"]) + int(queue["answered"])
    return el(
        "div",
        el(
            "div",
            el("progress", value=queue["answered"], max=max(1, total), aria_label="Looks answered"),
            el("p", queue["progress"], id="progress-line"),
            class_="progress",
        ),
        _nothing(total) if card is None else cards.review_card(msgspec.convert(card, Card)),
        data_answered=queue["answered"],
        data_waiting=queue["waiting"],
    )


def _nothing(total: int) -> Html:
    """The end of the queue, or a queue that nothing was drawn into."""
    why = (
        "Every look that was drawn is answered, or somebody else has it."
        if total
        else "Nothing has been drawn yet: decisions are drawn by chance when they are made, a part of them only."
    )
    return el(
        "article",
        el("h2", "Nothing is left to review for you"),
        el("p", why),
        class_="review-card",
        tabindex="-1",
    )


def contestable(rows: Sequence[Body]) -> Html:
    """Recent answers, each with a field for the doubt."""
    if not rows:
        return el(
            "p",
            "There is no answer to contest (yet): an answer may be doubted when every blind look is done.",
        )
    return el("ol", *(_answer(row) for row in rows), class_="answers")


def _answer(row: Body) -> Html:
    key = f"why-{row['answer']}"
    return el(
        "li",
        el("p", row["text"]),
        el("p", str(row["handle"]), ": ", el("code", row["formula"] or row["said"])),
        el(
            "form",
            el("label", "Why do you doubt it?", for_=key),
            el("input", id=key, name="why", maxlength=2000, autocomplete="off"),
            el("p", el("button", "Contest: one more look settles it", type="submit"), class_="buttons"),
            data_contest=row["answer"],
        ),
    )
