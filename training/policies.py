"""Calibrate the shipped policies on the bench of new domains, and measure them on domains that nothing else used.

    python training/policies.py --collect ltl       evidence alone, one logic (several processes may run side by side)
    python training/policies.py                     evidence that is still missing, then everything else

The domain is the cluster: the promise is about a domain that nobody has seen. The gate compares the wording (names
and numbers taken out) with that of the written corpus; its p-values come from the domains of the part ``gate``, its
deferrals and the threshold are calibrated as one loss on the part ``calibration``. Writes
``src/assent/weights/gate/LOGIC.npy`` (reference vectors) and ``src/assent/weights/policies/LOGIC-ALPHA.json``, the
test part's records for the study (``studies/records``), and prints risk and acceptance on the test domains.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

from assent.calibrate.metrics import oracle_acceptance
from assent.calibrate.recipe import Recipe
from assent.config.build import embedded_models
from assent.embedded import shipped
from assent.embedded.roles import OfflineJudge, OfflineTranslator, Wording
from assent.evaluate.labels import load
from assent.io.lines import Appender, read_rows, write_rows
from assent.logic.ast import Logic
from assent.pipeline import Collector, collect
from assent.pipeline.gate import Gate, build
from assent.policy import Policy
from assent.policy.labelled import Labelled
from assent.policy.make import PolicyPlan, make_policy
from assent.records import Accepted, Instruction
from assent.records.rows import evidence_row, instruction_of
from assent.vocabulary import load_sections
from assent_train import written

ROOT = Path(__file__).resolve().parent.parent
BENCH = ROOT / "bench" / "domains"
ALPHAS = (0.05, 0.10, 0.20)
DELTA = 0.02
REFERENCES = 1500
"""Sentences of the written corpus that the gate compares with, for each logic."""
CEILING = 0.5
"""The default score is a probability of being wrong: what is more likely wrong than right is never vouched for."""
SCORED = ("calibration", "test")
STREAM = (
    "alpha is about a domain that calibration never saw: it was calibrated over {domains} other domains, so that on "
    "average over new domains at most alpha of a domain's instructions are accepted and wrong; for a promise about your "
    "own stream, review a few decisions ('assent review')"
)


def bench_rows(most: int | None = None) -> dict[str, list[dict[str, Any]]]:
    """Rows by part: whole domains; with ``most``, so many of each domain and logic, by a hash of their id."""
    part = json.loads((BENCH / "partition.json").read_text(encoding="utf-8"))
    rows: dict[str, list[dict[str, Any]]] = defaultdict(list)
    taken: Counter[tuple[str, str]] = Counter()
    known = [row for _, row in read_rows(BENCH / "requirements.jsonl") if not row.get("ambiguous")]
    for row in sorted(known, key=lambda row: hashlib.sha256(row["id"].encode()).hexdigest()):
        taken[row["domain"], row["logic"]] += 1
        if most is None or taken[row["domain"], row["logic"]] <= most or part[row["domain"]] == "gate":
            rows[part[row["domain"]]].append(row)
    return rows


def gates(rows: Iterable[dict[str, Any]], logics: Iterable[Logic]) -> dict[Logic, Gate]:
    """A gate for each logic that is asked for; ``rows`` calibrate it."""
    models, sections = embedded_models(), load_sections(BENCH / "vocabulary.json")
    view = Wording(models)
    mine = list(rows)
    made = {}
    for logic in logics:
        reference = corpus_wordings(logic)
        cases = [instruction_of(row) for row in mine if row["logic"] == logic.value]
        texts = [view(case, sections[str(case.domain)]) for case in cases]
        fresh = sorted(
            set(texts) - set(reference)
        )  # the same wording in both would be at distance 0 by construction
        made[logic] = build(models.embedder, reference, fresh, delta=DELTA, view=view)
    return made


def corpus_wordings(logic: Logic) -> list[str]:
    """Wordings of the written corpus, every n-th of them."""
    view, sections = Wording(embedded_models()), written.vocabularies()
    rows = [row for row in written.rows() if row.logic == logic and row.formula is not None]
    chosen = rows[:: max(1, len(rows) // REFERENCES)]
    cases = [Instruction(id=row.id, text=row.text, logic=logic, domain=row.domain) for row in chosen]
    return sorted({view(case, sections[str(case.domain)]) for case in cases})


async def collect_all(collector: Collector, rows: list[dict[str, Any]], file: Path) -> None:
    done = {row["id"] for _, row in read_rows(file)} if file.exists() else set()
    file.parent.mkdir(parents=True, exist_ok=True)
    with Appender(file) as out:
        for row in tqdm([r for r in rows if r["id"] not in done], desc=file.stem, mininterval=10):
            out.append(evidence_row(await collect(collector, instruction_of(row))))


@dataclass(frozen=True)
class Measured:
    """What a policy does on domains it was not made from; risk and acceptance by domain."""

    logic: str
    part: str
    alpha: float
    domains: int
    rows: int
    error: float
    deferred: float
    risk: float
    se: float
    over_one_se: bool
    acceptance: float
    oracle: float
    among_accepted: float


def by_domain(flags: Iterable[bool], data: Labelled) -> tuple[float, float]:
    """Mean over domains of the mean within them, and its standard error."""
    groups: dict[str, list[bool]] = defaultdict(list)
    for flag, row in zip(flags, data.rows, strict=True):
        groups[str(row.cluster)].append(bool(flag))
    means = np.array([np.mean(values) for values in groups.values()])
    spread = float(means.std(ddof=1) / np.sqrt(len(means))) if len(means) > 1 else 0.0
    return float(means.mean()), spread


def measure(logic: str, part: str, data: Labelled, policy: Policy) -> Measured:
    decisions = [policy.decide(row.evidence) for row in data.rows]
    accepted = np.array([isinstance(decision, Accepted) for decision in decisions])
    bad = accepted & data.wrong
    (risk, se), (share, _), (error, _) = (by_domain(f, data) for f in (bad, accepted, data.wrong))
    deferred, _ = by_domain([policy.defers(row.evidence) for row in data.rows], data)
    return Measured(
        logic=logic,
        part=part,
        alpha=policy.alpha,
        domains=len({row.cluster for row in data.rows}),
        rows=len(data),
        error=round(error, 3),
        deferred=round(deferred, 3),
        risk=round(risk, 4),
        se=round(se, 4),
        over_one_se=risk > policy.alpha + se,
        acceptance=round(share, 3),
        oracle=round(oracle_acceptance(error, policy.alpha), 3),
        among_accepted=round(risk / share, 3) if share else 0.0,
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--evidence", type=Path, default=ROOT / "runs" / "domains", help="folder of evidence files"
    )
    parser.add_argument("--collect", choices=[logic.value for logic in Logic])
    parser.add_argument("--channel", default="default")
    parser.add_argument("--to", type=Path, default=shipped(), help="where gate/ and policies/ go")
    parser.add_argument(
        "--most", type=int, metavar="N", help="at most N rows of each domain and logic (quicker)"
    )
    args = parser.parse_args()
    models, rows = embedded_models(), bench_rows(args.most)
    wanted = [Logic(args.collect)] if args.collect else list(Logic)
    made = gates(rows["gate"], wanted)
    collector = Collector(
        translator=OfflineTranslator(models),
        scorers=(OfflineJudge(models),),
        gates=made,
        vocabularies=load_sections(BENCH / "vocabulary.json"),
    )
    files = {logic: args.evidence / models.version / f"{logic.value}.jsonl" for logic in Logic}
    for logic in wanted:
        mine = [r for part in SCORED for r in rows[part] if r["logic"] == logic.value]
        asyncio.run(collect_all(collector, mine, files[logic]))
    if args.collect:
        return
    part = json.loads((BENCH / "partition.json").read_text(encoding="utf-8"))
    (args.to / "gate").mkdir(parents=True, exist_ok=True)
    (args.to / "policies").mkdir(exist_ok=True)
    for logic in Logic:
        np.save(args.to / "gate" / f"{logic.value}.npy", made[logic].reference)
        data = load(files[logic])
        for alpha in ALPHAS:
            policy = shipped_policy(data, part, made[logic], alpha, args.channel)
            policy.save(args.to / "policies" / f"{logic.value}-{alpha:.2f}.json")
            for row in measured(logic, data, part, policy):
                print(json.dumps(asdict(row)), flush=True)
    write_records(files, part)


def shipped_policy(data: Labelled, part: dict[str, str], gate: Gate, alpha: float, channel: str) -> Policy:
    calibration = data.where(lambda row: part[str(row.cluster)] == "calibration")
    domains = len({row.cluster for row in calibration.rows})
    plan = PolicyPlan(
        recipe=Recipe(alpha=alpha, ceiling=CEILING),
        channel=channel,
        grouping="all",
        gate=gate.frozen(joint=True),
        any_vocabulary=True,
        stream=STREAM.format(domains=domains),
        provenance={"data": "bench/domains, part calibration", "domains": domains},
    )
    return make_policy(calibration, plan)


def measured(logic: Logic, data: Labelled, part: dict[str, str], policy: Policy) -> list[Measured]:
    """On the test domains: all rows, and by register."""
    test = data.where(lambda row: part[str(row.cluster)] == "test")
    found = [measure(logic.value, "test", test, policy)]
    for register in ("formal", "ears", "casual"):
        some = test.where(lambda row, name=register: row.evidence.instruction.extra.get("register") == name)
        if len(some):
            found.append(measure(logic.value, register, some, policy))
    return found


def write_records(files: dict[Logic, Path], part: dict[str, str]) -> None:
    """The test part as the study reads it, without the transcripts of the calls."""
    folder = ROOT / "studies" / "records"
    folder.mkdir(parents=True, exist_ok=True)
    for logic in Logic:
        kept = [row for _, row in read_rows(files[logic]) if part[row["cluster"]] == "test"]
        plain = [
            {key: value for key, value in row.items() if key not in ("calls", "prompts")} for row in kept
        ]
        write_rows(folder / f"domains_{logic.value}.jsonl", plain)


if __name__ == "__main__":
    main()
