"""What a policy of one tier does on another tier's stream, with and without the gate."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assent.calibrate.rules import Rule, Threshold
from assent.evaluate.measure import Flags, MeasureSettings, make_rule, thinned, tiers
from assent.evaluate.rows import Drifted
from assent.policy.labelled import Labelled

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Embed = Callable[[list[str]], npt.NDArray[np.float32]]
CALLS = 8  # of one full decision: a translation, five samples, a back-translation, a judge
# Shares of a tier's units: gate reference, gate calibration, threshold calibration; the rest tests.
PARTS = (0.25, 0.2, 0.3)
FEWEST = 8  # units of a tier that leave none of its four parts empty
MOST = 3000  # rows: every one is compared with every other


@dataclass(frozen=True)
class _Columns:
    """The rows as arrays: where each lies, how it scores, what it is, and which are abstentions whatever the score."""

    apart: Floats
    scores: Floats
    wrong: Flags
    away: Flags
    unit: Ints
    clustered: bool

    def rule(self, at: Ints, alpha: float) -> Rule:
        inside = self.unit[at] if self.clustered else None
        return make_rule(self.scores[at], self.wrong[at], inside, self.away[at], alpha)

    def accepted(self, rule: Rule, at: Ints) -> Flags:
        if not isinstance(rule, Threshold):
            return np.zeros(len(at), dtype=np.bool_)
        return np.asarray(rule.accepts_all(self.scores[at]) & ~self.away[at])

    def figures(self, rule: Rule, test: Ints, passed: Flags) -> list[float]:
        """Risk, risk behind the gate, deferred, accepted, accepted but deferred, and of those the wrong."""
        accepted, wrong, unit = self.accepted(rule, test), self.wrong[test], self.unit[test]
        bad, lost = accepted & wrong, accepted & ~passed
        return [unit_mean(part, unit) for part in (bad, bad & passed, ~passed, accepted, lost, lost & wrong)]


def drift(
    data: Labelled, settings: MeasureSettings, embed: Embed, *, alpha: float = 0.10
) -> tuple[tuple[Drifted, ...], Floats]:
    """Rows for every pair of tiers, and the gate's p-values on the diagonal (uniform if the gate is valid).

    Tiers of too few units are left out, and large files are thinned.
    """
    data = enough(data, settings)
    if not len(data):
        return (), np.zeros(0)
    columns = _columns(data, settings, embed)
    tier_of = np.array(data.columns.tier.values())
    rng = np.random.default_rng(settings.seed)
    sums: dict[tuple[str, str], list[list[float]]] = {}
    diagonal: list[float] = []
    drawn = np.random.default_rng((settings.seed, 1))
    for _ in range(settings.resplits):
        cuts = {tier: cut(columns.unit, np.flatnonzero(tier_of == tier), rng) for tier in data.tiers}
        for home in data.tiers:
            reference, gate, calibration, _ = cuts[home]
            k = min(settings.neighbours, len(reference))
            distance = np.partition(columns.apart[:, reference], k - 1, axis=1)[:, :k].mean(axis=1)
            rule = columns.rule(calibration, alpha)
            for away in data.tiers:
                test = cuts[away][3]
                p = p_values(distance[test], distance[gate], columns.unit[gate])
                sums.setdefault((home, away), []).append(columns.figures(rule, test, p >= settings.delta))
                if home == away:
                    # One row a unit: rows of one unit are not independent, and large units would count more.
                    order = drawn.permutation(len(test))
                    first = np.unique(columns.unit[test][order], return_index=True)[1]
                    diagonal.extend(p[order[first]].tolist())
    return _rows(sums), np.array(diagonal)


def _columns(data: Labelled, settings: MeasureSettings, embed: Embed) -> _Columns:
    """A recorded gate is left aside here: the tables measure one of their own."""
    vectors = np.asarray(embed([row.text for row in data.rows]), dtype=np.float64)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return _Columns(
        apart=np.sqrt(np.clip(2 - 2 * vectors @ vectors.T, 0, None)),
        scores=data.scores(settings.channel),
        wrong=data.wrong,
        away=data.away(None),
        unit=np.arange(len(data)) if data.clusters is None else data.clusters,
        clustered=data.clusters is not None,
    )


def enough(data: Labelled, settings: MeasureSettings) -> Labelled:
    """The rows that drift is measured on: a thinned file without the tiers that are too small."""
    data = thinned(data, MOST, settings.seed)
    sizes = {
        name: len(part) if part.clusters is None else int(part.clusters.max()) + 1
        for name, part in tiers(data)
    }
    return data.where(lambda row: sizes.get(row.tier, 0) >= FEWEST)


def cut(
    unit: npt.NDArray[np.int64], members: npt.NDArray[np.int64], rng: np.random.Generator
) -> list[npt.NDArray[np.int64]]:
    """Members of one tier in four parts, whole units apart."""
    names = rng.permutation(np.unique(unit[members]))
    ends = np.round(np.cumsum(PARTS) * len(names)).astype(int)
    return [members[np.isin(unit[members], part)] for part in np.split(names, ends)]


def p_values(test: Floats, known: Floats, unit: npt.NDArray[np.int64]) -> Floats:
    """Conformal p-values over units: the mean share of each unit's members that lie as far."""
    names, codes = np.unique(unit, return_inverse=True)
    weight = 1 / np.bincount(codes)[codes]
    order = np.argsort(known)
    tail = np.r_[np.cumsum(weight[order][::-1])[::-1], 0.0]
    return np.asarray((1 + tail[np.searchsorted(known[order], test, side="left")]) / (len(names) + 1))


def unit_mean(flags: npt.NDArray[np.bool_], unit: npt.NDArray[np.int64]) -> float:
    """Mean over units of the share of their members."""
    codes = np.unique(unit, return_inverse=True)[1]
    return float((np.bincount(codes, flags) / np.bincount(codes)).mean()) if len(unit) else 0.0


def _rows(sums: dict[tuple[str, str], list[list[float]]]) -> tuple[Drifted, ...]:
    out: list[Drifted] = []
    for (home, away), values in sums.items():
        table = np.array(values)
        risk, gated, deferred, accepted, lost, lost_wrong = table.mean(axis=0).tolist()
        se = (table[:, :2].std(axis=0, ddof=1) / np.sqrt(len(table))).tolist()
        out.append(Drifted(home, away, False, risk, se[0], 0.0, accepted))
        out.append(
            Drifted(
                calibrated_on=home,
                tested_on=away,
                gated=True,
                risk=gated,
                se=se[1],
                deferred=deferred,
                acceptance=accepted - lost,
                calls_avoided_per_150=150 * CALLS * deferred,
                rejected_though_acceptable=lost,
                of_those_wrong=lost_wrong / lost if lost > 0 else None,
            )
        )
    return tuple(out)
