"""Plans against the rules themselves on fresh streams."""

from __future__ import annotations

import numpy as np
import pytest

from assent.calibrate import Threshold
from assent.calibrate.anytime import advance, even_grid, rule, start
from assent.calibrate.audited import audited_crc
from assent.calibrate.certificate import certify
from assent.calibrate.planner import PlanRow, plan, say
from assent.errors import UsageError


@pytest.fixture(scope="module")
def mine() -> tuple[np.ndarray, np.ndarray]:
    scores = np.round(np.random.default_rng(0).beta(1, 1.5, 400), 3)
    return scores, scores**2


@pytest.fixture(scope="module")
def rows(mine: tuple[np.ndarray, np.ndarray]) -> list[PlanRow]:
    scores, rate = mine
    return plan(
        scores,
        probabilities=rate,
        q_accepted="0.2",
        q_abstained="0.5",
        limit=0.4,
        alphas=["0.1", "0.2"],
        longest=3000,
    )


def test_what_is_planned_is_what_fresh_streams_need(
    mine: tuple[np.ndarray, np.ndarray], rows: list[PlanRow]
) -> None:
    scores, rate = mine
    rng = np.random.default_rng(1)
    for row in rows:
        if row.rule == "certificate":
            continue
        assert row.items is not None and row.answers is not None
        bought, answers = [], []
        for _ in range(60):
            at = rng.integers(0, 400, row.items)
            chance = np.where(scores[at] <= 0.4, 0.2, 0.5)
            drawn, wrong = rng.random(row.items) < chance, rng.random(row.items) < rate[at]
            if row.rule == "audited":
                made = audited_crc(scores[at], drawn, wrong, chance, alpha=row.alpha, least="0.2")
            else:
                state = start(even_grid(scores), alpha=row.alpha, delta="0.1", least="0.2")
                made = rule(advance(state, scores[at], drawn, wrong, chance, guesses=rate[at]))
            share = made.accepts_all(scores).mean() if isinstance(made, Threshold) else 0.0
            bought.append(share >= 0.5 * row.attainable)
            answers.append(drawn.sum())
        # Bought in 4 of 5 streams of the plan (20 of them); 60 fresh ones may differ by three standard errors of both.
        assert np.mean(bought) >= 0.8 - 3 * (0.16 * (1 / 20 + 1 / 60)) ** 0.5
        assert np.mean(answers) == pytest.approx(row.answers, rel=0.15)


def test_more_answers_for_a_smaller_alpha(rows: list[PlanRow]) -> None:
    for name in ("audited", "anytime", "certificate"):
        small, large = (row for row in rows if row.rule == name)
        assert large.answers is not None and (small.answers is None or small.answers > large.answers)
    audited, anytime = (next(r for r in rows if r.rule == name) for name in ("audited", "anytime"))
    assert (anytime.answers or 0) > (audited.answers or 0)  # to sign costs more than an average


def test_the_certificate_row_certifies(mine: tuple[np.ndarray, np.ndarray], rows: list[PlanRow]) -> None:
    scores, rate = mine
    rng = np.random.default_rng(2)
    row = next(r for r in rows if r.rule == "certificate" and r.alpha == 0.2)
    inside = rate[scores <= 0.4]
    assert row.items == len(inside) and row.answers is not None
    passed = []
    for _ in range(100):
        wrong = rng.random(len(inside)) < inside
        found = int(rng.permutation(wrong)[: row.answers].sum())
        passed.append(certify(len(inside), row.answers, found, confidence="0.9").at_most <= 0.2 * len(inside))
    assert np.mean(passed) > 0.6


def test_labels_in_place_of_probabilities_and_a_hopeless_alpha() -> None:
    rng = np.random.default_rng(3)
    scores = np.zeros(200)  # one score for all: nothing separates
    wrong = rng.random(200) < 0.3
    rows = plan(scores, wrong=wrong, q_accepted=1, q_abstained=1, alphas=["0.1"], longest=300, draws=5)
    assert all(row.answers is None for row in rows if row.rule != "certificate")
    assert say(rows, "audited", 0) == "no smaller alpha of the plan is in reach"


def test_the_sentence() -> None:
    rows = [PlanRow("anytime", alpha, 100, answers, 0.5, 0.8) for alpha, answers in ((0.1, 50), (0.08, 114))]
    assert say(rows, "anytime", 100) == "14 more answers → alpha = 0.08"
    assert say(rows, "anytime", 49) == "1 more answer → alpha = 0.1"
    assert "no smaller" in say(rows, "anytime", 200) and "no smaller" in say(rows, "audited", 0)


def test_bad_plans() -> None:
    given = {"q_accepted": "0.5", "q_abstained": "0.5"}
    for bad in (
        {"scores": [0.1]},
        {"scores": [0.1], "wrong": [0], "probabilities": [0.1]},
        {"scores": [], "wrong": []},
        {"scores": [0.1], "probabilities": [1.5]},
        {"scores": [0.1], "wrong": [0], "q_accepted": 0},
        {"scores": [0.1], "wrong": [0], "worth": 0},
    ):
        scores = bad.pop("scores")
        with pytest.raises(UsageError):
            plan(scores, **{**given, **bad})


def test_a_document_of_another_size(mine: tuple[np.ndarray, np.ndarray]) -> None:
    scores, _ = mine
    rows = plan(
        scores,
        probabilities=np.zeros(400),
        q_accepted=1,
        q_abstained=1,
        document=300,
        delta="0.05",
        alphas=["0.05"],
        longest=30,
        draws=3,
    )
    row = next(r for r in rows if r.rule == "certificate")
    assert (row.items, row.answers) == (300, 50)
