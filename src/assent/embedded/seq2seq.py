"""One trained model: greedy and n-best decoding, draws at temperature 1, scores; the same bits on every machine.

Log-probabilities are multiples of 1/FINE, so their sums are exact; equals stand in the order of their numbers; draws
come from a keyed hash (the key, the number of the draw, the position), not from a generator with a state.

Products of small matrices run on one thread: more of them wait for one another longer than they work. Results do not
depend on it (``assent.samebits``); time does. What the process had set is put back afterwards.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from assent.embedded.network import EncodedSource, Mask, Network, Writing
from assent.embedded.tokens import END, START, UNKNOWN, TokenVocabulary, is_word
from assent.errors import ModelError
from assent.samebits import FINE, Array, log_shares, shares

Ids: TypeAlias = tuple[int, ...]
_OUT = -(2.0**40)  # logit, in units of 1/GRID, of what must not be written: no chance at all
_SLACK = 32
HOPELESS = -40.0
"""Log-probability below which a search does not follow an output."""


@dataclass(frozen=True, slots=True)
class SearchLimits:
    """``start`` opens and ``end`` closes an output of ``least`` to ``longest`` tokens without ``banned`` sequences."""

    start: int
    end: int
    longest: int
    least: int = 0
    banned: tuple[Ids, ...] = ()


@dataclass(slots=True)
class _Tree:
    """The ends of some outputs, and which nodes each of them sees."""

    writing: Writing
    start: int
    outputs: list[Ids] = field(default_factory=list)
    sees: Mask = field(default_factory=lambda: np.zeros((0, 0), dtype=np.bool_))

    def open(self) -> Array:
        """One empty output; logits of its first token."""
        self.outputs, self.sees = [()], np.ones((1, 1), dtype=np.bool_)
        return self.writing.add([self.start], [0], self.sees)

    def go_on(self, parents: Sequence[int], tokens: Sequence[int]) -> Array:
        """Each new output is one of the present ones and a token; logits of what follows."""
        self.outputs = [(*self.outputs[parent], token) for parent, token in zip(parents, tokens, strict=True)]
        sees = self.sees[list(parents)]
        used: Mask = np.asarray(sees.any(axis=0))
        if sees.shape[1] > 2 * int(used.sum()) + _SLACK:
            self.writing.keep(used)
            sees = sees[:, used]
        self.sees = np.concatenate((sees, np.eye(len(parents), dtype=np.bool_)), axis=1)
        return self.writing.add(tokens, [len(self.outputs[0])] * len(parents), self.sees)


def _forbid(logits: Array, outputs: Sequence[Ids], limits: SearchLimits) -> None:
    """Takes all chances from tokens that would end an output too early or complete a banned sequence."""
    if len(outputs[0]) < limits.least:
        logits[:, limits.end] = _OUT
    for banned in limits.banned:
        head, last = banned[:-1], banned[-1]
        if not head:
            logits[:, last] = _OUT
            continue
        for row, output in enumerate(outputs):
            if output[-len(head) :] == head:
                logits[row, last] = _OUT


def beam(network: Network, memory: EncodedSource, n: int, limits: SearchLimits) -> list[tuple[Ids, float]]:
    """The ``n`` most probable outputs that a beam of ``n`` finds, best first (greedy for one).

    An unfinished output goes on for as long as it is more probable than the ``n``-th finished one and, unless it is the
    only one, not hopeless.
    """
    tree = _Tree(Writing(network, memory), limits.start)
    logits, scores = tree.open(), np.zeros(1)
    done: list[tuple[float, Ids]] = []
    for _ in range(limits.longest):
        _forbid(logits, tree.outputs, limits)
        totals = scores[:, None] + log_shares(logits)
        chosen = _highest(totals.reshape(-1), 2 * n)
        parents, tokens = np.divmod(chosen, totals.shape[1])
        ends = tokens == limits.end
        for rank in np.flatnonzero(ends[:n]):
            done.append((float(totals[parents[rank], tokens[rank]]), tree.outputs[parents[rank]]))
        done = sorted(done, key=lambda pair: -pair[0])[:n]
        floor = done[-1][0] if len(done) == n else HOPELESS * FINE if n > 1 else -np.inf
        going = [i for i in np.flatnonzero(~ends)[:n] if totals[parents[i], tokens[i]] > floor]
        if not going:
            break
        parents, tokens = parents[going], tokens[going]
        scores = totals[parents, tokens]
        logits = tree.go_on(parents.tolist(), tokens.tolist())
    else:
        done.extend((float(score), output) for score, output in zip(scores, tree.outputs, strict=True))
    return [(output, score / FINE) for score, output in done[:n]]


def _highest(totals: Array, count: int) -> np.ndarray:
    """Where the ``count`` highest possible numbers stand, highest first, equals in their order."""
    if len(totals) > count:
        least = np.partition(totals, len(totals) - count)[len(totals) - count]
        places = np.flatnonzero(totals >= least)
    else:
        places = np.arange(len(totals))
    places = places[totals[places] > _OUT]
    return places[np.argsort(-totals[places], kind="stable")][:count]


def draws(
    network: Network, memory: EncodedSource, keys: Sequence[str], limits: SearchLimits
) -> list[tuple[Ids, float]]:
    """An output at temperature 1 for each key, which it depends on alone. Draws that agree so far are one row."""
    tree = _Tree(Writing(network, memory), limits.start)
    logits, scores = tree.open(), [0.0] * len(keys)
    rows: dict[int, int] = dict.fromkeys(range(len(keys)), 0)  # draws that go on -> their row
    done: list[Ids] = [()] * len(keys)
    for place in range(limits.longest):
        _forbid(logits, tree.outputs, limits)
        sums, table = np.cumsum(shares(logits), axis=1), log_shares(logits)
        grown: dict[tuple[int, int], int] = {}
        for draw, row in list(rows.items()):
            token = _drawn(sums[row], f"{keys[draw]} {place}")
            scores[draw] += float(table[row, token])
            if token == limits.end:
                del rows[draw]
            else:
                done[draw] += (token,)
                rows[draw] = grown.setdefault((row, token), len(grown))
        if not rows:
            break
        logits = tree.go_on([row for row, _ in grown], [token for _, token in grown])
    return [(output, score / FINE) for output, score in zip(done, scores, strict=True)]


def _drawn(sums: Array, key: str) -> int:
    """A token, from the running sums of its row's weights and 64 bits of the key's hash."""
    bits = int.from_bytes(hashlib.blake2b(key.encode(), digest_size=8).digest(), "big")
    point = (bits * int(sums[-1])) >> 64
    return int(np.searchsorted(sums, float(point), side="right"))


def score(
    network: Network, memory: EncodedSource, targets: Sequence[Ids], limits: SearchLimits
) -> list[tuple[float, ...]]:
    """Log-probability of each token of each target and of the end after it. Shared beginnings are computed once."""
    nodes: dict[Ids, int] = {}
    for target in targets:
        for length in range(len(target) + 1):
            nodes.setdefault(target[:length], len(nodes))
    sees = np.eye(len(nodes), dtype=np.bool_)
    for prefix, node in nodes.items():  # a prefix comes after its own beginnings
        if prefix:
            sees[node] |= sees[nodes[prefix[:-1]]]
    tokens = [prefix[-1] if prefix else limits.start for prefix in nodes]
    logits = Writing(network, memory).add(tokens, [len(prefix) for prefix in nodes], sees)
    table = log_shares(logits) / FINE
    return [
        tuple(float(table[nodes[target[:place]], token]) for place, token in enumerate((*target, limits.end)))
        for target in targets
    ]


class _OneThread:
    """Counts who is inside: the first one in sets one thread, the last one out puts back what was."""

    def __init__(self) -> None:
        self._lock, self._inside = threading.Lock(), 0
        self._before: list[tuple[Any, int]] = []

    @cached_property
    def _libraries(self) -> list[Any]:
        import numpy as np  # noqa: F401 (its library must be loaded to be found)
        from threadpoolctl import ThreadpoolController

        return list(ThreadpoolController().select(user_api="blas").lib_controllers)

    @contextmanager
    def __call__(self) -> Iterator[None]:
        """May be nested, and entered by several threads at once."""
        with self._lock:
            if self._inside == 0:
                self._before = [(library, library.num_threads) for library in self._libraries]
                self._set([(library, 1) for library in self._libraries])
            self._inside += 1
        try:
            yield
        finally:
            with self._lock:
                self._inside -= 1
                if self._inside == 0:
                    self._set(self._before)

    @staticmethod
    def _set(wanted: Sequence[tuple[Any, int]]) -> None:
        """From threadpoolctl 3.8 on, only the thread that set a limit first may set another, unless it is let go."""
        for library, number in wanted:
            let_go = getattr(library, "clear_controlling_thread", None)
            if let_go is not None:
                let_go(force=True)
            library.set_num_threads(number)
            if let_go is not None:
                let_go(force=True)


one_thread = _OneThread()


Tokens: TypeAlias = Sequence[str]
LONGEST = 200  # target tokens; a formula beyond is not one that these models can mean
KEPT = 64  # sentences that are read once for search, draws and scores


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """One output and the logarithm of its probability."""

    tokens: tuple[str, ...]
    log_p: float


MEANING = "meaning.npy"
"""Turns a word vector into what a network reads for a word that it does not know; not every model has one."""
Vectors: TypeAlias = Callable[[Sequence[str]], Any]
"""Words -> a unit vector each, in multiples of 1/FINE."""


class Seq2Seq:
    """One trained model. Words outside its vocabulary are read by their ``vectors``, or replaced before it sees them.

    ``files``: what the folder holds, by name, where that has been read already. ModelError if it is not a model.
    """

    def __init__(
        self, folder: Path, *, files: Mapping[str, bytes] | None = None, vectors: Vectors | None = None
    ) -> None:
        try:
            found = contents(folder) if files is None else files
            self.source = TokenVocabulary(json.loads(found["source_vocabulary.json"]))
            self.target = TokenVocabulary(json.loads(found["target_vocabulary.json"]))
            self._network = Network(found["model.bin"], found.get(MEANING) if vectors else None)
            self._vectors = vectors
            self._start, self._end = self.target.ids[START], self.target.ids[END]
        except (OSError, ValueError, KeyError, TypeError, ModelError) as error:
            raise ModelError(f"the weights in {folder} cannot be read: {error}") from error
        rows = len(self._network.source), len(self._network.target)
        if rows != (len(self.source), len(self.target)):
            raise ModelError(f"the weights in {folder} know other words than the vocabularies beside them")
        self._memory = lru_cache(KEPT)(self._encode)

    def _encode(self, words: tuple[str, ...]) -> EncodedSource:
        """A sentence of known words, and of others that are read by their vectors."""
        network, ids = self._network, [self.source.ids.get(word, 0) for word in words]
        strange = [place for place, word in enumerate(words) if word not in self.source.ids]
        if not strange or self._vectors is None:
            return network.encode(ids)
        found = self._vectors([words[place] for place in strange])
        return network.encode(ids, dict(zip(strange, found, strict=True)))

    def _read(self, source: Tokens) -> EncodedSource:
        """What lies behind the search: each word as it is known, or itself where it has a meaning."""
        meant = self._network.meaning is not None
        return self._memory(
            tuple(
                word if known == UNKNOWN and meant and is_word(word) else known
                for word, known in zip(source, self.known(source), strict=True)
            )
        )

    def _targets(self, tokens: Tokens) -> Ids:
        return tuple(self.target.ids[self.target.known(token)] for token in tokens)

    def known(self, tokens: Tokens) -> list[str]:
        """The source as the model reads it."""
        return [self.source.known(token) for token in tokens]

    def best(
        self, sources: Sequence[Tokens], n: int = 1, *, without: Sequence[Tokens] = (), longer: int = 0
    ) -> list[list[Hypothesis]]:
        """The ``n`` most probable outputs that a beam of ``n`` finds (greedy for one), best first.

        Sequences in ``without`` are never written; outputs have more than ``longer`` tokens.
        """
        banned = tuple(ids for tokens in without if (ids := self._spelt(tokens)))
        limits = SearchLimits(
            self._start, self._end, LONGEST, min(longer + 1, LONGEST) if longer else 0, banned
        )
        with one_thread():
            found = [beam(self._network, self._read(source), n, limits) for source in sources]
        return [[self._hypothesis(*one) for one in some] for some in found]

    def _spelt(self, tokens: Tokens) -> Ids:
        """The numbers of the tokens; nothing where the model cannot write one of them anyway."""
        known = all(token in self.target for token in tokens)
        return tuple(self.target.ids[token] for token in tokens) if known else ()

    def sample(self, source: Tokens, k: int, *, seed: int) -> list[Hypothesis]:
        """``k`` independent draws at temperature 1; draw i depends on the seed and on i alone."""
        limits = SearchLimits(self._start, self._end, LONGEST)
        keys = [f"{seed} {number}" for number in range(k)]
        with one_thread():
            found = draws(self._network, self._read(source), keys, limits)
        return [self._hypothesis(*one) for one in found]

    def score(self, sources: Sequence[Tokens], targets: Sequence[Tokens]) -> list[tuple[float, ...]]:
        """Log probability of each target token (and of the end after them), given its source."""
        limits = SearchLimits(self._start, self._end, LONGEST)
        answers: list[tuple[float, ...]] = [()] * len(sources)
        asked: dict[tuple[str, ...], list[int]] = {}
        for number, source in enumerate(sources):
            asked.setdefault(tuple(source), []).append(number)
        for source, numbers in asked.items():
            wanted = [self._targets(targets[number]) for number in numbers]
            with one_thread():
                scored = score(self._network, self._read(source), wanted, limits)
            for number, values in zip(numbers, scored, strict=True):
                answers[number] = values
        return answers

    def _hypothesis(self, output: Ids, log_p: float) -> Hypothesis:
        return Hypothesis(tuple(self.target.tokens[number] for number in output), log_p)


def contents(folder: Path) -> dict[str, bytes]:
    """The files of a folder by name, each read once. OSError if there is no such folder."""
    return {file.name: file.read_bytes() for file in sorted(folder.iterdir()) if file.is_file()}


class ByTag:
    """Models for some logics beside one for all: the first source token, the logic's tag, decides who answers."""

    def __init__(self, general: Seq2Seq, special: Mapping[str, Seq2Seq]) -> None:
        self._general, self._special = general, dict(special)

    def _of(self, source: Tokens) -> Seq2Seq:
        return self._special.get(source[0] if source else "", self._general)

    def known(self, tokens: Tokens) -> list[str]:
        """As ``Seq2Seq.known``, for a source."""
        return self._of(tokens).known(tokens)

    def best(
        self, sources: Sequence[Tokens], n: int = 1, *, without: Sequence[Tokens] = (), longer: int = 0
    ) -> list[list[Hypothesis]]:
        """As ``Seq2Seq.best``; each model gets its sources together."""
        answers: list[list[Hypothesis]] = [[] for _ in sources]
        for model in {id(self._of(source)): self._of(source) for source in sources}.values():
            mine = [i for i, source in enumerate(sources) if self._of(source) is model]
            found = model.best([sources[i] for i in mine], n, without=without, longer=longer)
            for i, hypotheses in zip(mine, found, strict=True):
                answers[i] = hypotheses
        return answers

    def sample(self, source: Tokens, k: int, *, seed: int) -> list[Hypothesis]:
        """As ``Seq2Seq.sample``."""
        return self._of(source).sample(source, k, seed=seed)

    def score(self, sources: Sequence[Tokens], targets: Sequence[Tokens]) -> list[tuple[float, ...]]:
        """As ``Seq2Seq.score``."""
        pairs = zip(sources, targets, strict=True)
        return [self._of(source).score([source], [target])[0] for source, target in pairs]
