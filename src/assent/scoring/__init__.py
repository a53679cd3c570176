"""Scores: nonconformity in [0, 1], higher = more suspicious. One definition, for collecting, calibrating, reporting,
watching and deciding.

``scores(evidence)`` gives every channel, ``doubts(evidence)`` what forbids acceptance whatever the score.

A channel is what a policy thresholds: a function of the parts (round trip, self-consistency, judges) that is
non-decreasing in each of them, so that it lies between its values at the lower and at the upper bounds of the parts,
which lazy scoring needs. Ratings become scores in exact arithmetic: a threshold is itself a score, so
equal ones must compare equal.

Self-consistency counts how many samples of the same translator mean the same; the candidate is not one of them. An
unreadable sample is equal only to itself, and so is one whose equivalence with the others is not decided within the
budget.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from assent.errors import ModelError
from assent.logic.ast import Logic
from assent.prompting import LABEL_VALUES, dimensions
from assent.records import Candidate, Evidence

__all__ = ["doubts", "parts", "scores"]


BACK_TRANSLATION = "back_translation"
SELF_CONSISTENCY = "self_consistency"
FUSION = "fusion"
DEFAULT = "default"
"""What the embedded judge makes of all opinions: the channel that policies threshold unless told otherwise."""
DIRECT = "direct_judge"
SINGLE = "single_question"
SECOND_OPINION = "second_opinion"
"""What the embedded judge thinks of a candidate that others wrote or judge: part of no channel, a reason to doubt."""
CLEARLY_WRONG = 0.92
"""A second opinion above it is a doubt (``training/measure_second_opinion.py``, docs/hardening.md)."""
JUDGES = (BACK_TRANSLATION, DIRECT, SINGLE)

Parts = Mapping[str, Fraction]


@dataclass(frozen=True, slots=True)
class Channel:
    """A monotone function of named parts."""

    name: str
    parts: tuple[str, ...]
    combine: Callable[[Sequence[Fraction]], Fraction]

    def of(self, parts: Parts) -> Fraction | None:
        """The value, or None if a part was not recorded."""
        values = [parts[name] for name in self.parts if name in parts]
        return self.combine(values) if len(values) == len(self.parts) else None


def _mean(values: Sequence[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


CHANNELS = {
    channel.name: channel
    for channel in (
        Channel(BACK_TRANSLATION, (BACK_TRANSLATION,), _mean),
        Channel(SELF_CONSISTENCY, (SELF_CONSISTENCY,), _mean),
        Channel(FUSION, (BACK_TRANSLATION, SELF_CONSISTENCY), _mean),
        Channel(DIRECT, (DIRECT,), _mean),
        Channel(SINGLE, (SINGLE,), _mean),
        Channel("judges_mean", JUDGES, _mean),
        Channel("judges_max", JUDGES, max),
    )
}


@dataclass(frozen=True, slots=True)
class ScoreSpan:
    """Where a part must lie."""

    low: Fraction = Fraction(0)
    high: Fraction = Fraction(1)


def span(channel: Channel, parts: Mapping[str, ScoreSpan]) -> ScoreSpan:
    """Where the channel must lie, given where its parts must lie."""
    lows = [parts[name].low for name in channel.parts]
    highs = [parts[name].high for name in channel.parts]
    return ScoreSpan(channel.combine(lows), channel.combine(highs))


def meaning_labels(answers: Sequence[Candidate]) -> list[int]:
    """A cluster number for each answer: the same number, the same meaning."""
    if len({answer.formula for answer in answers}) <= 1 and all(answer.formula for answer in answers):
        return [0] * len(answers)  # the common case, decided without the decider
    from assent.logic.equivalence.clusters import cluster

    return cluster([answer.formula for answer in answers])


def largest_cluster(samples: Sequence[Candidate]) -> int:
    """Size of the largest group of equivalent samples; 0 without samples."""
    return max(Counter(meaning_labels(samples)).values(), default=0)


def outvoted(candidate: Candidate, samples: Sequence[Candidate]) -> bool:
    """Whether another meaning has more samples than the candidate's own."""
    if not samples:
        return False
    own, *others = meaning_labels((candidate, *samples))
    votes = Counter(others)
    return votes[own] < max(votes.values())


def consistency_bounds(largest: int, seen: int, total: int) -> tuple[Fraction, Fraction]:
    """What the score can still become after ``seen`` of ``total`` samples."""
    low = 1 - Fraction(largest + total - seen, total)
    return low, 1 - Fraction(max(largest, 1), total)


def self_consistency(samples: Sequence[Candidate]) -> Fraction:
    """1 - (largest cluster)/k over all k samples."""
    if not samples:
        raise ValueError("self-consistency needs at least one sample")
    return 1 - Fraction(largest_cluster(samples), len(samples))


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
    known: dict[str, Fraction] = {}
    if draft.primary.formula is None:
        known |= dict.fromkeys(JUDGES, Fraction(1))
    else:
        for name, ratings in (
            (BACK_TRANSLATION, evidence.judge),
            (DIRECT, evidence.direct_judge),
        ):
            if ratings is not None:
                known[name] = disagreement(ratings, logic)
        if evidence.single_question is not None:
            known[SINGLE] = suspicion(evidence.single_question)
    if draft.samples and SELF_CONSISTENCY not in evidence.censored:
        known[SELF_CONSISTENCY] = self_consistency(draft.samples)
    return known


def scores(evidence: Evidence) -> dict[str, float]:
    """Every channel by name: those that were recorded, and those that the recorded parts allow.

    A recorded value wins; what is missing is computed. Scores that lazy scoring cut short stay the bounds they are.
    A candidate that cannot be read has 1 in the default channel, too, and as second opinion where one is asked.
    """
    recorded = {score.name: score.value for score in evidence.scores}
    if set(CHANNELS) <= set(recorded):
        return recorded
    known = parts(evidence)
    computed = {
        name: float(value)
        for name, channel in CHANNELS.items()
        if name not in recorded and name not in evidence.censored and (value := channel.of(known)) is not None
    }
    if evidence.draft is not None and evidence.formula is None:
        computed.setdefault(DEFAULT, 1.0)
        if SECOND_OPINION in evidence.made_by:
            computed.setdefault(SECOND_OPINION, 1.0)
    return {**computed, **recorded}


SECOND = "second opinion: "
"""How every doubt of the second opinion begins."""
NOT_ASKED = f"{SECOND}it is part of how the evidence was made, and none is recorded: collect it again"


def doubts(evidence: Evidence) -> tuple[str, ...]:
    """Why the candidate must not be accepted whatever its score: what was noted, what its samples say, and what the
    embedded models think of it where they were asked."""
    draft, found = evidence.draft, evidence.doubts
    if draft is None or draft.primary.formula is None:
        return found
    if OUTVOTED not in found and outvoted(draft.primary, draft.samples):
        found = (*found, OUTVOTED)
    second = second_doubt(evidence)
    return found if second is None else (*found, second)


def second_doubt(evidence: Evidence) -> str | None:
    """What the second opinion has against a candidate, unless that is noted; one that was to be asked must be there."""
    if any(noted.startswith(SECOND) for noted in evidence.doubts):
        return None
    value = evidence.score(SECOND_OPINION)
    if value is None:
        return NOT_ASKED if SECOND_OPINION in evidence.made_by else None
    if value <= CLEARLY_WRONG:
        return None
    return (
        f"{SECOND}the embedded models, which obey no text, read the instruction otherwise ({value:.3f}, and at most "
        f"{CLEARLY_WRONG:g} is let through): compare the formula with the instruction, or say it in plainer words"
    )
