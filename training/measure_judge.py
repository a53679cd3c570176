"""How well the judge tells wrong candidates from right ones.

    python training/measure_judge.py [--weights DIR] [own] [recorded] [mutations]

own: the embedded translator's answers on both benches (test part), together and each by itself; and together once more
with answers that are wrong in the strength of an until alone counted as right (the benches differ about a bare one)
· recorded: a frontier model's answers on NL2TL · mutations: each rating against the mutations of its own kind (bench, test part).
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

from judging import ROOT, Case, auroc, auroc_within, bench_rows, own_output, recorded

from assent.embedded import Embedded
from assent.errors import AssentError
from assent.logic.mutate import mutations
from assent.logic.parse import read
from assent.vocabulary import load_sections

TIERS = ("D2", "D3", "D4")


def show(name: str, models: Embedded, cases: list[Case]) -> None:
    wrong = [case.wrong for case in cases]
    strata = [(case.group, case.size) for case in cases]
    judged = [models.judge(c.lifted, c.formula, disagreement=c.disagreement) for c in cases]
    columns = {"score": [j.score for j in judged], "size alone": [float(c.size) for c in cases]}
    columns["samples alone"] = [case.disagreement for case in cases]
    for key in judged[0].evidence:
        columns[f"· {key}"] = [j.evidence[key] for j in judged]
    print(f"{name}: n {len(cases)}, wrong {sum(wrong)}")
    for label, values in columns.items():
        tiers = []
        for tier in TIERS:
            members = [i for i, case in enumerate(cases) if case.group == tier]
            tiers.append(auroc([values[i] for i in members], [wrong[i] for i in members]))
        print(
            f"  {label:20} AUROC {auroc(values, wrong):.3f}  "
            f"by tier {'/'.join(f'{value:.3f}' for value in tiers)}  "
            f"within size {auroc_within(values, wrong, strata):.3f}"
        )


def show_mutations(models: Embedded, parts: list[str], limit: int) -> None:
    sections = load_sections(ROOT / "bench/vocabulary.json")
    for logic in ("ltl", "stl", "spatial"):
        found: dict[str, list[tuple[float, int]]] = defaultdict(list)
        for number, row in enumerate(bench_rows(logic, parts)[:limit]):
            reference = read(row["reference"], logic)
            try:
                lifted = models.lift(row["text"], logic, sections[row["domain"]])
            except AssentError:
                continue
            right = models.judge(lifted, reference).agreement
            seen: set[str] = set()
            for mutation in mutations(reference, seed=number):
                if mutation.dimension in seen:
                    continue
                seen.add(mutation.dimension)
                rated = models.judge(lifted, mutation.formula).agreement
                found[mutation.dimension].append((1 - rated[mutation.dimension], 1))
                found[mutation.dimension].append((1 - right[mutation.dimension], 0))
        for dimension, pairs in sorted(found.items()):
            value = auroc([score for score, _ in pairs], [label for _, label in pairs])
            print(f"  {logic:8} {dimension:20} AUROC {value:.3f}  mutations {len(pairs) // 2}")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", nargs="*", default=[])
    parser.add_argument("--weights", type=Path, default=ROOT / "src/assent/weights")
    parser.add_argument("--parts", nargs="+", default=["test"])
    parser.add_argument("--limit", type=int, default=100_000)
    args = parser.parse_args()
    models = Embedded(args.weights)
    what = args.what or ["own", "recorded", "mutations"]
    if "own" in what:
        for logic in ("ltl", "stl", "spatial"):
            cases = list(own_output(models, bench_rows(logic, args.parts)[: args.limit]))
            show(f"own output, {logic}", models, cases)
            if any(case.until_alone for case in cases):
                apart = [replace(case, wrong=case.wrong * (not case.until_alone)) for case in cases]
                show(f"own output, {logic}, but for untils", models, apart)
            older = [case for case in cases if case.group in TIERS]
            show(f"own output, {logic}, older bench alone", models, older)
            show(f"own output, {logic}, new domains alone", models, [c for c in cases if c not in older])
    if "recorded" in what:
        show("recorded", models, list(recorded(models))[: args.limit])
    if "mutations" in what:
        show_mutations(models, args.parts, args.limit)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
