"""What the pipeline asks of translators, back-translators, judges, embedders and scores of one's own, and the
transcript of it.

One ``Transcript`` an instruction. Every call of every role goes through it, so that evidence holds all prompts and
answers, the refused ones too. The other modules of this room say how a language model is asked for these roles.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, TypeVar

import msgspec

from assent.errors import ModelError
from assent.logic.ast import Formula, Logic
from assent.records import Call, Candidate, Draft, Instruction, Ratings, TextSpan
from assent.vocabulary import Vocabulary

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from assent.models.base import Answer, Compared, Model, Prompt, Sampling


ATTEMPTS = 3
WARM = 0.5
STRIDE = 1000  # attempt a of sample i has the number i + a * STRIDE

T = TypeVar("T")


class Transcript:
    """The calls of one instruction, in order."""

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self.prompts: dict[str, str] = {}
        self._served: dict[str, set[str]] = {}
        self.names: dict[str, str] = {}  # parts of the instruction, and the names they were taken for
        self.unread: list[TextSpan] = []  # words of the instruction that nobody read

    async def ask(self, model: Model, prompt: Prompt, sampling: Sampling, read: Callable[[Answer], T]) -> T:
        """What ``read`` makes of an answer; one that it refuses is asked for again a few times.

        Each attempt is a sample of its own, under a number that no other sample has, so that none is paid
        twice and the cache holds them all.
        """
        for attempt in range(ATTEMPTS):
            (answer,) = await self._generate(model, prompt, _again(sampling, attempt))
            try:
                return read(answer)
            except ModelError as error:
                refused = error
        raise ModelError(f"{model.name} gave {ATTEMPTS} unusable answers, the last: {refused}") from refused

    async def _generate(self, model: Model, prompt: Prompt, sampling: Sampling) -> tuple[Answer, ...]:
        from assent.models.base import checked  # the embedded models only take notes: they ask no model

        text = "\n".join(f"[{message.role}]\n{message.content}" for message in prompt.messages)
        start = time.perf_counter()
        received = checked(await model.generate(prompt, sampling), sampling, model.name)
        seconds = (time.perf_counter() - start) / len(received)
        key = self.remember(text)
        compared: Compared = getattr(model, "compared", "model")
        for answer in received:
            if served := answer.served_by(compared):
                self._served.setdefault(prompt.task, set()).add(served)
        self.calls += [
            Call(
                role=prompt.task,
                model=f"{model.name}@{answer.served_by() or model.version}",
                prompt=key,
                answer=answer.text,
                tokens_in=answer.prompt_tokens or 0,
                tokens_out=answer.completion_tokens or 0,
                seconds=seconds,
            )
            for answer in received
        ]
        return received

    def note(self, role: str, model: str, prompt: str, answer: str, seconds: float = 0.0) -> None:
        """Remember a call to something that takes no prompt (an embedded model, a function)."""
        self.calls.append(
            Call(role=role, model=model, prompt=self.remember(prompt), answer=answer, seconds=seconds)
        )

    def remember(self, prompt: str) -> str:
        """The key of a prompt: samples share theirs, so it is kept once."""
        key = hashlib.sha256(prompt.encode()).hexdigest()[:16]
        self.prompts.setdefault(key, prompt)
        return key

    def add(self, others: Iterable[Transcript]) -> None:
        """Append what was asked side by side, in a fixed order."""
        for other in others:
            self.calls += other.calls
            self.prompts |= other.prompts
            self.names |= other.names
            self.unread += other.unread
            for role, served in other._served.items():
                self._served.setdefault(role, set()).update(served)

    @property
    def reported(self) -> dict[str, str]:
        """By role, the model that the endpoint says has answered (or all, where they changed meanwhile)."""
        return {role: " + ".join(sorted(served)) for role, served in sorted(self._served.items())}


def _again(sampling: Sampling, attempt: int) -> Sampling:
    """The sampling of an attempt; at temperature 0 the same question has the same answer, so it is warmed."""
    again = sampling.only(sampling.first + attempt * STRIDE)
    if attempt == 0:
        return again
    seed = attempt if again.seed is None else again.seed
    return msgspec.structs.replace(again, temperature=max(again.temperature, WARM), seed=seed)


def seed_of(identity: str) -> int:
    """A seed that belongs to an instruction, so that a run that was stopped goes on as it would have."""
    return int.from_bytes(hashlib.sha256(identity.encode()).digest()[:4], "big") >> 1


RATINGS = ("logical_structure", "temporal_operators", "time_constraints", "overall_meaning")
"""Each from 0 to 100."""
LABELS = ("object", "spatial", "temporal", "quantifier_negation")
"""Of SpaTiaL, each one of ``LABEL_VALUES``."""
LABEL_VALUES = ("match", "partial", "mismatch")
RATING = "rating"
"""The one answer to a single question, from 0 to 100."""


def dimensions(logic: Logic) -> tuple[str, ...]:
    """What a judge rates."""
    return LABELS if logic is Logic.SPATIAL else RATINGS


class TranslatorRole(Protocol):
    """An instruction in, candidates out: a black box behind two questions.

    ``first`` gives the candidate that may be returned, ``samples`` further independent answers by number. A
    translator that cannot be sampled has ``samplable = False``. ``identity`` goes into the fingerprint.
    """

    def identity(self, logic: Logic) -> Mapping[str, str]: ...

    @property
    def samplable(self) -> bool: ...

    async def first(
        self, case: Instruction, vocabulary: Vocabulary | None, transcript: Transcript
    ) -> Candidate: ...

    async def samples(
        self, case: Instruction, vocabulary: Vocabulary | None, numbers: range, transcript: Transcript
    ) -> tuple[Candidate, ...]: ...


class EmbedderRole(Protocol):
    """Sentences to vectors, one row each; ``name`` goes into the fingerprint."""

    @property
    def name(self) -> str: ...

    def embed(self, texts: list[str]) -> NDArray[np.float32]: ...


class BackTranslator(Protocol):
    """Says a formula in English; it never sees the instruction."""

    def identity(self, logic: Logic) -> Mapping[str, str]: ...

    async def say(
        self, formula: Formula, logic: Logic, vocabulary: Vocabulary | None, transcript: Transcript
    ) -> str: ...


@dataclass(frozen=True, slots=True)
class Question:
    """What a judge may look at; the round trip shows it ``english``, the direct judge ``formula``."""

    text: str
    logic: Logic
    formula: Formula
    english: str = ""


class Judge(Protocol):
    """Rates how well the candidate says what the instruction says."""

    def identity(self, logic: Logic) -> Mapping[str, str]: ...

    async def rate(self, question: Question, transcript: Transcript) -> Ratings: ...


@dataclass(frozen=True, slots=True)
class Opinion:
    """Further channels by name, nonconformity in [0, 1]; ratings, if the scorer is a judge, too.

    ``doubts`` say, for a person, why the candidate must not be accepted whatever its score.
    """

    scores: Mapping[str, float] = field(default_factory=dict)
    ratings: Ratings | None = None
    english: str | None = None
    doubts: tuple[str, ...] = ()


class Scorer(Protocol):
    """A score of one's own, from the instruction, the draft, and the scores that are known by then."""

    def identity(self, logic: Logic) -> Mapping[str, str]: ...

    async def score(
        self,
        case: Instruction,
        draft: Draft,
        vocabulary: Vocabulary | None,
        known: Mapping[str, float],
        transcript: Transcript,
    ) -> Opinion: ...
