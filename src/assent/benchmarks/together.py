"""How much of what requirements say together is decided within a budget, on the domains of the checkout's bench.

    assent bench together                   the budget of 'assent check' (60,000 steps a requirement)
    assent bench together --budget 600000

A set is the LTL and STL requirements of one domain (domains that are kept for tests are left alone) with their
reference formulas, looked at as 'assent check' looks at a document. A question is one requirement and one kind of
finding. Beside the shares stands the processor time. Exit code 1 if nothing was decided.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from assent.benchmarks.documents import BENCH, kept_rows
from assent.errors import UsageError

if TYPE_CHECKING:
    from assent.documents.checking import Row

KINDS = ("conflict", "vacuous", "duplicate", "redundant", "always-true")
"""What is asked of every requirement; the other findings come with these, or are counted, not decided."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--budget", type=int, metavar="STEPS", help="for each requirement (that of 'check')")
    parser.add_argument("--most", type=int, metavar="N", help="only so many domains")
    parser.add_argument("--json", action="store_true", help="the figures as JSON")


def run(args: argparse.Namespace) -> int:
    from assent.documents.checking import Checked
    from assent.documents.together import said_together

    if args.budget is not None and args.budget < 1:
        raise UsageError("--budget is at least 1 step")
    asked, whole, size, sets = Counter[str](), 0, 0, 0
    start = time.process_time()
    for rows in list(_sets())[: args.most]:
        found = said_together(Checked(rows=tuple(rows)), budget=args.budget)
        left = [(noted.kind, set(noted.requirements)) for noted in found if not noted.decided]
        size, sets = size + len(rows), sets + 1
        whole += not left
        for kind in KINDS:
            asked[kind] += len({name for known, names in left if known == kind for name in names})
    shown: dict[str, Any] = {"sets": sets, "requirements": size, "sets_decided": whole}
    shown |= {kind: round(1 - asked[kind] / max(1, size), 3) for kind in KINDS}
    shown["questions_decided"] = round(1 - asked.total() / max(1, size * len(KINDS)), 3)
    shown["seconds"] = round(time.process_time() - start, 1)
    if args.json:
        print(json.dumps(shown))
    else:
        print("\n".join(f"{name.replace('_', ' '):<18} {value}" for name, value in shown.items()))
    return int(shown["questions_decided"] <= 0)


def _sets() -> Iterator[list[Row]]:
    """The requirements of each domain, vouched for as their references say."""
    from assent.documents.checking import Row
    from assent.documents.judgement import ACCEPTED, Judgement
    from assent.documents.lock import Pins
    from assent.documents.written import WrittenRequirement
    from assent.vocabulary import load_sections

    sections = load_sections(BENCH / "vocabulary.json")
    domains: dict[str, list[Row]] = {}
    for row in kept_rows():
        logic, domain = row["logic"], row["domain"]
        written = WrittenRequirement(id=str(row["id"]), text=row["text"], file=domain, line=1, named=True)
        known = Judgement(decision=ACCEPTED, logic=logic, formula=row["reference"])
        pins = Pins("", "", "", logic)
        domains.setdefault(domain, []).append(
            Row(requirement=written, names=sections[domain], judgement=known, pins=pins)
        )
    yield from domains.values()
