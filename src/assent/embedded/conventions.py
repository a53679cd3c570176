"""What a project means where English leaves it open: weights for signs of a formula beside words of its text.

"Until" may promise an end ("until: U") or not ("until: W"), "if ever" may speak of once or of every time. Such weights
come from a project's own rows (``assent train``) and stand in ``rerank.json``, where a person can read and change them:

    U           the formula has a strong until           ^G      it begins with "always"
    ->2>F       "eventually" right behind an implication  until: U   a strong until where the text says "until"
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from assent.errors import ModelError
from assent.lift import Lifted
from assent.logic.ast import (
    EVER,
    Always,
    And,
    Compare,
    Dist,
    Eventually,
    Formula,
    Iff,
    Implies,
    Next,
    Not,
    Or,
    Relation,
    Release,
    StrongRelease,
    Until,
    WeakUntil,
    children,
    window,
)

MOST = 4000
"""Weights in a file."""
LARGEST = 50.0
_SIGNS: dict[type, str] = {
    **{Not: "!", And: "&", Or: "|", Implies: "->", Iff: "<->", Next: "X", Always: "G", Eventually: "F"},
    **{Until: "U", Release: "R", WeakUntil: "W", StrongRelease: "M"},
}
_SIDED = frozenset(["->", "U", "U[]", "W", "R", "M"])


def traits(lifted: Lifted, formula: Formula) -> frozenset[str]:
    """The signs of a reading, by themselves and beside each word of its text."""
    signs = frozenset(_signs(formula))
    words = {token for token in lifted.tokens if token.isalpha()}
    return signs | {f"{word}: {sign}" for word in words for sign in signs}


def leaning(weights: Mapping[str, float], lifted: Lifted, formula: Formula) -> float:
    """What the weights of its traits say of a reading; the same sum whatever their order."""
    return math.fsum(weights[trait] for trait in traits(lifted, formula) & weights.keys())


def _signs(formula: Formula) -> Iterator[str]:
    """Each operator, and each where it stands: "^" first of all, else behind its parent (and which side of it)."""
    waiting = [(formula, "^")]
    while waiting:
        node, place = waiting.pop()
        sign = _sign(node)
        if not sign:
            continue
        joined = sign in "&|" and place == f"{sign}>"  # "a and b and c" is one list
        if not joined:
            yield sign
            yield f"{place}{sign}"
        for number, part in enumerate(children(node), start=1):
            waiting.append((part, f"{sign}{number if sign in _SIDED else ''}>"))


def _sign(node: Formula) -> str:
    """How an operator, a comparison or a relation is written; nothing for a plain name."""
    match node:
        case Compare(left, op):
            return f"dist{op}" if isinstance(left, Dist) else op
        case Relation(name):
            return name
    sign = _SIGNS.get(type(node), "")
    return sign if not sign or window(node) == EVER else f"{sign}[]"


def checked(content: object, source: str) -> dict[str, float]:
    """The weights as a file has them; ModelError where they are none."""
    if not isinstance(content, dict) or len(content) > MOST:
        raise ModelError(f"{source}: 'conventions' must be an object of at most {MOST} weights")
    for trait, weight in content.items():
        number = isinstance(weight, int | float) and not isinstance(weight, bool)
        if not number or not -LARGEST <= weight <= LARGEST:
            raise ModelError(f"{source}: the weight of {trait!r} must be a number of at most {LARGEST:g}")
    return {str(trait): float(weight) for trait, weight in content.items()}
