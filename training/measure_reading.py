"""Hand-written reading, measured: false doubts, the grammar's readings, what lifting hands over.

    python training/measure_reading.py doubts [--rows fit|written] [--half a|b] [--every N] [--show KIND]
    python training/measure_reading.py grammar [--rows fit|written] [--half a|b] [--real] [--show LOGIC]
    python training/measure_reading.py lifting [--half a|b] [--every N]

Rows are those whose errors may be read: the ``fit`` domains of the second bench, and the written corpus, whose domains are
parted by ``sha256("reading:" + domain)``: half ``a`` may be read while rules are written, half ``b`` is only counted
(``--show`` refuses it). ``doubts`` counts which doubt speaks against the reference, against the translator's first reading
where that is right or wrong, and against mutations of the reference. ``grammar`` gives the share of rows with a reading
(coverage), the share whose first reading is equivalent (of all, and of those read), both also for cheap readings; names are
linked as marked by hand, with ``--real`` as lifting links them.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import re
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from assent.embedded import Embedded
from assent.embedded.embedder import Embedder, Guess
from assent.errors import AssentError
from assent.lift import Lifted, linkings
from assent.logic.ast import Formula, Logic
from assent.logic.ast import names as names_in
from assent.logic.mutate import mutations
from assent.logic.parse import read
from assent.logic.render import write
from assent.reading import readings
from assent.scoring.plain import plain_doubts
from assent.vocabulary import Vocabulary, load_sections
from assent_train.measure import same
from assent_train.written import rows as written_rows
from assent_train.written import vocabularies
from assent_train.written.compose import numbered
from assent_train.written.gold import Item, items_of

ROOT = Path(__file__).resolve().parent.parent
CHEAP = 0.8
MUTANTS = 3


@dataclass(frozen=True, slots=True)
class Case:
    """A sentence with its vocabulary and its formula; ``marked``: its names linked by hand, where they are."""

    id: str
    logic: Logic
    text: str
    formula: Formula
    vocabulary: Vocabulary
    marked: Lifted | None = None


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


def written_cases(half: str, *, marked: bool) -> Iterator[Case]:
    """Rows of the written corpus in one half of its domains."""
    sections = vocabularies()
    for row in written_rows():
        if row.formula is None or half_of(row.domain) != half:
            continue
        case = Case(row.id, row.logic, row.text, row.formula, sections[row.domain])
        if marked:
            items = items_of(row, sections[row.domain])
            case = replace(case, marked=None if items is None else lifted_of(items, row.logic, row.text))
        yield case


def lifted_of(items: Iterable[Item], logic: Logic, text: str) -> Lifted:
    """A sentence whose names were linked by hand, as lifting would hand it over."""
    flat: list[str] = []
    for item in items:
        flat += [item] if isinstance(item, str) else item.sayings[0]
    tokens, names, numbers = numbered(flat, logic)
    signals = frozenset(f"P{t[1:]}" for t in tokens if re.fullmatch(r"S\d+", t))
    plain = tuple(f"P{t[1:]}" if re.fullmatch(r"S\d+", t) else t for t in tokens)
    return Lifted(
        text,
        logic,
        plain,
        {placeholder: name for name, placeholder in names.items()},
        {p: value for value, p in numbers.items()},
        (),
        None,
        False,
        signals=signals,
    )


def cases(args: argparse.Namespace) -> list[Case]:
    """The rows that were asked for."""
    if args.rows == "fit":
        found = list(fit_cases())
    else:
        found = list(written_cases(args.half, marked=args.what == "grammar" and not args.real))
    return found[:: args.every]


# doubts


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


# grammar


def measure_grammar(args: argparse.Namespace) -> None:
    guess = Guess(Embedder()) if args.real or args.rows == "fit" else None
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    seconds = 0.0
    for case in cases(args):
        tally = counts[case.logic.value]
        tally["rows"] += 1
        lifted = case.marked
        if guess is not None:
            with contextlib.suppress(AssentError):
                lifted = linkings(case.text, case.logic, case.vocabulary, guess, 1)[0]
        if lifted is None:
            tally["unlifted"] += 1
            continue
        began = time.process_time()
        found = readings(lifted)
        seconds += time.process_time() - began
        rights = [same(lifted.restore(one.tokens), case.formula) for one in found]
        cheap = bool(found) and found[0].cost < CHEAP
        tally.update(
            read=bool(found), first=rights[:1] == [True], any=any(rights), cheap=cheap,
            cheap_right=cheap and rights[0],
        )  # fmt: skip
        if args.show == case.logic.value and rights[:1] != [True]:
            best = found[0] if found else None
            print(
                f"{case.id} {case.text}\n    {' '.join(lifted.tokens)}\n    wanted {said_of(lifted, case.formula)}"
            )
            print(
                f"    got    {' '.join(best.tokens) if best else '-'}  {best.cost if best else ''} {rights} {best.unread if best else ''}"
            )
    for logic, c in sorted(counts.items()):
        n = max(1, c["rows"])
        print(
            f"{logic:8} n {n:5}  unlifted {c['unlifted'] / n:.3f}  read {c['read'] / n:.3f}  first right {c['first'] / n:.3f} "
            f"(of those read {c['first'] / max(1, c['read']):.3f})  one of five {c['any'] / n:.3f}  "
            f"cheap {c['cheap'] / n:.3f}, right {c['cheap_right'] / max(1, c['cheap']):.3f}"
        )
    print(f"{1000 * seconds / max(1, sum(c['rows'] for c in counts.values())):.1f} ms a row")


def said_of(lifted: Lifted, formula: Formula) -> str:
    try:
        return " ".join(lifted.tokens_of(formula))
    except AssentError:
        return f"{write(formula)} (cannot be said)"


# lifting


def measure_lifting(args: argparse.Namespace) -> None:
    guess = Guess(Embedder())
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for case in cases(args):
        tally = counts[case.logic.value]
        tally["rows"] += 1
        try:
            several = linkings(case.text, case.logic, case.vocabulary, guess, 4)
        except AssentError as error:
            tally["refused"] += 1
            if args.show == "refused":
                print(f"{case.id}: {case.text}\n    {error}")
            continue
        able = [_sayable(one, case.formula) for one in several]
        extra = set(several[0].names.values()) - names_in(case.formula)
        tally.update(first=able[0], any=any(able), extra=bool(extra), unnamed=bool(several[0].unnamed))
        if args.show == "missing" and not able[0]:
            missing = sorted(names_in(case.formula) - set(several[0].names.values()))
            print(
                f"{case.id}: {case.text}\n    {write(case.formula)}\n    {missing} {' '.join(several[0].tokens)}"
            )
            print(f"    {dict(several[0].names)} {[str(v) for v in several[0].numbers.values()]}")
    for logic, c in sorted(counts.items()):
        n = max(1, c["rows"])
        print(
            f"{logic:8} n {n:5}  refused {c['refused'] / n:.3f}  sayable {c['first'] / n:.3f}  in one of four "
            f"{c['any'] / n:.3f}  a link too many {c['extra'] / n:.3f}  unnamed {c['unnamed'] / n:.3f}"
        )


def _sayable(lifted: Lifted, formula: Formula) -> bool:
    try:
        lifted.tokens_of(formula)
    except AssentError:
        return False
    return True


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("doubts", "grammar", "lifting"))
    parser.add_argument("--rows", choices=("fit", "written"), default="written")
    parser.add_argument("--half", choices=("a", "b"), default="b")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--real", action="store_true")
    parser.add_argument("--show", default="")
    args = parser.parse_args()
    if args.show and args.rows == "written" and args.half == "b":
        parser.error("half b of the written domains is only counted")
    {"doubts": measure_doubts, "grammar": measure_grammar, "lifting": measure_lifting}[args.what](args)


if __name__ == "__main__":
    main()
