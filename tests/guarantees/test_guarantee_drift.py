"""The drift alarm and the running bound keep their false-alarm rate for ever; the shortcuts do not."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

import numpy as np
from guarantee_harness import breaks
from scipy.stats import binom

from assent.calibrate.drift import DriftAlarm, RiskSequence, watch

GAMMA = 0.05


def stream(rng: np.random.Generator, n: int, shift: float = 0.0) -> list[float]:
    """Tied scores on a grid of 50."""
    return (np.minimum(50, np.floor(50 * rng.random(n) ** (1 / (1 + shift)))) / 50).tolist()


def test_false_alarms_of_the_online_p_values_and_of_a_fixed_calibration_set() -> None:
    rng = np.random.default_rng(1)
    online, fixed = [], []
    for _ in range(250):
        calibration, items = stream(rng, 40), stream(rng, 600)
        uniforms = rng.random(600)
        alarm = DriftAlarm.start(calibration, gamma=GAMMA)
        online.append([alarm.add(s, float(u)) for s, u in zip(items, uniforms, strict=True)][-1].alarm)
        other, known = DriftAlarm.start([], gamma=GAMMA), sorted(calibration)
        highest = 0.0
        for score, u in zip(items, uniforms, strict=True):
            above = len(known) - bisect_right(known, score)
            equal = len(known) - above - bisect_left(known, score) + 1
            other._bet((above + u * equal) / (len(known) + 1))
            highest = max(highest, other.log_wealth)
        fixed.append(highest >= -np.log(GAMMA))
    assert not breaks(online, GAMMA)
    assert breaks(fixed, GAMMA)


def test_p_values_are_uniform() -> None:
    rng = np.random.default_rng(2)
    alarm = DriftAlarm.start(stream(rng, 50), gamma=GAMMA)
    values = np.array([alarm.add(s, float(rng.random())).p_value for s in stream(rng, 4000)])
    counts = np.histogram(values, bins=10, range=(0, 1))[0]
    assert ((counts - 400) ** 2 / 400).sum() < 33.7  # chi-squared, 9 degrees of freedom, 1e-4


def test_a_shift_is_found() -> None:
    rng = np.random.default_rng(3)
    rang = []
    for _ in range(40):
        alarm = DriftAlarm.start(stream(rng, 200), gamma=0.01)
        rang.append([alarm.add(s, float(rng.random())) for s in stream(rng, 500, shift=1.5)][-1].alarm)
    assert np.mean(rang) > 0.9


def test_once_rung_the_alarm_stays() -> None:
    alarm = DriftAlarm.start([0.1] * 100, gamma=0.1)
    for _ in range(60):
        alarm.add(0.9, 0.5)
    assert alarm.alarm
    assert alarm.add(0.1, 0.5).alarm


def test_running_bound_holds_at_all_times_and_repeated_intervals_do_not() -> None:
    rng = np.random.default_rng(4)
    rate, missed, peeked = 0.1, [], []
    for _ in range(200):
        wrong = rng.random(400) < rate
        running, bad = RiskSequence(gamma=GAMMA), False
        for t, one in enumerate(wrong, start=1):
            running.add(bool(one))
            if t in (10, 20, 40, 70, 100, 150, 200, 250, 300, 350, 400):
                low, high = running.interval()
                bad |= not low <= rate <= high
        missed.append(bad)
        counts, times = np.cumsum(wrong), np.arange(1, 401)
        low_tail, high_tail = binom.cdf(counts, times, rate), binom.sf(counts - 1, times, rate)
        peeked.append(bool((np.minimum(low_tail, high_tail) < GAMMA / 2).any()))
    assert not breaks(missed, GAMMA)
    assert breaks(peeked, GAMMA)


def test_running_bound_finds_a_risk_above_alpha() -> None:
    running = RiskSequence()
    assert running.interval() == (0.0, 1.0)
    for k in range(300):
        running.add(k % 4 == 0)
    low, high = running.interval()
    assert low < 0.25 < high and high - low < 0.2
    assert running.above(0.1) and not running.above(0.25)


def test_watching_a_whole_stream_is_repeatable() -> None:
    rng = np.random.default_rng(5)
    calibration, items = stream(rng, 100), stream(rng, 300, shift=3.0)
    first, second = watch(calibration, items, gamma=0.01), watch(calibration, items, gamma=0.01)
    assert first.alarm and first == second and first.items == 300
    assert not watch(calibration, [], gamma=0.01).alarm
