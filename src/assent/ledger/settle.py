"""From the answers about one item to its label: pure functions of entries.

Looks 1 and 2 are blind; looks from 3 on settle: one where the first two disagree, one for every contest. The
last settling look has the last word, and as long as a look that settles is missing the item is open. Whatever
is open, or was never answered, counts as wrong.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from assent.ledger.entries import Contest, ReviewAnswer, Said

BLIND = 2
"""Looks up to this one are blind; the others settle."""


class ReviewState(StrEnum):
    """How far the review of an item is."""

    OPEN = "open"
    DISPUTED = "disputed"
    SETTLED = "settled"


@dataclass(frozen=True, slots=True)
class Settled:
    """The state of an item; ``wrong`` is its label (True unless it is settled as right)."""

    state: ReviewState
    wrong: bool
    answers: tuple[ReviewAnswer, ...] = ()
    """Live answers in the order of looks; the last one of a settled item is the one that counts."""

    @property
    def formula(self) -> str | None:
        """What a person said the instruction means, where that is settled."""
        return self.answers[-1].formula if self.state is ReviewState.SETTLED else None


def live(answers: Sequence[ReviewAnswer], undone: Collection[str]) -> dict[int, ReviewAnswer]:
    """The answer that stands, by look: not taken back, not a skip."""
    return {a.look: a for a in answers if a.id not in undone and a.said is not Said.SKIP}


def standing(contests: Sequence[Contest], undone: Collection[str]) -> int:
    """How many contests are against answers that have not been taken back."""
    return sum(contest.answer not in undone for contest in contests)


def looks_wanted(twice: bool, answers: Mapping[int, ReviewAnswer], contests: int) -> set[int]:
    """The looks that an item needs, answered ones included."""
    blind = {1, 2} if twice else {1}
    settling = max(contests, int(disagree(answers)))
    return blind | {BLIND + 1 + k for k in range(settling)} | set(answers)


def disagree(answers: Mapping[int, ReviewAnswer]) -> bool:
    """Whether both blind looks are there and their labels differ."""
    return 1 in answers and 2 in answers and answers[1].wrong != answers[2].wrong


def settle(twice: bool, answers: Mapping[int, ReviewAnswer], contests: int) -> Settled:
    """The label of an item, or why it has none yet."""
    given = tuple(answers[look] for look in sorted(answers))
    settling = {look for look in looks_wanted(twice, answers, contests) if look > BLIND}
    if not given:
        return Settled(ReviewState.OPEN, True)
    if settling - set(answers):
        return Settled(ReviewState.DISPUTED, True, given)
    return Settled(ReviewState.SETTLED, given[-1].wrong is not False, given)
