"""Reviewers who sometimes call a wrong formula right: how often at most, and what that does to each promise.

Only this mistake can break a promise; a right formula called wrong costs acceptance and nothing else. The *miss rate*
is P(called right | wrong). It is bounded from planted mutants (known wrong formulas mixed into the queue, never
counted) or from double review (two blind looks, disagreements settled), with an exact one-sided bound. If no score
region is missed more often than that, the true risk is at most the observed one divided by 1 - miss rate, so every
rule runs at alpha (1 - miss rate) on what the reviewers said.
"""

from __future__ import annotations

import math
from fractions import Fraction

import msgspec

from assent.calibrate import binomial, exact
from assent.calibrate.certificate import Certificate
from assent.calibrate.exact import Level
from assent.errors import DataError, UsageError

SAFETY = 1e-9


class MissRate(msgspec.Struct, frozen=True, kw_only=True):
    """With probability 1 - ``delta`` a wrong formula is called right in at most ``at_most`` of the reviews.

    ``planted`` / ``missed``: mutants shown, and called right. ``both`` / ``one``: wrong formulas of a double review
    that both reviewers called wrong, and that only one of them did.
    """

    at_most: float
    delta: float
    planted: int = 0
    missed: int = 0
    both: int = 0
    one: int = 0


def miss_rate(*, delta: Level, planted: int = 0, missed: int = 0, both: int = 0, one: int = 0) -> MissRate:
    """A bound from mutants, from double review, or the larger of two bounds.

    Mutants: Clopper-Pearson for ``missed`` of ``planted``; assumes that reviewers miss mutants as often as real
    mistakes. Double review: wrong formulas that both miss are never seen, but of those seen a share 2r/(1 + r) was
    caught by one only if looks are independent with miss rate r, so the bound p for that share gives r = p/(2 - p).
    With both sources the larger bound is taken: it holds if either assumption does.
    """
    error = exact.level(delta, "delta")
    if not 0 < error < 1:
        raise UsageError(f"delta must lie between 0 and 1, not {delta}")
    if not (0 <= missed <= planted and both >= 0 and one >= 0):
        raise DataError(
            f"{missed} missed of {planted} planted, {both} and {one} caught: these counts cannot be"
        )
    if not planted and not both + one:
        raise DataError(
            "nothing says how often reviewers miss: plant known wrong formulas, or review a share twice"
        )
    bounds = []
    if planted:
        bounds.append(binomial.upper_bound(missed, planted, float(error)))
    if both + one:
        share = binomial.upper_bound(one, both + one, float(error))
        bounds.append(share / (2 - share))
    return MissRate(
        at_most=max(bounds), delta=float(error), planted=planted, missed=missed, both=both, one=one
    )


def observed_alpha(alpha: Level, misses: MissRate) -> Fraction:
    """The alpha to calibrate at on what reviewers said, so that the true risk is at most ``alpha``.

    For ``audited_crc`` (a promise on average) the bound's own delta is the whole of it: with probability 1 - delta over
    mutants and double reviews, the average promise holds. For ``anytime`` and ``high_probability`` give half of delta
    to the bound and half to the rule (``halves``). An error if reviewers miss everything for all that is known.
    """
    level = exact.level(alpha)
    if misses.at_most >= 1:
        raise UsageError("for all that is known reviewers miss every wrong formula: plant more mutants")
    return level * (1 - Fraction(misses.at_most))


def halves(delta: Level) -> Fraction:
    """Half of delta: one for the miss rate, one for the rule."""
    return exact.level(delta, "delta") / 2


def certify_noisy(
    accepted: int, audited: int, wrong: int, misses: MissRate, *, confidence: Level = "0.95"
) -> Certificate:
    """The certificate when reviewers may miss: ``wrong`` is what they *called* wrong.

    Of K wrong formulas X are drawn (hypergeometric) and each is called wrong with probability at least 1 - miss rate;
    at_most is the largest K under which so few calls are still believable. ``misses.delta`` and the certificate's own
    share make up 1 - confidence; misses of one formula and another are taken as independent.
    """
    delta = 1 - exact.level(confidence, "the confidence")
    own = delta - Fraction(misses.delta).limit_denominator(10**9)
    if not 0 < own < 1:
        raise UsageError(
            f"the miss rate uses up delta = {misses.delta:g} of {float(delta):g}: bound it with half of that (halves)"
        )
    if not 0 <= wrong <= audited <= accepted:
        raise DataError(f"{wrong} wrong of {audited} audited of {accepted} accepted cannot be")
    low, high = wrong, accepted
    while low < high:
        middle = (low + high + 1) // 2
        believable = _few_calls(accepted, middle, audited, wrong, misses.at_most) > float(own) * (1 - SAFETY)
        low, high = (middle, high) if believable else (low, middle - 1)
    return Certificate(
        accepted=accepted, audited=audited, wrong=wrong, at_most=low, confidence=float(1 - delta)
    )


def _few_calls(population: int, marked: int, drawn: int, at_most: int, missed: float) -> float:
    """P(at most so many calls): hypergeometric draws of marked ones, each called with 1 - missed."""
    total = 0.0
    logs = _log_comb(population, drawn)
    for found in range(max(0, drawn - (population - marked)), min(marked, drawn) + 1):
        chance = math.exp(_log_comb(marked, found) + _log_comb(population - marked, drawn - found) - logs)
        total += chance * binomial.cdf(at_most, found, 1 - missed)
    return total


def _log_comb(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)


class Price(msgspec.Struct, frozen=True, kw_only=True):
    """What imperfect reviewers cost: the alpha that remains, and answers for the same floor (``labels``, at least)."""

    miss_rate: float
    alpha_observed: float
    labels: int
    labels_noisy: int


def price(alpha: Level, misses: MissRate) -> Price:
    """How much of alpha the misses take, and how many labels the smallest feasible sample grows by.

    A plain or audited rule needs at least 1/alpha - 1 labels (times 1/q) before it may accept anything.
    """
    level, left = exact.level(alpha), observed_alpha(alpha, misses)
    if level == 0:
        raise UsageError("alpha = 0 cannot be certified by any finite sample")
    return Price(
        miss_rate=misses.at_most,
        alpha_observed=float(left),
        labels=math.ceil(1 / level - 1),
        labels_noisy=math.ceil(1 / left - 1),
    )


def plants_needed(rate: Level, delta: Level) -> int:
    """Mutants to plant so that, if none is missed, the miss rate is at most ``rate``."""
    limit, error = exact.level(rate, "the rate"), exact.level(delta, "delta")
    if not 0 < limit < 1 or not 0 < error < 1:
        raise UsageError("the rate and delta must lie between 0 and 1")
    planted = max(1, math.floor(math.log(error) / math.log(1 - limit)))
    while (1 - limit) ** planted > error:
        planted += 1
    return planted
