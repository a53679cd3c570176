"""What the collector asks of those who score: back-translators, judges, and scores of one's own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from assent.ask import Transcript
from assent.logic.ast import Logic
from assent.records import Draft, Instruction, Ratings
from assent.vocabulary import Vocabulary


class BackTranslator(Protocol):
    """Says a formula in English; it never sees the instruction."""

    def identity(self, logic: Logic) -> Mapping[str, str]: ...

    async def say(
        self, formula: str, logic: Logic, vocabulary: Vocabulary | None, transcript: Transcript
    ) -> str: ...


class Judge(Protocol):
    """Rates how well ``other`` (English; for the direct judge a formula) says what the instruction says."""

    def identity(self, logic: Logic) -> Mapping[str, str]: ...

    async def rate(self, text: str, other: str, logic: Logic, transcript: Transcript) -> Ratings: ...


class Scorer(Protocol):
    """Further channels: nonconformity in [0, 1] by name, from the instruction and the draft alone."""

    def identity(self, logic: Logic) -> Mapping[str, str]: ...

    async def score(self, case: Instruction, draft: Draft, transcript: Transcript) -> Mapping[str, float]: ...
