"""The study: does assent keep its promise, and is it better than the paper? One run writes one page.

    python studies/run.py                    everything that the machine has records for (make study)
    python studies/run.py --quick            the bench part alone, from the committed records (minutes)

The protocol is fixed here, before the run: seed 20260101, 100 resplits, whole clusters apart wherever the data declares
them, labels by the exact decider, alpha in {.05, ..., .30}; a rule fails if its mean risk is above alpha + 3 s.e. Public data
sets are used by their test halves (odd hash), which nobody looked at while the corpus was written.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))

import gates
import scores
import sources
import validity

from assent.build import embedded_embed, embedded_models
from assent.calibrate.metrics import oracle_acceptance
from assent.embedded import Embedded
from assent.experiments import measure, report
from assent.experiments.measure import Rows, Settings
from assent.experiments.table import Table
from assent.learn import Labelled, load
from assent.logic.english import english
from assent.records import Accepted, parse

ROOT = sources.ROOT
SEED = 20260101
SYSTEMS = ("gpt3_ft", "davinci_fewshot")  # the best and the weakest of those recorded on all rows


def say(text: str) -> None:
    print(f"study: {text}", file=sys.stderr, flush=True)


class Study:
    """Sections in order; each is a heading, prose, and tables."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.numbers: dict[str, Rows] = {}
        self.times: Rows = []

    def section(self, title: str, prose: str = "") -> None:
        self.parts.append(f"## {title}\n\n{prose}\n" if prose else f"## {title}\n")

    def table(self, name: str, title: str, rows: Rows, notes: tuple[str, ...] = ()) -> None:
        if rows:
            self.numbers[name] = rows
            self.parts.append(Table.of(name, title, rows, notes=notes).markdown())

    def timed(self, name: str, work: Callable[[], Any]) -> Any:
        start = time.perf_counter()
        say(name)
        result = work()
        self.times.append({"stage": name, "seconds": round(time.perf_counter() - start, 1)})
        return result


def accuracy(name: str, data: Labelled) -> dict[str, Any]:
    """Exact equivalence of the candidate; nothing readable counts as wrong."""
    by_tier = {tier: float(1 - part.wrong.mean()) for tier, part in measure.parts(data) if tier != "all"}
    return {
        "set": name,
        "rows": len(data),
        "right": float(1 - data.wrong.mean()),
        "unreadable": float(np.mean([row.group == "unreadable" for row in data.rows])),
        "undecided": sum(not row.decided for row in data.rows),
        **(by_tier if len(by_tier) <= 3 else {}),
    }


def translator(study: Study, name: str, data: Labelled, channel: str) -> None:
    """Every table of one translator on one set, condensed for the page."""
    if not 0 < data.wrong.sum() < len(data):
        return
    settings = Settings(channel=channel, seed=SEED, bootstrap=300)
    made = report.make(data, settings, embed=embedded_embed(), title=name, draw=False)
    key = name.replace(" ", "_")
    auroc = [
        {k: row[k] for k in ("group", "channel", "value", "low", "high", "within equal size")}
        for row in made.rows["auroc"]
    ]
    study.table(f"{key}_auroc", f"{name}: AUROC", auroc)
    unit = measure.units(data)[0]
    matrix = [
        {"group": r["group"], "alpha": r["alpha"], "method": r["method"], "risk": r["risk"], "se": r["se"],
         "mark": r["mark"], "acceptance": r["acceptance"], "error among accepted": r["conditional_error"],
         "exceedances of 100": r["exceedances"]}
        for r in made.rows["compliance"]
        if r["unit"] == unit and r["alpha"] in (0.05, 0.1, 0.2)
    ]  # fmt: skip
    study.table(f"{key}_compliance", f"{name}: compliance of {channel!r} by {unit}", matrix)
    study.table(
        f"{key}_summary", f"{name}: cells over budget, all six alphas", made.rows["compliance_summary"]
    )
    ledger = [
        {
            k: row[k]
            for k in (
                "group",
                "alpha",
                "acceptance",
                "oracle",
                "share of oracle",
                "errors per 150",
                "no selection per 150",
            )
        }
        for row in made.rows["ledger"]
        if row["unit"] == unit and row["alpha"] in (0.05, 0.1)
    ]
    study.table(f"{key}_ledger", f"{name}: acceptance against the oracle", ledger)
    drift = [
        {k: row.get(k) for k in ("calibrated_on", "tested_on", "gated", "risk", "deferred")}
        for row in made.rows["drift"]
    ]
    study.table(
        f"{key}_drift",
        f"{name}: drift between tiers, alpha = 0.10",
        drift if len(data.tiers) in (2, 3) else [],
    )
    study.table(
        f"{key}_signals", f"{name}: do the signals complement one another?", made.rows["complementarity"]
    )
    study.table(
        f"{key}_labels",
        f"{name}: exact against canonical labels",
        [{k: v for k, v in r.items() if k != "ids"} for r in made.rows["labels"]],
    )
    study.table(
        f"{key}_typology", f"{name}: which single change makes the candidate right", made.rows["typology"]
    )


