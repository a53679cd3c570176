"""A threshold that moves while people work: looked at after every answer, and right at all times at once.

For every threshold of a grid that is fixed beforehand a gambler bets that its risk is below alpha. A threshold may be
used once the wealth of its gambler, and of those of all smaller thresholds, has ever passed 1/delta. Risk rises with
the threshold, so to use a bad one the gambler of the *smallest* bad one must have passed, which happens with
probability at most delta over the whole life of the stream: no correction over thresholds or time.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np
import numpy.typing as npt

from assent.calibrate import exact
from assent.calibrate.betting import Bets, Floats, play
from assent.calibrate.control import Labels
from assent.calibrate.draws import DrawPlan, Reviewed, reviewed
from assent.calibrate.exact import SCALE, Level
from assent.calibrate.rules import Infeasible, Rule, Threshold, Unit
from assent.errors import DataError, UsageError

STEPS = 50


class Anytime(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The state after a number of items: store it, feed the next items to ``advance``, ask ``rule`` at any time."""

    alpha: float
    delta: float
    least: float
    grid: tuple[int, ...]
    """Thresholds in ticks, rising."""
    bets: Bets
    unit: Unit = "pair"
    """What is counted as one: an item, or a cluster with all its members."""
    answers: int = 0
    accepted: tuple[float, ...] = ()
    """For each threshold how many units so far would have been accepted (of clusters: the sum of their shares)."""
    weighted: tuple[float, ...] = ()
    """For each threshold the weighted count of accepted and wrong."""

    def __post_init__(self) -> None:
        if not 0 < self.alpha < 1 or not 0 < self.delta < 1 or not 0 < self.least <= 1:
            raise ValueError("alpha and delta lie between 0 and 1, the least probability above 0")
        if not self.grid or list(self.grid) != sorted(set(self.grid)):
            raise ValueError("the thresholds of the grid must rise")
        if {len(self.bets.reached), len(self.accepted), len(self.weighted)} != {len(self.grid)}:
            raise ValueError("one entry for each threshold of the grid is needed")


def start(grid: Sequence[float], *, alpha: Level, delta: Level, least: Level, unit: Unit = "pair") -> Anytime:
    """Before the first item. ``least``: no item that could be accepted is ever drawn with less."""
    level, confidence = exact.level(alpha), exact.level(delta, "delta")
    chance = DrawPlan.of(least).least
    if not 0 < level < 1 or not 0 < confidence < 1:
        raise UsageError("alpha and delta must lie between 0 and 1")
    keys = tuple(sorted({int(k) for k in exact.ticks(list(grid))}))
    if not keys:
        raise UsageError("the grid of thresholds is empty")
    return Anytime(
        alpha=float(level),
        delta=float(confidence),
        least=float(chance),
        grid=keys,
        bets=Bets.start(len(keys)),
        unit=unit,
        accepted=(0.0,) * len(keys),
        weighted=(0.0,) * len(keys),
    )


def even_grid(scores: npt.ArrayLike, steps: int = STEPS) -> list[float]:
    """Thresholds at equal shares of scores that were seen *before* the stream (a fit part, an earlier policy)."""
    keys = np.sort(exact.ticks(scores))
    if not len(keys):
        return [k / steps for k in range(1, steps + 1)]
    at = np.ceil(np.linspace(0, 1, steps + 1)[1:] * len(keys)).astype(np.int64) - 1
    return [int(k) / SCALE for k in np.unique(np.append(keys[at], SCALE))]


def settled(drawn: npt.ArrayLike, answers: npt.ArrayLike) -> int:
    """How many leading items may be fed: up to the first that was drawn and still waits for its answer.

    Items are fed in the order of the stream. Feeding whatever is answered first would let quick answers (often the
    right formulas) run ahead of slow ones.
    """
    given = np.asarray(answers, dtype=np.float64)
    waiting = exact.flags(drawn, len(given), "draw") & np.isnan(given)
    return int(np.argmax(waiting)) if waiting.any() else len(given)


