"""Certificates from a ledger: true as often as they say, whatever the clusters; the shortcut that is not is caught."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from review_cases import meant, rows
from scipy.stats import binom

from assent.calibrate.certificate import certify
from assent.calibrate.noisy import certify_noisy, halves, miss_rate
from assent.errors import UsageError
from assent.ledger import Ledger, LedgerPlan, draw_new, record_all
from assent.ledger.outcomes import Agreement, agreement
from assent.ledger.queue import waiting
from assent.ledger.transfer import export
from assent.review.certify import Audit, _Unit
from assent.review.given import take
from assent.review.session import Review
from ledger_places import decision

CONFIDENCE = "0.95"
DRAWS = 3000


def _audit(sizes: np.ndarray, wrong: np.ndarray, q: np.ndarray, picked: np.ndarray) -> Audit:
    """What ``Audit.read`` would count: whole clusters drawn, every drawn member answered."""
    audit = Audit(requirements=int(sizes.sum()), accepted=int(sizes.sum()))
    for n, (size, bad, chance, took) in enumerate(zip(sizes, wrong, q, picked, strict=True)):
        audit.units[str(n)] = _Unit(str(chance), bool(took), int(size), int(bad) if took else 0)
        audit.audited += int(size) if took else 0
    return audit


WORLDS = [
    # sizes of clusters, wrong members in each, probability of each
    (np.ones(60, int), np.r_[np.ones(6, int), np.zeros(54, int)], np.full(60, 0.3)),
    (np.r_[np.full(5, 10), np.ones(50, int)], np.r_[np.full(3, 10), np.zeros(52, int)], np.full(55, 0.4)),
    (np.full(40, 3), np.r_[np.full(4, 1), np.zeros(36, int)], np.r_[np.full(20, 0.2), np.full(20, 0.6)]),
    (np.ones(30, int), np.ones(30, int), np.full(30, 0.1)),
]


@pytest.mark.parametrize("world", range(len(WORLDS)))
def test_the_certificate_is_true_as_often_as_it_says(world: int) -> None:
    """3,000 draws of a fixed document; a certificate that fails more than 5 % of them would pass here with 1e-6."""
    sizes, wrong, q = WORLDS[world]
    rng = np.random.default_rng(world)
    draws, counts = np.unique(rng.random((DRAWS, len(q))) < q, axis=0, return_counts=True)
    failures = sum(
        int(count)
        for picked, count in zip(draws, counts, strict=True)
        if _audit(sizes, wrong, q, picked).at_most(CONFIDENCE) < wrong.sum()
    )
    assert binom.sf(failures - 1, DRAWS, 0.05) > 1e-6


def test_counting_members_of_clusters_as_if_drawn_one_by_one_is_caught() -> None:
    """The tempting shortcut: the hypergeometric bound over formulas, though clusters are drawn whole."""
    sizes, wrong, q = WORLDS[1]
    rng = np.random.default_rng(0)
    failures = 0
    for _ in range(500):
        picked = rng.random(len(q)) < q
        audited, found = int(sizes[picked].sum()), int(wrong[picked].sum())
        failures += certify(int(sizes.sum()), audited, found, confidence=CONFIDENCE).at_most < wrong.sum()
    assert binom.sf(failures - 1, 500, 0.05) < 1e-6


def _program(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "assent", *arguments], capture_output=True, text=True, check=False
    )


def _reviewed(place: str, *, skip: int = 0) -> None:
    """Thirty accepted and six abstained; half the accepted drawn; all but ``skip`` of them answered as meant."""
    with Ledger.open(place, create=True) as ledger:
        record_all(ledger, rows(36, accepted=30))
        draw_new(ledger, LedgerPlan(audit="0.5", abstained="1", twice="0", plants="0"))
        review = Review.start(ledger, "ann")
        while (card := review.advance()) is not None:
            if int(card.id[1:]) >= skip:
                review.type(meant(int(card.id[1:])))
            else:
                review.skipped.add(card.item)
            review.leave()


def test_the_fields_of_the_certificate(place: str) -> None:
    _reviewed(place)
    done = _program("certify", place, "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    with Ledger.open(place) as ledger:
        audit = Audit.read(ledger)
    assert (found["requirements"], found["accepted"], found["abstained"]) == (36, 30, 6)
    assert (found["audited"], found["unanswered"], found["confidence"]) == (audit.audited, 0, 0.95)
    picked = [unit for unit in audit.units.values() if unit.picked]
    wrong = sum(unit.wrong for unit in picked)
    assert found["wrong_found"] == wrong
    assert found["at_most_wrong"] == certify(30, len(picked), wrong).at_most
    assert found["joint_at_most"] == found["at_most_wrong"] / 36


def test_what_is_drawn_and_not_answered_counts_as_wrong(tmp_path: Path) -> None:
    whole, part = str(tmp_path / "whole.db"), str(tmp_path / "part.db")
    _reviewed(whole)
    with Ledger.open(whole) as ledger:
        secret = ledger.secret
    with Ledger.open(part, create=True) as ledger:
        ledger.db.run("UPDATE assent_meta SET value = ? WHERE key = 'secret'", (secret.hex(),))
    _reviewed(part, skip=20)
    with Ledger.open(whole) as one, Ledger.open(part) as other:
        full, half = Audit.read(one), Audit.read(other)
        assert half.unanswered > 0
        assert (full.audited, full.unanswered) == (half.audited, 0)
        certified = half.certificate(CONFIDENCE)
        assert certified.wrong_found >= half.unanswered
        assert (
            half.at_most(CONFIDENCE) > full.at_most(CONFIDENCE) >= half.at_most(CONFIDENCE, hopeful=True) - 3
        )


def test_an_exported_ledger_certifies_the_same(tmp_path: Path) -> None:
    place, lines = str(tmp_path / "l.db"), tmp_path / "all.jsonl"
    _reviewed(place)
    with Ledger.open(place) as ledger:
        lines.write_bytes(b"".join(export(ledger)))
    assert _program("certify", str(lines), "--json").stdout == _program("certify", place, "--json").stdout


def test_nothing_is_certified_before_everything_was_drawn(tmp_path: Path) -> None:
    place = str(tmp_path / "l.db")
    with Ledger.open(place, create=True) as ledger:
        record_all(ledger, [decision(n) for n in range(3)])
        with pytest.raises(UsageError, match="not been drawn"):
            Audit.read(ledger)
    assert _program("certify", place).returncode == 2


def test_reviewers_who_may_miss_cost(tmp_path: Path) -> None:
    """Plants answered rightly bound the miss rate; the certificate then says more than without."""
    from assent.review.plants import plant

    place = str(tmp_path / "l.db")
    _reviewed(place)
    with Ledger.open(place) as ledger:
        assert plant(ledger, LedgerPlan(audit="0.5", abstained="1", plants="0.5")) > 5
        review = Review.start(ledger, "bob")
        from assent.ledger import Said

        while review.advance() is not None:
            review.write(Said.NONE)
        audit, seen = Audit.read(ledger), agreement(ledger)
        assert (seen.plants > 5, seen.missed) == (True, 0)
        assert audit.certificate(CONFIDENCE, seen).at_most_wrong > audit.certificate(CONFIDENCE).at_most_wrong
    assert _program("certify", place, "--noisy").returncode == 0


def test_answers_from_a_file_make_the_same_certificate(tmp_path: Path) -> None:
    place = str(tmp_path / "l.db")
    with Ledger.open(place, create=True) as ledger:
        record_all(ledger, rows(30))
        draw_new(ledger, LedgerPlan(audit="1", abstained="1", twice="0", plants="0"))
        answers = [(n + 1, {"id": f"r{n}", "formula": meant(n)}) for n in range(30)]
        assert take(ledger, "ann", answers, file="a").answered == 30
        certified = Audit.read(ledger).certificate(CONFIDENCE)
        assert (certified.audited, certified.wrong_found, certified.at_most_wrong) == (30, 10, 10)


def test_a_front_end_that_answers_every_card_answers_known_wrong_formulas_too(tmp_path: Path) -> None:
    """What ``--cards`` prints is answered by its ``item``: a card that was refused would give the plant away."""
    from assent.review.plants import plant

    with Ledger.open(tmp_path / "l.db", create=True) as ledger:
        record_all(ledger, rows(30))
        plan = LedgerPlan(audit="1", abstained="1", twice="0", plants="0.2")
        draw_new(ledger, plan)
        take(ledger, "ann", [(n, {"id": f"r{n}", "formula": meant(n)}) for n in range(30)], file="a")
        before, planted = Audit.read(ledger), plant(ledger, plan)
        answers = [(n, {"id": task.item, "none": True}) for n, task in enumerate(waiting(ledger))]
        found = take(ledger, "bob", answers, file="b")
        assert (found.answered, found.volunteered) == (planted, 0) == (6, 0)
        assert take(ledger, "bob", answers, file="b").already == 6
        assert agreement(ledger).plants == 6
        assert Audit.read(ledger) == before


def _noisy_world(rng: random.Random, miss: float) -> tuple[Audit, int]:
    """Two strata, clusters of one or two, right or wrong as a whole; reviewers miss a wrong formula now and then."""
    audit, truth = Audit(), 0
    for name, q, count, bad in (("a", "0.5", 60, 0.3), ("b", "0.9", 40, 0.5)):
        for n in range(count):
            size = rng.choice((1, 1, 1, 2))
            wrong = [rng.random() < bad] * size
            unit = _Unit(q, rng.random() < float(q), size=size)
            if unit.picked:
                unit.wrong = sum(one and rng.random() >= miss for one in wrong)
            audit.units[f"{name}{n}"] = unit
            audit.accepted += size
            truth += sum(wrong)
    return audit, truth


def _planted(plants: int, missed: int) -> Agreement:
    return Agreement(twice=0, agree=0, disputed=0, both=0, one=0, plants=plants, missed=missed)


def test_reviewers_who_miss_with_strata_and_clusters() -> None:
    """Untrue in at most 1 of 10 worlds; without the miss rate, in more. 200 worlds: 1 in 700 fails by chance."""
    rng, untrue, careless, worlds, miss = random.Random(5), 0, 0, 200, 0.5
    for _ in range(worlds):
        audit, truth = _noisy_world(rng, miss)
        seen = _planted(60, sum(rng.random() < miss for _ in range(60)))
        untrue += audit.at_most_if_missed("0.9", seen) < truth
        careless += audit.at_most("0.9") < truth
    assert untrue <= 34, "P(Binomial(200, 0.1) >= 35) is below 1/700"
    assert careless >= 35


def test_reviewers_who_never_miss_cost_little() -> None:
    """One stratum without clusters: what certify_noisy says; never below what is known to be wrong."""
    audit = Audit(accepted=40, audited=20)
    for n in range(40):
        audit.units[str(n)] = _Unit("0.5", n < 20, size=1, wrong=int(n < 2))
    seen = _planted(200, 0)
    half = halves(Fraction(1, 10))
    misses = miss_rate(delta=half, planted=200, missed=0)
    assert audit.at_most_if_missed("0.9", seen) == certify_noisy(40, 20, 2, misses, confidence="0.9").at_most
    assert Audit().at_most_if_missed("0.9", seen) == 0
