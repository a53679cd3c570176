"""What the pipeline asks of translators, back-translators, judges, embedders, and scores of one's own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from assent.logic.ast import Formula, Logic
from assent.prompting.transcript import Transcript
from assent.records import Candidate, Draft, Instruction, Ratings
from assent.vocabulary import Vocabulary

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

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
