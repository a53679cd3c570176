"""The review queue behind the service: what a worker does with the ledger for one reviewer.

Nothing is kept between two requests: a reviewer holds at most one look, under a name made of the handle, so that any
worker of any service finds it again. Closing a page loses nothing, and the lease runs out by itself.
"""

from __future__ import annotations

import msgspec

from assent.errors import DataError
from assent.ledger import Ledger, draw_new, volunteer
from assent.ledger.draws import next_plan
from assent.ledger.entries import Body, Kind, ReviewAnswer, Said, digest
from assent.ledger.queue import Session, TakenError, held, remaining
from assent.logic.render import write
from assent.review.card import card_of, item_of
from assent.review.given import read_answer, take
from assent.review.meaning import label, typed
from assent.review.plants import plant
from assent.review.progress import progress
from assent.review.session import Review
from assent.serve import schema
from assent.serve.problems import Problem

CONTESTABLE = 50
HOW = {"person": "chosen among the readings", "agent": "chosen by an agent"}
"""How a choice came about; neither was drawn, so neither calibrates."""


class Reviewing:
    """The queue of one ledger. Every method that takes an answer returns after it is on disk."""

    def __init__(self, where: str) -> None:
        self._where = where
        self._opened: Ledger | None = None

    @property
    def _ledger(self) -> Ledger:
        if self._opened is None:
            self._opened = Ledger.open(self._where)
        return self._opened

    def close(self) -> None:
        """Close the ledger if it was opened."""
        if self._opened is not None:
            self._opened.close()

    def next(self, body: Body) -> Body:
        """What this reviewer is asked: the look that is held, or the next of the queue, drawn before anybody looks."""
        ledger, skipped = self._ledger, set(body["skip"])
        plan = next_plan(ledger)
        draw_new(ledger, plan)
        plant(ledger, plan)
        review = self._review(body["handle"])
        task = held(ledger, review.session)
        if task is not None and task.item not in skipped:
            review.card = card_of(ledger, task)
        else:
            if task is not None:
                review.card = card_of(ledger, task)
                review.leave()
            review.skipped = skipped
            review.advance()
        return self._asked(review)

    def answer(self, body: Body) -> Body:
        """Take one answer; what was not drawn is kept as volunteered, what another holds is refused."""
        request = msgspec.convert(body, schema.AnswerRequest)
        row = msgspec.to_builtins(request)
        answer = read_answer({**row, "id": request.item}, "the answer", 1)
        review = self._review(body["handle"])
        task = held(self._ledger, review.session, request.item)
        if task is None or request.look not in (None, task.look):
            return self._unasked(body["handle"], {**row, "id": request.item})
        review.card = card_of(self._ledger, task)
        formula = None if answer.text is None else write(typed(answer.text, review.card.logic))
        entry = review.write(answer.said, formula, text=answer.text)
        return {"status": "skipped" if entry.said is Said.SKIP else "answered", "answer": entry.id}

    def _unasked(self, handle: str, row: Body) -> Body:
        if self._ledger.entry(Kind.PLANT, str(row["id"])) is not None:
            raise TakenError("this item is not yours (any more): ask for the next one")
        try:
            outcome = take(self._ledger, handle, [(1, row)], file="the answer")
        except DataError as error:
            raise Problem(422, "data", str(error)) from None
        if outcome.already:
            raise TakenError("answered before, or somebody else has this item: ask for the next one")
        status = "volunteered" if outcome.volunteered else "skipped" if outcome.skipped else "answered"
        return {"status": status, "answer": None}

    def undo(self, body: Body) -> Body:
        """Take the latest answer of this reviewer back and ask again."""
        review = self._review(body["handle"])
        task = held(self._ledger, review.session)
        if task is not None:
            review.card = card_of(self._ledger, task)
        undone = review.undo()
        if undone is None:
            raise Problem(409, "nothing-to-undo", "there is no answer of yours to take back")
        return {**self._asked(review), "undone": undone.id}

    def contestable(self, body: Body) -> Body:
        """Recent answers that may be doubted."""
        answers = self._review(body["handle"]).contestable(CONTESTABLE)
        return {
            "answers": [
                {
                    "answer": answer.id,
                    "item": answer.item,
                    "text": text,
                    "said": answer.said.value,
                    "formula": answer.formula,
                    "handle": answer.handle,
                    "made": answer.made,
                }
                for answer, text in answers
            ]
        }

    def contest(self, body: Body) -> Body:
        """Doubt an answer; one more look settles it."""
        request = msgspec.convert(body, schema.ContestRequest)
        review = self._review(body["handle"])
        answers = {answer.id: answer for answer, _ in review.contestable(CONTESTABLE)}
        if request.answer not in answers:
            if self._ledger.get(ReviewAnswer, Kind.ANSWER, request.answer) is None:
                raise Problem(404, "no-answer", "there is no such answer")
            raise Problem(409, "not-now", "this answer cannot be contested (yet)")
        return {"contest": review.contest(answers[request.answer], request.why).id}

    def draw(self, body: Body) -> Body:
        """Draw by a plan; later draws go on with it."""
        request = msgspec.convert(body, schema.PlanRequest)
        plan = next_plan(self._ledger, **msgspec.to_builtins(request))
        drawn = draw_new(self._ledger, plan)
        plant(self._ledger, plan)
        return {**msgspec.to_builtins(plan), "considered": drawn.considered, "picked": drawn.picked}

    def resolve(self, body: Body) -> Body:
        """Keep what somebody chose for a decision: volunteered, marked with who chose, calibrating nothing."""
        request = msgspec.convert(body, schema.ResolveRequest)
        if self._ledger.entry(Kind.DECISION, request.decision_id) is None:
            raise Problem(404, "no-decision", f"there is no decision {request.decision_id!r}")
        item = item_of(self._ledger, request.decision_id)
        if (request.formula is None) != request.none:
            raise Problem(422, "shape", "a choice is 'formula', or 'none' set to true")
        formula = None if request.formula is None else write(typed(request.formula, item.logic))
        verdict = Said.NONE if formula is None else Said.FORMULA
        wrong, _ = label(item.candidate, item.logic, verdict, formula)
        label_id = volunteer(
            self._ledger,
            request.decision_id,
            handle=body["handle"],
            formula=formula,
            wrong=wrong,
            how=HOW[request.by],
        )
        return {"label": label_id, "formula": formula, "how": HOW[request.by], "calibrates": False}

    def _review(self, handle: str) -> Review:
        session = Session.start(handle)  # checks the handle
        return Review(self._ledger, Session(handle, f"service/{digest(session.handle)}"))

    def _asked(self, review: Review) -> Body:
        waiting, answered = remaining(self._ledger)
        return {
            "card": msgspec.to_builtins(review.card),
            "waiting": waiting,
            "answered": answered,
            "progress": progress(self._ledger),
        }
