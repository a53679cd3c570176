"""Learns what tells remarks to a reader from nameless parts of requirements: ``src/assent/scoring/remarks.txt``.

    python training/fit_remarks.py [--folds 5] [--alarms 0.008]

Two kinds of parts are told apart: those of the written corpus that name nothing of their formula, and the remarks of
``training/remarks.txt``, which may stand anywhere. A part's score is a sum over its words, pairs of words, the whole
part and its place. A word's weight is what its vector says (so that words of neither side have one, too), how many
domains and how many remarks have it, and a part of its own if these are many. Counts leave out the domain, or the
remark, that the part itself is from: so a weight is what it is worth where nobody has been yet. A remark of the list
that would pass all the same, and that no requirement has at that place, is kept as a whole.

Folds over domains and remarks give the threshold: that share of rows of domains left out becomes a doubt. Where no name
is marked, parts beside the formula's names are evidence, too, with less weight: models of others mark none.
"""

from __future__ import annotations

import argparse
import hashlib
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from assent.embedded.embedder import Embedder
from assent.scoring.apart import LONGEST, PLACES, keys_of, names_of, remark_score, silent_parts, words_of
from assent_train.written import rows

ROOT = Path(__file__).resolve().parent.parent
REMARKS = ROOT / "training" / "remarks.txt"
WEIGHTS = ROOT / "src" / "assent" / "scoring" / "remarks.txt"
Words = tuple[str, ...]
Floats = NDArray[np.float64]

UNMARKED = 0.2  # what a part counts that names something by other words
REMARK = 0.2  # and a remark at each of its five places
DIMENSIONS = 64
OWN = 3  # domains or remarks that give a key a weight of its own
LOOSE, TIGHT, MIDDLE = 0.02, 1.0, 0.3  # how far weights of counts, keys and vectors are held back
TENTHS = 10
SMALLEST = {"word": 8, "pair": 7, "phrase": 6}  # tenths; what is nearer to the rest is left out
DOMAINS, SAID = (1, 2, 3, 6, 16), (1, 2, 3, 6)  # where counts begin to mean more


@dataclass(frozen=True)
class Part:
    """A nameless part of a requirement; not ``marked``: it may name something, by words that nobody took for names."""

    row: str
    marked: bool
    domain: str
    place: str
    words: Words


def kind_of(key: str) -> str:
    """What a key is."""
    bounded = key.startswith("^ ") and key.endswith(" $")
    return "word" if " " not in key else "phrase" if bounded else "pair"


def parts_of_rows() -> tuple[list[Part], int]:
    """Nameless parts of the written corpus, and how many rows were looked at."""
    found, count = [], 0
    for row in rows():
        if row.formula is None or row.family.startswith("doubt"):
            continue
        count += 1
        names = names_of(row.formula)
        marked = {mark.said for mark in row.marks if mark.kind in "[<"}
        for named in (marked, frozenset[str]()):
            for place, part in silent_parts(row.text, names, named):
                if words := words_of(part):
                    found.append(Part(row.id, named is marked, row.domain, place, words))
    return found, count


