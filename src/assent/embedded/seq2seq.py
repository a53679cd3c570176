"""A thin layer over CTranslate2: greedy and n-best decoding, samples at temperature 1, and scoring."""

from __future__ import annotations

import io
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from assent.embedded.tokens import Vocabulary, read_vocabulary
from assent.errors import ModelError

Tokens: TypeAlias = Sequence[str]
_SEEDING = threading.Lock()
LONGEST = 200  # target tokens; a formula beyond is not one that these models can mean


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """One output and the logarithm of its probability."""

    tokens: tuple[str, ...]
    log_p: float


class Seq2Seq:
    """One trained model. Words outside its vocabulary are replaced before it sees them."""

    def __init__(self, folder: Path, *, threads: int = 1) -> None:
        try:
            self._files = {
                file.name: file.read_bytes() for file in sorted(folder.iterdir()) if file.is_file()
            }
            self.source: Vocabulary = read_vocabulary(folder / "source_vocabulary.json")
            self.target: Vocabulary = read_vocabulary(folder / "target_vocabulary.json")
        except (OSError, ValueError) as error:
            raise ModelError(f"the weights in {folder} cannot be read: {error}") from error
        self._threads = threads
        self._translator = self._load()

    def _load(self) -> Any:
        import ctranslate2

        files = {name: io.BytesIO(content) for name, content in self._files.items()}
        return ctranslate2.Translator("embedded", intra_threads=self._threads, inter_threads=1, files=files)

    def known(self, tokens: Tokens) -> list[str]:
        return [self.source.known(token) for token in tokens]

    def best(
        self, sources: Sequence[Tokens], n: int = 1, *, without: Sequence[Tokens] = (), longer: int = 0
    ) -> list[list[Hypothesis]]:
        """The ``n`` most probable outputs that a beam of ``n`` finds (greedy for one), best first.

        Sequences in ``without`` are never written; outputs have more than ``longer`` tokens.
        """
        results = self._translator.translate_batch(
            [self.known(source) for source in sources],
            beam_size=n,
            num_hypotheses=n,
            length_penalty=0,
            return_scores=True,
            max_decoding_length=LONGEST,
            max_batch_size=32,
            min_decoding_length=min(longer + 1, LONGEST),
            suppress_sequences=[list(tokens) for tokens in without] or None,
        )
        return [_hypotheses(result) for result in results]

    def sample(self, source: Tokens, k: int, *, seed: int) -> list[Hypothesis]:
        """``k`` independent draws at temperature 1; the same seed gives the same draws."""
        import ctranslate2

        # The generator of random numbers belongs to the worker thread and cannot be set back: a new worker
        # costs about a millisecond, the weights being in memory. The seed is one for the whole process.
        with _SEEDING:
            ctranslate2.set_random_seed(seed)
            results = self._load().translate_batch(
                [self.known(source)],
                beam_size=1,
                num_hypotheses=k,
                sampling_topk=0,
                sampling_temperature=1,
                length_penalty=0,
                return_scores=True,
                max_decoding_length=LONGEST,
            )
        return _hypotheses(results[0])

    def score(self, sources: Sequence[Tokens], targets: Sequence[Tokens]) -> list[tuple[float, ...]]:
        """Log probability of each target token (and of the end after them), given its source."""
        results = self._translator.score_batch(
            [self.known(source) for source in sources],
            [[self.target.known(token) for token in target] for target in targets],
            max_batch_size=32,
        )
        return [tuple(result.log_probs) for result in results]


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


def _hypotheses(result: Any) -> list[Hypothesis]:
    return [
        Hypothesis(tuple(tokens), float(score))
        for tokens, score in zip(result.hypotheses, result.scores, strict=True)
    ]
