"""The threshold that moves: P(ever a bad one in use) <= delta, exactly on a tiny world and by simulation."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product

import msgspec
import numpy as np
import pytest
from guarantee_harness import World, breaks

from assent.calibrate.anytime import Anytime, advance, even_grid, in_use, rule, settled, start
from assent.calibrate.betting import Bets, play
from assent.calibrate.rules import Infeasible, Threshold
from assent.errors import DataError, UsageError
from assent.review import promise
from assent.review.labels import LabelColumns

ALPHA, DELTA = 0.1, 0.1
GRID = [k / 20 for k in range(1, 21)]


def ever_above(world: World, state: Anytime) -> bool:
    """Whether a threshold with a true risk above alpha has passed (what has passed stays passed)."""
    at = in_use(state)
    if at is None:
        return False
    top = state.grid[at] / 10**9
    return float((world.wrong * world.chance)[world.scores <= top + 1e-12].sum()) > ALPHA


def test_wealth_is_a_martingale_in_every_tiny_world() -> None:
    """All outcomes of three items: score, label and coin; mean wealth is at most 1 where the risk is at alpha."""
    chance = {0.3: Fraction(1, 2), 0.9: Fraction(1, 4)}
    guesses = {0.3: 0.2, 0.9: 0.7}
    # Risk at 0.3 is 1/2 * 1/5 = 1/10 = alpha; at 0.9 it is above.
    rate = {0.3: Fraction(1, 5), 0.9: Fraction(1, 2)}
    kinds = [
        (
            s,
            z,
            coin,
            Fraction(1, 2) * (rate[s] if z else 1 - rate[s]) * (chance[s] if coin else 1 - chance[s]),
        )
        for s, z, coin in product(chance, (0, 1), (0, 1))
    ]
    mean = np.zeros(2)
    for items in product(kinds, repeat=3):
        state = advance(
            start([0.3, 0.9], alpha="0.1", delta="0.1", least="0.25"),
            [i[0] for i in items],
            [i[2] for i in items],
            [i[1] for i in items],
            [float(chance[i[0]]) for i in items],
            guesses=[guesses[i[0]] for i in items],
        )
        mean += float(items[0][3] * items[1][3] * items[2][3]) * np.exp(state.bets.log_wealth)
    assert mean[0] == pytest.approx(1.0, abs=1e-12)
    assert mean[1] < 1.0


# Above 0.5 the error rises steeply: the smallest bad threshold of the grid is just above alpha.
STEEP = World(101, np.where(np.arange(101) <= 50, 0.2, 0.45))


def reviewed_stream(rng: np.random.Generator, n: int) -> tuple[np.ndarray, ...]:
    scores, wrong = STEEP.draw(rng, n)
    chance = np.where(scores <= 0.4, 0.2, 0.5)
    return scores, rng.random(n) < chance, wrong, chance


def test_ever_a_bad_threshold_and_looking_again_and_again_at_a_fixed_test() -> None:
    """Repeated looks at a fixed-sample bound fail far more often than delta."""
    rng = np.random.default_rng(31)
    failed, peeked, used = [], [], []
    grid = np.array(GRID)
    risks = np.array([(STEEP.wrong * STEEP.chance)[STEEP.scores <= g + 1e-12].sum() for g in grid])
    for _ in range(300):
        scores, drawn, wrong, chance = reviewed_stream(rng, 1500)
        guesses = STEEP.wrong[np.round(scores * 100).astype(int)]
        state = advance(
            start(GRID, alpha=ALPHA, delta=DELTA, least="0.2"), scores, drawn, wrong, chance, guesses=guesses
        )
        failed.append(ever_above(STEEP, state))
        used.append(in_use(state) is not None)
        loss = (drawn / chance * wrong)[:, None] * (scores[:, None] <= grid + 1e-12)
        times = np.arange(1, 1501)[:, None]
        mean = np.cumsum(loss, axis=0) / times
        spread = np.sqrt(np.maximum(np.cumsum(loss**2, axis=0) / times - mean**2, 0.01) / times)
        passed = (mean + 1.2816 * spread <= ALPHA)[50::50]
        peeked.append(bool((passed & (risks > ALPHA)).any()))
    assert not breaks(failed, DELTA)
    assert np.mean(used) > 0.9
    assert breaks(peeked, DELTA)


def test_a_bet_that_knows_the_score_breaks_the_promise() -> None:
    """Betting only on items above the threshold (which cost nothing) wins for ever: the bet must not see the score."""
    rng = np.random.default_rng(32)
    honest, cheating = [], []
    for _ in range(200):
        scores, wrong = STEEP.draw(rng, 400)
        gains = (0.1 - (wrong & (scores <= 0.9)))[:, None]  # risk at 0.9 is far above alpha
        one = {
            "cap": np.array([0.5 / 0.9]),
            "hoped": np.array([0.025]),
            "spread": np.array([0.05]),
            "delta": DELTA,
        }
        honest.append(play(Bets.start(1), gains, **one).reached[0])
        cheating.append(play(Bets.start(1), np.where(scores[:, None] > 0.9, gains, 0.0), **one).reached[0])
    assert not breaks(honest, DELTA)
    assert breaks(cheating, DELTA)


def test_passing_at_one_threshold_but_not_below_it() -> None:
    """ "Any threshold whose wealth has passed" tests twenty hypotheses; together with all smaller ones it is one.

    All that is wrong has score 0, so every threshold has the same risk, just above alpha; poor guesses about the
    rest give each wealth its own noise.
    """
    rng = np.random.default_rng(33)
    together, any_one = [], []
    for _ in range(600):
        wrong = rng.random(1500) < 0.102
        scores = np.where(wrong, 0.0, np.round(rng.random(1500) * 0.99 + 0.01, 2))
        state = advance(
            start(GRID, alpha=ALPHA, delta=DELTA, least="0.3"),
            scores,
            rng.random(1500) < 0.3,
            wrong,
            np.full(1500, 0.3),
            guesses=np.where(wrong, 0.99, 0.6),
        )
        together.append(in_use(state) is not None)
        any_one.append(any(state.bets.reached))
    assert not breaks(together, DELTA)
    assert np.mean(any_one) > 2 * np.mean(together)


@pytest.mark.parametrize("guess", ["none", "good", "opposite"])
def test_the_promise_does_not_depend_on_the_guesses(guess: str) -> None:
    rng = np.random.default_rng(34)
    failed, accepted = [], []
    for _ in range(200):
        scores, drawn, wrong, chance = reviewed_stream(rng, 1000)
        right = STEEP.wrong[np.round(scores * 100).astype(int)]
        given = {"none": None, "good": right, "opposite": 1 - right}[guess]
        state = advance(
            start(GRID, alpha=ALPHA, delta=DELTA, least="0.2"), scores, drawn, wrong, chance, guesses=given
        )
        failed.append(ever_above(STEEP, state))
        accepted.append(0 if in_use(state) is None else state.grid[in_use(state)] / 1e9)
    assert not breaks(failed, DELTA)
    if guess == "good":
        assert np.mean(accepted) > 0.25


def test_probabilities_may_follow_the_threshold_in_use() -> None:
    """The plan of a real stream: what the present threshold accepts is audited, the rest reviewed more often."""
    rng = np.random.default_rng(35)
    failed = []
    for _ in range(120):
        state = start(GRID, alpha=ALPHA, delta=DELTA, least="0.2")
        for _ in range(10):
            now = rule(state)
            scores, wrong = STEEP.draw(rng, 100)
            takes = now.accepts_all(scores) if isinstance(now, Threshold) else np.zeros(100, bool)
            chance = np.where(takes, 0.2, 0.6)
            state = advance(state, scores, rng.random(100) < chance, wrong, chance)
        failed.append(ever_above(STEEP, state))
    assert not breaks(failed, DELTA)


def test_answered_first_fed_first_is_not_the_order_of_the_stream() -> None:
    """Right formulas are answered at once, wrong ones late: ``settled`` waits, the shortcut runs ahead."""
    rng = np.random.default_rng(36)
    waiting, hasty = [], []
    for _ in range(200):
        scores, wrong = STEEP.draw(rng, 300)
        answers = np.where(wrong & (rng.random(300) < 0.9), np.nan, wrong)  # so far
        drawn = np.ones(300, bool)
        fed = settled(drawn, answers)
        for rows, out in ((slice(fed), waiting), (~np.isnan(answers), hasty)):
            state = start([1.0], alpha=ALPHA, delta=DELTA, least=1)  # risk of accepting all: far above alpha
            state = advance(state, scores[rows], drawn[rows], answers[rows], np.ones(300)[rows])
            out.append(in_use(state) is not None)
    assert not breaks(waiting, DELTA)
    assert breaks(hasty, DELTA)


def test_state_is_stored_and_resumed_anywhere() -> None:
    rng = np.random.default_rng(37)
    scores, drawn, wrong, chance = reviewed_stream(rng, 5000)
    begin = start(even_grid(rng.random(100)), alpha=ALPHA, delta=DELTA, least="0.2")
    whole = advance(begin, scores, drawn, wrong, chance)
    parts = begin
    for cut in np.array_split(np.arange(5000), [1, 7, 2048, 2049, 4000]):
        stored = msgspec.json.encode(parts)
        parts = advance(
            msgspec.json.decode(stored, type=Anytime), scores[cut], drawn[cut], wrong[cut], chance[cut]
        )
    assert parts.bets.reached == whole.bets.reached
    assert parts.bets.log_wealth == pytest.approx(whole.bets.log_wealth, abs=1e-9)
    assert rule(parts).answers == drawn.sum() and isinstance(rule(whole), Threshold)


def test_before_anything_passed_the_rule_abstains() -> None:
    begin = start([0.5], alpha="0.1", delta="0.1", least="0.5")
    made = rule(begin)
    assert isinstance(made, Infeasible) and not made.accepts(0.0) and "0 answers" in made.reason


def clustered_stream(rng: np.random.Generator, number: int) -> tuple[np.ndarray, ...]:
    """Clusters of 15 alike: a cluster is wrong with 0.12 whatever its score, so the share at 1 is above alpha."""
    names = np.repeat(np.arange(number), 15)
    chance = np.full(len(names), 0.5)
    wrong = (rng.random(number) < 0.12)[names]
    return rng.random(number)[names], (rng.random(number) < 0.5)[names], wrong, chance, names


def test_clusters_are_one_bet_each_and_their_members_are_no_independent_items() -> None:
    rng = np.random.default_rng(38)
    by_cluster, by_member = [], []
    for _ in range(250):
        *stream, names = clustered_stream(rng, 60)
        one = start([1.0], alpha=ALPHA, delta=DELTA, least="0.5", unit="cluster")
        by_cluster.append(in_use(advance(one, *stream, clusters=names)) is not None)
        many = start([1.0], alpha=ALPHA, delta=DELTA, least="0.5")
        by_member.append(in_use(advance(many, *stream)) is not None)
    assert not breaks(by_cluster, DELTA)
    assert breaks(by_member, DELTA)


def test_clusters_of_one_are_items_and_order_is_that_of_first_rows() -> None:
    rng = np.random.default_rng(39)
    scores, drawn, wrong, chance = reviewed_stream(rng, 400)
    names = rng.permutation(400)
    alone = advance(start(GRID, alpha=ALPHA, delta=DELTA, least="0.2"), scores, drawn, wrong, chance)
    single = start(GRID, alpha=ALPHA, delta=DELTA, least="0.2", unit="cluster")
    single = advance(single, scores, drawn, wrong, chance, clusters=names)
    assert single.bets == alone.bets
    assert single.accepted == alone.accepted
    with pytest.raises(UsageError, match="by cluster"):
        advance(single, scores, drawn, wrong, chance)
    made = rule(advance(single, *clustered_stream(rng, 5)[:4], clusters=clustered_stream(rng, 5)[4]))
    assert made.unit == "cluster"


LINEAR = World(101, np.linspace(0, 1, 101), np.linspace(2, 0, 101) / 101)
"""The score is the probability of being wrong, and low ones are common."""


def a_ledgers_columns(rng: np.random.Generator, n: int) -> LabelColumns:
    """What a ledger hands to the rule: nobody answers where nobody was drawn, a tenth has no candidate."""
    scores, wrong = LINEAR.draw(rng, n)
    away = rng.random(n) < 0.1
    chance = np.where(scores <= 0.2, 0.2, 0.4)
    drawn = (rng.random(n) < chance) & ~away
    answers = np.where(drawn, wrong, np.nan)
    return LabelColumns(scores, drawn, answers, chance, None, away, Fraction(1, 5), np.full(n, 0.2))


def test_a_policy_from_a_ledger_guesses_by_the_score_and_keeps_its_promise() -> None:
    """The real path of ``calibrate --from --delta``; without guesses it would be another rule."""
    rng = np.random.default_rng(40)
    failed, other = [], []
    for _ in range(150):
        data = a_ledgers_columns(rng, 800)
        stream = (data.scores, data.drawn, data.answers, data.q)
        begin = start(promise._grid(), alpha="0.1", delta="0.1", least=data.least)
        made = promise._rule(data, "0.1", "0.1")
        assert made == rule(advance(begin, *stream, guesses=data.scores, deferred=data.deferred))
        other.append(made != rule(advance(begin, *stream, deferred=data.deferred)))
        failed.append(isinstance(made, Threshold) and 0.9 * LINEAR.risk(made) > 0.1)
    assert not breaks(failed, DELTA)
    assert np.mean(other) > 0.5


def everything_first(rng: np.random.Generator, n: int, first: int) -> LabelColumns:
    """A ledger whose first decisions were all asked about, and then a tenth of them."""
    scores, wrong = STEEP.draw(rng, n)
    chance = np.where(np.arange(n) < first, 1.0, 0.1)
    drawn = rng.random(n) < chance
    return LabelColumns(
        scores,
        drawn,
        np.where(drawn, wrong, np.nan),
        chance,
        None,
        np.zeros(n, bool),
        Fraction(1, 10),
        chance,
    )


def test_a_plan_that_changes_keeps_the_promise_and_no_answer_is_wasted() -> None:
    """Each bet is capped by the plan in force; by the least of the whole stream it passes later."""
    rng = np.random.default_rng(41)
    failed, limits, capped = [], [], []
    for _ in range(150):
        data = everything_first(rng, 1200, first=300)
        made = promise._rule(data, "0.1", "0.1")
        failed.append(isinstance(made, Threshold) and STEEP.risk(made) > ALPHA)
        late = promise._rule(replace(data, leasts=np.full(1200, 0.1)), "0.1", "0.1")
        for rule_, out in ((made, limits), (late, capped)):
            out.append(rule_.value if isinstance(rule_, Threshold) else 0.0)
    assert not breaks(failed, DELTA)
    assert np.mean(limits) > np.mean(capped) + 0.02
    with pytest.raises(DataError, match="less than the plan's least"):
        promise._rule(replace(data, leasts=np.ones(1200)), "0.1", "0.1")