def shipped(study: Study, data: dict[str, Labelled]) -> None:
    """The shipped policies on the bench's test part."""
    from assent.build import load_policies, shipped_policies
    from assent.pipeline import decide

    rows: Rows = []
    for alpha in (0.05, 0.10, 0.20):
        for logic, policy in load_policies(shipped_policies(), alpha).items():
            part = data[logic.value]
            for register in ("formal", "casual", None):
                sub = part.where(
                    lambda row, r=register: r is None or row.evidence.instruction.extra.get("register") == r
                )  # type: ignore[misc]
                if not len(sub):
                    continue
                accepted = np.array(
                    [isinstance(decide(row.evidence, policy=policy), Accepted) for row in sub.rows]
                )
                bad = accepted & sub.wrong
                codes = sub.clusters if sub.clusters is not None else np.arange(len(sub))
                means = np.bincount(codes, bad) / np.bincount(codes)
                se = float(means.std(ddof=1) / np.sqrt(len(means)))
                oracle = oracle_acceptance(float(sub.wrong.mean()), alpha)
                rows.append(
                    {
                        "logic": logic.value,
                        "alpha": alpha,
                        "register": register or "both",
                        "rows": len(sub),
                        "error": float(sub.wrong.mean()),
                        "risk": float(means.mean()),
                        "se": se,
                        "over alpha + 3 s.e.": bool(means.mean() > alpha + 3 * se),
                        "acceptance": float(accepted.mean()),
                        "share of oracle": float(accepted.mean()) / oracle,
                        "error among accepted": float(bad.sum() / max(1, accepted.sum())),
                    }
                )
    study.table("shipped", "Shipped policies on the test part of the bench", rows)


def examples(study: Study, data: dict[str, Labelled]) -> None:
    """One accepted and one withheld translation a logic, step by step."""
    from assent.build import load_policies, shipped_policies
    from assent.pipeline import decide

    lines = []
    for logic, policy in load_policies(shipped_policies(), 0.10).items():
        seen: set[str] = set()
        for row in data[logic.value].rows:
            decision = decide(row.evidence, policy=policy)
            kind = "accepted" if isinstance(decision, Accepted) else "withheld"
            wanted = (kind == "accepted" and not row.wrong) or (
                kind == "withheld" and row.wrong and decision.score is not None
            )
            if kind in seen or not wanted or row.evidence.draft is None:
                continue
            seen.add(kind)
            case, draft = row.evidence.instruction, row.evidence.draft
            samples = len({s.formula for s in draft.samples})
            lines += [
                f"**{logic.value.upper()}, {kind}.** “{case.text}”  ",
                f"candidate `{draft.primary.formula}` ({english(parse(str(draft.primary.formula), case.logic))})  ",
                f"{samples} distinct formulas among {len(draft.samples)} samples; ratings {json.dumps(row.evidence.judge)}; "
                f"score {decision.score:.4f}, threshold {decision.threshold:.4f} (group {row.evidence.group})  ",
                f"reference `{case.reference}`: the candidate is {'wrong' if row.wrong else 'right'}\n",
            ]
    study.parts.append("\n".join(lines) + "\n")


def noise(study: Study, data: Labelled) -> None:
    """How many 'wrong' rows have a wrong reference, and what that does to the risk."""
    verdicts = json.loads((ROOT / "studies" / "hand_read.json").read_text(encoding="utf-8"))["verdicts"]
    counts = {
        kind: sum(v == kind for v in verdicts.values())
        for kind in ("reference", "candidate", "both", "ambiguous")
    }
    share = counts["reference"] / len(verdicts)
    se = float(np.sqrt(share * (1 - share) / len(verdicts)))
    rows: Rows = [{"which side is wrong": k, "of 40": v} for k, v in counts.items()]
    study.table("noise", "Reference noise, 40 wrong rows read by hand", rows,
                (f"The reference is plainly wrong in {share:.2f} ± {se:.2f} of them.",))  # fmt: skip
    readings: Rows = []
    by_id = {row.id: row for row in data.rows}
    for name, verdict in list(verdicts.items()):
        row = by_id.get(name)
        if row is None or row.evidence.draft is None:
            continue
        case = row.evidence.instruction
        readings.append(
            {
                "id": name,
                "verdict": verdict,
                "candidate says": english(parse(str(row.evidence.draft.primary.formula), case.logic)),
                "reference says": english(parse(str(case.reference), case.logic)),
            }
        )
    study.table("noise_readings", "Both readings, in our own English", readings)
    corrected = data.wrong & np.array([verdicts.get(row.id) != "reference" for row in data.rows])
    effect: Rows = []
    for channel in (c for c in ("fusion", "default") if c in data.channels):
        rules = measure.rules_at(data, channel, 0.10)
        rule = rules.get("all")
        if rule is None:
            continue
        accepted = rule.accepts_all(data.scores(channel))
        read = np.array([row.id in verdicts for row in data.rows])
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


