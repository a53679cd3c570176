"""What few rows teach ``assent train``, by five folds of whole clusters: names and conventions, each by itself.

python training/measure_few.py ROWS VOCABULARY [names] [conventions] [--test ROWS] [--teach N]

Each fold is read with what the other four teach, decided as in ``assent train`` by folds of their own. With ``--test``,
all of ROWS teach conventions and the rows of another file are counted; with ``--teach``, N rows (whole clusters, drawn
at random) teach names and the others are counted.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence

from assent.embedded import Embedded
from assent.embedded.opinions import RerankedTranslator
from assent.vocabulary import load_sections
from assent_train.conventions import Ranked, learn, ranked
from assent_train.few import dealt
from assent_train.measure import gain_of
from assent_train.names import Reader, learn_names
from assent_train.rows import LabelledPair, load

FOLDS, SEED = 5, 1


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows")
    parser.add_argument("vocabulary")
    parser.add_argument("parts", nargs="*", default=["names", "conventions"])
    parser.add_argument("--test")
    parser.add_argument("--teach", type=int, metavar="N")
    args = parser.parse_args()
    sections = load_sections(args.vocabulary)
    rows, _ = load(args.rows, None, sections, None)
    if args.teach:
        return taught(rows, args.teach)
    if "names" in args.parts:
        names(rows)
    if "conventions" in args.parts:
        test = load(args.test, None, sections, None)[0] if args.test else []
        conventions(rows, test)


def names(rows: Sequence[LabelledPair]) -> None:
    """Rows right without sayings, and with those that the other folds teach."""
    reader = Reader()
    before = [reader.right(row, ()) for row in rows]
    after = list(before)
    for fold in dealt([row.cluster for row in rows], FOLDS, SEED):
        learnt, found = learn_names([row for k, row in enumerate(rows) if k not in fold], 0, reader)
        print("names", found, [(entry.name, entry.also, entry.opposite) for entry in learnt], flush=True)
        for k in fold:
            after[k] = reader.right(rows[k], learnt)
    report("names", rows, before, after)


def taught(rows: Sequence[LabelledPair], count: int) -> None:
    """Rows right before and after so many others have taught names."""
    clusters = sorted({row.cluster for row in rows})
    random.Random(SEED).shuffle(clusters)
    teachers: list[LabelledPair] = []
    while len(teachers) < count:
        cluster = clusters.pop()
        teachers += [row for row in rows if row.cluster == cluster]
    others = [row for row in rows if row.cluster in clusters]
    reader = Reader()
    learnt, found = learn_names(teachers, 0, reader)
    for entry in learnt:
        print(entry.name, entry.called, entry.also, entry.opposite)
    print(f"{len(teachers)} rows teach: {found}")
    before, after = ([reader.right(row, some) for row in others] for some in ((), learnt))
    report("names", others, before, after)


def conventions(rows: Sequence[LabelledPair], test: Sequence[LabelledPair]) -> None:
    """The same for conventions."""
    translator = Embedded().translator
    assert isinstance(translator, RerankedTranslator)
    found, clusters = ranked(translator, rows), [row.cluster for row in rows]
    before = [row.first({}) for row in found]
    after = list(before)
    for fold in dealt(clusters, FOLDS, SEED):
        others = [k for k in range(len(rows)) if k not in fold]
        weights, said = learn([found[k] for k in others], [clusters[k] for k in others], 0)
        print("conventions", said, len(weights), flush=True)
        for k in fold:
            after[k] = found[k].first(weights)
    report("conventions", rows, before, after)
    if test:
        weights, _ = learn(found, clusters, 0)
        held: list[Ranked] = ranked(translator, test)
        report("test", test, [row.first({}) for row in held], [row.first(weights) for row in held])


def report(what: str, rows: Sequence[LabelledPair], before: Sequence[bool], after: Sequence[bool]) -> None:
    """Right before and after, with an interval over clusters."""
    gain, low, high = gain_of(before, after, [row.cluster for row in rows], 0)
    counts = f"{sum(before)} -> {sum(after)} of {len(rows)}"
    print(f"{what}: {counts}, gain {gain:+.3f} [{low:+.3f}, {high:+.3f}]")


if __name__ == "__main__":
    main()
