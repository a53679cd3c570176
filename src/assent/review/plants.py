"""Known wrong formulas, mixed into the queue to see how often reviewers call one right. They are never counted.

A plant takes an instruction whose right formula is settled and shows a mutation of that formula, proven to mean
something else, as if it were the candidate; the right formula is not among the readings. That is the hard
case, so the rate of those missed errs on the side of caution.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from assent.ledger.coin import coin
from assent.ledger.entries import Draw, Kind, LedgerPlan, Plant, digest, now, probability
from assent.ledger.log import Ledger
from assent.ledger.outcomes import Reviews
from assent.ledger.queue import open_looks
from assent.ledger.settle import ReviewState
from assent.logic.mutate import mutations
from assent.logic.render import write
from assent.review.card import item_of
from assent.review.meaning import readable


def plant(ledger: Ledger, plan: LedgerPlan) -> int:
    """Add known wrong formulas until there are as many as the plan says; how many are new."""
    picked = sum(draw.picked for draw in ledger.all(Draw, Kind.DRAW))
    wanted = math.ceil(probability(plan.plants, "plants") * picked) - ledger.counts().get(Kind.PLANT, 0)
    made = 0
    for found in _possible(ledger) if wanted > 0 else ():
        with ledger.writing("draw"):
            if ledger.entry(Kind.PLANT, found.id) is None:
                ledger.append(Kind.PLANT, found.id, found.decision, found)
                open_looks(ledger, found.id)
                made += 1
        if made >= wanted:
            break
    return made


def _possible(ledger: Ledger) -> Iterator[Plant]:
    """A plant for every instruction whose right formula is known and that has none yet, in a drawn order."""
    used = {entry.subject for entry in ledger.each(Kind.PLANT)}
    bases = sorted(
        (coin(ledger.secret, "plant", decision), decision, right)
        for decision, right in _known(ledger)
        if decision not in used
    )
    for toss, decision, right in bases:
        logic = item_of(ledger, decision).logic
        tree = readable(right, logic)
        if tree is None:
            continue
        for mutation in mutations(tree, seed=toss % (1 << 32), limit=1):
            wrong = write(mutation.formula)
            yield Plant(
                id=digest({"plant": decision, "wrong": wrong}),
                decision=decision,
                right=right,
                wrong=wrong,
                mutation=mutation.kind,
                made=now(),
            )


def _known(ledger: Ledger) -> Iterator[tuple[str, str]]:
    """Decisions with the formula that is right for them: a settled answer, or a reference that came along."""
    reviews = Reviews.read(ledger)
    for draw in ledger.all(Draw, Kind.DRAW):
        result = reviews.of(draw.decision, twice=draw.twice) if draw.picked else None
        if result is not None and result.state is ReviewState.SETTLED and result.formula is not None:
            yield draw.decision, result.formula
        elif isinstance(reference := _reference(ledger, draw), str):
            yield draw.decision, reference


def _reference(ledger: Ledger, draw: Draw) -> object:
    if draw.stratum == "nothing to read":
        return None
    return item_of(ledger, draw.decision).evidence.get("reference")
