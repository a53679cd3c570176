"""A recorded language model: scores against the paper's fusion, acceptance against the oracle, other rules, noise."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
import scores
import sources
import tables
import validity
import witnesses
from page import Study

from assent.calibrate import metrics, resplit
from assent.calibrate.rules import Unit
from assent.evaluate import measure
from assent.logic.english import english
from assent.policy.labelled import Labelled
from assent.records import parse

SEED = 20260101
DELTA = 0.05
"""The level of a recorded gate."""
SHOWN = ("fusion", "default", "default + size (ranks)", "size")


def part(study: Study, path: Path) -> None:
    """Everything about one recording; any file of recorded translations in one logic will do."""
    name = path.stem
    data = study.timed(f"recorded {name}", lambda: sources.recorded(path))
    data = data.with_scores({"witnesses": study.timed(f"witnesses {name}", lambda: witnesses.scores(data))})
    study.section(
        f"A frontier language model (recorded: {name})", f"{len(data)} rows, as they were recorded."
    )
    study.table(f"{name}_scores", f"{name}: scores against the paper's fusion", scores.compare(data) + scores.learnt(data),
                ("All zero-shot but the last line; 95 % cluster bootstrap. 'witnesses': the share of the embedded models' "
                 "readings, weighed by probability, that disagree with the candidate about the traces which tell them "
                 "apart.",))  # fmt: skip
    study.table(f"{name}_oracle", f"{name}: acceptance against the oracle, tiers together and by tier", against_oracle(data),
                ("Mean over 100 resplits. Unit 'cluster': rule, acceptance, error and oracle count clusters alike; unit "
                 "'pair': pairs. The oracle accepts min(1, 1 - p + alpha).",))  # fmt: skip
    for channel in ("fusion", "default"):
        if channel in data.channels:
            study.add(tables.translator(f"{name} {channel}", data, channel))
    study.table(
        f"{name}_rules", f"{name}: other rules, alpha = delta = 0.10", validity.rules(data, "default")
    )
    study.table(f"{name}_broken", f"{name}: assumptions broken on purpose", validity.broken(data, "default"))
    if name == "llm_ltl":
        noise(study, data)


@dataclass(frozen=True)
class OracleShare:
    """Acceptance beside the oracle's, both counted in ``unit``."""

    score: str
    group: str
    unit: Unit
    alpha: float
    risk: float
    acceptance: float
    oracle: float
    share: float


def against_oracle(data: Labelled) -> list[OracleShare]:
    """Acceptance of a rule over clusters and over pairs, each beside the oracle counted the same way."""
    found = scores.candidates(data)
    at = np.array([row.tier for row in data.rows])
    groups = [("all", np.arange(len(data)))]
    if len(data.tiers) > 1:
        groups += [(tier, np.flatnonzero(at == tier)) for tier in data.tiers]
    return [
        _share(channel, group, data.take(rows.tolist()), found[channel][rows], unit, alpha)
        for channel in (name for name in SHOWN if name in found)
        for group, rows in groups
        for unit in measure.units(data)
        for alpha in (0.05, 0.10)
    ]


def _share(
    channel: str, group: str, part: Labelled, values: np.ndarray, unit: Unit, alpha: float
) -> OracleShare:
    splits = (
        resplit.draw_pairs(len(part), resplits=tables.RESPLITS, seed=SEED)
        if unit == "pair" or part.clusters is None
        else resplit.draw_clusters(part.clusters, resplits=tables.RESPLITS, seed=SEED)
    )
    result = resplit.resplit(
        values,
        part.wrong,
        splits,
        alphas=[alpha],
        unit=unit,
        clusters=part.clusters,
        deferred=part.away(None),
    )
    cell = resplit.cells(result, result.crc, weighting=unit)[0]
    oracle = metrics.oracle_acceptance(measure.mean(part.wrong, part, unit), alpha)
    return OracleShare(
        channel, group, unit, alpha, cell.risk, cell.acceptance, oracle, cell.acceptance / oracle
    )


@dataclass(frozen=True)
class NoiseCount:
    which_side_is_wrong: str
    rows: Annotated[int, "of 40"]


@dataclass(frozen=True)
class NoiseReading:
    id: str
    verdict: str
    candidate_says: str
    reference_says: str


@dataclass(frozen=True)
class NoiseEffect:
    """What wrong references do to the measured risk."""

    channel: str
    benchmark: Annotated[float, "risk, benchmark's labels"]
    corrected: Annotated[float, "risk, the read rows corrected"]
    extrapolated: Annotated[float, "risk, extrapolated"]
    accepted_among_the_read_rows: int


def noise(study: Study, data: Labelled) -> None:
    """How many 'wrong' rows have a wrong reference, and what that does to the risk."""
    verdicts = json.loads((sources.ROOT / "studies" / "hand_read.json").read_text(encoding="utf-8"))[
        "verdicts"
    ]
    counts = {
        kind: sum(v == kind for v in verdicts.values())
        for kind in ("reference", "candidate", "both", "ambiguous")
    }
    share = counts["reference"] / len(verdicts)
    se = float(np.sqrt(share * (1 - share) / len(verdicts)))
    study.table("noise", "Reference noise, 40 wrong rows read by hand",
                [NoiseCount(side, count) for side, count in counts.items()],
                (f"The reference is plainly wrong in {share:.2f} ± {se:.2f} of them.",))  # fmt: skip
    by_id = {row.id: row for row in data.rows}
    readings: list[NoiseReading] = []
    for name, verdict in verdicts.items():
        row = by_id.get(name)
        if row is None or row.evidence.formula is None:
            continue
        case = row.evidence.instruction
        reference = english(parse(str(case.reference), case.logic))
        readings.append(NoiseReading(name, verdict, english(row.evidence.formula), reference))
    study.table("noise_readings", "Both readings, in our own English", readings)
    corrected = data.wrong & np.array([verdicts.get(row.id) != "reference" for row in data.rows])
    read = np.array([row.id in verdicts for row in data.rows])
    effect: list[NoiseEffect] = []
    for channel in (c for c in ("fusion", "default") if c in data.channels):
        rule = measure.rules_at(data, channel, 0.10, DELTA).get("all")
        if rule is not None:
            accepted = rule.accepts_all(data.scores(channel)) & ~data.away(DELTA)
            risk = float((accepted & data.wrong).mean())
            effect.append(
                NoiseEffect(
                    channel,
                    risk,
                    float((accepted & corrected).mean()),
                    risk * (1 - share),
                    int((accepted & read).sum()),
                )
            )
    study.table("noise_effect", "Risk under the corrected labels (pooled rule, alpha = 0.10)", effect)