def remarks_of(path: Path = REMARKS) -> list[Words]:
    """The words of each remark of a file."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return list(
        dict.fromkeys(words_of(line) for line in lines if words_of(line) and not line.startswith("#"))
    )


class Vectors:
    """Words as vectors of a few dimensions: what word pieces of a general text tell of them."""

    def __init__(self, words: Iterable[str]) -> None:
        embedder = Embedder()
        pieces = sorted(embedder._tokenizer.get_vocab().items(), key=lambda item: item[1])
        general = [piece[1:] for piece, _ in pieces if piece[0] == "\u2581" and len(piece) > 3]
        self.general = [word for word in general if word.isascii() and word.isalpha() and word.islower()]
        known = list(dict.fromkeys((*self.general, *words)))
        table = embedder.embed(known).astype(np.float64)
        table -= table.mean(axis=0)
        axes = np.linalg.eigh(table.T @ table)[1][:, ::-1][:, :DIMENSIONS]
        self.table = 3 * table @ axes
        self.place = {word: number for number, word in enumerate(known)}


class Counts:
    """In how many domains, and in how many remarks, a key stands; the own one of a part is left out."""

    def __init__(self, parts: Collection[Part], remarks: Collection[Words]) -> None:
        self.domains: dict[str, set[str]] = defaultdict(set)
        for part in parts:
            if part.marked:
                for key in keys_of(part.words):
                    self.domains[key].add(part.domain)
        self.placed = {(part.place, part.words) for part in parts if part.marked}
        self.said = tuple(remarks)
        self.remarks = Counter(key for words in remarks for key in set(keys_of(words)))
        own = {key for key, domains in self.domains.items() if len(domains) >= OWN}
        own |= {key for key, count in self.remarks.items() if count >= OWN}
        weighed = sorted(key for key in own if kind_of(key) != "phrase")
        self.own = {key: number for number, key in enumerate(weighed)}

    def column(self, key: str, domain: str | None = None, *, remark: bool = False) -> int:
        """Which weight of counts a key has. Pairs and phrases count from two on: the others would fill the file."""
        domains = len(self.domains.get(key, ())) - (domain in self.domains.get(key, ()))
        said = self.remarks.get(key, 0) - remark
        kind = ("word", "pair", "phrase").index(kind_of(key))
        if kind:
            domains, said = domains * (domains > 1), said * (said > 1 and kind == 1)
        level = int(np.searchsorted(DOMAINS, domains, side="right"))
        return kind * 30 + level * 5 + int(np.searchsorted(SAID, said, side="right"))


@dataclass(frozen=True)
class Fitted:
    """Weights of counts, places, own keys and vectors."""

    counts: Counts
    vectors: Vectors
    weights: Floats

    def key(self, key: str) -> float:
        """The weight of one key."""
        weight = self.weights[self.counts.column(key)]
        if key in self.counts.own:
            weight += self.weights[120 + self.counts.own[key]]
        if key in self.vectors.place and " " not in key:
            weight += float(self.vectors.table[self.vectors.place[key]] @ self.weights[-DIMENSIONS:])
        return float(weight)

    def table(self, threshold: float = 0.0, *, whole: bool = False) -> dict[str, int]:
        """What the package reads, in tenths; what says little is left out. ``whole``: with remarks as wholes."""
        base = {kind: self.weights[30 * number] for number, kind in enumerate(("word", "pair", "phrase"))}
        strange = [word for word in self.vectors.general if self.counts.column(word) == 0]
        unknown = round(TENTHS * float(np.mean([self.key(word) for word in strange])))
        table = {"?": unknown}
        for at, place in enumerate(PLACES):
            for length in range(1, LONGEST + 1):
                fixed = self.weights[90 + at * LONGEST + length - 1] + (length + 1) * base["pair"]
                table[f"{place}:{length}"] = round(TENTHS * (fixed + base["phrase"] - threshold))
        for key in sorted({*self.vectors.place, *self.counts.domains, *self.counts.remarks}):
            kind = kind_of(key)
            weight = round(TENTHS * self.key(key)) - (
                unknown if kind == "word" else round(TENTHS * base[kind])
            )
            if abs(weight) >= SMALLEST[kind] and (kind == "word" or self.counts.column(key) % 30):
                table[key] = weight + (unknown if kind == "word" else 0)
        if whole:
            self._keep_remarks(table)
        return table

    def _keep_remarks(self, table: dict[str, int]) -> None:
        """Remarks that would pass, at places where no requirement has them."""
        for words in self.counts.said:
            scores = {place: remark_score(words, place, table) for place in PLACES}
            free = [place for place in PLACES if (place, words) not in self.counts.placed]
            if len(free) == len(PLACES) and min(scores.values()) <= 0:
                whole = f"^ {' '.join(words)} $"
                table[whole] = table.get(whole, 0) + 1 - min(scores.values())
            elif len(free) < len(PLACES):
                table |= {f"{p}: {' '.join(words)}": 1 - scores[p] for p in free if scores[p] <= 0}


def fit(parts: Collection[Part], remarks: Collection[Words], vectors: Vectors) -> Fitted:
    """Logistic regression; its weights are held back as the constants say."""
    counts = Counts(parts, remarks)
    seen: dict[tuple[Words, str, str | None], float] = defaultdict(float)
    for part in parts:
        seen[part.words, part.place, part.domain] += 1 if part.marked else UNMARKED
    cases = [*seen, *((words, place, None) for words in remarks for place in PLACES)]
    weight = np.array([*seen.values(), *[REMARK] * (len(cases) - len(seen))])
    sign = np.where(np.arange(len(cases)) < len(seen), -1.0, 1.0)
    width = 120 + len(counts.own)
    chosen: list[int] = []
    spoken: list[int] = []
    ends, spoken_ends = [0], [0]
    for words, place, domain in cases:
        chosen.append(90 + PLACES.index(place) * LONGEST + min(len(words), LONGEST) - 1)
        for key in dict.fromkeys(keys_of(words)):
            chosen.append(counts.column(key, domain, remark=domain is None))
            if key in counts.own:
                chosen.append(120 + counts.own[key])
            if " " not in key:
                spoken.append(vectors.place[key])
        ends.append(len(chosen))
        spoken_ends.append(len(spoken))
    plain = csr_matrix((np.ones(len(chosen)), chosen, ends), shape=(len(cases), width))
    said = csr_matrix((np.ones(len(spoken)), spoken, spoken_ends), shape=(len(cases), len(vectors.table)))
    dense = said @ vectors.table
    held = np.r_[np.full(120, LOOSE), np.full(len(counts.own), TIGHT), np.full(DIMENSIONS, MIDDLE)]
    across = plain.T.tocsr()

    def loss(at: Floats) -> tuple[float, Floats]:
        margin = (plain @ at[:width] + dense @ at[width:]) * sign
        slope = -weight * sign / (1 + np.exp(margin))
        value = weight @ np.logaddexp(0, -margin) + 0.5 * held @ (at * at)
        return float(value), np.r_[across @ slope, dense.T @ slope] + held * at

    found = minimize(loss, np.zeros(len(held)), jac=True, method="L-BFGS-B", options={"maxiter": 80})
    return Fitted(counts, vectors, found.x)


def fold_of(text: str, folds: int) -> int:
    """Which fold a domain or a remark is in."""
    return hashlib.sha256(text.encode()).digest()[0] % folds


@dataclass(frozen=True)
class Fold:
    """Weights, and what they were not learnt from."""

    fitted: Fitted
    parts: list[Part]
    remarks: list[Words]

    def scores(self, table: Mapping[str, int], *, marked: bool = True) -> tuple[list[int], list[int]]:
        """The highest score of each row's parts, and that of each remark at each place."""
        highest: dict[str, int] = {}
        for part in self.parts:
            if part.marked == marked:
                score = remark_score(part.words, part.place, table)
                highest[part.row] = max(highest.get(part.row, score), score)
        said = [remark_score(words, place, table) for words in self.remarks for place in PLACES]
        return list(highest.values()), said


