"""Watching: healthy streams stay quiet, sick ones are found, and the estimator that was advised is caught."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest
from guarantee_harness import breaks

from assent.calibrate.drift import RiskSequence, watch
from assent.calibrate.watching import RiskWatch, drift_feed, observe, watch_risk
from assent.errors import DataError, UsageError

ALPHA, GAMMA = 0.1, 0.05


def stream(rng: np.random.Generator, n: int, error: float) -> tuple[np.ndarray, ...]:
    """Half is accepted; of these ``error`` are wrong, so the joint risk is error/2; 0.3 of these are drawn."""
    accepted = rng.random(n) < 0.5
    wrong = rng.random(n) < np.where(accepted, error, 0.6)
    chance = np.where(accepted, 0.3, 0.1)
    return accepted, rng.random(n) < chance, wrong, chance


def test_healthy_streams_and_labels_of_the_accepted_only() -> None:
    """Joint risk exactly alpha: the weighted bounds ring in at most gamma/2, labels of the accepted nearly always."""
    rng = np.random.default_rng(51)
    weighted, missed, naive = [], [], []
    for _ in range(200):
        accepted, drawn, wrong, chance = stream(rng, 1000, error=0.2)
        state, out = watch_risk(alpha=ALPHA, least="0.3", gamma=GAMMA), False
        for cut in np.array_split(np.arange(1000), 5):
            state = observe(state, accepted[cut], drawn[cut], wrong[cut], chance[cut])
            low, high = state.interval()
            out |= not low <= ALPHA <= high
        weighted.append(state.above_alpha())
        missed.append(out)
        labels = RiskSequence(gamma=GAMMA)
        for one in wrong[accepted & drawn]:
            labels.add(bool(one))
        naive.append(labels.above(ALPHA))
    assert not breaks(weighted, GAMMA / 2)
    assert not breaks(missed, GAMMA)
    assert np.mean(naive) > 0.6


def test_bounds_cover_the_risk_at_all_times() -> None:
    rng = np.random.default_rng(52)
    for error in (0.02, 0.6):
        missed = []
        for _ in range(100):
            accepted, drawn, wrong, chance = stream(rng, 800, error)
            state, out = watch_risk(alpha=ALPHA, least="0.3", gamma=GAMMA), False
            for cut in np.array_split(np.arange(800), 8):
                state = observe(state, accepted[cut], drawn[cut], wrong[cut], chance[cut])
                low, high = state.interval()
                out |= not low <= error / 2 <= high
            missed.append(out)
        assert not breaks(missed, GAMMA)


def test_a_sick_stream_is_found_and_the_bounds_close() -> None:
    rng = np.random.default_rng(53)
    found, widths = [], []
    for _ in range(30):
        state = observe(watch_risk(alpha=ALPHA, least="0.3"), *stream(rng, 2000, error=0.4))
        found.append(state.above_alpha())
        widths.append(np.ptp(state.interval()))
    assert np.mean(found) > 0.9
    assert np.mean(widths) < 0.12


def test_counting_undrawn_as_right_without_weights_hides_a_sick_stream() -> None:
    rng = np.random.default_rng(54)
    unweighted = []
    for _ in range(50):
        accepted, drawn, wrong, _ = stream(rng, 2000, error=0.4)
        labels = RiskSequence(gamma=GAMMA)
        for one in accepted & drawn & wrong:
            labels.add(bool(one))
        unweighted.append(labels.interval()[1] >= 0.2)  # covers the true risk?
    assert np.mean(unweighted) < 0.05


def test_labels_without_a_probability_are_refused() -> None:
    state = watch_risk(alpha=ALPHA, least="0.3")
    with pytest.raises(DataError, match="no probability"):
        observe(state, [1, 0], [1, 0], [0, np.nan], [np.nan, np.nan])
    after = observe(state, [1, 0], [1, 0], [0, np.nan], [0.3, np.nan])  # an abstention needs none
    assert after.items == 2 and after.answers == 1
    with pytest.raises(UsageError):
        watch_risk(alpha=0, least="0.3")


def test_state_is_stored_and_resumed() -> None:
    rng = np.random.default_rng(55)
    parts = stream(rng, 3000, error=0.2)
    whole = observe(watch_risk(alpha="0.123", least="0.3"), *parts)
    state = watch_risk(alpha="0.123", least="0.3")
    for cut in np.array_split(np.arange(3000), 7):
        stored = msgspec.json.decode(msgspec.json.encode(state), type=RiskWatch)
        state = observe(stored, *(part[cut] for part in parts))
    assert state.interval() == whole.interval() and 0.123 in state.rates


def test_sorted_files_ring_in_their_own_order_and_not_in_keyed_order() -> None:
    rng = np.random.default_rng(56)
    shuffled, as_given, changed = [], [], []
    for run in range(150):
        calibration = np.round(rng.random(100), 2)
        file = np.sort(np.round(rng.random(400), 2))
        names = [f"row {run}/{k}" for k in range(400)]
        order = drift_feed(names, key="policy 7")
        shuffled.append(watch(calibration, file[order].tolist(), gamma=GAMMA, seed=run).alarm)
        as_given.append(watch(calibration, file.tolist(), gamma=GAMMA, seed=run).alarm)
        other = np.sort(np.round(rng.random(400) ** 0.4, 2))
        changed.append(watch(calibration, other[order].tolist(), gamma=GAMMA, seed=run).alarm)
    assert not breaks(shuffled, GAMMA)
    assert np.mean(as_given) > 0.95
    assert np.mean(changed) > 0.95


def test_what_stays_out() -> None:
    names = [f"r{k}" for k in range(8)]
    order = drift_feed(names, key="k", deferred=[1, 0, 0, 0, 0, 0, 0, 0], clusters=["a"] * 4 + list("bcde"))
    assert len(order) == 5 and 0 not in order and len({*order} & {1, 2, 3}) == 1
    assert sorted(drift_feed(names, key="k").tolist()) == list(range(8))
    assert drift_feed(names, key="k").tolist() != drift_feed(names, key="l").tolist()
    # One order for one set of rows, wherever they stand in the file.
    turned = drift_feed(names[::-1], key="k")
    assert [names[::-1][at] for at in turned] == [names[at] for at in drift_feed(names, key="k")]
    blocks = drift_feed(names, key="k", blocks=[0, 0, 0, 0, 1, 1, 1, 1])
    assert sorted(blocks[:4].tolist()) == [0, 1, 2, 3]
    with pytest.raises(UsageError, match="key"):
        drift_feed(names, key="")


def test_censored_scores_are_refused_or_a_drawn_share_is_watched() -> None:
    names = [f"r{k}" for k in range(4)]
    with pytest.raises(DataError, match="lazy scoring"):
        drift_feed(names, key="k", censored=[0, 1, 0, 0])
    assert sorted(drift_feed(names, key="k", censored=[0, 1, 0, 0], complete=[1, 0, 1, 0]).tolist()) == [0, 2]
    with pytest.raises(DataError, match="'r1'"):
        drift_feed(names, key="k", censored=[0, 1, 0, 0], complete=[1, 1, 0, 0])


def test_watching_whatever_was_not_cut_short_rings_falsely() -> None:
    """Low scores are decided early and cut: the rest is no sample of the stream. A drawn share is."""
    rng = np.random.default_rng(57)
    left_over, drawn = [], []
    for run in range(100):
        calibration, scores = rng.random(100), rng.random(400)
        cut = (scores < 0.4) & (rng.random(400) < 0.8)
        coin = rng.random(400) < 0.3
        names = [f"{run}/{k}" for k in range(400)]
        order = drift_feed(names, key="k", censored=cut & ~coin, complete=coin)
        drawn.append(watch(calibration, scores[order].tolist(), gamma=GAMMA, seed=run).alarm)
        left_over.append(watch(calibration, scores[~cut].tolist(), gamma=GAMMA, seed=run).alarm)
    assert not breaks(drawn, GAMMA)
    assert breaks(left_over, GAMMA)


def test_clusters_enter_as_one_draw_each() -> None:
    """Fifteen members alike: counted one by one they ring for a healthy stream; as clusters they do not."""
    rng = np.random.default_rng(58)
    by_cluster, by_member = [], []
    for _ in range(80):
        names = np.repeat(np.arange(80), 15)
        wrong = (rng.random(80) < ALPHA)[names]
        drawn, chance = (rng.random(80) < 0.5)[names], np.full(1200, 0.5)
        state = watch_risk(alpha=ALPHA, least="0.5", gamma=GAMMA)
        by_cluster.append(observe(state, np.ones(1200), drawn, wrong, chance, clusters=names).above_alpha())
        by_member.append(observe(state, np.ones(1200), drawn, wrong, chance).above_alpha())
    assert not breaks(by_cluster, GAMMA / 2)
    assert breaks(by_member, GAMMA / 2)
