"""What the shipped policies do with the rows of a file, gate and doubts included, as a user of the front door meets it.

    python training/decide_rows.py bench/not_requirements.jsonl bench/domains/vocabulary.json --by kind
    python training/decide_rows.py bench/new_domains.jsonl bench/new_domains_vocabulary.json

Prints, for each logic and level, how many rows were accepted (right and wrong, where a row has its ``reference``), withheld for
which reason, and the texts that were accepted without a reference: nobody should vouch for what asks for nothing.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import Any

import assent
from assent.evaluate.labels import label
from assent.logic.parse import read
from assent.vocabulary import load_sections


def outcome(decision: Any, row: dict[str, Any]) -> str:
    """In a word or two: how the decision ended."""
    if not isinstance(decision, assent.Accepted):
        return str(decision.reason)
    if "reference" not in row:
        return "accepted"
    wrong = label(decision.formula, read(row["reference"], row["logic"])).wrong
    return "accepted wrong" if wrong else "accepted right"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("rows", type=Path)
    parser.add_argument("vocabulary", type=Path)
    parser.add_argument("--alpha", type=float, default=0.10)
    parser.add_argument("--by", help="a field of the rows to count by")
    args = parser.parse_args()
    rows = [json.loads(line) for line in args.rows.read_text(encoding="utf-8").splitlines() if line]
    sections = load_sections(args.vocabulary)
    ends: dict[tuple[str, str], Counter[str]] = {}
    for logic in dict.fromkeys(row["logic"] for row in rows):
        for domain in dict.fromkeys(row["domain"] for row in rows if row["logic"] == logic):
            with assent.load(logic, vocabulary=sections[domain], alpha=args.alpha) as translator:
                for row in (r for r in rows if (r["logic"], r["domain"]) == (logic, domain)):
                    ended = outcome(translator(row["text"]), row)
                    for group in ("all", str(row[args.by])) if args.by else ("all",):
                        ends.setdefault((logic, group), Counter())[ended] += 1
                    if ended == "accepted":
                        print(f"accepted: {logic} {domain}: {row['text']}")
    for (logic, group), counts in sorted(ends.items()):
        total = sum(counts.values())
        said = ", ".join(f"{name} {count}" for name, count in sorted(counts.items()) if count)
        taken = sum(count for name, count in counts.items() if name.startswith("accepted"))
        print(f"{logic:8} {group:16} alpha {args.alpha:.2f}  n {total}  accepted {taken / total:.3f}  {said}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
