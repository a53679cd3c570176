"""What stays open is asked: whether a state is said or its opposite, and names that were only guessed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from assent.lift import lift
from assent.lift.entries import known_entries
from assent.lift.linker import Mention
from assent.lift.questions import AHEAD, OPPOSITE, questions
from assent.lift.words import split
from assent.vocabulary import Entry, Vocabulary

GATE = Entry("gate_open", "the gate is open")
ROOM = Vocabulary(propositions=(GATE, Entry("pump_on", "the pump is running")))


class _Alike:
    """How alike one word is to others; everything else has nothing in common."""

    def __init__(self, word: str, others: Mapping[str, float]) -> None:
        self.word, self.others = word, others

    def __call__(self, first: Sequence[str], second: Sequence[str]) -> NDArray[np.float32]:
        alike = [
            [self.others.get(b, 0.0) if a == self.word else float(a == b) for b in second] for a in first
        ]
        return np.array(alike, dtype=np.float32)


def asked(
    text: str, at: tuple[int, ...], others: Mapping[str, float], word: str = "slams"
) -> tuple[str, ...]:
    (known,) = known_entries((GATE,))
    return questions(split(text, frozenset()), [Mention(known, at)], _Alike(word, others))


@pytest.mark.parametrize(
    ("closed", "open_", "doubted"),
    [
        (OPPOSITE + 0.1, 0.0, True),
        (OPPOSITE - 0.1, 0.0, False),
        (0.8, 0.8 - AHEAD / 2, False),
        (0.6, 0.9, False),
    ],
)
def test_a_word_nearer_to_the_opposite_is_asked_about(closed: float, open_: float, doubted: bool) -> None:
    found = asked("the gate slams", (1, 2), {"closed": closed, "open": open_})
    assert any("gate_open is so, or that it is not" in question for question in found) is doubted


def test_what_the_table_knows_is_not_asked() -> None:
    assert asked("the gate is shut", (1, 3), {"closed": 0.9}, word="shut") == ()
    assert lift("the gate is shut until the pump runs", "ltl", ROOM).open == ()


def test_names_that_were_only_guessed_are_asked_for() -> None:
    assert asked("the portal slams", (1,), {}) == (
        "no word of any name was said: say at least one thing by its name",
    )
    assert asked("the gate slams", (1,), {}) == ()
