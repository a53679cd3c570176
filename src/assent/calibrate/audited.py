"""Audited conformal risk control: a threshold from a stream of which only a random part was looked at."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from assent.calibrate import exact
from assent.calibrate.control import Labels
from assent.calibrate.draws import DrawPlan, Reviewed, reviewed
from assent.calibrate.exact import SCALE, Level, Ticks
from assent.calibrate.rules import Infeasible, Rule, Threshold, Unit


def audited_crc(
    scores: npt.ArrayLike,
    drawn: npt.ArrayLike,
    answers: npt.ArrayLike,
    probabilities: npt.ArrayLike,
    *,
    alpha: Level,
    least: Level | Sequence[tuple[float, Level]],
    clusters: Labels | None = None,
    deferred: npt.ArrayLike | None = None,
) -> Rule:
    """The largest threshold t with sum of (drawn/q) 1[wrong, score <= t] + 1/(least q up to t) <= alpha (n + 1).

    Promise: the next item of the stream is accepted and wrong with probability at most alpha, on average over
    calibrations, if the stream is exchangeable and the plan of draws was fixed beforehand and looks at no label.
    The weighted loss of the next item is at most 1/(least q), and its mean is the loss itself: so the proof is
    that of conformal risk control. With ``clusters`` (drawn whole) the losses are means over members, and the
    promise is about the members of a new cluster.

    ``least`` is the plan's smallest probability (``DrawPlan.of``); ``answers``, ``probabilities`` and ``deferred``
    as in ``draws.reviewed``. A plan that follows a moving threshold makes no exchangeable stream: use ``anytime``.
    """
    plan = DrawPlan.of(least)
    data = reviewed(scores, drawn, answers, probabilities, plan=plan, clusters=clusters, deferred=deferred)
    level = exact.level(alpha)
    unit: Unit = "pair" if clusters is None else "cluster"
    candidates = exact.distinct(data.keys[data.open])
    if not len(candidates):
        return _infeasible(data, plan, level, Fraction(1), Fraction(0), unit)
    lost, scale = _lost(data, plan, candidates)
    limit = math.floor(level * (data.count + 1) * scale)
    worst = _worst(plan, candidates, scale).astype(lost.dtype)
    fits = int(np.count_nonzero(lost + worst <= limit))
    if not fits:
        floor = Fraction(int(lost[0]) + int(worst[0]), scale * (data.count + 1))
        return _infeasible(data, plan, level, floor, Fraction(int(lost[0]), scale), unit)
    all_fit = fits == len(candidates) and int(lost[-1]) + _whole(scale, plan.least) <= limit
    top = SCALE if all_fit else int(candidates[fits - 1])
    accepted = data.open & (data.keys <= top)
    risk = Fraction(int(lost[fits - 1]), scale * data.count)
    return Threshold(
        value=top / SCALE,
        alpha=float(level),
        n=len(data.keys),
        floor=min(1.0, (int(lost[0]) + int(worst[0])) / (scale * (data.count + 1))),
        kind="audited",
        unit=unit,
        accepted=float(accepted.mean()) if clusters is None else _by_cluster(data, accepted),
        risk=min(1.0, float(risk)),
        cluster_risk=None if clusters is None else min(1.0, float(risk)),
        clusters=None if clusters is None else data.count,
        answers=data.answers,
    )


def _lost(data: Reviewed, plan: DrawPlan, candidates: Ticks) -> tuple[npt.NDArray[Any], int]:
    """The weighted loss up to each candidate, in whole numbers of 1/scale; the scale."""
    weights, scale = data.weights(*(chance for _, chance in plan.steps))
    running = np.zeros(len(weights) + 1, dtype=weights.dtype)
    running[1:] = np.cumsum(weights) if len(weights) else weights
    return running[np.searchsorted(data.bad_keys, candidates, side="right")], scale


def _worst(plan: DrawPlan, candidates: Ticks, scale: int) -> npt.NDArray[np.object_]:
    """What the next item can cost at most at each candidate."""
    worst = np.empty(len(candidates), dtype=object)
    start = 0
    for top, _ in plan.steps:
        end = int(np.searchsorted(candidates, top, side="right"))
        worst[start:end] = _whole(scale, plan.up_to(top))
        start = end
    return worst


def _whole(scale: int, chance: Fraction) -> int:
    return scale * chance.denominator // chance.numerator


def _by_cluster(data: Reviewed, accepted: npt.NDArray[np.bool_]) -> float:
    return float(exact.harmonic(data.sizes[accepted]) / data.count)


def _infeasible(
    data: Reviewed, plan: DrawPlan, alpha: Fraction, floor: Fraction, lost: Fraction, unit: Unit
) -> Infeasible:
    """Nothing may be accepted; how long the stream would have to be if the lowest score stays as it is."""
    share = lost / data.count if data.count else Fraction(0)
    needed = math.ceil((1 / plan.least - alpha) / (alpha - share)) if alpha > share else None
    units = "items" if unit == "pair" else "clusters"
    said = (
        f"about {needed} {units} in all (now {data.count}) would make alpha = {float(alpha):g} feasible with this "
        f"plan of draws; or draw what scores low with a probability above {float(plan.least):g}"
        if needed is not None
        else f"about {float(share):.3f} of all {units} are wrong at the lowest score, not less than alpha = "
        f"{float(alpha):g}: use a score that separates better"
    )
    return Infeasible(
        reason=f"alpha = {float(alpha):g} is below the floor {float(floor):.4f} of {data.count} {units}",
        alpha=float(alpha),
        n=len(data.keys),
        floor=min(1.0, float(floor)),
        kind="audited",
        unit=unit,
        clusters=None if data.clusters is None else data.count,
        labels=needed,
        answers=data.answers,
        advice=(said,),
    )
