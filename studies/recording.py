"""A recorded language model: scores against the paper's fusion, acceptance against the oracle, other rules, noise."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import scores
import sources
import tables
import validity
import witnesses
from page import Study

from assent.calibrate import metrics, resplit
from assent.calibrate.control import cluster_crc, crc
from assent.calibrate.rules import Threshold
from assent.evaluate import measure
from assent.evaluate.measure import Rows
from assent.logic.english import english
from assent.policy.labelled import Labelled
from assent.records import parse

SEED = 20260101
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


def against_oracle(data: Labelled) -> Rows:
    """Acceptance of a rule over clusters and over pairs, each beside the oracle counted the same way."""
    found = scores.candidates(data)
    out: Rows = []
    groups = [("all", np.arange(len(data)))]
    if len(data.tiers) > 1:
        at = np.array([row.tier for row in data.rows])
        groups += [(tier, np.flatnonzero(at == tier)) for tier in data.tiers]
    for channel in (name for name in SHOWN if name in found):
        for group, rows in groups:
            part = data.take(rows.tolist())
            for unit in measure.units(part):
                line: dict[str, float | str] = {"score": channel, "group": group, "unit": unit}
                for alpha in (0.05, 0.10):
                    share, oracle, risk = _accepted(part, found[channel][rows], unit, alpha)
                    line |= {
                        f"risk at {alpha:.2f}": risk,
                        f"acceptance at {alpha:.2f}": share,
                        f"oracle at {alpha:.2f}": oracle,
                        f"share at {alpha:.2f}": share / oracle,
                    }
                out.append(dict(line))
    return out


def _accepted(
    part: Labelled,
    values: np.ndarray,
    unit: str,
    alpha: float,
) -> tuple[float, float, float]:
    clusters = part.clusters if unit == "cluster" else None
    codes = np.arange(len(part)) if clusters is None else clusters
    splits = (
        resplit.draw_pairs(len(part), resplits=tables.RESPLITS, seed=SEED)
        if clusters is None
        else resplit.draw_clusters(clusters, resplits=tables.RESPLITS, seed=SEED)
    )
    shares, risks = [], []
    for calibration, test in zip(splits.calibration, splits.test, strict=True):
        cal, new = np.flatnonzero(calibration), np.flatnonzero(test)
        rule = (
            crc(values[cal], part.wrong[cal], alpha=alpha)
            if clusters is None
            else cluster_crc(values[cal], part.wrong[cal], codes[cal], alpha=alpha)
        )
        accepted = rule.accepts_all(values[new]) if isinstance(rule, Threshold) else np.zeros(len(new), bool)
        names = np.unique(codes[new], return_inverse=True)[1]
        sizes = np.bincount(names)
        shares.append(float((np.bincount(names, accepted) / sizes).mean()))
        risks.append(float((np.bincount(names, accepted & part.wrong[new]) / sizes).mean()))
    sizes = np.bincount(codes)
    error = float((np.bincount(codes, part.wrong) / sizes).mean())
    return float(np.mean(shares)), metrics.oracle_acceptance(error, alpha), float(np.mean(risks))


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
                [{"which side is wrong": k, "of 40": v} for k, v in counts.items()],
                (f"The reference is plainly wrong in {share:.2f} ± {se:.2f} of them.",))  # fmt: skip
    by_id = {row.id: row for row in data.rows}
    readings: Rows = []
    for name, verdict in verdicts.items():
        row = by_id.get(name)
        if row is None or row.evidence.draft is None:
            continue
        case = row.evidence.instruction
        readings.append(
            {
                "id": name,
                "verdict": verdict,
                "candidate says": english(row.evidence.formula),
                "reference says": english(parse(str(case.reference), case.logic)),
            }
        )
    study.table("noise_readings", "Both readings, in our own English", readings)
    corrected = data.wrong & np.array([verdicts.get(row.id) != "reference" for row in data.rows])
    read = np.array([row.id in verdicts for row in data.rows])
    effect: Rows = []
    for channel in (c for c in ("fusion", "default") if c in data.channels):
        rule = measure.rules_at(data, channel, 0.10).get("all")
        if rule is not None:
            accepted = rule.accepts_all(data.scores(channel))
            effect.append(
                {
                    "channel": channel,
                    "risk, benchmark's labels": float((accepted & data.wrong).mean()),
                    "risk, the read rows corrected": float((accepted & corrected).mean()),
                    "risk, extrapolated": float((accepted & data.wrong).mean() * (1 - share)),
                    "accepted among the read rows": int((accepted & read).sum()),
                }
            )
    study.table("noise_effect", "Risk under the corrected labels (pooled rule, alpha = 0.10)", effect)