def recorded_part(study: Study) -> None:
    llm = study.timed("recorded language model", lambda: sources.recorded("llm_ltl"))
    study.section("A frontier language model on NL2TL (recorded)")
    study.table("scores", "Scores against the paper's fusion", scores.compare(llm) + scores.learnt(llm),
                ("All zero-shot but the last line; 95 % cluster bootstrap.",))  # fmt: skip
    translator(study, "llm_ltl fusion", llm, "fusion")
    translator(study, "llm_ltl default", llm, "default")
    study.table(
        "rules", "Other rules on the same records, alpha = delta = 0.10", validity.rules(llm, "default")
    )
    study.table("broken", "Assumptions broken on purpose", validity.broken(llm, "default"))
    noise(study, llm)
    study.section(
        "Real systems on human utterances (recorded)",
        "Each system as the translator, the others as its samples.",
    )
    overview: Rows = []
    for system in SYSTEMS:
        data = study.timed(
            f"recorded system {system}", lambda system=system: sources.recorded("lang2ltl_systems", system)
        )
        for holdout in ("utt", "formula", "type"):
            part = data.where(
                lambda row, holdout=holdout: row.evidence.instruction.extra.get("holdout") == holdout
            )
            if not len(part) or not 0 < part.wrong.sum() < len(part):
                continue
            settings = Settings(channel="self_consistency", seed=SEED, bootstrap=200)
            cells = [
                r
                for r in measure.compliance(part, settings)
                if r["method"] == "crc" and r["unit"] == measure.units(part)[0]
            ]
            tenth = [r for r in cells if r["alpha"] == 0.1]
            overview.append(
                {
                    "system": system,
                    "holdout": holdout,
                    "rows": len(part),
                    "error": float(part.wrong.mean()),
                    "AUROC agreement": scores.metrics.auroc(part.scores("self_consistency"), part.wrong),
                    "AUROC default": scores.metrics.auroc(part.scores("default"), part.wrong),
                    "worst risk at 0.10": max(float(r["risk"] or 0) for r in tenth),
                    "cells over 3 s.e.": sum(bool(r["over_three_se"]) for r in cells),
                    "acceptance at 0.10": float(np.mean([float(r["acceptance"] or 0) for r in tenth])),
                }
            )
        if system == "gpt3_ft":
            _unseen_shift(study, data)
    study.table("systems", "Lang2LTL systems, agreement among the others as score", overview)


def _unseen_shift(study: Study, data: Labelled) -> None:
    """Calibrated on new utterances, used on new patterns: the sentences are the same, only the translator's training differs."""
    from assent.calibrate.control import cluster_crc
    from assent.calibrate.rules import Threshold

    utt = data.where(lambda row: row.evidence.instruction.extra.get("holdout") == "utt")
    kind = data.where(lambda row: row.evidence.instruction.extra.get("holdout") == "type")
    rows: Rows = []
    if utt.clusters is None or kind.clusters is None:
        return
    for channel in ("self_consistency", "default"):
        rule = cluster_crc(utt.scores(channel), utt.wrong, utt.clusters, alpha=0.10)
        if isinstance(rule, Threshold):
            for name, part in (("utt (same)", utt), ("type (shifted)", kind)):
                accepted = rule.accepts_all(part.scores(channel))
                rows.append({"channel": channel, "stream": name, "risk": float((accepted & part.wrong).mean()),
                             "acceptance": float(accepted.mean()), "alpha": 0.10})  # fmt: skip
    study.table("unseen_shift", "A shift that no gate on instructions can see (fine-tuned GPT-3)", rows)


