"""How often the translator is right, zero-shot, by exact equivalence.

    python training/evaluate.py [--weights DIR] [--half dev|test|all] [--limit N] [--errors FILE] [SET ...]
    python training/evaluate.py --rows FILE --names VOCABULARY      rows of one's own, each logic by itself

Sets: nl2tl-ltl nl2tl-stl lang2ltl uav bench-ltl bench-stl bench-spatial new-ltl new-stl new-spatial states-ltl domains-ltl
domains-stl domains-spatial. Grammar and settings are tuned on the dev half alone (NL2TL: clusters whose SHA-1 starts
with an even hexadecimal digit; Lang2LTL
and UAV: ids; bench: the parts that neither calibrate nor test policies; new domains: half of the domains).
"but for its untils": right, too, where only a weak until was read for a strong one or the other way round (conventions differ).
Names that lifting missed show in "names not found": refused ones are abstentions, the others are answers that must be wrong.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

from judging import until_apart

from assent.embedded import Embedded
from assent.embedded.seq2seq import Seq2Seq
from assent.embedded.translator import EmbeddedTranslator, Translation
from assent.errors import AssentError
from assent.lift import Lifted
from assent.logic.parse import read
from assent.logic.render import write
from assent.vocabulary import Vocabulary, load_sections
from assent_train.measure import same

ROOT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("ASSENT_SHARED", ROOT.parent / "shared"))
BENCH = ROOT / "bench" if (ROOT / "bench").is_dir() else SHARED / "bench"
SETS = {
    "nl2tl-ltl": (SHARED / "data/nl2tl_lifted.jsonl", "ltl", "cluster"),
    "nl2tl-stl": (SHARED / "data/nl2tl_lifted.jsonl", "stl", "cluster"),
    "lang2ltl": (SHARED / "data/lang2ltl_utterances.jsonl", "ltl", "id"),
    "uav": (SHARED / "data/uav_nl2stl_lifted.jsonl", "stl", "id"),
    "bench-ltl": (BENCH / "ltl.jsonl", "ltl", None),
    "bench-stl": (BENCH / "stl.jsonl", "stl", None),
    "bench-spatial": (BENCH / "spatial.jsonl", "spatial", None),
    "new-ltl": (BENCH / "new_domains.jsonl", "ltl", None),
    "new-stl": (BENCH / "new_domains.jsonl", "stl", None),
    "new-spatial": (BENCH / "new_domains.jsonl", "spatial", None),
    "states-ltl": (BENCH / "states.jsonl", "ltl", None),
    "domains-ltl": (BENCH / "domains/requirements.jsonl", "ltl", None),
    "domains-stl": (BENCH / "domains/requirements.jsonl", "stl", None),
    "domains-spatial": (BENCH / "domains/requirements.jsonl", "spatial", None),
}


def rows_of(name: str, half: str) -> list[dict[str, Any]]:
    path, logic, key = SETS[name]
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]
    rows = [row for row in rows if row["logic"] == logic]
    if half == "all" or name.startswith("own-"):
        return rows
    if name.startswith(("new-", "states-")):
        return [row for row in rows if row["half"] == half]
    if name.startswith("domains-"):  # whole domains; those that calibrate are in neither half
        parts = json.loads((BENCH / "domains/partition.json").read_text(encoding="utf-8"))
        wanted = "fit" if half == "dev" else "test"
        return [row for row in rows if parts[row["domain"]] == wanted]
    if key is None:  # bench: what calibrates and tests the policies is not looked at while tuning
        parts = json.loads((BENCH / "partition.json").read_text(encoding="utf-8"))
        return [
            row for row in rows if (parts.get(row["cluster"]) in {"calibration", "test"}) == (half == "test")
        ]

    def even(row: dict[str, Any]) -> bool:
        return int(hashlib.sha1(str(row[key]).encode()).hexdigest()[0], 16) % 2 == 0

    return [row for row in rows if even(row) == (half == "dev")]


def logic_sets(path: Path) -> list[str]:
    """A set for each logic of a file, entered in ``SETS``."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]
    logics = [logic for logic in ("ltl", "stl", "spatial") if any(row["logic"] == logic for row in rows)]
    for logic in logics:
        SETS[f"own-{logic}"] = (path, logic, None)
    return [f"own-{logic}" for logic in logics]


