"""Names that differ in an index or in who bears them: crit0 and crit1, try0 and try1; bert_talking, cleo_talking.

"Process 0" is said of several entries: its predicate chooses among them, and its index holds for whatever is said of
it, across lists ("processes 0 and 1"), pronouns ("it") and clauses that leave the predicate out ("only when core 0
isn't"). See ``bearers``, which reads them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from assent.lift.entries import FAINT, Known, words_of
from assent.lift.stems import stem

MOST = 48
"""A family with more predicates is none: which of them is meant is not said by the way."""


@dataclass(frozen=True, slots=True)
class Family:
    """``labels`` tell the bearers apart, ``nouns`` (stems) say what they are; ``predicates``: label -> entry, each.

    ``own``: for each predicate the stems that no other of the family has; ``counted``: the labels are figures.
    """

    nouns: frozenset[str]
    labels: tuple[str, ...]
    predicates: tuple[Mapping[str, Known], ...]
    own: tuple[frozenset[str], ...]
    counted: bool

    def may_be_said(self, texts: Iterable[str]) -> bool:
        """Whether any of the words can speak of a bearer."""
        if not self.counted:
            return any(text in self.labels for text in texts)
        return any(stem(text.rstrip("0123456789")) in self.nouns for text in texts)

    def predicate_of(self, known: Known) -> int | None:
        return next((p for p, q in enumerate(self.predicates) if known in q.values()), None)


@lru_cache(maxsize=256)
def families(knowns: tuple[Known, ...]) -> tuple[Family, ...]:
    """The families of a vocabulary: those told apart by figures, and those by a word, if they have two predicates."""
    return (*_counted(knowns), *_named(knowns))


Template = tuple[tuple[str, ...], tuple[str, ...]]


def _counted(knowns: Sequence[Known]) -> Iterator[Family]:
    found: dict[str, dict[Template, dict[str, Known]]] = {}
    for known in knowns:
        name, phrase = words_of(known.entry.name), words_of(known.entry.phrase)
        figures = [w for w in name if w.isdigit()]
        if len(figures) != 1 or known.number:
            continue
        said = phrase if figures[0] in phrase else name
        at = said.index(figures[0])
        if at == 0:
            continue
        template = _without(name, figures[0]), _without(phrase, figures[0])
        found.setdefault(stem(said[at - 1]), {}).setdefault(template, {})[figures[0]] = known
    for noun, templates in found.items():
        predicates = [group for group in templates.values() if len(group) > 1]
        if 0 < len(predicates) <= MOST:
            yield _family(frozenset([noun]), predicates, counted=True)


def _named(knowns: Sequence[Known]) -> Iterator[Family]:
    """A word that begins the names of two entries at least, each with a twin that another word begins."""
    found: dict[Template, dict[str, Known]] = {}
    for known in knowns:
        first, *rest = words_of(known.entry.name)
        phrase = words_of(known.entry.phrase)
        if known.number or not rest or first not in phrase or (first in FAINT and len(first) > 1):
            continue
        found.setdefault((tuple(rest), _without(phrase, first)), {})[first] = known
    groups = [group for group in found.values() if len(group) > 1]
    shared = [g for g in groups if any(h is not g and len(g.keys() & h.keys()) > 1 for h in groups)]
    if 1 < len(shared) <= MOST:
        yield _family(frozenset(), shared, counted=False)


def _family(nouns: frozenset[str], predicates: Sequence[Mapping[str, Known]], *, counted: bool) -> Family:
    labels = tuple(dict.fromkeys(label for group in predicates for label in group))
    stems = [frozenset(s for known in group.values() for s in known.stems) for group in predicates]
    apart = nouns | frozenset(map(stem, labels))
    own = [
        mine - apart - frozenset(s for k, other in enumerate(stems) if k != p for s in other)
        for p, mine in enumerate(stems)
    ]
    return Family(nouns, labels, tuple(predicates), tuple(own), counted)


def _without(words: Sequence[str], label: str) -> tuple[str, ...]:
    return tuple(w for w in words if w != label)
