"""The band of a reviewed stream: it holds for every threshold at once, and two tempting shortcuts do not."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assent.calibrate.audited_band import AuditedBand, audited_band
from assent.calibrate.band import band, pair_reach
from assent.calibrate.rules import Infeasible, Threshold
from assent.errors import DataError, UsageError

LEVELS = np.arange(50) / 50
"""Scores; all are equally likely."""
ERROR = 0.3 + 0.4 * LEVELS
"""P(wrong) at each."""
TRUE = np.cumsum(ERROR) / 50
"""The risk of each as a threshold."""
DELTA, STREAMS = 0.1, 400
WORST = 58
"""Violations of 400 that a promise of 0.1 exceeds with probability below 0.002 (binomial)."""


def _stream(rng: np.random.Generator, n: int, audit: float, abstained: float) -> tuple[np.ndarray, ...]:
    """What scores at most 0.5 was accepted and is drawn with ``audit``, the rest with ``abstained``."""
    at = rng.integers(0, 50, n)
    wrong = rng.random(n) < ERROR[at]
    chance = np.where(LEVELS[at] <= 0.5, audit, abstained)
    drawn = rng.random(n) < chance
    return LEVELS[at], drawn, np.where(drawn, wrong, np.nan), chance


def _broken(thresholds: np.ndarray, bound: np.ndarray) -> bool:
    """Whether somebody who may choose the threshold after looking finds one with a higher risk than said."""
    at = np.rint(np.asarray(thresholds) * 50).astype(int)
    return bool((TRUE[at] > bound + 1e-9).any())


def _highs(found: AuditedBand) -> tuple[np.ndarray, np.ndarray]:
    points = found.points()
    return np.array([p.threshold for p in points]), np.array([p.alpha for p in points])


def test_it_holds_for_every_threshold_at_once_and_the_shortcuts_do_not() -> None:
    rng = np.random.default_rng(20)
    broken = {"band": 0, "as if all were one sample": 0, "as if all were answered": 0}
    for _ in range(STREAMS):
        scores, drawn, answers, chance = _stream(rng, 1200, 0.1, 0.5)
        found = audited_band(scores, drawn, answers, chance, delta=DELTA, least="0.1")
        broken["band"] += _broken(*_highs(found))
        # Shortcut: the answered rows as a sample of the stream. The accepted are too few among them.
        plain = band(scores[drawn], answers[drawn] == 1, delta=DELTA).points()
        broken["as if all were one sample"] += _broken(
            np.array([p.threshold for p in plain]), np.array([p.alpha for p in plain])
        )
        # Shortcut: the right weights, with the reach of as many answers as there are items.
        order = np.argsort(scores, kind="stable")
        bad = (answers == 1)[order] / chance[order]
        ends = np.searchsorted(scores[order], LEVELS, side="right") - 1
        weighted = np.cumsum(bad)[ends] / len(scores)
        broken["as if all were answered"] += _broken(LEVELS, weighted + pair_reach(len(scores), DELTA))
    assert broken["band"] <= WORST, broken
    assert broken["as if all were one sample"] > 2 * WORST, broken
    assert broken["as if all were answered"] > 2 * WORST, broken


def test_a_uniform_plan_is_a_smaller_sample() -> None:
    """The promise, and that it is not idle: the bound is reached in some streams."""
    rng = np.random.default_rng(21)
    broken = 0
    for _ in range(STREAMS):
        scores, drawn, answers, chance = _stream(rng, 600, 0.25, 0.25)
        found = audited_band(scores, drawn, answers, chance, delta=DELTA, least="0.25", uniform=True)
        narrow, wide = (
            found.reach,
            audited_band(scores, drawn, answers, chance, delta=DELTA, least="0.25").reach,
        )
        assert (narrow < wide).all()
        broken += _broken(*_highs(found))
    assert 0 < broken <= WORST


def test_it_holds_with_clusters() -> None:
    """Members share a cluster's taste for errors; the risk is that of a new cluster's members."""
    rng = np.random.default_rng(22)
    broken = 0
    for _ in range(STREAMS // 2):
        count, size = 200, 3
        at = rng.integers(0, 50, (count, size))
        wrong = rng.random(count)[:, None] < ERROR[at]  # one coin for the whole cluster
        chance = np.repeat(np.where(LEVELS[at[:, 0]] <= 0.5, 0.2, 0.5), size)
        drawn = np.repeat(rng.random(count), size) < chance
        names = np.repeat(np.arange(count), size).tolist()
        found = audited_band(
            LEVELS[at].ravel(), drawn, np.where(drawn, wrong.ravel(), np.nan), chance,
            delta=DELTA, least="0.2", clusters=names,
        )  # fmt: skip
        broken += _broken(*_highs(found))
    assert broken <= 33  # of 200; a promise of 0.1 exceeds it with probability below 0.002


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 9), st.booleans()), min_size=1, max_size=40))
def test_all_looked_at_is_the_plain_band(rows: list[tuple[int, bool]]) -> None:
    scores, wrong = np.array([s / 10 for s, _ in rows]), np.array([w for _, w in rows])
    ones = np.ones(len(rows))
    found = audited_band(scores, ones == 1, wrong, ones, delta=DELTA, least="1", uniform=True)
    plain = band(scores, wrong, delta=DELTA)
    assert np.allclose(found.seen, plain.seen) and np.allclose(found.reach, plain.reach)
    assert np.allclose(found.accepted, plain.accepted)
    for alpha in (0.05, 0.3, 0.6, 0.9):
        ours, theirs = found.rule(alpha), plain.rule(alpha)
        assert type(ours) is type(theirs)
        if isinstance(ours, Threshold) and isinstance(theirs, Threshold):
            assert (ours.accepts_all(scores) == theirs.accepts_all(scores)).all()


def test_a_stratum_costs_nothing_below_its_lowest_score_and_counts_as_wrong_where_nobody_looked() -> None:
    scores = np.repeat([0.1, 0.9], 500)
    chance = np.repeat([1.0, 0.5], 500)
    drawn = np.repeat([True, False], 500)
    found = audited_band(scores, drawn, np.zeros(1000), chance, delta=DELTA, least="0.5")
    assert found.seen.tolist() == [0.0, 0.5]
    assert found.reach[0] == found.reach[1] == pair_reach(1000, DELTA / 2)
    drawn[500:600] = True
    found = audited_band(scores, drawn, np.zeros(1000), chance, delta=DELTA, least="0.5")
    assert (
        found.seen.tolist() == [0.0, 0.0] and found.reach[0] == pair_reach(1000, DELTA / 2) < found.reach[1]
    )
    rule = found.rule("0.1")
    assert isinstance(rule, Threshold) and rule.value == 0.1 and rule.answers == 600 and rule.kind == "band"
    assert isinstance(found.rule("0.01"), Infeasible)


def test_an_answer_that_is_missing_is_wrong_and_unknown_probabilities_are_refused() -> None:
    scores, drawn, chance = np.full(100, 0.5), np.ones(100, dtype=bool), np.ones(100)
    none = audited_band(scores, drawn, np.full(100, np.nan), chance, delta=DELTA, least="1")
    assert none.seen.tolist() == [1.0]
    with pytest.raises(DataError, match="no probability"):
        audited_band(scores, drawn, np.zeros(100), np.full(100, np.nan), delta=DELTA, least="0.5")
    with pytest.raises(DataError, match="uniform plan"):
        audited_band(scores, drawn, np.zeros(100), chance, delta=DELTA, least="0.5", uniform=True)
    with pytest.raises(UsageError, match="delta"):
        audited_band(scores, drawn, np.zeros(100), chance, delta="0.7", least="1")
