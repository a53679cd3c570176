"""Watching a stream with the labels that come later: bounds for its joint risk, and what to feed the drift alarm.

Every item enters the bounds, with the probability of its draw. An abstention costs nothing and is known to cost
nothing. An accepted item that was drawn and is wrong counts 1/q, one that was not drawn counts 0: on average that is
the joint risk. Counting only what was labelled, accepted formulas say, estimates the error among the accepted instead
and calls a healthy stream "above alpha".
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence

import msgspec
import numpy as np
import numpy.typing as npt

from assent.calibrate import exact
from assent.calibrate.betting import Bets, play
from assent.calibrate.control import Labels
from assent.calibrate.draws import DrawPlan, reviewed
from assent.calibrate.exact import Level
from assent.errors import DataError, UsageError

Ints = npt.NDArray[np.int64]
RATES = tuple(k / 200 for k in range(1, 60)) + tuple(k / 20 for k in range(6, 20))


class RiskWatch(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is known about the joint risk so far. Storable; ``observe`` returns the next one.

    For each rate one gambler bets that the risk is above it (``over``) and one that it is below (``under``).
    """

    alpha: float
    gamma: float
    least: float
    rates: tuple[float, ...]
    over: Bets
    under: Bets
    answers: int = 0

    @property
    def items(self) -> int:
        """How many items, abstentions included."""
        return self.over.items

    def interval(self) -> tuple[float, float]:
        """Bounds for the joint risk that hold at all times at once with probability 1 - gamma."""
        below = [0.0, *self.rates]
        above = [*self.rates, 1.0]
        refuted = next((k for k, passed in enumerate(self.over.reached) if not passed), len(self.rates))
        kept = next((k for k, passed in enumerate(self.under.reached[::-1]) if not passed), len(self.rates))
        return below[refuted], above[len(self.rates) - kept]

    def above_alpha(self) -> bool:
        """Whether the risk is shown to exceed alpha; if it never does, ever said with probability <= gamma / 2."""
        return self.interval()[0] >= self.alpha


def watch_risk(*, alpha: Level, least: Level, gamma: Level = "0.05") -> RiskWatch:
    """Before the first item. ``least``: no accepted item is ever drawn with a smaller probability."""
    level, error = exact.level(alpha), exact.level(gamma, "gamma")
    if not 0 < level < 1 or not 0 < error < 1:
        raise UsageError("alpha and gamma must lie between 0 and 1")
    rates = tuple(sorted({*RATES, float(level)}))
    return RiskWatch(
        alpha=float(level),
        gamma=float(error),
        least=float(DrawPlan.of(least).least),
        rates=rates,
        over=Bets.start(len(rates)),
        under=Bets.start(len(rates)),
    )


def observe(
    state: RiskWatch,
    accepted: npt.ArrayLike,
    drawn: npt.ArrayLike,
    answers: npt.ArrayLike,
    probabilities: npt.ArrayLike,
    *,
    clusters: Labels | None = None,
) -> RiskWatch:
    """The state after these items of the stream, in its order, *all* of them: accepted, abstained, deferred, failed.

    ``answers`` (1 wrong, 0 right, nan none) count only where drawn; ``probabilities`` are needed for every accepted
    item, drawn or not, and an accepted item without one is refused. A drawn item without an answer counts as wrong:
    feed up to the first that still waits (``anytime.settled``).

    Promise: for independent draws of one stream the bounds hold at all times at once with probability 1 - gamma. If
    the policy or the stream changes on the way, ``above_alpha`` still rings for a risk that was always at most alpha
    with probability at most gamma / 2. With ``clusters`` (drawn whole, all members in one call;
    in every call or in none) each is one draw, and the risk is that of a new cluster's members.
    """
    taken = exact.flags(accepted, np.asarray(accepted).size, "decision")
    zeros = np.zeros(len(taken))
    data = reviewed(
        zeros,
        drawn,
        answers,
        probabilities,
        plan=DrawPlan.of(state.least),
        deferred=~taken,
        clusters=None if clusters is None else list(clusters),
    )
    loss = data.averaged(np.where(data.bad, 1 / data.floats, 0.0)[:, None])
    rates, worst = np.asarray(state.rates), 1 / state.least
    over = play(
        state.over,
        loss - rates,
        cap=0.5 / rates,
        hoped=rates / 4,
        spread=rates * worst,
        delta=state.gamma / 2,
    )
    under = play(
        state.under,
        rates - loss,
        cap=0.5 / (worst - rates),
        hoped=rates / 4,
        spread=rates * worst / 2,
        delta=state.gamma / 2,
    )
    return msgspec.structs.replace(state, over=over, under=under, answers=state.answers + data.answers)


def drift_feed(
    ids: Sequence[str],
    *,
    key: str,
    deferred: npt.ArrayLike | None = None,
    censored: npt.ArrayLike | None = None,
    complete: npt.ArrayLike | None = None,
    clusters: Labels | None = None,
    blocks: Labels | None = None,
) -> Ints:
    """Which rows go to the drift alarm, and in which order; positions.

    Out stay rows that the gate deferred, all but one row of a cluster, and scores cut short by lazy scoring. Which
    scores are cut depends on the scores, so rows that happen to be whole are no fair sample of the stream: where any
    is censored, ``complete`` must mark rows drawn beforehand (by a coin) to be scored in full, and only these enter.

    The order is that of a keyed hash of the id. The martingale needs exchangeable items; a file may be sorted by
    score, group or difficulty, and a shuffle that knows no score makes any fixed set of draws from the calibration's
    stream exchangeable again: false alarms stay at most gamma whatever the order of the file. ``key`` is fixed
    beforehand (a policy's digest, say) and never searched. What a full shuffle gives up is time: a change in the last
    tenth of the file is diluted. With ``blocks`` (a day, a batch; taken in order of first appearance) only rows of one
    block are shuffled: quicker to see a change, and protected against sorting *within* blocks only.
    """
    if not key:
        raise UsageError("the order of the drift alarm needs a key that is fixed beforehand")
    n = len(ids)
    enters = np.ones(n, dtype=np.bool_)
    if deferred is not None:
        enters &= ~exact.flags(deferred, n, "deferral")
    cut = np.zeros(n, dtype=np.bool_) if censored is None else exact.flags(censored, n, "mark")
    if complete is not None:
        enters &= exact.flags(complete, n, "draw")
    if (cut & enters).any():
        at = int(np.argmax(cut & enters))
        raise DataError(
            f"the score of {ids[at]!r} was cut short by lazy scoring: score a share of the stream in full, drawn "
            "beforehand, and watch that share"
        )
    digests = [hmac.new(key.encode(), name.encode(), hashlib.sha256).digest() for name in ids]
    block = [0] * n if blocks is None else exact.codes(blocks, n)[0].tolist()
    chosen = sorted(np.flatnonzero(enters).tolist(), key=lambda at: (block[at], digests[at], at))
    if clusters is None:
        return np.asarray(chosen, dtype=np.int64)
    first: dict[object, int] = {}
    # The member with the smallest digest stands for its cluster: a random one, wherever it is in the file.
    for at in sorted(chosen, key=lambda at: digests[at]):
        first.setdefault(clusters[at], at)
    kept = set(first.values())
    return np.asarray([at for at in chosen if at in kept], dtype=np.int64)
