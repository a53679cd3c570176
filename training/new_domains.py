"""The shipped policies on a stream they were not made for: requirements in new domains, gate included.

    python training/new_domains.py [--half dev|test|all]

Prints, for each logic and level, how many instructions were deferred or withheld, how many accepted, and how many
of those were wrong.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections import Counter
from typing import Any

from policies import ALPHAS, BENCH, bench_rows, gates

from assent.config.build import embedded_models
from assent.embedded import shipped
from assent.embedded.roles import OfflineJudge, OfflineTranslator
from assent.evaluate.labels import label
from assent.logic.ast import Logic
from assent.logic.parse import read
from assent.pipeline import Collector
from assent.policy import decide
from assent.policy.policy import Policy
from assent.records import Accepted, Evidence
from assent.records.rows import instruction_of
from assent.vocabulary import load_sections


def right(evidence: Evidence, row: dict[str, Any]) -> bool:
    return not label(evidence.formula, read(row["reference"], row["logic"])).wrong


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--half", choices=("dev", "test", "all"), default="test")
    args = parser.parse_args()
    lines = (BENCH / "new_domains.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [row for row in map(json.loads, lines) if args.half in ("all", row["half"])]
    models = embedded_models()
    collector = Collector(
        translator=OfflineTranslator(models),
        scorers=(OfflineJudge(models),),
        gates=gates(bench_rows()),
        vocabularies=load_sections(BENCH / "new_domains_vocabulary.json"),
    )

    async def collect() -> list[Evidence]:
        return [await collect(collector, instruction_of(row)) for row in rows]

    found = asyncio.run(collect())
    for logic in Logic:
        mine = [(row, e) for row, e in zip(rows, found, strict=True) if row["logic"] == logic.value]
        for alpha in ALPHAS:
            policy = Policy.load(shipped() / "policies" / f"{logic.value}-{alpha:.2f}.json")
            ends: Counter[str] = Counter()
            for row, evidence in mine:
                decision = decide(evidence, policy=policy)
                if isinstance(decision, Accepted):
                    ends["accepted right" if right(evidence, row) else "accepted wrong"] += 1
                else:
                    ends[str(decision.reason)] += 1
            said = ", ".join(f"{name} {count}" for name, count in sorted(ends.items()))
            print(
                f"{logic.value:8} alpha {alpha:.2f}  n {len(mine)}  risk {ends['accepted wrong'] / len(mine):.3f}  {said}"
            )


if __name__ == "__main__":
    main()
