"""One reviewer at work, without a screen: the next card, an answer, an undo, a contest.

Every method that takes an answer returns after it is on disk. The terminal and every other front end sit on this.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field

from assent.errors import UsageError
from assent.ledger.entries import Contest, Draw, Kind, Plant, ReviewAnswer, Said, now
from assent.ledger.log import Ledger
from assent.ledger.outcomes import Reviews
from assent.ledger.queue import (
    Session,
    Task,
    claim,
    contest,
    give,
    last_answer,
    release,
    release_dead,
    undo,
)
from assent.ledger.settle import BLIND
from assent.logic.render import write
from assent.review.card import Card, card_of, item_of
from assent.review.meaning import label, typed


@dataclass
class Review:
    """The state of one run. ``card`` is what is being asked, None when nothing is left for this reviewer."""

    ledger: Ledger
    session: Session
    card: Card | None = None
    skipped: set[str] = field(default_factory=set)
    given: int = 0

    @classmethod
    def start(cls, ledger: Ledger, handle: str) -> Review:
        """Begin: what an earlier run of this handle left behind when it died is given back first."""
        session = Session.start(handle)
        release_dead(ledger, session)
        return cls(ledger, session)

    def advance(self) -> Card | None:
        """The next card."""
        task = claim(self.ledger, self.session, leave_out=self.skipped)
        self.card = None if task is None else card_of(self.ledger, task)
        return self.card

    def choose(self, number: int) -> ReviewAnswer:
        """The reading under a number is what the instruction means."""
        card = self._asked()
        chosen = [choice for choice in card.choices if choice.number == number]
        if not chosen:
            raise UsageError(f"there is no reading {number}")
        return self.say(Said.FORMULA, chosen[0].formula)

    def type(self, text: str) -> ReviewAnswer:
        """The reviewer's own formula or sentence, already read back to them."""
        return self.say(Said.FORMULA, write(typed(text, self._asked().logic)), text=text)

    def say(self, said: Said, formula: str | None = None, *, text: str | None = None) -> ReviewAnswer:
        """Write an answer down and go on to the next card."""
        card = self._asked()
        try:
            return self.write(said, formula, text=text)
        finally:
            if said is Said.SKIP:
                self.skipped.add(card.item)
            self.advance()

    def write(self, said: Said, formula: str | None = None, *, text: str | None = None) -> ReviewAnswer:
        """Write an answer down; there is no card afterwards."""
        card = self._asked()
        item = item_of(self.ledger, card.item)
        wrong, decided = label(item.candidate, card.logic, said, formula)
        answer = ReviewAnswer(
            id=secrets.token_hex(16),
            item=card.item,
            look=card.look,
            handle=self.session.handle,
            said=said,
            made=now(),
            wrong=wrong,
            decided=decided,
            formula=formula,
            typed=text,
        )
        self.card = None
        give(self.ledger, self.session, answer)
        self.given += said is not Said.SKIP
        return answer

    def undo(self) -> ReviewAnswer | None:
        """Take the latest answer of this handle back and ask again; None where there is none."""
        answer = last_answer(self.ledger, self.session.handle)
        if answer is None:
            return None
        self.leave()
        task = undo(self.ledger, self.session, answer)
        self.skipped.discard(answer.item)
        self.given = max(0, self.given - (answer.said is not Said.SKIP))
        if task is None:
            self.advance()
        else:
            self.card = card_of(self.ledger, task)
        return answer

    def contestable(self, most: int = 9) -> list[tuple[ReviewAnswer, str]]:
        """Recent answers that may be doubted, newest first, each with its instruction.

        Only where every blind look is done: nobody learns what another said before answering.
        """
        reviews = Reviews.read(self.ledger)
        plants = {plant.id for plant in self.ledger.all(Plant, Kind.PLANT)}
        found: list[tuple[ReviewAnswer, str]] = []
        for answer in reversed(list(self.ledger.all(ReviewAnswer, Kind.ANSWER))):
            standing = reviews.live(answer.item)
            if answer.item in plants or standing.get(answer.look) != answer:
                continue
            draw = self.ledger.get(Draw, Kind.DRAW, answer.item)
            if draw is not None and all(look in standing for look in range(1, BLIND + draw.twice)):
                found.append((answer, str(item_of(self.ledger, answer.item).evidence.get("text", ""))))
            if len(found) == most:
                break
        return found

    def contest(self, answer: ReviewAnswer, why: str) -> Contest:
        """Doubt an answer; one more look is opened."""
        made = contest(self.ledger, self.session, answer, why)
        if self.card is None:
            self.advance()
        return made

    def leave(self) -> None:
        """Give the card back unanswered."""
        if self.card is not None:
            release(self.ledger, self.session, Task(self.card.item, self.card.look))
            self.card = None

    def _asked(self) -> Card:
        if self.card is None:
            raise UsageError("there is nothing to answer")
        return self.card
