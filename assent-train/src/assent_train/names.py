"""Names as a project says them, from few rows: words that go with a name in the references, where lifting missed it.

Words that are said in two rows at least, and hardly ever without the name in the reference, are tried one after the
other as a further saying of it. What brings the names that lifting finds nearer to those of the references is kept;
whether it says the name or its opposite is what reads more rows right. Folds of whole clusters say whether all that
helps.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import msgspec

from assent.embedded import NAMES, Embedded
from assent.errors import AssentError
from assent.lift import Lifted
from assent.lift.entries import FAINT, words_of
from assent.lift.linker import shipped_linker
from assent.lift.propose import has_content
from assent.logic.ast import Logic, names
from assent.vocabulary import Entry, Vocabulary
from assent_train.few import Adapted, chosen, dealt
from assent_train.measure import same
from assent_train.rows import LabelledPair

FOLDS = 4
SUPPORT = 2
"""Rows that say the words and have the name in their reference."""
SURE = 0.8
"""Share of the rows that say the words in which the reference has the name."""
TELLING = 2.0
"""Times as often as in all rows."""
LONGEST = 2
"""Words of a saying."""
MOST_TRIED = 200
MOST_READ = 12
"""Rows that tell a saying from its opposite."""

Sayings = tuple[Entry, ...]


@dataclass
class Reader:
    """The shipped models under sayings; what was read once is remembered."""

    models: Embedded = field(default_factory=Embedded)
    lifted: dict[tuple[object, ...], Lifted | None] = field(default_factory=dict)
    known: dict[tuple[object, ...], bool] = field(default_factory=dict)

    def astray(self, row: LabelledPair, sayings: Sayings) -> int:
        """How many names lifting misses, or finds too many."""
        wanted, lifted = names(row.reference), self._lifted(row, _heard(row, sayings))
        return len(wanted) + 1 if lifted is None else len(set(lifted.names.values()) ^ wanted)

    def right(self, row: LabelledPair, sayings: Sayings) -> bool:
        """Whether the answer is."""
        heard = _heard(row, sayings)
        key = (row.id, row.lifted.text, heard)
        if key not in self.known:
            lifted = self._lifted(row, heard)
            answer = None if lifted is None else self.models.translate(lifted)
            self.known[key] = answer is not None and same(answer.formula, row.reference)
        return self.known[key]

    def _lifted(self, row: LabelledPair, heard: Sayings) -> Lifted | None:
        key = (row.id, row.lifted.text, heard)
        if key not in self.lifted:
            try:
                self.lifted[key] = lifted_with(
                    self.models, heard, row.lifted.text, row.lifted.logic, row.vocabulary
                )
            except AssentError:
                self.lifted[key] = None
        return self.lifted[key]


def _heard(row: LabelledPair, sayings: Sayings) -> Sayings:
    """Those of the sayings that a row says: no other changes anything."""
    said = _phrases(row.lifted.text)
    heard = (
        replace_sayings(entry, _among(entry.also, said), _among(entry.opposite, said)) for entry in sayings
    )
    return tuple(entry for entry in heard if entry.also or entry.opposite)


def _among(texts: Sequence[str], said: frozenset[str]) -> tuple[str, ...]:
    return tuple(text for text in texts if text in said)


def lifted_with(
    models: Embedded, sayings: Sayings, text: str, logic: Logic, vocabulary: Vocabulary | None
) -> Lifted:
    """As the models lift, with further sayings."""
    grown = vocabulary.with_sayings(sayings, NAMES) if vocabulary is not None else None
    return models.lift(text, logic, grown)


def stored(sayings: Sayings) -> bytes:
    """What the file holds: entries as a vocabulary has them, to be read, edited or copied."""
    entries = [
        {
            key: value
            for key, value in msgspec.to_builtins(entry).items()
            if key in ("name", "says", "also", "opposite") and value
        }
        for entry in sayings
    ]
    return json.dumps(entries, indent=1, ensure_ascii=False).encode() + b"\n"


def learn_names(
    rows: Sequence[LabelledPair], seed: int, reader: Reader | None = None
) -> tuple[Sayings, Adapted]:
    """Sayings that all rows teach, if folds show a clear gain; none otherwise."""
    rows = [row for row in rows if row.vocabulary is not None]
    reader = reader or Reader()
    changes: list[int] = []
    folds = dealt([row.cluster for row in rows], FOLDS, seed)
    for fold in folds if len(folds) > 1 else ():
        found = sayings_of([row for k, row in enumerate(rows) if k not in fold], reader)
        changes += [reader.right(rows[k], found) - reader.right(rows[k], ()) for k in fold if found]
    won, lost = changes.count(1), changes.count(-1)
    share = chosen({1.0: (won, lost)})
    return sayings_of(rows, reader) if share else (), Adapted("names", share, len(rows), won, lost, 0.0)


def sayings_of(rows: Sequence[LabelledPair], reader: Reader) -> Sayings:
    """What some rows teach, each vocabulary for itself."""
    groups: dict[Vocabulary, list[LabelledPair]] = defaultdict(list)
    for row in rows:
        if row.vocabulary is not None:
            groups[row.vocabulary].append(row)
    return tuple(entry for group in groups.values() for entry in _learnt(group, reader))


def _learnt(rows: Sequence[LabelledPair], reader: Reader) -> Sayings:
    """One saying after the other, most said first."""
    said = [_phrases(row.lifted.text) for row in rows]
    found: dict[str, Entry] = {}
    done: set[str] = set()
    for phrase, entry in _candidates(rows, said, reader):
        if done & set(phrase.split()):
            continue
        here = [row for row, phrases in zip(rows, said, strict=True) if phrase in phrases]
        own = found.get(entry.name, entry)
        before = tuple(found.values())
        also = _with(before, replace_sayings(own, (*own.also, phrase), own.opposite))
        if not _nearer(here, before, also, reader):
            continue
        after = also
        if entry.type == "bool" and not _is_thing(rows[0], entry):
            opposite = _with(before, replace_sayings(own, own.also, (*own.opposite, phrase)))
            after = max((also, opposite), key=lambda some: _right(here, some, reader))
        if _right(here, after, reader) < _right(here, before, reader):
            continue
        found = {entry.name: entry for entry in after}
        done |= set(phrase.split())
    return tuple(found.values())


def _with(sayings: Sayings, entry: Entry) -> Sayings:
    return (*(other for other in sayings if other.name != entry.name), entry)


def _nearer(rows: Sequence[LabelledPair], before: Sayings, after: Sayings, reader: Reader) -> bool:
    """Whether the names of more rows come nearer to the reference than go astray, and not one in four of these."""
    changes = [reader.astray(row, before) - reader.astray(row, after) for row in rows]
    return sum(change > 0 for change in changes) > 4 * sum(change < 0 for change in changes)


def _right(rows: Sequence[LabelledPair], sayings: Sayings, reader: Reader) -> int:
    return sum(reader.right(row, sayings) for row in rows[:MOST_READ])


def replace_sayings(entry: Entry, also: tuple[str, ...], opposite: tuple[str, ...]) -> Entry:
    """The entry with these sayings."""
    return msgspec.structs.replace(entry, also=also, opposite=opposite)


def _is_thing(row: LabelledPair, entry: Entry) -> bool:
    """Objects and regions have no opposite."""
    assert row.vocabulary is not None
    return entry not in row.vocabulary.propositions


def _candidates(
    rows: Sequence[LabelledPair], said: Sequence[frozenset[str]], reader: Reader
) -> Iterator[tuple[str, Entry]]:
    """Words and the one name that goes with them, most said first, where a row that says them has other names."""
    vocabulary = rows[0].vocabulary
    assert vocabulary is not None
    entries = {e.name: e for e in (*vocabulary.propositions, *vocabulary.objects, *vocabulary.regions)}
    meant = [names(row.reference) & entries.keys() for row in rows]
    often = Counter(name for some in meant for name in some)
    counts = Counter(phrase for some in said for phrase in some)
    wrong = Counter(
        phrase for row, some in zip(rows, said, strict=True) if reader.astray(row, ()) for phrase in some
    )
    ranked = sorted((phrase for phrase in wrong if counts[phrase] >= SUPPORT), key=lambda p: (-counts[p], p))
    tried = 0
    for phrase in ranked:
        together = Counter(
            name for some, phrases in zip(meant, said, strict=True) if phrase in phrases for name in some
        )
        name = _one(together, counts[phrase], often, len(rows))
        if name is not None and tried < MOST_TRIED:
            tried += 1
            yield phrase, entries[name]


def _one(together: Mapping[str, int], count: int, often: Mapping[str, int], rows: int) -> str | None:
    """The name that goes with words so surely, and so much more than elsewhere, that they may mean it."""
    able = [
        (together[name] / count / (often[name] / rows), name)
        for name in together
        if together[name] >= max(SUPPORT, SURE * count)
        and together[name] / count >= TELLING * often[name] / rows
    ]
    return max(able)[1] if able else None


@lru_cache(maxsize=4096)
def _phrases(text: str) -> frozenset[str]:
    """Words of the text, and two in a row, that may say a name: none of them is grammar, or seldom part of a name."""
    words = words_of(text)
    runs = (words[k : k + n] for n in range(1, LONGEST + 1) for k in range(len(words) - n + 1))
    return frozenset(" ".join(run) for run in runs if all(map(_may_name, run)))


def _may_name(word: str) -> bool:
    usual = shipped_linker().table.get(word, 0.0) < 0
    return has_content(word) and word not in FAINT and len(word) > 2 and not usual
