"""Abstentions that help: the best readings in unambiguous English, and a trace on which they differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from assent.errors import AssentError
from assent.logic.ast import Formula, Logic
from assent.records import Abstained, Alternative, Candidate, Draft, Reason

MOST = 3
_USEFUL = {Reason.SUSPICIOUS, Reason.INFEASIBLE}


@dataclass(frozen=True, slots=True)
class _Meaning:
    formula: str
    tree: Formula
    votes: int


def clarify(decision: Abstained) -> Abstained:
    """The abstention with its readings, where there is a draft to read; an aid, so it never raises."""
    evidence = decision.evidence
    if evidence.draft is None or decision.reason not in _USEFUL:
        return decision
    try:
        found = readings(evidence.draft, evidence.instruction.logic)
        return msgspec.structs.replace(
            decision,
            alternatives=tuple(Alternative(m.formula, _english(m.tree), m.votes) for m in found),
            difference=difference(found[0].tree, found[1].tree) if len(found) > 1 else None,
        )
    except (AssentError, ArithmeticError, RecursionError, ValueError):
        return decision


def readings(draft: Draft, logic: Logic) -> list[_Meaning]:
    """Up to three meanings among candidate and samples, most votes first, the candidate before its equals."""
    answers: Sequence[Candidate] = (draft.primary, *draft.samples)
    counts: dict[str, int] = {}
    for answer in answers:
        if answer.formula is not None:
            counts[answer.formula] = counts.get(answer.formula, 0) + 1
    trees = [(formula, draft_tree) for formula, draft_tree in _trees(answers, logic).items()]
    if not trees:
        return []
    labels = [0]
    if len(trees) > 1:
        from assent.logic.equivalence.cluster import cluster

        labels = cluster([tree for _, tree in trees])
    merged: dict[int, _Meaning] = {}
    for label, (formula, tree) in zip(labels, trees, strict=True):
        before = merged.get(label)
        votes = counts[formula] + (before.votes if before else 0)
        merged[label] = _Meaning(*((before.formula, before.tree) if before else (formula, tree)), votes)
    return sorted(merged.values(), key=lambda meaning: -meaning.votes)[:MOST]


def _trees(answers: Sequence[Candidate], logic: Logic) -> dict[str, Formula]:
    found: dict[str, Formula] = {}
    for answer in answers:
        tree = answer.tree(logic)
        if answer.formula is not None and tree is not None:
            found.setdefault(answer.formula, tree)
    return found


def difference(left: Formula, right: Formula) -> str | None:
    """A shortest trace on which one holds and the other does not, drawn in text."""
    from assent.logic.draw import timing_text
    from assent.logic.equivalence import equivalent

    witness = equivalent(left, right).witness
    return None if witness is None else timing_text(witness)


def _english(tree: Formula) -> str:
    from assent.logic.english import english

    return english(tree)
