"""Put rows that people wrote into the corpus.

    python training/import_written.py FILE-OR-FOLDER ...

Each file holds a list of sections {"domain", "vocabulary", "rows"}, or a folder holds rows.jsonl with vocabulary.json. What is
already there stays; a row with a known id is replaced (their number is printed). Rows that cannot be read, name what the vocabulary does not hold, repeat
another's sentence, or stand in a bench are left out and printed. Ends with 1 if any were.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path
from typing import Any

from assent.errors import AssentError
from assent_train.written.marks import row_of, split_marks

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "assent-train/src/assent_train/written/data"
Section = dict[str, Any]


def sections_of(path: Path) -> list[Section]:
    """The sections of one file or folder."""
    if path.is_dir() and (path / "rows.jsonl").exists():
        names = json.loads((path / "vocabulary.json").read_text(encoding="utf-8"))
        rows = [json.loads(line) for line in (path / "rows.jsonl").read_text(encoding="utf-8").splitlines()]
        return [
            {
                "domain": domain,
                "vocabulary": names[domain],
                "rows": [r for r in rows if r["domain"] == domain],
            }
            for domain in names
        ]
    files = sorted(path.glob("*.json")) if path.is_dir() else [path]
    found: list[Section] = []
    for file in files:
        try:
            whole = json.loads(file.read_text(encoding="utf-8"))
        except ValueError as error:
            print(f"{file.name}: {error}")
            continue
        found += whole if isinstance(whole, list) else [whole]
    return found


def bench_texts() -> set[str]:
    """Sentences that must not be trained on."""
    texts = set()
    for file in (ROOT / "bench").rglob("*.jsonl"):
        for line in file.read_text(encoding="utf-8").splitlines():
            texts.add(key_of(str(json.loads(line).get("text", ""))))
    return texts


def key_of(text: str) -> str:
    return re.sub(r"[\s.,;:!?'\"-]+", " ", text.lower()).strip()


def names_of(vocabulary: Section) -> frozenset[str]:
    entries = (item for key in ("propositions", "objects", "regions") for item in vocabulary.get(key, ()))
    return frozenset(item if isinstance(item, str) else item["name"] for item in entries)


def same_names(vocabularies: dict[str, Section], domain: str, vocabulary: Section) -> str:
    """The domain's name, with a number behind it where another vocabulary has it already."""
    name, number = domain, 1
    while name in vocabularies and names_of(vocabularies[name]) != names_of(vocabulary):
        number += 1
        name = f"{domain}-{number}"
    return name


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sources", type=Path, nargs="+")
    args = parser.parse_args()
    DATA.mkdir(parents=True, exist_ok=True)
    there = DATA / "rows.jsonl"
    vocabularies: dict[str, Section] = {}
    rows: dict[str, Section] = {}
    if there.exists():
        vocabularies = json.loads((DATA / "vocabulary.json").read_text(encoding="utf-8"))
        for line in there.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            rows[row["id"]] = row
    forbidden = bench_texts()
    problems = replaced = 0
    for source in args.sources:
        for section in sections_of(source):
            domain = same_names(vocabularies, section["domain"], section["vocabulary"])
            vocabularies[domain] = section["vocabulary"]
            for row in section["rows"]:
                try:
                    checked = row_of(row, domain=domain, names=names_of(section["vocabulary"]))
                    if key_of(checked.text) in forbidden:
                        raise AssentError(f"{checked.id}: its sentence stands in a bench")
                except AssentError as error:
                    problems += 1
                    print(error)
                    continue
                replaced += checked.id in rows
                rows[checked.id] = {
                    "id": checked.id,
                    "logic": checked.logic.value,
                    "domain": domain,
                    "family": checked.family,
                    "marked": checked.marked,
                    "formula": row["formula"],
                }
    kept: dict[str, Section] = {}
    for row in rows.values():
        text = key_of(split_marks(row["marked"], case=row["id"])[0])
        if f"{row['logic']} {text}" in kept:
            problems += 1
            print(f"{row['id']}: the same sentence as {kept[row['logic'] + ' ' + text]['id']}")
            continue
        kept[f"{row['logic']} {text}"] = row
    there.write_text(
        "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in kept.values()), encoding="utf-8"
    )
    used = {row["domain"] for row in kept.values()}
    (DATA / "vocabulary.json").write_text(
        json.dumps({k: v for k, v in vocabularies.items() if k in used}, ensure_ascii=False, indent=0) + "\n",
        encoding="utf-8",
    )
    print(
        f"{len(kept)} rows in {len(used)} domains; {replaced} replaced, {problems} left out", file=sys.stderr
    )
    return 1 if problems else 0


if __name__ == "__main__":
    raise SystemExit(main())
