"""How many answers buy which promise: the rules run on streams simulated from the user's own scores.

Nothing here is a promise. A simulated stream redraws the given scores; a redrawn item is wrong as its label says, or
with the probability given for it. Looking at a plan costs nothing; choosing alpha by a plan made from the very rows
that calibrate does (fix it first, or use ``band``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np
import numpy.typing as npt

from assent.calibrate import anytime, exact
from assent.calibrate.audited import audited_crc
from assent.calibrate.certificate import audits_needed, tail
from assent.calibrate.draws import DrawPlan
from assent.calibrate.exact import SCALE, Level, Ticks
from assent.calibrate.rules import Rule, Threshold
from assent.errors import UsageError

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Name = Literal["audited", "anytime", "certificate"]
ALPHAS: tuple[Level, ...] = ("0.05", "0.08", "0.1", "0.15", "0.2")
LONGEST, DRAWS = 8000, 20
Followed = Iterator[list[Rule]]
"""The rules of all streams at one length after the other."""
SURE = 0.8
"""A promise counts as bought when that share of the simulated streams has it."""


@dataclass(frozen=True)
class PlanRow:
    """One promise: after so many ``items`` of the stream, ``answers`` of them given, it is in reach.

    ``answers`` is None where it is not within ``LONGEST`` items (or in no audit of the document). ``acceptance`` is
    the mean over the simulated streams; ``attainable`` what this score accepts at that alpha with all labels there are.
    """

    rule: Name
    alpha: float
    items: int | None
    answers: int | None
    acceptance: float
    attainable: float


@dataclass(frozen=True)
class _Stream:
    """One simulated stream: every item with its draw."""

    scores: Floats
    wrong: npt.NDArray[np.bool_]
    drawn: npt.NDArray[np.bool_]
    chance: Floats
    guess: Floats | None


@dataclass(frozen=True)
class _World:
    """The user's scores as a population to draw from."""

    scores: Floats
    keys: Ticks
    rate: Floats
    """P(wrong) of each."""
    chance: Floats
    guessed: bool

    def streams(self, draws: int, length: int, seed: int) -> list[_Stream]:
        rng = np.random.default_rng(seed)
        made = []
        for _ in range(draws):
            at = rng.integers(0, len(self.scores), length)
            wrong, drawn = rng.random(length) < self.rate[at], rng.random(length) < self.chance[at]
            guess = self.rate[at] if self.guessed else None
            made.append(_Stream(self.scores[at], wrong, drawn, self.chance[at], guess))
        return made

    def attainable(self, alpha: Fraction) -> float:
        """The largest acceptance with a risk of at most alpha."""
        order = np.argsort(self.keys, kind="stable")
        ends = np.flatnonzero(np.r_[self.keys[order][1:] != self.keys[order][:-1], True])
        fits = np.cumsum(self.rate[order])[ends] / len(order) <= float(alpha) + 1e-12
        return float((ends[np.count_nonzero(fits) - 1] + 1) / len(order)) if fits[0] else 0.0

    def acceptance(self, rule: Rule) -> float:
        return float(rule.accepts_all(self.scores).mean()) if isinstance(rule, Threshold) else 0.0


def plan(
    scores: npt.ArrayLike,
    *,
    q_accepted: Level,
    q_abstained: Level,
    wrong: npt.ArrayLike | None = None,
    probabilities: npt.ArrayLike | None = None,
    limit: float | None = None,
    document: int | None = None,
    alphas: Sequence[Level] = ALPHAS,
    delta: Level = "0.1",
    worth: float = 0.5,
    draws: int = DRAWS,
    longest: int = LONGEST,
    seed: int = 0,
) -> list[PlanRow]:
    """Rows for audited risk control, the anytime rule and the certificate, for each alpha.

    ``wrong`` are labels of these scores, ``probabilities`` the judge's; one of them. Items that score at most
    ``limit`` (the policy in use; None: nothing is accepted yet) are drawn with ``q_accepted``, others with
    ``q_abstained``. A promise is bought when, in 4 of 5 streams, the rule accepts at least ``worth`` of what is
    attainable. The certificate is for ``document`` accepted formulas like the given ones up to ``limit`` (None: for
    these themselves).
    """
    world = _world(scores, wrong, probabilities, limit, q_accepted, q_abstained)
    least = min(exact.level(q_accepted, "the probability"), exact.level(q_abstained, "the probability"))
    if not 0 < worth <= 1 or draws < 1 or longest < 1:
        raise UsageError("worth lies between 0 and 1, and there is at least one stream with one item")
    streams, sizes, grid = (
        world.streams(draws, longest, seed),
        _sizes(longest),
        anytime.even_grid(world.scores),
    )
    rows = []
    for alpha in alphas:
        level = exact.level(alpha)
        begin = anytime.start(grid, alpha=alpha, delta=delta, least=least)
        rows += [
            _row("audited", world, level, streams, _audited(streams, sizes, level, least), worth),
            _row("anytime", world, level, streams, _anytime(streams, sizes, begin), worth),
            _certificate(world, level, 1 - exact.level(delta, "delta"), limit, document, draws, seed),
        ]
    return rows