def folds_of(parts: list[Part], remarks: list[Words], vectors: Vectors, folds: int) -> Iterator[Fold]:
    """Whole domains, and remarks, left out in turn."""
    of_part = [fold_of(part.domain, folds) for part in parts]
    of_remark = [fold_of(" ".join(words), folds) for words in remarks]
    for fold in range(folds):
        fitted = fit(
            [part for part, own in zip(parts, of_part, strict=True) if own != fold],
            [words for words, own in zip(remarks, of_remark, strict=True) if own != fold],
            vectors,
        )
        yield Fold(
            fitted,
            [part for part, own in zip(parts, of_part, strict=True) if own == fold],
            [words for words, own in zip(remarks, of_remark, strict=True) if own == fold],
        )


def threshold_of(folds: list[Fold], count: int, alarms: float) -> float:
    """Above which that share of the rows lies; the shares of remarks that pass there are printed."""
    found = [fold.scores(fold.fitted.table()) for fold in folds]
    of_rows = np.sort(np.concatenate([rows_ for rows_, _ in found]))[::-1]
    of_remarks = np.concatenate([said for _, said in found])
    for share in (0.003, 0.006, 0.01, 0.015, 0.02, 0.03, 0.05, 0.1):
        at = of_rows[int(share * count)]
        print(
            f"{share:.3f} of the rows above {at / TENTHS:4.1f}: {np.mean(of_remarks <= at):.3f} of the remarks pass"
        )
    return float(of_rows[int(alarms * count)]) / TENTHS


def report(folds: list[Fold], count: int, threshold: float) -> None:
    """What the weights as they are written do where they were not learnt."""
    rows_, unmarked, said = 0, 0, []
    for fold in folds:
        table = fold.fitted.table(threshold, whole=True)
        of_rows, of_remarks = fold.scores(table)
        rows_ += sum(score > 0 for score in of_rows)
        unmarked += sum(score > 0 for score in fold.scores(table, marked=False)[0])
        said += of_remarks
    passed = (np.array(said) <= 0).reshape(-1, len(PLACES)).mean(axis=0)
    print(
        f"doubted: {rows_} of {count} rows, {unmarked} where no name is marked; remarks that pass: {passed.mean():.3f}"
    )
    print("  " + ", ".join(f"{place} {share:.3f}" for place, share in zip(PLACES, passed, strict=True)))


def write(table: Mapping[str, int], path: Path) -> None:
    """Keys of one weight on one line."""
    lines = defaultdict(list)
    for key, weight in table.items():
        lines[weight].append(key)
    text = "# Weights in tenths, and what has them: words, pairs, whole parts, places with lengths. training/fit_remarks.py\n"
    text += "".join(f"{weight}\t{'|'.join(sorted(lines[weight]))}\n" for weight in sorted(lines))
    path.write_text(text, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument(
        "--alarms",
        type=float,
        default=0.008,
        help="share of requirements that may become doubts, before remarks as wholes",
    )
    args = parser.parse_args()
    parts, count = parts_of_rows()
    remarks = remarks_of()
    vectors = Vectors(word for words in (*(part.words for part in parts), *remarks) for word in words)
    print(f"{count} rows, {len(parts)} parts, {len(remarks)} remarks", flush=True)
    folds = list(folds_of(parts, remarks, vectors, args.folds))
    threshold = threshold_of(folds, count, args.alarms)
    report(folds, count, threshold)
    table = fit(parts, remarks, vectors).table(threshold, whole=True)
    write(table, WEIGHTS)
    print(f"{len(table)} weights, {WEIGHTS.stat().st_size} bytes, threshold {threshold}")


if __name__ == "__main__":
    main()
