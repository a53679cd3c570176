"""One trained model: greedy and n-best decoding, draws at temperature 1, scores; the same bits on every machine.

Products of small matrices run on one thread: more of them wait for one another longer than they work. Results do not
depend on it (``assent.samebits``); time does. What the process had set is put back afterwards.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, TypeAlias

from assent.embedded import search
from assent.embedded.network import EncodedSource, Network
from assent.embedded.search import Ids, SearchLimits
from assent.embedded.tokens import END, START, TokenVocabulary
from assent.errors import ModelError


class _OneThread:
    """Counts who is inside: the first one in sets one thread, the last one out puts back what was."""

    def __init__(self) -> None:
        self._lock, self._inside = threading.Lock(), 0
        self._limit: Any = None

    @cached_property
    def _controller(self) -> Any:
        import numpy as np  # noqa: F401 (its library must be loaded to be found)
        from threadpoolctl import ThreadpoolController

        return ThreadpoolController().select(user_api="blas")

    @contextmanager
    def __call__(self) -> Iterator[None]:
        """May be nested, and entered by several threads at once."""
        with self._lock:
            if self._inside == 0:
                self._limit = self._controller.limit(limits=1)
            self._inside += 1
        try:
            yield
        finally:
            with self._lock:
                self._inside -= 1
                if self._inside == 0:
                    self._limit.restore_original_limits()


one_thread = _OneThread()


Tokens: TypeAlias = Sequence[str]
LONGEST = 200  # target tokens; a formula beyond is not one that these models can mean
KEPT = 64  # sentences that are read once for search, draws and scores


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """One output and the logarithm of its probability."""

    tokens: tuple[str, ...]
    log_p: float


class Seq2Seq:
    """One trained model. Words outside its vocabulary are replaced before it sees them.

    ``files``: what the folder holds, by name, where that has been read already. ModelError if it is not a model.
    """

    def __init__(self, folder: Path, *, files: Mapping[str, bytes] | None = None) -> None:
        try:
            found = contents(folder) if files is None else files
            self.source = TokenVocabulary(json.loads(found["source_vocabulary.json"]))
            self.target = TokenVocabulary(json.loads(found["target_vocabulary.json"]))
            self._network = Network(found["model.bin"])
            self._start, self._end = self.target.ids[START], self.target.ids[END]
        except (OSError, ValueError, KeyError, TypeError, ModelError) as error:
            raise ModelError(f"the weights in {folder} cannot be read: {error}") from error
        rows = len(self._network.source), len(self._network.target)
        if rows != (len(self.source), len(self.target)):
            raise ModelError(f"the weights in {folder} know other words than the vocabularies beside them")
        self._memory = lru_cache(KEPT)(self._encode)

    def _encode(self, words: Ids) -> EncodedSource:
        return self._network.encode(words)

    def _read(self, source: Tokens) -> EncodedSource:
        return self._memory(tuple(self.source.ids[word] for word in self.known(source)))

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
            found = [search.beam(self._network, self._read(source), n, limits) for source in sources]
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
            found = search.draws(self._network, self._read(source), keys, limits)
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
                scored = search.score(self._network, self._read(source), wanted, limits)
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