def say(rows: Sequence[PlanRow], rule: Name, given: int) -> str:
    """What the next answers buy: "14 more answers → alpha = 0.08", or that nothing more is in reach."""
    ahead = [row for row in rows if row.rule == rule and row.answers is not None and row.answers > given]
    if not ahead:
        return "no smaller alpha of the plan is in reach"
    best = min(ahead, key=lambda row: (row.answers or 0, row.alpha))
    more = (best.answers or 0) - given
    return f"{more} more answer{'s' if more > 1 else ''} → alpha = {best.alpha:g}"


def _world(
    scores: npt.ArrayLike,
    wrong: npt.ArrayLike | None,
    probabilities: npt.ArrayLike | None,
    limit: float | None,
    q_accepted: Level,
    q_abstained: Level,
) -> _World:
    if (wrong is None) == (probabilities is None):
        raise UsageError("a plan needs labels of the scores or probabilities of being wrong: one of the two")
    keys = exact.ticks(scores)
    if not len(keys):
        raise UsageError("a plan needs scores")
    if wrong is not None:
        rate = exact.flags(wrong, len(keys)).astype(np.float64)
    else:
        rate = np.asarray(probabilities, dtype=np.float64)
        if rate.shape != keys.shape or not ((rate >= 0) & (rate <= 1)).all():
            raise UsageError("one probability from 0 to 1 for each score is needed")
    taken = np.zeros(len(keys), dtype=np.bool_) if limit is None else keys <= exact.tick(limit)
    chances = [float(DrawPlan.of(q).least) for q in (q_accepted, q_abstained)]
    return _World(keys / SCALE, keys, rate, np.where(taken, *chances), probabilities is not None)


def _sizes(longest: int) -> list[int]:
    """Lengths at which a stream is looked at: about 15 % apart."""
    sizes = [min(10, longest)]
    while sizes[-1] < longest:
        sizes.append(min(longest, int(sizes[-1] * 1.15) + 1))
    return sizes


def _audited(streams: Sequence[_Stream], sizes: Sequence[int], alpha: Fraction, least: Fraction) -> Followed:
    for n in sizes:
        yield [
            audited_crc(s.scores[:n], s.drawn[:n], s.wrong[:n], s.chance[:n], alpha=alpha, least=least)
            for s in streams
        ]


def _anytime(streams: Sequence[_Stream], sizes: Sequence[int], begin: anytime.Anytime) -> Followed:
    states, start = [begin] * len(streams), 0
    for n in sizes:
        here = slice(start, n)
        states = [
            anytime.advance(
                state,
                s.scores[here],
                s.drawn[here],
                s.wrong[here],
                s.chance[here],
                guesses=None if s.guess is None else s.guess[here],
            )
            for state, s in zip(states, streams, strict=True)
        ]
        yield [anytime.rule(state) for state in states]
        start = n


def _row(
    name: Name, world: _World, alpha: Fraction, streams: Sequence[_Stream], followed: Followed, worth: float
) -> PlanRow:
    """The first length at which enough streams have the promise; what follows is not simulated."""
    attainable = world.attainable(alpha)
    shares = np.zeros(len(streams))
    for n, rules in zip(_sizes(len(streams[0].scores)), followed, strict=False):
        shares = np.array([world.acceptance(rule) for rule in rules])
        if attainable > 0 and (shares >= worth * attainable).mean() >= SURE:
            answers = float(np.mean([stream.drawn[:n].sum() for stream in streams]))
            return PlanRow(name, float(alpha), n, round(answers), float(shares.mean()), attainable)
    return PlanRow(name, float(alpha), None, None, float(shares.mean()), attainable)


def _certificate(
    world: _World,
    alpha: Fraction,
    confidence: Fraction,
    limit: float | None,
    document: int | None,
    draws: int,
    seed: int,
) -> PlanRow:
    """The fewest audits that certify at most alpha of the document wrong in 4 of 5 simulated documents."""
    inside = world.rate if limit is None else world.rate[world.keys <= exact.tick(limit)]
    share = len(inside) / len(world.rate)
    if not len(inside):
        return PlanRow("certificate", float(alpha), 0, None, 0.0, share)
    rng = np.random.default_rng(seed)
    size = len(inside) if document is None else document
    if document is not None:
        inside = rng.choice(inside, document)
    wrong = [int((rng.random(size) < inside).sum()) for _ in range(draws)]
    aim = int(alpha * size)
    for allowed in range(aim + 1):
        audits = audits_needed(size, aim, confidence, wrong=allowed)
        if audits is None:
            break
        if np.mean([float(tail(size, k, audits, allowed)) for k in wrong]) >= SURE:
            return PlanRow("certificate", float(alpha), size, audits, share, share)
    return PlanRow("certificate", float(alpha), size, None, share, share)