Lift = Callable[[str, str, Vocabulary | None], Lifted]


def prepare(row: dict[str, Any], sections: dict[str, Vocabulary], lift: Lift) -> Lifted | None:
    try:
        return lift(row["text"], row["logic"], sections.get(row.get("domain", "")))
    except AssentError:
        return None


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sets", nargs="*", metavar="SET")
    parser.add_argument("--weights", type=Path, default=ROOT / "src/assent/weights")
    parser.add_argument("--half", choices=("dev", "test", "all"), default="dev")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--errors", type=Path)
    parser.add_argument("--rows", type=Path)
    parser.add_argument("--names", type=Path)
    args = parser.parse_args()
    own: dict[str, Vocabulary] = {}
    if args.rows:
        args.sets = list(logic_sets(args.rows))
        own = load_sections(args.names)
    whole = (args.weights / "translator").is_dir()  # a folder of all models, or one model
    embedded = Embedded(args.weights if whole else None)
    translator = embedded.translator if whole else EmbeddedTranslator(Seq2Seq(args.weights))
    bench_names = load_sections(BENCH / "vocabulary.json")
    names_of = {
        "new": load_sections(BENCH / "new_domains_vocabulary.json"),
        "domains": load_sections(BENCH / "domains/vocabulary.json"),
        "states": load_sections(BENCH / "states_vocabulary.json"),
    }
    wrong_file = args.errors.open("w", encoding="utf-8") if args.errors else None
    for name in args.sets or SETS:
        rows = rows_of(name, args.half)
        sections = own or names_of.get(name.split("-")[0], bench_names)
        if args.limit:
            rows = sorted(rows, key=lambda row: hashlib.sha1(row["id"].encode()).hexdigest())[: args.limit]
        tally: dict[str, list[tuple[bool, ...]]] = defaultdict(list)
        started = time.monotonic()
        lifted = [prepare(row, sections, embedded.lift) for row in rows]
        answers = iter(translator.n_best([item for item in lifted if item is not None]))
        for row, item in zip(rows, lifted, strict=True):
            reference = read(row["reference"], row["logic"])
            found: list[Translation] = next(answers) if item is not None else []
            hits = [same(t.formula, reference) for t in found]
            try:
                reachable = item is not None and bool(item.tokens_of(reference))
            except AssentError:
                reachable = False
            result = (
                bool(hits and hits[0]),
                bool(hits and hits[0]) or bool(item and found and until_apart(item, found[0], reference)),
                any(hits),
                item is None,
                bool(item and not found),
                not reachable,
            )
            group = row.get("register", "") + (f" {row.get('group', '')}" if name != "lang2ltl" else "")
            for label in dict.fromkeys(("all", row.get("register", ""), group.strip())):
                if label:
                    tally[label].append(result)
            if wrong_file and not result[0]:
                record = {
                    "set": name,
                    "group": row.get("group"),
                    "register": row.get("register"),
                    "id": row["id"],
                    "text": row["text"],
                    "tokens": " ".join(item.tokens) if item else None,
                    "reference": write(reference),
                    "answer": write(found[0].formula) if found else None,
                    "in_five": result[2],
                    "liftable": reachable,
                }
                wrong_file.write(json.dumps(record, ensure_ascii=False) + "\n")
        for label, results in sorted(tally.items()):
            n = len(results)
            first, apart, five, refused, unreadable, unliftable = (
                sum(column) / n for column in zip(*results, strict=True)
            )
            print(
                f"{name:14} {label:12} n {n:5}  right {first:.3f}  but for its untils {apart:.3f}  in five {five:.3f}  "
                f"refused {refused:.3f}  unreadable {unreadable:.4f}  names not found {unliftable:.3f}"
            )
        print(f"{name}: {len(rows) / max(1e-9, time.monotonic() - started):.0f} a second", file=sys.stderr)
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
