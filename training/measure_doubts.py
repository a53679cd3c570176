"""How often each doubt speaks, and against what: against references, right and wrong readings, mutations.

    python training/measure_doubts.py [--rows fit|written] [--half a|b] [--every N] [--show right,reference,...]

Rows are those whose errors may be read: the ``fit`` domains of the second bench, and the written corpus, whose domains are
parted by ``sha256("reading:" + domain)``: half ``a`` may be read while rules are written, half ``b`` is only counted
(``--show`` refuses it).
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from assent.embedded import Embedded
from assent.errors import AssentError
from assent.lift import Lifted
from assent.logic.ast import Formula, Logic
from assent.logic.mutate import mutations
from assent.logic.parse import read
from assent.logic.render import write
from assent.scoring.plain import plain_doubts
from assent.vocabulary import Vocabulary, load_sections
from assent_train.measure import same
from assent_train.written import rows as written_rows
from assent_train.written import vocabularies

ROOT = Path(__file__).resolve().parent.parent
MUTANTS = 3


@dataclass(frozen=True, slots=True)
class Case:
    """A sentence with its vocabulary and its formula."""

    id: str
    logic: Logic
    text: str
    formula: Formula
    vocabulary: Vocabulary


def half_of(domain: str) -> str:
    """Which half of the written domains a domain is in."""
    return "ab"[hashlib.sha256(f"reading:{domain}".encode()).digest()[0] % 2]


def fit_cases() -> Iterator[Case]:
    """The fit domains of the second bench, without the rows that stay open."""
    folder = ROOT / "bench" / "domains"
    part = json.loads((folder / "partition.json").read_text(encoding="utf-8"))
    sections = load_sections(folder / "vocabulary.json")
    for line in (folder / "requirements.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if part[row["domain"]] == "fit" and not row.get("ambiguous"):
            logic = Logic(row["logic"])
            yield Case(row["id"], logic, row["text"], read(row["reference"], logic), sections[row["domain"]])


def written_cases(half: str) -> Iterator[Case]:
    """Rows of the written corpus in one half of its domains."""
    sections = vocabularies()
    for row in written_rows():
        if row.formula is None or half_of(row.domain) != half:
            continue
        yield Case(row.id, row.logic, row.text, row.formula, sections[row.domain])


def cases(args: argparse.Namespace) -> list[Case]:
    """The rows that were asked for."""
    found = list(fit_cases() if args.rows == "fit" else written_cases(args.half))
    return found[:: args.every]


def kind_of(doubt: str) -> str:
    """A doubt without what it quotes."""
    plain = re.sub(r"'[^']*'|\"[^\"]*\"", "…", doubt)
    plain = re.sub(r"leaves out (?!the number).*", "leaves out a name", plain)
    plain = re.sub(r"number [\d.e+-]+.*", "number …", plain)
    return re.sub(r"read as .*|can say .*|may mean .*", lambda m: m.group()[:8], plain)[:70]


def measure_doubts(args: argparse.Namespace) -> None:
    models = Embedded()
    shares: dict[str, Counter[str]] = defaultdict(Counter)
    for case in cases(args):
        try:
            lifted = models.lift(case.text, case.logic, case.vocabulary)
        except AssentError:
            shares["refused"][""] += 1
            continue
        for who, formula in candidates(models, case, lifted):
            said = (*models.doubts(lifted, formula), *plain_doubts(case.text, formula))
            kinds = {kind_of(doubt) for doubt in said}
            shares[who][""] += 1
            shares[who].update(kinds or ())
            shares[who]["any"] += bool(kinds)
            if args.show and who in args.show.split(",") and kinds:
                print(f"{who} {case.id}: {case.text}\n    {write(formula)}\n    {said}")
    print_doubts(shares)


def candidates(models: Embedded, case: Case, lifted: Lifted) -> Iterator[tuple[str, Formula]]:
    """The reference, the translator's first reading, mutations of the reference: each with what it is."""
    yield "reference", case.formula
    first = models.translate(lifted)
    if first is not None:
        yield ("right" if same(first.formula, case.formula) else "wrong"), first.formula
    for mutant in mutations(case.formula, seed=7, limit=MUTANTS):
        yield "mutant", mutant.formula


def print_doubts(shares: dict[str, Counter[str]]) -> None:
    order = ("reference", "right", "wrong", "mutant")
    print(f"refused {shares['refused']['']}  " + "  ".join(f"{w} n {shares[w]['']}" for w in order))
    kinds = sorted({k for w in order for k in shares[w]} - {""}, key=lambda k: -shares["right"][k])
    for kind in kinds:
        print(f"{kind:72}" + " ".join(f"{shares[w][kind] / max(1, shares[w]['']):9.3f}" for w in order))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", choices=("fit", "written"), default="written")
    parser.add_argument("--half", choices=("a", "b"), default="b")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--show", default="")
    args = parser.parse_args()
    if args.show and args.rows == "written" and args.half == "b":
        parser.error("half b of the written domains is only counted")
    measure_doubts(args)


if __name__ == "__main__":
    main()
