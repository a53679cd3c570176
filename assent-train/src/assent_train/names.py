"""Names as a project says them, from few rows: words that go with a name in the references, where lifting missed it.

Words that are said in two rows at least, and hardly ever without the name in the reference, are tried one after the
other as a further saying of it, or of its opposite. What makes rows right, or their names those of the reference, and
none worse is kept. Folds of whole clusters say whether all that helps.
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

Sayings = tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Read:
    """How a row is read: whether its answer is right, and how many names lifting missed or found too many."""

    right: bool
    astray: int


@dataclass
class Reader:
    """The shipped models under sayings; what was read once is remembered."""

    models: Embedded = field(default_factory=Embedded)
    known: dict[tuple[object, ...], Read] = field(default_factory=dict)

    def read(self, row: LabelledPair, sayings: Sayings) -> Read:
        """The row under those of the sayings that it says: no other changes anything."""
        said = _phrases(row.lifted.text)
        heard = tuple(
            replace_sayings(entry, _among(entry.also, said), _among(entry.opposite, said))
            for entry in sayings
        )
        heard = tuple(entry for entry in heard if entry.also or entry.opposite)
        key = (row.id, row.lifted.text, heard)
        if key not in self.known:
            self.known[key] = self._read(row, heard)
        return self.known[key]

    def _read(self, row: LabelledPair, sayings: Sayings) -> Read:
        try:
            lifted = lifted_with(self.models, sayings, row.lifted.text, row.lifted.logic, row.vocabulary)
        except AssentError:
            return Read(False, len(names(row.reference)) + 1)
        answer = self.models.translate(lifted)
        right = answer is not None and same(answer.formula, row.reference)
        return Read(right, len(set(lifted.names.values()) ^ names(row.reference)))


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
        changes += [reader.read(rows[k], found).right - reader.read(rows[k], ()).right for k in fold if found]
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
        tries = [replace_sayings(own, (*own.also, phrase), own.opposite)]
        if entry.type == "bool" and not _is_thing(rows[0], entry):
            tries.append(replace_sayings(own, own.also, (*own.opposite, phrase)))
        gains = [_gain(here, found, tried, reader) for tried in tries]
        if max(gains) > 0:
            found[entry.name] = tries[gains.index(max(gains))]
            done |= set(phrase.split())
    return tuple(found.values())


def _gain(rows: Sequence[LabelledPair], found: Mapping[str, Entry], tried: Entry, reader: Reader) -> int:
    """Rows that became right, counted twice, and rows whose names did; nothing where a row became worse.

    Rows that are not read right come first: where none of them gains, the others need not be read.
    """
    before = tuple(found.values())
    after = (*(entry for entry in before if entry.name != tried.name), tried)
    wrong = [row for row in rows if not reader.read(row, before).right]
    gain = 0
    for some in (wrong, [row for row in rows if row not in wrong]):
        for row in some:
            was, now = reader.read(row, before), reader.read(row, after)
            right, nearer = int(now.right) - int(was.right), was.astray - now.astray
            if right < 0 or (right == 0 and nearer < 0):
                return 0
            gain += 2 * right + (nearer > 0)
        if not gain:
            return 0
    return gain


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
    """Words and the one name that goes with them, most said first, where a row that says them is not read right."""
    vocabulary = rows[0].vocabulary
    assert vocabulary is not None
    entries = {e.name: e for e in (*vocabulary.propositions, *vocabulary.objects, *vocabulary.regions)}
    meant = [names(row.reference) & entries.keys() for row in rows]
    often = Counter(name for some in meant for name in some)
    counts = Counter(phrase for some in said for phrase in some)
    wrong = Counter(
        phrase
        for row, some in zip(rows, said, strict=True)
        if not reader.read(row, ()).right
        for phrase in some
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
