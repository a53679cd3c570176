"""A user's labelled instructions as training pairs: lifted, written as tokens, grouped by what they mean."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from assent.embedded import Embedded
from assent.embedded.memory import cluster_of, text_mark
from assent.embedded.translator import source_of
from assent.errors import AssentError, DataError, FragmentError
from assent.io.lines import read_rows
from assent.lift import Lifted
from assent.logic.ast import Formula, Logic
from assent.logic.parse import read
from assent.vocabulary import Vocabulary
from assent_train.batches import Pair


@dataclass(frozen=True, slots=True)
class LabelledPair:
    """One instruction with its reference; ``target`` is None where the reference cannot be said in placeholders."""

    id: str
    lifted: Lifted
    reference: Formula
    target: tuple[str, ...] | None
    cluster: str
    vocabulary: Vocabulary | None = None

    @property
    def pair(self) -> Pair:
        assert self.target is not None
        return source_of(self.lifted), self.target


@dataclass(frozen=True, slots=True)
class Split:
    """Whole clusters apart: what is trained on, what stops the training, what the printed accuracy is measured on."""

    train: tuple[LabelledPair, ...]
    valid: tuple[LabelledPair, ...]
    held_out: tuple[LabelledPair, ...]


def load(
    path: str | Path, logic: str | None, sections: Mapping[str, Vocabulary], domain: str | None
) -> tuple[list[LabelledPair], int]:
    """The rows of a file of cases (fields text, reference, id?, logic?, domain?), and how many lifting refused."""
    lift = Embedded().lift  # as at run time, guessed names included
    found, refused = [], 0
    for number, row in read_rows(path):
        text, reference, kind = row.get("text"), row.get("reference"), row.get("logic", logic)
        if not isinstance(text, str) or not isinstance(reference, str):
            raise DataError("a training row needs 'text' and 'reference'", file=str(path), line=number)
        try:
            chosen = Logic(str(kind))
        except ValueError as error:
            raise DataError("name the logic: ltl, stl or spatial", file=str(path), line=number) from error
        vocabulary = sections.get(str(row.get("domain", domain or "")))
        try:
            formula = read(reference, chosen)
        except AssentError as error:
            raise DataError(str(error), file=str(path), line=number) from error
        try:
            lifted = lift(text, chosen, vocabulary)
        except FragmentError:
            refused += 1  # a sentence that is refused at run time, too, teaches nothing
            continue
        target = _target(lifted, formula)
        name = str(row.get("id") or text_mark(text))
        found.append(LabelledPair(name, lifted, formula, target, cluster_of(formula), vocabulary))
    return found, refused


Lift = Callable[[str, Logic, Vocabulary | None], Lifted]


def relifted(rows: Sequence[LabelledPair], lift: Lift) -> tuple[LabelledPair, ...]:
    """The rows lifted in another way (names said in other words); as they were where that refuses them."""
    out = []
    for row in rows:
        try:
            lifted = lift(row.lifted.text, row.lifted.logic, row.vocabulary)
        except FragmentError:
            out.append(row)
            continue
        out.append(replace(row, lifted=lifted, target=_target(lifted, row.reference)))
    return tuple(out)


def _target(lifted: Lifted, formula: Formula) -> tuple[str, ...] | None:
    try:
        return lifted.tokens_of(formula)
    except AssentError:
        return None


def split(rows: Sequence[LabelledPair], *, held_out: float, valid: float = 0.125, seed: int = 0) -> Split:
    """Clusters drawn at random, ``valid`` of those not held out; the same seed and rows give the same split."""
    clusters: dict[str, list[LabelledPair]] = defaultdict(list)
    for row in rows:
        clusters[row.cluster].append(row)
    names = sorted(clusters)
    random.Random(seed).shuffle(names)
    apart = round(len(names) * held_out)
    checks = max(1, round((len(names) - apart) * valid))
    if apart < 1 or len(names) - apart - checks < 1:
        raise DataError(
            f"{len(names)} different formulas (names and numbers apart) are too few to hold {held_out:.0%} of them "
            "out, to check the training on others and to train on the rest: add rows with other formulas"
        )
    parts = names[:apart], names[apart : apart + checks], names[apart + checks :]
    chosen = [tuple(row for name in part for row in clusters[name]) for part in parts]
    return Split(held_out=chosen[0], valid=chosen[1], train=chosen[2])
