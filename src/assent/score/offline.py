"""Those who score that come with the package.

The back-translator is the reverse model. The judge gives ratings, and the score of the channel ``default``: it
weighs what models that did not write the candidate think of it, and the self-consistency of those that did.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping

from assent.embedded import Embedded, Judgement
from assent.logic.ast import Logic
from assent.prompting.transcript import Transcript
from assent.records import Draft, Instruction, parse
from assent.score import agreement
from assent.score.roles import Opinion
from assent.vocabulary import Vocabulary

DEFAULT = "default"


class OfflineBackTranslator:
    """The embedded reverse model says the formula in English; names are said as they are spelt."""

    def __init__(self, models: Embedded) -> None:
        self._models = models

    def identity(self, logic: Logic) -> Mapping[str, str]:
        return {"back_translator": f"embedded@{self._models.version}"}

    async def say(
        self, formula: str, logic: Logic, vocabulary: Vocabulary | None, transcript: Transcript
    ) -> str:
        start = time.perf_counter()
        english = await asyncio.to_thread(self._models.english, parse(formula, logic), logic)
        name = f"embedded@{self._models.version}"
        transcript.note("back_translate", name, formula, english, time.perf_counter() - start)
        return english


class OfflineJudge:
    """The embedded judge as a scorer; the same weights, whoever translated."""

    def __init__(self, models: Embedded) -> None:
        self._models = models

    def identity(self, logic: Logic) -> Mapping[str, str]:
        return {"judge": f"embedded@{self._models.version}"}

    async def score(
        self,
        case: Instruction,
        draft: Draft,
        vocabulary: Vocabulary | None,
        known: Mapping[str, float],
        transcript: Transcript,
    ) -> Opinion:
        if draft.primary.formula is None:
            return Opinion()
        start = time.perf_counter()
        split = known.get(agreement.NAME)
        found, english, doubts = await asyncio.to_thread(
            self._judge, case, draft.primary.formula, vocabulary, split
        )
        ratings = found.ratings()
        answer = f"{found.score:.6f} {ratings}"
        name = f"embedded@{self._models.version}"
        transcript.note(
            "judge", name, f"{case.text}\n{draft.primary.formula}", answer, time.perf_counter() - start
        )
        return Opinion(scores={DEFAULT: found.score}, ratings=ratings, english=english, doubts=doubts)

    def _judge(
        self, case: Instruction, formula: str, vocabulary: Vocabulary | None, split: float | None
    ) -> tuple[Judgement, str, tuple[str, ...]]:
        tree = parse(formula, case.logic)
        lifted = self._models.lift(case.text, case.logic, vocabulary)
        return (
            self._models.judge(lifted, tree, disagreement=split),
            self._models.english(tree, case.logic),
            self._models.doubts(lifted, tree),
        )