def advance(
    state: Anytime,
    scores: npt.ArrayLike,
    drawn: npt.ArrayLike,
    answers: npt.ArrayLike,
    probabilities: npt.ArrayLike,
    *,
    guesses: npt.ArrayLike | None = None,
    deferred: npt.ArrayLike | None = None,
    clusters: Labels | None = None,
) -> Anytime:
    """The state after these items, in the order of the stream; an item drawn and unanswered counts as wrong.

    Promise: if items are independent draws from one stream, the probability that a threshold with risk above alpha
    is *ever* in use is at most delta. The probabilities of drawing may follow the threshold in use, since they are
    set before the item's label is seen. ``guesses`` are probabilities of being wrong known before looking (the
    judge's): they take the place of the label where nobody looked and make no difference to the promise, however
    poor they are.

    Wordings of one formula are no independent items: a state by cluster takes ``clusters``, each drawn whole and with
    all its members in one call, bets once for each, on the share of its members, and promises about new clusters.
    """
    if (state.unit == "cluster") != (clusters is not None):
        raise UsageError(
            f"this state counts by {state.unit}: give clusters if it counts by cluster, and only then"
        )
    data = reviewed(
        scores,
        drawn,
        answers,
        probabilities,
        plan=DrawPlan.of(state.least),
        deferred=deferred,
        clusters=None if clusters is None else list(clusters),
    )
    guess = _guesses(guesses, data)
    below = data.open[:, None] & (data.keys[:, None] <= np.asarray(state.grid))
    inverse = np.where(data.drawn & data.open, 1 / data.floats, 0.0)
    loss = inverse * (data.bad - guess) + guess
    gains = state.alpha - data.averaged(np.where(below, loss[:, None], 0.0))
    worst = 1 / state.least
    size = len(state.grid)
    bets = play(
        state.bets,
        gains,
        cap=np.full(size, 0.5 / (worst - state.alpha)),
        hoped=np.full(size, state.alpha / 4),
        spread=np.full(size, state.alpha * worst / 2),
        delta=state.delta,
    )
    lost = data.averaged(np.where(below & data.bad[:, None], inverse[:, None], 0.0)).sum(axis=0)
    taken = data.averaged(below.astype(np.float64)).sum(axis=0)
    return msgspec.structs.replace(
        state,
        bets=bets,
        answers=state.answers + data.answers,
        accepted=tuple((np.asarray(state.accepted) + taken).tolist()),
        weighted=tuple((np.asarray(state.weighted) + lost).tolist()),
    )


def _guesses(given: npt.ArrayLike | None, data: Reviewed) -> Floats:
    if given is None:
        return np.zeros(len(data.keys))
    guess = np.asarray(given, dtype=np.float64)
    if guess.shape != data.keys.shape or not ((guess >= 0) & (guess <= 1)).all():
        raise DataError("guesses are one probability of being wrong for each item, from 0 to 1")
    return np.where(data.open, guess, 0.0)


def in_use(state: Anytime) -> int | None:
    """The place in the grid of the largest threshold that has passed together with all smaller ones."""
    passed = 0
    while passed < len(state.grid) and state.bets.reached[passed]:
        passed += 1
    return passed - 1 if passed else None


def rule(state: Anytime) -> Rule:
    """The threshold in use now. It never falls: what has passed once stays passed."""
    at, items = in_use(state), state.bets.items
    units = "items" if state.unit == "pair" else "clusters"
    if at is None:
        wealth = float(np.exp(min(state.bets.log_wealth[0], 700.0)))
        return Infeasible(
            reason=f"no threshold has passed after {items} {units} and {state.answers} answers",
            alpha=state.alpha,
            n=items,
            floor=1.0,
            kind="anytime",
            unit=state.unit,
            delta=state.delta,
            answers=state.answers,
            advice=(
                "go on reviewing what is drawn: the smallest threshold of the grid has "
                f"a wealth of {wealth:.2f} of the {1 / state.delta:.0f} that it needs",
            ),
        )
    return Threshold(
        value=state.grid[at] / SCALE,
        alpha=state.alpha,
        n=items,
        floor=state.alpha,
        kind="anytime",
        unit=state.unit,
        clusters=items if state.unit == "cluster" else None,
        accepted=min(1.0, state.accepted[at] / items),
        risk=min(1.0, state.weighted[at] / items),
        delta=state.delta,
        answers=state.answers,
    )
