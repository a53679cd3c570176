"""How far what lifting hands over looks like what the marks of the written corpus say, and whether denials are found.

    python training/measure_cover.py [--every N]

For the rows before and from ``c28`` on (domains apart): the share whose lifted tokens equal those made from the marks,
exactly and without articles; the share of marks linked; the share of marked denials found among the linked, the share of
affirmations that were denied, and the precision of denials. Counts only: nothing is shown.
"""

from __future__ import annotations

import argparse
import re
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice, product

from assent.embedded.embedder import Embedder, Guess
from assent.errors import AssentError
from assent.lift import Lifted, linkings, tidy
from assent.logic.ast import Logic
from assent_train.written import MarkedRow, rows, vocabularies
from assent_train.written.compose import items_of_lifted
from assent_train.written.gold import GoldGroup, Item, items_of

ARTICLES = frozenset(["the", "a", "an"])
DENIALS = frozenset("not no never without neither nor none nobody cannot".split())
COMBINATIONS = 32


def half(row: MarkedRow) -> str:
    """The later half was not looked at when the rules were made."""
    part = re.match(r"c(\d+)", row.id)
    return "later" if part and int(part[1]) >= 28 else "earlier"


def sayings(item: Item) -> list[tuple[str, ...]]:
    """The sayings of a mark that replace the whole of it; pronouns may stay."""
    if isinstance(item, str):
        return [(item,)]
    pronoun = len(item.sayings) == 3 and item.sayings[1] == item.sayings[2]
    clause = isinstance(item, GoldGroup) and item.mark.kind == "[" and len(item.sayings) == 3
    return list(dict.fromkeys(item.sayings[:2] if pronoun else item.sayings[:1] if clause else item.sayings))


def meant(items: Sequence[Item]) -> Iterator[tuple[str, ...]]:
    """The tokens that the marks give."""
    for chosen in islice(product(*map(sayings, items)), COMBINATIONS):
        yield tidy([token for part in chosen for token in part])


def count_denials(counts: Counter[str], row: MarkedRow, lifted: Lifted) -> None:
    for mark in row.marks:
        if mark.kind != "[" or not re.fullmatch(r"!?\w+", mark.means):
            continue
        counts["marks"] += 1
        inside = {s.name for s in lifted.spans if s.start < mark.end and mark.start < s.end}
        if mark.names[0] not in inside:
            continue
        tokens = [
            token
            for token, place in zip(lifted.tokens, lifted.places, strict=True)
            if place[0] < mark.end and mark.start < place[1]
        ]
        denied = sum(token in DENIALS for token in tokens) % 2 == 1
        counts["linked"] += 1
        counts["denials" if mark.denies else "affirmations"] += 1
        counts["found" if mark.denies else "wrongly"] += denied


def line(name: str, c: Counter[str]) -> str:
    n = max(c["rows"], 1)
    said = f"{name:16} n {c['rows']:5}  equal {c['equal'] / n:.3f}  without articles {c['alike'] / n:.3f}"
    if not c["marks"]:
        return said
    found = c["found"] / max(c["denials"], 1)
    wrongly = c["wrongly"] / max(c["affirmations"], 1)
    precision = c["found"] / max(c["found"] + c["wrongly"], 1)
    return (
        f"{said}  linked {c['linked'] / c['marks']:.3f} of {c['marks']}  denials found {found:.3f} of "
        f"{c['denials']}  wrongly denied {wrongly:.4f} of {c['affirmations']}  precision {precision:.3f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--every", type=int, default=1, help="only every so many-th row")
    every = parser.parse_args().every
    guess, sections = Guess(Embedder()), vocabularies()
    counts: dict[str, Counter[str]] = {}
    seconds = 0.0
    for row in [row for row in rows() if row.formula is not None][::every]:
        items = items_of(row, sections[row.domain])
        if items is None:
            continue
        mine = counts.setdefault(f"{half(row)} {row.logic.value}", Counter())
        mine["rows"] += 1
        began = time.process_time()
        try:
            lifted = linkings(row.text, row.logic, sections[row.domain], guess, 1)[0]
        except AssentError:
            continue
        finally:
            seconds += time.process_time() - began
        tokens = tuple(map(str, items_of_lifted(lifted)))
        wanted = list(meant(items))
        mine["equal"] += tokens in wanted
        mine["alike"] += _bare(tokens) in map(_bare, wanted)
        if row.logic is not Logic.SPATIAL:
            count_denials(mine, row, lifted)
    for name, mine in sorted(counts.items()):
        print(line(name, mine))
    print(f"{1000 * seconds / max(sum(c['rows'] for c in counts.values()), 1):.1f} ms for one instruction")


def _bare(tokens: Sequence[str]) -> tuple[str, ...]:
    return tuple(token for token in tokens if token not in ARTICLES)


if __name__ == "__main__":
    main()
