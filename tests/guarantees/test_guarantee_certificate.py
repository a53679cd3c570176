"""Certificates for one document: true with the stated probability over every possible draw, by enumeration."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest
from guarantee_harness import breaks
from scipy.stats import hypergeom

from assent.calibrate.certificate import AuditedStratum, audits_needed, certify, certify_strata, tail
from assent.errors import DataError, UsageError


def chance(population: int, marked: int, drawn: int, found: int) -> Fraction:
    return Fraction(comb(marked, found) * comb(population - marked, drawn - found), comb(population, drawn))


@pytest.mark.parametrize("confidence", ["0.5", "0.8", "0.95"])
def test_every_document_every_audit_every_outcome(confidence: str) -> None:
    """For all N <= 14, all true numbers wrong, all audits: P(the certificate is false) <= delta, in fractions."""
    delta = 1 - Fraction(confidence)
    tight = Fraction(0)
    for population in range(1, 15):
        for drawn in range(population + 1):
            bounds = [certify(population, drawn, k, confidence=confidence).at_most for k in range(drawn + 1)]
            for marked in range(population + 1):
                false = sum(
                    (chance(population, marked, drawn, k) for k in range(drawn + 1) if bounds[k] < marked),
                    start=Fraction(0),
                )
                assert false <= delta
                tight = max(tight, false)
    assert tight > delta * Fraction(3, 4)  # the bound is not merely large


def test_one_less_is_sometimes_false_too_often() -> None:
    delta, broken = Fraction(1, 5), False
    for marked in range(13):
        bounds = [max(k, certify(12, 4, k, confidence="0.8").at_most - 1) for k in range(5)]
        broken |= sum(chance(12, marked, 4, k) for k in range(5) if bounds[k] < marked) > delta
    assert broken


def test_auditing_on_until_it_looks_good() -> None:
    """Peeking: after each formula, stop if the certificate says at most 10 % wrong. Too often it is false."""
    rng = np.random.default_rng(41)
    fixed, stopped = [], []
    population, marked, aim = 200, 22, 20
    bounds = {}

    def bound(drawn: int, wrong: int) -> int:
        if (drawn, wrong) not in bounds:
            bounds[drawn, wrong] = certify(population, drawn, wrong, confidence="0.9").at_most
        return bounds[drawn, wrong]

    for _ in range(400):
        found = np.cumsum(rng.permutation(np.arange(population) < marked))
        fixed.append(bound(60, int(found[59])) < marked)
        stopped.append(any(bound(m, int(found[m - 1])) <= aim for m in range(15, 150, 3)))
    assert not breaks(fixed, 0.1)
    assert breaks(stopped, 0.1)


def test_auditing_what_looks_worst_is_no_draw_and_the_share_found_is_no_bound() -> None:
    rng = np.random.default_rng(42)
    share, lowest = [], []
    for _ in range(300):
        wrong = rng.permutation(np.arange(200) < 20)
        scores = rng.random(200) + 0.6 * wrong
        least = np.argsort(scores)[:50]  # the ones that look best are quickly read
        lowest.append(certify(200, 50, int(wrong[least].sum()), confidence="0.9").at_most < 20)
        drawn = rng.choice(200, 50, replace=False)
        share.append(int(wrong[drawn].sum()) * 4 < 20)
    assert breaks(lowest, 0.1)
    assert breaks(share, 0.1)


@pytest.mark.parametrize("confidence", ["0.8", "0.95"])
def test_strata_by_enumeration(confidence: str) -> None:
    """Two parts with their own draws: every pair of true numbers and every outcome."""
    delta = 1 - Fraction(confidence)
    (n1, m1), (n2, m2) = (9, 4), (6, 3)
    bound = {
        (a, b): certify_strata(
            [
                AuditedStratum(accepted=n1, audited=m1, wrong=a),
                AuditedStratum(accepted=n2, audited=m2, wrong=b),
            ],
            confidence=confidence,
        ).at_most
        for a, b in product(range(m1 + 1), range(m2 + 1))
    }
    for first, second in product(range(n1 + 1), range(n2 + 1)):
        false = sum(
            (
                chance(n1, first, m1, a) * chance(n2, second, m2, b)
                for a, b in bound
                if bound[a, b] < first + second
            ),
            start=Fraction(0),
        )
        assert false <= delta


def test_strata_pooled_as_one_draw_are_no_bound() -> None:
    """Ten of a bad part and ninety of a good one are not a hundred of the whole."""
    rng = np.random.default_rng(43)
    parts, pooled = [], []
    for _ in range(200):
        bad, good = rng.hypergeometric(60, 140, 10), rng.hypergeometric(0, 200, 90)
        strata = [
            AuditedStratum(accepted=200, audited=10, wrong=int(bad)),
            AuditedStratum(accepted=200, audited=90, wrong=int(good)),
        ]
        parts.append(certify_strata(strata, confidence="0.9").at_most < 60)
        pooled.append(certify(400, 100, int(bad + good), confidence="0.9").at_most < 60)
    assert not breaks(parts, 0.1)
    assert breaks(pooled, 0.1)


def test_one_stratum_is_the_plain_certificate_and_two_beat_separate_bounds() -> None:
    for wrong in range(5):
        one = certify_strata([AuditedStratum(accepted=80, audited=20, wrong=wrong)])
        assert one == certify(80, 20, wrong)
    two = certify_strata(
        [AuditedStratum(accepted=300, audited=45, wrong=0), AuditedStratum(accepted=100, audited=15, wrong=0)]
    )
    apart = certify(300, 45, 0, confidence="0.975").at_most + certify(100, 15, 0, confidence="0.975").at_most
    assert certify(400, 60, 0).at_most <= two.at_most < apart


def test_against_scipy_and_the_figures_of_the_documentation() -> None:
    for population, marked, drawn, at_most in [
        (400, 18, 60, 0),
        (1000, 50, 200, 7),
        (30, 30, 5, 4),
        (30, 2, 5, 3),
    ]:
        assert float(tail(population, marked, drawn, at_most)) == pytest.approx(
            hypergeom.cdf(at_most, population, marked, drawn), rel=1e-9, abs=1e-15
        )
    assert [certify(400, 60, k).at_most for k in (0, 1)] == [18, 28]  # 4.5 % and 7 %
    assert certify(412, 412, 3).at_most == 3 and certify(412, 0, 0).at_most == 412
    assert "at most 18 of these 400" in certify(400, 60, 0).sentence


@pytest.mark.parametrize("wrong", [0, 1, 3])
def test_audits_needed_is_the_least(wrong: int) -> None:
    for population, at_most in [(40, 5), (300, 15), (300, 3), (77, 0)]:
        needed = audits_needed(population, at_most, wrong=wrong)
        if wrong > at_most:
            assert needed is None
            continue
        assert needed is not None
        assert certify(population, needed, wrong).at_most <= at_most
        if needed > wrong:
            assert certify(population, needed - 1, wrong).at_most > at_most
    assert audits_needed(300, 15) == 50 and audits_needed(300, 300) == 0


def test_impossible_audits() -> None:
    for counts in [(10, 11, 0), (10, 5, 6), (10, 5, -1)]:
        with pytest.raises(DataError, match="cannot be"):
            certify(*counts)
    for confidence in ("0", "1", "x"):
        with pytest.raises(UsageError):
            certify(10, 5, 0, confidence=confidence)
    with pytest.raises(UsageError):
        certify_strata([])
