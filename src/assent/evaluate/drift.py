"""What a policy of one tier does on another tier's stream, with and without the gate."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from assent.calibrate.control import cluster_crc, crc
from assent.calibrate.rules import Threshold
from assent.evaluate.measure import Rows, Settings, thinned, tiers
from assent.policy.labelled import Labelled

Floats = npt.NDArray[np.float64]
Embed = Callable[[list[str]], npt.NDArray[np.float32]]
CALLS = 8  # of one full decision: a translation, five samples, a back-translation, a judge
# Shares of a tier's units: gate reference, gate calibration, threshold calibration; the rest tests.
PARTS = (0.25, 0.2, 0.3)
FEWEST = 8  # units of a tier that leave none of its four parts empty
MOST = 3000  # rows: every one is compared with every other


def drift(data: Labelled, settings: Settings, embed: Embed, *, alpha: float = 0.10) -> tuple[Rows, Floats]:
    """Rows for every pair of tiers, and the gate's p-values on the diagonal (uniform if the gate is valid).

    Tiers of too few units are left out, and large files are thinned.
    """
    data = enough(data, settings)
    if not len(data):
        return [], np.zeros(0)
    vectors = np.asarray(embed([row.text for row in data.rows]), dtype=np.float64)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    apart = np.sqrt(np.clip(2 - 2 * vectors @ vectors.T, 0, None))
    scores, wrong = data.scores(settings.channel), data.wrong
    tier_of = np.array([row.tier for row in data.rows])
    clusters = data.clusters
    unit = np.arange(len(data)) if clusters is None else clusters
    rng = np.random.default_rng(settings.seed)
    sums: dict[tuple[str, str], list[list[float]]] = {}
    diagonal: list[float] = []
    drawn = np.random.default_rng((settings.seed, 1))
    for _ in range(settings.resplits):
        cuts = {tier: cut(unit, np.flatnonzero(tier_of == tier), rng) for tier in data.tiers}
        for home in data.tiers:
            reference, gate, calibration, _ = cuts[home]
            k = min(settings.neighbours, len(reference))
            distance = np.partition(apart[:, reference], k - 1, axis=1)[:, :k].mean(axis=1)
            rule = (
                crc(scores[calibration], wrong[calibration], alpha=alpha)
                if clusters is None
                else cluster_crc(scores[calibration], wrong[calibration], unit[calibration], alpha=alpha)
            )
            for away in data.tiers:
                test = cuts[away][3]
                p = p_values(distance[test], distance[gate], unit[gate])
                passed = p >= settings.delta
                accepted = (
                    rule.accepts_all(scores[test])
                    if isinstance(rule, Threshold)
                    else np.zeros(len(test), bool)
                )
                bad = accepted & wrong[test]
                lost = accepted & ~passed
                sums.setdefault((home, away), []).append(
                    [
                        unit_mean(bad, unit[test]),
                        unit_mean(bad & passed, unit[test]),
                        unit_mean(~passed, unit[test]),
                        unit_mean(accepted, unit[test]),
                        unit_mean(lost, unit[test]),
                        unit_mean(lost & wrong[test], unit[test]),
                    ]
                )
                if home == away:
                    # One row a unit: rows of one unit are not independent, and large units would count more.
                    order = drawn.permutation(len(test))
                    first = np.unique(unit[test][order], return_index=True)[1]
                    diagonal.extend(p[order[first]].tolist())
    return _rows(sums), np.array(diagonal)


def enough(data: Labelled, settings: Settings) -> Labelled:
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


def _rows(sums: dict[tuple[str, str], list[list[float]]]) -> Rows:
    out: Rows = []
    for (home, away), values in sums.items():
        table = np.array(values)
        risk, gated, deferred, accepted, lost, lost_wrong = table.mean(axis=0).tolist()
        se = (table[:, :2].std(axis=0, ddof=1) / np.sqrt(len(table))).tolist()
        base = {"calibrated_on": home, "tested_on": away}
        out.append(
            {**base, "gated": False, "risk": risk, "se": se[0], "deferred": 0.0, "acceptance": accepted}
        )
        out.append(
            {
                **base,
                "gated": True,
                "risk": gated,
                "se": se[1],
                "deferred": deferred,
                "acceptance": accepted - lost,
                "calls_avoided_per_150": 150 * CALLS * deferred,
                "rejected_though_acceptable": lost,
                "of_those_wrong": lost_wrong / lost if lost > 0 else None,
            }
        )
    return out
