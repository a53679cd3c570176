"""A certificate for one finite document: of these N accepted formulas, at most so many are wrong.

Nothing is assumed about where the requirements come from: the only chance is our own draw of those that are audited,
without replacement, after the threshold was fixed. All tails are exact, in whole numbers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import msgspec
import numpy as np
import numpy.typing as npt

from assent.calibrate import exact
from assent.calibrate.exact import Level
from assent.errors import DataError, UsageError


class Certificate(msgspec.Struct, frozen=True, kw_only=True):
    """With probability ``confidence`` over the draw, at most ``at_most`` of the ``accepted`` formulas are wrong."""

    accepted: int
    audited: int
    wrong: int
    at_most: int
    confidence: float

    @property
    def sentence(self) -> str:
        """The certificate in words."""
        return (
            f"at most {self.at_most} of these {self.accepted} accepted formulas are wrong "
            f"({self.confidence:.0%} confidence; {self.audited} audited, {self.wrong} of them wrong)"
        )


class AuditedStratum(msgspec.Struct, frozen=True, kw_only=True):
    """A part of the document with its own draw: accepted formulas, how many were audited, how many were wrong."""

    accepted: int
    audited: int
    wrong: int


def certify(accepted: int, audited: int, wrong: int, *, confidence: Level = "0.95") -> Certificate:
    """The certificate after an audit of ``audited`` formulas drawn uniformly without replacement.

    Promise: with probability ``confidence`` over the draw the statement is true, whatever the formulas are. The number
    to audit is fixed before the first is looked at (``audits_needed``): auditing on until it looks good voids it. A
    formula drawn and not answered counts as ``wrong``.
    """
    delta = _delta(confidence)
    _check(accepted, audited, wrong)
    return Certificate(
        accepted=accepted,
        audited=audited,
        wrong=wrong,
        at_most=most_wrong(accepted, audited, wrong, delta),
        confidence=float(1 - delta),
    )


def most_wrong(accepted: int, audited: int, wrong: int, delta: Fraction) -> int:
    """max{K: P(Hypergeometric(N, K, m) <= k) > delta}: no larger number of wrong ones is still believable."""
    low, high = wrong, accepted - (audited - wrong)
    # The tail falls with K; every K up to the wrong ones found has tail 1, and beyond ``high`` it is 0.
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (
            (middle, high) if tail_above(accepted, middle, audited, wrong, delta) else (low, middle - 1)
        )
    return low


def tail(population: int, marked: int, drawn: int, at_most: int) -> Fraction:
    """P(Hypergeometric(population, marked, drawn) <= at_most), exact."""
    return Fraction(_ways(population, marked, drawn, at_most), math.comb(population, drawn))


def tail_above(population: int, marked: int, drawn: int, at_most: int, delta: Fraction) -> bool:
    """Whether that tail is above delta, in whole numbers."""
    ways = _ways(population, marked, drawn, at_most)
    return ways * delta.denominator > delta.numerator * math.comb(population, drawn)


def _ways(population: int, marked: int, drawn: int, at_most: int) -> int:
    """How many draws hold at most so many marked ones; each term follows from the one before."""
    others = population - marked
    least, most = max(0, drawn - others), min(at_most, marked, drawn)
    if most < least:
        return 0
    term = total = math.comb(marked, least) * math.comb(others, drawn - least)
    for j in range(least, most):
        term = term * ((marked - j) * (drawn - j)) // ((j + 1) * (others - drawn + j + 1))
        total += term
    return total


def audits_needed(accepted: int, at_most: int, confidence: Level = "0.95", wrong: int = 0) -> int | None:
    """The fewest formulas to audit so that, with ``wrong`` of them found wrong, the certificate says ``at_most``.

    None if no number does: a complete audit finds ``wrong``, so that must not exceed ``at_most``.
    """
    delta = _delta(confidence)
    if accepted < 1 or at_most < 0 or wrong < 0:
        raise UsageError("the document needs at least one accepted formula, and counts are 0 or more")
    if wrong > at_most:
        return None
    if at_most >= accepted:
        return 0
    low, high = wrong, accepted
    while low < high:
        middle = (low + high) // 2
        enough = not tail_above(accepted, at_most + 1, middle, wrong, delta)
        low, high = (low, middle) if enough else (middle + 1, high)
    return low


def certify_strata(strata: Sequence[AuditedStratum], *, confidence: Level = "0.95") -> Certificate:
    """One certificate for a document audited in parts, each with its own uniform draw and its own number.

    Promise: as ``certify``, for the total. For true numbers K_h the tails P(Hypergeometric(N_h, K_h, m_h) <= k_h) are
    independent and each is at most u with probability at most u, so their product is compared with that of uniform
    numbers (Fisher); the bound is the largest total that is not refuted. It is smaller than the sum of separate
    bounds at delta/H, and valid for any number of parts fixed beforehand.
    """
    delta = _delta(confidence)
    if not strata:
        raise UsageError("there is nothing to certify: no stratum")
    for part in strata:
        _check(part.accepted, part.audited, part.wrong)
    budget = _fisher_budget(len(strata), float(delta))
    # cheapest[t]: the least -log of the product of tails with which t wrong ones in all are compatible.
    cheapest = np.zeros(1)
    for part in strata:
        cheapest = _joined(cheapest, _costs(part, budget))
    total = int(np.flatnonzero(cheapest <= budget).max())
    return Certificate(
        accepted=sum(part.accepted for part in strata),
        audited=sum(part.audited for part in strata),
        wrong=sum(part.wrong for part in strata),
        at_most=total,
        confidence=float(1 - delta),
    )


def _costs(part: AuditedStratum, budget: float) -> npt.NDArray[np.float64]:
    """-log of the tail for every number of wrong ones from 0 to all; infinite beyond the budget."""
    top = math.log(math.comb(part.accepted, part.audited))
    costs = np.full(part.accepted + 1, np.inf)
    costs[: part.wrong] = 0.0
    for marked in range(part.wrong, part.accepted - (part.audited - part.wrong) + 1):
        ways = _ways(part.accepted, marked, part.audited, part.wrong)
        costs[marked] = top - math.log(ways)
        if costs[marked] > budget:  # the tail only falls from here on
            break
    return costs


def _joined(first: npt.NDArray[np.float64], second: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The cheapest way to reach each total."""
    out = np.full(len(first) + len(second) - 1, np.inf)
    for at in np.flatnonzero(np.isfinite(first)):
        here = out[at : at + len(second)]
        np.minimum(here, first[at] + second, out=here)
    return out


def _fisher_budget(parts: int, delta: float) -> float:
    """The c with P(sum of that many -log uniforms > c) = delta, rounded up."""
    low, high = 0.0, 1000.0
    for _ in range(100):
        middle = (low + high) / 2
        above = math.exp(-middle) * sum(middle**i / math.factorial(i) for i in range(parts))
        low, high = (middle, high) if above > delta else (low, middle)
    return high + 1e-9


def _delta(confidence: Level) -> Fraction:
    level = exact.level(confidence, "the confidence")
    if not 0 < level < 1:
        raise UsageError(f"the confidence must lie between 0 and 1, not {confidence}")
    return 1 - level


def _check(accepted: int, audited: int, wrong: int) -> None:
    if not 0 <= wrong <= audited <= accepted:
        raise DataError(
            f"{wrong} wrong of {audited} audited of {accepted} accepted cannot be: each is part of the next"
        )
