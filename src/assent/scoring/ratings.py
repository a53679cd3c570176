"""Ratings of judges as scores, in exact arithmetic: a threshold is itself a score, so equal ones must compare equal."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from assent.errors import ModelError
from assent.logic.ast import Logic
from assent.prompting.scales import LABELS, RATINGS

LABEL_VALUES = {"match": Fraction(1), "partial": Fraction(1, 2), "mismatch": Fraction(0)}


def dimensions(logic: Logic) -> tuple[str, ...]:
    """What a judge rates."""
    return LABELS if logic is Logic.SPATIAL else RATINGS


def disagreement(ratings: Mapping[str, object], logic: Logic) -> Fraction:
    """1 - mean agreement; anything but four clean ratings is a failure of the judge, never a number."""
    total = sum((_agreement(name, ratings.get(name), logic) for name in dimensions(logic)), Fraction(0))
    return 1 - total / 4


def _agreement(name: str, value: object, logic: Logic) -> Fraction:
    if logic is Logic.SPATIAL:
        if isinstance(value, str) and value in LABEL_VALUES:
            return LABEL_VALUES[value]
        raise ModelError(f"the judge's {name} is {value!r}, not match, partial or mismatch", retry=True)
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 100:
        return Fraction(value, 100)
    raise ModelError(f"the judge's {name} is {value!r}, not a whole number from 0 to 100", retry=True)


def suspicion(rating: int) -> Fraction:
    """The single question's score: 1 - rating/100."""
    if isinstance(rating, bool) or not 0 <= rating <= 100:
        raise ModelError(f"the single question was answered with {rating!r}, not 0 to 100")
    return 1 - Fraction(rating, 100)
