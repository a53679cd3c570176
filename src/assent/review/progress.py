"""How far a review is, in what the answers buy."""

from __future__ import annotations

import threading

from assent.errors import AssentError
from assent.ledger import LedgerPlan
from assent.ledger.draws import last_plan
from assent.ledger.log import Ledger
from assent.ledger.queue import remaining
from assent.review.certify import Audit
from assent.review.labels import label_rows
from assent.review.planning import Population

CONFIDENCE = "0.95"


def progress(ledger: Ledger) -> str:
    """One line: what is known by now, and what it will be when the open answers are in and right."""
    waiting, done = remaining(ledger)
    audit = Audit.read(ledger)
    line = f"{done} of {done + waiting} looks answered"
    if not audit.accepted or not audit.audited:
        return line
    now = audit.at_most(CONFIDENCE)
    line += f" · at most {now} of {audit.accepted} accepted wrong (95 %)"
    if audit.unanswered:
        then = audit.at_most(CONFIDENCE, hopeful=True)
        more = "1 more answer" if audit.unanswered == 1 else f"{audit.unanswered} more answers"
        line += f" · {more} → at most {then}, if right"
    return line


class Forecast:
    """What the next answers buy in alpha, worked out beside the review so that no key waits for it."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._said: str | None = None
        self._worker: threading.Thread | None = None

    def ask(self) -> None:
        """Start anew from the answers there are, unless the last question is still being worked on."""
        if self._worker is not None and self._worker.is_alive():
            return
        plan = last_plan(self._ledger)
        try:
            population = Population.of(label_rows(self._ledger))
        except AssentError:
            return  # too few answers yet: there is nothing to say
        if plan is not None:
            self._worker = threading.Thread(target=self._work, args=(population, plan), daemon=True)
            self._worker.start()

    def _work(self, population: Population, plan: LedgerPlan) -> None:
        try:
            self._said = population.sentence(plan)
        except (AssentError, ArithmeticError, ValueError):
            self._said = None

    def take(self) -> str | None:
        """The sentence, once; None while there is none."""
        found, self._said = self._said, None
        return found
