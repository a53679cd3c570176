"""Every item with what its answers come to, read from the log in one pass."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from assent.ledger.entries import Contest, Draw, Kind, Plant, ReviewAnswer
from assent.ledger.log import Ledger
from assent.ledger.settle import Settled, live, settle, standing


@dataclass(frozen=True, slots=True)
class Reviews:
    """What has been said about every item; ``of`` settles one."""

    answers: dict[str, list[ReviewAnswer]]
    contests: dict[str, list[Contest]]
    undone: frozenset[str]

    @classmethod
    def read(cls, ledger: Ledger) -> Reviews:
        answers: defaultdict[str, list[ReviewAnswer]] = defaultdict(list)
        contests: defaultdict[str, list[Contest]] = defaultdict(list)
        for answer in ledger.all(ReviewAnswer, Kind.ANSWER):
            answers[answer.item].append(answer)
        for contest in ledger.all(Contest, Kind.CONTEST):
            contests[contest.item].append(contest)
        undone = frozenset(entry.id for entry in ledger.each(Kind.UNDO))
        return cls(dict(answers), dict(contests), undone)

    def live(self, item: str) -> dict[int, ReviewAnswer]:
        """The answers that stand, by look."""
        return live(self.answers.get(item, []), self.undone)

    def of(self, item: str, *, twice: bool) -> Settled:
        """The label of an item, or that it has none yet."""
        return settle(twice, self.live(item), standing(self.contests.get(item, []), self.undone))


def drawn(ledger: Ledger) -> Iterator[tuple[Draw, Settled | None]]:
    """Every coin that was thrown, and for those picked what the answers come to."""
    reviews = Reviews.read(ledger)
    for draw in ledger.all(Draw, Kind.DRAW):
        yield draw, reviews.of(draw.decision, twice=draw.twice) if draw.picked else None


@dataclass(frozen=True, slots=True)
class Agreement:
    """How well reviewers do: two blind looks at one item, and known wrong formulas shown as candidates."""

    twice: int
    """Items with two blind answers."""
    agree: int
    disputed: int
    """Items whose settling look is missing."""
    both: int
    """Of those settled as wrong, how many both called wrong."""
    one: int
    """Of those settled as wrong, how many only one of the two called wrong."""
    plants: int
    """Known wrong formulas that somebody has answered."""
    missed: int
    """Of those, how many were called right."""


def agreement(ledger: Ledger) -> Agreement:
    """Read the log and count."""
    reviews = Reviews.read(ledger)
    twice = agree = disputed = both = one = 0
    for draw in ledger.all(Draw, Kind.DRAW):
        given = reviews.live(draw.decision)
        disputed += draw.picked and reviews.of(draw.decision, twice=draw.twice).state == "disputed"
        if 1 in given and 2 in given:
            twice += 1
            agree += given[1].wrong == given[2].wrong
            if (result := reviews.of(draw.decision, twice=draw.twice)).state == "settled" and result.wrong:
                called = (given[1].wrong is True) + (given[2].wrong is True)
                both += called == 2
                one += called == 1
    plants = [
        answer
        for plant in ledger.all(Plant, Kind.PLANT)
        if (answer := reviews.live(plant.id).get(1)) is not None
    ]
    return Agreement(
        twice=twice,
        agree=agree,
        disputed=disputed,
        both=both,
        one=one,
        plants=len(plants),
        missed=sum(answer.wrong is False for answer in plants),
    )
