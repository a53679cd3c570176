"""The words that the writer and the reader of controlled English share."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final

from assent.logic.ast import Comparator

UNIT: Final = "time units"

# A relation is said "<a> <words> <b>", negated "<a> <negated words> <b>"; the three-place ones join b and c
# with the third entry.
RELATION_WORDS: Final[dict[str, tuple[str, str, str | None]]] = {
    "leftOf": ("is left of", "is not left of", None),
    "rightOf": ("is right of", "is not right of", None),
    "above": ("is above", "is not above", None),
    "below": ("is below", "is not below", None),
    "closeTo": ("is close to", "is not close to", None),
    "farFrom": ("is far from", "is not far from", None),
    "touch": ("touches", "does not touch", None),
    "ovlp": ("overlaps", "does not overlap", None),
    "partOvlp": ("partly overlaps", "does not partly overlap", None),
    "enclIn": ("is enclosed in", "is not enclosed in", None),
    "between": ("is between", "is not between", "and"),
    "closerTo": ("is closer to", "is not closer to", "than to"),
    "oriented": ("is oriented towards", "is not oriented towards", None),
}

COMPARATOR_WORDS: Final[dict[Comparator, str]] = {
    "<": "less than",
    "<=": "at most",
    ">": "greater than",
    ">=": "at least",
    "==": "equal to",
    "!=": "different from",
}

# Words that stand where a name could stand; a name that looks like one of them is quoted.
RESERVED: Final = frozenset(
    "after all and at both does either exactly falsity for hold holds if is it minus neither none nor not or "
    "overlaps partly than the then these throughout touches truth until up".split()
)

PLAIN_NAME: Final = re.compile(r"[^\W\d]\w*(?:\.\w+)*")


def quote(text: str) -> str:
    """The text in double quotes."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def name(text: str) -> str:
    """A name as given, in quotes if it could be taken for something else."""
    if PLAIN_NAME.fullmatch(text) and text.casefold() not in RESERVED:
        return text
    return quote(text)


def singular(unit: str) -> str:
    """``time units`` -> ``time unit``; short units such as ``s`` have no plural."""
    return unit[:-1] if len(unit) > 2 and unit.endswith("s") else unit


def number(value: Fraction) -> str:
    """An exact decimal where there is one, otherwise ``1 over 3``; negative ones begin with ``minus``."""
    if value < 0:
        return "minus " + number(-value)
    if value.denominator == 1:
        return str(value.numerator)
    places, scale = 0, value.denominator
    for prime in (2, 5):
        power = 0
        while scale % prime == 0:
            scale, power = scale // prime, power + 1
        places = max(places, power)
    if scale != 1:
        return f"{value.numerator} over {value.denominator}"
    digits = str(value.numerator * 10**places // value.denominator).rjust(places + 1, "0")
    return f"{digits[:-places]}.{digits[-places:]}"