def public_part(study: Study, finetuned: Path | None) -> None:
    study.section(
        "The embedded translator, zero-shot, on public data",
        "Test halves; exact equivalence; no tuning on them.",
    )
    sets: dict[str, Labelled] = {}
    for name, data_set in (
        ("nl2tl", "nl2tl_lifted"),
        ("lang2ltl", "lang2ltl_utterances"),
        ("uav", "uav_nl2stl_lifted"),
    ):
        rows = sources.public(data_set)
        data = study.timed(f"embedded on {name}", lambda n=name, r=rows: sources.embedded(n, r))
        if name == "nl2tl":
            for logic in ("ltl", "stl"):
                sets[f"nl2tl {logic}"] = data.where(
                    lambda row, logic=logic: row.evidence.instruction.logic.value == logic
                )
        else:
            sets[name] = data
    study.table("accuracy", "Translator, zero-shot", [accuracy(name, data) for name, data in sets.items()])
    for name in ("nl2tl ltl", "nl2tl stl"):
        translator(study, f"embedded {name}", sets[name], "default")
    if finetuned is not None and (finetuned / "translator").is_dir():
        study.section("The embedded translator, fine-tuned on part of NL2TL")
        held = (
            json.loads((finetuned / "held_out.json").read_text(encoding="utf-8"))["ids"]
            if (finetuned / "held_out.json").exists()
            else []
        )
        rows = [
            row
            for row in sources.rows_of(sources.SHARED / "data" / "nl2tl_lifted.jsonl")
            if row["id"] in set(held)
        ]
        data = study.timed(
            "fine-tuned on nl2tl", lambda: sources.embedded("finetuned", rows, models=Embedded(finetuned))
        )
        study.table(
            "finetuned", "Fine-tuned translator on held-out forms", [accuracy("nl2tl, held-out forms", data)]
        )
        translator(study, "fine-tuned nl2tl", data, "default")
    streams = {name: [row.text for row in data.rows] for name, data in sets.items()}
    for logic in ("ltl", "stl", "spatial"):
        streams[f"bench {logic}"] = [row["text"] for row in sources.rows_of(sources.BENCH / f"{logic}.jsonl")]
    for tier in ("D2", "D3", "D4"):
        streams[f"nl2tl {tier}"] = [row.text for row in sets["nl2tl ltl"].rows if row.tier.endswith(tier)]
    pairs = [("nl2tl ltl", "uav"), ("nl2tl ltl", "lang2ltl"), ("nl2tl ltl", "bench ltl"), ("bench ltl", "nl2tl ltl"),
             ("bench ltl", "bench spatial"), ("bench stl", "bench spatial"), ("bench spatial", "bench ltl"),
             ("nl2tl D4", "nl2tl D2"), ("nl2tl D2", "nl2tl D4")]  # fmt: skip
    study.section(
        "The gate", "False deferral at delta = 0.05 without shift, and the share deferred under shift."
    )
    study.table("gate", "Power by embedder", study.timed("gate", lambda: gates.power(streams, pairs)))


def cost_part(study: Study) -> None:
    from assent.benchmarks.lazy import saved_calls

    study.section("Cost")
    if (sources.SHARED / "recorded" / "llm_ltl.jsonl").exists():
        study.table("lazy", "Calls per decision, full (8) and lazy", study.timed("lazy scoring", saved_calls))


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true")
    parser.add_argument(
        "-o", "--output", type=Path, help="page to write (default: docs/study.md, or stdout with --quick)"
    )
    parser.add_argument("--numbers", type=Path, help="also write all numbers as JSON")
    parser.add_argument("--finetuned", type=Path, help="folder that 'assent train' wrote")
    args = parser.parse_args()
    study = Study()
    study.parts.append(
        "# The study\n\nMade by `make study`; nothing here is typed in by hand. "
        + " ".join((__doc__ or "").split("\n\n")[-1].split())
        + "\n"
    )
    data = {
        logic: study.timed(
            f"bench {logic}", lambda logic=logic: load(sources.RECORDS / f"bench_{logic}.jsonl")
        )
        for logic in ("ltl", "stl", "spatial")
    }
    study.section(
        "The embedded translator on the bench",
        f"Records of weights {embedded_models().version}, test part of the bench.",
    )
    rows = []
    for logic, part in data.items():
        for register in ("formal", "casual"):
            rows.append(
                accuracy(
                    f"{logic} {register}",
                    part.where(lambda row, r=register: row.evidence.instruction.extra.get("register") == r),
                )
            )
    study.table("bench_accuracy", "Translator on the bench, with vocabulary", rows)
    shipped(study, data)
    for logic, part in data.items():
        translator(study, f"bench {logic}", part, "default")
    study.section("Step by step")
    examples(study, data)
    if not args.quick and (sources.SHARED / "recorded").is_dir():
        recorded_part(study)
        public_part(study, args.finetuned)
        cost_part(study)
        study.table("times", "Wall time of the stages", study.times)
    page = "\n".join(study.parts)
    target = args.output or (None if args.quick else ROOT / "docs" / "study.md")
    if target is None:
        print(page)
    else:
        target.write_text(page, encoding="utf-8")
        say(f"wrote {target}")
    if args.numbers:
        args.numbers.write_text(json.dumps(study.numbers, indent=1, ensure_ascii=False), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
