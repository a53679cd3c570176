"""Calibrate the shipped policies on the bench part that nothing else used, and measure them on the test part.

    python training/policies.py --collect ltl       evidence alone, one logic (several processes may run side by side)
    python training/policies.py                     evidence that is still missing, then everything else

Writes ``src/assent/weights/gate/LOGIC.npy`` (reference vectors) and ``src/assent/weights/policies/LOGIC-ALPHA.json``,
the test part's records for the study (``studies/records``), and prints risk and acceptance on the test clusters.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

from assent.calibrate.exact import level
from assent.calibrate.metrics import oracle_acceptance
from assent.calibrate.recipe import Recipe
from assent.config.build import embedded_models
from assent.embedded import shipped
from assent.embedded.roles import OfflineJudge, OfflineTranslator
from assent.evaluate.labels import load
from assent.io.lines import Appender, read_rows, write_rows
from assent.logic.ast import Logic
from assent.pipeline import Collector, collect
from assent.pipeline.gate import Gate, build
from assent.policy import decide
from assent.policy.labelled import Labelled
from assent.policy.make import Plan, make_policy
from assent.records import Accepted, Evidence
from assent.records.rows import evidence_row, instruction_of
from assent.vocabulary import load_sections

ROOT = Path(__file__).resolve().parent.parent
BENCH = ROOT / "bench"
ALPHAS = (0.05, 0.10, 0.20)
DELTA = 0.05
CEILING = 0.5
"""The default score is a probability of being wrong: what is more likely wrong than right is never vouched for."""
SCORED = ("fit", "calibration", "test")


def bench_rows() -> dict[str, list[dict[str, Any]]]:
    """Rows by part of the committed partition."""
    part = json.loads((BENCH / "partition.json").read_text(encoding="utf-8"))
    rows: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for logic in Logic:
        for _, row in read_rows(BENCH / f"{logic.value}.jsonl"):
            rows[part[row["cluster"]]].append(row)
    return rows


def gates(rows: dict[str, list[dict[str, Any]]]) -> dict[Logic, Gate]:
    embedder = embedded_models().embedder
    made = {}
    for logic in Logic:
        reference = [r["text"] for r in rows["gate_reference"] if r["logic"] == logic.value]
        known = {" ".join(t.lower().split()) for t in reference}
        cal = [
            r
            for r in rows["gate_calibration"]
            if r["logic"] == logic.value and " ".join(r["text"].lower().split()) not in known
        ]
        made[logic] = build(
            embedder, reference, [r["text"] for r in cal], clusters=[r["cluster"] for r in cal], delta=DELTA
        )
    return made


async def collect_all(collector: Collector, rows: list[dict[str, Any]], file: Path) -> None:
    done = {row["id"] for _, row in read_rows(file)} if file.exists() else set()
    with Appender(file) as out:
        for row in tqdm([r for r in rows if r["id"] not in done], desc="bench", mininterval=5):
            case = instruction_of(row)
            out.append(evidence_row(await collect(collector, case)))


def unit_mean(flags: list[bool], clusters: list[str]) -> tuple[float, float]:
    """Mean over clusters of the mean within them, and its standard error."""
    by: dict[str, list[bool]] = defaultdict(list)
    for flag, cluster in zip(flags, clusters, strict=True):
        by[cluster].append(flag)
    means = np.array([np.mean(v) for v in by.values()])
    return float(means.mean()), float(means.std(ddof=1) / np.sqrt(len(means)))


def measure(name: str, data: Labelled, policy: Any) -> dict[str, Any]:
    decisions = [decide(row.evidence, policy=policy) for row in data.rows]
    accepted = [isinstance(d, Accepted) for d in decisions]
    bad = [a and bool(w) for a, w in zip(accepted, data.wrong, strict=True)]
    clusters = [str(row.cluster) for row in data.rows]
    risk, se = unit_mean(bad, clusters)
    error = float(data.wrong.mean())
    share = float(np.mean(accepted))
    oracle = oracle_acceptance(error, policy.alpha)
    return {
        "part": name,
        "alpha": policy.alpha,
        "rows": len(data),
        "error": round(error, 3),
        "risk": round(risk, 4),
        "se": round(se, 4),
        "over_one_se": bool(risk > policy.alpha + se),
        "over_three_se": bool(risk > policy.alpha + 3 * se),
        "acceptance": round(share, 3),
        "oracle": round(oracle, 3),
        "share_of_oracle": round(share / oracle, 3),
        "conditional_error": round(sum(bad) / max(1, sum(accepted)), 3),
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--evidence", type=Path, default=ROOT / "runs" / "bench", help="folder of evidence files"
    )
    parser.add_argument("--collect", choices=[logic.value for logic in Logic])
    parser.add_argument("--channel", default="default")
    args = parser.parse_args()
    models = embedded_models()
    rows = bench_rows()
    made = gates(rows)
    collector = Collector(
        translator=OfflineTranslator(models),
        scorers=(OfflineJudge(models),),
        gates=made,
        vocabularies=load_sections(BENCH / "vocabulary.json"),
    )
    folder = args.evidence / models.version
    folder.mkdir(parents=True, exist_ok=True)
    for logic in Logic:
        if args.collect in (None, logic.value):
            mine = [r for part in SCORED for r in rows[part] if r["logic"] == logic.value]
            asyncio.run(collect_all(collector, mine, folder / f"{logic.value}.jsonl"))
    if args.collect:
        return
    part = json.loads((BENCH / "partition.json").read_text(encoding="utf-8"))
    files = {logic: folder / f"{logic.value}.jsonl" for logic in Logic}
    (shipped() / "gate").mkdir(exist_ok=True)
    (shipped() / "policies").mkdir(exist_ok=True)
    report = []
    for logic in Logic:
        np.save(shipped() / "gate" / f"{logic.value}.npy", made[logic].reference)
        mine = load(files[logic])
        calibration = mine.where(lambda row: part[str(row.cluster)] == "calibration")
        test = mine.where(lambda row: part[str(row.cluster)] == "test")
        for alpha in ALPHAS:
            plan = Plan(
                recipe=Recipe(alpha=alpha, ceiling=CEILING),
                channel=args.channel,
                gate=made[logic].frozen(joint=True),
                any_vocabulary=True,
                provenance={"data": "bench, part calibration", "registers": "formal and casual"},
            )
            policy = make_policy(calibration, plan)
            policy.save(shipped() / "policies" / f"{logic.value}-{alpha:.2f}.json")
            report.append({"logic": logic.value, **measure("all", test, policy)})
            for register in ("formal", "casual"):
                sub = test.where(
                    lambda row, register=register: row.evidence.instruction.extra.get("register") == register
                )
                report.append({"logic": logic.value, **measure(register, sub, policy)})
    write_records(files, part)
    for row in report:
        print(json.dumps(row))
    (ROOT / "runs" / "policies.json").write_text(json.dumps(report, indent=1), encoding="utf-8")


def write_records(files: dict[Logic, Path], part: dict[str, str]) -> None:
    """The test part as the study reads it, without the transcripts of the calls."""
    folder = ROOT / "studies" / "records"
    folder.mkdir(parents=True, exist_ok=True)
    for logic in Logic:
        kept = [row for _, row in read_rows(files[logic]) if part[row["cluster"]] == "test"]
        plain = [
            {key: value for key, value in row.items() if key not in ("calls", "prompts")} for row in kept
        ]
        write_rows(folder / f"bench_{logic.value}.jsonl", plain)


def deferred(evidence: Evidence) -> bool:
    return evidence.gate is not None and level(evidence.gate.p_value, "p") < level(DELTA, "delta")


if __name__ == "__main__":
    main()
