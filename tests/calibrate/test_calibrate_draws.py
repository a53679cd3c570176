"""Reviewed streams: what is refused, what counts, and the audited rule against its definition."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.calibrate import cluster_crc, crc
from assent.calibrate.anytime import advance, settled, start
from assent.calibrate.audited import audited_crc
from assent.calibrate.draws import DrawPlan, reviewed
from assent.calibrate.rules import Infeasible, Threshold
from assent.errors import DataError, UsageError

CHANCES = ("0.1", "0.3", "0.5", "1")
rows = st.lists(
    st.tuples(st.integers(0, 5), st.booleans(), st.booleans(), st.sampled_from(CHANCES), st.booleans()),
    min_size=1,
    max_size=25,
)


def definition(data: list[tuple[int, bool, bool, str, bool]], alpha: Fraction) -> set[int]:
    """Scores accepted by the formula itself, every candidate tried with fractions."""
    accepted: set[int] = set()
    for top in sorted({s for s, *_, away in data if not away}):
        lost = sum(
            (
                1 / Fraction(q)
                for s, drawn, wrong, q, away in data
                if drawn and wrong and not away and s <= top
            ),
            start=Fraction(0),
        )
        if lost + 10 <= alpha * (len(data) + 1):
            accepted = {s for s, *_ in data if s <= top}
    return accepted


@given(data=rows, alpha=st.sampled_from(["0.1", "0.5", "0.9", "1"]), copies=st.integers(1, 4))
def test_audited_rule_is_its_definition(
    data: list[tuple[int, bool, bool, str, bool]], alpha: str, copies: int
) -> None:
    data = [(s, drawn or q == "1", wrong, q, away) for s, drawn, wrong, q, away in data] * copies
    made = audited_crc(
        [s / 10 for s, *_ in data],
        [row[1] for row in data],
        [row[2] for row in data],
        [float(row[3]) for row in data],
        alpha=alpha,
        least="0.1",
        deferred=[row[4] for row in data],
    )
    taken = {s for s, *_ in data if made.accepts(s / 10)}
    # A threshold that every candidate passes accepts all scores, seen or not.
    everything = isinstance(made, Threshold) and made.value == 1.0
    expected = definition(data, Fraction(alpha))
    assert taken == expected or (everything and expected >= {s for s, *_, away in data if not away})


@given(seed=st.integers(0, 10**6), alpha=st.sampled_from(["0.05", "0.1", "0.3"]))
def test_everything_drawn_is_plain_risk_control(seed: int, alpha: str) -> None:
    rng = np.random.default_rng(seed)
    scores, wrong = rng.integers(0, 20, 60) / 20, rng.random(60) < 0.2
    names = rng.integers(0, 25, 60)
    plain, audited = (
        crc(scores, wrong, alpha=alpha),
        audited_crc(scores, np.ones(60), wrong, np.ones(60), alpha=alpha, least=1),
    )
    both = (
        cluster_crc(scores, wrong, names, alpha=alpha),
        audited_crc(scores, np.ones(60), wrong, np.ones(60), alpha=alpha, least=1, clusters=names),
    )
    for one, other in ((plain, audited), both):
        assert isinstance(one, Threshold) == isinstance(other, Threshold)
        if isinstance(one, Threshold) and isinstance(other, Threshold):
            assert (one.value, one.floor) == (other.value, other.floor)
            assert other.risk == pytest.approx(one.risk if one.unit == "pair" else one.cluster_risk)


def test_labels_without_a_probability_are_refused() -> None:
    for unknown in (np.nan, 0.0, 1.5, -0.1):
        with pytest.raises(DataError, match="position 1 has no probability"):
            audited_crc([0.1, 0.2], [1, 1], [0, 0], [0.5, unknown], alpha=0.1, least="0.5")
    with pytest.raises(DataError, match="less than the plan"):
        audited_crc([0.1, 0.2], [1, 1], [0, 0], [0.5, 0.4], alpha=0.1, least="0.5")
    with pytest.raises(DataError, match="for certain and was not"):
        audited_crc([0.1, 0.2], [1, 0], [0, 0], [0.5, 1.0], alpha=0.1, least="0.5")
    with pytest.raises(UsageError, match="above 0"):
        DrawPlan.of(0)
    # What can never be accepted needs no draw.
    audited_crc([0.1, 0.2], [1, 0], [0, 0], [0.5, np.nan], alpha=0.1, least="0.5", deferred=[0, 1])


def test_volunteered_labels_do_not_count_and_missing_answers_do() -> None:
    plan = DrawPlan.of("0.5")
    data = reviewed([0.1] * 4, [1, 1, 0, 0], [0, np.nan, 1, 0], [0.5] * 4, plan=plan)
    assert data.bad.tolist() == [False, True, False, False] and data.answers == 2
    with pytest.raises(DataError, match="neither 0"):
        reviewed([0.1] * 2, [1, 0], [2, 0], [0.5] * 2, plan=plan)


def test_plans_by_score() -> None:
    plan = DrawPlan.of([(0.3, "0.1"), (1.0, "0.5")])
    assert plan.least == Fraction(1, 10) and plan.up_to(10**8) == Fraction(1, 10)
    rising = DrawPlan.of([(0.3, "0.5"), (1.0, "0.1")])
    assert rising.up_to(3 * 10**8) == Fraction(1, 2) and rising.up_to(3 * 10**8 + 1) == Fraction(1, 10)
    assert rising.at(np.array([0, 3 * 10**8, 3 * 10**8 + 1, 10**9])).tolist() == [0.5, 0.5, 0.1, 0.1]
    for bad in ([(0.3, "0.1")], [(0.5, "0.1"), (0.5, "0.2"), (1.0, "1")], []):
        with pytest.raises(UsageError):
            DrawPlan.of(bad)


def test_a_plan_by_score_gives_more_than_its_least() -> None:
    """Where low scores are drawn often, the next low-scoring item cannot weigh much."""
    rng = np.random.default_rng(0)
    scores = np.round(rng.random(60), 2)
    chance = np.where(scores <= 0.5, 0.5, 0.05)
    drawn = rng.random(60) < chance
    by_score = audited_crc(
        scores, drawn, np.zeros(60), chance, alpha="0.1", least=[(0.5, "0.5"), (1.0, "0.05")]
    )
    flat = audited_crc(scores, drawn, np.zeros(60), chance, alpha="0.1", least="0.05")
    assert isinstance(by_score, Threshold) and by_score.value <= 0.5
    assert isinstance(flat, Infeasible) and flat.labels == 199 and "199 items" in flat.advice[0]


def test_clusters_are_drawn_whole_by_one_coin() -> None:
    with pytest.raises(DataError, match="in part"):
        audited_crc([0.1, 0.2], [1, 0], [0, 0], [0.5, 0.5], alpha=0.1, least="0.5", clusters="aa")
    with pytest.raises(DataError, match="different probabilities"):
        audited_crc([0.1, 0.2], [1, 1], [0, 0], [0.5, 0.6], alpha=0.1, least="0.5", clusters="aa")


def test_feeding_stops_at_an_open_draw() -> None:
    assert settled([0, 1, 1, 0], [np.nan, 0, np.nan, np.nan]) == 2
    assert settled([0, 1], [np.nan, 1]) == 2 and settled([], []) == 0


def test_bad_anytime_settings() -> None:
    for bad in ({"alpha": 0}, {"delta": 1}, {"least": 0}, {"grid": []}):
        with pytest.raises(UsageError):
            start(**{"grid": [0.5], "alpha": 0.1, "delta": 0.1, "least": 0.5, **bad})
    state = start([0.5], alpha=0.1, delta=0.1, least=0.5)
    with pytest.raises(DataError, match="guesses"):
        advance(state, [0.1], [1], [0], [0.5], guesses=[1.5])
    with pytest.raises(DataError, match="no probability"):
        advance(state, [0.1], [1], [0], [np.nan])
