"""Formulas as a reviewer meets them: read, compared, said in English. The only place here that asks the decider."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assent.errors import AssentError, FormulaError, FragmentError
from assent.ledger import Said
from assent.logic.ast import Formula, Logic
from assent.logic.equivalence import Verdict, cluster, equivalent
from assent.logic.parse import read
from assent.logic.render import write
from assent.logic.semantics import Trace

MOST = 3
"""How many readings a person is shown at most."""


@dataclass(frozen=True, slots=True)
class ReviewedReading:
    """One meaning that an instruction may have."""

    formula: str
    tree: Formula


def readable(text: str, logic: str) -> Formula | None:
    """The formula that a text spells, or None."""
    try:
        return read(text, Logic(logic))
    except (FormulaError, FragmentError):
        return None


def readings(
    candidate: str, samples: Sequence[str], logic: str, *, without: str | None = None
) -> list[ReviewedReading]:
    """Up to three different meanings: the candidate's, then those of most samples.

    ``without`` is a formula whose meaning is left out (the right one, where the candidate is a known wrong one).
    """
    trees: list[Formula] = []
    given = [candidate, *([without] if without is not None else []), *samples]
    for text in given:
        tree = readable(text, logic)
        if tree is not None:
            trees.append(tree)
    if not trees:
        return []
    labels = cluster(trees)
    votes: dict[int, int] = {}
    for label in labels:
        votes[label] = votes.get(label, 0) + 1
    first = labels[0]
    if without is not None:
        votes.pop(labels[1], None)
        votes.setdefault(first, 1)
    chosen = sorted(votes, key=lambda label: (label != first, -votes[label], label))[:MOST]
    return [_reading(trees[labels.index(label)]) for label in chosen]


def _reading(tree: Formula) -> ReviewedReading:
    return ReviewedReading(write(tree), tree)


def in_english(tree: Formula) -> str:
    """Unambiguous English; the formula itself where there are no words for it."""
    from assent.logic.english import english

    try:
        return english(tree)
    except (AssentError, RecursionError):
        return write(tree)


def typed(text: str, logic: str) -> Formula:
    """What a reviewer typed, a formula or a sentence of the controlled English; ``FormulaError`` where neither."""
    from assent.logic.english import read_english

    try:
        return read(text, Logic(logic))
    except (FormulaError, FragmentError) as error:
        try:
            return read_english(text, logic)
        except (FormulaError, FragmentError):
            raise FormulaError(
                f"neither a formula ({str(error).splitlines()[0]}) nor a sentence of the controlled English"
            ) from error


def apart(one: Formula, other: Formula) -> Trace | None:
    """A short trace on which exactly one of the two holds, where the decider finds one."""
    try:
        return equivalent(one, other).witness
    except (AssentError, RecursionError):
        return None


def label(candidate: str | None, logic: str, said: Said, formula: str | None) -> tuple[bool | None, bool]:
    """Is the candidate wrong, and was that decided? What the decider cannot decide counts as wrong.

    A skip is no label (None). "None of these" and "cannot be said" make the candidate wrong: it is always among
    what was shown.
    """
    if said is Said.SKIP:
        return None, True
    if said is not Said.FORMULA or candidate is None or formula is None:
        return True, True
    one, other = readable(candidate, logic), readable(formula, logic)
    if one is None or other is None:
        return True, True
    try:
        verdict = equivalent(one, other).verdict
    except (AssentError, RecursionError):
        return True, False
    return verdict is not Verdict.EQUAL, verdict is not Verdict.UNKNOWN
