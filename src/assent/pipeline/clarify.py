"""Abstentions that help: the best readings in unambiguous English, a trace on which they differ, and what to do."""

from __future__ import annotations

import re
from dataclasses import replace

from assent.errors import AssentError
from assent.logic.ast import Formula, Logic
from assent.policy.decide import UNNAMED
from assent.records import Abstained, Candidate, Draft, Reading, Reason
from assent.scoring import meaning_labels

MOST = 3
_FIGURE = re.compile(
    r"(?<![\w.])\d+(?!\w*[.,]?\d*\s*(?:steps?|cycles?|ticks?|turns?|times)\b)", re.IGNORECASE
)


def clarify(decision: Abstained) -> Abstained:
    """The abstention with its readings and advice, where there is a draft to read; an aid, so it never raises."""
    advised = replace(decision, advice=advice(decision))
    draft = decision.evidence.draft
    if draft is None:
        return advised
    try:
        options = readings(draft)
        told_apart = difference(options[0].formula, options[1].formula) if len(options) > 1 else None
        return replace(advised, readings=options, difference=told_apart)
    except (AssentError, ArithmeticError, RecursionError, ValueError):
        return advised


def readings(draft: Draft) -> tuple[Reading, ...]:
    """Up to three meanings among candidate and samples, most votes first, the candidate before its equals."""
    from assent.logic.english import english

    answers = [answer for answer in (draft.primary, *draft.samples) if answer.formula is not None]
    votes: dict[int, int] = {}
    first: dict[int, Formula] = {}
    for label, answer in zip(meaning_labels(answers), answers, strict=True):
        votes[label] = votes.get(label, 0) + 1
        first.setdefault(label, _formula(answer))
    ranked = sorted(votes, key=lambda label: -votes[label])[:MOST]
    return tuple(Reading(first[label], english(first[label]), votes[label]) for label in ranked)


def _formula(answer: Candidate) -> Formula:
    assert answer.formula is not None
    return answer.formula


def difference(first: Formula, second: Formula) -> str | None:
    """A shortest trace on which one holds and the other does not, drawn in text."""
    from assent.logic.draw import timing_text
    from assent.logic.equivalence import equivalent

    witness = equivalent(first, second).witness
    return None if witness is None else timing_text(witness)


def advice(decision: Abstained) -> tuple[str, ...]:
    """What a person can do next."""
    evidence, steps = decision.evidence, []
    if evidence.unread:
        words = ", ".join(f"{span.text!r}" for span in evidence.unread[:4])
        steps.append(f"say {words} in other words, or add a name for it to the vocabulary")
    if evidence.instruction.logic is Logic.LTL and _FIGURE.search(evidence.instruction.text):
        steps.append(
            "LTL counts steps and measures nothing: if the figure is a value or a time, ask for STL "
            "(--logic stl, in Python load('stl'))"
        )
    if decision.reason is Reason.OUT_OF_DOMAIN:
        steps.append(
            "say it in shorter, plainer sentences (Whenever …, … within … s), one requirement at a time"
        )
    if decision.detail == UNNAMED:
        steps.append(
            "name what your sentences speak of: --vocabulary FILE, in Python vocabulary=FILE ('assent vocabulary' "
            "proposes one)"
        )
    if decision.reason is Reason.INFEASIBLE and decision.detail != UNNAMED:
        steps.append("label more rows and calibrate again, or allow a larger alpha")
    if evidence.draft is not None and evidence.formula is not None:
        steps.append(
            "choose one of the readings if it is what you mean (--ask, in Python decision.readings), or see it with "
            "--show-unvouched"
        )
    return tuple(steps)
