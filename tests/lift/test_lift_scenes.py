"""Scenes: what a thing is said to be is no part of its name."""

from __future__ import annotations

import pytest

from assent.embedded import Embedded
from assent.vocabulary import Entry, Vocabulary

BOOTH = Vocabulary(
    objects=(
        Entry("ballot_box", "ballot box"),
        Entry("seal_roll", "roll of seals"),
        Entry("voter_list", "voters' list"),
        Entry("tally_sheet", "tally sheet"),
        Entry("stamp", "official stamp"),
        Entry("ink_pad", "ink pad"),
        Entry("pencil", "pencil"),
        Entry("postal_bag", "bag of postal votes"),
        Entry("ruler", "ruler"),
        Entry("blank_stack", "stack of blank ballots"),
        Entry("spoiled_envelope", "envelope for spoiled ballots"),
        Entry("lamp", "lamp"),
    ),
    regions=(
        Entry("counting_table", "counting table"),
        Entry("clerk_desk", "clerk's desk"),
        Entry("voting_booth", "voting booth"),
        Entry("locked_cabinet", "locked cabinet"),
    ),
)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        (
            "The seals are free of contact with the ballot box.",
            "the O1 are free of contact with the O2 .",
        ),
        ("The roll of seals is on the counting table.", "the O1 is on the O2 ."),
    ],
)
def test_what_a_thing_is_said_to_be_stays(text: str, tokens: str) -> None:
    assert " ".join(Embedded().lift(text, "spatial", BOOTH).tokens) == tokens
