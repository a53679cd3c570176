"""How many times fewer answers one way of asking needs than another, with an interval over streams.

A path has one row a stream, one column a step: (answers, acceptance, true risk) so far. Ways that are compared saw the
same streams, so streams are redrawn together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

RESAMPLES = 2000
WITHIN = (0.05, 0.95)
"""The interval: 90 % of the resamples lie within."""


@dataclass(frozen=True)
class Ratio:
    """Answers of the other way for each answer of this one; above 1, this one is cheaper."""

    fewer: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.fewer:.2f} [{self.low:.2f}, {self.high:.2f}]"


@dataclass(frozen=True)
class BenchRatioRow:
    """One way of asking against the dear ones. *Stopped*: as soon as they accept as much as it does in the end."""

    alpha: float
    way: str
    answers: float
    acceptance: float
    everything_stopped: Ratio
    abstentions_stopped: Ratio
    abstentions: Ratio
    """Against all abstentions of the whole stream, which accepts a little more in the end."""
    everything: Ratio
    """Against every item of the stream, which accepts more in the end."""
    at_best: float
    """About what the best probabilities could give against everything, stopped, by ``at_best``."""

    @classmethod
    def of(
        cls, alpha: float, way: str, paths: Mapping[str, Floats], rates: Floats, seed: int
    ) -> BenchRatioRow:
        """From the paths of every way, which must have ``everything`` and ``all abstentions`` among them.

        ``rates`` are the error rates of everything that can be accepted, in the order in which it is.
        """
        mine, everything, abstentions = paths[way], paths["everything"], paths["all abstentions"]
        return cls(
            alpha=alpha,
            way=way,
            answers=float(mine[:, -1, 0].mean()),
            acceptance=float(mine[:, -1, 1].mean()),
            everything_stopped=ratio(mine, everything, seed, stopped=True),
            abstentions_stopped=ratio(mine, abstentions, seed, stopped=True),
            abstentions=ratio(mine, abstentions, seed, stopped=False),
            everything=ratio(mine, everything, seed, stopped=False),
            at_best=at_best(rates, float(mine[:, -1, 1].mean())),
        )


def until(path: Floats, aim: float) -> float | None:
    """Mean answers at which the mean acceptance is the aim, steps joined by straight lines; None: it never is.

    Thresholds never fall, so acceptance never does; before the first step nothing is accepted.
    """
    answers, acceptance = (np.append(0.0, path[:, :, k].mean(axis=0)) for k in (0, 1))
    if acceptance[-1] < aim - 1e-12:
        return None
    after = int(np.argmax(acceptance >= aim - 1e-12))
    if after == 0:
        return 0.0
    low, high = acceptance[after - 1], acceptance[after]
    part = min(1.0, (aim - low) / (high - low))
    return float(answers[after - 1] + part * (answers[after] - answers[after - 1]))


def ratio(mine: Floats, other: Floats, seed: int, *, stopped: bool) -> Ratio:
    """Bootstrap over streams. Where the other way never accepts as much, all its answers count: at least so many."""
    rng = np.random.default_rng(seed)
    streams = len(mine)
    found = [_fewer(mine[at], other[at], stopped) for at in rng.integers(0, streams, (RESAMPLES, streams))]
    low, high = np.quantile(found, WITHIN)
    return Ratio(_fewer(mine, other, stopped), float(low), float(high))


def _fewer(mine: Floats, other: Floats, stopped: bool) -> float:
    answers = max(1.0, float(mine[:, -1, 0].mean()))
    needed = until(other, float(mine[:, -1, 1].mean())) if stopped else None
    return (float(other[:, -1, 0].mean()) if needed is None else needed) / answers


def rising(values: Floats) -> Floats:
    """The nondecreasing sequence nearest to the values (pool adjacent violators)."""
    blocks: list[tuple[float, int]] = []
    for value in values.tolist():
        mean, size = value, 1
        while blocks and blocks[-1][0] >= mean:
            before, count = blocks.pop()
            mean, size = (mean * size + before * count) / (size + count), size + count
        blocks.append((mean, size))
    return np.repeat([mean for mean, _ in blocks], [size for _, size in blocks])


def at_best(rates: Floats, acceptance: float) -> float:
    """How much less the risk of a fixed limit varies for each answer, if error rates p are known and p guides the draw.

    All labelled, an item has variance R(1 - R). Drawn with the best q, proportional to sqrt(p(1 - p)), and with p as
    guess, the variance times the mean q is (E[sqrt(p(1 - p)); accepted]) squared as q becomes small (Neyman).
    """
    size = len(rates)
    taken = rates[: round(acceptance * size)]
    risk, drawn = taken.sum() / size, np.sqrt(taken * (1 - taken)).sum() / size
    return float(risk * (1 - risk) / drawn**2) if drawn else 1.0
