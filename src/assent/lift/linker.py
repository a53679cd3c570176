"""Which words stand for which entry: a small learnt model weighs every word against every entry; a search links them.

The weights (``weights/linker.npz``) come from ``training/train_linker.py``: two layers for a word and an entry, two for
the word alone (does it name anything?), once for use with word vectors and once without. With vectors it looks twice:
the second look reads the whole sentence (``reader``) and sees what the first found around each word (``context``).
Everything is deterministic.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from importlib import resources

import numpy as np
from numpy.typing import NDArray

from assent.lift.clauses import segments
from assent.lift.entries import FAINT, Known, match, weights
from assent.lift.features import FIGURE, LinkEvidence, evidence
from assent.lift.figures import Word
from assent.lift.reader import NUMERAL, STEPS, SentenceReader, Told
from assent.lift.seen import Floats, Senses, WordVectors, shortlist
from assent.samebits import FINE, GRID, dense, exp, log, log_of, shares

LINKED, LINKED_PLAIN = 0.5, 0.4
"""Probability from which a word stands for its best entry; without word vectors less is known, and less must do."""
ALONE, ALONE_PLAIN = 0.4, 0.3
"""The same in a clause that names nothing else."""
NAMED = 0.25
"""The same for a word of the name."""
OPTION = 0.08
"""Probability from which another entry is worth a linking of its own."""
OPEN = 0.4
"""Two entries are both meant, for all that is known, where the second is so much as probable as the first."""
_JOINED = 0.25


@dataclass(frozen=True, slots=True)
class Mention:
    """Words ``at`` (indices) that speak of ``known``; ``denied``: the word that says its opposite.

    ``cost``: minus the logarithm of the probability; ``others``: the names of entries that the words may mean as well.
    ``cancelled``: two words that deny it and cancel each other, "NOBODY has taken it AWAY". ``bound``: bearer and
    predicate of a family were said; ``group``: all the entries that it speaks of, where these are several. ``told``:
    what the reader says of each word and the entry named ``told_of``; ``learnt``: it alone says that it is denied.
    """

    known: Known
    at: tuple[int, ...]
    cost: float = 0.0
    denied: int | None = None
    others: tuple[str, ...] = ()
    cancelled: tuple[int, ...] = ()
    bound: bool = False
    group: tuple[Known, ...] = ()
    told: Mapping[int, Told] = field(default_factory=dict, compare=False, hash=False)
    told_of: str = field(default="", compare=False, hash=False)
    learnt: bool = False

    def look(self, i: int) -> Told | None:
        """What the reader says of one of its words, if it was asked about this entry."""
        return self.told.get(i) if self.told_of == self.known.entry.name else None


@dataclass(frozen=True, slots=True)
class Linking:
    """Mentions in the order of the text, and what choosing them cost."""

    mentions: tuple[Mention, ...]
    cost: float


class Linker:
    """The stored model."""

    def __init__(
        self,
        weights: Mapping[str, Floats],
        table: Mapping[str, float],
        senses: Senses,
        reader: SentenceReader | None = None,
    ) -> None:
        self._weights = weights
        self.table = table
        self._senses = senses
        self._reader = reader

    def probabilities(
        self, found: LinkEvidence, words: Sequence[Word], knowns: Sequence[Known], guess: WordVectors | None
    ) -> tuple[Floats, Floats | None]:
        """For each word of ``found.at`` the probability of each entry, and of none (last column); and of denials.

        None where nothing reads the sentence: without word vectors, or in a file of weights that has no reader.
        """
        chances = self._looked("with" if guess is not None else "without", found.pairs, found.alone)
        if self._reader is None or guess is None:
            return chances, None
        around, beside = context(chances)
        pairs = np.concatenate([found.pairs, around], axis=2)
        alone = np.concatenate([found.alone, beside], axis=1)
        texts = [NUMERAL if word.value is not None else word.text for word in words]
        phrases = [known.phrase for known in knowns]
        look = self._reader.look(texts, found.at, phrases, chances, (pairs, alone), guess)
        return look.chances, look.denied

    def _looked(self, prefix: str, pairs: Floats, alone: Floats) -> Floats:
        """One look: the network named ``prefix`` on features of pairs and of words."""
        w = {name: self._weights[f"{prefix}_{name}"] for name in _LAYERS}
        hidden = np.maximum(dense(pairs, w["pair_0_weight"], w["pair_0_bias"]), 0)
        scores = dense(hidden, w["pair_2_weight"], w["pair_2_bias"])[:, :, 0]
        inner = np.maximum(dense(alone, w["alone_0_weight"], w["alone_0_bias"]), 0)
        none = dense(inner, w["alone_2_weight"], w["alone_2_bias"])
        both = shares(np.rint(np.concatenate([scores, none], axis=1) * GRID))
        return np.asarray(both / both.sum(axis=1, keepdims=True), dtype=np.float32)

    def linkings(
        self,
        words: Sequence[Word],
        knowns: Sequence[Known],
        guess: WordVectors | None,
        n: int = 1,
        *,
        things: bool = False,
    ) -> list[Linking]:
        """The ``n`` best ways to link the words to entries, best first; ``things``: objects and regions."""
        every = tuple(knowns)
        knowns = shortlist(words, segments(words), every, guess)
        rarity = weights(every) if len(knowns) < len(every) else None
        found = evidence(words, knowns, guess, self.table, senses=self._senses, things=things, rarity=rarity)
        if not found.at or not knowns:
            return [Linking((), 0.0)]
        chances, denied = self.probabilities(found, words, knowns, guess)
        chances = _by_number(found, chances)
        least = (LINKED, ALONE) if guess is not None else (LINKED_PLAIN, ALONE_PLAIN)
        choices = [
            choice
            for part in segments(words)
            for choice in _choices(words, knowns, found.at, chances, part, *least)
        ]
        if denied is not None:
            choices = [_as_told(choice, knowns, found.at, chances, denied) for choice in choices]
        return list(_best(choices, n))


def _by_number(found: LinkEvidence, chances: Floats) -> Floats:
    """ "Pump 2" is not pump 1: where an entry has the number that is said, those without it do not count."""
    figure, named = found.pairs[:, :, FIGURE], found.pairs[:, :, :4].any(axis=2)
    told = np.any((figure > 0) & named, axis=1, keepdims=True)
    out = chances.copy()
    out[:, :-1] = np.where(told & named & (figure <= 0), 0.0, out[:, :-1])
    return np.asarray(out / np.maximum(out.sum(axis=1, keepdims=True), 1e-9), dtype=np.float32)


_LAYERS = [
    f"{net}_{layer}_{kind}" for net in ("pair", "alone") for layer in (0, 2) for kind in ("weight", "bias")
]
Choice = list[tuple[float, Mention | None]]  # cost and mention, cheapest first


@lru_cache(maxsize=1)
def shipped_linker() -> Linker:
    """The linker of the package."""
    path = resources.files("assent").joinpath("weights/linker.npz")
    with path.open("rb") as file:
        stored = np.load(file, allow_pickle=False)
        arrays = {name: np.asarray(stored[name]) for name in stored.files}
    table = {str(word): float(odds) for word, odds in zip(arrays["words"], arrays["odds"], strict=True)}
    senses = Senses(arrays["senses_said"], arrays["senses_named"])
    mark = "reader_"
    learnt = {name.removeprefix(mark): array for name, array in arrays.items() if name.startswith(mark)}
    common = [str(word) for word in learnt.pop("words", ())]
    return Linker(arrays, table, senses, SentenceReader(learnt, common) if learnt else None)


def _choices(
    words: Sequence[Word],
    knowns: Sequence[Known],
    at: Sequence[int],
    chances: Floats,
    segment: Sequence[int],
    linked: float,
    alone: float,
) -> Iterator[Choice]:
    """The groups of words in one clause that may stand for an entry, each with its options."""
    rows = [n for n, i in enumerate(at) if i in segment]
    if not rows:
        return
    best = chances[rows][:, :-1].argmax(axis=1)
    groups: dict[int, list[int]] = {}
    for n, e in zip(rows, best, strict=True):
        text, known = words[at[n]].text, knowns[int(e)]
        if text in _DEGREES and text not in known.words:
            continue
        if chances[n, e] >= (_JOINED if match(text, known)[0] else alone):
            groups.setdefault(int(e), []).append(n)
    strongest = max((float(chances[n, :-1].max()) for n in rows), default=0.0)
    for e, members in groups.items():
        while len(members) > 1 and _opens(words, at[members[0]], knowns[e]):
            members.pop(0)
        for part in _apart(words, knowns[e], at, members):
            named = any(match(words[at[n]].text, knowns[e])[0] >= 0.7 for n in part)
            least = NAMED if named else alone if len(groups) == 1 else linked
            yield _options(knowns, at, chances, part, e, least)
    if not groups and strongest >= OPTION:
        n = max(rows, key=lambda n: float(chances[n, :-1].max()))
        yield _options(knowns, at, chances, [n], int(chances[n, :-1].argmax()), alone)


_DEGREES = frozenset("far anything hardly barely scarcely longer nothing almost nearly".split())
"""Turn round or weaken what follows, and are part of no name: "far from empty"."""


def _opens(words: Sequence[Word], i: int, known: Known) -> bool:
    """ "On this firing": a preposition begins no name, unless the name goes on so ("out of order")."""
    following = words[i + 1].text if i + 1 < len(words) else ""
    return words[i].text in FAINT and not (words[i].text in known.words and following in known.words)


def _apart(words: Sequence[Word], known: Known, at: Sequence[int], members: list[int]) -> Iterator[list[int]]:
    """A word of the name that is said twice begins a second mention."""
    part: list[int] = []
    seen: set[str] = set()
    for n in members:
        s = match(words[at[n]].text, known)[1]
        if s and s in seen and at[n] - at[part[-1]] > 1:
            yield part
            part, seen = [], set()
        part.append(n)
        seen.add(s)
    yield part


def _options(
    knowns: Sequence[Known], at: Sequence[int], chances: Floats, part: list[int], e: int, least: float
) -> Choice:
    """What a group of words may stand for: its best entry, other entries, nothing."""
    top = chances[part].max(axis=0)
    # Another entry must account for all the words: one that only some of them fit is not meant.
    logs = np.rint(log(np.maximum(chances[part][:, :-1].astype(np.float64), 1e-6)) * FINE)
    all_of = exp(logs.sum(axis=0) / (len(part) * FINE))
    top = np.where(np.arange(len(top)) == e, top, np.append(all_of, top[-1]))
    ranked = sorted((k for k in range(len(knowns)) if top[k] >= OPTION or k == e), key=lambda k: -top[k])
    others = tuple(knowns[k].entry.name for k in ranked if k != e and top[k] >= OPEN * all_of[e])
    places = tuple(at[n] for n in part)
    out: Choice = []
    for k in ranked:
        cost = _cost(float(top[k]))
        out.append((cost, Mention(knowns[k], places, cost, others=others if k == e else ())))
    nothing, best = _cost(float(chances[part][:, -1].min())), out[0][0]
    # Whether to link at all is decided by ``least``: to miss a name costs more than to name one too many.
    nothing = max(nothing, best + _STEP) if top[e] >= least else min(nothing, best - _STEP)
    return sorted([*out, (nothing, None)], key=lambda item: item[0])


def _as_told(
    choice: Choice, knowns: Sequence[Known], at: Sequence[int], chances: Floats, denied: Floats
) -> Choice:
    """The same options; each mention knows what the reader says of its words."""
    column, row = {known.entry.name: e for e, known in enumerate(knowns)}, {i: n for n, i in enumerate(at)}

    def told(mention: Mention) -> Mention:
        name = mention.known.entry.name
        places = ((i, row[i], column[name]) for i in mention.at)
        said = {i: Told(float(chances[n, e]), float(denied[n, e])) for i, n, e in places}
        return replace(mention, told=said, told_of=name)

    return [(cost, mention and told(mention)) for cost, mention in choice]


_STEP = 0.05


def _cost(chance: float) -> float:
    return round(-log_of(max(chance, 1e-6)), 6)


def _best(choices: Sequence[Choice], n: int) -> Iterator[Linking]:
    """The cheapest combinations, one option of each choice, cheapest first."""
    start = tuple(0 for _ in choices)
    queue = [(sum(choice[0][0] for choice in choices), start)]
    seen = {start}
    while queue and n > 0:
        cost, picked = heapq.heappop(queue)
        chosen = [choice[k][1] for choice, k in zip(choices, picked, strict=True)]
        mentions = sorted((m for m in chosen if m is not None), key=lambda m: m.at[0])
        yield Linking(tuple(mentions), round(cost, 6))
        n -= 1
        for k, choice in enumerate(choices):
            if picked[k] + 1 < len(choice):
                following = (*picked[:k], picked[k] + 1, *picked[k + 1 :])
                if following not in seen:
                    seen.add(following)
                    heapq.heappush(queue, (cost + choice[picked[k] + 1][0] - choice[picked[k]][0], following))


AROUND = 12
"""Features of a (word, entry) pair."""
BESIDE = 8
"""Features of a word alone."""
_REACH = (1, -1, 2, -2)


def context(chances: Floats) -> tuple[Floats, Floats]:
    """Features of pairs and of words from the ``chances`` of a first look (words x entries, "none" last)."""
    rough = np.rint(np.asarray(chances, np.float64) * STEPS) / STEPS
    entries, none = rough[:, :-1], rough[:, -1:]
    named = 1 - none
    ordered = np.sort(entries, axis=1)
    best = ordered[:, -1:]
    second = ordered[:, -2:-1] if entries.shape[1] > 1 else np.zeros_like(best)
    rival = np.where(entries >= best, second, best)
    wide = np.ones_like(entries)
    around = (
        entries,
        *(_moved(entries, by) for by in _REACH),
        np.minimum(entries.sum(axis=0) - entries, 2),
        entries.max(axis=0) * wide,
        rival,
        none * wide,
        (_moved(named, 1) + _moved(named, -1)) * wide,
        *(_moved(rival, by) for by in _REACH[:2]),
    )
    beside = (
        none,
        *(_moved(named, by) for by in _REACH),
        best,
        second,
        named.sum(axis=0, keepdims=True) / 4 * np.ones_like(none),
    )
    return np.stack(around, axis=2).astype(np.float32), np.concatenate(beside, axis=1).astype(np.float32)


def _moved(rows: NDArray[np.float64], by: int) -> NDArray[np.float64]:
    """Each row in the place of the one ``by`` further on; nothing at the edge."""
    out = np.zeros_like(rows)
    if by > 0:
        out[by:] = rows[:-by]
    else:
        out[:by] = rows[-by:]
    return out
