"""Names as a project says them, from few rows: words that go with a name in the references.

First what each name is called: words that its rows say far more often than others do, for the linker to weigh beside
all else. Then words that are said in two rows at least, and hardly ever without the name in the reference, are tried
one after the other as a further saying of it, or of its opposite. What makes rows right, or brings the names that
lifting finds nearer to those of the references, is kept. Folds of whole clusters say whether all that helps.
"""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import msgspec

from assent.embedded import NAMES, Embedded
from assent.embedded.denials import DENIALS
from assent.errors import AssentError
from assent.lift import Lifted
from assent.lift.entries import FAINT, words_of
from assent.lift.linker import shipped_linker
from assent.lift.propose import has_content
from assent.logic.ast import Formula, Logic, Not, Prop, children, names, walk
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
CLEAR = 6.0
"""Twice a log-likelihood ratio; by chance alone it is larger for one pair of word and name in seventy."""
MOST_CALLED = 6
MOST_READ = 12
"""Rows that are translated to try a saying."""

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
    return tuple(entry for entry in heard if entry.also or entry.opposite or entry.called)


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
            if key in ("name", "says", "also", "opposite", "called") and value
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
    """What each name is called; then one saying after the other, most said first."""
    said = [_phrases(row.lifted.text) for row in rows]
    found = {entry.name: entry for entry in called_of(rows)}
    if not _nearer(rows, (), tuple(found.values()), reader):
        found.clear()
    done: set[str] = set()
    for phrase, entry in _candidates(rows, said, reader):
        if done & set(phrase.split()):
            continue
        here = [row for row, phrases in zip(rows, said, strict=True) if phrase in phrases]
        own, before = found.get(entry.name, entry), tuple(found.values())
        tries = [_with(before, replace_sayings(own, (*own.also, phrase), own.opposite))]
        if entry.type == "bool" and not _is_thing(rows[0], entry):
            tries.append(_with(before, replace_sayings(own, own.also, (*own.opposite, phrase))))
        gains = [_gain(here, before, after, reader) for after in tries]
        if max(gains) > (0, 0):
            found = {entry.name: entry for entry in tries[gains.index(max(gains))]}
            done |= set(phrase.split())
    return tuple(found.values())


def _gain(rows: Sequence[LabelledPair], before: Sayings, after: Sayings, reader: Reader) -> tuple[int, int]:
    """Rows that become right, and rows whose names come nearer to the reference; nothing where too many go astray."""
    if not _nearer(rows, before, after, reader):
        return 0, 0
    some = rows[:MOST_READ]
    right = sum(reader.right(row, after) - reader.right(row, before) for row in some)
    nearer = sum(reader.astray(row, before) > reader.astray(row, after) for row in rows)
    return (right, nearer) if right >= 0 else (0, 0)


def called_of(rows: Sequence[LabelledPair]) -> Sayings:
    """For each name of a vocabulary the words that go with it, by a likelihood ratio, and with none other as much."""
    vocabulary = rows[0].vocabulary
    assert vocabulary is not None
    entries = (*vocabulary.propositions, *vocabulary.objects, *vocabulary.regions)
    said = [frozenset(filter(_may_call, words_of(row.lifted.text))) for row in rows]
    meant = [names(row.reference) for row in rows]
    words = Counter(word for some in said for word in some)
    ratios: dict[str, dict[str, float]] = defaultdict(dict)
    for entry in entries:
        held = sum(entry.name in some for some in meant)
        both = Counter(
            word for some, names_ in zip(said, meant, strict=True) if entry.name in names_ for word in some
        )
        for word, count in both.items():
            if count >= SUPPORT and count * len(rows) > words[word] * held:
                table = (count, words[word] - count, held - count, len(rows) - words[word] - held + count)
                ratios[word][entry.name] = _likelihood_ratio(*table)
    denied = _denied(rows, said)
    found = ((entry, _closest(entry, ratios)) for entry in entries)
    return tuple(
        msgspec.structs.replace(
            entry, called=tuple(f"not {word}" if (word, entry.name) in denied else word for word in words)
        )
        for entry, words in found
        if words
    )


def _denied(rows: Sequence[LabelledPair], said: Sequence[frozenset[str]]) -> frozenset[tuple[str, str]]:
    """Words with names that references only ever deny where the text, which denies nothing, says the word.

    Only of names that are affirmed where the word is not said: else nothing tells a state from a thing.
    """
    signs: dict[tuple[str, str], Counter[bool]] = defaultdict(Counter)
    affirmed: Counter[str] = Counter()
    for row, some in zip(rows, said, strict=True):
        if DENIALS & set(words_of(row.lifted.text)) or "n't" in row.lifted.text:
            continue
        literals = list(literals_of(row.reference))
        for name in {name for name, _ in literals}:
            signed = {positive for other, positive in literals if other == name}
            affirmed[name] += signed == {True}
            if len(signed) == 1:
                for word in some:
                    signs[word, name].update(signed)
    return frozenset(
        (word, name)
        for (word, name), counts in signs.items()
        if counts[False] >= SUPPORT and not counts[True] and affirmed[name] >= SUPPORT
    )


def literals_of(formula: Formula) -> Iterator[tuple[str, bool]]:
    """The propositions of a formula as they are written, each with whether it stands without a denial."""
    for part in walk(formula):
        for inner in children(part):
            if isinstance(inner, Prop):
                yield inner.name, not isinstance(part, Not)


def _closest(entry: Entry, ratios: Mapping[str, Mapping[str, float]]) -> tuple[str, ...]:
    """The words of most weight for an entry, as far as they are no less another's."""
    own = set(words_of(f"{entry.name} {entry.phrase}"))
    able = [
        (-by[entry.name], word)
        for word, by in ratios.items()
        if by.get(entry.name, 0.0) >= max(CLEAR, max(by.values()) / 2) and word not in own
    ]
    return tuple(word for _, word in sorted(able)[:MOST_CALLED])


def _likelihood_ratio(both: int, word: int, name: int, neither: int) -> float:
    """Twice the logarithm: how much more probable the table is if word and name have to do with each other."""

    def part(*counts: int) -> float:
        return sum(count * math.log(count / sum(counts)) for count in counts if count)

    return 2 * (
        part(both, word, name, neither)
        - part(both + word, name + neither)
        - part(both + name, word + neither)
    )


def _with(sayings: Sayings, entry: Entry) -> Sayings:
    return (*(other for other in sayings if other.name != entry.name), entry)


def _nearer(rows: Sequence[LabelledPair], before: Sayings, after: Sayings, reader: Reader) -> bool:
    """Whether at most one in four of the rows whose names change goes astray."""
    changes = [reader.astray(row, before) - reader.astray(row, after) for row in rows]
    return sum(change > 0 for change in changes) >= 4 * sum(change < 0 for change in changes)


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
    """Words and the one name that goes with them, most said first, where lifting alone gives a row other names."""
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


def _may_call(word: str) -> bool:
    return has_content(word) and word not in FAINT


def _may_name(word: str) -> bool:
    usual = shipped_linker().table.get(word, 0.0) < 0
    return _may_call(word) and len(word) > 2 and not usual
