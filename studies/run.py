"""The study: does assent keep its promise, and is it better than the paper? One run writes one page, in two forms.

    python studies/run.py                    everything that the machine has records for (make study)
    python studies/run.py --quick            the new domains alone, from the committed records (minutes): docs/domains.md
    python studies/run.py --recording FILE   one more file of recorded translations, in any logic

What the models answer is kept by their version under ASSENT_STUDY_CACHE (~/.cache/assent/study). Two things are made there
by commands of their own, and the page says so where they are missing:

    python studies/embeddings.py --fetch     vectors of mpnet and MiniLM for the gate's comparison
    assent train NL2TL.jsonl -o ~/.cache/assent/study/finetuned --held-out 0.4      the fine-tuned translator

The protocol is fixed here, before the run: seed 20260101, 100 resplits, whole clusters apart wherever the data declares
them, labels by the exact decider, alpha in {.05, ..., .30}; a rule fails if its mean risk is above alpha + 3 s.e. Public data
sets are used by their test halves (odd hash), which nobody looked at while the corpus was written; the gate's streams are
random samples of at most 300 distinct sentences (100 of a shifted stream), a third each for reference, calibration and
test, 50 resplits.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated

sys.path.insert(0, str(Path(__file__).resolve().parent))

import figures
import gates
import recording
import sources
import summary
import systems
import tables
from page import Section, Study, say

from assent.evaluate.labels import load
from assent.evaluate.table import Table, record
from assent.policy.labelled import Labelled

FINETUNED = Path(os.environ.get("ASSENT_STUDY_FINETUNED", sources.CACHE / "finetuned"))
PUBLIC = (("nl2tl", "nl2tl_lifted"), ("lang2ltl", "lang2ltl_utterances"), ("uav", "uav_nl2stl_lifted"))


def of_logic(data: Labelled, logic: str) -> Labelled:
    return data.where(lambda row: row.evidence.instruction.logic.value == logic)


def public_part(study: Study) -> dict[str, Labelled]:
    study.section(
        "The embedded translator, zero-shot, on public data",
        "Test halves; exact equivalence; no tuning on them.",
    )
    sets: dict[str, Labelled] = {}
    for name, file in PUBLIC:
        data = study.timed(f"embedded on {name}", partial(sources.embedded, name, sources.public(file)))
        if name == "nl2tl":
            sets |= {f"nl2tl {logic}": of_logic(data, logic) for logic in ("ltl", "stl")}
        else:
            sets[name] = data
    rows = [tables.accuracy(name, data) for name, data in sets.items()]
    study.table("accuracy", "Translator, zero-shot", rows)
    for name, data in sets.items():
        study.add(tables.translator(f"embedded {name}", data, "default"))
    return sets


def finetuned_part(study: Study, folder: Path) -> None:
    title = "The embedded translator, fine-tuned on part of NL2TL"
    held = folder / "held_out.json"
    if not (folder / "translator").is_dir() or not held.exists():
        study.section(
            title,
            "Missing from this run: the fine-tuned model is not in the study's cache. `assent train NL2TL.jsonl -o "
            "~/.cache/assent/study/finetuned --held-out 0.4` makes it (about half an hour).",
        )
        return
    ids = {str(name) for name in json.loads(held.read_text(encoding="utf-8"))["ids"]}
    rows = [
        row
        for row in sources.rows_of(sources.SHARED / "data" / "nl2tl_lifted.jsonl")
        if str(row["id"]) in ids
    ]
    study.section(
        title,
        f"Trained on 60 % of NL2TL's formulas, whole formulas apart (equal but for names and numbers); the {len(rows)} rows "
        "of the others are split by cluster into calibration and test. The low-error regime of the paper.",
    )
    data = study.timed("fine-tuned on nl2tl", lambda: sources.embedded("finetuned", rows, folder=folder))
    parts = {logic: of_logic(data, logic) for logic in ("ltl", "stl")}
    accuracy = [
        tables.accuracy(f"nl2tl {logic}, held-out formulas", part)
        for logic, part in parts.items()
        if len(part)
    ]
    study.table("finetuned", "Fine-tuned translator on formulas that it did not see", accuracy)
    for logic, part in parts.items():
        if len(part):
            study.add(tables.translator(f"fine-tuned nl2tl {logic}", part, "default"))


def gate_part(study: Study) -> None:
    false, moved, short, missing = study.timed("gate", gates.power)
    absent = f" Missing from this run: {'; '.join(missing)}." if missing else ""
    study.section(
        "The gate",
        "Which embedder makes the strongest gate at delta = 0.05? A gate is calibrated on one stream and meets another; "
        "'no shift' is the rest of its own stream. " + gates.verdict(short) + absent,
    )
    study.table("gate_summary", "Embedders compared", short,
                ("False deferral: mean over the streams with a 95 % interval of that mean. The other columns: mean share "
                 "deferred of the shifted streams of one kind.",))  # fmt: skip
    study.table("gate_power", "Share deferred, by shift", moved)
    study.table("gate_false", "False deferral without shift, by stream", false,
                ("Mean over 50 resplits, and the middle 95 % of them: what one calibration may give.",))  # fmt: skip


@dataclass(frozen=True)
class Saved:
    """One row of the benchmark of lazy scoring, under the names that it prints."""

    measured: Annotated[Mapping[str, float | str | bool], "{}"]


def cost_part(study: Study) -> None:
    from assent.benchmarks.lazy import saved_calls

    study.section("Cost")
    if (sources.SHARED / "recorded" / "llm_ltl.jsonl").exists():
        rows = study.timed("lazy scoring", saved_calls)
        shown = [Saved(row) for row in rows]
        study.table("lazy", "Calls per decision, full (8) and lazy", shown)


def whole(study: Study, more: list[Path], folder: Path) -> None:
    """Everything beyond the bench."""
    for path in [*sources.recordings(), *more]:
        recording.part(study, path)
    recorded = systems.part(study)
    public = public_part(study)
    finetuned_part(study, folder)
    streams = [("embedded, zero-shot", public["lang2ltl"])]
    streams += [(f"{name} (formula)", systems.of_holdout(data, "formula")) for name, data in recorded.items()]
    systems.patterns_part(study, [(name, data) for name, data in streams if len(data)])
    gate_part(study)
    cost_part(study)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true")
    parser.add_argument(
        "-o", "--output", type=Path, help="page to write (default: docs/study.md, or stdout with --quick)"
    )
    parser.add_argument("--numbers", type=Path, help="also write all numbers as JSON")
    parser.add_argument("--finetuned", type=Path, default=FINETUNED, help="folder that 'assent train' wrote")
    parser.add_argument("--recording", type=Path, action="append", default=[], help="one more recording")
    args = parser.parse_args()
    about = " ".join((__doc__ or "").split("\n\n")[-1].split())
    study = Study(
        "The study",
        f"Made by `make study`; nothing here is typed in by hand. [study.html](study.html) has the figures. {about}",
    )
    domains = {
        logic: study.timed(f"domains {logic}", partial(load, sources.RECORDS / f"domains_{logic}.jsonl"))
        for logic in ("ltl", "stl", "spatial")
    }
    tables.domains_part(study, domains)
    if not args.quick and (sources.SHARED / "recorded").is_dir():
        whole(study, args.recording, args.finetuned)
    study.timed("remaining tables", study.finish)
    numbers = study.numbers
    if not args.quick:
        claims = Table("claims", "What it must show, and what it shows", tuple(summary.lines(numbers)))
        study.first(Section("In short", ""), claims)
        study.table("times", "Wall time of the stages", study.times)
    write(study, args.output or (None if args.quick else sources.ROOT / "docs" / "study.md"))
    if args.numbers:
        plain = {name: [record(row) for row in rows] for name, rows in study.numbers.items()}
        args.numbers.write_text(json.dumps(plain, indent=1, ensure_ascii=False), encoding="utf-8")
    return 0


def write(study: Study, target: Path | None) -> None:
    """The page, and beside it the same with figures."""
    if target is None:
        print(study.markdown())
        return
    target.write_text(study.markdown(), encoding="utf-8")
    drawn = figures.all_of(study.numbers)
    study.first(Section("Figures", ""), *drawn)
    target.with_suffix(".html").write_text(study.html(), encoding="utf-8")
    say(f"wrote {target} and {target.with_suffix('.html')}")


if __name__ == "__main__":
    sys.exit(main())
