"""The scores of evidence: one definition, for collecting, calibrating, reporting, watching and deciding.

Ratings become scores in exact arithmetic: a threshold is itself a score, so equal ones must compare equal.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from assent.errors import ModelError
from assent.logic.ast import Logic
from assent.prompting.roles import LABEL_VALUES, dimensions
from assent.records import Evidence
from assent.scoring import agreement
from assent.scoring import channels as ch

_SHARES = dict(zip(LABEL_VALUES, (Fraction(1), Fraction(1, 2), Fraction(0)), strict=True))


def disagreement(ratings: Mapping[str, object], logic: Logic) -> Fraction:
    """1 - mean agreement; anything but four clean ratings is a failure of the judge, never a number."""
    total = sum((_agreement(name, ratings.get(name), logic) for name in dimensions(logic)), Fraction(0))
    return 1 - total / 4


def _agreement(name: str, value: object, logic: Logic) -> Fraction:
    if logic is Logic.SPATIAL:
        if isinstance(value, str) and value in _SHARES:
            return _SHARES[value]
        raise ModelError(f"the judge's {name} is {value!r}, not match, partial or mismatch", retry=True)
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 100:
        return Fraction(value, 100)
    raise ModelError(f"the judge's {name} is {value!r}, not a whole number from 0 to 100", retry=True)


def suspicion(rating: int) -> Fraction:
    """The single question's score: 1 - rating/100."""
    if isinstance(rating, bool) or not 0 <= rating <= 100:
        raise ModelError(f"the single question was answered with {rating!r}, not 0 to 100")
    return 1 - Fraction(rating, 100)


OUTVOTED = "another meaning has more samples than the candidate's own"


def parts(evidence: Evidence) -> dict[str, Fraction]:
    """What the ratings and the samples of evidence say, as exact numbers.

    A candidate that cannot be read has 1 from every judge. Raises ModelError for ratings that are none.
    """
    logic, draft = evidence.instruction.logic, evidence.draft
    if draft is None:
        return {}
    found: dict[str, Fraction] = {}
    if draft.primary.formula is None:
        found |= dict.fromkeys(ch.JUDGES, Fraction(1))
    else:
        for name, ratings in (
            (ch.BACK_TRANSLATION, evidence.judge),
            (ch.DIRECT, evidence.direct_judge),
        ):
            if ratings is not None:
                found[name] = disagreement(ratings, logic)
        if evidence.single_question is not None:
            found[ch.SINGLE] = suspicion(evidence.single_question)
    if draft.samples and ch.SELF_CONSISTENCY not in evidence.censored:
        found[ch.SELF_CONSISTENCY] = agreement.score(draft.samples)
    return found


def scores(evidence: Evidence) -> dict[str, float]:
    """Every channel by name: those that were recorded, and those that the recorded parts allow.

    A recorded value wins; what is missing is computed. Scores that lazy scoring cut short stay the bounds they are.
    A candidate that cannot be read has 1 in the default channel, too.
    """
    recorded = {score.name: score.value for score in evidence.scores}
    if set(ch.CHANNELS) <= set(recorded):
        return recorded
    known = parts(evidence)
    computed = {
        name: float(value)
        for name, channel in ch.CHANNELS.items()
        if name not in recorded and name not in evidence.censored and (value := channel.of(known)) is not None
    }
    if evidence.draft is not None and evidence.formula is None:
        computed.setdefault(ch.DEFAULT, 1.0)
    return {**computed, **recorded}


def doubts(evidence: Evidence) -> tuple[str, ...]:
    """Why the candidate must not be accepted whatever its score: what was noted, and what its samples say."""
    draft = evidence.draft
    noted = evidence.doubts
    if draft is None or draft.primary.formula is None or OUTVOTED in noted:
        return noted
    return (*noted, OUTVOTED) if agreement.outvoted(draft.primary, draft.samples) else noted
